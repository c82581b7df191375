"""Values that are numbers, points and lists of them.

YAML types are never guessed: `010`, `1:30` and `.nan` are text until a field asks for a number.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from ...core import vectors
from ...core.time_format import format_count
from . import expressions
from .findings import SourceSpan, Suggestion, closest_words, quote_text
from .plain_values import PlainWord, format_number, format_scalar
from .record import Schema, SchemaMaker, Spot, T, Value, ValueFormatError, describe_node
from .yaml_layout import EditRefused
from .yaml_nodes import YamlList, YamlNode, YamlScalar, lone_node

NUMBER_WORDS = "a number"
NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
MAX_COORDINATE = 1e5  # metres from the origin; beyond, float32 rendering is off by about a centimetre
MAX_EXPRESSION_CHARACTERS = 250_000  # in all expressions of a level
MAX_SHOWN_TEXT = 40
METRES = {"m": 1.0, "cm": 0.01, "mm": 0.001}
NUMBER_WITH_UNIT = re.compile(r"([-+]?[0-9]*[.,]?[0-9]+) *(m|cm|mm|°|degrees|s)?")  # as it is typed in the editor
FINE_FACTOR = 0.1  # of a step of the editor, with Shift
DEGREE_STEP = 15.0
FINE_DEGREE_STEP = 1.0
ROUNDING_TOLERANCE = 5e-5  # half of the last decimal that is written
SMALL_NUMBER = 1.0  # m: numbers under it go in tenths of the grid
OTHER_STEP = 0.1  # of numbers without a unit of length
_INTEGER = re.compile(r"[+-]?[0-9]{1,40}")
_EXPRESSION_PATTERN = re.compile(r"(?=.*([0-9(]|pi)).*[-+*/(^]|\s*pi\s*$")
_UNIT_NAMES = {"m": "metres", "s": "seconds", "kg": "kilograms"}
_SUM: Schema = {"$ref": "#/definitions/sum"}

FACING_DEGREES = {
    "north": 0.0, "northwest": 45.0, "west": 90.0, "southwest": 135.0,
    "south": 180.0, "southeast": 225.0, "east": 270.0, "northeast": 315.0,
}  # fmt: skip
FACING_WORDS = {degrees: word for word, degrees in FACING_DEGREES.items()}


class Ranged(Value[T]):
    """Numbers with a unit and limits. Without a default the field is required."""

    whole = False  # whether they are integers

    def __init__(
        self,
        doc: str,
        default: Any = None,
        unit: str | None = None,
        low: float = -MAX_COORDINATE,
        high: float = MAX_COORDINATE,
    ) -> None:
        if unit is not None:
            self.unit = unit
        self.low, self.high = low, high
        super().__init__(doc, default, default is None)

    def number(self, node: YamlNode) -> float:
        """Finite number within the limits, or an expression with such a value."""
        value = self._in_range(node, self.any_number(node))
        return int(value) if self.whole else value

    def any_number(self, node: YamlNode) -> float:
        """Number or value of an expression, within the limits or not."""
        text = self.scalar(node).strip()
        if not self.whole:
            return float(text) if NUMBER.fullmatch(text) else self._evaluate(node, text, "not a number")
        if _INTEGER.fullmatch(text):
            return float(text)
        if NUMBER.fullmatch(text):
            raise ValueFormatError(node, f"{quote_text(text)} is not a whole number")
        value = self._evaluate(node, text, "not a whole number")
        if value != round(value):
            message = f"{quote_text(text)} is {value:g}, which is not a whole number"
            raise ValueFormatError(node, message, "use `floor(...)`")
        return value

    def _in_range(self, node: YamlNode, value: float) -> float:
        if not math.isfinite(value):
            raise ValueFormatError(node, "the number is too large")
        unit = f" {self.unit}" if self.unit else ""
        if value < self.low:
            raise ValueFormatError(node, f"{value:g}{unit} is below the minimum, {self.low:g}{unit}")
        if value > self.high:
            raise ValueFormatError(node, f"{value:g}{unit} is above the maximum, {self.high:g}{unit}")
        return value

    def _evaluate(self, node: YamlNode, text: str, fault: str) -> float:
        """Value of an expression. ValueFormatError with the message `fault` if the text is not one."""
        assert isinstance(node, YamlScalar)
        if not _EXPRESSION_PATTERN.match(text[: expressions.MAX_EXPRESSION_LENGTH]):
            unit_name = _UNIT_NAMES.get(self.unit, self.unit)
            cure = f"write {unit_name} as digits, e.g. 1.0" if unit_name else ""
            raise ValueFormatError(node, f"{quote_text(text)} is {fault}", cure)
        usage = node.source.usage
        usage.expression_characters += len(text)
        if usage.expression_characters > MAX_EXPRESSION_CHARACTERS:
            message = f"the level has more than {MAX_EXPRESSION_CHARACTERS} characters of expressions"
            raise ValueFormatError(node, message, "write plain numbers")
        try:
            return expressions.parse_expression(text).evaluate()
        except expressions.ExpressionError as error:
            raise _expression_error(node, error) from None

    def point(self, node: YamlNode, names: Sequence[str]) -> tuple[float, ...]:
        """A number for each of the names."""
        expected = f"[{', '.join(names)}]"
        if not isinstance(node, YamlList):
            message = f"expected a point {expected}, found {describe_node(node)}"
            raise ValueFormatError(node, message, "use square brackets, and commas between the numbers")
        if len(node.items) != len(names):
            plural = "" if len(node.items) == 1 else "s"
            raise ValueFormatError(node, f"expected a point {expected}, found {len(node.items)} value{plural}")
        return tuple(self.number(item) for item in node.items)

    def limits(self) -> str:
        kind = Count.words if self.whole else NUMBER_WORDS
        limits = f" from {format_number(self.low)}" if self.low > 1.0 - MAX_COORDINATE else ""
        limits += f" to {format_number(self.high)}" if self.high < MAX_COORDINATE - 1.0 else ""
        unit = f" {self.unit}" if limits or not self.unit else f" in {self.unit}"
        return f"{kind}{limits}{unit}".rstrip()

    def typed(self, text: str, label: str) -> tuple[float, str]:
        """Value of a typed number and the text that is written for it. EditRefused with the limits.

        A unit of length is converted to metres; a decimal comma is a point; an expression stays as it is.
        """
        typed = text.strip()
        match = NUMBER_WITH_UNIT.fullmatch(typed)
        if match:
            value = float(match[1].replace(",", "."))
            if match[2] in METRES:
                if self.unit != "m":
                    raise EditRefused(f"`{label}` is no length: it is {self.limits()}")
                value *= METRES[match[2]]
            written = format_number(value)
        else:
            try:
                value = float(expressions.parse_expression(typed).evaluate())
            except expressions.ExpressionError:
                raise EditRefused(f"`{typed[:40]}` is not a number: `{label}` is {self.limits()}") from None
            written = typed
        if (self.whole and value != round(value)) or not self.low <= value <= self.high:
            raise EditRefused(f"`{label}` is {self.limits()}")
        return value, written

    def value_of(self, text: str) -> float:
        """Value of the text of a number, within the limits or not. EditRefused for another text."""
        try:
            value = self.any_number(lone_node(PlainWord(text)))
        except ValueFormatError as error:
            raise EditRefused(error.message) from None
        if not math.isfinite(value):
            raise EditRefused(f"`{text[:40]}` is too large")
        return value

    def write(self, value: float, old: str | None) -> str:
        """Text of a number: the old one, which may be an expression, where it has this value."""
        if old and abs(self.value_of(old) - value) <= ROUNDING_TOLERANCE:
            return format_scalar(old)
        return format_number(value)

    def step_size(self, value: float, grid: float, fine: bool) -> float:
        """Step of a number, by its unit and size. grid: m."""
        if self.whole:
            return 1.0
        if self.unit == "degrees":
            return FINE_DEGREE_STEP if fine else DEGREE_STEP
        if self.unit != "m":
            return OTHER_STEP * (FINE_FACTOR if fine else 1.0)
        small = self.is_number and abs(value) < SMALL_NUMBER  # no coordinate
        return grid * (FINE_FACTOR if small else 1.0) * (FINE_FACTOR if fine else 1.0)

    def stepped(self, value: float, by: float, label: str) -> float:
        """The value after a step, within the limits. EditRefused at a limit."""
        wanted = round(min(max(value + by, self.low), self.high), 6)
        if wanted == value:
            end = "maximum" if by > 0.0 else "minimum"
            raise EditRefused(f"`{label}` is at its {end}, {format_number(value)} {self.unit}".rstrip())
        return wanted

    def number_schema(self) -> Schema:
        """JSON schema of one number."""
        kind = "integer" if self.whole else "number"
        return {"anyOf": [{"type": kind, "minimum": self.low, "maximum": self.high}, _SUM]}

    def row_schema(self, count: int) -> Schema:
        """JSON schema of a list of numbers."""
        return {"type": "array", "minItems": count, "maxItems": count, "items": self.number_schema()}

    def range_text(self) -> str:
        if self.low == -MAX_COORDINATE:
            return ""
        low, high = (f"{limit:,.10g}" for limit in (self.low, self.high))
        return f"{low} to {high}" if self.high != MAX_COORDINATE else f"from {low}"


def _expression_error(node: YamlScalar, error: expressions.ExpressionError) -> ValueFormatError:
    return ValueFormatError(node, error.message, error.cure, _column_place(node, error.column))


def _column_place(node: YamlScalar, column: int) -> SourceSpan:
    """Position of a column (from 1) of an expression, whose text begins after leading blanks."""
    return node.locate(len(node.text) - len(node.text.lstrip()) + column)


class Number(Ranged[float]):
    words = NUMBER_WORDS
    is_number = True

    def parse(self, node: YamlNode) -> float:
        return self.number(node)

    def schema(self, made: SchemaMaker) -> Schema:
        return self.number_schema()


class Length(Number):
    """Metres, 1 cm to 1 km if not said otherwise."""

    def __init__(self, doc: str, default: float | None = None, low: float = 0.01, high: float = 1000.0) -> None:
        super().__init__(doc, default, "m", low, high)


class Coordinate(Number):
    """A coordinate along an axis, in metres."""

    def __init__(self, doc: str, default: float | None = None) -> None:
        super().__init__(doc, default, "m")


class Count(Ranged[int]):
    words = "a whole number"
    whole = True
    is_number = True

    def __init__(self, doc: str, default: int | None = None, low: float = 0, high: float = 1000) -> None:
        super().__init__(doc, default, "", low, high)

    def parse(self, node: YamlNode) -> int:
        return int(self.number(node))

    def schema(self, made: SchemaMaker) -> Schema:
        return self.number_schema()


def _facing_word(text: str) -> str:
    """A text as the words for directions are written: `North-West` as `northwest`."""
    return re.sub("[ _-]", "", text[:MAX_SHOWN_TEXT].strip().lower())


class Angle(Ranged[float]):
    """Degrees counter-clockwise from north, 0 <= angle < 360."""

    words = "a direction (north, northwest, west, ... or degrees)"
    is_number = True

    def __init__(self, doc: str, default: float = 0.0) -> None:
        super().__init__(doc, FACING_WORDS.get(default, default))

    def parse(self, node: YamlNode) -> float:
        return self.number(node) % 360.0

    def any_number(self, node: YamlNode) -> float:
        text = self.scalar(node).strip()
        word = _facing_word(text)
        if word in FACING_DEGREES:
            return FACING_DEGREES[word]
        if NUMBER.fullmatch(text):
            return float(text)
        near = closest_words(word, FACING_DEGREES)
        fault = f"not a direction: use {', '.join(FACING_DEGREES)} or degrees"
        if near:
            raise ValueFormatError(node, f"{quote_text(text)} is {fault}", Suggestion(text, near))
        return self._evaluate(node, text, fault)

    def limits(self) -> str:
        return "north, northwest, west, ... or degrees"

    def typed(self, text: str, label: str) -> tuple[float, str]:
        word = _facing_word(text)
        return (FACING_DEGREES[word], word) if word in FACING_DEGREES else super().typed(text, label)

    def step_size(self, value: float, grid: float, fine: bool) -> float:
        return FINE_DEGREE_STEP if fine else DEGREE_STEP

    def stepped(self, value: float, by: float, label: str) -> float:
        return value + by

    def write(self, value: float, old: str | None) -> str:
        """A direction as a word, where there is one and the old text is no number."""
        turn = round(value, 4) % 360.0
        is_word = turn in FACING_WORDS and (old is None or _facing_word(old) in FACING_DEGREES)
        return FACING_WORDS[turn] if is_word else super().write(turn, old)

    def schema(self, made: SchemaMaker) -> Schema:
        pattern = "^([Nn]orth|[Ss]outh)[ _-]?([Ee]ast|[Ww]est)?$|^([Ee]ast|[Ww]est)$"
        named: list[Schema] = [{"enum": list(FACING_DEGREES)}, {"type": "string", "pattern": pattern}]
        return {"anyOf": [*named, *self.number_schema()["anyOf"]]}


class Row(Ranged[T]):
    """A number for each of its axes."""

    item_words = NUMBER_WORDS

    def parse(self, node: YamlNode) -> T:
        return cast(T, self.point(node, self.axes))

    def schema(self, made: SchemaMaker) -> Schema:
        return self.row_schema(len(self.axes))


class Point(Row[vectors.Point]):
    words = "a point [x, y, z]"
    unit = "m"
    axes = ("x", "y", "z")


class Radii(Point):
    axes = ("right", "up", "ahead")


class Plan(Row[tuple[float, float]]):
    words = "a point [x, z]"
    unit = "m"
    axes = ("x", "z")


class Pair(Row[tuple[float, float]]):
    words = "two numbers [x, y]"
    axes = ("x", "y")


class Corners(Ranged[tuple[vectors.Point, ...]]):
    unit = "m"
    item_words = NUMBER_WORDS
    absent = ()

    def __init__(self, doc: str, least: int, most: int, required: bool = False) -> None:
        super().__init__(doc)
        self.required = required
        self.min_count, self.max_count = least, most
        self.words = f"a list of {least if least == most else f'{least} to {most}'} points [x, y, z]"

    def parse(self, node: YamlNode) -> tuple[vectors.Point, ...]:
        if not isinstance(node, YamlList):
            raise ValueFormatError(node, f"expected a list of points, found {describe_node(node)}")
        self.check_count(node, len(node.items), "points")
        return tuple(cast(vectors.Point, self.point(item, ("x", "y", "z"))) for item in node.items)

    def schema(self, made: SchemaMaker) -> Schema:
        return {"type": "array", "minItems": self.min_count, "maxItems": self.max_count, "items": self.row_schema(3)}


class Scale(Ranged[vectors.Point]):
    """Factors along x, y and z, from one number or three."""

    words = "a number or [x, y, z]"
    is_number = True

    def parse(self, node: YamlNode) -> vectors.Point:
        items = node.items if isinstance(node, YamlList) else [node]
        if len(items) not in (1, 3):
            message = f"expected {self.words}, found {len(items)} values"
            raise ValueFormatError(node, message, "write one number or [x, y, z]")
        factors = [self.number(item) for item in items]
        x, y, z = factors if len(factors) == 3 else factors * 3
        return x, y, z

    def schema(self, made: SchemaMaker) -> Schema:
        return {"anyOf": [*self.number_schema()["anyOf"], self.row_schema(3)]}


class Span(Ranged[tuple[float, float]]):
    """Two numbers in the written order; a single number n stands for 0 to n."""

    words = "a number or [from, to]"
    item_words = NUMBER_WORDS

    def parse(self, node: YamlNode) -> tuple[float, float]:
        if not isinstance(node, YamlList):
            return 0.0, self.number(node)
        if len(node.items) != 2:
            found = format_count(len(node.items), "number")
            raise ValueFormatError(node, f"expected one number or [from, to], found {found}")
        return self.number(node.items[0]), self.number(node.items[1])

    def schema(self, made: SchemaMaker) -> Schema:
        return {"anyOf": [*self.number_schema()["anyOf"], self.row_schema(2)]}


class Grid(Ranged[tuple[tuple[float, ...], ...]]):
    """Rows of equal length. The limits on their number hold for rows and for columns."""

    words = "rows of numbers [[...], [...]]"
    item_words = NUMBER_WORDS
    min_count, max_count = 2, 1000

    def parse(self, node: YamlNode) -> tuple[tuple[float, ...], ...]:
        if not isinstance(node, YamlList):
            message = f"expected rows of numbers, found {describe_node(node)}"
            raise ValueFormatError(node, message, "write a list per row: [[0, 1], [1, 2]]")
        self.check_count(node, len(node.items), "rows")
        rows: list[tuple[float, ...]] = []
        for item in node.items:
            if not isinstance(item, YamlList):
                message = f"expected a row of numbers, found {describe_node(item)}"
                raise ValueFormatError(item, message, "put each row in [ ]")
            if rows and len(item.items) != len(rows[0]):
                message = f"this row has {format_count(len(item.items), 'number')}; the rows above have {len(rows[0])}"
                raise ValueFormatError(item, message, "give all rows the same length")
            self.check_count(item, len(item.items), "numbers")
            rows.append(tuple(self.number(cell) for cell in item.items))
        return tuple(rows)

    def schema(self, made: SchemaMaker) -> Schema:
        rows: Schema = {"type": "array", "minItems": self.min_count, "maxItems": self.max_count}
        return {**rows, "items": {**rows, "items": self.number_schema()}}


@dataclass(frozen=True, slots=True)
class FormulaValue:
    """Parsed expression of x, z and named terms, with its node for later findings.

    terms: by name; each uses only those before it.
    """

    expression: expressions.Expression
    node: YamlScalar
    terms: Mapping[str, FormulaValue]

    def parts(self) -> list[tuple[str, FormulaValue]]:
        """The terms that it uses, with their names and in their order, and at last itself, without a name."""
        parts, wanted = [("", self)], set(self.expression.names)
        for name, term in reversed(list(self.terms.items())):
            if name in wanted:
                parts.append((name, term))
                wanted |= term.expression.names
        return parts[::-1]

    def column_place(self, column: int) -> SourceSpan:
        """Position of a column of the expression."""
        return _column_place(self.node, column)


PLAN_NAMES = ("x", "z")  # that a formula may use


class Formula(Value[FormulaValue]):
    words = "an expression in x and z"
    word_rank = 6

    def __init__(self, doc: str, unit: str = "") -> None:
        super().__init__(doc, required=True)
        self.unit = unit

    def read(self, node: YamlNode, spot: Spot) -> FormulaValue:
        terms = spot.reader.terms
        text = self.scalar(node).strip()
        assert isinstance(node, YamlScalar)
        try:
            return FormulaValue(expressions.parse_expression(text, (*PLAN_NAMES, *terms)), node, terms)
        except expressions.ExpressionError as error:
            raise _expression_error(node, error) from None

    def schema(self, made: SchemaMaker) -> Schema:
        return {"type": ["string", "number"], "maxLength": expressions.MAX_EXPRESSION_LENGTH}
