"""Tables of entity, key and value: CSV with a header, separated by comma, semicolon or tab.

The header decides the separator and the columns, under the same names as JSON rows. A quoted cell may
hold separators, doubled quotation marks and line breaks, which are read as LF. Cells that a spreadsheet would read as a
formula are text like any other. A row that cannot be cut costs its own line, never the lines after it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from apps.facts.formats.fact_rows import COLUMN_NAMES, is_triple_row, read_triple
from apps.facts.formats.source import is_sound
from apps.facts.formats.tally import Tally
from apps.facts.formats.wording import counted, excerpt

SEPARATORS = (",", ";", "\t")


@dataclass(frozen=True, slots=True)
class _Record:
    line: int
    cells: list[str]
    fault: str = ""


def is_table(lines: Sequence[str]) -> bool:
    """Whether the first line names an entity, a key and a value."""
    return separator_of(lines) is not None


def separator_of(lines: Sequence[str]) -> str | None:
    """The separator under which the first line names an entity, a key and a value; None if there is none."""
    first = next((line for line in lines if line.strip()), "")
    for separator in SEPARATORS:
        if is_triple_row(dict.fromkeys(_columns(_first_record(first, separator)))):
            return separator
    return None


def read(lines: Sequence[str], tally: Tally) -> None:
    """Reads a row as one fact; empty cells are absent."""
    separator = separator_of(lines)
    if separator is None:
        return
    columns: list[str] = []
    for record in _records(lines, separator):
        if record.fault:
            tally.fault(record.line, record.fault)
        elif not columns:
            columns = _columns(record.cells)
        elif any(cell.strip() for cell in record.cells):
            _read_record(record, columns, tally)


def _read_record(record: _Record, columns: Sequence[str], tally: Tally) -> None:
    shown = " | ".join(record.cells)
    if len(record.cells) > len(columns):
        tally.fault(
            record.line,
            f"{counted(len(record.cells), 'cell')} under {counted(len(columns), 'column')}: {excerpt(shown)}",
        )
        return
    if not all(map(is_sound, record.cells)):
        tally.fault(record.line, f"not UTF-8: {excerpt(shown)}")
        return
    row = {column: cell for column, cell in zip(columns, record.cells, strict=False) if column and cell}
    read_triple(row, tally, line=record.line, path="", shown=shown)


def _columns(cells: Sequence[str]) -> list[str]:
    """The column names as JSON rows spell them: `Valid From` is valid_from."""
    return [COLUMN_NAMES.get("".join(filter(str.isalnum, cell.casefold())), cell.strip()) for cell in cells]


def _first_record(line: str, separator: str) -> list[str]:
    return next((record.cells for record in _records([line], separator)), [])


def _records(lines: Sequence[str], separator: str) -> Iterator[_Record]:
    """The records of a table, each with the line it begins on."""
    index = 0
    while index < len(lines):
        if not lines[index].strip():
            index += 1
            continue
        if '"' not in lines[index]:
            yield _Record(index + 1, lines[index].split(separator))
            index += 1
            continue
        cells, after = _quoted_record(lines, index, separator)
        if cells is None:
            yield _Record(index + 1, [], f"a quotation mark that does not fit: {excerpt(lines[index])}")
            index += 1
            continue
        yield _Record(index + 1, cells)
        index = after


def _quoted_record(lines: Sequence[str], index: int, separator: str) -> tuple[list[str] | None, int]:
    """The cells of a record with quotation marks, and the index of the line after it; None if it cannot be cut."""
    cells: list[str] = []
    at = 0
    while True:
        if lines[index].startswith('"', at):
            quoted = _quoted_cell(lines, index, at + 1)
            if quoted is None:
                return None, index
            cell, index, at = quoted
        else:
            end = lines[index].find(separator, at)
            cell = lines[index][at:] if end < 0 else lines[index][at:end]
            at += len(cell)
        cells.append(cell)
        if at == len(lines[index]):
            return cells, index + 1
        if not lines[index].startswith(separator, at):
            return None, index
        at += len(separator)


def _quoted_cell(lines: Sequence[str], index: int, at: int) -> tuple[str, int, int] | None:
    """A cell's text after its opening quotation mark, and where it ends; None if it never does."""
    parts: list[str] = []
    while index < len(lines):
        end = lines[index].find('"', at)
        if end < 0:
            parts += [lines[index][at:], "\n"]
            index, at = index + 1, 0
        elif lines[index].startswith('"', end + 1):
            parts.append(lines[index][at : end + 1])
            at = end + 2
        else:
            parts.append(lines[index][at:end])
            return "".join(parts), index, end + 1
    return None
