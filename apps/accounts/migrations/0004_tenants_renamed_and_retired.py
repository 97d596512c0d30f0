"""What a tenant is called, and since when it is retired."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0003_tokens")]

    operations = [
        migrations.AddField("tenant", "called", models.CharField(blank=True, default="", max_length=400)),
        migrations.AddField("tenant", "retired_at", models.DateTimeField(null=True)),
    ]
