"""Selection of tests: which run by default, and which run with `--full` only.

Three markers say what is left out by default. Each leaves whole cases out, so a test that runs is never weaker:

  full         the test
  sample(n)    all cases of the parametrised test but n, evenly spaced in their order
  each_once    all cases but the fewest with which each value of each parameter occurs

A test that is named by its node id always runs. `--full` runs all tests, `--full-part 3/40` the third of forty parts of
those that are left out by default.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import pytest

LEFT_OUT = pytest.StashKey[int]()  # of the configuration: number of tests that a default run left out
MARKERS = (
    "full: left out by default; runs with --full, or when it is named by its node id",
    "sample(n): by default, n cases of the test, evenly spaced; all with --full",
    "each_once: by default, the fewest cases with which each value of each parameter occurs; all with --full",
)


def add_options(parser: pytest.Parser) -> None:
    """`--full` and `--full-part`."""
    group = parser.getgroup("walker selection", "selection of the project's tests")
    group.addoption("--full", action="store_true", help="run the tests that are left out by default too")
    group.addoption(
        "--full-part",
        metavar="K/N",
        type=parse_part,
        help="run only part K of N of what is left out by default",
    )


def parse_part(text: str) -> tuple[int, int]:
    """(k, n) of `k/n` with 1 <= k <= n. ValueError for other texts."""
    k, n = (int(word) for word in text.split("/"))
    if not 1 <= k <= n:
        raise ValueError(text)
    return k, n


def in_part(nodeid: str, part: tuple[int, int]) -> bool:
    """Whether a node id belongs to a part; each belongs to one of the n parts, whatever tests there are."""
    digest = hashlib.sha256(nodeid.encode()).digest()
    return int.from_bytes(digest[:8], "big") % part[1] == part[0] - 1


def full_items(items: Sequence[pytest.Item]) -> set[str]:
    """Node ids of the items that are left out by default."""
    full, cases = set(), defaultdict(list)
    for item in items:
        if item.get_closest_marker("full"):
            full.add(item.nodeid)
        elif item.get_closest_marker("sample") or item.get_closest_marker("each_once"):
            cases[item.nodeid.partition("[")[0]].append(item)
    for group in cases.values():
        sample = group[0].get_closest_marker("sample")
        kept = evenly_spaced(len(group), *sample.args) if sample else each_value_once(parameter_indices(group))
        full.update(item.nodeid for number, item in enumerate(group) if number not in kept)
    return full


def parameter_indices(items: Sequence[pytest.Item]) -> list[tuple[int, ...]]:
    """For each case of a test: the number of its value for each `parametrize`, in the order of first use."""
    axes = [[name.strip() for name in _names(mark.args[0])] for mark in items[0].iter_markers("parametrize")]
    numbers: list[dict[object, int]] = [{} for _ in axes]
    found = []
    for item in items:
        values = item.callspec.params  # type: ignore[attr-defined]
        keys = [tuple(id(values[name]) for name in axis) for axis in axes]
        found.append(tuple(seen.setdefault(key, len(seen)) for seen, key in zip(numbers, keys, strict=True)))
    return found


def _names(argument: str | Sequence[str]) -> Sequence[str]:
    return argument.split(",") if isinstance(argument, str) else argument


def evenly_spaced(count: int, wanted: int) -> set[int]:
    """`wanted` of the numbers below `count`, evenly spaced, the first one among them."""
    return {k * count // wanted for k in range(wanted)} if wanted < count else set(range(count))


def each_value_once(indices: Sequence[tuple[int, ...]]) -> set[int]:
    """Numbers of the cases along the diagonal: case t has value t, modulo their number, of each parameter.

    Where cases of the product are missing, each value that is still unseen adds the first case that has it.
    """
    sizes = [max(column) + 1 for column in zip(*indices, strict=True)]
    places = {index: number for number, index in enumerate(indices)}
    diagonal = (tuple(t % size for size in sizes) for t in range(max(sizes, default=0)))
    kept = {places[index] for index in diagonal if index in places}
    seen = {value for number in kept for value in enumerate(indices[number])}
    for number, index in enumerate(indices):
        if not seen.issuperset(enumerate(index)):
            kept.add(number)
            seen.update(enumerate(index))
    return kept


def deselect(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Remove from `items` what is left out in this run."""
    if config.option.full or "full" in config.option.markexpr:
        return
    part, full = config.option.full_part, full_items(items)
    named = tuple(name for name in map(_node_id, config.args) if name)

    def is_selected(item: pytest.Item) -> bool:
        if part:
            return item.nodeid in full and in_part(item.nodeid, part)
        return item.nodeid not in full or any(_is_within(item.nodeid, name) for name in named)

    left_out = [item for item in items if not is_selected(item)]
    if left_out:
        gone = set(map(id, left_out))
        items[:] = [item for item in items if id(item) not in gone]
        config.hook.pytest_deselected(items=left_out)
    if not part:
        config.stash[LEFT_OUT] = len(left_out)


def pass_on(session: pytest.Session) -> None:
    """In a process of pytest-xdist, at its end: the number of tests that are left out, for the process that reports."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left out"] = session.config.stash.get(LEFT_OUT, 0)


def take(node: Any, error: object) -> None:
    """Take what `pass_on` gave, when a process of pytest-xdist has ended."""
    node.config.stash[LEFT_OUT] = getattr(node, "workeroutput", {}).get("left out", 0)


def write_left_out(terminalreporter: pytest.TerminalReporter) -> None:
    """The line that says what a default run left out, and how that is run."""
    count = terminalreporter.config.stash.get(LEFT_OUT, 0)
    if count:
        line = f"left out: {count} tests, which try more cases or take long; python -m pytest --full runs them too"
        terminalreporter.write_line(line)


def _node_id(argument: str) -> str:
    """The part of a command-line argument from the file's name on, if it names a test; empty if it is a file."""
    path, separator, name = argument.partition("::")
    return path.replace("\\", "/").rpartition("/")[2] + separator + name if separator else ""


def _is_within(nodeid: str, named: str) -> bool:
    """Whether a node id is that of a named test, or of one of its cases or of a test of its class."""
    short = nodeid.partition("::")[0].rpartition("/")[2] + nodeid[len(nodeid.partition("::")[0]) :]
    return short == named or short.startswith((named + "[", named + "::"))
