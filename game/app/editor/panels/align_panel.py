"""Align (K): selected pieces to the one that was picked last, and even spacing between them."""

from __future__ import annotations

import numpy as np

from ....core.vectors import Floats, Vector
from .side_panel import SidePanel, SidePanelRow, matches

LOW = "low"
CENTRE = "centre"
HIGH = "high"
SPREAD = "spread"
ACTIONS = (
    (0, LOW, "West sides", "x minimum left"),
    (0, CENTRE, "Centres along x", "west east middle"),
    (0, HIGH, "East sides", "x maximum right"),
    (1, LOW, "Bottoms", "y minimum floor"),
    (1, CENTRE, "Centres in height", "y middle"),
    (1, HIGH, "Tops", "y maximum"),
    (2, LOW, "North sides", "z minimum"),
    (2, CENTRE, "Centres along z", "north south middle"),
    (2, HIGH, "South sides", "z maximum"),
    (0, SPREAD, "Even gaps along x", "space distribute west east"),
    (1, SPREAD, "Even gaps in height", "space distribute y"),
    (2, SPREAD, "Even gaps along z", "space distribute north south"),
)


class AlignPanel(SidePanel):
    """Align. Enter aligns all to the piece that was picked last; gaps keep the two outer pieces where they are."""

    title = "Align"
    note = "The piece that was picked last stays. Shift + click adds a piece."

    def rows(self) -> tuple[SidePanelRow, ...]:
        return tuple(
            SidePanelRow(label, "", (axis, side))
            for axis, side, label, words in ACTIONS
            if matches(self.typed, f"{label} {words}")
        )

    def accept(self, row: SidePanelRow, shift: bool) -> None:
        tools = self.tools
        axis, side = row.subject
        least = 3 if side == SPREAD else 2
        boxes = [tools.corners_of(picked) for picked in tools.selected]
        if len(boxes) < least or any(not len(box) for box in boxes):
            self.view.show_message(f"Select {least} or more pieces first: Shift + click adds one", urgent=True)
            return
        ends = np.array([(box[:, axis].min(), box[:, axis].max()) for box in boxes])
        moves = even_gaps(ends) if side == SPREAD else aligned(ends, side)
        displacements: dict[object, Vector] = {}
        for picked, by in zip(tools.selected, moves.tolist(), strict=True):
            x, y, z = (by if index == axis else 0.0 for index in range(3))
            displacements[picked.source_place] = (x, y, z)
        self.tools.queue_edit(lambda: tools.move_each(displacements, f"Aligned ({row.label.lower()})"))
        if not shift:
            self.close()


def aligned(ends: Floats, side: str) -> Floats:
    """Displacements (n) that bring one side of each piece to that of the last. ends: (n, 2) minimum and maximum."""
    places = {LOW: ends[:, 0], CENTRE: ends.mean(axis=1), HIGH: ends[:, 1]}[side]
    moves: Floats = places[-1] - places
    return moves


def even_gaps(ends: Floats) -> Floats:
    """Displacements (n) that make the gaps between the pieces equal; the outer two stay."""
    order = np.argsort(ends.mean(axis=1), kind="stable")
    sizes = (ends[:, 1] - ends[:, 0])[order]
    room = ends[order[-1], 1] - ends[order[0], 0]
    gap = (room - sizes.sum()) / (len(order) - 1)
    starts = ends[order[0], 0] + np.concatenate(([0.0], np.cumsum(sizes[:-1] + gap)))
    moves = np.zeros(len(ends))
    moves[order] = starts - ends[order, 0]
    return moves
