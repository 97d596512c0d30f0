"""The members of a JSON object, each read as the kind of value that it must be."""

from collections.abc import Mapping
from typing import Any

from cruxstore.errors import BadTimestampError, LineError
from cruxstore.facts.records import Timestamp
from cruxstore.facts.scan import JsonObject
from cruxstore.facts.times import parse_timestamp


class MemberError(Exception):
    """A member is missing or of the wrong kind; whoever knows its place makes a LineError of this."""

    def __init__(self, key: str, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.key = key
        self.code = code
        self.sentence = sentence

    def placed_in(self, scanned: JsonObject) -> LineError:
        """The same refusal with the byte of the member, or of its object when the member is missing."""
        places = (member.value_start for member in scanned.members if member.key == self.key)
        return LineError(self.code, self.sentence, next(places, scanned.start))


class Members:
    """An object's values by key; each reader raises MemberError when the value is missing or of another kind."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = values

    @classmethod
    def of(cls, scanned: JsonObject, known_keys: frozenset[str]) -> "Members":
        """The members of a scanned object; raises LineError when a known key is given twice."""
        values: dict[str, Any] = {}
        for member in scanned.members:
            if member.key in values and member.key in known_keys:
                raise LineError("duplicate_key", f"“{member.key}” is given twice.", member.start)
            values[member.key] = member.value
        return cls(values)

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def any(self, key: str) -> Any:
        """Whatever the value is."""
        if key not in self._values:
            raise MemberError(key, "missing_key", f"“{key}” is missing.")
        return self._values[key]

    def text(self, key: str) -> str:
        """A text."""
        value = self.any(key)
        if type(value) is not str:
            raise wrong_kind(key, "a text")
        return value

    def text_or_none(self, key: str) -> str | None:
        """A text, or None when it is absent or null."""
        return None if self._values.get(key) is None else self.text(key)

    def flag(self, key: str) -> bool:
        """True or false."""
        value = self.any(key)
        if type(value) is not bool:
            raise wrong_kind(key, "true or false")
        return value

    def count(self, key: str, most: int) -> int:
        """A whole number from 0 up."""
        value = self.any(key)
        if type(value) is not int or not 0 <= value <= most:
            raise wrong_kind(key, f"a whole number from 0 to {most}")
        return value

    def number(self, key: str) -> float:
        """A number, whole or not."""
        value = self.any(key)
        if type(value) is not float and type(value) is not int:
            raise wrong_kind(key, "a number")
        return float(value)

    def list(self, key: str) -> list[Any]:
        """A list of whatever."""
        value = self.any(key)
        if type(value) is not list:
            raise wrong_kind(key, "a list")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts."""
        values = self.list(key)
        if not all(type(value) is str for value in values):
            raise wrong_kind(key, "a list of texts")
        return tuple(values)

    def time(self, key: str) -> Timestamp:
        """A text that names an instant."""
        try:
            return parse_timestamp(self.text(key))
        except BadTimestampError as error:
            raise MemberError(key, "bad_timestamp", f"“{key}”: {error}") from None

    def time_or_none(self, key: str) -> Timestamp | None:
        """A text that names an instant, or None when it is absent or null."""
        return None if self._values.get(key) is None else self.time(key)


def wrong_kind(key: str, wanted: str) -> MemberError:
    """The refusal of a value that is not what it must be."""
    return MemberError(key, "wrong_type", f"“{key}” must be {wanted}.")
