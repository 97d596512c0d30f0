#!/usr/bin/env python
"""The command line of the site."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import OperationalError, ProgrammingError

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cruxweb.settings")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(str(error))
    except (OperationalError, ProgrammingError) as error:
        # SQLite's word for it, and PostgreSQL's code
        if "no such table" in str(error) or getattr(error.__cause__, "sqlstate", "") == "42P01":
            sys.exit("The database is not set up yet. Run manage.py prepare first.")
        # psycopg has no code of the server where it did not reach one
        if getattr(error.__cause__, "sqlstate", "") is None:
            sys.exit(f"The database cannot be reached: {str(error).splitlines()[0]}")
        raise
