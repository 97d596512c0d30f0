"""Columns that Django has no word for."""

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper


class RowId(models.BigIntegerField):  # type: ignore[type-arg]  # Django has no generics at run time
    """A 64-bit key that we choose ourselves; on SQLite it is the row number itself, with no index in between."""

    def db_type(self, connection: BaseDatabaseWrapper) -> str:
        """`integer` is the one type that SQLite takes for its row number."""
        return "integer" if connection.vendor == "sqlite" else "bigint"
