"""Compiler of the kernels: each function is optimised once, as a part of the kernel that calls it."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest
from numba.core import event
from numba.core.codegen import JITCodeLibrary

from game.physics.numerics.jit import NUMBA_OPTIONS_WITHOUT_REFCOUNT, inlined, inner
from game.physics.numerics.kernel_compiler import (
    Kernel,
    KernelCompiler,
)

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")

WEIGHT = 0.1


@inner
def lowest(rows: Any, k: int, scale: float) -> float:
    """Three calls below the kernel, and called from two places."""
    return rows[k] * scale + WEIGHT


@inner
def middle(rows: Any, k: int) -> float:
    return lowest(rows, k, 3.0) / max(lowest(rows, 0, 7.0), 0.5, rows[k])


@inlined
def outer(rows: Any, k: int) -> float:
    if k < 0:
        raise ValueError("k must be at least 0")
    return middle(rows, k) - lowest(rows, k, 1.0 / 3.0)


def walk(rows: Any, first: int) -> float:
    total = outer(rows, 0)
    for k in range(first, len(rows)):
        total += outer(rows, k)
    return total


def compiled(function: Any) -> Kernel:
    """The function as a kernel that is not kept in the kernel cache."""
    options = {"nopython": True, **NUMBA_OPTIONS_WITHOUT_REFCOUNT}
    return Kernel(function, targetoptions=options, pipeline_class=KernelCompiler)


@pytest.fixture(scope="module")
def kernel() -> Kernel:
    walker = compiled(walk)
    walker(np.ones(3), 1)
    return walker


def library(dispatcher: Any) -> Any:
    (overload,) = dispatcher.overloads.values()
    return overload.library


def test_a_kernel_gives_the_bits_of_python(kernel):
    """An inner kernel that Python calls runs in Python."""
    rows = np.random.default_rng(4).normal(size=200)
    assert kernel(rows, 1) == walk(rows, 1)


def test_a_function_is_compiled_once_for_several_kernels(kernel):
    again = []

    class Listener(event.Listener):
        def on_start(self, event: Any) -> None:
            again.append(event.data["dispatcher"].py_func.__name__)

        def on_end(self, event: Any) -> None: ...

    second = compiled(lambda rows: outer(rows, 1) + middle(rows, 2))
    with event.install_listener("numba:compile", Listener()):
        rows = np.array([0.3, 0.7, 0.9])
        assert second(rows) == outer(rows, 1) + middle(rows, 2)
    assert again == ["<lambda>"]


def test_an_error_inside_an_inner_function_reaches_the_caller(kernel):
    with pytest.raises(ValueError, match="k must be at least 0"):
        kernel(np.ones(3), -2)


def test_a_kernel_of_another_program_may_call_ours(kernel):
    """A function of plain numba links all that an inner function calls."""

    @numba.njit
    def theirs(rows: Any) -> float:
        return outer(rows, 2)

    rows = np.array([0.2, 0.4, 0.6])
    assert theirs(rows) == outer(rows, 2)
    assert type(library(theirs)) is JITCodeLibrary


@pytest.mark.full
def test_numba_itself_keeps_its_settings(kernel):
    """Closures, and one machine code for each literal, as numba has them, after our kernels are compiled."""

    @numba.njit
    def closure(values: Any) -> float:
        def square(x: float) -> float:
            return x * x

        return square(values[0]) + sum([square(x) for x in values])

    assert closure(np.array([2.0, 3.0])) == 17.0

    @numba.njit
    def callee(k: int) -> int:
        return k + 1

    @numba.njit
    def caller(n: int) -> int:
        return callee(1) + callee(n)

    assert caller(4) == 7
    assert len(callee.overloads) == 2
