"""The ledger's tree, the key that signs it, and the checkpoints that fix it; for the holder of the store's lock.

    opened       the tree's frontier comes from the newest slot that our key signed; only what came after is read
    appended     each event's hash is added to it; the first event of all, or of an older program's ledger, names a key
    let go       once a lock hold the root is signed and goes into a slot, without a sync

A ledger without a slot that our key signed is read from its start, and has to agree with every day's checkpoint.
"""

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from cruxstore.errors import CruxError, DiskRefusedError, KeyMissingError, SignatureError, StoreBrokenError
from cruxstore.ledger.chain import Chain, place_after
from cruxstore.ledger.checkpoint import Dailies, Slots, newest_of
from cruxstore.ledger.events import KEY_MARK, Event, NamedKey, decode_event
from cruxstore.ledger.notes import Checkpoint, encode_base64
from cruxstore.ledger.signing import Keys, SigningKey, named_key
from cruxstore.ledger.tree import Frontier, leaf_hash
from cruxstore.lines import find_line, line_ending_at, read_lines


class Vouching:
    """What a checkpoint has said stays true: what it covers is on the disk, and nothing in it can be changed unseen."""

    def __init__(self, data_dir: Path, chain: Chain) -> None:
        self.slots = Slots(data_dir / "checkpoint")
        self.dailies = Dailies(data_dir / "checkpoints")
        self.keys = Keys(data_dir / "keys")
        self._chain = chain
        self._tree: Frontier | None = None
        self._end = 0
        self._key: SigningKey | None = None
        self._latest: Checkpoint | None = None

    def forget(self) -> None:
        """Makes the next look begin at the slots again."""
        self._tree = None

    def append(self, event: Event, *, name: str) -> Event:
        """Adds an event behind the newest; where the ledger has no key yet, it names one, made under this name."""
        tree = self.catch_up()
        key = self._key
        if key is None:
            key = self._first_key(name)
            event = replace(event, key=NamedKey(key.public.text))
        written = self._chain.append_at_head(event)
        head, self._end = self._chain.head()
        tree.append(bytes.fromhex(head))
        self._key = key
        return written

    def rotate(self, event: Event) -> Event:
        """Adds an event that puts a new key in the place of the one so far, which signs the new one."""
        tree = self.catch_up()
        if self._key is None:
            raise KeyMissingError("The ledger has no key yet that could make way for another.")
        following = self._make_key(self._key.public.name)
        signature = encode_base64(self._key.sign_next(following.public))
        written = self._chain.append_at_head(replace(event, key=NamedKey(following.public.text, signature)))
        head, self._end = self._chain.head()
        tree.append(bytes.fromhex(head))
        self._key = following
        return written

    def vouch(self) -> None:
        """Signs that everything up to the newest event and its lines is on the disk; once it is settled.

        A ledger of an older program is left as it was vouched for, until its next event names a key.
        """
        newest, before = self._chain.newest(), self._latest
        with suppress(OSError):
            tree = self._caught_up()
            if newest is None or self._key is None or (before is not None and before.events == newest.seq):
                return
            self._latest = self._signed(newest, tree, self._key)
            self.slots.write(self._latest, tree)
            if before is not None and before.time[:10] < newest.time[:10]:
                self.dailies.keep(before)

    def start_anew(self, newest: Event) -> None:
        """Makes the newest event's checkpoint the only one, durably, and gives up what was vouched for beyond it."""
        self._tree = self._from_start()
        tree = self.catch_up()
        if self._key is None:
            raise KeyMissingError("The ledger names no key.")
        self._latest = self._signed(newest, tree, self._key)
        self.dailies.set_aside(newest.seq)
        self.slots.start_from(self._latest, tree)

    def catch_up(self) -> Frontier:
        """The tree of the whole ledger; reads what others have appended since the last look.

        KeyMissingError where the key that the ledger names is not in the folder.
        """
        self._chain.newest()
        return self._caught_up()

    def _caught_up(self) -> Frontier:
        """The same for a ledger that was looked at just now, or that only this process has written to since."""
        end = self._chain.head()[1] if self._chain.latest() is not None else 0
        tree = self._tree
        if tree is None or self._end > end:
            tree = self._begin(end)
        if self._end < end:
            # whatever this raises, the next look begins anew
            self._tree = None
            self._read_on(tree)
        self._tree = tree
        return tree

    def trouble(self) -> CruxError | None:
        """Why nothing may be signed: the ledger's key is missing, or the newest slot is not signed by it. No lock."""
        slot = newest_of(self.slots.read())
        checkpoint = slot.checkpoint if slot is not None else None
        try:
            if checkpoint is not None and checkpoint.note is not None:
                self._signer_of(checkpoint)
            elif (found := find_line(self._chain.file.path, KEY_MARK)) is not None:
                self.keys.get(named_key(decode_event(found[1])))
        except CruxError as error:
            return error
        return None

    def _begin(self, end: int) -> Frontier:
        """The tree as the newest slot has it, where that can be relied on; else an empty one."""
        self.slots.forget()
        slot = newest_of(self.slots.read())
        if slot is not None and (checkpoint := slot.checkpoint) is not None and slot.tree is not None:
            with suppress(KeyMissingError, StoreBrokenError):
                key = self._signer_of(checkpoint)
                ledger, after = self._chain.file.path, checkpoint.ledger_bytes
                if after <= end and leaf_hash(line_ending_at(ledger, after)).hex() == checkpoint.head:
                    self._end, self._key, self._latest = after, key, checkpoint
                    return slot.tree.copy()
        return self._from_start()

    def _from_start(self) -> Frontier:
        self._end, self._key, self._latest = 0, None, None
        return Frontier()

    def _read_on(self, tree: Frontier) -> None:
        path, named = self._chain.file.path, None
        known = {kept.events: kept for kept in self.dailies.read()} if self._end == 0 else {}
        for offset, line in read_lines(path, self._end):
            tree.append(leaf_hash(line))
            if KEY_MARK in line:
                named = named_key(decode_event(line))
            if tree.size in known and known[tree.size].root != tree.root():
                day = known[tree.size].time[:10]
                raise StoreBrokenError(f"{path.name} up to event {tree.size:,} is not what was signed on {day}.")
            self._end = offset + len(line) + 1
        if named is not None:
            self._key = self.keys.get(named)
        self.slots.forget()
        self._latest = self.slots.newest()

    def _signer_of(self, checkpoint: Checkpoint) -> SigningKey:
        if checkpoint.note is not None:
            for key in self.keys.all(checkpoint.origin):
                if any(by.key_id == key.public.key_id for by in checkpoint.note.signatures):
                    try:
                        checkpoint.note.check(key.public)
                    except SignatureError as error:
                        raise StoreBrokenError(
                            f"The checkpoint of event {checkpoint.events:,} is not signed by its key."
                        ) from error
                    return key
        raise KeyMissingError(f"The key that signed event {checkpoint.events:,} is missing from {self.keys.folder}.")

    def _signed(self, newest: Event, tree: Frontier, key: SigningKey) -> Checkpoint:
        (head, ledger_bytes), place, origin, root = (
            self._chain.head(),
            place_after(newest),
            key.public.name,
            tree.root(),
        )
        where = newest.seq, head, ledger_bytes, place.generation, place.bytes, origin, root, newest.time
        return Checkpoint(*where, key.sign(Checkpoint(*where).text))

    def _first_key(self, name: str) -> SigningKey:
        # one that is there already was made before its event could be written
        return next(self.keys.all(name), None) or self._make_key(name)

    def _make_key(self, name: str) -> SigningKey:
        try:
            return self.keys.make(name)
        except OSError as error:
            raise DiskRefusedError(f"The disk refused the ledger's key: {error.strerror}.") from error
