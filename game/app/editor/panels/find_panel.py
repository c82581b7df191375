"""Search (F): pieces by name, kind, surface or any word of their text; jump to one, or select all of them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ....core.vectors import Vector
from ....level.edit import EditRefused
from ....render.overlay_layers import Overlay, OverlayPoints
from .. import selection
from ..document.undo_history import EditError
from ..edit_tools import EditTools
from ..selection import Selection
from .side_panel import SidePanel, SidePanelRow, matches

if TYPE_CHECKING:
    from ....level import Level

MAX_HITS = 200  # rows
HIT_COLOUR = (1.0, 0.85, 0.3, 0.9)


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A piece of the level: its selection, where it is (m), its name and kind, and all text that is searched."""

    picked: Selection
    at: Vector
    name: str
    text: str


class FindPanel(SidePanel):
    """Search. Enter flies to the chosen piece and selects it; with Shift all hits are selected."""

    title = "Find"
    key_strip = (("Up Down", "choose"), ("Enter", "go there"), ("Shift", "+ Enter: select all"), ("Esc", "close"))
    note = "Type a name, a kind or a surface"

    def __init__(self, tools: EditTools) -> None:
        super().__init__(tools)
        self._level: Level | None = None
        self._hits: list[SearchHit] = []
        self._found: tuple[str, tuple[SidePanelRow, ...]] | None = None

    def _all_hits(self) -> list[SearchHit]:
        level = self.tools.level
        if self._level is not level:
            self._hits = searchable_pieces(self.tools)
            self._level = level
            self._found = None
        return self._hits

    def rows(self) -> tuple[SidePanelRow, ...]:
        hits = self._all_hits()
        eye = self.view.eye
        if self._found is None or self._found[0] != self.typed:
            found = [hit for hit in hits if matches(self.typed, hit.text)] if self.typed.strip() else []
            found.sort(key=lambda hit: (not matches(self.typed, hit.name), math.dist(hit.at, eye)))
            rows = [
                SidePanelRow(
                    hit.picked.label, f"line {hit.picked.source_place.line}   {math.dist(hit.at, eye):.0f} m", hit
                )
                for hit in found[:MAX_HITS]
            ]
            self._found = self.typed, tuple(rows)
        return self._found[1]

    def subtitle(self) -> str:
        count = len(self.rows())
        found = f"   {count} piece{'' if count == 1 else 's'}" if self.typed else ""
        return f"{super().subtitle()}{found}"

    def accept(self, row: SidePanelRow, shift: bool) -> None:
        if shift:
            self.tools.select(*(hit.subject.picked for hit in self.rows()))
            self.view.show_message(f"{len(self.tools.selected)} pieces selected")
        else:
            self.tools.select(row.subject.picked)
            self.tools.fly_to_selection()
        self.close()

    def overlay(self) -> Overlay | None:
        points = [row.subject.at for row in self.rows()]
        return Overlay((), (), (OverlayPoints(points, HIT_COLOUR, 11.0, 0.7),)) if points else None


def searchable_pieces(tools: EditTools) -> list[SearchHit]:
    """Every piece and group of the level, once for each place in a file."""
    level = tools.level
    history = tools.open_history()
    faces = level.faces
    copies = {(int(o), int(i)) for o, i in zip(faces.origin, faces.instance, strict=True)}
    copies |= {(mark.origin, mark.instance) for mark in faces.marks}
    found: dict[tuple[str, int, int], SearchHit] = {}
    surfaces: dict[int, set[str]] = {}
    for origin, surface in {(int(o), int(s)) for o, s in zip(faces.origin, faces.surface, strict=True)}:
        surfaces.setdefault(origin, set()).add(level.surfaces[surface].name)
    for origin, instance in sorted(copies):
        picked: Selection | None = selection.select_origin(level, origin, instance)
        own = " ".join(sorted(surfaces.get(origin, ())))
        while picked is not None:
            place = picked.source_place
            key = place.file, place.line, place.column
            if key not in found:
                corners = tools.corners_of(picked)
                at = corners.mean(axis=0).tolist() if len(corners) else (0.0, 0.0, 0.0)
                try:
                    text = picked.find_entry(history.document(picked.file(level))).text
                except (EditError, EditRefused):
                    text = ""
                name = f"{picked.label} {picked.kind}"
                found[key] = SearchHit(picked, (at[0], at[1], at[2]), name, f"{name} {own} {text}")
                own = ""
            picked = picked.parent()
    return list(found.values())
