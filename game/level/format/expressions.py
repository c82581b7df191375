"""Sums that stand for numbers: `2*0.18`, `sqrt(3)/2`, and formulas of names, on numbers and on whole arrays.

A small parser of its own: nothing is looked up but the names and functions below, and length, depth and result are
bounded. The result of a sum without arrays is that of its decimals: 3*0.18 is 0.54, to a nanometre.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Collection, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from typing import NoReturn, overload

import numpy as np

from ...core.errors import WalkerError
from ...core.vectors import Floats
from .findings import join_alternatives, quote_text, suggest_word

MAX_EXPRESSION_LENGTH = 200  # characters
MAX_EXPRESSION_DEPTH = 32  # of ( ), signs and powers inside each other
MAX_ARGUMENTS = 8  # of min and max
MAX_RESULT = 1e12  # of a result, either way
RESULT_DECIMALS = 9  # of a result: metres to a nanometre

_TOKEN = re.compile(r"\s*(?:([0-9]+\.?[0-9]*(?:[eE][+-]?[0-9]+)?|\.[0-9]+(?:[eE][+-]?[0-9]+)?)|([A-Za-z_]+)|(\*\*|\S))")
_HASH_MULTIPLIERS = (
    0x9E3779B1,
    0xBB67AE85,
    0xC2B2AE3D,
)  # odd and without pattern: the golden ratio's, the root of 3's, a prime


class ExpressionError(WalkerError, ValueError):
    """What is wrong with a sum: in words, with a cure, at a column of its text that counts from 1."""

    def __init__(self, message: str, column: int, cure: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.column = column
        self.cure = cure


@dataclass(frozen=True, slots=True)
class _Instruction:
    """One act on a stack: push a number, push what a name stands for, or replace the last values by a result."""

    column: int
    number: float = 0.0
    name: str = ""
    argument_count: int = 0
    function: Callable[..., Floats] | None = None
    fault_message: str = ""


@dataclass(frozen=True, slots=True)
class Expression:
    """A sum that was understood; `names` are those that it asks for."""

    text: str
    names: frozenset[str]
    _instructions: tuple[_Instruction, ...]

    @overload
    def evaluate(self) -> float: ...
    @overload
    def evaluate(self, **names: float) -> float: ...
    @overload
    def evaluate(self, **names: Floats) -> Floats: ...

    def evaluate(self, **names: float | Floats) -> float | Floats:
        """What it comes to: a number, or an array as large as those given. Raises SumError, KeyError of a name."""
        strict = np.errstate(divide="raise", over="raise", invalid="raise", under="ignore")
        with strict if self._uses_numpy else nullcontext():
            found = self._execute(names)
            if np.ndim(found) == 0 and all(np.ndim(given) == 0 for given in names.values()):
                number = float(found)
                if not abs(number) <= MAX_RESULT:
                    raise ExpressionError("the result is too large", 1)
                return round(number, RESULT_DECIMALS) + 0.0
            found = np.broadcast_arrays(found, *names.values())[0].astype(np.float64)
            if not np.all(np.abs(found) <= MAX_RESULT):
                raise ExpressionError("the result is too large", 1)
            return np.where(np.abs(found) < 1e6, np.round(found, RESULT_DECIMALS), found) + 0.0

    @property
    def _uses_numpy(self) -> bool:
        """Whether numpy will do some of it: its faults have to be asked for."""
        return bool(self.names) or any(
            step.function is not None and step.function not in _EXACT_FUNCTIONS for step in self._instructions
        )

    def _execute(self, names: Mapping[str, float | Floats]) -> float | Floats:
        stack: list[float | Floats] = []
        for step in self._instructions:
            if step.function is None:
                stack.append(names[step.name] if step.name else step.number)
                continue
            values = stack[-step.argument_count :]
            del stack[-step.argument_count :]
            try:
                made = step.function(*values)
            except (ArithmeticError, ValueError) as error:
                beyond = isinstance(error, OverflowError) or "overflow" in str(error) or not step.fault_message
                raise ExpressionError(
                    "the result is too large" if beyond else step.fault_message, step.column
                ) from None
            stack.append(made)
        return stack[0]


def parse_expression(text: str, names: Collection[str] = ()) -> Expression:
    """The sum of that text, which may use `names`. Raises SumError."""
    if len(text) > MAX_EXPRESSION_LENGTH:
        raise ExpressionError(
            f"the expression has {len(text)} characters; the limit is {MAX_EXPRESSION_LENGTH}",
            MAX_EXPRESSION_LENGTH + 1,
            "shorten it",
        )
    parser = _ExpressionParser(text, names)
    steps = parser.parse_all()
    return Expression(text, frozenset(step.name for step in steps if step.name), tuple(steps))


def _value_noise(x: Floats, z: Floats) -> Floats:
    """Smooth hills between -1 and 1 about a metre across, the same everywhere and always."""
    shape = np.broadcast_shapes(np.shape(x), np.shape(z))
    x, z = np.broadcast_arrays(np.atleast_1d(x), np.atleast_1d(z))  # integers of no dimension complain of wrapping
    left, near = np.floor(x), np.floor(z)
    right, far = x - left, z - near
    corners = []
    for across in (0, 1):
        for along in (0, 1):
            column = (left.astype(np.int64) + across).astype(np.uint64)
            row = (near.astype(np.int64) + along).astype(np.uint64)
            mixed = (column * np.uint64(_HASH_MULTIPLIERS[0]) + row * np.uint64(_HASH_MULTIPLIERS[1])) & np.uint64(
                0xFFFFFFFF
            )
            for shift in (15, 13):
                mixed = ((mixed ^ (mixed >> np.uint64(shift))) * np.uint64(_HASH_MULTIPLIERS[2])) & np.uint64(
                    0xFFFFFFFF
                )
            corners.append((mixed ^ (mixed >> np.uint64(16))).astype(np.float64) / 2147483647.5 - 1.0)
    u, v = _quintic_fade(right), _quintic_fade(far)
    a, b, c, d = corners
    return ((a * (1 - v) + b * v) * (1 - u) + (c * (1 - v) + d * v) * u).reshape(shape)


def _quintic_fade(t: Floats) -> Floats:
    return t * t * t * (t * (t * 6.0 - 15.0) + 10.0)


def _smoothstep(low: Floats, high: Floats, x: Floats) -> Floats:
    t = np.clip((x - low) / (high - low), 0.0, 1.0)
    return t * t * (3.0 - 2.0 * t)


def _degree_function(act: Callable[[Floats], Floats]) -> Callable[[Floats], Floats]:
    """Of an angle in degrees, to twelve decimals: the same on every machine, and exact where one expects it."""
    return lambda angle: np.round(act(np.radians(np.mod(angle, 360.0))), 12)


_SIN_DEGREES, _COS_DEGREES = _degree_function(np.sin), _degree_function(np.cos)


def _integer_power(base: Floats, exponent: Floats) -> Floats:
    """Small whole powers by multiplication, which is the same on every machine."""
    if np.ndim(exponent) == 0 and exponent in (2.0, 3.0, 4.0):
        square = base * base
        return square if exponent == 2.0 else square * base if exponent == 3.0 else square * square
    found = base**exponent
    if np.iscomplexobj(found):
        raise ValueError
    return found


def _fold_arguments(act: Callable[[Floats, Floats], Floats]) -> Callable[..., Floats]:
    def over(first: Floats, *others: Floats) -> Floats:
        for other in others:
            first = act(first, other)
        return first

    return over


# least and most values, what is done, what it means where that cannot be
FUNCTIONS: dict[str, tuple[int, int, Callable[..., Floats], str]] = {
    "sqrt": (1, 1, np.sqrt, "this takes the square root of a negative number"),
    "abs": (1, 1, np.abs, ""),
    "min": (2, MAX_ARGUMENTS, _fold_arguments(np.minimum), ""),
    "max": (2, MAX_ARGUMENTS, _fold_arguments(np.maximum), ""),
    "floor": (1, 1, np.floor, ""),
    "sin": (1, 1, _SIN_DEGREES, ""),
    "cos": (1, 1, _COS_DEGREES, ""),
    "tan": (1, 1, lambda angle: _SIN_DEGREES(angle) / _COS_DEGREES(angle), "`tan` has no value at 90 degrees"),
    "mod": (2, 2, np.mod, "`mod` divides by zero"),
    "clamp": (3, 3, lambda x, low, high: np.minimum(np.maximum(x, low), high), ""),
    "smoothstep": (3, 3, _smoothstep, "`smoothstep` needs two different limits"),
    "noise": (2, 2, _value_noise, ""),
}
CONSTANTS = {"pi": float(np.pi)}

_OPERATORS: dict[str, tuple[int, Callable[..., Floats], str]] = {  # how tightly each binds
    "+": (1, operator.add, ""),
    "-": (1, operator.sub, ""),
    "*": (2, operator.mul, ""),
    "/": (2, operator.truediv, "this divides by zero"),
    "**": (4, _integer_power, "this power has no real value"),
}
_SIGN_PRECEDENCE = 3  # -2**2 is -4
_EXACT_FUNCTIONS = {operator.add, operator.sub, operator.mul, operator.truediv, operator.neg, _integer_power}


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str  # "number", "name", "mark", "end"
    text: str
    column: int


class _ExpressionParser:
    """By how tightly operators bind, from left to right; powers from right to left."""

    def __init__(self, text: str, names: Collection[str]) -> None:
        self._names = names
        self._steps: list[_Instruction] = []
        self._tokens = []
        for found in _TOKEN.finditer(text):
            kind = ("number", "name", "mark")[(found.lastindex or 1) - 1]
            self._tokens.append(_Token(kind, found[found.lastindex or 0], found.start(found.lastindex or 0) + 1))
        self._tokens.append(_Token("end", "", len(text.rstrip()) + 1))
        self._at = 0

    @property
    def _next_token(self) -> _Token:
        return self._tokens[self._at]

    def _expect(self) -> _Token:
        self._at += 1
        return self._tokens[self._at - 1]

    def parse_all(self) -> list[_Instruction]:
        self._parse_binary(0, 0)
        rest = self._next_token
        if rest.text == ")":
            raise ExpressionError("this `)` has no matching `(`", rest.column)
        if rest.text == ",":
            raise ExpressionError("a comma is not allowed here", rest.column, "use a decimal point: 1.5")
        if rest.kind != "end":
            self._misplaced_error(rest)
        return self._steps

    def _misplaced_error(self, token: _Token) -> NoReturn:
        if token.kind in ("number", "name") or token.text == "(":
            cure = "remove units: lengths are metres, angles are degrees" if token.kind == "name" else ""
            raise ExpressionError(f"an operator is missing before {quote_text(token.text)}", token.column, cure)
        known = {"^": "write ** for powers", "%": "write mod(a, b)", "×": "write *", "÷": "write /", "−": "write -"}
        message = f"{quote_text(token.text)} is not allowed in an expression"
        raise ExpressionError(message, token.column, known.get(token.text, "use + - * / ** ( )"))

    def _parse_binary(self, binding: int, depth: int) -> None:
        """A value, and the operators after it that bind at least so tightly."""
        if depth > MAX_EXPRESSION_DEPTH:
            raise ExpressionError(
                f"the expression is nested more than {MAX_EXPRESSION_DEPTH} deep",
                self._next_token.column,
                "simplify it",
            )
        self._parse_primary(depth)
        while self._next_token.text in _OPERATORS:
            tight, act, fault = _OPERATORS[self._next_token.text]
            if tight < binding:
                return
            token = self._expect()
            self._parse_binary(tight if token.text == "**" else tight + 1, depth + (token.text == "**"))
            self._steps.append(_Instruction(token.column, argument_count=2, function=act, fault_message=fault))

    def _parse_primary(self, depth: int) -> None:
        token = self._expect()
        if token.kind == "number":
            self._steps.append(_Instruction(token.column, float(token.text)))
        elif token.kind == "name":
            self._parse_name(token, depth)
        elif token.text == "(":
            self._parse_binary(0, depth + 1)
            self._expect_closing(token)
        elif token.text in ("-", "+"):
            self._parse_binary(_SIGN_PRECEDENCE, depth + 1)
            if token.text == "-":
                self._steps.append(_Instruction(token.column, argument_count=1, function=operator.neg))
        elif token.kind == "end" or token.text in (")", ",") or token.text in _OPERATORS:
            before = self._tokens[self._at - 2].text if self._at > 1 else ""
            where = f"after {quote_text(before)}" if before else "here"
            raise ExpressionError(f"a number is missing {where}", token.column)
        else:
            self._misplaced_error(token)

    def _parse_name(self, token: _Token, depth: int) -> None:
        name = token.text
        if name in self._names:
            self._steps.append(_Instruction(token.column, name=name))
        elif name in CONSTANTS:
            self._steps.append(_Instruction(token.column, CONSTANTS[name]))
        elif name not in FUNCTIONS:
            known = [*self._names, *CONSTANTS, *FUNCTIONS]
            cure = (
                suggest_word(name, known)
                or f"an expression can use {join_alternatives(known).replace(' or ', ' and ')}"
            )
            raise ExpressionError(f"{quote_text(name)} is not a known name", token.column, cure)
        else:
            least, most, act, fault = FUNCTIONS[name]
            if self._next_token.text != "(":
                raise ExpressionError(f"`{name}` needs parentheses", token.column, f"write {name}(...)")
            bracket, count = self._expect(), 1
            self._parse_binary(0, depth + 1)
            while self._next_token.text == ",":
                self._expect()
                self._parse_binary(0, depth + 1)
                count += 1
            self._expect_closing(bracket)
            if not least <= count <= most:
                wanted = f"{least}" if least == most else f"{least} to {most}"
                plural = "" if wanted == "1" else "s"
                raise ExpressionError(f"`{name}` takes {wanted} number{plural}, not {count}", token.column)
            self._steps.append(_Instruction(token.column, argument_count=count, function=act, fault_message=fault))

    def _expect_closing(self, bracket: _Token) -> None:
        if self._next_token.text == ")":
            self._expect()
        elif self._next_token.kind == "end":
            cure = 'inside { } and [ ], put an expression with a comma in quotes: "min(1, 2)"'
            raise ExpressionError("`(` is not closed", bracket.column, cure)
        elif self._next_token.text == ",":
            raise ExpressionError("a comma is not allowed here", self._next_token.column, "use a decimal point: 1.5")
        else:
            self._misplaced_error(self._next_token)
