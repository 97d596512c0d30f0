"""What SQLite and PostgreSQL spell differently; all other SQL of the index is the same text for both."""

from apps.facts.dialects.base import Dialect
from apps.facts.dialects.postgres import PostgresDialect
from apps.facts.dialects.sqlite import SqliteDialect

__all__ = ["DIALECTS", "Dialect"]

DIALECTS: dict[str, Dialect] = {"sqlite": SqliteDialect(), "postgresql": PostgresDialect()}
"""By what Django calls the kind of database."""
