"""Fixes of quad corners: crossed, duplicate, collinear, slightly off the plane, or in the opposite order."""

from __future__ import annotations

import re
from collections.abc import Callable

from ...format.expressions import ExpressionError, parse_expression
from ...format.findings import Finding
from ...format.schema.pieces import POLYGON_KINDS
from ...geometry.quads import find_quad_fault
from .. import DocumentEntry, YamlDocument
from ..yaml_tree import TreeList, TreeScalar

MAX_CORNER_MOVE_MM = 50.0  # mm: a corner further off its plane may be intended

_NOT_PLANAR = re.compile(r"the quad is not flat: corner ([1-4]) is ([0-9.]+) mm off")
_MOVE_CORNER = re.compile(r"move corner ([1-4]) to (\[[^\]]+\])")
_DUPLICATE_CORNERS = re.compile(r"corners ([1-4]) and ([1-4]) are the same point")
_COLLINEAR_CORNER = re.compile(r"corner ([1-4]) lies on the line through its neighbours")
_WRONG_CORNER_COUNT = re.compile(r"use `(quad|triangle)`")

CornerFix = tuple[str, Callable[[YamlDocument], None]]
Point = tuple[float, ...]


def is_flipped(finding: Finding) -> bool:
    """True if a quad or triangle faces the other way than its neighbours."""
    return finding.message.startswith("it faces the opposite way to")


def is_crossed(finding: Finding) -> bool:
    """True if the corners of a quad have no sound order."""
    return finding.message.startswith("its edges cross")


def plan_corner_fix(finding: Finding, document: YamlDocument) -> CornerFix | None:
    """Description and edit that fix a finding about corners; None if there is no clear fix."""
    line, column = finding.line, finding.column
    entry = document.piece_around(line, column)
    if (
        entry is None
        or entry.kind not in POLYGON_KINDS
        or not (is_flipped(finding) or finding.where.endswith(".corners"))
    ):
        return None
    if finding.where.endswith(".corners") and finding.severity != "dropped":
        return None
    corners = _read_corners(entry)
    if corners is None:
        return None
    texts, points = corners
    count = _WRONG_CORNER_COUNT.fullmatch(finding.cure)
    if count is not None:
        kind = count[1]
        old_kind = entry.kind
        return f"the {old_kind} is now a {kind}", lambda document: document.change_kind(
            _find_entry(document, line, column), kind, True
        )
    if is_flipped(finding):
        order = (0, *range(len(texts) - 1, 0, -1))
        return "corners listed in the opposite order", _edit_corner_list(line, column, [texts[k] for k in order])
    if len(points) != 4:
        return None
    return _fix_crossed(finding, texts, points) or _fix_moved(finding) or _fix_corner_count(finding, texts)


def _fix_crossed(finding: Finding, texts: list[str], points: list[Point]) -> CornerFix | None:
    if not is_crossed(finding):
        return None
    line, column = finding.line, finding.column
    for i, j in ((2, 3), (1, 2)):
        order = [0, 1, 2, 3]
        order[i], order[j] = order[j], order[i]
        if find_quad_fault([points[k] for k in order]) is None:
            return f"corners {i + 1} and {j + 1} swapped", _edit_corner_list(line, column, [texts[k] for k in order])
    return None


def _fix_moved(finding: Finding) -> CornerFix | None:
    distance = _NOT_PLANAR.match(finding.message)
    move = _MOVE_CORNER.match(finding.cure)
    if distance is None or move is None or float(distance[2]) > MAX_CORNER_MOVE_MM:
        return None
    line, column = finding.line, finding.column
    number = int(move[1]) - 1
    point = move[2]

    def edit(document: YamlDocument) -> None:
        entry = _find_entry(document, line, column)
        current = _read_corners(entry)
        assert current is not None
        texts = current[0]
        corners = f"[{', '.join([*texts[:number], point, *texts[number + 1 :]])}]"
        document.set_field(entry, "corners", corners, everywhere=True)

    return f"corner {number + 1} moved by {distance[2]} mm into the plane of the others", edit


def _fix_corner_count(finding: Finding, texts: list[str]) -> CornerFix | None:
    same = _DUPLICATE_CORNERS.match(finding.message)
    straight = _COLLINEAR_CORNER.match(finding.message)
    if same is not None:
        first = int(same[1]) - 1
        removed = int(same[2]) - 1
        if removed - first not in (1, 3):
            return None
    elif straight is not None:
        removed = int(straight[1]) - 1
    else:
        return None
    line, column = finding.line, finding.column
    remaining = texts[:removed] + texts[removed + 1 :]

    def edit(document: YamlDocument) -> None:
        entry = _find_entry(document, line, column)
        document.set_field(entry, "corners", f"[{', '.join(remaining)}]", everywhere=True)
        document.change_kind(entry, "triangle", everywhere=True)

    return f"corner {removed + 1} removed: the quad is now a triangle", edit


def _find_entry(document: YamlDocument, line: int, column: int) -> DocumentEntry:
    entry = document.piece_around(line, column)
    assert entry is not None
    return entry


def _edit_corner_list(line: int, column: int, texts: list[str]) -> Callable[[YamlDocument], None]:
    corners = f"[{', '.join(texts)}]"
    return lambda document: document.set_field(_find_entry(document, line, column), "corners", corners, everywhere=True)


def _read_corners(entry: DocumentEntry) -> tuple[list[str], list[Point]] | None:
    """Each corner as text and in metres; None if `corners` is not a list of points."""
    node = entry.field_node("corners")
    if not isinstance(node, TreeList):
        return None
    texts = []
    points = []
    for item in node.items:
        if not isinstance(item, TreeList):
            return None
        coordinates = [coordinate.text for coordinate in item.items if isinstance(coordinate, TreeScalar)]
        try:
            points.append(tuple(parse_expression(coordinate).evaluate() for coordinate in coordinates))
        except ExpressionError:
            return None
        texts.append(f"[{', '.join(entry.document.text_of(coordinate) for coordinate in item.items)}]")
        if len(coordinates) != 3 or len(item.items) != 3:
            return None
    return texts, points
