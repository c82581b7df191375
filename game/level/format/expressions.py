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
from numpy.typing import NDArray

from .findings import did_you_mean, listed, quoted

Floats = NDArray[np.float64]

LONGEST = 200  # characters
DEEPEST = 32  # of ( ), signs and powers inside each other
MOST_VALUES = 8  # of min and max
GREATEST = 1e12  # of a result, either way
DECIMALS = 9  # of a result: metres to a nanometre

_TOKEN = re.compile(r"\s*(?:([0-9]+\.?[0-9]*(?:[eE][+-]?[0-9]+)?|\.[0-9]+(?:[eE][+-]?[0-9]+)?)|([A-Za-z_]+)|(\*\*|\S))")
_HASH = (0x9E3779B1, 0xBB67AE85, 0xC2B2AE3D)  # odd and without pattern: the golden ratio's, the root of 3's, a prime


class SumError(ValueError):
    """What is wrong with a sum: in words, with a cure, at a column of its text that counts from 1."""

    def __init__(self, message: str, column: int, cure: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.column = column
        self.cure = cure


@dataclass(frozen=True, slots=True)
class _Step:
    """One act on a stack: push a number, push what a name stands for, or replace the last values by a result."""

    column: int
    number: float = 0.0
    name: str = ""
    count: int = 0
    act: Callable[..., Floats] | None = None
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Sum:
    """A sum that was understood; `names` are those that it asks for."""

    text: str
    names: frozenset[str]
    _steps: tuple[_Step, ...]

    @overload
    def value(self) -> float: ...
    @overload
    def value(self, **names: float) -> float: ...
    @overload
    def value(self, **names: Floats) -> Floats: ...

    def value(self, **names: float | Floats) -> float | Floats:
        """What it comes to: a number, or an array as large as those given. Raises SumError, KeyError of a name."""
        strict = np.errstate(divide="raise", over="raise", invalid="raise", under="ignore")
        with strict if self._wide else nullcontext():
            found = self._run(names)
            if np.ndim(found) == 0 and all(np.ndim(given) == 0 for given in names.values()):
                number = float(found)
                if not abs(number) <= GREATEST:
                    raise SumError("this is beyond all bounds", 1)
                return round(number, DECIMALS) + 0.0
            found = np.broadcast_arrays(found, *names.values())[0].astype(np.float64)
            if not np.all(np.abs(found) <= GREATEST):
                raise SumError("this is beyond all bounds", 1)
            return np.where(np.abs(found) < 1e6, np.round(found, DECIMALS), found) + 0.0

    @property
    def _wide(self) -> bool:
        """Whether numpy will do some of it: its faults have to be asked for."""
        return bool(self.names) or any(step.act is not None and step.act not in _PLAIN for step in self._steps)

    def _run(self, names: Mapping[str, float | Floats]) -> float | Floats:
        stack: list[float | Floats] = []
        for step in self._steps:
            if step.act is None:
                stack.append(names[step.name] if step.name else step.number)
                continue
            values = stack[-step.count :]
            del stack[-step.count :]
            try:
                made = step.act(*values)
            except (ArithmeticError, ValueError) as error:
                beyond = isinstance(error, OverflowError) or "overflow" in str(error) or not step.fault
                raise SumError("this is beyond all bounds" if beyond else step.fault, step.column) from None
            stack.append(made)
        return stack[0]


def parse(text: str, names: Collection[str] = ()) -> Sum:
    """The sum of that text, which may use `names`. Raises SumError."""
    if len(text) > LONGEST:
        raise SumError(f"a sum of {len(text)} characters, {LONGEST} are the most", LONGEST + 1, "shorten it")
    parser = _Parser(text, names)
    steps = parser.whole()
    return Sum(text, frozenset(step.name for step in steps if step.name), tuple(steps))


def _noise(x: Floats, z: Floats) -> Floats:
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
            mixed = (column * np.uint64(_HASH[0]) + row * np.uint64(_HASH[1])) & np.uint64(0xFFFFFFFF)
            for shift in (15, 13):
                mixed = ((mixed ^ (mixed >> np.uint64(shift))) * np.uint64(_HASH[2])) & np.uint64(0xFFFFFFFF)
            corners.append((mixed ^ (mixed >> np.uint64(16))).astype(np.float64) / 2147483647.5 - 1.0)
    u, v = _fade(right), _fade(far)
    a, b, c, d = corners
    return ((a * (1 - v) + b * v) * (1 - u) + (c * (1 - v) + d * v) * u).reshape(shape)


def _fade(t: Floats) -> Floats:
    return t * t * t * (t * (t * 6.0 - 15.0) + 10.0)


def _smoothstep(low: Floats, high: Floats, x: Floats) -> Floats:
    t = np.clip((x - low) / (high - low), 0.0, 1.0)
    return t * t * (3.0 - 2.0 * t)


def _turned(act: Callable[[Floats], Floats]) -> Callable[[Floats], Floats]:
    """Of an angle in degrees, to twelve decimals: the same on every machine, and exact where one expects it."""
    return lambda angle: np.round(act(np.radians(np.mod(angle, 360.0))), 12)


_SIN, _COS = _turned(np.sin), _turned(np.cos)


def _power(base: Floats, exponent: Floats) -> Floats:
    """Small whole powers by multiplication, which is the same on every machine."""
    if np.ndim(exponent) == 0 and exponent in (2.0, 3.0, 4.0):
        square = base * base
        return square if exponent == 2.0 else square * base if exponent == 3.0 else square * square
    found = base**exponent
    if np.iscomplexobj(found):
        raise ValueError
    return found


def _all(act: Callable[[Floats, Floats], Floats]) -> Callable[..., Floats]:
    def over(first: Floats, *others: Floats) -> Floats:
        for other in others:
            first = act(first, other)
        return first

    return over


# least and most values, what is done, what it means where that cannot be
FUNCTIONS: dict[str, tuple[int, int, Callable[..., Floats], str]] = {
    "sqrt": (1, 1, np.sqrt, "the square root of a negative number"),
    "abs": (1, 1, np.abs, ""),
    "min": (2, MOST_VALUES, _all(np.minimum), ""),
    "max": (2, MOST_VALUES, _all(np.maximum), ""),
    "floor": (1, 1, np.floor, ""),
    "sin": (1, 1, _SIN, ""),
    "cos": (1, 1, _COS, ""),
    "tan": (1, 1, lambda angle: _SIN(angle) / _COS(angle), "`tan` has no value at 90 degrees"),
    "mod": (2, 2, np.mod, "a remainder of a division by zero"),
    "clamp": (3, 3, lambda x, low, high: np.minimum(np.maximum(x, low), high), ""),
    "smoothstep": (3, 3, _smoothstep, "`smoothstep` from a number to the same number"),
    "noise": (2, 2, _noise, ""),
}
CONSTANTS = {"pi": float(np.pi)}

_OPERATORS: dict[str, tuple[int, Callable[..., Floats], str]] = {  # how tightly each binds
    "+": (1, operator.add, ""),
    "-": (1, operator.sub, ""),
    "*": (2, operator.mul, ""),
    "/": (2, operator.truediv, "a division by zero"),
    "**": (4, _power, "a power that has no value"),
}
_SIGN = 3  # -2**2 is -4
_PLAIN = {operator.add, operator.sub, operator.mul, operator.truediv, operator.neg, _power}


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str  # "number", "name", "mark", "end"
    text: str
    column: int


class _Parser:
    """By how tightly operators bind, from left to right; powers from right to left."""

    def __init__(self, text: str, names: Collection[str]) -> None:
        self._names = names
        self._steps: list[_Step] = []
        self._tokens = []
        for found in _TOKEN.finditer(text):
            kind = ("number", "name", "mark")[(found.lastindex or 1) - 1]
            self._tokens.append(_Token(kind, found[found.lastindex or 0], found.start(found.lastindex or 0) + 1))
        self._tokens.append(_Token("end", "", len(text.rstrip()) + 1))
        self._at = 0

    @property
    def _next(self) -> _Token:
        return self._tokens[self._at]

    def _take(self) -> _Token:
        self._at += 1
        return self._tokens[self._at - 1]

    def whole(self) -> list[_Step]:
        self._sum(0, 0)
        rest = self._next
        if rest.text == ")":
            raise SumError("`)` without its `(`", rest.column)
        if rest.text == ",":
            raise SumError("a comma where none can be", rest.column, "write a point for decimals: 1.5")
        if rest.kind != "end":
            self._misplaced(rest)
        return self._steps

    def _misplaced(self, token: _Token) -> NoReturn:
        if token.kind in ("number", "name") or token.text == "(":
            cure = "leave units out: lengths are metres, angles degrees" if token.kind == "name" else ""
            raise SumError(f"an operator is missing before {quoted(token.text)}", token.column, cure)
        known = {"^": "write ** for a power", "%": "write mod(a, b)", "×": "write *", "÷": "write /", "−": "write -"}
        message = f"{quoted(token.text)} has no place in a sum"
        raise SumError(message, token.column, known.get(token.text, "use + - * / ** ( )"))

    def _sum(self, binding: int, depth: int) -> None:
        """A value, and the operators after it that bind at least so tightly."""
        if depth > DEEPEST:
            raise SumError(f"nested more than {DEEPEST} deep", self._next.column, "split it up")
        self._value(depth)
        while self._next.text in _OPERATORS:
            tight, act, fault = _OPERATORS[self._next.text]
            if tight < binding:
                return
            token = self._take()
            self._sum(tight if token.text == "**" else tight + 1, depth + (token.text == "**"))
            self._steps.append(_Step(token.column, count=2, act=act, fault=fault))

    def _value(self, depth: int) -> None:
        token = self._take()
        if token.kind == "number":
            self._steps.append(_Step(token.column, float(token.text)))
        elif token.kind == "name":
            self._name(token, depth)
        elif token.text == "(":
            self._sum(0, depth + 1)
            self._close(token)
        elif token.text in ("-", "+"):
            self._sum(_SIGN, depth + 1)
            if token.text == "-":
                self._steps.append(_Step(token.column, count=1, act=operator.neg))
        elif token.kind == "end" or token.text in (")", ",") or token.text in _OPERATORS:
            before = self._tokens[self._at - 2].text if self._at > 1 else ""
            where = f"after {quoted(before)}" if before else "here"
            raise SumError(f"a number is missing {where}", token.column)
        else:
            self._misplaced(token)

    def _name(self, token: _Token, depth: int) -> None:
        name = token.text
        if name in self._names:
            self._steps.append(_Step(token.column, name=name))
        elif name in CONSTANTS:
            self._steps.append(_Step(token.column, CONSTANTS[name]))
        elif name not in FUNCTIONS:
            known = [*self._names, *CONSTANTS, *FUNCTIONS]
            cure = did_you_mean(name, known) or f"a sum knows {listed(known).replace(' or ', ' and ')}"
            raise SumError(f"there is no {quoted(name)}", token.column, cure)
        else:
            least, most, act, fault = FUNCTIONS[name]
            if self._next.text != "(":
                raise SumError(f"`{name}` needs ( ) after it", token.column, f"write {name}(...)")
            bracket, count = self._take(), 1
            self._sum(0, depth + 1)
            while self._next.text == ",":
                self._take()
                self._sum(0, depth + 1)
                count += 1
            self._close(bracket)
            if not least <= count <= most:
                wanted = f"{least}" if least == most else f"{least} to {most}"
                plural = "" if wanted == "1" else "s"
                raise SumError(f"`{name}` takes {wanted} number{plural}, not {count}", token.column)
            self._steps.append(_Step(token.column, count=count, act=act, fault=fault))

    def _close(self, bracket: _Token) -> None:
        if self._next.text == ")":
            self._take()
        elif self._next.kind == "end":
            cure = 'a sum with a comma needs quotes inside { } and [ ]: "min(1, 2)"'
            raise SumError("`(` is not closed", bracket.column, cure)
        elif self._next.text == ",":
            raise SumError("a comma where none can be", self._next.column, "write a point for decimals: 1.5")
        else:
            self._misplaced(self._next)
