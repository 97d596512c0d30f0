"""OpenMemory backups are read from either member or both, within limits, and nothing deleted comes back."""

import gzip
import io
import zipfile

import pytest

from apps.facts.formats import MemoryNotRecognisedError, Reading, read_memory
from apps.facts.formats.archive import unpack_gzip, unpack_zip
from tests.facts.formats.samples import SAMPLES, fact_with, read_sample, stated

LINES = (SAMPLES / "openmemory.jsonl").read_bytes()
DOCUMENT = (SAMPLES / "openmemory.json").read_bytes()


def zip_of(**members: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name.replace("_", "."), content)
    return packed.getvalue()


def read_backup(data: bytes) -> Reading:
    return read_memory(data, file_name="backup.zip")


def test_a_backup_gives_each_memory_once_with_the_subject_of_its_user() -> None:
    reading = read_backup(zip_of(memories_json=DOCUMENT, memories_jsonl_gz=gzip.compress(LINES)))

    assert reading.format == "openmemory"
    assert stated(reading) == [("tove", "Works night shifts"), ("tove", "Speaks Danish")]
    assert reading.duplicates == ()


def test_deleted_and_archived_memories_are_counted_and_never_current() -> None:
    reading = read_backup(zip_of(memories_json=DOCUMENT, memories_jsonl_gz=gzip.compress(LINES)))

    assert [(fact.value, fact.extra["state"]) for fact in reading.retracted] == [
        ("Works day shifts", "deleted"),
        ("Collects maps", "archived"),
    ]
    assert reading.retracted[0].extra["state_changed_at"] == "2026-02-01T22:09:00+00:00"
    assert [ignored.count for ignored in reading.ignored] == [1, 1]


def test_the_user_of_a_backup_is_not_copied() -> None:
    reading = read_backup(zip_of(memories_json=DOCUMENT))

    assert "harbour.example" not in repr(reading)
    assert "Tove Holm" not in repr(reading)


def test_a_subject_that_is_an_address_is_not_taken() -> None:
    reading = read_memory(DOCUMENT.replace(b'"tove"', b'"tove@harbour.example"'), file_name="memories.json")

    assert {fact.entity for fact in reading.facts} == {"memory"}


def test_the_document_alone_gives_apps_and_categories_by_name() -> None:
    fact = fact_with(read_sample("openmemory.json"), "Speaks Danish")

    assert fact.actor == "desk-notes"
    assert fact.tags == ("language",)


def test_the_lines_alone_are_read_packed_or_not() -> None:
    packed = read_memory(gzip.compress(LINES), file_name="memories.jsonl.gz")

    assert stated(packed) == stated(read_sample("openmemory.jsonl")) == [("memory", "Works night shifts")]


def test_a_zip_of_other_files_is_refused_with_their_names() -> None:
    with pytest.raises(MemoryNotRecognisedError, match=r"holds “notes\.txt”, and none of them"):
        read_backup(zip_of(notes_txt=b"hello"))


@pytest.mark.parametrize("cut", [10, 40, 200])
def test_a_damaged_zip_is_refused(cut: int) -> None:
    packed = zip_of(memories_json=DOCUMENT)

    with pytest.raises(MemoryNotRecognisedError, match="damaged"):
        read_backup(packed[:cut])


def test_what_unpacks_beyond_the_limit_is_refused() -> None:
    bomb = zip_of(memories_json=b" " * 5_000_000)
    nested = zip_of(memories_jsonl_gz=gzip.compress(b" " * 5_000_000))

    for packed in (bomb, nested):
        with pytest.raises(MemoryNotRecognisedError, match="unpacks to more than 1 MiB"):
            unpack_zip(packed, limit=1024 * 1024)
    with pytest.raises(MemoryNotRecognisedError, match="unpacks to more than 1 MiB"):
        unpack_gzip(gzip.compress(b" " * 5_000_000), limit=1024 * 1024)


def test_a_gzip_that_is_cut_off_is_refused() -> None:
    with pytest.raises(MemoryNotRecognisedError, match="cut off"):
        read_memory(gzip.compress(LINES)[:60], file_name="memories.jsonl.gz")
