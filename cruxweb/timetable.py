"""What this site does by itself, and when."""

from datetime import time

from django.conf import settings

from apps.accounts.queries import tenant_names
from apps.facts.tasks import follow
from apps.jobs.timetable import Daily, Periodic, Timetable
from cruxweb.notices import look_what_waits, mail_what_waits

MAILING = (
    ()
    if settings.MAIL_SERVER is None
    else (Periodic("notices.mail", "Mail what waits to those who want mail", seconds=60, run=mail_what_waits),)
)

TIMETABLE = Timetable(
    periodic=(
        Periodic("facts.follow", "Read what is new in the files", seconds=5, run=follow),
        Periodic("notices.look", "Tell people what waits for them", seconds=60, run=look_what_waits),
        *MAILING,
    ),
    daily=(
        Daily("checkpoint", "Sign the day's checkpoint", at=time(0, 5), unit="bytes", is_store_wide=True),
        Daily("scan", "Look for conflicts", at=time(2), unit="entities"),
        Daily("duplicates", "Look for near-duplicates", at=time(2, 30), unit="entities"),
        Daily("expiry", "List facts that may have had their day", at=time(3), unit="facts"),
    ),
    tenants=tenant_names,
)
