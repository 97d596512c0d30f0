"""Members of foreign records, found by the several names that makers give them."""

from collections.abc import Mapping, Sequence

import orjson

from apps.facts.formats.times import UnreadableTimeError, time_text, validity_end, validity_start
from apps.facts.formats.wording import excerpt
from cruxstore.facts.records import Horizon, Timestamp

MAX_EXTRA_BYTES = 2_000

Record = Mapping[str, object]


class UnusableFieldError(ValueError):
    """A member holds what its name does not allow; the text is a clause for people."""


def first(record: Record, names: Sequence[str]) -> object:
    """The first member of these names that holds anything; else None."""
    for name in names:
        value = record.get(name)
        if value is not None and value != "":
            return value
    return None


def first_text(record: Record, names: Sequence[str]) -> str | None:
    """The first member of these names that is a text with something in it; else None."""
    for name in names:
        value = record.get(name)
        if isinstance(value, str) and value:
            return value
    return None


def first_time(record: Record, names: Sequence[str]) -> str | None:
    """The first member of these names that gives a time, as the file spells it; else None."""
    return next((text for name in names if (text := time_text(record.get(name))) is not None), None)


def as_text(value: object) -> str:
    """A text as it is; any other JSON value as compact JSON."""
    return value if isinstance(value, str) else orjson.dumps(value).decode()


def confidence(value: object) -> float:
    """A confidence from 0 to 1; 1 where none is given."""
    if value is None or value == "":
        return 1.0
    try:
        number = float(value) if isinstance(value, int | float | str) and not isinstance(value, bool) else -1.0
    except (ValueError, OverflowError):
        number = -1.0
    if not 0.0 <= number <= 1.0:
        raise UnusableFieldError(f"confidence is not a number from 0 to 1 ({excerpt(as_text(value))})")
    return number


def horizon(value: object) -> Horizon | None:
    """A horizon class in any case; None where none is given."""
    if value is None or value == "":
        return None
    try:
        return Horizon(as_text(value).strip().casefold())
    except ValueError as error:
        known = ", ".join(Horizon)
        raise UnusableFieldError(f"horizon is none of {known} ({excerpt(as_text(value))})") from error


def flag(value: object) -> bool:
    """Whether a member says yes, as a boolean, a number or a word."""
    if isinstance(value, str):
        return value.strip().casefold() in {"true", "yes", "1"}
    return value is True or value == 1


def tags(value: object) -> tuple[str, ...]:
    """Tags from a list of texts or from one text with commas."""
    if isinstance(value, str):
        return tuple(tag.strip() for tag in value.split(",") if tag.strip())
    if isinstance(value, list):
        return tuple(tag for tag in value if isinstance(tag, str) and tag)
    return ()


def validity(
    record: Record, from_names: Sequence[str], to_names: Sequence[str]
) -> tuple[Timestamp | None, Timestamp | None]:
    """When a fact holds; a bound that cannot be read is no open bound but an error."""
    start, end = first(record, from_names), first(record, to_names)
    try:
        begins = validity_start(start)
    except UnreadableTimeError as error:
        raise UnusableFieldError(f"the start of validity is no time ({excerpt(as_text(start))})") from error
    try:
        ends = validity_end(end)
    except UnreadableTimeError as error:
        raise UnusableFieldError(f"the end of validity is no time ({excerpt(as_text(end))})") from error
    return begins, ends


def rest(record: Record, known: frozenset[str]) -> dict[str, object]:
    """The members beyond the known ones, where they are small; long lists such as embeddings are left out."""
    return {name: value for name, value in record.items() if name not in known and _is_kept(value)}


def _is_kept(value: object) -> bool:
    if value is None or value == "" or value == [] or value == {}:
        return False
    try:
        return len(orjson.dumps(value)) <= MAX_EXTRA_BYTES
    except (TypeError, orjson.JSONEncodeError):
        return False
