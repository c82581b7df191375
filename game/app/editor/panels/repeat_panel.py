"""Repeat (L): copies of the selected pieces along a line or around a circle, written as an `array`."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ....core.vectors import Floats, Vector
from ....level.edit import DocumentEntry, EditRefused, YamlDocument, format_number, format_point
from ....level.edit.yaml_tree import TreeMapping
from ....level.geometry.instance_transform import exact_sin_cos
from ....render.overlay_layers import Overlay, OverlayLines, OverlayPoints
from .. import selection
from ..edit_tools import EditTools
from ..pieces import transforms
from ..selection import Selection
from ..views import wireframe
from .form_panel import FormField, FormPanel

LINE = "line"
CIRCLE = "circle"
SIDES = ("ahead", "right", "behind", "left")
MAX_COUNT = 1000  # copies
MAX_PREVIEW = 200  # copies that are previewed
GHOST_COLOUR = (0.45, 1.0, 0.55, 0.95)


class RepeatPanel(FormPanel):
    """Repeat. The copies are previewed while the values change."""

    title = "Repeat"
    button = "Make the array"

    def __init__(self, tools: EditTools) -> None:
        super().__init__(tools)
        x, z = tools.view.main_axis
        self._ahead = (x, z)
        corners = [self.tools.corners_of(picked) for picked in self.tools.selected]
        width = _width(np.concatenate(corners), np.array((-z, 0.0, x))) if corners else 1.0
        grid = tools.view.grid
        gap = max(1, math.ceil(2.0 * width / grid - 1e-6)) * grid
        self._shape = FormField("shape", "Shape", LINE, unit="", words=(LINE, CIRCLE))
        self._count = FormField("count", "Count", "4", 1.0, 1, MAX_COUNT, "")
        self._steps = [
            FormField(name, f"Step {name}", format_number(by), grid)
            for name, by in zip("xyz", (-z * gap, 0.0, x * gap), strict=True)
        ]
        self._turn = FormField("turn", "Turn", "", 5.0, -360.0, 360.0, "degrees")
        self._radius = FormField("radius", "Radius", format_number(max(gap, 2.0)), grid, 0.01, 1e4)
        self._side = FormField("side", "Centre", SIDES[0], unit="", words=SIDES)
        self._ghost: tuple[object, Floats] | None = None

    def fields(self) -> list[FormField]:
        if self._shape.text == LINE:
            return [self._shape, self._count, *self._steps]
        return [self._shape, self._count, self._turn, self._radius, self._side]

    def subtitle(self) -> str:
        return self.tools.describe_selected()

    def rows(self):  # type: ignore[no-untyped-def]
        rows = super().rows()
        if self._shape.text == CIRCLE and not self._turn.text and not (self.index == 2 and not self._is_fresh):
            turn = f"({format_number(self._turn_degrees())} degrees)"
            rows = tuple(type(row)(row.label, turn, row.subject) if row.subject is self._turn else row for row in rows)
        return rows

    def _turn_degrees(self) -> float:
        """Angle from one copy to the next; without one the copies fill the circle."""
        return self._turn.number() if self._turn.text else 360.0 / max(self._count.number(), 1.0)

    def _centre_offset(self) -> Vector:
        """From a piece to the centre of the circle (m, world)."""
        x, z = self._ahead
        for _ in range(SIDES.index(self._side.text)):
            x, z = -z, x
        radius = self._radius.number()
        return (x * radius, 0.0, z * radius)

    def run(self) -> None:
        tools = self.tools
        if not tools.has_selection():
            return
        count = int(self._count.number())
        if count < 2:
            raise EditRefused("an array has two or more copies")
        if self._shape.text == LINE:
            x, y, z = (field.number() for field in self._steps)
            if not (x or y or z):
                raise EditRefused("the step of a line is not zero")

            def edit(document: YamlDocument, entry: DocumentEntry, picked: Selection) -> DocumentEntry:
                step = transforms.to_local_offset(picked.local_to_world, (x, y, z))
                return wrap_in_array(document, entry, count, step=step)
        else:
            turn = self._turn_degrees()
            offset = self._centre_offset()

            def edit(document: YamlDocument, entry: DocumentEntry, picked: Selection) -> DocumentEntry:
                pivot = transforms.pivot_point(document, entry)
                way = transforms.to_local_offset(picked.local_to_world, offset)
                around = (pivot[0] + way[0], pivot[1], pivot[2] + way[2])
                return wrap_in_array(document, entry, count, turn=turn, around=around)

        label = f"Repeated {count} times:"
        self.tools.queue_edit(lambda: tools.edit_each(label, edit))
        self.close()

    def overlay(self) -> Overlay | None:
        try:
            count = min(int(self._count.number()), MAX_PREVIEW)
            key = (self._shape.text, count, tuple(field.text for field in self.fields()), self.tools.selected)
            if self._ghost is None or self._ghost[0] != key:
                self._ghost = key, self._copies(count)
        except EditRefused:
            return None
        edges = self._ghost[1]
        marks: tuple[OverlayPoints, ...] = ()
        if self._shape.text == CIRCLE and self.tools.selection is not None:
            corners = self.tools.corners_of(self.tools.selection)
            if len(corners):
                centre = corners.mean(axis=0) + np.asarray(self._centre_offset())
                marks = (OverlayPoints([centre], GHOST_COLOUR, 12.0, 0.6),)
        return Overlay((), (OverlayLines(edges, GHOST_COLOUR, 2.0, 0.4),) if len(edges) else (), marks)

    def _copies(self, count: int) -> Floats:
        """Edges (n, 2, 3) of all copies but the first."""
        tools = self.tools
        found = [np.zeros((0, 2, 3))]
        for picked in tools.selected:
            mask, _ = selection.selected_faces(tools.level, picked)
            faces = tools.level.faces.corners[mask]
            edges = (
                wireframe.silhouette_edges(faces)
                if len(faces)
                else wireframe.box_edges(
                    tools.corners_of(picked).min(axis=0) - 0.1, tools.corners_of(picked).max(axis=0) + 0.1
                )
            )
            if self._shape.text == LINE:
                step = np.array([field.number() for field in self._steps])
                found += [edges + step * number for number in range(1, count)]
                continue
            centre = edges.reshape(-1, 3).mean(axis=0) + np.asarray(self._centre_offset())
            for number in range(1, count):
                sine, cosine = exact_sin_cos(self._turn_degrees() * number)
                away = edges - centre
                x, z = away[..., 0] * cosine + away[..., 2] * sine, away[..., 2] * cosine - away[..., 0] * sine
                found.append(np.stack((x, away[..., 1], z), axis=-1) + centre)
        return np.concatenate(found)


def _width(corners: Floats, axis: Floats) -> float:
    along = corners @ axis
    return float(along.max() - along.min()) if len(along) else 1.0


def wrap_in_array(
    document: YamlDocument,
    entry: DocumentEntry,
    count: int,
    step: Sequence[float] | None = None,
    turn: float = 0.0,
    around: Sequence[float] | None = None,
) -> DocumentEntry:
    """Replace a piece by an array of it; returns the array.

    step: from one copy to the next (m), for a line. turn, around: angle (degrees) and centre (m), for a circle.
    """
    values = [("count", str(count))]
    if step is not None:
        values.append(("step", format_point(list(step))))
    if around is not None:
        values += [("turn", format_number(turn)), ("around", format_point(list(around)))]
    start, end = entry.span
    piece = entry.text
    line, column = document.line_of(start), _column(document, start)
    _, value = document._pair(entry)
    if isinstance(value, TreeMapping) and not value.flow and "\n" in piece.replace("\r\n", "\n"):
        text = _block_array(values, piece, column, "\r\n" if "\r\n" in document.text else "\n")
    else:
        fields = ", ".join(f"{name}: {written}" for name, written in values)
        text = f"array: {{{fields}, of: [{piece}]}}"
    document.replace_text(start, end, text)
    return document.find_piece(line, column)


def _column(document: YamlDocument, start: int) -> int:
    """Column of an index of the text, counted from 1."""
    before = document.text[:start].removeprefix("\ufeff")
    return len(before) - max(before.rfind("\n"), before.rfind("\r"))


def _block_array(values: list[tuple[str, str]], piece: str, column: int, line_break: str) -> str:
    """Array in block style around a piece whose kind is at `column`."""
    indent = " " * (column - 1 + 2)
    lines = piece.replace("\r\n", "\n").split("\n")
    head = ["array:", *(f"{indent}{name}: {written}" for name, written in values), f"{indent}of:"]
    moved = [f"{indent}  - {lines[0]}", *(f"      {line}" if line.strip() else line for line in lines[1:])]
    return line_break.join([*head, *moved])
