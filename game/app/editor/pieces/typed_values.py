"""Typed values of fields: the text that a person types, checked by the schema and written into the document."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ....level.edit import DocumentEntry, EditRefused, YamlDocument, format_number, format_text
from ....level.format.findings import join_alternatives, suggest_word
from ....level.format.schema.fields import SchemaField, ValueKind
from ....level.format.values import FACING_DEGREES
from ....level.format.yaml_nodes import YamlList
from ..document.field_access import PieceFields, nested_value, parse_number
from .resize import (
    AXES,
    PATH,
    NumberField,
    number_fields,
    number_point,
    set_number_point,
    step_value,
    stop_fields,
)

NUMBER_KINDS = frozenset((ValueKind.NUMBER, ValueKind.INTEGER, ValueKind.ANGLE, ValueKind.SCALE))
TEXT_KINDS = (
    ValueKind.SURFACE, ValueKind.CHOICE, ValueKind.FLAG, ValueKind.COLOUR, ValueKind.TEXT, ValueKind.FORMULA,
    ValueKind.PREFAB, ValueKind.PART,
)  # fmt: skip
FREE_TEXT_KINDS = frozenset((ValueKind.TEXT, ValueKind.FORMULA))  # texts that are edited, not replaced
NO_VALUE = "none"  # shown for a field that is not written and has no default
MAX_COORDINATE = 1e5 - 1.0  # limits as wide as this are not told
FLAG_WORDS = {"true": "true", "yes": "true", "on": "true", "1": "true",
              "false": "false", "no": "false", "off": "false", "0": "false"}  # fmt: skip
METRES = {"m": 1.0, "cm": 0.01, "mm": 0.001}
_NUMBER_WITH_UNIT = re.compile(r"([-+]?[0-9]*[.,]?[0-9]+) *(m|cm|mm|°|degrees|s)?")
_DECIMAL_COMMA = re.compile(r"[-+]?[0-9]+,[0-9]+")
_PLAIN_NUMBER = re.compile(r"[-+]?[0-9]*\.?[0-9]+")


@dataclass(frozen=True, slots=True)
class KnownNames:
    """Names that a field may refer to: surfaces of the level, prefabs under `define`."""

    surfaces: tuple[str, ...] = ()
    prefabs: tuple[str, ...] = ()


def editable_fields(
    document: YamlDocument, entry: DocumentEntry, part: tuple[str, int] | None = None
) -> list[NumberField]:
    """All fields that can be stepped or typed: numbers first, then surfaces, choices, flags and texts.

    part: field and index of a selected point of the piece; the place of a stop comes before the fields of its mover.
    """
    fields = PieceFields(document, entry)
    found = stop_fields(fields, part[1]) if part is not None and part[0] == PATH else []
    found += number_fields(document, entry)
    for kind in TEXT_KINDS:
        for field in fields.record.fields:
            if field.kind is kind:
                text = _shown_text(fields, field)
                if text is not None:
                    is_written = fields.is_written(field.name)
                    found.append(NumberField(field.name, text, field.name, field, is_written=is_written))
    return found


def _shown_text(fields: PieceFields, field: SchemaField) -> str | None:
    """Value of a field as it is shown; None for one that is written in another form."""
    try:
        text = fields.text(field.name)
    except EditRefused:
        return None
    if text is not None:
        return text
    if isinstance(field.default, bool):
        return f"({'true' if field.default else 'false'})"
    if field.default is not None and not isinstance(field.default, str):
        return None
    return f"({field.default})" if field.default else NO_VALUE


def describe_limits(field: SchemaField) -> str:
    """Kind, limits and unit of a field, for a message: "a number from 0.01 to 10 m"."""
    if field.kind is ValueKind.ANGLE:
        return "north, northwest, west, ... or degrees"
    if field.kind is ValueKind.FLAG:
        return "true or false"
    if field.kind is ValueKind.CHOICE:
        return join_alternatives(field.choices)
    if field.kind in (ValueKind.POINT, ValueKind.PLAN, ValueKind.NUMBER, ValueKind.INTEGER, ValueKind.SCALE):
        kind = "a whole number" if field.kind is ValueKind.INTEGER else "a number"
        low, high = field.low > -MAX_COORDINATE, field.high < MAX_COORDINATE
        limits = f" from {format_number(field.low)}" if low else ""
        limits += f" to {format_number(field.high)}" if high else ""
        unit = f" {field.unit}" if limits or not field.unit else f" in {field.unit}"
        return f"{kind}{limits}{unit}".rstrip()
    if field.kind is ValueKind.SURFACE:
        return "the name of a surface"
    return str(field.kind.value)


def read_number(text: str, field: SchemaField, label: str) -> tuple[float, str]:
    """Value of a typed number and the text that is written for it. EditRefused with the limits of the schema.

    A unit of length is converted to metres; a decimal comma is a point; an expression stays as it is.
    """
    typed = text.strip()
    if field.kind is ValueKind.ANGLE and typed.lower() in FACING_DEGREES:
        return FACING_DEGREES[typed.lower()], typed.lower()
    match = _NUMBER_WITH_UNIT.fullmatch(typed)
    if match:
        value = float(match[1].replace(",", "."))
        if match[2] in METRES:
            if field.unit != "m":
                raise EditRefused(f"`{label}` is no length: it is {describe_limits(field)}")
            value *= METRES[match[2]]
        written = format_number(value)
    else:
        try:
            value = parse_number(typed)
        except EditRefused:
            raise EditRefused(f"`{typed[:40]}` is not a number: `{label}` is {describe_limits(field)}") from None
        written = typed
    if field.kind is ValueKind.INTEGER and value != round(value):
        raise EditRefused(f"`{label}` is {describe_limits(field)}")
    if not field.low <= value <= field.high:
        raise EditRefused(f"`{label}` is {describe_limits(field)}")
    return value, written


def read_numbers(text: str) -> list[float]:
    """Numbers of a typed offset: "1.25, 0, -2" or "1.25 0 -2". EditRefused if one of them is none."""
    if _DECIMAL_COMMA.fullmatch(text.strip()):
        return [float(text.strip().replace(",", "."))]
    parts = [part for part in re.split(r"[\s,;]+(?![^(]*\))", text.strip().strip("[]")) if part]
    found = []
    for part in parts:
        match = _NUMBER_WITH_UNIT.fullmatch(part)
        found.append(float(match[1]) * METRES.get(match[2] or "m", 1.0) if match else parse_number(part))
    return found


def type_value(
    document: YamlDocument, entry: DocumentEntry, row: NumberField, text: str, names: KnownNames = KnownNames()
) -> None:
    """Write a typed value. An empty text removes a field that has a default. EditRefused with what is allowed."""
    fields = PieceFields(document, entry)
    typed = text.strip()
    if not typed:
        _remove(document, fields, row)
    elif row.record >= 0:
        is_word = row.field.kind is ValueKind.CHOICE
        written = read_word(typed, row.field, names) if is_word else read_number(typed, row.field, row.label)[1]
        _set_nested(fields, row, written)
    elif row.index >= 0:
        _type_coordinate(fields, row, typed)
    elif row.field.kind in NUMBER_KINDS:
        _, written = read_number(typed, row.field, row.label)
        document.set_field(entry, row.name, written)
    else:
        document.set_field(entry, row.name, read_word(typed, row.field, names))


def _remove(document: YamlDocument, fields: PieceFields, row: NumberField) -> None:
    if row.record >= 0 or row.index >= 0 or row.field.required:
        raise EditRefused(f"`{row.label}` needs a value: {describe_limits(row.field)}")
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
        set_number_point(fields, row, [read_number(str(value), row.field, row.name)[0] for value in numbers])
        return
    value, written = read_number(typed, row.field, row.label)
    node = fields.entry.field_node(row.name)
    if isinstance(node, YamlList) and row.row >= 0:
        node = node.items[row.row]
    if not isinstance(node, YamlList) or _PLAIN_NUMBER.fullmatch(written):
        point[row.index] = value
        set_number_point(fields, row, point)
    else:  # an expression
        fields.set_within(row.name, {id(node.items[row.index]): written})


def read_word(typed: str, field: SchemaField, names: KnownNames) -> str:
    """YAML text of a typed word, name or text. EditRefused with the known words."""
    if field.kind is ValueKind.FLAG:
        if typed.lower() not in FLAG_WORDS:
            raise EditRefused(f"`{field.name}` is true or false")
        return FLAG_WORDS[typed.lower()]
    known = allowed_words(field, names)
    if known and typed not in known:
        hint = suggest_word(typed, known) or f"known are {join_alternatives(known[:8])}"
        what = {ValueKind.SURFACE: "surface", ValueKind.PREFAB: "prefab"}.get(field.kind, f"`{field.name}`")
        raise EditRefused(f"there is no {what} `{typed[:40]}`: {hint}")
    if field.kind is ValueKind.TEXT and not field.min_count <= len(typed) <= field.max_count:
        raise EditRefused(f"`{field.name}` has {field.min_count} to {field.max_count} characters")
    return format_text(typed)


def allowed_words(field: SchemaField, names: KnownNames) -> tuple[str, ...]:
    """Words that a field takes; empty for free text."""
    if field.kind is ValueKind.FLAG:
        return "true", "false"
    if field.kind is ValueKind.CHOICE:
        return field.choices
    return {ValueKind.SURFACE: names.surfaces, ValueKind.PREFAB: names.prefabs}.get(field.kind, ())


def step_field(
    document: YamlDocument, entry: DocumentEntry, row: NumberField, sense: int, grid: float, fine: bool,
    names: KnownNames = KnownNames(),
) -> None:  # fmt: skip
    """Step a number, or take the next or previous word of a field."""
    is_word = row.field.kind is ValueKind.CHOICE
    if not is_word and (row.record >= 0 or row.index >= 0 or row.field.kind in NUMBER_KINDS):
        step_value(document, entry, row, sense, grid, fine)
        return
    words = allowed_words(row.field, names)
    if not words:
        raise EditRefused(f"`{row.label}` is {describe_limits(row.field)}: type it")
    present = row.value.strip("()")
    at = words.index(present) + sense if present in words else 0 if sense > 0 else len(words) - 1
    word = read_word(words[at % len(words)], row.field, names)
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
        if all(other is not None and other.field.kind is row.field.kind for other in same):
            values = {other.value for other in same if other is not None}
            is_written = len(values) == 1 and row.is_written
            value = row.value if len(values) == 1 else "(various)"
            found.append(NumberField(row.label, value, row.name, row.field, is_written=is_written))
    return found
