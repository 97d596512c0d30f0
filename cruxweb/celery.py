"""The workers: which handler does which kind of job. `serve` starts one a lane."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cruxweb.settings")
django.setup()

from apps.facts.tasks import (  # noqa: E402  needs the apps set up
    run_checkpoint_job,
    run_compaction_job,
    run_import_job,
    run_rebuild_job,
    run_verification_job,
)
from apps.jobs.workers import set_up_worker  # noqa: E402
from apps.review.tasks import run_duplicates_job, run_expiry_job, run_scan_job  # noqa: E402
from cruxweb.timetable import TIMETABLE  # noqa: E402

app = set_up_worker(
    handlers={
        "import": run_import_job,
        "compaction": run_compaction_job,
        "rebuild_index": run_rebuild_job,
        "checkpoint": run_checkpoint_job,
        "verification": run_verification_job,
        "scan": run_scan_job,
        "duplicates": run_duplicates_job,
        "expiry": run_expiry_job,
    },
    timetable=TIMETABLE,
)
