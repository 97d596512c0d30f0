"""Every operation on a store, each one event: what is asked, what is refused, and the lines that it becomes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from cruxstore.act import Act
from cruxstore.changing import (
    changeable_fact,
    check_clear_supersede,
    check_supersede,
    check_validity,
    known_fact,
)
from cruxstore.errors import (
    IdempotencyConflictError,
    JournalNotOursError,
    NotAdoptedError,
    TenantRetiredError,
)
from cruxstore.expecting import check_expected
from cruxstore.facts.consolidation import ConsolidationRequest, FactReader, consolidate, undo_consolidation
from cruxstore.facts.privacy import PrivacyPolicy
from cruxstore.facts.records import (
    ClearSupersede,
    Delete,
    Horizon,
    SetValidity,
    Supersede,
    Timestamp,
    new_fact_id,
)
from cruxstore.facts.rewrite import Upkeep
from cruxstore.facts.state import RevisedView, chain_revision, fact_revision, is_consolidation_source
from cruxstore.facts.times import format_timestamp, parse_timestamp
from cruxstore.files import HeldLock
from cruxstore.folder import Folder
from cruxstore.hiding import restored_without, to_delete
from cruxstore.ledger.chain import place_after
from cruxstore.ledger.events import Action, Actor, Event, JournalPlace, act_digest, decode_event
from cruxstore.ledger.settings import FactSetting
from cruxstore.lines import find_line, read_lines
from cruxstore.newfacts import NewFact, build_facts
from cruxstore.repeating import request_digest
from cruxstore.rewriting import Rewriting, disk_refusals
from cruxstore.stopping import refuse_if_stopped, stopping

Clock = Callable[[], int]

NOT_ADOPTED = "The journal has not been taken over yet."


@dataclass(frozen=True, slots=True)
class Receipt:
    """What an act left behind: its event and, where it has any, the facts it made or changed, in order.

    Of a merge, the fact it made; of a merge taken back, the facts that count again.
    """

    event: Event
    fact_ids: tuple[str, ...] = ()


class Door:
    """What can be done to a store while its lock is held; every act is one event.

    - A `view` must be caught up with the journal as `settle` left it.
    - With `expected`, an act is refused with VersionConflictError where what it touches is not at that version.
    - An act that its caller has named with `act` happens once: the same again answers the first receipt, something else
      under the same name is an IdempotencyConflictError.
    - A `reason` goes into the texts, and what else it is about into `subjects`.
    - What is so already gets no second line, but its event.
    - Nothing about a fact is written to a tenant that the view calls retired.
    """

    def __init__(self, folder: Folder, held: HeldLock, *, clock: Clock, privacy: PrivacyPolicy) -> None:
        self._folder = folder
        self._held = held
        self._clock = clock
        self._privacy = privacy
        self._is_open = True
        self._place: JournalPlace | None = None

    def settle(self) -> JournalPlace:
        """Mends what a crash, an unfinished act or somebody else left; answers where the journal ends."""
        if not self._is_open:
            raise RuntimeError("this door was closed with its lock")
        if self._place is None:
            refuse_if_stopped(self._held.read().stopped)
            with stopping(self._held):
                self._place = self._folder.settle(self._clock())
        return self._place

    def close(self) -> None:
        """Ends the use of this door; its lock is about to be let go."""
        self._is_open = False

    def adopt(self, actor: Actor) -> Event | None:
        """Takes the journal over as it stands, with its length and digest; None where that was done before."""
        self._require_owner()
        if self.settle().generation > 0:
            return None
        with self._writing():
            event = self._folder.adopt(actor, self._clock())
        self._place = place_after(event)
        return event

    def store_facts(
        self,
        actor: Actor,
        tenant: str,
        new: Sequence[NewFact],
        *,
        view: RevisedView,
        expected: Mapping[tuple[str, str], str] | None = None,
        subjects: Sequence[str] = (),
        reason: str | None = None,
        act: str = "",
    ) -> Receipt:
        """Stores facts, each at the head of its chain and retiring the one before; versions by entity and key.

        All or nothing: one event, one line with the facts, then a `supersede` line for each one retired.
        """
        writing = self._begin_with_lines(actor, tenant, Action.FACT_STORED, act, (new, subjects, reason), view)
        if writing.earlier is not None:
            return self._first_receipt(writing.earlier)
        versions = expected or {}
        chains = [(fact.entity, fact.key) for fact in new if (fact.entity, fact.key) in versions] if versions else ()
        self._expect(writing, [(chain_revision(view, tenant, *chain), versions[chain]) for chain in chains])
        built = build_facts(new, tenant=tenant, now_ns=writing.now_ns, view=view, privacy=self._privacy)
        facts = tuple(fact for fact, _ in built)
        writing.say("reason", reason)
        if facts:
            writing.add_facts(facts, key=self._folder.digest_key(writing.place.generation))
        for fact, before in built:
            if before is not None and not is_consolidation_source(before, view):
                writing.add(Supersede(before.fact_id, by_fact_id=fact.fact_id, superseded_at=writing.stamp))
        return self._commit(writing, subjects, [fact.fact_id for fact in facts], are_ours=True)

    def delete_facts(
        self,
        actor: Actor,
        tenant: str,
        fact_ids: Sequence[str],
        *,
        view: RevisedView,
        expected: Mapping[str, str] | None = None,
        subjects: Sequence[str] = (),
        reason: str | None = None,
        restores_replaced: bool = False,
        act: str = "",
    ) -> Receipt:
        """Hides facts of this tenant, all or nothing; versions by fact id. Answers those that were not hidden yet.

        With `restores_replaced`, what each of them had retired counts again, unless it is hidden too.
        """
        asked = (fact_ids, restores_replaced, subjects, reason)
        writing = self._begin_with_lines(actor, tenant, Action.FACT_DELETED, act, asked, view)
        if writing.earlier is not None:
            return self._first_receipt(writing.earlier)
        for fact_id in fact_ids:
            known_fact(fact_id, tenant=tenant, view=view)
        versions = expected or {}
        seen = [fact_id for fact_id in fact_ids if fact_id in versions]
        self._expect(writing, [(fact_revision(view, fact_id), versions[fact_id]) for fact_id in seen])
        living = to_delete(fact_ids, tenant=tenant, view=view, privacy=self._privacy)
        writing.say("reason", reason)
        for fact_id in living:
            writing.add(Delete(fact_id, deleted_at=writing.stamp))
        for fact_id in restored_without(living, view) if restores_replaced else ():
            writing.add(ClearSupersede(fact_id, cleared_at=writing.stamp))
        return self._commit(writing, subjects, living)

    def supersede(
        self,
        actor: Actor,
        tenant: str,
        fact_id: str,
        by_fact_id: str,
        *,
        view: RevisedView,
        expected: str | None = None,
        subjects: Sequence[str] = (),
        reason: str | None = None,
        act: str = "",
    ) -> Receipt:
        """Retires a fact in favour of another one of this tenant that is not deleted."""
        asked = (fact_id, by_fact_id, subjects, reason)
        writing = self._begin_with_lines(actor, tenant, Action.FACT_SUPERSEDED, act, asked, view)
        if writing.earlier is not None:
            return self._first_receipt(writing.earlier)
        fact = changeable_fact(fact_id, tenant=tenant, view=view, privacy=self._privacy)
        successor = known_fact(by_fact_id, tenant=tenant, view=view)
        self._expect_fact(writing, view, fact_id, expected)
        writing.say("reason", reason)
        if fact.superseded_by != by_fact_id:
            check_supersede(fact, successor, view)
            writing.add(Supersede(fact_id, by_fact_id, superseded_at=writing.stamp))
        return self._commit(writing, subjects, [fact_id])

    def clear_supersede(
        self,
        actor: Actor,
        tenant: str,
        fact_id: str,
        *,
        view: RevisedView,
        expected: str | None = None,
        subjects: Sequence[str] = (),
        reason: str | None = None,
        act: str = "",
    ) -> Receipt:
        """Brings a retired fact back."""
        asked = (fact_id, subjects, reason)
        writing = self._begin_with_lines(actor, tenant, Action.FACT_SUPERSEDE_CLEARED, act, asked, view)
        if writing.earlier is not None:
            return self._first_receipt(writing.earlier)
        fact = changeable_fact(fact_id, tenant=tenant, view=view, privacy=self._privacy)
        self._expect_fact(writing, view, fact_id, expected)
        check_clear_supersede(fact, view)
        writing.say("reason", reason)
        if fact.superseded_by is not None:
            writing.add(ClearSupersede(fact_id, cleared_at=writing.stamp))
        return self._commit(writing, subjects, [fact_id])

    def set_validity(
        self,
        actor: Actor,
        tenant: str,
        fact_id: str,
        valid_from: Timestamp | None,
        valid_to: Timestamp | None,
        *,
        view: RevisedView,
        expected: str | None = None,
        subjects: Sequence[str] = (),
        reason: str | None = None,
        act: str = "",
    ) -> Receipt:
        """Says when a fact holds in the world; both bounds are replaced, and None leaves one open."""
        asked = (fact_id, valid_from, valid_to, subjects, reason)
        writing = self._begin_with_lines(actor, tenant, Action.FACT_VALIDITY_SET, act, asked, view)
        if writing.earlier is not None:
            return self._first_receipt(writing.earlier)
        changeable_fact(fact_id, tenant=tenant, view=view, privacy=self._privacy)
        self._expect_fact(writing, view, fact_id, expected)
        check_validity(valid_from, valid_to)
        writing.say("reason", reason)
        writing.add(SetValidity(fact_id, valid_from, valid_to, set_at=writing.stamp))
        return self._commit(writing, subjects, [fact_id])

    def consolidate(
        self,
        actor: Actor,
        tenant: str,
        request: ConsolidationRequest,
        *,
        view: RevisedView,
        read_fact: FactReader,
        expected: str | None = None,
        subjects: Sequence[str] = (),
        reason: str | None = None,
        act: str = "",
    ) -> Receipt:
        """Merges facts of one chain into a new one, by the guards of the format; `expected` is the chain's version."""
        asked = (request, subjects, reason)
        writing = self._begin_with_lines(actor, tenant, Action.FACT_CONSOLIDATED, act, asked, view)
        if writing.earlier is not None:
            return self._first_receipt(writing.earlier)
        if expected is not None:
            self._expect(writing, [(chain_revision(view, tenant, request.entity, request.key), expected)])
        operation = consolidate(
            request,
            tenant=tenant,
            fact_id=new_fact_id(),
            now_ns=writing.now_ns,
            view=view,
            read_fact=read_fact,
            privacy=self._privacy,
        )
        writing.say("reason", reason)
        writing.add_merge(operation, key=self._folder.digest_key(writing.place.generation))
        sources = map(writing.name_of, operation.superseded_fact_ids)
        return self._commit(writing, (*subjects, *sources), [operation.canonical.fact_id])

    def consolidate_undo(
        self,
        actor: Actor,
        tenant: str,
        canonical_fact_id: str,
        source_fact_ids: Sequence[str],
        *,
        view: RevisedView,
        expected: str | None = None,
        subjects: Sequence[str] = (),
        reason: str | None = None,
        act: str = "",
    ) -> Receipt:
        """Takes a merge back, given exactly the facts that it merged; they count again, and the merged one is hidden.

        Answers no facts where that was done before.
        """
        asked = (canonical_fact_id, source_fact_ids, subjects, reason)
        writing = self._begin_with_lines(actor, tenant, Action.FACT_CONSOLIDATION_UNDONE, act, asked, view)
        if writing.earlier is not None:
            return self._first_receipt(writing.earlier)
        undo = undo_consolidation(canonical_fact_id, source_fact_ids, tenant=tenant, now_ns=writing.now_ns, view=view)
        self._expect_fact(writing, view, canonical_fact_id, expected)
        writing.say("reason", reason)
        if undo.operation is not None:
            writing.add(undo.operation)
        canonical = writing.name_of(canonical_fact_id)
        return self._commit(writing, (*subjects, canonical), undo.restored_fact_ids)

    def set_horizon(
        self,
        actor: Actor,
        tenant: str,
        fact_id: str,
        horizon: Horizon,
        *,
        view: RevisedView,
        expected: str | None = None,
        subjects: Sequence[str] = (),
        reason: str | None = None,
        act: str = "",
    ) -> Receipt:
        """Says how fast a fact ages; an event alone, which no restart, rewrite or rebuild forgets."""
        asked = (fact_id, horizon.value, subjects, reason)
        writing = self._begin(actor, tenant, Action.FACT_HORIZON_SET, act, asked, view)
        if writing.earlier is not None:
            return self._first_receipt(writing.earlier)
        changeable_fact(fact_id, tenant=tenant, view=view, privacy=self._privacy)
        self._expect_fact(writing, view, fact_id, expected)
        writing.say("reason", reason)
        return self._commit(writing, subjects, [fact_id], code=horizon.value)

    def reverify(
        self,
        actor: Actor,
        tenant: str,
        fact_id: str,
        *,
        view: RevisedView,
        expected: str | None = None,
        subjects: Sequence[str] = (),
        reason: str | None = None,
        act: str = "",
    ) -> Receipt:
        """Says that a fact was looked at and still holds, as of now: it ages from here; an event alone."""
        writing = self._begin(actor, tenant, Action.FACT_REVERIFIED, act, (fact_id, subjects, reason), view)
        if writing.earlier is not None:
            return self._first_receipt(writing.earlier)
        changeable_fact(fact_id, tenant=tenant, view=view, privacy=self._privacy)
        self._expect_fact(writing, view, fact_id, expected)
        writing.say("reason", reason)
        return self._commit(writing, subjects, [fact_id])

    def begin_rewrite(self, settings: Mapping[str, FactSetting]) -> Rewriting:
        """A rewrite of the journal as it stands now, into which `settings` are folded; nothing is written yet."""
        self._require_owner()
        place = self.settle()
        if place.generation == 0:
            raise NotAdoptedError(NOT_ADOPTED)
        with disk_refusals("the key of the next generation"):
            key = self._folder.digest_key(place.generation + 1)
        return Rewriting(
            self._folder.journal.path,
            place,
            key=key,
            privacy=self._privacy,
            upkeep={fact_id: Upkeep(one.horizon, one.reverified_at) for fact_id, one in settings.items()},
            at=parse_timestamp(format_timestamp(self._clock(), zulu=True)),
        )

    def compact(
        self,
        actor: Actor,
        rewriting: Rewriting,
        *,
        subjects: Sequence[str] = (),
        reason: str | None = None,
        act: str = "",
    ) -> Receipt:
        """Puts a compacted journal in the place of the one that it was prepared from: a generation begins.

        RewriteOutdatedError where it does not fit what was written since; it must be prepared anew then. The key of the
        generation before is destroyed, so that nobody can check a guess against the digests of what is gone.
        """
        asked = (subjects, reason)
        writing = self._begin_with_lines(actor, "", Action.STORE_COMPACTED, act, asked)
        if writing.earlier is not None:
            return self._first_receipt(writing.earlier)
        finished = rewriting.finish(writing.place)
        if act:
            # the key of the generation that ends here could not tell a repeat
            writing.asked = self._asked(actor, "", Action.STORE_COMPACTED, asked, finished.place.generation)
        writing.say("reason", reason)
        writing.say("receipt", finished.receipt)
        event = replace(
            writing.event(tuple(subjects)),
            journal=finished.place,
            observed=finished.stock,
            rewrite=finished.rewrite,
        )
        with self._writing():
            written = self._folder.commit_rewrite(event, texts=writing.texts)
        self._place = place_after(written)
        return Receipt(written)

    def record(
        self,
        actor: Actor,
        tenant: str,
        action: Action,
        *,
        subjects: Sequence[str] = (),
        outcome: str = "done",
        code: str = "",
        text: str | None = None,
        act: str = "",
        view: RevisedView | None = None,
    ) -> Receipt:
        """Records an act that is about no fact; `tenant` is empty for the store itself.

        With a view, it is refused where the tenant is retired.
        """
        writing = self._begin(actor, tenant, action, act, (outcome, code, subjects, text), view)
        if writing.earlier is not None:
            return self._first_receipt(writing.earlier)
        writing.say("text", text)
        return self._commit(writing, subjects, (), outcome=outcome, code=code)

    def rotate_key(self, actor: Actor, *, reason: str | None = None, act: str = "") -> Receipt:
        """Makes a new key sign the ledger from this event on; the key before signs the new one."""
        writing = self._begin(actor, "", Action.KEY_ROTATED, act, (reason,))
        if writing.earlier is not None:
            return self._first_receipt(writing.earlier)
        writing.say("reason", reason)
        with self._writing():
            written = self._folder.rotate_key(writing.event(()), texts=writing.texts)
        self._place = place_after(written)
        return Receipt(written)

    def find_act(self, act: str) -> Event | None:
        """The event of an act by the name its caller gave it; None where it never happened or came to nothing."""
        self.settle()
        path = self._folder.chain.file.path
        found = find_line(path, b'"act":"%b"' % act_digest(act).encode())
        if found is None:
            return None
        offset, line = found
        event = decode_event(line)
        # a void follows its act at once: whoever finds the act unfinished writes it before anything else
        after = next(read_lines(path, offset + len(line) + 1), None)
        is_void = after is not None and _voids(decode_event(after[1]), event)
        return None if is_void else event

    def _begin(
        self,
        actor: Actor,
        tenant: str,
        action: Action,
        name: str,
        asked: Sequence[object],
        view: RevisedView | None = None,
    ) -> Act:
        place = self.settle()
        writing = Act(actor, tenant, action, now_ns=self._clock(), place=place, name=name)
        if name:
            writing.asked = self._asked(actor, tenant, action, asked, place.generation)
            writing.earlier = self.find_act(name)
            if writing.earlier is not None:
                self._check_repeat(writing.earlier, writing, asked)
                return writing
        if view is not None and view.is_retired(tenant):
            raise TenantRetiredError("The tenant is retired: nothing is written to it until it is reinstated.")
        return writing

    def _begin_with_lines(
        self,
        actor: Actor,
        tenant: str,
        action: Action,
        name: str,
        asked: Sequence[object],
        view: RevisedView | None = None,
    ) -> Act:
        self._require_owner()
        writing = self._begin(actor, tenant, action, name, asked, view)
        if writing.place.generation == 0:
            raise NotAdoptedError(NOT_ADOPTED)
        return writing

    def _asked(self, actor: Actor, tenant: str, action: Action, asked: Sequence[object], generation: int) -> str:
        content = (actor.kind, actor.id, tenant, action.value, *asked)
        return request_digest(content, key=self._folder.digest_key(generation))

    def _check_repeat(self, earlier: Event, again: Act, asked: Sequence[object]) -> None:
        generation = earlier.journal.generation
        if earlier.asked is None or not self._folder.has_digest_key(generation):
            return
        if self._asked(again.actor, again.tenant, again.action, asked, generation) != earlier.asked.digest:
            raise IdempotencyConflictError(
                f"Event {earlier.seq} has the same idempotency key and asked for something else. Use a new key."
            )

    def _first_receipt(self, earlier: Event) -> Receipt:
        answers = earlier.asked.answers if earlier.asked is not None else 0
        names = earlier.subjects[len(earlier.subjects) - answers :]
        return Receipt(earlier, tuple(self._folder.fact_id_of(name, earlier) for name in names))

    def _expect_fact(self, writing: Act, view: RevisedView, fact_id: str, expected: str | None) -> None:
        if expected is not None:
            self._expect(writing, [(fact_revision(view, fact_id), expected)])

    def _expect(self, writing: Act, versions: Sequence[tuple[str, str]]) -> None:
        for current, expected in versions:
            check_expected(expected, current, self._folder.chain)
        if versions:
            writing.decide_on(current for current, _ in versions)

    def _commit(
        self,
        writing: Act,
        subjects: Sequence[str],
        fact_ids: Sequence[str],
        *,
        outcome: str = "done",
        code: str = "",
        are_ours: bool = False,
    ) -> Receipt:
        names = fact_ids if are_ours else map(writing.name_of, fact_ids)
        event = writing.event((*subjects, *names), answers=len(fact_ids), outcome=outcome, code=code)
        with self._writing():
            written = self._folder.commit(event, texts=writing.texts, lines=writing.lines)
        self._place = place_after(written)
        return Receipt(written, tuple(fact_ids))

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """While files are written nothing is known about them; what raises in between is mended before the next act."""
        self._place = None
        with stopping(self._held):
            yield

    def _require_owner(self) -> None:
        if not self._folder.is_owner:
            raise JournalNotOursError("The journal belongs to a daemon and is only read here.")


def _voids(event: Event, act: Event) -> bool:
    return event.action == Action.ACT_VOIDED and event.subjects == (act.event_id,)
