"""Expressions for numbers (`2*0.18`, `sqrt(3)/2`) and formulas of named variables, on numbers and on arrays.

A Pratt parser compiles the text to a stack program. Only the names and functions below are known; length, depth and
result are bounded. Without arrays the result is rounded to decimals: 3*0.18 is exactly 0.54.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Collection, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, NoReturn, overload

import numpy as np

from ...core.errors import WalkerError
from ...core.springs import smoothstep
from ...core.vectors import Floats
from .findings import join_alternatives, quote_text, suggest_word

MAX_EXPRESSION_LENGTH = 1000  # characters
MAX_EXPRESSION_DEPTH = 32  # nested parentheses, signs and powers
MAX_ARGUMENTS = 8  # of min and max
MAX_RESULT = 1e12  # absolute value
RESULT_DECIMALS = 9  # metres are rounded to nanometres

_TOKEN = re.compile(
    r"\s*(?:([0-9]+\.?[0-9]*(?:[eE][+-]?[0-9]+)?|\.[0-9]+(?:[eE][+-]?[0-9]+)?)"  # a number
    r"|([A-Za-z_][A-Za-z_0-9]*)|(\*\*|\S))"
)
_HASH_MULTIPLIERS = (
    0x9E3779B1,
    0xBB67AE85,
    0xC2B2AE3D,
)  # odd 32-bit constants of the golden ratio, of sqrt(3) and of xxHash


class ExpressionError(WalkerError, ValueError):
    """An invalid expression. `column` counts from 1 in its text; `cure`: suggested fix."""

    def __init__(self, message: str, column: int, cure: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.column = column
        self.cure = cure


@dataclass(frozen=True, slots=True)
class _Instruction:
    """Step of the stack program: push a number, push a variable, or replace the top values by a function's result."""

    column: int
    number: float = 0.0
    name: str = ""
    argument_count: int = 0
    function: Callable[..., Floats] | None = None
    fault_message: str = ""


@dataclass(frozen=True, slots=True)
class Expression:
    """Compiled expression; `names` are the variables that it uses."""

    text: str
    names: frozenset[str]
    _instructions: tuple[_Instruction, ...]

    @property
    def work(self) -> int:
        """Time of one value, in multiplications."""
        return sum(_WORK.get(step.function, 1) for step in self._instructions)

    @overload
    def evaluate(self) -> float: ...
    @overload
    def evaluate(self, **names: float) -> float: ...
    @overload
    def evaluate(self, **names: Floats) -> Floats: ...

    def evaluate(self, **names: float | Floats) -> float | Floats:
        """Value: a number, or an array of the arguments' shape.

        Raises ExpressionError; KeyError for a missing variable.
        """
        strict = np.errstate(divide="raise", over="raise", invalid="raise", under="ignore")
        with strict if self._uses_numpy else nullcontext():
            value = self._execute(names)
            if np.ndim(value) == 0 and all(np.ndim(argument) == 0 for argument in names.values()):
                number = float(value)
                if not abs(number) <= MAX_RESULT:
                    raise ExpressionError("the result is too large", 1)
                return round(number, RESULT_DECIMALS) + 0.0
            array = np.broadcast_arrays(value, *names.values())[0].astype(np.float64)
            if not np.all(np.abs(array) <= MAX_RESULT):
                raise ExpressionError("the result is too large", 1)
            return np.where(np.abs(array) < 1e6, np.round(array, RESULT_DECIMALS), array) + 0.0

    @property
    def _uses_numpy(self) -> bool:
        """True if numpy functions take part: numpy reports their errors only on request."""
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
                result = step.function(*values)
            except (ArithmeticError, ValueError) as error:
                too_large = isinstance(error, OverflowError) or "overflow" in str(error) or not step.fault_message
                raise ExpressionError(
                    "the result is too large" if too_large else step.fault_message, step.column
                ) from None
            stack.append(result)
        return stack[0]


def parse_expression(text: str, names: Collection[str] = ()) -> Expression:
    """Compile an expression in which the names may occur. Raises ExpressionError."""
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
    """Value noise in -1..1 on a grid of 1 m: hashed corner values, blended with a quintic.

    Integer hashes give the same heights on every machine.
    """
    shape = np.broadcast_shapes(np.shape(x), np.shape(z))
    x, z = np.broadcast_arrays(np.atleast_1d(x), np.atleast_1d(z))  # 0-d integers warn of overflow
    cell_x, cell_z = np.floor(x), np.floor(z)
    fraction_x, fraction_z = x - cell_x, z - cell_z
    corners = []
    for step_x in (0, 1):
        for step_z in (0, 1):
            column = (cell_x.astype(np.int64) + step_x).astype(np.uint64)
            row = (cell_z.astype(np.int64) + step_z).astype(np.uint64)
            mixed = (column * np.uint64(_HASH_MULTIPLIERS[0]) + row * np.uint64(_HASH_MULTIPLIERS[1])) & np.uint64(
                0xFFFFFFFF
            )
            for shift in (15, 13):
                mixed = ((mixed ^ (mixed >> np.uint64(shift))) * np.uint64(_HASH_MULTIPLIERS[2])) & np.uint64(
                    0xFFFFFFFF
                )
            corners.append((mixed ^ (mixed >> np.uint64(16))).astype(np.float64) / 2147483647.5 - 1.0)
    u, v = _quintic_fade(fraction_x), _quintic_fade(fraction_z)
    a, b, c, d = corners
    return ((a * (1 - v) + b * v) * (1 - u) + (c * (1 - v) + d * v) * u).reshape(shape)


def _quintic_fade(t: Floats) -> Floats:
    """Smooth step of fifth degree, 6t^5 - 15t^4 + 10t^3 (Perlin, "Improving noise", 2002)."""
    return t * t * t * (t * (t * 6.0 - 15.0) + 10.0)


def _smoothstep(low: Floats, high: Floats, x: Floats) -> Floats:
    return smoothstep(np.clip((x - low) / (high - low), 0.0, 1.0))


def _degree_function(function: Callable[[Floats], Floats]) -> Callable[[Floats], Floats]:
    """Function of an angle in degrees, rounded to twelve decimals: the same on every machine, and sin(30) is 0.5."""
    return lambda angle: np.round(function(np.radians(np.mod(angle, 360.0))), 12)


_SIN_DEGREES, _COS_DEGREES = _degree_function(np.sin), _degree_function(np.cos)


def _integer_power(base: Floats, exponent: Floats) -> Floats:
    """Power. Exponents 2, 3 and 4 are multiplications, which give the same bits on every machine."""
    if np.ndim(exponent) == 0 and exponent in (2.0, 3.0, 4.0):
        square = base * base
        return square if exponent == 2.0 else square * base if exponent == 3.0 else square * square
    power = base**exponent
    if np.iscomplexobj(power):
        raise ValueError
    return power


def _fold_arguments(function: Callable[[Floats, Floats], Floats]) -> Callable[..., Floats]:
    def fold(first: Floats, *others: Floats) -> Floats:
        for other in others:
            first = function(first, other)
        return first

    return fold


# by name: least and greatest number of arguments, function, message where it has no value
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
_WORK: dict[Any, int] = {_value_noise: 40, _SIN_DEGREES: 8, _COS_DEGREES: 8, FUNCTIONS["tan"][2]: 16}  # measured
CONSTANTS = {"pi": float(np.pi)}

_OPERATORS: dict[str, tuple[int, Callable[..., Floats], str]] = {  # precedence, function, message where it has no value
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
    """Pratt parser: operators by precedence, left-associative except `**`."""

    def __init__(self, text: str, names: Collection[str]) -> None:
        self._names = names
        self._steps: list[_Instruction] = []
        self._tokens = []
        for match in _TOKEN.finditer(text):
            kind = ("number", "name", "mark")[(match.lastindex or 1) - 1]
            self._tokens.append(_Token(kind, match[match.lastindex or 0], match.start(match.lastindex or 0) + 1))
        self._tokens.append(_Token("end", "", len(text.rstrip()) + 1))
        self._at = 0

    @property
    def _next_token(self) -> _Token:
        return self._tokens[self._at]

    def _advance(self) -> _Token:
        self._at += 1
        return self._tokens[self._at - 1]

    def parse_all(self) -> list[_Instruction]:
        self._parse_binary(0, 0)
        token = self._next_token
        if token.text == ")":
            raise ExpressionError("this `)` has no matching `(`", token.column)
        if token.text == ",":
            raise ExpressionError("a comma is not allowed here", token.column, "use a decimal point: 1.5")
        if token.kind != "end":
            self._misplaced_error(token)
        return self._steps

    def _misplaced_error(self, token: _Token) -> NoReturn:
        if token.kind in ("number", "name") or token.text == "(":
            raise ExpressionError(f"an operator is missing before {quote_text(token.text)}", token.column)
        message = f"{quote_text(token.text)} is not allowed in an expression"
        raise ExpressionError(message, token.column, "use + - * / ** ( )")

    def _parse_binary(self, min_precedence: int, depth: int) -> None:
        """Parse an operand and the operators after it of at least that precedence."""
        if depth > MAX_EXPRESSION_DEPTH:
            raise ExpressionError(
                f"the expression is nested more than {MAX_EXPRESSION_DEPTH} deep",
                self._next_token.column,
                "simplify it",
            )
        self._parse_primary(depth)
        while self._next_token.text in _OPERATORS:
            precedence, function, fault = _OPERATORS[self._next_token.text]
            if precedence < min_precedence:
                return
            token = self._advance()
            self._parse_binary(precedence if token.text == "**" else precedence + 1, depth + (token.text == "**"))
            self._steps.append(_Instruction(token.column, argument_count=2, function=function, fault_message=fault))

    def _parse_primary(self, depth: int) -> None:
        token = self._advance()
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
            low, high, function, fault = FUNCTIONS[name]
            if self._next_token.text != "(":
                raise ExpressionError(f"`{name}` needs parentheses", token.column, f"write {name}(...)")
            bracket = self._advance()
            count = 1
            self._parse_binary(0, depth + 1)
            while self._next_token.text == ",":
                self._advance()
                self._parse_binary(0, depth + 1)
                count += 1
            self._expect_closing(bracket)
            if not low <= count <= high:
                expected = f"{low}" if low == high else f"{low} to {high}"
                plural = "" if expected == "1" else "s"
                raise ExpressionError(f"`{name}` takes {expected} number{plural}, not {count}", token.column)
            self._steps.append(_Instruction(token.column, argument_count=count, function=function, fault_message=fault))

    def _expect_closing(self, bracket: _Token) -> None:
        if self._next_token.text == ")":
            self._advance()
        elif self._next_token.kind == "end":
            cure = 'add `)`; inside { } and [ ], put an expression with a comma in quotes: "min(1, 2)"'
            raise ExpressionError("`(` is not closed", bracket.column, cure)
        elif self._next_token.text == ",":
            raise ExpressionError("a comma is not allowed here", self._next_token.column, "use a decimal point: 1.5")
        else:
            self._misplaced_error(self._next_token)
