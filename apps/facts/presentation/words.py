"""Numbers, sizes, ages and confidences as the console writes them."""

import math

FORMATS = {
    "crux": "Crux journal",
    "mcp-memory": "MCP memory server, JSONL",
    "mcp-memory-rows": "MCP memory server, one statement a line",
    "mcp-memory-document": "MCP memory server, one JSON document",
    "zep": "Zep facts",
    "openmemory": "OpenMemory export",
    "mem0": "mem0 export",
    "mem0-markdown": "mem0, Markdown",
    "facts-jsonl": "JSONL of entity, key, value",
    "facts-csv": "CSV of entity, key, value",
    "markdown-notes": "Markdown notes",
    "conversation-log": "Conversation log",
    "run-log": "Run log",
}
"""Memory formats as pages call them."""

_SECOND = 1_000_000_000
_MINUTE = 60 * _SECOND
_HOUR = 60 * _MINUTE
_DAY = 24 * _HOUR


def grouped(number: int) -> str:
    """1204877 as 1,204,877."""
    return f"{number:,}"


def plural(number: int, one: str, many: str = "") -> str:
    """1 fact, 2 facts; the second form only where it is not the first with an s."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def size(count: int) -> str:
    """Bytes up to a thousand as they are, then in a unit with the exact number beside it."""
    if count < 1000:
        return plural(count, "byte")
    for unit, factor in (("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000)):
        if count >= factor:
            return f"{count / factor:.1f} {unit}"
    raise AssertionError(count)


def confidence(value: float) -> str:
    """At least two decimals, at most three: 0.90, 0.475."""
    if math.isnan(value):
        return "not a number"
    if math.isinf(value):
        return "infinite" if value > 0 else "minus infinite"
    if abs(value) >= 1000:
        return f"{value:.3g}"
    text = f"{value:.3f}"
    return text[:-1] if text.endswith("0") else text


def percent(value: float) -> str:
    """A share of one as a width within a drawing, held between 0 and 100."""
    if not math.isfinite(value):
        return "100" if value > 0 else "0"
    return f"{min(max(value, 0.0), 1.0) * 100:.4g}"


def age(nanoseconds: int) -> str:
    """The two largest units that are not nothing: 52 d 19 h, 23 h 29 min, 12 s."""
    left = abs(nanoseconds)
    if left < _MINUTE:
        return f"{left // _SECOND} s"
    days, left = divmod(left, _DAY)
    hours, left = divmod(left, _HOUR)
    minutes, left = divmod(left, _MINUTE)
    parts = [f"{count} {unit}" for count, unit in ((days, "d"), (hours, "h"), (minutes, "min")) if count]
    if days and not hours:
        return parts[0]
    return " ".join(parts[:2])
