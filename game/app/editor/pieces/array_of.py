"""Wrapping of a piece in an `array`: its text, its comments and its layout stay."""

from __future__ import annotations

from collections.abc import Sequence

from ....level.edit import DocumentEntry, YamlDocument, format_number, format_point
from ....level.edit.yaml_tree import TreeMapping


def wrap_in_array(
    document: YamlDocument,
    entry: DocumentEntry,
    count: int,
    step: Sequence[float] | None = None,
    turn: float = 0.0,
    around: Sequence[float] | None = None,
) -> DocumentEntry:
    """Replace a piece by an array of it; returns the array.

    step: from one copy to the next (m), for a line. turn, around: angle (degrees) and centre (m), for a circle.
    """
    values = [("count", str(count))]
    if step is not None:
        values.append(("step", format_point(list(step))))
    if around is not None:
        values += [("turn", format_number(turn)), ("around", format_point(list(around)))]
    start, end = entry.span
    piece = entry.text
    line, column = document.line_of(start), _column(document, start)
    _, value = document._pair(entry)
    if isinstance(value, TreeMapping) and not value.flow and "\n" in piece.replace("\r\n", "\n"):
        text = _block_array(values, piece, column, "\r\n" if "\r\n" in document.text else "\n")
    else:
        fields = ", ".join(f"{name}: {written}" for name, written in values)
        text = f"array: {{{fields}, of: [{piece}]}}"
    document.replace_text(start, end, text)
    return document.find_piece(line, column)


def _column(document: YamlDocument, start: int) -> int:
    """Column of an index of the text, counted from 1."""
    before = document.text[:start].removeprefix("\ufeff")
    return len(before) - max(before.rfind("\n"), before.rfind("\r"))


def _block_array(values: list[tuple[str, str]], piece: str, column: int, line_break: str) -> str:
    """Array in block style around a piece whose kind is at `column`."""
    indent = " " * (column - 1 + 2)
    lines = piece.replace("\r\n", "\n").split("\n")
    head = ["array:", *(f"{indent}{name}: {written}" for name, written in values), f"{indent}of:"]
    moved = [f"{indent}  - {lines[0]}", *(f"      {line}" if line.strip() else line for line in lines[1:])]
    return line_break.join([*head, *moved])
