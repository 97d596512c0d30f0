"""Who signs in to a demo folder; a folder that is not marked as a demo never lets these in."""

from dataclasses import dataclass

TENANTS = ("default", "acme")


@dataclass(frozen=True)
class DemoPerson:
    """A sign-in of the demo; roles are role names, and operator is for the whole store."""

    username: str
    name: str
    tenant: str
    roles: tuple[str, ...]

    @property
    def password(self) -> str:
        """The same for everyone: the user name followed by `-demo`."""
        return f"{self.username}-demo"


PEOPLE = (
    DemoPerson("curator", "Mara Lindqvist", "default", ("curator",)),
    DemoPerson("curator2", "Tomasz Brandt", "default", ("curator",)),
    DemoPerson("officer", "Priya Nair", "default", ("officer",)),
    DemoPerson("officer2", "Owen Castell", "default", ("officer",)),
    DemoPerson("admin", "Ilse de Wit", "default", ("admin", "operator")),
    DemoPerson("viewer", "Sunniva Aas", "default", ("viewer",)),
    DemoPerson("stranger", "Desmond Achterberg", "acme", ("curator",)),
)
