"""What scans found: numbers and ids alone, made anew at will; and how far each scan has come."""

from django.db import models

from apps.review.rules import Kind


class Finding(models.Model):
    """Two facts that a scan puts side by side, or one that may go; `first_id` is the older one.

    It holds no text: what a page says of it is read from the facts as they are then.
    """

    number = models.BigAutoField(primary_key=True)
    tenant = models.TextField()
    kind = models.CharField(max_length=16, choices=[(kind.value, kind.value) for kind in Kind])
    detector = models.CharField(max_length=24)
    first_id = models.TextField()
    second_id = models.TextField(blank=True, default="")
    found_at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["tenant", "first_id", "second_id"], name="finding_of_pair"),)
        indexes = (
            models.Index(fields=["tenant", "kind", "number"], name="finding_by_kind"),
            models.Index(fields=["tenant", "second_id"], name="finding_by_second"),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.number}"


class ScanState(models.Model):
    """Up to which line a tenant's facts have been scanned by what; `rules` is the version of what scanned them."""

    tenant = models.TextField()
    scan = models.CharField(max_length=16)
    rules = models.PositiveIntegerField()
    generation = models.PositiveIntegerField()
    lines = models.BigIntegerField()
    ended_at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["tenant", "scan"], name="scan_of_tenant"),)

    def __str__(self) -> str:
        return f"{self.scan} up to line {self.lines}"


class Signature(models.Model):
    """The MinHash of a fact's value: `hashes` are 64 numbers of 4 bytes."""

    number = models.BigAutoField(primary_key=True)
    tenant = models.TextField()
    fact_id = models.TextField()
    hashes = models.BinaryField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["tenant", "fact_id"], name="signature_of_fact"),)

    def __str__(self) -> str:
        return self.fact_id


class SignatureBand(models.Model):
    """The newest signatures that share one of their eight parts: `members` are their numbers of 8 bytes each."""

    band = models.BigIntegerField(primary_key=True)
    members = models.BinaryField()

    def __str__(self) -> str:
        return f"band {self.band}"
