"""A key is made once, kept to its owner alone, and handed over by a signature."""

from pathlib import Path

import pytest

from cruxstore.errors import KeyMissingError, SignatureError
from cruxstore.ledger.notes import rotation_text
from cruxstore.ledger.signing import Keys

NAME = "cruxweb/s_01"


@pytest.fixture
def keys(tmp_path: Path) -> Keys:
    return Keys(tmp_path / "keys")


def test_a_key_that_was_made_is_found_again_and_only_its_owner_may_read_it(keys: Keys) -> None:
    made = keys.make(NAME)

    assert [key.public for key in Keys(keys.folder).all(NAME)] == [made.public]
    assert keys.get(made.public).sign("a\n") == made.sign("a\n")
    assert keys.path_of(made.public).stat().st_mode & 0o777 == 0o600
    assert keys.folder.stat().st_mode & 0o777 == 0o700


def test_two_keys_that_are_made_differ(keys: Keys) -> None:
    assert keys.make(NAME).public != keys.make(NAME).public
    assert len(list(keys.all(NAME))) == 2


def test_a_key_that_is_not_there_is_missing(keys: Keys) -> None:
    made, other = keys.make(NAME), keys.make(NAME)
    keys.path_of(made.public).unlink()

    assert keys.find(made.public) is None
    with pytest.raises(KeyMissingError, match="is missing"):
        keys.get(made.public)
    keys.path_of(made.public).write_bytes(keys.path_of(other.public).read_bytes())
    assert keys.find(made.public) is None


@pytest.mark.parametrize("content", ["", "not hexadecimal", "00"])
def test_a_file_that_holds_no_key_is_missing_too(content: str, keys: Keys) -> None:
    made = keys.make(NAME)
    keys.path_of(made.public).write_text(content)

    with pytest.raises(KeyMissingError, match="is not a key"):
        keys.get(made.public)


def test_a_key_hands_over_to_one_other(keys: Keys) -> None:
    first, second, third = (keys.make(NAME) for _ in range(3))
    signature = first.sign_next(second.public)

    first.public.check(signature, rotation_text(first.public, second.public))

    with pytest.raises(SignatureError):
        first.public.check(signature, rotation_text(first.public, third.public))
    with pytest.raises(SignatureError):
        third.public.check(signature, rotation_text(first.public, second.public))


def test_a_key_shows_nothing_of_itself(keys: Keys) -> None:
    made = keys.make(NAME)

    assert keys.path_of(made.public).read_text().strip() not in repr(made)
