"""Values: the text of one YAML node becomes a value of the kind that the schema names, or ValueFormatError.

YAML types are never guessed: `010`, `on`, `1:30` and `.nan` are text until a field asks for a number or a flag.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from ...core.errors import WalkerError
from ...core.time_format import format_count
from ...core.vectors import Colour
from . import expressions
from .findings import SourceSpan, Suggestion, closest_words, join_alternatives, quote_text
from .schema.fields import SchemaField, ValueKind
from .yaml_nodes import YamlList, YamlMapping, YamlNode, YamlScalar

NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
_INTEGER = re.compile(r"[+-]?[0-9]{1,40}")
MAX_SHOWN_TEXT = 40
_EXPRESSION_PATTERN = re.compile(r"(?=.*([0-9(]|pi)).*[-+*/(^]|\s*pi\s*$")
_UNIT_NAMES = {"m": "metres", "s": "seconds", "kg": "kilograms"}
MAX_SHOWN_CHARACTERS = 6  # of a text, which need a font of the system
_TEXT_LAYOUT = "\xad\u200b\u200c\u200d\u200e\u200f\u2060"  # soft hyphen, joiners, marks of direction
MAX_EXPRESSION_CHARACTERS = 250_000  # in all expressions of a level

FACING_DEGREES = {
    "north": 0.0, "northwest": 45.0, "west": 90.0, "southwest": 135.0,
    "south": 180.0, "southeast": 225.0, "east": 270.0, "northeast": 315.0,
}  # fmt: skip

NAMED_COLOURS = {
    "black": 0x000000, "white": 0xFFFFFF, "grey": 0x808080, "gray": 0x808080, "silver": 0xC0C0C0,
    "lightgrey": 0xD3D3D3, "darkgrey": 0x505050, "red": 0xC8322B, "maroon": 0x7A1F1F, "brown": 0x7B4F2E,
    "orange": 0xE08A2B, "gold": 0xD4AF37, "yellow": 0xE6CF3E, "olive": 0x7A7A2C, "lime": 0x8BC34A,
    "green": 0x3F8F4A, "darkgreen": 0x2B5A33, "teal": 0x2F8080, "cyan": 0x4CC3D0, "skyblue": 0x87CEEB,
    "blue": 0x2F62B5, "navy": 0x1F2F5F, "purple": 0x6B4A9A, "magenta": 0xB0459A, "pink": 0xE8A7B8,
    "beige": 0xE4DCC4, "ivory": 0xF4F0E0, "sand": 0xD8C596, "tan": 0xC8A878, "terracotta": 0xB5613F,
}  # fmt: skip


class ValueFormatError(WalkerError):
    """A value of the wrong kind, or outside its range."""

    def __init__(
        self, node: YamlNode, message: str, cure: str | Suggestion = "", place: SourceSpan | None = None
    ) -> None:
        super().__init__(message)
        self.place: SourceSpan = place or node.place
        self.message = message
        self.cure = cure


def describe_node(node: YamlNode) -> str:
    """Short description of a node, for messages."""
    if isinstance(node, YamlList):
        return "a list"
    if isinstance(node, YamlMapping):
        return "a mapping"
    return quote_text(node.text) if isinstance(node, YamlScalar) and node.text else "nothing"


def check_count(node: YamlNode, count: int, field: SchemaField, noun: str = "entries") -> None:
    """Raise ValueFormatError for a list or mapping with more or fewer entries than the field allows."""
    low, high = field.min_count, field.max_count
    if not low <= count <= high:
        if not count:
            raise ValueFormatError(node, "the list is empty")
        expected = f"{low}" if low == high else f"at least {low}" if count < low else f"at most {high}"
        raise ValueFormatError(node, f"expected {expected} {noun}, found {count}")


def parse_scalar(node: YamlNode, field: SchemaField) -> str:
    """Text of a node that is neither list nor mapping."""
    if not isinstance(node, YamlScalar):
        raise ValueFormatError(node, f"expected {_expected_value(field)}, found {describe_node(node)}")
    text = node.text.strip() if node.plain else node.text
    if not text:
        cure = (
            'put colours in quotes, "#8d8a83": an unquoted # begins a comment' if field.kind is ValueKind.COLOUR else ""
        )
        raise ValueFormatError(node, f"expected {_expected_value(field)}, found nothing", cure)
    return text


def _expected_value(field: SchemaField) -> str:
    """Kind of a single value of the field, for messages; of points, that of their numbers."""
    kind = (
        ValueKind.NUMBER
        if field.kind in (ValueKind.POINT, ValueKind.PLAN, ValueKind.CORNERS, ValueKind.SPAN, ValueKind.GRID)
        else field.kind
    )
    return str(kind.value)


def parse_number(node: YamlNode, field: SchemaField) -> float:
    """Finite number within the field's range, or an expression with such a value."""
    text = parse_scalar(node, field).strip()
    if not NUMBER.fullmatch(text):
        return _check_range(node, _evaluate_expression(node, text, "not a number", field), field)
    return _check_range(node, float(text), field)


def parse_integer(node: YamlNode, field: SchemaField) -> int:
    """Integer within the field's range, or an expression with such a value."""
    text = parse_scalar(node, field).strip()
    if _INTEGER.fullmatch(text):
        return int(_check_range(node, float(text), field))
    if NUMBER.fullmatch(text):
        raise ValueFormatError(node, f"{quote_text(text)} is not a whole number")
    value = _evaluate_expression(node, text, "not a whole number", field)
    if value != round(value):
        raise ValueFormatError(
            node, f"{quote_text(text)} is {value:g}, which is not a whole number", "use `floor(...)`"
        )
    return int(_check_range(node, value, field))


def _evaluate_expression(node: YamlNode, text: str, fault: str, field: SchemaField) -> float:
    """Value of an expression. Raises ValueFormatError with the message `fault` if the text is not one."""
    assert isinstance(node, YamlScalar)
    if not _EXPRESSION_PATTERN.match(text[: expressions.MAX_EXPRESSION_LENGTH]):
        unit_name = _UNIT_NAMES.get(field.unit, field.unit)
        cure = f"write {unit_name} as digits, e.g. 1.0" if unit_name else ""
        raise ValueFormatError(node, f"{quote_text(text)} is {fault}", cure)
    usage = node.source.usage
    usage.expression_characters += len(text)
    if usage.expression_characters > MAX_EXPRESSION_CHARACTERS:
        raise ValueFormatError(
            node,
            f"the level has more than {MAX_EXPRESSION_CHARACTERS} characters of expressions",
            "write plain numbers",
        )
    try:
        return expressions.parse_expression(text).evaluate()
    except expressions.ExpressionError as error:
        raise ValueFormatError(node, error.message, error.cure, _column_place(node, error.column)) from None


def _column_place(node: YamlScalar, column: int) -> SourceSpan:
    """Position of a column (from 1) of an expression, whose text begins after leading blanks."""
    return node.locate(len(node.text) - len(node.text.lstrip()) + column)


def parse_point(node: YamlNode, field: SchemaField, names: Sequence[str] = ("x", "y", "z")) -> tuple[float, ...]:
    """Point with one number for each of the names."""
    expected = f"[{', '.join(names)}]"
    if not isinstance(node, YamlList):
        message = f"expected a point {expected}, found {describe_node(node)}"
        raise ValueFormatError(node, message, "use square brackets, and commas between the numbers")
    if len(node.items) != len(names):
        plural = "" if len(node.items) == 1 else "s"
        raise ValueFormatError(node, f"expected a point {expected}, found {len(node.items)} value{plural}")
    return tuple(parse_number(item, field) for item in node.items)


def parse_scale(node: YamlNode, field: SchemaField) -> Sequence[float]:
    """Scale factors along x, y and z, from one number or three."""
    items = node.items if isinstance(node, YamlList) else [node]
    if len(items) not in (1, 3):
        raise ValueFormatError(
            node, f"expected {field.kind.value}, found {len(items)} values", "write one number or [x, y, z]"
        )
    factors = [parse_number(item, field) for item in items]
    return tuple(factors) if len(factors) == 3 else tuple(factors * 3)


def parse_corners(node: YamlNode, field: SchemaField) -> tuple[tuple[float, ...], ...]:
    """List of points, with the field's limits on their number."""
    if not isinstance(node, YamlList):
        raise ValueFormatError(node, f"expected a list of points, found {describe_node(node)}")
    check_count(node, len(node.items), field, "points")
    return tuple(parse_point(item, field) for item in node.items)


@dataclass(frozen=True, slots=True)
class FormulaValue:
    """Parsed expression of x and z, with its node for later findings."""

    expression: expressions.Expression
    node: YamlScalar

    def column_place(self, column: int) -> SourceSpan:
        """Position of a column of the expression."""
        return _column_place(self.node, column)


def parse_formula(node: YamlNode, field: SchemaField, names: Sequence[str] = ("x", "z")) -> FormulaValue:
    """Expression in which the names may occur."""
    text = parse_scalar(node, field).strip()
    assert isinstance(node, YamlScalar)
    try:
        return FormulaValue(expressions.parse_expression(text, names), node)
    except expressions.ExpressionError as error:
        raise ValueFormatError(node, error.message, error.cure, _column_place(node, error.column)) from None


def parse_span(node: YamlNode, field: SchemaField) -> tuple[float, ...]:
    """Two numbers in the written order; a single number n stands for 0 to n."""
    if not isinstance(node, YamlList):
        return 0.0, parse_number(node, field)
    if len(node.items) != 2:
        raise ValueFormatError(
            node, f"expected one number or [from, to], found {format_count(len(node.items), 'number')}"
        )
    return tuple(parse_number(item, field) for item in node.items)


def parse_grid(node: YamlNode, field: SchemaField) -> tuple[tuple[float, ...], ...]:
    """Rows of numbers of equal length. The field's limits hold for rows and for columns."""
    if not isinstance(node, YamlList):
        raise ValueFormatError(
            node, f"expected rows of numbers, found {describe_node(node)}", "write a list per row: [[0, 1], [1, 2]]"
        )
    check_count(node, len(node.items), field, "rows")
    rows: list[tuple[float, ...]] = []
    for item in node.items:
        if not isinstance(item, YamlList):
            raise ValueFormatError(
                item, f"expected a row of numbers, found {describe_node(item)}", "put each row in [ ]"
            )
        if rows and len(item.items) != len(rows[0]):
            message = f"this row has {format_count(len(item.items), 'number')}; the rows above have {len(rows[0])}"
            raise ValueFormatError(item, message, "give all rows the same length")
        check_count(item, len(item.items), field, "numbers")
        rows.append(tuple(parse_number(cell, field) for cell in item.items))
    return tuple(rows)


def parse_angle(node: YamlNode, field: SchemaField) -> float:
    """Angle in degrees counter-clockwise from north, 0 <= angle < 360."""
    text = parse_scalar(node, field).strip()
    word = re.sub("[ _-]", "", text[:MAX_SHOWN_TEXT].lower())
    if word in FACING_DEGREES:
        return FACING_DEGREES[word]
    if not NUMBER.fullmatch(text):
        near = closest_words(word, FACING_DEGREES)
        fault = f"not a direction: use {', '.join(FACING_DEGREES)} or degrees"
        if near:
            raise ValueFormatError(node, f"{quote_text(text)} is {fault}", Suggestion(text, near))
        return _check_range(node, _evaluate_expression(node, text, fault, field), field) % 360.0
    return _check_range(node, float(text), field) % 360.0


def parse_flag(node: YamlNode, field: SchemaField) -> bool:
    """Boolean from true, yes, on, false, no or off."""
    text = parse_scalar(node, field).strip().lower()
    if text not in ("true", "yes", "on", "false", "no", "off"):
        raise ValueFormatError(node, f"{quote_text(text)} is not true or false")
    return text in ("true", "yes", "on")


def parse_text(node: YamlNode, field: SchemaField) -> str:
    """Text of bounded length without control characters other than line breaks. It may hold every kind of space, and
    the characters that join, separate and direct others.
    """
    text = parse_scalar(node, field)
    if len(text) > field.max_count:
        raise ValueFormatError(node, f"the text has {len(text)} characters; the limit is {field.max_count}")
    control = next((char for char in text if not char.isprintable() and not _is_text_layout(char)), None)
    if control is not None:
        raise ValueFormatError(node, f"the text contains a control character (U+{ord(control):04X})", "remove it")
    if not text.strip():
        raise ValueFormatError(node, "the text is blank")
    return text


def _is_text_layout(char: str) -> bool:
    """Whether an unprintable character belongs into a text."""
    return char == "\n" or char in _TEXT_LAYOUT or unicodedata.category(char) == "Zs"


def font_warning(text: str) -> tuple[str, str]:
    """Warning about a text that the game draws, and its cure, where the shipped fonts lack characters; else ''."""
    if text.isascii():
        return "", ""
    from ...text.shipped_fonts import characters_without_font

    missing = characters_without_font(text)
    if not missing:
        return "", ""
    shown = ", ".join(f"`{char}` (U+{ord(char):04X})" for char in missing[:MAX_SHOWN_CHARACTERS])
    more = len(missing) - MAX_SHOWN_CHARACTERS
    shown += f" and {more} more" if more > 0 else ""
    pronoun = "it" if len(missing) == 1 else "them"
    message = f"{shown} may need a system font: the fonts of the game do not have {pronoun}"
    return message, "a player whose system has no such font sees a box"


def parse_choice(node: YamlNode, field: SchemaField) -> str:
    """One of the field's words."""
    word = parse_scalar(node, field).strip()
    if word not in field.choices:
        cure = Suggestion(word, closest_words(word, field.choices))
        raise ValueFormatError(node, f"{quote_text(word)} is not one of {join_alternatives(field.choices)}", cure)
    return word


def parse_choices(node: YamlNode, field: SchemaField) -> tuple[str, ...]:
    """Some of the field's words; a single word needs no list."""
    items = node.items if isinstance(node, YamlList) else [node]
    return tuple(parse_choice(item, field) for item in items)


def parse_colour(node: YamlNode, field: SchemaField) -> Colour:
    """sRGB colour, each component 0 to 1."""
    word = parse_scalar(node, field).strip().lower()
    colour = colour_of(word)
    if colour is None:
        otherwise = 'write a colour name or six hexadecimal digits in quotes: "#8d8a83"'
        cure = Suggestion(word, closest_words(word, NAMED_COLOURS), otherwise)
        raise ValueFormatError(node, f"{quote_text(word)} is not a colour", cure)
    return colour


def colour_of(word: str) -> Colour | None:
    """sRGB colour of a name or of hexadecimal digits in lower case, each component 0 to 1; None for other words."""
    if re.fullmatch("#[0-9a-f]{6}", word):
        value = int(word[1:], 16)
    elif re.fullmatch("#[0-9a-f]{3}", word):
        value = int("".join(2 * digit for digit in word[1:]), 16)
    elif word in NAMED_COLOURS:
        value = NAMED_COLOURS[word]
    else:
        return None
    return (value >> 16 & 255) / 255, (value >> 8 & 255) / 255, (value & 255) / 255


def _check_range(node: YamlNode, value: float, field: SchemaField) -> float:
    if not math.isfinite(value):
        raise ValueFormatError(node, "the number is too large")
    unit = f" {field.unit}" if field.unit else ""
    if value < field.low:
        raise ValueFormatError(node, f"{value:g}{unit} is below the minimum, {field.low:g}{unit}")
    if value > field.high:
        raise ValueFormatError(node, f"{value:g}{unit} is above the maximum, {field.high:g}{unit}")
    return value
