"""From the text of one YAML node to one value of the kind that the schema names, or a BadValue in words.

No YAML type is ever guessed: `010`, `on`, `1:30` and `.nan` are text until a field says what it wants.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from . import expressions
from .findings import Place, did_you_mean, listed, quoted
from .schema.fields import FARTHEST, Field, Kind
from .yaml_nodes import List, Mapping, Node, Scalar

_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
_INTEGER = re.compile(r"[+-]?[0-9]+")
_WITH_UNIT = re.compile(r"([+-]?[0-9.]+)\s*(m|cm|mm|km|metres?|meters?|deg|degrees?|°|s|%)")
_SUM = re.compile(r"(?=.*([0-9(]|pi)).*[-+*/(^]|\s*pi\s*$")  # what is meant as one
_LONGEST_NUMBER = 40
MOST_SUMS = 250_000  # characters of sums in one level

FACINGS = {
    "north": 0.0, "northwest": 45.0, "west": 90.0, "southwest": 135.0,
    "south": 180.0, "southeast": 225.0, "east": 270.0, "northeast": 315.0,
}  # fmt: skip

COLOURS = {
    "black": 0x000000, "white": 0xFFFFFF, "grey": 0x808080, "gray": 0x808080, "silver": 0xC0C0C0,
    "lightgrey": 0xD3D3D3, "darkgrey": 0x505050, "red": 0xC8322B, "maroon": 0x7A1F1F, "brown": 0x7B4F2E,
    "orange": 0xE08A2B, "gold": 0xD4AF37, "yellow": 0xE6CF3E, "olive": 0x7A7A2C, "lime": 0x8BC34A,
    "green": 0x3F8F4A, "darkgreen": 0x2B5A33, "teal": 0x2F8080, "cyan": 0x4CC3D0, "skyblue": 0x87CEEB,
    "blue": 0x2F62B5, "navy": 0x1F2F5F, "purple": 0x6B4A9A, "magenta": 0xB0459A, "pink": 0xE8A7B8,
    "beige": 0xE4DCC4, "ivory": 0xF4F0E0, "sand": 0xD8C596, "tan": 0xC8A878, "terracotta": 0xB5613F,
}  # fmt: skip


class BadValue(Exception):
    """A value that is not what its field wants."""

    def __init__(self, node: Node, message: str, cure: str = "", place: Place | None = None) -> None:
        super().__init__(message)
        self.place: Place = place or node.place
        self.message = message
        self.cure = cure


def what_is(node: Node) -> str:
    """A node in words."""
    if isinstance(node, List):
        return "a list"
    if isinstance(node, Mapping):
        return "fields"
    return quoted(node.text) if isinstance(node, Scalar) and node.text else "nothing"


def scalar(node: Node, field: Field) -> str:
    """The text of a value that is neither list nor mapping."""
    if not isinstance(node, Scalar):
        raise BadValue(node, f"{what_is(node)} where {_wanted(field)} belongs")
    text = node.text.strip() if node.plain else node.text
    if not text:
        cure = 'a colour needs quotes, "#8d8a83": # begins a comment' if field.kind is Kind.COLOUR else ""
        raise BadValue(node, f"nothing where {_wanted(field)} belongs", cure)
    return text


def _wanted(field: Field) -> str:
    """What one value of a field has to be: of points, their numbers."""
    kind = Kind.NUMBER if field.kind in (Kind.POINT, Kind.PLAN, Kind.CORNERS, Kind.SPAN, Kind.GRID) else field.kind
    return str(kind.value)


def number(node: Node, field: Field) -> float:
    """A finite number within the field's range, or a sum that comes to one."""
    text = scalar(node, field).strip()
    if not _NUMBER.fullmatch(text[: _LONGEST_NUMBER + 1]):
        return _within(node, _summed(node, text, f"no number{_in(field)}"), field)
    return _within(node, float(text), field)


def integer(node: Node, field: Field) -> int:
    """A whole number within the field's range, or a sum that comes to one."""
    text = scalar(node, field).strip()
    if len(text) <= _LONGEST_NUMBER and _INTEGER.fullmatch(text):
        return int(_within(node, float(text), field))
    if _NUMBER.fullmatch(text[: _LONGEST_NUMBER + 1]):
        raise BadValue(node, f"{quoted(text)} is no whole number")
    found = _summed(node, text, "no whole number")
    if found != round(found):
        raise BadValue(node, f"{quoted(text)} is {found:g}, which is no whole number", "use `floor(...)`")
    return int(_within(node, found, field))


def _summed(node: Node, text: str, wanted: str) -> float:
    """What a sum comes to; BadValue where the text is none, or where it is wrong."""
    assert isinstance(node, Scalar)
    cure = _number_cure(text)
    if cure or not _SUM.match(text[: expressions.LONGEST]):
        raise BadValue(node, f"{quoted(text)} is {wanted}", cure)
    tally = node.source.tally
    tally.sums += len(text)
    if tally.sums > MOST_SUMS:
        raise BadValue(node, f"more than {MOST_SUMS} characters of sums in one level", "write plain numbers")
    try:
        return expressions.parse(text).value()
    except expressions.SumError as error:
        ahead = len(node.text) - len(node.text.lstrip())
        raise BadValue(node, error.message, error.cure, node.within(ahead + error.column)) from None


def point(node: Node, field: Field, names: Sequence[str] = ("x", "y", "z")) -> tuple[float, ...]:
    """As many numbers as there are names."""
    wanted = f"[{', '.join(names)}]"
    if not isinstance(node, List):
        cure = f"write it in square brackets: {wanted}" if isinstance(node, Scalar) else ""
        raise BadValue(node, f"{what_is(node)} where a point {wanted} belongs", cure)
    if len(node.items) != len(names):
        cure = ""
        if any(isinstance(item, Scalar) and item.text.count("(") > item.text.count(")") for item in node.items):
            cure = 'a sum with a comma needs quotes: "min(1, 2)"'
        elif len(node.items) == 1:
            cure = f"put commas between its numbers: {wanted}"
        elif field.kind is Kind.PLAN and len(node.items) == 3:
            cure = "leave out the middle one: a height is written as `y`"
        plural = "" if len(node.items) == 1 else "s"
        raise BadValue(node, f"{len(node.items)} value{plural} where a point {wanted} belongs", cure)
    return tuple(number(item, field) for item in node.items)


def scale(node: Node, field: Field) -> Sequence[float]:
    """How many times as large along x, y and z: one number for all, or three."""
    items = node.items if isinstance(node, List) else [node]
    if len(items) not in (1, 3):
        raise BadValue(node, f"{len(items)} values where {field.kind.value} belongs", "write one, or [x, y, z]")
    found = [number(item, replace(field, low=-FARTHEST, high=FARTHEST, unit="")) for item in items]
    for item, factor in zip(items, found, strict=True):
        if factor <= 0.0:
            cure = "2 is twice as large, 0.5 half; nothing can be turned inside out"
            raise BadValue(item, f"{factor:g} is no scale: it has to be above 0", cure)
        _within(item, factor, field)
    return tuple(found) if len(found) == 3 else tuple(found * 3)


def corners(node: Node, field: Field) -> tuple[tuple[float, ...], ...]:
    """The list of points of a quad or a triangle."""
    if not isinstance(node, List):
        count = field.least if field.least == field.most else ""
        raise BadValue(node, f"{what_is(node)} where a list of {count} points belongs".replace("  ", " "))
    if field.least < field.most:
        if not field.least <= len(node.items) <= field.most:
            raise BadValue(node, f"{len(node.items)} points where {field.least} to {field.most} belong")
    elif len(node.items) != field.least:
        cure = "use `triangle`" if (len(node.items), field.least) == (3, 4) else ""
        cure = "use `quad`" if (len(node.items), field.least) == (4, 3) else cure
        raise BadValue(node, f"{len(node.items)} points where {field.least} belong", cure)
    return tuple(point(item, field) for item in node.items)


@dataclass(frozen=True, slots=True)
class Formula:
    """A sum of names that was understood; `place` of what is found wrong with it later, by its column."""

    sum: expressions.Sum
    node: Scalar

    def place(self, column: int) -> Place:
        return self.node.within(len(self.node.text) - len(self.node.text.lstrip()) + column)


def formula(node: Node, field: Field, names: Sequence[str] = ("x", "z")) -> Formula:
    """A sum that may use names."""
    text = scalar(node, field).strip()
    assert isinstance(node, Scalar)
    try:
        return Formula(expressions.parse(text, names), node)
    except expressions.SumError as error:
        ahead = len(node.text) - len(node.text.lstrip())
        raise BadValue(node, error.message, error.cure, node.within(ahead + error.column)) from None


def span(node: Node, field: Field) -> tuple[float, ...]:
    """Two numbers in the order that they are written; one alone goes up from 0."""
    if not isinstance(node, List):
        return 0.0, number(node, field)
    if len(node.items) != 2:
        raise BadValue(node, f"{_counted(len(node.items), 'number')} where one, or two [from, to], belong")
    return tuple(number(item, field) for item in node.items)


def grid(node: Node, field: Field) -> tuple[tuple[float, ...], ...]:
    """Rows of numbers, all of one length: `least` rows and columns at least, `most` of each at most."""
    if not isinstance(node, List):
        raise BadValue(node, f"{what_is(node)} where rows of numbers belong", "write [[0, 1], [1, 2]]: a list a row")
    if not field.least <= len(node.items) <= field.most:
        raise BadValue(node, f"{_counted(len(node.items), 'row')}, and {field.least} to {field.most} can be")
    rows: list[tuple[float, ...]] = []
    for item in node.items:
        if not isinstance(item, List):
            raise BadValue(item, f"{what_is(item)} where a row of numbers belongs", "put each row in [ ]")
        if rows and len(item.items) != len(rows[0]):
            message = f"a row of {_counted(len(item.items), 'number')} under rows of {len(rows[0])}"
            raise BadValue(item, message, "all rows are of one length")
        if not field.least <= len(item.items) <= field.most:
            raise BadValue(item, f"{_counted(len(item.items), 'number')}, and {field.least} to {field.most} can be")
        rows.append(tuple(number(one, field) for one in item.items))
    return tuple(rows)


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def angle(node: Node, field: Field) -> float:
    """Degrees counter-clockwise from north, 0 <= angle < 360."""
    text = scalar(node, field).strip()
    word = re.sub("[ _-]", "", text[:LONG].lower())
    if word in FACINGS:
        return FACINGS[word]
    if not _NUMBER.fullmatch(text[: _LONGEST_NUMBER + 1]):
        cure = did_you_mean(word, FACINGS) or _number_cure(text)
        wanted = f"no direction: {listed(FACINGS)}, or degrees"
        if cure:
            raise BadValue(node, f"{quoted(text)} is {wanted}", cure)
        return _within(node, _summed(node, text, wanted), field) % 360.0
    return _within(node, float(text), field) % 360.0


def flag(node: Node, field: Field) -> bool:
    """True or false, in the words that people use."""
    text = scalar(node, field).strip().lower()
    if text not in ("true", "yes", "on", "false", "no", "off"):
        raise BadValue(node, f"{quoted(text)} is neither true nor false")
    return text in ("true", "yes", "on")


def text(node: Node, field: Field) -> str:
    """Words of a bounded length, lines and nothing else that moves a cursor."""
    words = scalar(node, field)
    if len(words) > field.most:
        raise BadValue(node, f"{len(words)} characters, {field.most} are the most")
    odd = next((char for char in words if not char.isprintable() and char != "\n"), None)
    if odd is not None:
        raise BadValue(node, f"a control character (U+{ord(odd):04X})", "leave it out")
    if not words.strip():
        raise BadValue(node, "nothing but blanks")
    return words


def choice(node: Node, field: Field) -> str:
    """One of the field's words."""
    word = scalar(node, field).strip()
    if word not in field.choices:
        cure = did_you_mean(word, field.choices)
        raise BadValue(node, f"{quoted(word)} is none of {listed(field.choices)}", cure)
    return word


def choices(node: Node, field: Field) -> tuple[str, ...]:
    """Some of the field's words; one alone needs no list."""
    items = node.items if isinstance(node, List) else [node]
    return tuple(choice(item, field) for item in items)


def colour(node: Node, field: Field) -> tuple[float, ...]:
    """sRGB, each part 0 to 1."""
    word = scalar(node, field).strip().lower()
    if re.fullmatch("#[0-9a-f]{6}", word):
        value = int(word[1:], 16)
    elif re.fullmatch("#[0-9a-f]{3}", word):
        value = int("".join(2 * digit for digit in word[1:]), 16)
    elif word in COLOURS:
        value = COLOURS[word]
    else:
        cure = did_you_mean(word, COLOURS) or 'write "#" and six of 0-9, a-f, in quotes: red, green, blue'
        raise BadValue(node, f"{quoted(word)} is no colour", cure)
    return tuple(((value >> shift) & 255) / 255 for shift in (16, 8, 0))


LONG = 40


def _in(field: Field) -> str:
    return f" ({field.unit})" if field.unit else ""


def _number_cure(text: str) -> str:
    lowered = text.strip().lower()
    unit = _WITH_UNIT.fullmatch(lowered[:LONG])
    if unit and _NUMBER.fullmatch(unit[1]):
        return (
            f"leave the unit out: {unit[1]}"
            if unit[2] in ("m", "metre", "metres", "°", "deg")
            else "leave the unit out"
        )
    if re.fullmatch("[+-]?[0-9]+,[0-9]+", lowered[:LONG]):
        return f"write {lowered.replace(',', '.')}"
    if lowered.lstrip("+-.") in ("nan", "inf", "infinity"):
        return "only finite numbers have a place"
    return ""


def _within(node: Node, value: float, field: Field) -> float:
    if not math.isfinite(value):
        raise BadValue(node, f"a number beyond all bounds{_in(field)}")
    unit = f" {field.unit}" if field.unit else ""
    if value < field.low:
        if field.kind in (Kind.POINT, Kind.PLAN, Kind.CORNERS) or field.low == -FARTHEST:
            raise BadValue(node, f"{value:g}{unit} is further from the origin than {FARTHEST:g}{unit}")
        raise BadValue(node, f"{value:g}{unit} is less than the least, {field.low:g}{unit}")
    if value > field.high:
        if field.high == FARTHEST:
            raise BadValue(node, f"{value:g}{unit} is further from the origin than {FARTHEST:g}{unit}")
        raise BadValue(node, f"{value:g}{unit} is more than the most, {field.high:g}{unit}")
    return value
