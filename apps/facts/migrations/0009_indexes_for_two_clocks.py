from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("facts", "0008_readable_times")]

    operations = [
        migrations.RemoveIndex(model_name="indexedfact", name="fact_by_id"),
        migrations.AddIndex(
            model_name="indexedfact",
            index=models.Index(fields=["fact_id", "home", "valid_from_us", "stored_at_us"], name="fact_by_id"),
        ),
        migrations.AddIndex(
            model_name="factline",
            index=models.Index(
                fields=["fact", "line_no"], name="line_of_validity", condition=models.Q(op="set_validity")
            ),
        ),
    ]
