"""Shared by the benchmarks: timing, and command lines that take a list of sizes."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from time import perf_counter

import numpy as np


def best_seconds(function: Callable[[], object], rounds: int = 3) -> float:
    """Shortest wall time of a call (s)."""
    return float(min(alternating_seconds([function], rounds)[:, 0]))


def alternating_seconds(functions: Sequence[Callable[[], object]], rounds: int) -> np.ndarray:
    """Wall times (rounds, functions) in s, measured in turns so that a busy machine slows all of them."""
    seconds = np.empty((rounds, len(functions)))
    for number, index in np.ndindex(seconds.shape):
        start = perf_counter()
        functions[index]()
        seconds[number, index] = perf_counter() - start
    return seconds


def parse_sizes(module: str, doc: str | None, name: str, meaning: str, default: Sequence[int]) -> list[int]:
    """Positive integers from the command line of `python -m MODULE`, or the default sizes."""
    parser = argparse.ArgumentParser(
        prog=f"python -m {module}", description=doc, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    text = f"{meaning} (default: {' '.join(map(str, default))})"
    parser.add_argument("sizes", nargs="*", type=int, metavar=name, default=list(default), help=text)
    sizes: list[int] = parser.parse_args().sizes
    if min(sizes) < 1:
        parser.error(f"{name} must be positive")
    return sizes
