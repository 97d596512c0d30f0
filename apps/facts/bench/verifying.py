"""A store of acts, each one event and one line, verified; and the same lines hashed and parsed."""

import hashlib
import time
from dataclasses import replace
from itertools import islice
from pathlib import Path

import orjson

from apps.accounts.actions import SYSTEM
from apps.facts.bench.journal import TENANTS, facts_to_store
from cruxstore.act import Act
from cruxstore.door import Store
from cruxstore.facts.privacy import PrivacyPolicy
from cruxstore.folder import Folder
from cruxstore.ledger.chain import new_event_id, place_after
from cruxstore.ledger.events import Action, decode_event, encode_event, leaf_hash
from cruxstore.newfacts import build_facts
from cruxstore.replayed import read_state
from cruxstore.verifying import Verdict, verify_folder

LOOKS = 3


def verify_events(root: Path, events: int) -> tuple[float, float]:
    """Seconds for verifying a store of so many events, and for its lines; the quickest of some, taking turns."""
    store = _filled(root / "data", events)
    ours, yardstick = [], []
    for _ in range(LOOKS):
        started = time.perf_counter()
        found = verify_folder(store.data_dir)
        ours.append(time.perf_counter() - started)
        if found.verdict != Verdict.INTACT or found.signed_events != events + 1:
            raise RuntimeError(f"the store of the bench does not verify: {found.trouble}")
        started = time.perf_counter()
        for path in (store.ledger_path, store.journal_path):
            _hash_and_parse(path)
        yardstick.append(time.perf_counter() - started)
    return min(ours), min(yardstick)


def _hash_and_parse(path: Path) -> None:
    with path.open("rb") as stream:
        for line in stream:
            hashlib.sha256(line).digest()
            orjson.loads(line)


def _filled(data_dir: Path, events: int) -> Store:
    """The files as so many acts would leave them, written at once: what is measured is reading them."""
    store = Store.open(data_dir, privacy=PrivacyPolicy())
    with store.writing() as door:
        door.adopt(SYSTEM)
    view, key = read_state(store), Folder(data_dir, journal=None).digest_key(1)
    line = store.ledger_path.read_bytes().removesuffix(b"\n")
    newest, tenant = decode_event(line), next(iter(TENANTS))
    with store.ledger_path.open("ab") as ledger, store.journal_path.open("ab") as journal:
        for new in islice(facts_to_store(2 * events), events):
            now_ns, place = time.time_ns(), place_after(newest)
            act = Act(SYSTEM, tenant, Action.FACT_STORED, now_ns=now_ns, place=place, name="")
            built = build_facts([new], tenant=tenant, now_ns=now_ns, view=view, privacy=store.privacy)
            act.add_facts(tuple(fact for fact, _ in built), key=key)
            event = act.event((built[0][0].fact_id,))
            newest = replace(event, seq=newest.seq + 1, event_id=new_event_id(), prev=leaf_hash(line))
            line = encode_event(newest)
            ledger.write(line + b"\n")
            journal.write(b"".join(text + b"\n" for text in act.lines))
    with store.writing():
        pass
    return store
