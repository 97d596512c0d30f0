"""A worker that counts slowly, one line in a file a step, and ticks every second; a real process of some tests."""

import os
import time
from pathlib import Path

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cruxweb.settings")
django.setup()

from apps.jobs.runs import JobRun  # noqa: E402  needs the apps set up
from apps.jobs.timetable import Periodic, Timetable  # noqa: E402
from apps.jobs.workers import set_up_worker  # noqa: E402

DATA_DIR = Path(os.environ["CRUXWEB_DATA_DIR"])
STEP_SECONDS = 0.05


def count_slowly(run: JobRun) -> None:
    """Counts to the total given, from its checkpoint on, and says each number in a file."""
    to = int(run.arguments["to"])
    said = DATA_DIR / "said"
    for number in range(run.checkpoint.get("next", 1), to + 1):
        if run.is_cancelled():
            return
        with said.open("a") as file:
            file.write(f"{number}\n")
        run.progress(number, to, checkpoint={"next": number + 1})
        time.sleep(STEP_SECONDS)


def tick() -> None:
    """Leaves a sign."""
    (DATA_DIR / "ticked").touch()


app = set_up_worker(
    {"count": count_slowly},
    Timetable(periodic=(Periodic("tests.tick", "Tick", seconds=1, run=tick),), daily=(), tenants=tuple),
)
