"""Typed values of fields: the text that a person types, checked by the schema and written into the document."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ....level.edit import DocumentEntry, EditRefused, YamlDocument
from ....level.format.numbers import METRES, NUMBER_WITH_UNIT, Ranged, number_of
from ....level.format.record import KnownNames
from ....level.format.values import Choice
from ....level.format.yaml_nodes import YamlList
from ..document.field_access import PieceFields, nested_value
from .resize import (
    AXES,
    PATH,
    NumberField,
    number_fields,
    number_point,
    own_row,
    set_number_point,
    step_value,
    stop_fields,
)

NO_NAMES = KnownNames()
_DECIMAL_COMMA = re.compile(r"[-+]?[0-9]+,[0-9]+")
_PLAIN_NUMBER = re.compile(r"[-+]?[0-9]*\.?[0-9]+")


def editable_fields(
    document: YamlDocument, entry: DocumentEntry, part: tuple[str, int] | None = None
) -> list[NumberField]:
    """All fields that can be stepped or typed: numbers first, then surfaces, choices, flags and texts.

    part: field and index of a selected point of the piece; the place of a stop comes before the fields of its mover.
    """
    fields = PieceFields(document, entry)
    found = stop_fields(fields, part[1]) if part is not None and part[0] == PATH else []
    found += number_fields(document, entry)
    words = [field for field in fields.record.fields.values() if field.word_rank]
    for field in sorted(words, key=lambda field: field.word_rank):
        found += own_row(fields, field)
    return found


def read_numbers(text: str) -> list[float]:
    """Numbers of a typed offset: "1.25, 0, -2" or "1.25 0 -2". EditRefused if one of them is none."""
    if _DECIMAL_COMMA.fullmatch(text.strip()):
        return [float(text.strip().replace(",", "."))]
    parts = [part for part in re.split(r"[\s,;]+(?![^(]*\))", text.strip().strip("[]")) if part]
    found = []
    for part in parts:
        match = NUMBER_WITH_UNIT.fullmatch(part)
        found.append(float(match[1]) * METRES.get(match[2] or "m", 1.0) if match else number_of(part))
    return found


def type_value(
    document: YamlDocument, entry: DocumentEntry, row: NumberField, text: str, names: KnownNames = NO_NAMES
) -> None:
    """Write a typed value. An empty text removes a field that has a default. EditRefused with what is allowed."""
    fields = PieceFields(document, entry)
    typed = text.strip()
    if not typed:
        _remove(document, fields, row)
    elif row.record >= 0:
        is_word = isinstance(row.field, Choice)
        written = row.field.typed_word(typed, names) if is_word else _ranged(row).typed(typed, row.label)[1]
        _set_nested(fields, row, written)
    elif row.index >= 0:
        _type_coordinate(fields, row, typed)
    elif row.field.is_number:
        _, written = _ranged(row).typed(typed, row.label)
        document.set_field(entry, row.name, written)
    else:
        document.set_field(entry, row.name, row.field.typed_word(typed, names))


def _ranged(row: NumberField) -> Ranged[Any]:
    assert isinstance(row.field, Ranged)
    return row.field


def _remove(document: YamlDocument, fields: PieceFields, row: NumberField) -> None:
    if row.record >= 0 or row.index >= 0 or row.field.required:
        raise EditRefused(f"`{row.label}` needs a value: {row.field.limits()}")
    document.remove_field(fields.entry, row.name)


def _type_coordinate(fields: PieceFields, row: NumberField, typed: str) -> None:
    """Write one coordinate of a point; with several numbers the whole point."""
    point = number_point(fields, row)
    try:
        numbers = read_numbers(typed)
    except EditRefused:
        numbers = []
    if len(numbers) > 1:
        if len(numbers) != len(point):
            name = row.name if row.row < 0 else row.label[:-2]
            raise EditRefused(f"`{name}` has {len(point)} numbers: {' '.join(AXES[len(point)])}")
        set_number_point(fields, row, [_ranged(row).typed(str(value), row.name)[0] for value in numbers])
        return
    value, written = _ranged(row).typed(typed, row.label)
    node = fields.entry.field_node(row.name)
    if isinstance(node, YamlList) and row.row >= 0:
        node = node.items[row.row]
    if not isinstance(node, YamlList) or _PLAIN_NUMBER.fullmatch(written):
        point[row.index] = value
        set_number_point(fields, row, point)
    else:  # an expression
        fields.set_within(row.name, {id(node.items[row.index]): written})


def step_field(
    document: YamlDocument, entry: DocumentEntry, row: NumberField, sense: int, grid: float, fine: bool,
    names: KnownNames = NO_NAMES,
) -> None:  # fmt: skip
    """Step a number, or take the next or previous word of a field."""
    if not isinstance(row.field, Choice) and (row.record >= 0 or row.index >= 0 or row.field.is_number):
        step_value(document, entry, row, sense, grid, fine)
        return
    word = row.field.next_word(row.value.strip("()"), sense, names)
    if row.record >= 0:
        _set_nested(PieceFields(document, entry), row, word)
    else:
        document.set_field(entry, row.name, word)


def _set_nested(fields: PieceFields, row: NumberField, written: str) -> None:
    """Write a number or word in an entry of a list."""
    node = nested_value(fields.records(row.name)[row.record], row.inner)
    assert node is not None
    fields.set_within(row.name, {id(node): written})


def common_fields(lists: Sequence[list[NumberField]]) -> list[NumberField]:
    """Fields that all of several pieces have, without points and doors. Different values show as "(various)"."""
    if len(lists) == 1:
        return lists[0]
    found = []
    for row in lists[0]:
        if row.index >= 0 or row.record >= 0:
            continue
        same = [next((other for other in rows if other.label == row.label), None) for rows in lists]
        if all(other is not None and other.field.words == row.field.words for other in same):
            values = {other.value for other in same if other is not None}
            is_written = len(values) == 1 and row.is_written
            value = row.value if len(values) == 1 else "(various)"
            found.append(NumberField(row.label, value, row.name, row.field, is_written=is_written))
    return found
