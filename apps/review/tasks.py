"""Long work of the curator's desk, as the workers run it."""

from collections.abc import Callable

from django.utils import timezone

from apps.accounts.rules import Scope
from apps.facts.projector.builds import kept_builds
from apps.facts.queries.scanning import Ground, Position
from apps.jobs.runs import JobRun
from apps.review.actions.daemon import take_over_findings
from apps.review.actions.duplicates import scan_duplicates
from apps.review.actions.expiry import scan_expiry
from apps.review.actions.findings import ScanReport, ScanStep
from apps.review.actions.scan import scan_tenant
from apps.store import open_store


def run_scan_job(run: JobRun) -> None:
    """Looks for what contradicts, doubles or overlaps; goes on where an earlier attempt stopped."""
    store, now = open_store(), timezone.now()
    with kept_builds(store.data_dir):
        ground = _ground(run)
        report = scan_tenant(ground, now=now, begin=_begin(run), report=_report(run), step=_step(run))
        if not run.is_cancelled():
            take_over_findings(ground, report, store=store, now=now)
            _end(run, report)


def run_duplicates_job(run: JobRun) -> None:
    """Looks for texts that say nearly the same in different places; goes on where an earlier attempt stopped."""
    with kept_builds(open_store().data_dir):
        report = scan_duplicates(
            _ground(run), now=timezone.now(), begin=_begin(run), report=_report(run), step=_step(run)
        )
        if not run.is_cancelled():
            _end(run, report)


def run_expiry_job(run: JobRun) -> None:
    """Lists facts that may have had their day."""
    store = open_store()
    with kept_builds(store.data_dir):
        report = scan_expiry(_ground(run), store=store, now=timezone.now())
    run.progress(report.compared, report.compared, counts=report.counts(), checkpoint=run.checkpoint)


def _ground(run: JobRun) -> Ground:
    """What everybody in the tenant may read: a scan looks at no private fact."""
    return Ground.of(Scope(tenant=run.tenant, principal_id=run.started_by))


def _begin(run: JobRun) -> ScanStep | None:
    kept = run.checkpoint.get("step")
    if kept is None:
        return None
    home, generation, lines, after, done, total = kept
    return ScanStep(home, Position(generation, lines), after, done, total)


def _report(run: JobRun) -> ScanReport:
    return ScanReport(**run.checkpoint["report"]) if "report" in run.checkpoint else ScanReport()


def _step(run: JobRun) -> Callable[[ScanStep, ScanReport], bool]:
    def tell(step: ScanStep, report: ScanReport) -> bool:
        kept = {
            "step": [step.home, step.position.generation, step.position.lines, step.after, step.done, step.total],
            "report": report.as_numbers(),
        }
        run.progress(step.done, step.total, counts=report.counts(), checkpoint=kept)
        return not run.is_cancelled()

    return tell


def _end(run: JobRun, report: ScanReport) -> None:
    run.progress(run.total, counts=report.counts(), checkpoint=run.checkpoint)
