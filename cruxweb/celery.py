"""The workers: which handler does which kind of job, and what runs every few seconds. `serve` starts one a lane."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cruxweb.settings")
django.setup()

from apps.facts.tasks import follow, run_compaction_job, run_import_job, run_rebuild_job  # noqa: E402  needs the apps set up
from apps.jobs.workers import Periodic, set_up_worker  # noqa: E402

app = set_up_worker(
    handlers={
        "import": run_import_job,
        "compaction": run_compaction_job,
        "rebuild_index": run_rebuild_job,
    },
    periodic=(Periodic("facts.follow", seconds=5, run=follow),),
)
