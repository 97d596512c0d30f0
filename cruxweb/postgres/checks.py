"""What a database must be like before anything is put into it."""

from django.db import connection

from apps.accounts.models import User
from apps.facts.models import IndexPointer
from cruxstore.door import Store
from cruxstore.errors import CruxError

BY_BYTES = ("C", "POSIX", "C.UTF-8", "C.utf8")


class WrongDatabaseError(CruxError):
    """The database was made in a way that would give other answers."""

    code = "wrong_database"


def refuse_other_order() -> None:
    """Raises WrongDatabaseError where PostgreSQL orders texts in another way than by their characters' numbers.

    Names are paged through, and prefixes found, in that order; SQLite has no other.
    """
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT datcollate, pg_encoding_to_char(encoding) FROM pg_database WHERE datname = current_database()"
        )
        order, encoding = cursor.fetchone()
    if order not in BY_BYTES or encoding != "UTF8":
        raise WrongDatabaseError(
            f"The database was made with locale {order} and encoding {encoding}. Make it anew:"
            " createdb --template=template0 --encoding=UTF8 --locale=C NAME"
        )


def refuse_other_folder(store: Store) -> None:
    """Raises WrongDatabaseError where the database, already migrated, belongs to another data folder.

    A demo that is made anew keeps a database in which nobody but its own people signs in.
    """
    pointer = IndexPointer.objects.first()
    if pointer is None or pointer.ledger_instance_id in ("", store.instance_id):
        return
    if connection.vendor != "postgresql" or (store.is_demo and not User.objects.filter(is_demo=False).exists()):
        return
    raise WrongDatabaseError(
        f"The database belongs to the data folder {pointer.ledger_instance_id}, not to {store.data_dir}."
        " Set CRUXWEB_DATABASE_URL to one of its own."
    )
