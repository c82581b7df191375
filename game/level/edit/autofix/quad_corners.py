"""Corners of quads that were meant otherwise: crossed, doubled, a little off the plane, the wrong way round."""

from __future__ import annotations

import re
from collections.abc import Callable

from ...format.expressions import SumError, parse
from ...format.findings import Finding
from ...geometry.quads import fault
from .. import Draft, Entry
from ..yaml_tree import List, Scalar

SNAP = 50.0  # millimetres that a corner is moved at most: more may be meant

_OFF = re.compile(r"not planar: corner ([1-4]) is ([0-9.]+) mm off")
_MOVE = re.compile(r"move corner ([1-4]) to (\[[^\]]+\])")
_SAME = re.compile(r"corners ([1-4]) and ([1-4]) are the same point")
_STRAIGHT = re.compile(r"corner ([1-4]) lies on the line through its neighbours")
_COUNT = re.compile(r"use `(quad|triangle)`")

Plan = tuple[str, Callable[[Draft], None]]
Point = tuple[float, ...]


def plan(finding: Finding, draft: Draft) -> Plan | None:
    """What to do about a finding that concerns corners, in words and as an edit; None where that is not plain."""
    line, column = finding.line, finding.column
    flipped = finding.message.startswith("it looks the other way than")
    entry = draft.around(line, column)
    if entry is None or entry.kind not in ("quad", "triangle") or not (flipped or finding.where.endswith(".corners")):
        return None
    if finding.where.endswith(".corners") and finding.severity != "dropped":
        return None
    said = _said(entry)
    if said is None:
        return None
    words, points = said
    count = _COUNT.fullmatch(finding.cure)
    if count is not None:
        kind = count[1]
        was = entry.kind
        return f"the {was} is now a {kind}", lambda draft: draft.turn_into(_entry(draft, line, column), kind, True)
    if flipped:
        order = (0, *range(len(words) - 1, 0, -1))
        return "corners listed the other way round", _listed(line, column, [words[k] for k in order])
    if len(points) != 4:
        return None
    return _crossed(finding, words, points) or _moved(finding) or _fewer(finding, words)


def _crossed(finding: Finding, words: list[str], points: list[Point]) -> Plan | None:
    if not finding.message.startswith("its edges cross"):
        return None
    line, column = finding.line, finding.column
    for i, j in ((2, 3), (1, 2)):
        order = [0, 1, 2, 3]
        order[i], order[j] = order[j], order[i]
        if fault([points[k] for k in order]) is None:
            return f"corners {i + 1} and {j + 1} swapped", _listed(line, column, [words[k] for k in order])
    return None


def _moved(finding: Finding) -> Plan | None:
    off, move = _OFF.match(finding.message), _MOVE.match(finding.cure)
    if off is None or move is None or float(off[2]) > SNAP:
        return None
    line, column, number, point = finding.line, finding.column, int(move[1]) - 1, move[2]

    def edit(draft: Draft) -> None:
        entry = _entry(draft, line, column)
        said = _said(entry)
        assert said is not None
        corners = f"[{', '.join([*said[0][:number], point, *said[0][number + 1 :]])}]"
        draft.set(entry, "corners", corners, everywhere=True)

    return f"corner {number + 1} moved by {off[2]} mm, into the plane of the others", edit


def _fewer(finding: Finding, words: list[str]) -> Plan | None:
    same, straight = _SAME.match(finding.message), _STRAIGHT.match(finding.message)
    if same is not None:
        one, other = int(same[1]) - 1, int(same[2]) - 1
        if other - one not in (1, 3):
            return None
    elif straight is not None:
        other = int(straight[1]) - 1
    else:
        return None
    line, column = finding.line, finding.column
    left = words[:other] + words[other + 1 :]

    def edit(draft: Draft) -> None:
        entry = _entry(draft, line, column)
        draft.set(entry, "corners", f"[{', '.join(left)}]", everywhere=True)
        draft.turn_into(entry, "triangle", everywhere=True)

    return f"corner {other + 1} taken out: the quad is now a triangle", edit


def _entry(draft: Draft, line: int, column: int) -> Entry:
    entry = draft.around(line, column)
    assert entry is not None
    return entry


def _listed(line: int, column: int, words: list[str]) -> Callable[[Draft], None]:
    corners = f"[{', '.join(words)}]"
    return lambda draft: draft.set(_entry(draft, line, column), "corners", corners, everywhere=True)


def _said(entry: Entry) -> tuple[list[str], list[Point]] | None:
    """Each corner as it is written, and in metres; None where they are no list of points."""
    node = entry.node("corners")
    if not isinstance(node, List):
        return None
    words, points = [], []
    for item in node.items:
        if not isinstance(item, List):
            return None
        parts = [part.text for part in item.items if isinstance(part, Scalar)]
        try:
            points.append(tuple(parse(part).value() for part in parts))
        except SumError:
            return None
        words.append(f"[{', '.join(entry.draft.text_of(part) for part in item.items)}]")
        if len(parts) != 3 or len(item.items) != 3:
            return None
    return words, points
