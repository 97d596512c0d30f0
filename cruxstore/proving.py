"""Checks a bundle for a stranger: offline, with nothing but Python, this package and `cryptography`."""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from cruxstore.errors import BundleError, NoteError, ProofError, SignatureError
from cruxstore.ledger.bundle import check_bundle, decode_bundle
from cruxstore.ledger.notes import PublicKey, read_key
from cruxstore.verification import Verdict


@dataclass(slots=True)
class BundleVerification:
    """What was found; events are numbered from 1, and `trouble` says what is wrong and where.

    Of a bundle of one `tenant`, `withheld` counts the events between its first and its last that are not shown.
    """

    verdict: Verdict = Verdict.INTACT
    trouble: str = ""
    events: int = 0
    first: int = 0
    last: int = 0
    covered: int = 0
    time: str = ""
    root: str = ""
    fingerprint: str = ""
    since: int = 0
    tenant: str = ""

    @property
    def withheld(self) -> int:
        """How many events between the first and the last are not shown."""
        return max(0, self.last - self.first + 1 - self.events) if self.first and self.last else 0

    def members(self) -> dict[str, object]:
        """All of it, for JSON."""
        return {**asdict(self), "withheld": self.withheld}

    def words(self) -> Iterator[str]:
        """All of it but the trouble, a line each."""
        signed = f"of {self.covered:,}, as signed with the event of {self.time}."
        if self.tenant:
            yield f"{self.events:,} events of the tenant {json.dumps(self.tenant)},"
            yield f"  from {self.first:,} to {self.last:,} {signed}"
            yield f"{self.withheld:,} more stand between them as hashes: whose they are is not shown."
        else:
            yield f"Events {self.first:,} to {self.last:,} {signed}"
        yield f"Signed by the key with the fingerprint {self.fingerprint}."
        if self.since:
            yield f"The ledger of {self.since:,} events is the beginning of this one."
        if self.verdict == Verdict.INTACT:
            yield "Intact."


def verify_bundle(path: Path, key: PublicKey) -> BundleVerification:
    """Checks a bundle against the key as it was noted elsewhere."""
    found = BundleVerification()
    try:
        bundle = decode_bundle(path.read_bytes())
        found.first, found.covered = bundle.events[0].seq if bundle.events else 0, bundle.checkpoint.events
        found.time, found.root = bundle.checkpoint.time, bundle.checkpoint.root.hex()
        found.fingerprint, found.tenant = bundle.key.fingerprint, bundle.tenant
        for found.last in check_bundle(bundle, key):
            found.events += 1
        found.since = bundle.earlier.events if bundle.earlier is not None else 0
    except ProofError as error:
        found.verdict, found.trouble = Verdict.BROKEN, str(error)
    except (BundleError, SignatureError) as error:
        found.verdict, found.trouble = Verdict.UNCHECKED, str(error)
    except OSError as error:
        found.verdict, found.trouble = Verdict.UNCHECKED, f"{path} cannot be read: {error.strerror}."
    return found


def main(arguments: Sequence[str]) -> int:
    """Runs `verify-bundle`; answers 0 where it is intact, 1 where it is broken, 2 where it could not be checked."""
    parser = argparse.ArgumentParser(prog="python -m cruxstore verify-bundle")
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--key", type=_key, required=True, metavar="PUB", help="the key as noted, or a file with it")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args(arguments)
    found = verify_bundle(options.file, options.key)
    print(json.dumps(found.members()) if options.json else "\n".join(found.words()))
    if found.trouble:
        broken = "Broken" if found.verdict == Verdict.BROKEN else "Could not check"
        print(f"cruxstore: {broken}. {found.trouble}", file=sys.stderr)
    return found.verdict.exit_code


def _key(text: str) -> PublicKey:
    try:
        return read_key(text)
    except NoteError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
