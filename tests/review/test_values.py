"""The value that a scan reads is the folded value of the fact, whatever its names are like."""

import pytest

from apps.facts.rules import SEARCHED_BYTES, cut, fold, search_text, value_part


@pytest.mark.parametrize("entity", ["service:checkout", "Straße", "two\nlines", "ﬁne", "x" * 500, ""])
@pytest.mark.parametrize("key", ["gate", "line\nbreak", "ключ", ""])
@pytest.mark.parametrize("value", ["Yes", "a\nb\n", "ΑΣ", "", "e\u0301", "v" * (SEARCHED_BYTES + 10)])
def test_the_value_within_a_search_text_is_the_folded_value(entity: str, key: str, value: str) -> None:
    text = search_text(entity, key, value)

    assert value_part(text, cut(entity), cut(key)) == fold(value[:SEARCHED_BYTES])
