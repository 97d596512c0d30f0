"""What a curator should know about a reading as a whole, found once all of it is read."""

from collections.abc import Iterator, Sequence

from apps.facts.formats.vocabulary import Entity, Notice, Relation
from apps.facts.formats.wording import counted, listed, quoted


def type_conflicts(entities: Sequence[Entity]) -> Iterator[Notice]:
    """Entities that are given more than one type."""
    for entity in entities:
        if len(entity.types) > 1:
            text = f"{quoted(entity.name)} is given {len(entity.types)} types: {listed(entity.types)}. All are kept."
            yield Notice("type-conflict", text, entity.line)


def similar_names(entities: Sequence[Entity], relations: Sequence[Relation]) -> Iterator[Notice]:
    """Names that may mean one thing; they are compared exactly, and only a person may merge them."""
    line_of = {entity.name: entity.line for entity in entities}
    for relation in relations:
        line_of.setdefault(relation.source, relation.line)
        line_of.setdefault(relation.target, relation.line)
    folded: dict[str, list[str]] = {}
    for name in line_of:
        folded.setdefault("".join(name.casefold().replace("_", " ").split()), []).append(name)
    for names in folded.values():
        if len(names) > 1:
            text = f"{listed(names)} differ only in case, spaces or underscores. They stay apart."
            yield Notice("similar-names", text, min(line_of[name] for name in names))


def dangling_names(entities: Sequence[Entity], dangling: Sequence[Relation]) -> Iterator[Notice]:
    """Ends of relations that the file does not declare."""
    declared = {entity.name for entity in entities}
    ends = (end for relation in dangling for end in (relation.source, relation.target))
    unknown = dict.fromkeys(end for end in ends if end not in declared)
    if unknown:
        relations = counted(len(dangling), "relation points", "relations point")
        names = f"{counted(len(unknown), 'name')} that the file does not declare: {listed(unknown)}"
        yield Notice("dangling-names", f"{relations} at {names}.", dangling[0].line)


def silent_entities(entities: Sequence[Entity]) -> Iterator[Notice]:
    """Entities of which only the name is known, so that nothing about them is stored."""
    if entities:
        number = counted(len(entities), "entity is", "entities are")
        names = listed(entity.name for entity in entities)
        yield Notice(
            "silent-entities", f"{number} declared without a text, so nothing is stored: {names}.", entities[0].line
        )


def nameless_statements(lines: Sequence[int], *, name: str) -> Iterator[Notice]:
    """Statements about nobody and nothing, which all go to one name."""
    if lines:
        number = counted(len(lines), "statement names", "statements name")
        yield Notice("no-subject", f"{number} nobody and nothing; the entity is {quoted(name)} there.", lines[0])
