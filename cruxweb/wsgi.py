"""The site as a WSGI application; a data folder that cannot be opened ends the server with one sentence."""

import os
import sys

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cruxweb.settings")
application = get_wsgi_application()

from apps.store import open_store  # noqa: E402  needs the apps set up
from cruxstore.errors import CruxError  # noqa: E402

GUNICORN_GIVES_UP = 3
"""What a worker of gunicorn ends with so that the server does not start another one."""

try:
    open_store()
except CruxError as error:
    sys.stderr.write(f"{error} ({error.code})\n")
    sys.exit(GUNICORN_GIVES_UP)
