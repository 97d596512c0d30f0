from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("facts", "0004_events_by_line")]

    operations = [
        migrations.AddIndex(
            model_name="indexedfact",
            index=models.Index(fields=["home", "stored_at_us"], name="fact_by_stored"),
        ),
    ]
