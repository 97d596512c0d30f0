"""The site's settings, read once from the environment; every variable is described in docs/settings.md."""

from pathlib import Path

from csp.constants import NONE, SELF

from cruxweb.environment import (
    read_database_url,
    read_flag,
    read_identity_provider,
    read_journal,
    read_mail_server,
    read_path,
    read_port,
    read_redis_url,
    read_secret_key,
    read_site_address,
    read_text,
)

BASE_DIR = Path(__file__).resolve().parent.parent

# the data folder and the store in it
DATA_DIR = read_path("CRUXWEB_DATA_DIR", BASE_DIR / "data")
OBSERVED_JOURNAL = read_journal("CRUXWEB_JOURNAL")
DEMO = read_flag("CRUXWEB_DEMO", True)

# where people reach it
PORT = read_port("CRUXWEB_PORT", 8000)
SITE_ADDRESS = read_site_address("CRUXWEB_URL", f"http://127.0.0.1:{PORT}")
IS_HTTPS = SITE_ADDRESS.scheme == "https"
ALLOWED_HOSTS = sorted({str(SITE_ADDRESS.hostname), "127.0.0.1", "localhost", "[::1]"})
CSRF_TRUSTED_ORIGINS = [SITE_ADDRESS.geturl().rstrip("/")]

# who takes the mail that says what waits for somebody, if anybody does
MAIL_SERVER = read_mail_server()

METRICS_TOKEN = read_text("CRUXWEB_METRICS_TOKEN", "")

SECRET_KEY = read_secret_key("CRUXWEB_SECRET_KEY", DATA_DIR / "secret_key")
DEBUG = False

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "csp",
    "django_htmx",
    "template_partials",
    "apps.accounts",
    "apps.jobs",
    "apps.facts",
    "apps.review",
    "cruxweb",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.auth.middleware.LoginRequiredMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "allauth.usersessions.middleware.UserSessionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "cruxweb.middleware.ErrorMiddleware",
    "apps.accounts.middleware.PrincipalMiddleware",
]

ROOT_URLCONF = "cruxweb.urls"
WSGI_APPLICATION = "cruxweb.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "cruxweb.context.frame",
            ],
        },
    },
]

# the index, and what is ours alone: a file in the data folder, or a database of PostgreSQL
DATABASE = read_database_url("CRUXWEB_DATABASE_URL")
if DATABASE is None:
    _database: dict[str, object] = {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": DATA_DIR / "index.sqlite3",
        "OPTIONS": {
            "timeout": 20,
            "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;",
        },
    }
else:
    _database = {
        "ENGINE": "cruxweb.postgres",
        "HOST": DATABASE.host,
        "PORT": DATABASE.port,
        "NAME": DATABASE.name,
        "USER": DATABASE.user,
        "PASSWORD": DATABASE.password,
        "OPTIONS": {"connect_timeout": "10", **DATABASE.options},
    }
DATABASES = {"default": _database | {"CONN_MAX_AGE": None, "CONN_HEALTH_CHECKS": True}}

# what wakes the workers, and what is counted for some minutes by all web processes: files and a table, or Redis
REDIS_URL = read_redis_url("CRUXWEB_REDIS_URL")
if REDIS_URL:
    _counts: dict[str, object] = {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "cruxweb",
        "OPTIONS": {"socket_connect_timeout": 2, "socket_timeout": 5},
    }
else:
    _counts = {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "counted_for_minutes",
        "OPTIONS": {"MAX_ENTRIES": 100_000},
    }
CACHES = {"default": _counts}

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# people
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.ScryptPasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("MinimumLengthValidator", "CommonPasswordValidator", "NumericPasswordValidator")
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
ACCOUNT_ADAPTER = "apps.accounts.adapter.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_TIMEOUT = 300
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_TOTP_ISSUER = "cruxweb"
MFA_TOTP_TOLERANCE = 1
USERSESSIONS_TRACK_ACTIVITY = False
SESSION_COOKIE_NAME = "cruxweb_session"
CSRF_COOKIE_NAME = "cruxweb_csrf"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = IS_HTTPS
SESSION_COOKIE_SAMESITE = "Lax"
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if IS_HTTPS else None
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

# signing in elsewhere, where that is set up; who nobody here has connected is let in by nobody there
IDENTITY_PROVIDER = read_identity_provider()
if IDENTITY_PROVIDER is not None:
    INSTALLED_APPS += ["allauth.socialaccount", "allauth.socialaccount.providers.openid_connect"]
    SOCIALACCOUNT_ADAPTER = "apps.accounts.social.SocialAdapter"
    SOCIALACCOUNT_PROVIDERS = {
        "openid_connect": {
            "OAUTH_PKCE_ENABLED": True,
            "APPS": [
                {
                    "provider_id": "oidc",
                    "name": IDENTITY_PROVIDER.name,
                    "client_id": IDENTITY_PROVIDER.client_id,
                    "secret": IDENTITY_PROVIDER.secret,
                    "settings": {"server_url": IDENTITY_PROVIDER.address.geturl()},
                }
            ],
        }
    }

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF] if IDENTITY_PROVIDER is None else [SELF, IDENTITY_PROVIDER.origin],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "manifest-src": [SELF],
    },
}

# words, numbers and times
LANGUAGE_CODE = "en"
USE_I18N = False
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "/static/"
STATIC_ROOT = BASE_DIR / "staticfiles"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

# uploads go to a file at once; a form field holds little
FILE_UPLOAD_HANDLERS = ["django.core.files.uploadhandler.TemporaryFileUploadHandler"]
IMPORT_LIMIT_BYTES = 256 * 1024 * 1024
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"format": "{asctime} {levelname} {name} {message}", "style": "{"}},
    "filters": {"spoken_paths": {"()": "cruxweb.log_paths.SpokenPaths"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "plain", "filters": ["spoken_paths"]}},
    "root": {"handlers": ["stderr"], "level": "INFO"},
}
