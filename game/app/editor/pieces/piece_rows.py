"""Rows of a piece: the values of its fields, which are typed or stepped one by one."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ....level.edit import DocumentEntry, EditRefused, YamlDocument, format_number
from ....level.format.numbers import Point, Ranged
from ....level.format.record import KnownNames, Value
from ....level.format.record_values import Many
from .piece_fields import PATH, FieldPath, PieceFields

NO_NAMES = KnownNames()
_STOP = Point("A stop of a path.")
_DECIMAL_COMMA = re.compile(r"[-+]?[0-9]+,[0-9]+")
_PLAIN_NUMBER = re.compile(r"[-+]?[0-9]*\.?[0-9]+")


@dataclass(frozen=True, slots=True)
class PieceRow:
    """A value of a piece.

    value   as written; in brackets where it is only the default
    path    where it stands in the piece: name of the field, indices of entries and coordinates, names in an entry
    field   its kind
    """

    label: str
    value: str
    path: FieldPath
    field: Value[Any]
    is_written: bool = True  # false where `value` shows a default


def piece_rows(document: YamlDocument, entry: DocumentEntry, part: tuple[str, int] | None = None) -> list[PieceRow]:
    """All values that can be stepped or typed: single numbers, coordinates of points, values of entries (doors, holes),
    then surfaces, choices, flags and texts. Those that are written in another form are left out.

    part: field and index of a selected point of the piece; the place of a stop comes before the fields of its mover.
    """
    fields = PieceFields(document, entry)
    found: list[PieceRow] = []
    if part is not None and part[0] == PATH:
        with contextlib.suppress(EditRefused):
            found += _point_rows(fields, _STOP, f"stop {part[1] + 1}", part)
    for field in sorted(fields.record.fields.values(), key=_rank):
        with contextlib.suppress(EditRefused):
            found += _rows_of(fields, field, field.name, (field.name,))
    return found


def _rank(field: Value[Any]) -> int:
    """Place of a field among the rows."""
    return field.word_rank or (-3 if field.is_number else -2 if field.axes else -1)


def _rows_of(fields: PieceFields, field: Value[Any], label: str, path: FieldPath) -> Iterator[PieceRow]:
    if field.axes:
        yield from _point_rows(fields, field, label, path)
    elif field.is_number or field.word_rank:
        text = fields.text(*path)
        shown = _shown_default(field) if text is None else text
        if shown:
            yield PieceRow(label, shown, path, field, text is not None)
    elif isinstance(field, Many):
        for index in fields.entries(field.name):
            for inner in field.record.fields.values():
                inner_label = f"{field.record.kind} {index + 1} {inner.name}"
                yield from _rows_of(fields, inner, inner_label, (*path, index, inner.name))


def _shown_default(field: Value[Any]) -> str:
    """What stands in the place of a value that is not written."""
    if field.default is not None:
        return f"({field.default_text()})"
    return "(automatic)" if isinstance(field, Ranged) else "none"


def _point_rows(fields: PieceFields, field: Value[Any], label: str, path: FieldPath) -> Iterator[PieceRow]:
    """Coordinates of a point."""
    is_written = fields.is_written(*path) or path[0] == PATH
    for index, value in enumerate(fields.vector(*path) or ()):
        text = format_number(value) if is_written else f"({format_number(value)})"
        yield PieceRow(f"{label} {field.axes[index]}", text, (*path, index), field, is_written)


def read_numbers(text: str) -> list[float]:
    """Numbers of a typed offset: "1.25, 0, -2" or "1.25 0 -2". EditRefused if one of them is none."""
    text = text.strip()
    parts = [text] if _DECIMAL_COMMA.fullmatch(text) else re.split(r"[\s,;]+(?![^(]*\))", text.strip("[]"))
    return [_STOP.typed(part, "move by")[0] for part in parts if part]


def type_value(
    document: YamlDocument, entry: DocumentEntry, row: PieceRow, text: str, names: KnownNames = NO_NAMES
) -> None:
    """Write a typed value; with several numbers the whole point of a coordinate. An empty text removes a field that has
    a default. EditRefused with what is allowed."""
    fields = PieceFields(document, entry)
    field = row.field
    typed = text.strip()
    if not typed:
        if field.axes or field.required:
            raise EditRefused(f"`{row.label}` needs a value: {field.limits()}")
        fields.remove(*row.path)
    elif not isinstance(field, Ranged):
        fields.set(row.path, field.typed_word(typed, names))
    elif not field.axes:
        fields.set(row.path, field.typed(typed, row.label)[1])
    else:
        numbers: list[float] = []
        with contextlib.suppress(EditRefused):
            numbers = read_numbers(typed)
        if len(numbers) < 2:
            value, written = field.typed(typed, row.label)
            is_number = _PLAIN_NUMBER.fullmatch(written) or not row.is_written
            fields.set(row.path, value if is_number else written)
            return
        count = len(field.axes)
        if len(numbers) != count:
            raise EditRefused(f"`{row.label.rpartition(' ')[0]}` has {count} numbers: {' '.join(field.axes)}")
        fields.set(row.path[:-1], [field.typed(str(value), row.label)[0] for value in numbers])


def step_value(
    document: YamlDocument, entry: DocumentEntry, row: PieceRow, sense: int, grid: float, fine: bool,
    names: KnownNames = NO_NAMES,
) -> None:  # fmt: skip
    """Step a number by `sense` (1 or -1) within its limits, or take the next or previous word."""
    fields = PieceFields(document, entry)
    field = row.field
    if not isinstance(field, Ranged):
        fields.set(row.path, field.next_word(row.value.strip("()"), sense, names))
        return
    value = fields.number(*row.path)
    if value is None:
        raise EditRefused(f"`{row.label}` is automatic: type a value")
    fields.set(row.path, field.stepped(value, sense * field.step_size(value, grid, fine), row.label))


def common_rows(lists: Sequence[list[PieceRow]]) -> list[PieceRow]:
    """Rows that all of several pieces have, without points and entries. Different values show as "(various)"."""
    if len(lists) == 1:
        return lists[0]
    found = []
    for row in lists[0]:
        same = [next((other for other in rows if other.label == row.label), None) for rows in lists]
        if len(row.path) == 1 and all(other is not None and other.field.words == row.field.words for other in same):
            values = {other.value for other in same if other is not None}
            is_one = len(values) == 1
            value = row.value if is_one else "(various)"
            found.append(PieceRow(row.label, value, row.path, row.field, is_one and row.is_written))
    return found
