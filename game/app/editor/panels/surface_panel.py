"""Surfaces (U): the level's surfaces and a set of common ones, for all selected pieces."""

from __future__ import annotations

from functools import partial

from ....level.edit import DocumentEntry, EditRefused, YamlDocument
from ....level.format.record import DEFAULT_SURFACE
from ..pieces.palette import add_missing_surfaces
from ..pieces.piece_fields import PieceFields
from ..pieces.transforms import child_pieces
from ..selection import Selection
from .side_panel import SidePanel, SidePanelRow, matches

COMMON_SURFACES = {
    "stone": '{colour: "#9d978b", texture: flagstone}',
    "brick": '{colour: "#a96f53", texture: brick}',
    "plaster": '{colour: "#e3d3b4", texture: plaster}',
    "concrete": '{colour: "#b5aa99", texture: concrete}',
    "wood": '{colour: "#9a6b43", texture: planks}',
    "tiles": '{colour: "#c9c2b4", texture: tiles}',
    "metal": '{colour: "#8d949b", texture: metal}',
    "grass": '{colour: "#6d8f4e", texture: grass}',
    "leaves": '{colour: "#556b3f", texture: leaves}',
    "earth": '{colour: "#7d6145", texture: earth}',
    "sand": '{colour: "#d9c08c", texture: sand}',
    "ice": '{colour: "#cfe6f2", texture: ice, friction: 0.05}',
    "white": '{colour: "#f1efe9", texture: plain}',
    "red": '{colour: "#b8483c", texture: plain}',
    "blue": '{colour: "#3f6fae", texture: plain}',
}


class SurfacePanel(SidePanel):
    """Surfaces. Enter gives the chosen one to the selected pieces; a common one is added to the level first.

    Of a group, the pieces with the surface that is looked at are changed: the frame of a door and not its panel. All
    are changed where something else is looked at.
    """

    title = "Surface"
    note = "The surface goes to all selected pieces; in a group, to those with the surface that you look at"

    def rows(self) -> tuple[SidePanelRow, ...]:
        own = {surface.name: surface for surface in self.tools.level.surfaces if "/" not in surface.name}
        present = [SidePanelRow(name, surface.texture, name, surface.colour) for name, surface in own.items()
                   if matches(self.typed, f"{name} {surface.texture}")]  # fmt: skip
        new = [SidePanelRow(name, "", name, _colour(text)) for name, text in COMMON_SURFACES.items()
               if name not in own and matches(self.typed, f"{name} {text}")]  # fmt: skip
        groups = ("Of this level", present), ("Add to the level", new)
        return tuple(row for title, rows in groups if rows for row in (SidePanelRow(title), *rows))

    def accept(self, row: SidePanelRow, shift: bool) -> None:
        name = str(row.subject)
        tools = self.tools
        if not tools.has_selection():
            return
        aimed = self._aimed_surface()
        added = ((name, COMMON_SURFACES[name]),) if name in COMMON_SURFACES else ()

        def edit(document: YamlDocument, entry: DocumentEntry, picked: Selection) -> None:
            pieces = _pieces_with_surface(document, entry)
            same = [piece for piece in pieces if (piece.field_text("surface") or DEFAULT_SURFACE) == aimed]
            for piece in same or pieces:
                document.set_field(piece, "surface", name)

        def run() -> None:
            prepare = partial(add_missing_surfaces, surfaces=added)
            tools.edit_each(f"Surface {name} on", edit, prepare)

        self.tools.queue_edit(run)
        if not shift:
            self.close()

    def _aimed_surface(self) -> str:
        """Name of the surface of the selected piece that is looked at; empty where something else is."""
        picked = self.view.picked
        level = self.tools.level
        if picked is None or picked.quad < 0 or not self.tools.is_selected(picked):
            return ""
        return level.surfaces[int(level.faces.surface[picked.quad])].name


def _pieces_with_surface(document: YamlDocument, entry: DocumentEntry) -> list[DocumentEntry]:
    """The piece, or the pieces in a group. EditRefused if none of them has a surface."""
    fields = PieceFields(document, entry).record.fields
    if "of" in fields:
        children = [
            child
            for child in child_pieces(document, entry)
            if {"surface", "of"} & PieceFields(document, child).record.fields.keys()
        ]
        return [piece for child in children for piece in _pieces_with_surface(document, child)]
    if "surface" not in fields:
        raise EditRefused(f"a {entry.kind} has no surface")
    return [entry]


def _colour(text: str) -> tuple[float, float, float]:
    """sRGB colour of a surface's text."""
    digits = text.partition("#")[2][:6]
    return (int(digits[:2], 16) / 255.0, int(digits[2:4], 16) / 255.0, int(digits[4:], 16) / 255.0)
