"""When a link to a sign-in was used, and who said since then that its person is not who made the link."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0004_tenants_renamed_and_retired")]

    operations = [
        migrations.AddField("user", "opened_at", models.DateTimeField(null=True)),
        migrations.CreateModel(
            name="Confirmation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("person_id", models.CharField(max_length=40)),
                ("opener", models.CharField(max_length=40)),
                ("confirmed_at", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("person_id", "opener"), name="one_confirmation_per_opener")
                ],
            },
        ),
    ]
