"""Messages through files, whole or not at all: kombu's own transport lets a reader take one that is being written.

A message, and the table of queues, is written under another name and put in place; one that cannot be read all the same
(a machine that lost power) is let go, for the patrol sends it again.
"""

import fcntl
import time
import uuid
from pathlib import Path
from queue import Empty
from typing import Any

from kombu.transport import TRANSPORT_ALIASES, filesystem
from kombu.utils.json import dumps

NAME = "cruxfiles"
"""How a broker's address names this transport."""


class Channel(filesystem.Channel):  # type: ignore[misc]  # kombu ships no types
    """Puts files in place at once."""

    def _put(self, queue: str, payload: Any, **options: Any) -> None:
        name = f"{time.monotonic_ns() // 1_000_000}_{uuid.uuid4()}.{queue}.msg"
        _place(Path(self.data_folder_out) / name, payload)

    def _get(self, queue: str) -> Any:
        try:
            return super()._get(queue)
        except ValueError as error:
            raise Empty from error

    def _queue_bind(self, exchange: str, routing_key: str | None, pattern: str | None, queue: str | None) -> None:
        file = self._exchange_file(exchange)
        bound = filesystem.exchange_queue_t(routing_key or "", pattern or "", queue or "")
        self.control_folder.mkdir(parents=True, exist_ok=True)
        with (self.control_folder / "binding.lock").open("wb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            table = self.get_table(exchange)
            if bound not in table:
                _place(file, [bound, *table])


class Transport(filesystem.Transport):  # type: ignore[misc]  # kombu ships no types
    """The transport of the embedded site."""

    Channel = Channel


TRANSPORT_ALIASES[NAME] = "apps.jobs.messages:Transport"


def _place(file: Path, content: Any) -> None:
    draft = file.with_name(f"{file.name}.{uuid.uuid4()}.draft")
    draft.write_text(dumps(content))
    draft.replace(file)
