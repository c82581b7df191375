"""Expressions: their values for numbers and arrays, their errors with positions, and their limits."""

# ruff: noqa: E501 (one line a mistake)
from __future__ import annotations

import math
import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from game.level import Finding, Level, check
from game.level.format.expressions import (
    MAX_EXPRESSION_DEPTH,
    MAX_EXPRESSION_LENGTH,
    MAX_RESULT,
    ExpressionError,
    parse_expression,
)
from game.level.format.numbers import MAX_EXPRESSION_CHARACTERS

COMES_TO = {
    "2*0.18": 0.36, "3*0.18": 0.54, "1/8": 0.125, "10-2-3": 5, "2+3*4": 14, "(2+3)*4": 20, "-2**2": -4, "2**3**2": 512,
    "2**-1": 0.5, "--5": 5, "+5": 5, "2*-3": -6, " 1 +\t2 ": 3, ".5+1.": 1.5, "1e3-1E-1": 999.9, "12/4/3": 1,
    "sqrt(2)**2": 2, "abs(-3)": 3, "min(3,1,2)": 1, "max(3,1,2)": 3, "floor(-0.5)": -1, "sin(30)": 0.5, "cos(180)": -1,
    "tan(45)": 1, "sin(390)": 0.5, "mod(-1, 3)": 2, "mod(7.5, 2)": 1.5, "clamp(5, 0, 1)": 1, "clamp(-5, 0, 1)": 0,
    "smoothstep(0, 2, 1)": 0.5, "smoothstep(0, 1, 9)": 1, "2*pi": 6.283185307, "0*-1": 0, "(-8)**3": -512, "0**0": 1,
}  # fmt: skip

WRONG = {
    "": (1, "a number is missing here"),
    "1+": (3, "a number is missing after `+`"),
    "*2": (1, "a number is missing here"),
    "2**": (4, "a number is missing after `**`"),
    "min(1,)": (7, "a number is missing after `,`"),
    "()": (2, "a number is missing after `(`"),
    "(1": (1, "`(` is not closed"),
    "1)": (2, "this `)` has no matching `(`"),
    "2 3": (3, "an operator is missing before `3`"),
    "2(3)": (2, "an operator is missing before `(`"),
    "5 m": (3, "an operator is missing before `m`"),
    "1,5": (2, "a comma is not allowed here"),
    "(1,5)": (3, "a comma is not allowed here"),
    "2^3": (2, "`^` is not allowed in an expression"),
    "2 @": (3, "`@` is not allowed in an expression"),
    "flor(2)": (1, "`flor` is not a known name"),
    "1+x": (3, "`x` is not a known name"),
    "__import__('os')": (1, "`__import__` is not a known name"),
    "sin 30": (1, "`sin` needs parentheses"),
    "sin(1,2)": (1, "`sin` takes 1 number, not 2"),
    "min(1)": (1, "`min` takes 2 to 8 numbers, not 1"),
    "1/0": (2, "this divides by zero"),
    "1/(2-2)": (2, "this divides by zero"),
    "mod(1,0)": (1, "`mod` divides by zero"),
    "sqrt(0-1)": (1, "this takes the square root of a negative number"),
    "(-8)**0.5": (5, "this power has no real value"),
    "0**-1": (2, "this power has no real value"),
    "tan(90)": (1, "`tan` has no value at 90 degrees"),
    "smoothstep(1,1,0)": (1, "`smoothstep` needs two different limits"),
    "9**9**9": (2, "the result is too large"),
    "1e200*1e200": (1, "the result is too large"),
    "noise(1e300, 0)": (1, "the result is too large"),
    "1e13": (1, "the result is too large"),
    "(" * 40: (MAX_EXPRESSION_DEPTH + 2, f"the expression is nested more than {MAX_EXPRESSION_DEPTH} deep"),
    "-" * 40 + "1": (MAX_EXPRESSION_DEPTH + 2, f"the expression is nested more than {MAX_EXPRESSION_DEPTH} deep"),
    "2**" * 40 + "2": (3 * (MAX_EXPRESSION_DEPTH + 1) + 1, f"the expression is nested more than {MAX_EXPRESSION_DEPTH} deep"),
    "1+" * 500 + "1": (MAX_EXPRESSION_LENGTH + 1, "the expression has 1001 characters; the limit is 1000"),
}  # fmt: skip


@pytest.mark.parametrize("text", COMES_TO)
def test_what_a_sum_comes_to(text: str) -> None:
    assert parse_expression(text).evaluate() == COMES_TO[text], "exactly, as one would write it"


@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong_and_where(text: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        parse_expression(text).evaluate()
    assert (caught.value.column, caught.value.message) == WRONG[text]


def test_decimals_come_out_as_they_are_written() -> None:
    rng = random.Random(3)
    for _ in range(300):
        rise, count = rng.randint(1, 400), rng.randint(1, 300)
        assert parse_expression(f"{count}*{rise / 100}").evaluate() == count * rise / 100


def test_random_sums_agree_with_python() -> None:
    rng = random.Random(4)

    def make(depth: int) -> str:
        kind = rng.randrange(6) if depth < 4 else 0
        if kind < 2:
            return f"{rng.uniform(0.1, 9):.3g}"
        if kind == 2:
            return f"-({make(depth + 1)})"
        if kind == 3:
            return f"{rng.choice(('abs', 'floor'))}({make(depth + 1)})"
        return f"({make(depth + 1)} {rng.choice('+-*/')} {make(depth + 1)})"

    names = {"abs": abs, "floor": math.floor, "__builtins__": {}}
    tried = 0
    while tried < 300:
        text = make(0)
        try:
            wanted = eval(text, dict(names))
        except ZeroDivisionError:
            continue
        if len(text) <= MAX_EXPRESSION_LENGTH and abs(wanted) <= MAX_RESULT:
            assert parse_expression(text).evaluate() == pytest.approx(wanted, abs=1e-9, rel=1e-12), text
            tried += 1


def test_a_formula_over_arrays_is_that_over_each_of_their_numbers() -> None:
    formula = parse_expression(
        "2*noise(x/3, z) + sin(10*x)*max(z, 1)/2 - mod(x, 2)**2 + smoothstep(-3, 3, z)", ("x", "z")
    )
    assert formula.names == {"x", "z"}
    x, z = np.meshgrid(np.linspace(-9, 9, 13), np.linspace(-7, 5, 11))
    found = formula.evaluate(x=x, z=z)
    assert (found.shape, found.dtype) == (x.shape, np.float64)
    for row, column in ((0, 0), (3, 7), (10, 12)):
        alone = formula.evaluate(x=float(x[row, column]), z=float(z[row, column]))
        assert alone == pytest.approx(found[row, column], abs=2e-9)


def test_a_formula_without_names_is_as_large_as_its_arrays() -> None:
    assert np.array_equal(parse_expression("1+1", ("x",)).evaluate(x=np.zeros((2, 3))), np.full((2, 3), 2.0))


def test_a_fault_anywhere_in_an_array_is_reported() -> None:
    with pytest.raises(ExpressionError, match="this divides by zero"):
        parse_expression("1/x", ("x",)).evaluate(x=np.array([1.0, 0.0]))
    with pytest.raises(ExpressionError, match="this takes the square root of a negative number"):
        parse_expression("sqrt(x)", ("x",)).evaluate(x=np.array([1.0, -1.0]))


def test_noise_is_smooth_bounded_and_always_the_same() -> None:
    noise = parse_expression("noise(x, z)", ("x", "z"))
    assert [noise.evaluate(x=x, z=z) for x, z in ((0.5, 0.5), (-3.25, 8.0), (1e5, -1e5))] == [
        -0.140020952, 0.346676088, 0.228879818
    ]  # fmt: skip
    line = np.linspace(-40, 40, 80_001)
    hills = noise.evaluate(x=line, z=np.full_like(line, 0.3))
    assert -1 <= hills.min() < -0.6
    assert 0.6 < hills.max() <= 1
    assert np.abs(np.diff(hills)).max() < 0.005, "no jump within a millimetre"


Built = Callable[..., Level]
Said = Callable[..., list[Finding]]


def test_every_number_of_a_level_may_be_one(built: Built) -> None:
    level = built(
        "stairs: {at: [1/2, 0, 2 * 3], steps: 2*5, rise: 2*0.09, facing: 360/4}",
        "box: {from: [10, 0, 10], to: [10 + 1, sqrt(4), 11], facing: -(30+15)}",
        "floor: {from: [-3**2, \"max(2, 3)\"], to: [20, 20], y: '-1/4'}",
        "quad: {corners: [[30, 1/4, 0], [34, 2**-2, 0], [34, .25, -4], [30, 0.25, -4]]}",
        "array: {count: 8/4, step: [0, 2*2, 0], of: [pillar: {at: [40, 0, 0], sides: 3 * 4, radius: pi/10}]}",
    )
    plain = built(
        "stairs: {at: [0.5, 0, 6], steps: 10, rise: 0.18, facing: 90}",
        "box: {from: [10, 0, 10], to: [11, 2, 11], facing: -45}",
        "floor: {from: [-9, 3], to: [20, 20], y: -0.25}",
        "quad: {corners: [[30, 0.25, 0], [34, 0.25, 0], [34, .25, -4], [30, 0.25, -4]]}",
        "array: {count: 2, step: [0, 4, 0], of: [pillar: {at: [40, 0, 0], sides: 12, radius: 0.314159265}]}",
    )
    assert np.array_equal(level.triangles, plain.triangles)


@pytest.mark.full
def test_all_sums_of_a_level_together_are_bounded(written: Callable[[str], Path]) -> None:
    number = f"{'1+' * 90}0"
    corners = f"[{', '.join(3 * [f'[{number}, {number}, {number}]'])}]"
    rows = f"  - triangle: {{corners: {corners}}}\n" * (MAX_EXPRESSION_CHARACTERS // (9 * len(number)) + 2)
    found = check(written("format: 1\nspawn: {at: [0, 0, 0]}\npieces:\n  - floor: {from: [0, 0], to: [9, 9]}\n" + rows))
    messages = {finding.message for finding in found if finding.severity == "dropped"}
    assert f"the level has more than {MAX_EXPRESSION_CHARACTERS} characters of expressions" in messages
