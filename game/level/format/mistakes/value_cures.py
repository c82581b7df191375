"""Cures for values that are written in another way than YAML or the level format reads: units, commas, quotes."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from ..findings import sanitize_text
from ..schema.fields import SchemaField, ValueKind
from ..yaml_nodes import YamlList, YamlMapping, YamlNode, YamlScalar

NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
INTEGER = re.compile(r"[+-]?[0-9]+")
MAX_NUMBER_LENGTH = 40
MAX_SHOWN_TEXT = 40
_WITH_UNIT = re.compile(r"([+-]?[0-9.]+)\s*(m|cm|mm|km|metres?|meters?|deg|degrees?|°|s|%)")
_CLOCK_TIME = re.compile(r"([0-9]{1,4}):([0-5][0-9](?:\.[0-9]{1,9})?)")  # minutes and seconds
_DECIMAL_COMMA = re.compile("^([+-]?[0-9]+),([0-9]+)(?![0-9,])")
_JOINED_FIELD = re.compile(r"(\w+)( *= *|:)(\S.*)")  # a name and its value that YAML reads as one name
_CURLY_QUOTED = re.compile("[\u201c\u201d\u201e\u2018\u2019](.+)[\u201c\u201d\u2018\u2019]")
_COMMENT = re.compile(r"(?<!\S)(//|/\*)")
_DIGITS = str.maketrans("Oo\u041e\u043e\u039f\u03bflI|\u0406\u0399", "00000011111")  # letters that look like digits
_FRACTION = re.compile("[0-9]+ ?[a-z°]{0,9}")  # the part of a number after a decimal comma, with a unit
_WHOLE_NUMBER = re.compile("[+-]?[0-9]{1,15}")


def curly_quoted(node: YamlNode) -> str:
    """The text between curly quotation marks around a whole text, which YAML keeps as letters; '' for other nodes."""
    match = _CURLY_QUOTED.fullmatch(node.text.strip()) if isinstance(node, YamlScalar) and node.plain else None
    return match[1] if match else ""


def writing_cure(node: YamlNode) -> str:
    """Cure for a wrong value with curly quotation marks around it, or with a comment that YAML does not know."""
    if quoted := curly_quoted(node):
        return f'use straight quotes: write "{sanitize_text(quoted)}"'
    comment = _COMMENT.search(node.text) if isinstance(node, YamlScalar) and node.plain else None
    return f"a comment begins with `#`: write `#` in place of `{comment[1]}`" if comment else ""


def joined_field_cure(name: str, names: Collection[str]) -> tuple[str, tuple[str, ...]] | None:
    """Cure of `radius:0.2` or `height = 2`, which YAML reads as one name, and the field that it means; None for others.

    names: of the fields.
    """
    joined = _JOINED_FIELD.fullmatch(name)
    if joined is None or joined[1] not in names:
        return None
    return f"write `{joined[1]}: {sanitize_text(joined[3])}`, with a colon and a space", (joined[1],)


def mapped_point_cure(node: YamlNode, names: Sequence[str]) -> str:
    """The point `{x: 1, y: 0, z: 2}` in square brackets; '' for another node."""
    pairs = node.pairs if isinstance(node, YamlMapping) else []
    numbers = {
        key.text.lower(): value.text
        for key, value in pairs
        if isinstance(key, YamlScalar) and isinstance(value, YamlScalar) and NUMBER.fullmatch(value.text)
    }
    is_point = len(pairs) == len(names) and set(numbers) == set(names)
    return f"use square brackets: write [{', '.join(numbers[name] for name in names)}]" if is_point else ""


def joined_decimals(node: YamlList, count: int) -> list[str]:
    """`count` numbers, if commas without a blank after them are decimal commas: [0,5, 1, 2]; empty otherwise."""
    numbers: list[str] = []
    end = -1
    has_blanks = False
    for item in node.items:
        place = item.place
        if not isinstance(item, YamlScalar) or not item.plain or not NUMBER.fullmatch(item.text):
            return []
        if numbers and place.column == end + 1 and item.text.isdigit() and INTEGER.fullmatch(numbers[-1]):
            numbers[-1] += f".{item.text}"
        else:
            has_blanks |= bool(numbers) and place.column > end + 1
            numbers.append(item.text)
        end = place.column + place.length
    is_clear = has_blanks or len(node.items) == 2 * count  # [1,2,3] may be 1.2 and 3, or 1 and 2.3
    return numbers if len(numbers) == count and is_clear else []


_METRES = {"m": 1.0, "metre": 1.0, "metres": 1.0, "meter": 1.0, "meters": 1.0, "cm": 0.01, "mm": 0.001, "km": 1000.0}
_DEGREES = ("deg", "degree", "degrees", "°")
_UNIT_RULES = {"m": "lengths are metres", "degrees": "angles are degrees", "s": "times are seconds"}


def plain_number(text: str, unit: str) -> str:
    """Number without its unit or with a decimal point, in the field's unit ("m", "degrees", "s"); '' if it is none."""
    lowered = _DECIMAL_COMMA.sub(r"\1.\2", text.strip().lower()) if len(text) <= MAX_SHOWN_TEXT else ""
    written = _WITH_UNIT.fullmatch(lowered)
    if written and NUMBER.fullmatch(written[1]):
        if unit == "m" and written[2] in _METRES:
            return f"{float(written[1]) * _METRES[written[2]]:g}"
        if (unit == "degrees" and written[2] in _DEGREES) or (unit == "s" and written[2] == "s"):
            return written[1]
        return ""
    return lowered if "," in text and NUMBER.fullmatch(lowered) else ""


def number_cure(text: str, field: SchemaField) -> str:
    """Cure of a text that is no number; '' for none, and for a long text."""
    if len(text) > MAX_SHOWN_TEXT:
        return ""
    unit = "degrees" if field.kind is ValueKind.ANGLE else field.unit
    number = plain_number(text, unit)
    lowered = text.strip().lower()
    if number:
        has_unit = _WITH_UNIT.fullmatch(lowered.replace(",", ".")) is not None
        return f"{_UNIT_RULES[unit]}: write {number}" if has_unit else f"write {number}"
    if (written := _WITH_UNIT.fullmatch(lowered)) and NUMBER.fullmatch(written[1]):
        return (
            f"write {float(written[1]) / 100.0:g}"
            if written[2] == "%" and unit not in _UNIT_RULES
            else "remove the unit"
        )
    if field.unit == "s" and (clock := _CLOCK_TIME.fullmatch(lowered)):
        return f"write {60 * int(clock[1]) + float(clock[2]):.10g}"
    digits = text.strip().translate(_DIGITS)
    if NUMBER.fullmatch(digits) and (len(digits) == 1 or any(char.isdigit() for char in text)):
        letter = next(char for char in text if char != char.translate(_DIGITS))
        return f"the letter `{letter}` is no digit: write {digits}"
    parts = text.strip().split("\\")
    if len(parts) == 2 and all(NUMBER.fullmatch(part) for part in parts):
        return f"write {'/'.join(parts)}"
    if lowered.lstrip("+-.") in ("nan", "inf", "infinity"):
        return "write a finite number"
    return ""


def with_fraction(whole: YamlNode, key: YamlNode, value: YamlNode) -> YamlScalar | None:
    """The number `0,4` of `reach: 0,4`, which YAML reads as `reach: 0` and the field `4` without a value; else None.

    A unit may follow: `0,4 m`.
    """
    if not isinstance(whole, YamlScalar) or not isinstance(key, YamlScalar) or not isinstance(value, YamlScalar):
        return None
    is_number = whole.plain and _WHOLE_NUMBER.fullmatch(whole.text) and key.plain and _FRACTION.fullmatch(key.text)
    is_next = whole.place.column + whole.place.length + 1 == key.place.column
    return whole.with_text(f"{whole.text},{key.text}") if is_number and is_next and not value.text else None
