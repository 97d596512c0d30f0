"""A legal hold as the daemon would write it."""

import orjson

from cruxstore.door import Store
from cruxstore.facts.codec import encode_operation
from cruxstore.facts.records import Fact
from cruxstore.facts.records import Store as StoreOne
from cruxstore.facts.times import parse_timestamp

PLACED_AT = "2026-11-01T00:00:00Z"


def place_hold(store: Store, *prefixes: str, hold_id: str = "H-3") -> None:
    """Adds a line with an active hold of default over entities that start so."""
    record = {
        "schema": "crux.legal_hold.v1",
        "hold_id": hold_id,
        "tenant_id": "default",
        "entity_prefixes": prefixes,
        "reason": "M-2026-014",
        "placed_at": PLACED_AT,
        "placed_by": "officer",
        "place_receipt_id": "r-1",
    }
    fact = Fact(
        fact_id=f"f_{'0' * 31}1",
        tenant_hash="default",
        entity=f"__legal_hold__::{hold_id}",
        key="state",
        value=orjson.dumps(record).decode(),
        source_receipt=None,
        confidence=1.0,
        stored_at=parse_timestamp(PLACED_AT),
        tokens=1,
        private=True,
    )
    with store.journal_path.open("ab") as journal:
        journal.write(encode_operation(StoreOne(fact)) + b"\n")
