"""Messages through files are whole or not there, however many write and read at once."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from queue import Empty
from threading import Thread

import pytest
from kombu import Connection

from apps.jobs.messages import NAME, Channel

WRITERS = 4
MESSAGES = 200


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "messages").mkdir()
    return tmp_path


def open_channel(folder: Path) -> Channel:
    options = {
        "data_folder_in": str(folder / "messages"),
        "data_folder_out": str(folder / "messages"),
        "control_folder": str(folder / "queues"),
    }
    channel: Channel = Connection(f"{NAME}://localhost//", transport_options=options).channel()
    return channel


@pytest.fixture
def channel(folder: Path) -> Iterator[Channel]:
    opened = open_channel(folder)
    yield opened
    opened.close()


def test_many_writers_and_readers_at_once_pass_every_message_once(folder: Path) -> None:
    taken: Counter[int] = Counter()
    faults: list[BaseException] = []

    def write(first: int) -> None:
        channel = open_channel(folder)
        for number in range(first, first + MESSAGES):
            channel._put("long", {"number": number})

    def read() -> None:
        channel = open_channel(folder)
        try:
            while sum(taken.values()) < WRITERS * MESSAGES:
                try:
                    taken[channel._get("long")["number"]] += 1
                except Empty:
                    continue
        except BaseException as error:
            faults.append(error)

    threads = [Thread(target=write, args=(MESSAGES * number,)) for number in range(WRITERS)]
    threads += [Thread(target=read, daemon=True) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)

    assert faults == []
    assert taken == Counter(range(WRITERS * MESSAGES))


def test_many_that_bind_queues_at_once_lose_none(folder: Path) -> None:
    def bind(number: int) -> None:
        open_channel(folder)._queue_bind("wake", f"key{number}", None, f"queue{number}")

    threads = [Thread(target=bind, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)

    assert {bound.queue for bound in open_channel(folder).get_table("wake")} == {
        f"queue{number}" for number in range(20)
    }


@pytest.mark.parametrize("content", [b"", b"{", b"\xff"], ids=["empty", "cut", "no text"])
def test_a_message_that_cannot_be_read_is_let_go(folder: Path, channel: Channel, content: bytes) -> None:
    (folder / "messages" / "1_spoiled.long.msg").write_bytes(content)
    channel._put("long", {"number": 7})

    with pytest.raises(Empty):
        channel._get("long")

    assert channel._get("long") == {"number": 7}
