from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("facts", "0005_facts_by_stored")]

    operations = [
        migrations.AlterField(
            model_name="build",
            name="state",
            field=models.CharField(
                choices=[
                    ("prepared", "Prepared"),
                    ("building", "Building"),
                    ("current", "Current"),
                    ("retired", "Retired"),
                ],
                max_length=8,
            ),
        ),
    ]
