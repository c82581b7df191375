"""Rows of a piece: the values of its fields, which are typed or stepped one by one."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ....level.edit import DocumentEntry, EditRefused, YamlDocument, format_number
from ....level.format.numbers import Number, Plan, Point, Ranged
from ....level.format.record import KnownNames, Value
from ....level.format.record_values import Many
from ....level.format.values import Choice
from ..document.field_access import PATH, PieceFields

AXES = {3: "xyz", 2: "xz"}
NO_NAMES = KnownNames()
_STOP = Point("A stop of a path.")
_DECIMAL_COMMA = re.compile(r"[-+]?[0-9]+,[0-9]+")
_PLAIN_NUMBER = re.compile(r"[-+]?[0-9]*\.?[0-9]+")


@dataclass(frozen=True, slots=True)
class PieceRow:
    """A value of a piece.

    value        as written; in brackets where it is only the default
    name, path   its field, and its place in the field's value: indices of entries and coordinates, names in an entry
    field        its kind
    """

    label: str
    value: str
    name: str
    field: Value[Any]
    path: tuple[str | int, ...] = ()
    is_written: bool = True  # false where `value` shows a default


def piece_rows(document: YamlDocument, entry: DocumentEntry, part: tuple[str, int] | None = None) -> list[PieceRow]:
    """All values that can be stepped or typed: single numbers, coordinates of points, numbers of doors and windows,
    then surfaces, choices, flags and texts. Those that are written in another form are left out.

    part: field and index of a selected point of the piece; the place of a stop comes before the fields of its mover.
    """
    fields = PieceFields(document, entry)
    found: list[PieceRow] = []
    if part is not None and part[0] == PATH:
        with contextlib.suppress(EditRefused):
            stop = fields.vector(*part)
            found += _point_rows(fields, _STOP, f"stop {part[1] + 1}", stop or [], *part)
    for field in sorted(fields.record.fields.values(), key=_rank):
        with contextlib.suppress(EditRefused):
            found += _rows_of(fields, field)
    return found


def _rank(field: Value[Any]) -> int:
    """Place of a field among the rows."""
    return field.word_rank or (-3 if field.is_number else -2 if isinstance(field, Point | Plan) else -1)


def _rows_of(fields: PieceFields, field: Value[Any]) -> Iterator[PieceRow]:
    if field.is_number or field.word_rank:
        text = fields.text(field.name)
        shown = field.shown_default() if text is None else text
        if shown:
            yield PieceRow(field.name, shown, field.name, field, is_written=text is not None)
    elif isinstance(field, Point | Plan):
        yield from _point_rows(fields, field, field.name, fields.vector(field.name) or [], field.name)
    elif isinstance(field, Many):
        for index in fields.entries(field.name):
            for inner in field.record.fields.values():
                text = fields.text(field.name, index, inner.name) if isinstance(inner, Number | Choice) else None
                if text is not None:
                    label = f"{field.record.kind} {index + 1} {inner.name}"
                    yield PieceRow(label, text, field.name, inner, (index, inner.name))


def _point_rows(
    fields: PieceFields, field: Value[Any], label: str, point: Sequence[float], name: str, *path: int
) -> Iterator[PieceRow]:
    """Coordinates of a point."""
    is_written = fields.is_written(name) or bool(path)
    for index, value in enumerate(point):
        text = format_number(value) if is_written else f"({format_number(value)})"
        yield PieceRow(f"{label} {AXES[len(point)][index]}", text, name, field, (*path, index), is_written)


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
        if row.path or field.required:
            raise EditRefused(f"`{row.label}` needs a value: {field.limits()}")
        document.remove_field(entry, row.name)
    elif not isinstance(field, Ranged):
        fields.set(row.name, field.typed_word(typed, names), *row.path)
    elif not isinstance(field, Point | Plan):
        fields.set(row.name, field.typed(typed, row.label)[1], *row.path)
    else:
        numbers: list[float] = []
        with contextlib.suppress(EditRefused):
            numbers = read_numbers(typed)
        if len(numbers) < 2:
            value, written = field.typed(typed, row.label)
            is_number = _PLAIN_NUMBER.fullmatch(written) or not row.is_written
            fields.set(row.name, value if is_number else written, *row.path)
            return
        count = 3 if isinstance(field, Point) else 2
        if len(numbers) != count:
            raise EditRefused(f"`{row.label[:-2]}` has {count} numbers: {' '.join(AXES[count])}")
        values = [field.typed(str(value), row.name)[0] for value in numbers]
        fields.set(row.name, values, *row.path[:-1])


def step_value(
    document: YamlDocument, entry: DocumentEntry, row: PieceRow, sense: int, grid: float, fine: bool,
    names: KnownNames = NO_NAMES,
) -> None:  # fmt: skip
    """Step a number by `sense` (1 or -1) within its limits, or take the next or previous word."""
    fields = PieceFields(document, entry)
    field = row.field
    if not isinstance(field, Ranged):
        fields.set(row.name, field.next_word(row.value.strip("()"), sense, names), *row.path)
        return
    value = fields.number(row.name, *row.path)
    if value is None:
        raise EditRefused(f"`{row.name}` is automatic: type a value")
    by = sense * field.step_size(value, grid, fine)
    fields.set(row.name, field.stepped(value, by, row.label), *row.path)


def common_rows(lists: Sequence[list[PieceRow]]) -> list[PieceRow]:
    """Rows that all of several pieces have, without points and doors. Different values show as "(various)"."""
    if len(lists) == 1:
        return lists[0]
    found = []
    for row in lists[0]:
        same = [next((other for other in rows if other.label == row.label), None) for rows in lists]
        if not row.path and all(other is not None and other.field.words == row.field.words for other in same):
            values = {other.value for other in same if other is not None}
            is_one = len(values) == 1
            value = row.value if is_one else "(various)"
            found.append(PieceRow(row.label, value, row.name, row.field, is_written=is_one and row.is_written))
    return found
