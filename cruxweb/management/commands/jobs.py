"""Long work on the command line: the list, one job followed with a bar until it ends, and what can be done about it."""

import json
import time
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from apps.accounts.as_person import person_of_token
from apps.accounts.queries import names_of
from apps.accounts.rules import Right, require
from apps.jobs.actions import cancel_job, retry_job, set_aside_job
from apps.jobs.queries import JobScope, JobView, find_jobs, get_job
from apps.jobs.rules import JobState
from apps.store import open_store
from cruxstore.errors import CruxError
from cruxweb.job_access import job_scope, require_steering

POLL_SECONDS = 0.5
STEPS = {"cancel": cancel_job, "again": retry_job, "set-aside": set_aside_job}


class Command(BaseCommand):
    help = "List long work, follow a job until it ends, cancel it, run it again or set it aside; as CRUXWEB_TOKEN."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("number", nargs="?", type=int, help="one job, J-12 as 12")
        parser.add_argument("--tenant", required=True, help="the tenant whose jobs are meant")
        parser.add_argument("--follow", action="store_true", help="show its progress until it ends")
        parser.add_argument("--do", choices=STEPS, help="cancel it, run it again, or set it aside after a fault")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(
        self, *, number: int | None, tenant: str, follow: bool, do: str | None, json: bool, **options: Any
    ) -> None:
        if number is None and (follow or do):
            raise CommandError("Say which job, by its number.")
        try:
            principal = person_of_token(open_store())
            require(principal, Right.READ, tenant)
            scope = job_scope(principal, tenant)
            if number is None:
                jobs = find_jobs(scope, now=timezone.now(), names_of=names_of)
                self._print([_facts_of(job) for job in jobs], [_sentence(job) for job in jobs], as_json=json)
                return
            job = _job(scope, number)
            if do:
                require_steering(principal, tenant, is_store_wide=job.is_store_wide)
                STEPS[do](number)
                job = _job(scope, number)
            if follow:
                job = _followed(scope, job, is_quiet=json)
        except CruxError as error:
            raise CommandError(f"{error} ({error.code})") from error
        self._print(_facts_of(job), [_sentence(job)], as_json=json)
        if job.needs_somebody:
            raise CommandError(f"{job.name}: {job.error}")

    def _print(self, answer: object, sentences: list[str], *, as_json: bool) -> None:
        if as_json:
            self.stdout.write(json.dumps(answer, default=str))
        else:
            self.stdout.write("\n".join(sentences or ["There are no jobs."]))


def _followed(scope: JobScope, job: JobView, *, is_quiet: bool) -> JobView:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), disable=is_quiet) as bar:
        task = bar.add_task(f"{job.name} {job.title}", total=None)
        while not job.is_ended:
            bar.update(task, completed=job.done, total=job.total or None)
            time.sleep(POLL_SECONDS)
            job = _job(scope, job.number)
        bar.update(task, completed=job.done, total=job.total or None)
    return job


def _job(scope: JobScope, number: int) -> JobView:
    return get_job(scope, number, now=timezone.now(), names_of=names_of)


def _facts_of(job: JobView) -> dict[str, object]:
    shown = asdict(job)
    return {name: shown[name] for name in _SHOWN} | {"state": job.state.value}


def _sentence(job: JobView) -> str:
    amount = f"{job.done:,} of {job.total:,} {job.unit}" if job.total else f"{job.done:,} {job.unit}".rstrip()
    counts = "".join(f", {number:,} {name}" for name, number in job.counts.items())
    ending = f": {job.error}" if job.error and job.state != JobState.FINISHED else ""
    return f"{job.name}  {job.state.value:<9}  {job.title}, {amount}{counts}, by {job.started_by}{ending}"


_SHOWN = (
    "number",
    "kind",
    "title",
    "is_store_wide",
    "done",
    "total",
    "unit",
    "rate",
    "seconds_left",
    "started_by",
    "queued_at",
    "started_at",
    "ended_at",
    "attempts",
    "counts",
    "error",
    "first_error",
)
