"""A bundle proves its events to whoever noted the key, with nothing else installed, and any byte changed is found."""

import random
import subprocess
import sys
from collections.abc import Container
from dataclasses import replace
from pathlib import Path

import orjson
import pytest

from cruxstore.__main__ import main
from cruxstore.door import Store
from cruxstore.errors import BundleError
from cruxstore.ledger.bundle import decode_bundle, encode_bundle
from cruxstore.ledger.bundling import make_bundle, make_tenant_bundle
from cruxstore.ledger.checkpoint import Slots
from cruxstore.ledger.events import Action
from cruxstore.ledger.notes import Checkpoint, PublicKey, encode_base64
from cruxstore.ledger.signing import SigningKey, named_key
from cruxstore.proving import BundleVerification, verify_bundle
from cruxstore.verification import Verdict
from tests.cruxstore.faults import EVERY_FAULT
from tests.cruxstore.stores import ANA, adopted_store, events_of, lead, put

STEP = 1 if EVERY_FAULT else 13
STRANGER = """
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("orjson", "blake3", "django", "celery"):
            raise ImportError(name)
sys.meta_path.insert(0, Missing())
from cruxstore.__main__ import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = adopted_store(tmp_path / "data")
    for value in ("Ana", "Ben", "Cem", "Dora", "Emil"):
        put(store, lead(value))
    return store


def newest_checkpoint(store: Store) -> Checkpoint:
    found = Slots(store.data_dir / "checkpoint").newest()
    assert found is not None
    return found


def first_key(store: Store) -> PublicKey:
    return named_key(events_of(store)[0])


def export(store: Store, path: Path, first: int, last: int, earlier: Checkpoint | None = None) -> bytes:
    bundle = make_bundle(store.ledger_path, newest_checkpoint(store), first=first, last=last, earlier=earlier)
    content = encode_bundle(bundle)
    path.write_bytes(content)
    return content


def rotate(store: Store) -> None:
    with store.writing() as door:
        door.rotate_key(ANA)


@pytest.mark.parametrize(("first", "last"), [(1, 6), (1, 1), (6, 6), (3, 5)])
def test_any_range_of_events_proves_itself(first: int, last: int, store: Store, tmp_path: Path) -> None:
    export(store, tmp_path / "bundle", first, last)

    found = verify_bundle(tmp_path / "bundle", first_key(store))

    assert (found.verdict, found.trouble) == (Verdict.INTACT, "")
    assert (found.first, found.last, found.events, found.covered) == (first, last, last - first + 1, 6)
    assert found.fingerprint == first_key(store).fingerprint


def test_an_older_checkpoint_is_shown_to_be_the_beginning(store: Store, tmp_path: Path) -> None:
    earlier = newest_checkpoint(store)
    put(store, lead("Fia"))
    export(store, tmp_path / "bundle", 7, 7, earlier)

    assert verify_bundle(tmp_path / "bundle", first_key(store)).since == 6

    bundle = decode_bundle((tmp_path / "bundle").read_bytes())
    (tmp_path / "bundle").write_bytes(encode_bundle(replace(bundle, consistency=bundle.consistency[:-1])))
    assert verify_bundle(tmp_path / "bundle", first_key(store)).verdict == Verdict.BROKEN


def test_the_noted_key_leads_to_the_ones_that_followed_it(store: Store, tmp_path: Path) -> None:
    first, earlier = first_key(store), newest_checkpoint(store)
    rotate(store)
    second = named_key(events_of(store)[-1])
    rotate(store)
    put(store, lead("Fia"))
    export(store, tmp_path / "bundle", 2, 9)

    for noted in (first, second):
        assert verify_bundle(tmp_path / "bundle", noted).verdict == Verdict.INTACT

    # a checkpoint from before the noted key proves nothing by it
    export(store, tmp_path / "bundle", 2, 9, earlier)
    assert verify_bundle(tmp_path / "bundle", first).verdict == Verdict.INTACT
    assert verify_bundle(tmp_path / "bundle", second).verdict == Verdict.UNCHECKED


def test_another_key_proves_nothing(store: Store, tmp_path: Path) -> None:
    export(store, tmp_path / "bundle", 1, 6)
    other = SigningKey.of_seed(first_key(store).name, bytes(32)).public

    found = verify_bundle(tmp_path / "bundle", other)

    assert (found.verdict, found.events) == (Verdict.UNCHECKED, 0)
    assert "never signed" in found.trouble


def test_a_forgers_bundle_proves_nothing_to_who_noted_the_key(store: Store, tmp_path: Path) -> None:
    forger = adopted_store(tmp_path / "forger")
    put(forger, lead("Ana"))
    export(forger, tmp_path / "bundle", 1, 2)

    assert verify_bundle(tmp_path / "bundle", first_key(forger)).verdict == Verdict.INTACT
    assert verify_bundle(tmp_path / "bundle", first_key(store)).verdict == Verdict.UNCHECKED


def check_every_change(content: bytes, key: PublicKey, path: Path) -> None:
    """A byte changed, taken out, put in or cut off at each place of a bundle that is intact."""

    def found(changed: bytes) -> BundleVerification:
        path.write_bytes(changed)
        return verify_bundle(path, key)

    assert found(content).verdict == Verdict.INTACT
    for place in range(random.randrange(STEP), len(content), STEP):
        changes = [
            content[:place] + bytes([content[place] ^ 1 << random.randrange(8)]) + content[place + 1 :],
            content[:place] + content[place + 1 :],
            content[:place] + bytes([random.randrange(256)]) + content[place:],
            content[:place],
        ]
        for changed in changes:
            if changed != content:
                result = found(changed)
                assert result.verdict != Verdict.INTACT, (place, changed)
                assert result.trouble


def test_any_byte_of_a_bundle_changed_taken_out_put_in_or_cut_off_is_found(store: Store, tmp_path: Path) -> None:
    earlier = newest_checkpoint(store)
    rotate(store)
    content = export(store, tmp_path / "bundle", 2, 4, earlier)

    check_every_change(content, first_key(store), tmp_path / "changed")


def test_a_line_that_was_changed_is_named(store: Store, tmp_path: Path) -> None:
    content = export(store, tmp_path / "bundle", 2, 4)
    for seq, event in enumerate(events_of(store)[1:4], 2):
        (tmp_path / "bundle").write_bytes(content.replace(event.event_id.encode(), b"e_" + b"0" * 32))

        found = verify_bundle(tmp_path / "bundle", first_key(store))

        assert found.verdict == Verdict.BROKEN
        assert found.trouble.startswith(f"Event {seq}:")


def test_lines_that_change_places_are_found(store: Store, tmp_path: Path) -> None:
    members = orjson.loads(export(store, tmp_path / "bundle", 2, 4))
    members["events"][0], members["events"][1] = members["events"][1], members["events"][0]
    (tmp_path / "bundle").write_bytes(orjson.dumps(members, option=orjson.OPT_SORT_KEYS) + b"\n")

    assert verify_bundle(tmp_path / "bundle", first_key(store)).verdict == Verdict.BROKEN


@pytest.fixture
def shared(store: Store) -> Store:
    """The store with events of another tenant and of the store itself in between, and a new key."""
    with store.writing() as door:
        door.record(ANA, "acme", Action.TENANT_CREATED, subjects=("acme-only",))
    rotate(store)
    put(store, lead("Fia"))
    with store.writing() as door:
        door.record(ANA, "acme", Action.IMPORT_STARTED, subjects=("acme-only",))
    put(store, lead("Gus"))
    return store


def export_tenants(
    store: Store, path: Path, tenant: str, events: Container[int] = range(1, 100), earlier: Checkpoint | None = None
) -> bytes:
    checkpoint = newest_checkpoint(store)
    bundle = make_tenant_bundle(store.ledger_path, checkpoint, tenant=tenant, events=events, earlier=earlier)
    content = encode_bundle(bundle)
    path.write_bytes(content)
    return content


def test_a_tenants_events_prove_themselves_without_a_line_of_anybody_else(shared: Store, tmp_path: Path) -> None:
    content = export_tenants(shared, tmp_path / "bundle", "default")

    found = verify_bundle(tmp_path / "bundle", first_key(shared))

    lines = shared.ledger_path.read_bytes().splitlines()
    own = {event.seq for event in events_of(shared) if event.tenant == "default"}
    assert (found.verdict, found.trouble, found.tenant) == (Verdict.INTACT, "", "default")
    assert (found.first, found.last, found.events) == (min(own), max(own), len(own))
    assert found.withheld == found.last - found.first + 1 - len(own) == 3
    shown = [event["line"].encode() for event in orjson.loads(content)["events"]]
    assert shown == [line for seq, line in enumerate(lines, 1) if seq in own]
    assert b"acme" not in content
    assert b"key.rotated" not in content
    assert b"store.adopted" not in content
    assert any("3 more stand between them as hashes" in words for words in found.words())


def test_a_tenant_bundle_of_some_events_holds_those_of_them_that_are_the_tenants(shared: Store, tmp_path: Path) -> None:
    export_tenants(shared, tmp_path / "bundle", "acme", {2, 7, 8, 10})

    found = verify_bundle(tmp_path / "bundle", first_key(shared))

    assert (found.verdict, found.first, found.last, found.events, found.withheld) == (Verdict.INTACT, 7, 10, 2, 2)
    with pytest.raises(BundleError, match="None of these events"):
        export_tenants(shared, tmp_path / "bundle", "acme", {2, 3})
    with pytest.raises(BundleError, match="needs one"):
        export_tenants(shared, tmp_path / "bundle", "")


def test_a_tenant_bundle_follows_the_keys_and_an_older_checkpoint(store: Store, tmp_path: Path) -> None:
    first, earlier = first_key(store), newest_checkpoint(store)
    rotate(store)
    second, between = named_key(events_of(store)[-1]), newest_checkpoint(store)
    rotate(store)
    put(store, lead("Fia"))

    export_tenants(store, tmp_path / "bundle", "default", earlier=earlier)
    assert verify_bundle(tmp_path / "bundle", first).since == earlier.events
    # a checkpoint from before the noted key proves nothing by it
    assert verify_bundle(tmp_path / "bundle", second).verdict == Verdict.UNCHECKED

    export_tenants(store, tmp_path / "bundle", "default", earlier=between)
    for noted in (first, second):
        found = verify_bundle(tmp_path / "bundle", noted)
        assert (found.verdict, found.since) == (Verdict.INTACT, between.events)
    other = SigningKey.of_seed(first.name, bytes(32)).public
    assert verify_bundle(tmp_path / "bundle", other).verdict == Verdict.UNCHECKED


@pytest.mark.parametrize("noted", [0, 1])
def test_any_byte_of_a_tenant_bundle_is_found(noted: int, shared: Store, tmp_path: Path) -> None:
    earlier = newest_checkpoint(shared)
    put(shared, lead("Hal"))
    key = [named_key(event) for event in events_of(shared) if event.key is not None][noted]

    content = export_tenants(shared, tmp_path / "bundle", "acme", earlier=earlier)

    check_every_change(content, key, tmp_path / "changed")


def test_events_that_change_places_or_come_twice_are_found(shared: Store, tmp_path: Path) -> None:
    export_tenants(shared, tmp_path / "bundle", "default")
    bundle = decode_bundle((tmp_path / "bundle").read_bytes())
    one, two, *others = bundle.events
    for events in ((two, one, *others), (one, one, *others), (replace(one, seq=two.seq), two, *others)):
        (tmp_path / "bundle").write_bytes(encode_bundle(replace(bundle, events=events)))

        assert verify_bundle(tmp_path / "bundle", first_key(shared)).verdict == Verdict.BROKEN


def test_a_line_of_another_tenant_is_not_taken_for_ones_own(shared: Store, tmp_path: Path) -> None:
    export_tenants(shared, tmp_path / "bundle", "default")
    bundle = decode_bundle((tmp_path / "bundle").read_bytes())
    (tmp_path / "bundle").write_bytes(encode_bundle(replace(bundle, tenant="acme")))

    found = verify_bundle(tmp_path / "bundle", first_key(shared))

    assert found.verdict == Verdict.BROKEN
    assert "another tenant" in found.trouble


def test_keys_that_do_not_sign_each_other_lead_nowhere(shared: Store, tmp_path: Path) -> None:
    export_tenants(shared, tmp_path / "bundle", "default")
    bundle = decode_bundle((tmp_path / "bundle").read_bytes())
    first, second = bundle.next_keys
    forged = SigningKey.of_seed(first.public.name, bytes(32))
    for next_keys in (
        (first,),
        (second, first),
        (replace(first, signature=second.signature), second),
        (first, replace(second, signature="")),
        (first, replace(second, public=forged.public)),
        (first, replace(second, signature=encode_base64(forged.sign_next(second.public)))),
    ):
        (tmp_path / "bundle").write_bytes(encode_bundle(replace(bundle, next_keys=next_keys)))

        assert verify_bundle(tmp_path / "bundle", first.public).verdict != Verdict.INTACT, next_keys


def test_an_earlier_checkpoint_of_another_ledger_is_not_exported(shared: Store, tmp_path: Path) -> None:
    other = adopted_store(tmp_path / "other")
    put(other, lead("Ana"))

    for tenants in (True, False):
        with pytest.raises(BundleError, match="is not the beginning"):
            if tenants:
                export_tenants(shared, tmp_path / "bundle", "default", earlier=newest_checkpoint(other))
            else:
                export(shared, tmp_path / "bundle", 1, 2, newest_checkpoint(other))


@pytest.mark.parametrize(("first", "last"), [(0, 1), (3, 2), (1, 7)])
def test_events_that_are_not_covered_cannot_be_exported(first: int, last: int, store: Store, tmp_path: Path) -> None:
    with pytest.raises(BundleError, match="covers the events 1 to 6"):
        export(store, tmp_path / "bundle", first, last)


def test_a_ledger_that_was_changed_is_not_exported(store: Store, tmp_path: Path) -> None:
    content = store.ledger_path.read_bytes()
    store.ledger_path.write_bytes(content.replace(b'"tenant":"default"', b'"tenant":"defaulT"', 1))

    with pytest.raises(BundleError, match="is not the one"):
        export(store, tmp_path / "bundle", 1, 2)


@pytest.mark.parametrize(
    "content", [b"", b"[]", b"{}", b'{"format":2}', b"\xff", b"null", b'{"format":1,"key":"x"}', b'{"format":2}']
)
def test_what_is_no_bundle_could_not_be_checked(content: bytes, store: Store, tmp_path: Path) -> None:
    (tmp_path / "bundle").write_bytes(content)

    assert verify_bundle(tmp_path / "bundle", first_key(store)).verdict == Verdict.UNCHECKED
    assert verify_bundle(tmp_path / "missing", first_key(store)).verdict == Verdict.UNCHECKED


def test_a_stranger_needs_only_python_the_package_and_cryptography(store: Store, tmp_path: Path) -> None:
    (tmp_path / "key").write_text(first_key(store).text + "\n")
    command = [sys.executable, "-c", STRANGER, "verify-bundle", str(tmp_path / "bundle"), "--key"]

    for tenant in ("", "default"):
        if tenant:
            export_tenants(store, tmp_path / "bundle", tenant)
        else:
            export(store, tmp_path / "bundle", 1, 6)
        ended = subprocess.run([*command, str(tmp_path / "key"), "--json"], capture_output=True, check=False)

        assert (ended.returncode, ended.stderr) == (0, b"")
        found = orjson.loads(ended.stdout)
        assert (found["verdict"], found["tenant"], found["withheld"]) == ("intact", tenant, 0)


def test_the_command_answers_0_1_and_2(store: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content, path = export(store, tmp_path / "bundle", 1, 6), tmp_path / "bundle"
    arguments = ["verify-bundle", str(path), "--key", first_key(store).text]

    assert main(arguments) == 0
    assert "Intact." in capsys.readouterr().out
    path.write_bytes(content.replace(events_of(store)[2].event_id.encode(), b"e_" + b"0" * 32))
    assert main(arguments) == 1
    assert "Broken. Event 3:" in capsys.readouterr().err
    path.write_bytes(content[:-9])
    assert main(arguments) == 2
    assert "Could not check." in capsys.readouterr().err
