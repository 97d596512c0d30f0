"""Imports as the ledger tells them, and uploads with what bringing them in would do."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path

from apps.accounts.queries import names_of
from apps.accounts.rules import Scope
from apps.facts.answers import Count
from apps.facts.formats import AUTO, Proposed, Reading, read_memory
from apps.facts.import_rules import Plan
from apps.facts.models import EventSubject, LedgerEvent, Upload
from apps.facts.queries.chains import count_import_facts, held_chains
from apps.jobs.models import Job
from cruxstore.door import Store
from cruxstore.errors import NotFoundError
from cruxstore.ledger.events import Action

RECENT_IMPORTS = 200
SAMPLE_FACTS = 12
DIGEST_MARK = "blake3:"


@dataclass(frozen=True)
class ImportRow:
    """One import: running, finished, stopped or taken_back; `stored` counts its facts that are not deleted."""

    import_id: str
    file_name: str
    digest: str
    format: str
    state: str
    started_at: datetime
    started_by: str
    ended_at: datetime | None
    stored: Count
    job: int | None


@dataclass(frozen=True)
class Preview:
    """What bringing an upload in would do, before anything is written; `earlier` brought the same file."""

    reading: Reading
    size_bytes: int
    plan: Plan
    earlier: ImportRow | None

    @property
    def sample(self) -> tuple[Proposed, ...]:
        """The first facts that would be stored, without the private ones."""
        return tuple(islice((fact for fact in self.plan.new if not fact.is_private), SAMPLE_FACTS))

    def summary(self) -> dict[str, object]:
        """The counts as a dry run prints them: against this store, with the facts that would be refused."""
        refused = [[fact.line, f"{fact.reason} ({fact.code})"] for fact in self.plan.refused]
        return {
            **self.reading.summary(),
            "facts": len(self.plan.new),
            "duplicates": len(self.reading.duplicates) + len(self.plan.known),
            "ignored": [[ignored.line, ignored.reason] for ignored in self.reading.ignored] + refused,
        }


def find_imports(scope: Scope, *, store: Store) -> list[ImportRow]:
    """The newest imports of the tenant; none for a bound scope, whatever they brought."""
    if scope.is_bound:
        return []
    started = LedgerEvent.objects.filter(tenant=scope.tenant, action=Action.IMPORT_STARTED).order_by("-seq")
    return _rows(scope, list(started[:RECENT_IMPORTS]), store)


def get_import(scope: Scope, import_id: str, *, store: Store) -> ImportRow:
    """One import; NotFoundError alike where it is missing or another tenant's."""
    seqs = EventSubject.objects.filter(subject=import_id).values("seq")
    started = LedgerEvent.objects.filter(seq__in=seqs, tenant=scope.tenant, action=Action.IMPORT_STARTED).first()
    if started is None or scope.is_bound:
        raise NotFoundError("There is no such import.")
    return _rows(scope, [started], store)[0]


def find_import_of(scope: Scope, digest: str, *, store: Store) -> ImportRow | None:
    """The finished import that brought this very file and was not taken back; None for a bound scope."""
    if scope.is_bound:
        return None
    seqs = EventSubject.objects.filter(subject=f"{DIGEST_MARK}{digest}").values("seq")
    started = LedgerEvent.objects.filter(seq__in=seqs, tenant=scope.tenant, action=Action.IMPORT_STARTED)
    rows = _rows(scope, list(started.order_by("-seq")[:RECENT_IMPORTS]), store)
    return next((row for row in rows if row.state == "finished"), None)


def get_upload(scope: Scope, digest: str) -> Upload:
    """An upload of this tenant; NotFoundError alike where it is missing or another tenant's."""
    upload = Upload.objects.filter(tenant=scope.tenant, digest=digest).first()
    if upload is None or scope.is_bound:
        raise NotFoundError("There is no such upload. Bring the file again.")
    return upload


def get_own_upload(scope: Scope, digest: str) -> Upload:
    """An upload of the scope's own person: what is in a file is theirs to see until its facts are stored."""
    upload = get_upload(scope, digest)
    if upload.uploaded_by != scope.principal_id:
        raise NotFoundError("There is no such upload of yours. Bring the file again.")
    return upload


def upload_path(store: Store, digest: str) -> Path:
    """Where an upload's bytes are kept."""
    return store.data_dir / "uploads" / digest


def preview(scope: Scope, upload: Upload, *, store: Store, form: str = AUTO) -> Preview:
    """Reads an upload and says exactly what would be stored; CruxError where it is no memory."""
    return preview_data(scope, _read_upload(upload, store), file_name=upload.file_name, store=store, form=form)


def preview_data(scope: Scope, data: bytes, *, file_name: str, store: Store, form: str = AUTO) -> Preview:
    """The same for bytes that are kept nowhere."""
    reading = read_memory(data, file_name=file_name, format=form, privacy=store.privacy, scope=scope.tenant)
    earlier = find_import_of(scope, reading.digest, store=store)
    return Preview(
        reading=reading, size_bytes=len(data), plan=plan_reading(scope, reading, earlier, store=store), earlier=earlier
    )


def read_upload(scope: Scope, upload: Upload, *, store: Store, form: str = AUTO) -> Reading:
    """What an upload says to this tenant."""
    data = _read_upload(upload, store)
    return read_memory(data, file_name=upload.file_name, format=form, privacy=store.privacy, scope=scope.tenant)


def plan_reading(scope: Scope, reading: Reading, earlier: ImportRow | None, *, store: Store) -> Plan:
    """What of a file is new; nothing where an import of this very file stands."""
    if earlier is not None:
        return Plan(new=(), known=reading.facts, refused=())
    chains = dict.fromkeys((fact.entity, fact.key) for fact in reading.facts)
    return Plan.of(reading.facts, held_chains(scope, chains, store=store), store.privacy)


def _read_upload(upload: Upload, store: Store) -> bytes:
    path = upload_path(store, upload.digest)
    if not path.exists():
        raise NotFoundError("The file of this upload is gone. Bring it again.")
    return path.read_bytes()


def _rows(scope: Scope, started: list[LedgerEvent], store: Store) -> list[ImportRow]:
    subjects = _subjects(event.seq for event in started)
    ends = _ends(scope, {subject for named in subjects.values() for subject in named if subject.startswith("i_")})
    names = names_of({event.actor_id for event in started if event.actor_kind == "person"})
    jobs = {
        job.arguments.get("import_id"): job
        for job in Job.objects.filter(kind="import", tenant=scope.tenant).order_by("number")
    }
    rows = []
    for event in started:
        import_id = next(subject for subject in subjects[event.seq] if subject.startswith("i_"))
        digest = next((s for s in subjects[event.seq] if s.startswith(DIGEST_MARK)), "").removeprefix(DIGEST_MARK)
        end, job = ends.get(import_id), jobs.get(import_id)
        words, _ = next(store.events_from(event.offset))
        rows.append(
            ImportRow(
                import_id=import_id,
                file_name=store.text_of(words) or digest[:12],
                digest=digest,
                format=event.code,
                state=_state(end, job),
                started_at=event.at,
                started_by=names.get(event.actor_id, event.actor_id),
                ended_at=end.at if end is not None else None,
                stored=count_import_facts(scope, import_id),
                job=job.number if job is not None else None,
            )
        )
    return rows


def _state(end: LedgerEvent | None, job: Job | None) -> str:
    if end is not None:
        return "taken_back" if end.action == Action.IMPORT_TAKEN_BACK else "finished"
    return "running" if job is not None and job.state in {"queued", "running"} else "stopped"


def _subjects(seqs: Iterable[int]) -> Mapping[int, list[str]]:
    subjects: defaultdict[int, list[str]] = defaultdict(list)
    for seq, subject in EventSubject.objects.filter(seq__in=list(seqs)).values_list("seq", "subject"):
        subjects[seq].append(subject)
    return subjects


def _ends(scope: Scope, import_ids: set[str]) -> dict[str, LedgerEvent]:
    """The newest end of each import: finished, or taken back afterwards."""
    seqs = dict(EventSubject.objects.filter(subject__in=import_ids).values_list("seq", "subject"))
    ended = LedgerEvent.objects.filter(
        seq__in=seqs, tenant=scope.tenant, action__in=[Action.IMPORT_FINISHED, Action.IMPORT_TAKEN_BACK]
    )
    return {seqs[event.seq]: event for event in ended.order_by("seq")}
