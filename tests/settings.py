"""The site's settings for tests: a data folder of their own, quick sign-ins, no built static files."""

import atexit
import os
import shutil
import tempfile

os.environ["CRUXWEB_DATA_DIR"] = tempfile.mkdtemp(prefix="cruxweb-tests-")
atexit.register(shutil.rmtree, os.environ["CRUXWEB_DATA_DIR"], ignore_errors=True)
os.environ["CRUXWEB_SECRET_KEY"] = "only for tests"
for _name in (
    "CRUXWEB_JOURNAL",
    "CRUXWEB_URL",
    "CRUXWEB_PORT",
    "CRUXWEB_TOKEN",
    "CRUXWEB_DATABASE_URL",
    "CRUXWEB_REDIS_URL",
):
    os.environ.pop(_name, None)

from cruxweb.settings import *  # noqa: E402, F403
from cruxweb.settings import DATA_DIR, DATABASES  # noqa: E402

DATABASES["default"]["TEST"] = {"NAME": DATA_DIR / "test.sqlite3"}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
STATIC_ROOT = DATA_DIR / "static"
STATIC_ROOT.mkdir(exist_ok=True)
