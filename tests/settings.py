"""The site's settings for tests: a data folder of their own, quick sign-ins, no built static files.

With TESTS_ON=postgresql, tests run on a PostgreSQL that is started for them, once for all their processes.
"""

import atexit
import os
import shutil
import tempfile

from tests.services import PrivatePostgres

os.environ["CRUXWEB_DATA_DIR"] = tempfile.mkdtemp(prefix="cruxweb-tests-")
atexit.register(shutil.rmtree, os.environ["CRUXWEB_DATA_DIR"], ignore_errors=True)
os.environ["CRUXWEB_SECRET_KEY"] = "only for tests"
for _name in (
    "CRUXWEB_JOURNAL",
    "CRUXWEB_URL",
    "CRUXWEB_PORT",
    "CRUXWEB_TOKEN",
    "CRUXWEB_METRICS_TOKEN",
    "CRUXWEB_DATABASE_URL",
    "CRUXWEB_REDIS_URL",
    "CRUXWEB_SMTP_URL",
    "CRUXWEB_MAIL_FROM",
):
    os.environ.pop(_name, None)

if os.environ.get("TESTS_ON") == "postgresql":
    if "TESTS_POSTGRES" not in os.environ:
        _postgres = PrivatePostgres().__enter__()
        atexit.register(_postgres.stop)
        os.environ["TESTS_POSTGRES"] = _postgres.address("cruxweb")
    os.environ["CRUXWEB_DATABASE_URL"] = os.environ["TESTS_POSTGRES"]

from cruxweb.settings import *  # noqa: E402, F403
from cruxweb.settings import DATA_DIR, DATABASE, DATABASES  # noqa: E402

if DATABASE is None:
    DATABASES["default"]["TEST"] = {"NAME": DATA_DIR / "test.sqlite3"}
else:
    DATABASES["default"]["ENGINE"] = "tests.quick_postgres"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# counted in memory, so that it can be forgotten before each test without a database
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
STATIC_ROOT = DATA_DIR / "static"
STATIC_ROOT.mkdir(exist_ok=True)
