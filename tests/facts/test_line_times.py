"""What a line gives as its own moment is what the format's own reading of its text gives."""

import pytest

from apps.facts.projector.line_times import stamp_of
from cruxstore.errors import BadTimestampError
from cruxstore.facts.records import Delete
from cruxstore.facts.times import parse_timestamp


@pytest.mark.parametrize(
    "text",
    [
        "2026-11-30T09:00:00+00:00",
        "2026-11-30T09:00:00.5Z",
        "1969-12-31T23:59:59.123456Z",
        "2026-11-30T09:00:00.1234567Z",
        "2026-11-30T11:00:00+02:00",
        "2026-12-31T23:59:60Z",
        "0000-01-01T00:00:00Z",
        "9999-12-31T23:59:59.999999+00:00",
        "2026-02-30T00:00:00Z",
        "2026-11-30T24:00:00Z",
        "2026-11-30",
        "x",
    ],
)
def test_a_stamp_is_read_as_the_format_reads_it(text: str) -> None:
    try:
        expected: int | None = parse_timestamp(text).ns // 1000
    except BadTimestampError:
        expected = None

    assert stamp_of(Delete("f_1", deleted_at=text)) == expected
