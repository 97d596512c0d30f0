"""Sign-ins, which are ours alone, and the people, tenants and roles that the ledger projects."""

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.db import models

from apps.accounts.rules import ROLE_WORDS, MailWhen, Role


class UserManager(BaseUserManager["User"]):
    """Makes sign-ins; Django's own commands use it too."""

    def create_user(self, username: str, password: str | None = None, **fields: object) -> "User":
        """A new sign-in with a usable password only where one is given."""
        user = self.model(username=username, **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user


class User(AbstractBaseUser, PermissionsMixin):
    """One way to sign in; what the person behind it may do stands in the ledger.

    `opened_by` is who last had a link to it in their hands, used at `opened_at`; empty without one. `mails` is when its
    person is mailed what waits for them, to `email`; of one person's sign-ins at most one says other than never.
    """

    username = models.CharField(max_length=150, unique=True)
    email = models.EmailField(blank=True, default="")
    person_id = models.CharField(max_length=40, db_index=True)
    opened_by = models.CharField(max_length=40, blank=True, default="")
    opened_at = models.DateTimeField(null=True)
    is_active = models.BooleanField(default=True)
    is_demo = models.BooleanField(default=False)
    time_zone = models.CharField(max_length=64, default="UTC")
    theme = models.CharField(max_length=8, blank=True, default="")
    has_keys = models.BooleanField(default=True)
    mails = models.CharField(max_length=8, default=MailWhen.NEVER.value)
    joined_at = models.DateTimeField(auto_now_add=True)

    objects = UserManager()

    USERNAME_FIELD = "username"

    def __str__(self) -> str:
        return self.username


class Person(models.Model):
    """Someone who may act; projected from `person.created`, the name from the ledger's texts.

    `same_as` is the person that this one turned out to be (`person.linked`): their sign-ins are that person's.
    """

    person_id = models.CharField(max_length=40, primary_key=True)
    name = models.CharField(max_length=200)
    same_as = models.CharField(max_length=40, blank=True, default="", db_index=True)

    def __str__(self) -> str:
        return self.name


class Confirmation(models.Model):
    """That a person is not who let them in, said by somebody else; projected from `person.confirmed`."""

    person_id = models.CharField(max_length=40)
    opener = models.CharField(max_length=40)
    confirmed_at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["person_id", "opener"], name="one_confirmation_per_opener"),)

    def __str__(self) -> str:
        return f"{self.person_id} is not {self.opener}"


class Tenant(models.Model):
    """A partition of the store; projected from `tenant.created` and what follows. The slug stands in addresses.

    `name` is what facts carry and never changes; `called` is what people call it, where that is something else.
    """

    number = models.PositiveIntegerField(primary_key=True)
    name = models.CharField(max_length=400, unique=True)
    slug = models.SlugField(max_length=80, unique=True)
    called = models.CharField(max_length=400, blank=True, default="")
    retired_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return self.name

    @property
    def title(self) -> str:
        """What pages call it."""
        return self.called or self.name


class RoleGrant(models.Model):
    """A role that a person has now; projected from `role.granted` and `role.revoked`."""

    person_id = models.CharField(max_length=40)
    tenant = models.CharField(max_length=400, blank=True)
    role = models.CharField(max_length=16, choices=[(role.value, ROLE_WORDS[role]) for role in Role])

    class Meta:
        constraints = (models.UniqueConstraint(fields=["person_id", "tenant", "role"], name="one_grant_per_role"),)

    def __str__(self) -> str:
        return f"{self.person_id} {self.role} {self.tenant}"


class RoleProposal(models.Model):
    """A role that one person wants to give and another has to approve; projected from `role.proposed` and what follows.

    `tenant` is where it was proposed; operator is given for the whole store all the same.
    """

    WAITING, APPROVED, REFUSED = "waiting", "approved", "refused"

    proposal_id = models.CharField(max_length=40, primary_key=True)
    number = models.PositiveIntegerField(unique=True)
    tenant = models.CharField(max_length=400)
    person_id = models.CharField(max_length=40)
    role = models.CharField(max_length=16)
    proposed_by = models.CharField(max_length=40)
    proposed_at = models.DateTimeField()
    state = models.CharField(max_length=10, default=WAITING)
    decided_by = models.CharField(max_length=40, blank=True, default="")
    decided_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"proposal {self.number}"


class OneTimeLink(models.Model):
    """A link that opens a sign-in once; of its secret only the digest is kept."""

    INVITATION, SECOND, RESET = "invitation", "second", "reset"

    digest = models.CharField(max_length=64, primary_key=True)
    kind = models.CharField(max_length=10)
    person_id = models.CharField(max_length=40)
    username = models.CharField(max_length=150, blank=True, default="")
    made_by = models.CharField(max_length=40)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.kind} for {self.person_id}"

    @property
    def link_id(self) -> str:
        """How the ledger names it: the beginning of the digest, which nobody can use."""
        return f"l_{self.digest[:32]}"


class Token(models.Model):
    """What a program may do in whose name; projected from `token.made` and `token.revoked`.

    A personal token has its person's roles; an agent's has what was given to it, in one tenant. One whose words were
    erased is revoked: what it was bound to is no longer known.
    """

    PERSONAL, AGENT = "personal", "agent"

    token_id = models.CharField(max_length=40, primary_key=True)
    kind = models.CharField(max_length=10)
    tenant = models.CharField(max_length=400, blank=True)
    person_id = models.CharField(max_length=40, blank=True, db_index=True)
    name = models.CharField(max_length=200)
    entity_prefix = models.CharField(max_length=400, blank=True)
    may_read = models.BooleanField(default=False)
    may_propose = models.BooleanField(default=False)
    is_tool = models.BooleanField(default=False)
    made_by = models.CharField(max_length=40)
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.kind} token {self.name}"


class TokenSecret(models.Model):
    """The digest by which a token is known, and when it was last used."""

    token_id = models.CharField(max_length=40, primary_key=True)
    digest = models.CharField(max_length=64)
    last_used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"secret of {self.token_id}"


class TokenReads(models.Model):
    """How often a token has read on one day (UTC); of what, nobody keeps."""

    token_id = models.CharField(max_length=40)
    day = models.DateField()
    reads = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["token_id", "day"], name="one_count_per_token_and_day"),)

    def __str__(self) -> str:
        return f"{self.reads} reads of {self.token_id} on {self.day}"


class OneTimeCode(models.Model):
    """A code that stands for a recent sign-in where there is no page; of it only the digest is kept."""

    digest = models.CharField(max_length=64, primary_key=True)
    person_id = models.CharField(max_length=40)
    expires_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"code for {self.person_id}"


class LedgerCursor(models.Model):
    """How far into the ledger this app's rows are caught up; one row."""

    offset = models.BigIntegerField(default=0)
    instance_id = models.CharField(max_length=40, blank=True, default="")

    def __str__(self) -> str:
        return f"ledger byte {self.offset}"
