"""The index: rows that projectors make from journal and ledger and that may be dropped at any time; and saved views.

    row id of a fact   build (12 bits) | tenant (16) | ordinal in the tenant (35)
    home               build | tenant
    stream             home | state (2) | freshness (2)
    place              line (32) | event (31): a line is before the events that came after it, they before the next line
    line block         build | number (32)
    cell               home | rollup (2) | kind (8) | actor (8) | state (2) | freshness (2) | horizon (2) | marks (3)

So rows of a tenant lie together in the order in which they were recorded, and "newest first" needs no index.
Strings in indexes are cut (`apps.facts.rules.cut`); exact bytes are read from the journal at `offset`.
"""

from django.db import models
from django.db.models import Q

from apps.facts.fields import RowId


class Build(models.Model):
    """One reading of one journal from its first line on; its cursor is `line` and `offset`."""

    class State(models.TextChoices):
        """A build is made beside the current one, takes its place, and is then removed.

        A prepared one is of a journal that has not taken the place of the one before yet.
        """

        PREPARED = "prepared"
        BUILDING = "building"
        CURRENT = "current"
        RETIRED = "retired"

    number = models.PositiveSmallIntegerField(primary_key=True)
    state = models.CharField(max_length=8, choices=State.choices)
    generation = models.PositiveIntegerField()
    instance_id = models.CharField(max_length=64, blank=True, default="")
    inode = models.CharField(max_length=40, blank=True, default="")
    head_length = models.PositiveIntegerField(default=0)
    head_digest = models.CharField(max_length=64, blank=True, default="")
    tail_digest = models.CharField(max_length=64, blank=True, default="")
    settings_digest = models.CharField(max_length=64)
    line = models.BigIntegerField(default=0)
    offset = models.BigIntegerField(default=0)
    facts = models.BigIntegerField(default=0)
    skipped = models.BigIntegerField(default=0)
    ignored = models.BigIntegerField(default=0)
    redundant = models.BigIntegerField(default=0)
    operations = models.JSONField(default=dict)
    started_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"build {self.number} at line {self.line}"


class IndexPointer(models.Model):
    """Which build answers; one row. The ledger is followed once, for all builds."""

    current = models.ForeignKey(Build, null=True, on_delete=models.SET_NULL)
    ledger_offset = models.BigIntegerField(default=0)
    ledger_events = models.BigIntegerField(default=0)
    ledger_instance_id = models.CharField(max_length=64, blank=True, default="")

    def __str__(self) -> str:
        return f"build {self.current_id}"


class TenantNumber(models.Model):
    """The number that stands for a tenant in row ids; given at first sight and never again."""

    number = models.PositiveSmallIntegerField(primary_key=True)
    name = models.TextField(unique=True)

    def __str__(self) -> str:
        return self.name


class Home(models.Model):
    """A tenant in a build, and the ordinal that its next fact gets."""

    number = RowId(primary_key=True)
    next_ordinal = models.BigIntegerField(default=1)

    def __str__(self) -> str:
        return str(self.number)


class IndexedFact(models.Model):
    """What filters, sorts and searches need of a fact, and where its own bytes stand in the journal."""

    id = RowId(primary_key=True)
    home = models.BigIntegerField()
    stream = models.BigIntegerField()
    cell = models.BigIntegerField()
    effective = models.FloatField()
    fact_id = models.TextField()
    op = models.CharField(max_length=24)
    line_no = models.BigIntegerField()
    offset = models.BigIntegerField()
    length = models.IntegerField()
    entity = models.TextField()
    key = models.TextField()
    owner = models.TextField(default="")
    actor = models.TextField(default="")
    import_id = models.TextField(default="")
    version = models.BigIntegerField()
    confidence = models.FloatField()
    stored_at_us = models.BigIntegerField()
    anchor_ms = models.BigIntegerField()
    stale_at_ms = models.BigIntegerField(null=True)
    due_at_ms = models.BigIntegerField(null=True)
    valid_from_us = models.BigIntegerField(null=True)
    valid_to_us = models.BigIntegerField(null=True)
    supersedes = models.TextField(null=True)  # noqa: DJ001 - empty text is an id too
    superseded_by = models.TextField(null=True)  # noqa: DJ001
    value_bytes = models.BigIntegerField()
    excerpt = models.TextField(null=True)  # noqa: DJ001 - only where reading the slice for a list would be dear
    search_text = models.TextField()

    class Meta:
        indexes = (
            # with what says from when a fact retires another, so that thousands of successors are looked up in it alone
            models.Index(fields=["fact_id", "home", "valid_from_us", "stored_at_us"], name="fact_by_id"),
            models.Index(fields=["home", "entity", "key"], name="fact_by_entity"),
            models.Index(fields=["home", "key"], name="fact_by_key"),
            models.Index(fields=["home", "stored_at_us"], name="fact_by_stored"),
            models.Index(fields=["stream", "effective"], name="fact_by_stream_effective"),
            models.Index(fields=["stream"], name="fact_by_stream"),
            models.Index(fields=["cell", "effective"], name="fact_by_cell_effective"),
            models.Index(fields=["cell"], name="fact_by_cell"),
            models.Index(fields=["due_at_ms"], name="fact_by_due", condition=Q(due_at_ms__isnull=False)),
            models.Index(
                fields=["home", "stale_at_ms"], name="fact_by_stale_at", condition=Q(stale_at_ms__isnull=False)
            ),
            models.Index(fields=["home", "import_id"], name="fact_by_import", condition=~Q(import_id="")),
        )

    def __str__(self) -> str:
        return self.fact_id


class Cell(models.Model):
    """How many facts share every facet value; sums over cells answer counts and facets."""

    id = RowId(primary_key=True)
    facts = models.BigIntegerField()

    def __str__(self) -> str:
        return f"{self.id}: {self.facts}"


class Label(models.Model):
    """The number that stands for a kind or an actor in cells; number 0 gathers what has none of its own."""

    home = models.BigIntegerField()
    dimension = models.CharField(max_length=5)
    number = models.PositiveSmallIntegerField()
    text = models.TextField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["home", "dimension", "text"], name="label_text"),
            models.UniqueConstraint(fields=["home", "dimension", "number"], name="label_number"),
        )

    def __str__(self) -> str:
        return self.text


class Name(models.Model):
    """A distinct entity or key of a tenant with how many facts carry it; `role` is e or k."""

    id = RowId(primary_key=True)
    home = models.BigIntegerField()
    role = models.CharField(max_length=1)
    text = models.TextField()
    search_text = models.TextField()
    kind = models.PositiveSmallIntegerField(default=0)
    facts = models.BigIntegerField()
    private = models.BigIntegerField()
    newest = models.BigIntegerField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["home", "role", "text"], name="name_text"),)
        indexes = (models.Index(fields=["home", "role", "kind", "text"], name="name_by_kind"),)

    def __str__(self) -> str:
        return self.text


class FactLine(models.Model):
    """A journal line after the first one that changed a fact."""

    fact = models.BigIntegerField()
    line_no = models.BigIntegerField()
    offset = models.BigIntegerField()
    length = models.IntegerField()
    op = models.CharField(max_length=24)

    class Meta:
        indexes = (
            models.Index(fields=["fact"], name="line_by_fact"),
            models.Index(fields=["fact", "line_no"], name="line_of_validity", condition=Q(op="set_validity")),
        )

    def __str__(self) -> str:
        return f"{self.op} at line {self.line_no}"


class Revision(models.Model):
    """What a line changed of a fact, as it was until then; `until` is the place of the change."""

    fact = models.BigIntegerField()
    until = models.BigIntegerField()
    state = models.PositiveSmallIntegerField()
    superseded_by = models.TextField(null=True)  # noqa: DJ001
    valid_from_us = models.BigIntegerField(null=True)
    valid_to_us = models.BigIntegerField(null=True)

    class Meta:
        indexes = (models.Index(fields=["fact", "until"], name="revision_by_fact"),)

    def __str__(self) -> str:
        return f"{self.fact} until {self.until}"


class SettingRevision(models.Model):
    """What an event changed of a fact's ageing, as it was until then."""

    fact = models.BigIntegerField()
    until = models.BigIntegerField()
    horizon = models.PositiveSmallIntegerField()
    anchor_ms = models.BigIntegerField()
    stale_at_ms = models.BigIntegerField(null=True)

    class Meta:
        indexes = (models.Index(fields=["fact", "until"], name="setting_by_fact"),)

    def __str__(self) -> str:
        return f"{self.fact} until {self.until}"


class LineBlock(models.Model):
    """256 lines of the journal: where they start, and the newest moment that one of them gives as its own."""

    id = RowId(primary_key=True)
    offset = models.BigIntegerField()
    newest_us = models.BigIntegerField(null=True)

    def __str__(self) -> str:
        return f"block {self.id}"


class LineNote(models.Model):
    """A line that changed nothing: skipped, ignored or redundant; the first ten thousand of each."""

    build = models.PositiveSmallIntegerField()
    sort = models.CharField(max_length=9)
    line_no = models.BigIntegerField()
    offset = models.BigIntegerField()
    length = models.BigIntegerField()
    reason = models.TextField()

    class Meta:
        indexes = (models.Index(fields=["build", "sort", "line_no"], name="note_by_sort"),)

    def __str__(self) -> str:
        return f"{self.sort} line {self.line_no}"


class Consolidation(models.Model):
    """Which facts a canonical one was merged from, as replay remembers it."""

    build = models.PositiveSmallIntegerField()
    canonical_id = models.TextField()
    source_ids = models.JSONField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["build", "canonical_id"], name="consolidation_canonical"),)

    def __str__(self) -> str:
        return self.canonical_id


class ForwardLink(models.Model):
    """A fact that is retired by one that is not in its tenant: not known yet, or of another tenant."""

    build = models.PositiveSmallIntegerField()
    target_id = models.TextField()
    fact = models.BigIntegerField()

    class Meta:
        indexes = (models.Index(fields=["build", "target_id"], name="link_by_target"),)

    def __str__(self) -> str:
        return f"{self.fact} to {self.target_id}"


class Hold(models.Model):
    """A legal hold as its facts say it now."""

    home = models.BigIntegerField()
    hold_id = models.TextField()
    is_active = models.BooleanField()
    entity_prefixes = models.JSONField()
    reason = models.TextField()
    placed_at = models.TextField()
    placed_by = models.TextField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["home", "hold_id"], name="hold_id"),)

    def __str__(self) -> str:
        return self.hold_id


class HoldSweep(models.Model):
    """Facts whose mark "held" is still to be set anew: those of a prefix, after an entity."""

    home = models.BigIntegerField()
    prefix = models.TextField()
    after_entity = models.TextField(default="")
    after_key = models.TextField(default="")
    after_id = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.prefix} after {self.after_entity}"


class LedgerEvent(models.Model):
    """An event of the ledger: it came after `lines` lines of a generation, and its own lines follow there."""

    seq = RowId(primary_key=True)
    event_id = models.TextField()
    at = models.DateTimeField()
    tenant = models.TextField()
    actor_kind = models.CharField(max_length=16)
    actor_id = models.TextField()
    action = models.CharField(max_length=40)
    outcome = models.TextField()
    code = models.TextField()
    offset = models.BigIntegerField()
    generation = models.PositiveIntegerField()
    lines = models.BigIntegerField()
    own_lines = models.PositiveIntegerField()

    class Meta:
        indexes = (
            models.Index(fields=["tenant", "action", "seq"], name="event_by_action"),
            models.Index(fields=["at"], name="event_by_time"),
            models.Index(fields=["generation", "lines"], name="event_by_line"),
            models.Index(fields=["actor_id", "seq"], name="event_by_actor"),
        )

    def __str__(self) -> str:
        return f"{self.seq} {self.action}"


class ReadableTime(models.Model):
    """How many events could be read so many milliseconds after they were written, or sooner; told to who watches us."""

    most_ms = RowId(primary_key=True)
    events = models.BigIntegerField()
    total_ms = models.BigIntegerField()

    def __str__(self) -> str:
        return f"{self.events} within {self.most_ms} ms"


class EventSubject(models.Model):
    """What an event is about: a fact, an import, a person."""

    subject = models.TextField()
    seq = models.BigIntegerField()

    class Meta:
        indexes = (models.Index(fields=["subject", "seq"], name="subject_events"),)

    def __str__(self) -> str:
        return f"{self.subject} in {self.seq}"


class FactSetting(models.Model):
    """What an event said of a fact that no line says: a horizon, or (without one) that it was verified again."""

    seq = RowId(primary_key=True)
    fact_id = models.TextField()
    horizon = models.CharField(max_length=8, blank=True, default="")

    class Meta:
        indexes = (models.Index(fields=["fact_id", "seq"], name="setting_by_fact_id"),)

    def __str__(self) -> str:
        return f"{self.fact_id} in {self.seq}"


class SavedView(models.Model):
    """A filter that a person keeps under a name, for themselves or for their tenant; ours alone, in no file."""

    tenant = models.TextField()
    person_id = models.CharField(max_length=40)
    name = models.CharField(max_length=80)
    query = models.TextField()
    is_shared = models.BooleanField(default=False)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["tenant", "person_id", "name"], name="view_name"),)

    def __str__(self) -> str:
        return self.name


class Upload(models.Model):
    """A file that somebody brought to be read, kept under its digest in the data folder; ours alone."""

    tenant = models.TextField()
    digest = models.CharField(max_length=64)
    file_name = models.TextField()
    size_bytes = models.BigIntegerField()
    uploaded_by = models.CharField(max_length=40)
    uploaded_at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["tenant", "digest"], name="upload_once"),)

    def __str__(self) -> str:
        return self.file_name
