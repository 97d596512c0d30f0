"""Empties the ledger's rows, which the next reading makes anew with what they now hold."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def forget_events(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """No event has been followed yet."""
    apps.get_model("facts", "LedgerEvent").objects.all().delete()
    apps.get_model("facts", "EventSubject").objects.all().delete()
    apps.get_model("facts", "IndexPointer").objects.update(ledger_offset=0, ledger_events=0)


class Migration(migrations.Migration):
    """Data only: the files are the truth."""

    dependencies = (("facts", "0001_facts_index"),)
    operations = (migrations.RunPython(forget_events, migrations.RunPython.noop),)
