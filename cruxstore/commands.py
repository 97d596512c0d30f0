"""The command line of the store: looks into a journal or a data folder and never changes it."""

import argparse
import gc
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import orjson

from cruxstore.errors import (
    BadTimestampError,
    CompactionRefusedError,
    CruxError,
    HeldError,
    NoteError,
    UnwritableFileError,
)
from cruxstore.facts.codec import encode_fact
from cruxstore.facts.compaction import compacted_lines, compaction_report, refuse_compaction
from cruxstore.facts.decay import DecayPolicy, reckon
from cruxstore.facts.drafts import write_rewrite
from cruxstore.facts.holds import resolve_holds
from cruxstore.facts.journal import Replay, replay_journal
from cruxstore.facts.privacy import PrivacyPolicy
from cruxstore.facts.records import Fact, Timestamp
from cruxstore.facts.times import parse_timestamp
from cruxstore.ledger.checkpoint import read_checkpoint
from cruxstore.ledger.notes import PublicKey, read_key
from cruxstore.verifying import Verdict, Verification, verify_folder

EXIT_FINE = 0
EXIT_FOUND = 1
EXIT_FAILED = 2
EXIT_INTERRUPTED = 130
EXIT_BROKEN_PIPE = 141


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; answers 0 when all is well, 1 when it found or refused something, 2 when it could not look."""
    options = _parser().parse_args(arguments)
    # a replay makes millions of values and no cycles, which the collector would look for again and again
    gc.disable()
    try:
        status: int = options.command(options)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        # the interpreter flushes once more on its way out, which must not fail again
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_BROKEN_PIPE
    except CruxError as error:
        _complain(str(error))
        return EXIT_FAILED
    except OSError as error:
        _complain(f"The output cannot be written: {error.strerror or error}.")
        return EXIT_FAILED
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    finally:
        gc.enable()
    return status


def _state(options: argparse.Namespace) -> int:
    replay = _replay(options.journal)
    facts = replay.state.facts
    _print(encode_fact(facts[fact_id]) for fact_id in sorted(facts))
    skipped = replay.skipped
    _print_json(
        {
            "skipped": [[line.number, line.reason.sentence] for line in skipped],
            "torn_tail_bytes": replay.torn_tail_bytes,
        }
    )
    return EXIT_FOUND if skipped or replay.torn_tail_bytes else EXIT_FINE


def _compact(options: argparse.Namespace) -> int:
    out: Path = options.out
    replay = _replay(options.journal)
    try:
        if out.exists() and out.samefile(options.journal):
            raise UnwritableFileError(f"{out} is the journal itself. Name another file to write to.")
        refuse_compaction(replay)
        write_rewrite(out, compacted_lines(replay.state, options.at))
    except CompactionRefusedError as error:
        return _report_refusal(options, error)
    except OSError as error:
        raise UnwritableFileError(f"{out} cannot be written: {error.strerror or error}.") from error
    report = compaction_report(replay.state)
    lost = len(replay.unreadable)
    if options.json:
        _print_json({**asdict(report), "lines_lost": lost})
    else:
        _print_text(f"Kept {report.facts_retained:,} facts, dropped {report.facts_dropped:,}.")
    if lost:
        _complain(f"Lines that could not be read and are not in {out}: {lost:,}. `state` lists them.")
    return EXIT_FINE


def _report_refusal(options: argparse.Namespace, error: CompactionRefusedError) -> int:
    if options.json:
        hold_ids = list(error.hold_ids) if isinstance(error, HeldError) else []
        _print_json({"refused": {"code": error.code, "reason": str(error), "hold_ids": hold_ids}})
    _complain(f"{error} Nothing was written.")
    return EXIT_FOUND


def _freshness(options: argparse.Namespace) -> int:
    replay = _replay(options.journal)
    policy = DecayPolicy.from_environment(os.environ)
    live = sorted((fact for fact in replay.state.facts.values() if not fact.deleted), key=lambda fact: fact.fact_id)
    rows = (_freshness_row(fact, options.now, policy) for fact in live)
    if options.json:
        _print(map(orjson.dumps, rows))
    else:
        _print("  ".join(_shown(value) for value in row.values()).encode() for row in rows)
    _mention_skipped(replay)
    return EXIT_FINE


def _freshness_row(fact: Fact, now_ms: int, policy: DecayPolicy) -> dict[str, Any]:
    reckoning = reckon(fact, now_ms, policy)
    return {
        "fact_id": fact.fact_id,
        "freshness": reckoning.freshness.value,
        "effective_confidence": reckoning.effective,
        "stale_at": reckoning.stale_at_ms,
    }


def _holds(options: argparse.Namespace) -> int:
    replay = _replay(options.journal)
    facts = sorted(replay.state.facts.values(), key=lambda fact: fact.fact_id)
    for hold in resolve_holds(facts):
        fact_ids = [fact.fact_id for fact in facts if hold.covers_fact(fact)]
        if options.json:
            _print_json(
                {
                    "hold_id": hold.hold_id,
                    "active": hold.active,
                    "tenant": hold.tenant,
                    "entity_prefixes": hold.entity_prefixes,
                    "fact_ids": fact_ids,
                }
            )
            continue
        status = "active" if hold.active else "released"
        scope = ", ".join(map(_shown, hold.entity_prefixes)) or "the whole tenant"
        _print_text(f"{_shown(hold.hold_id)}  {status}  {_shown(hold.tenant)}  {scope}  facts: {len(fact_ids):,}")
        _print(f"  {_shown(fact_id)}".encode() for fact_id in fact_ids)
    _mention_skipped(replay)
    return EXIT_FINE


def _verify(options: argparse.Namespace) -> int:
    try:
        since = read_checkpoint(options.since) if options.since is not None else None
    except OSError as error:
        raise NoteError(f"{options.since} cannot be read: {error.strerror}.") from error
    return _report(verify_folder(options.data_dir, key=options.key, since=since), options)


def _report(found: Verification, options: argparse.Namespace) -> int:
    if options.json:
        _print_json(found.members())
    else:
        _print(line.encode() for line in found.words())
    if found.trouble:
        _complain(f"{'Broken' if found.verdict == Verdict.BROKEN else 'Could not check'}. {found.trouble}")
    return found.verdict.exit_code


def _replay(journal: Path) -> Replay:
    return replay_journal(journal, PrivacyPolicy.from_environment(os.environ))


def _mention_skipped(replay: Replay) -> None:
    count = len(replay.unreadable) + len(replay.rule_breaking)
    if count:
        _complain(f"Lines that had to be skipped: {count:,}. `state` lists them.")
    if replay.torn_tail_bytes:
        _complain(f"The journal ends with {replay.torn_tail_bytes:,} bytes without a newline, which do not count.")


def _print(lines: Iterator[bytes]) -> None:
    for line in lines:
        sys.stdout.buffer.write(line + b"\n")


def _print_json(value: object) -> None:
    sys.stdout.buffer.write(orjson.dumps(value) + b"\n")


def _print_text(text: str) -> None:
    sys.stdout.buffer.write(text.encode() + b"\n")


def _shown(value: object) -> str:
    """A value as a person may see it: ids are anybody's text and must not steer a terminal."""
    text = "-" if value is None else str(value)
    return text if text.isprintable() else ascii(text)


def _complain(sentence: str) -> None:
    print(f"cruxstore: {sentence}", file=sys.stderr)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m cruxstore", description="Look into a journal or a folder.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    state = commands.add_parser("state", help="every fact after replay, and which lines were skipped")
    state.set_defaults(command=_state)
    compact = commands.add_parser("compact", help="write the journal as the daemon's compaction would")
    compact.set_defaults(command=_compact)
    freshness = commands.add_parser("freshness", help="how fresh each live fact is at a moment")
    freshness.set_defaults(command=_freshness)
    holds = commands.add_parser("holds", help="the legal holds and the facts that each covers")
    holds.set_defaults(command=_holds)

    for command in (state, compact, freshness, holds):
        command.add_argument("journal", type=Path, metavar="JOURNAL")
    verify = commands.add_parser("verify", help="whether journal, ledger, texts and checkpoints of a folder agree")
    verify.set_defaults(command=_verify)
    verify.add_argument("data_dir", type=Path, metavar="DATA_DIR")
    verify.add_argument("--key", type=_key, metavar="PUB", help="the ledger's key as noted elsewhere, or its file")
    verify.add_argument("--since", type=Path, metavar="CHECKPOINT", help="a checkpoint that was kept elsewhere")

    # listed here, run by `__main__`
    commands.add_parser("verify-bundle", help="whether an exported part of a ledger proves itself")

    compact.add_argument("out", type=Path, metavar="OUT")
    compact.add_argument("--at", type=_moment, required=True, metavar="RFC3339", help="the time to stamp lines with")
    freshness.add_argument("--now", type=int, required=True, metavar="MS", help="milliseconds since 1970")
    for command in (state, compact, freshness, holds, verify):
        command.add_argument("--json", action="store_true", help="print JSON, one object a line")
    return parser


def _moment(text: str) -> Timestamp:
    try:
        return parse_timestamp(text)
    except BadTimestampError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _key(text: str) -> PublicKey:
    try:
        return read_key(text)
    except NoteError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
