"""Cards of the editor: what is aimed at, the selection with its fields, and the open panel; and its key help: the strip
at the bottom, and the list of tools for the mouse."""

from __future__ import annotations

import contextlib
import math
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ....level.edit import format_number
from ....render import Card, CardRow
from ...input.actions import Action, EditorAction
from ..picking import PickHit, source_location
from .geometry_views import CLASS_NAMES, WALKABLE, walk_class

if TYPE_CHECKING:
    from ....level import Level
    from ..edit_tools import EditTools
    from ..tools.field_rows import FieldRows

Keys = tuple[tuple[str, str], ...]
Strip = tuple[tuple[str | tuple[Action, ...], str], ...]  # actions, or the text in place of their keys; a word

HELP_WIDTH = 820.0  # of the help panel

INSPECT_STRIP: Strip = (
    ((EditorAction.LEAVE,), "leave"),
    (EditorAction.SELECT.shown, "select"),
    ((EditorAction.NEW_PIECE,), "new"),
    ((EditorAction.FINDINGS,), "findings"),
    ((EditorAction.FREE_POINTER,), "tools"),
    ((EditorAction.OPEN_LINE,), "open the line"),
    ("1 2 4 6", "views"),
    ((EditorAction.UNDO, EditorAction.REDO), "undo, redo"),
    ((EditorAction.HELP,), "all keys"),
)
SELECTION_STRIP: Strip = (
    (EditorAction.MOVE_AHEAD.shown, "move"),
    ((EditorAction.ROTATE_LEFT, EditorAction.ROTATE_RIGHT), "rotate"),
    ((EditorAction.NEXT_ROW,), "value"),
    ((EditorAction.INCREASE, EditorAction.DECREASE), "more, less"),
    ((EditorAction.EDIT_VALUE_OR_PLAY,), "type"),
    ((EditorAction.SURFACE,), "surface"),
    ((EditorAction.DUPLICATE,), "copy"),
    ((EditorAction.DELETE,), "delete"),
    ((EditorAction.SELECT_PARENT,), "parent group"),
    ((EditorAction.UNDO, EditorAction.REDO), "undo, redo"),
    ((EditorAction.ESCAPE,), "deselect"),
)
SUSPENDED_HINT = "Click to continue"

# For the mouse: label and action of each tool.
TOOLS: tuple[tuple[str, EditorAction], ...] = (
    ("New piece", EditorAction.NEW_PIECE),
    ("Findings", EditorAction.FINDINGS),
    ("Mouse moves or pulls", EditorAction.NEXT_DRAG_TOOL),
    ("Snapping", EditorAction.SNAPPING),
    ("Grid step", EditorAction.NEXT_GRID),
    ("Surface", EditorAction.SURFACE),
    ("Rotate left", EditorAction.ROTATE_LEFT),
    ("Rotate right", EditorAction.ROTATE_RIGHT),
    ("Copy", EditorAction.DUPLICATE),
    ("Parent group", EditorAction.SELECT_PARENT),
    ("Delete", EditorAction.DELETE),
    ("Undo", EditorAction.UNDO),
    ("Redo", EditorAction.REDO),
    ("All keys", EditorAction.HELP),
    ("Leave the editor", EditorAction.LEAVE),
)


def strip_rows(strip: Strip, label: Callable[[Action], str]) -> Keys:
    """Keys and words of a strip. label: of the key of an action."""
    return tuple((keys if isinstance(keys, str) else " ".join(map(label, keys)), word) for keys, word in strip)


def aimed_card(level: Level, picked: PickHit | None) -> Card:
    """Card about what the cross-hair points at."""
    if picked is None:
        return Card("", "", note="Nothing here")
    label, file, line, _ = source_location(level, picked)
    with contextlib.suppress(ValueError):  # another drive
        file = Path(os.path.relpath(file, level.path.parent)).as_posix()
    distance = CardRow("distance", f"{picked.distance:.2f} m")
    at = CardRow("at", "  ".join(format_number(value, 3) for value in picked.point))
    if picked.quad < 0:
        return Card(label, f"{file}:{line}", (distance, at))
    surface = level.surfaces[int(level.faces.surface[picked.quad])]
    up = picked.normal[1]
    walks = int(walk_class(up, level.player.max_slope))
    degrees = math.degrees(math.acos(min(1.0, abs(up))))  # 0 for a floor or a flat ceiling, 90 for a wall
    slips = walks == WALKABLE and math.tan(math.radians(degrees)) > surface.friction
    rows = [
        CardRow("surface", surface.name),
        distance,
        CardRow("slope", f"{degrees:.1f}°, {'slippery' if slips else CLASS_NAMES[walks]}"),
        at,
    ]
    if not picked.solid:
        rows.append(CardRow("does not collide"))
    if not picked.drawn:
        rows.append(CardRow("collides, but is not drawn"))
    return Card(label, f"{file}:{line}", tuple(rows))


def selection_card(tools: EditTools, rows: FieldRows) -> Card:
    """Card of the selection: where it is defined, its size, what encloses it, and its fields."""
    picked = tools.selection
    assert picked is not None
    chosen = rows.chosen
    shown = []
    for row in rows.rows():
        is_chosen = chosen is not None and row.label == chosen.label
        typing = is_chosen and rows.typed is not None
        shown.append(CardRow(row.label, f"{rows.typed}_" if typing else row.value, chosen=is_chosen))
    note = ""
    if chosen is not None and rows.typed is not None:
        note = f"Type {chosen.limits}{', which replaces the value' if rows.replaces_value else ''}"
    if len(tools.selected) > 1:
        return Card(f"Selected: {len(tools.selected)} pieces", _measure(tools) or "no size", tuple(shown), note)
    location = f"{picked.file(tools.level).name}:{picked.source_place.line}"
    subtitle = f"{location}, in {picked.enclosing_labels}" if picked.enclosing_labels else location
    copies = tools.count_copies(picked)
    if copies > 1:
        subtitle += f"   ·   all {copies} copies change"
    subtitle = "   ·   ".join(filter(None, (subtitle, _measure(tools))))
    return Card(f"Selected: {picked.label}", subtitle, tuple(shown), note)


def _measure(tools: EditTools) -> str:
    """Size of the box around the selection; of two pieces the gap between them; empty for points."""
    boxes = [tools.corners_of(picked) for picked in tools.selected]
    if any(len(box) < 2 for box in boxes):
        return ""
    if len(boxes) == 2:
        first, second = boxes
        gaps = np.maximum(first.min(axis=0) - second.max(axis=0), second.min(axis=0) - first.max(axis=0))
        return f"gap x y z: {'  '.join(format_number(max(float(gap), 0.0), 3) for gap in gaps)} m"
    every = np.concatenate(boxes)
    size = every.max(axis=0) - every.min(axis=0)
    return " x ".join(format_number(float(side), 3) for side in size) + " m"
