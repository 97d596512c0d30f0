"""What this site does by itself, and when."""

from datetime import time

from apps.accounts.queries import tenant_names
from apps.facts.tasks import follow
from apps.jobs.timetable import Daily, Periodic, Timetable

TIMETABLE = Timetable(
    periodic=(Periodic("facts.follow", "Read what is new in the files", seconds=5, run=follow),),
    daily=(Daily("checkpoint", "Sign the day's checkpoint", at=time(0, 5), unit="bytes", is_store_wide=True),),
    tenants=tenant_names,
)
