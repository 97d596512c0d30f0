"""Long work: one row a job, which is the queue and what people see of it; and what waits for whom."""

from django.db import models

from apps.jobs.rules import JobState, Lane


class Job(models.Model):
    """One piece of long work; its arguments and counts hold ids and numbers, never a fact's text.

    `wait_until` holds it back after a fault that may pass; `first_error` is what the first such fault was.
    """

    number = models.BigAutoField(primary_key=True)
    kind = models.CharField(max_length=64)
    title = models.CharField(max_length=200)
    lane = models.CharField(max_length=8, choices=[(lane.value, lane.value) for lane in Lane])
    tenant = models.CharField(max_length=400, blank=True, default="")
    started_by = models.CharField(max_length=80)
    state = models.CharField(
        max_length=12, choices=[(state.value, state.value) for state in JobState], default=JobState.QUEUED.value
    )
    arguments = models.JSONField(default=dict)
    checkpoint = models.JSONField(default=dict)
    done = models.BigIntegerField(default=0)
    done_before = models.BigIntegerField(default=0)
    total = models.BigIntegerField(default=0)
    unit = models.CharField(max_length=20, blank=True, default="")
    counts = models.JSONField(default=dict)
    error = models.TextField(blank=True, default="")
    first_error = models.TextField(blank=True, default="")
    attempts = models.PositiveSmallIntegerField(default=0)
    claim = models.CharField(max_length=40, blank=True, default="")
    is_cancel_asked = models.BooleanField(default=False)
    queued_at = models.DateTimeField()
    wait_until = models.DateTimeField(null=True)
    started_at = models.DateTimeField(null=True)
    heartbeat_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["kind", "tenant"],
                condition=models.Q(state=JobState.RUNNING.value),
                name="one_running_per_kind_and_tenant",
            ),
        )
        indexes = (models.Index(fields=["state", "lane", "number"], name="job_queue"),)

    def __str__(self) -> str:
        return f"J-{self.number}"


class Turn(models.Model):
    """How something of the timetable went last, by its name; of what is due daily, up to when it has been started."""

    name = models.CharField(max_length=64, primary_key=True)
    due_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    error = models.TextField(blank=True, default="")

    def __str__(self) -> str:
        return self.name


class Notice(models.Model):
    """That something waits for a person: `subject` is our number for it, never a word of anybody's.

    It stands until it has ended; `since_at` is when what it says began. Nothing of it is in any file. While
    `mailing_until` lies ahead, somebody is about to mail it.
    """

    number = models.BigAutoField(primary_key=True)
    person_id = models.CharField(max_length=40)
    kind = models.CharField(max_length=24)
    subject = models.CharField(max_length=40)
    tenant = models.CharField(max_length=400, blank=True, default="")
    address = models.CharField(max_length=500)
    since_at = models.DateTimeField()
    made_at = models.DateTimeField()
    seen_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    mailed_at = models.DateTimeField(null=True)
    mailing_until = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["person_id", "kind", "subject", "tenant"],
                condition=models.Q(ended_at=None),
                name="one_standing_notice",
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.subject}"
