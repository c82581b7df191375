"""Palette of new pieces (N): every kind in groups and the prefabs with their pictures, found by typing a word."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .... import shipped
from ....core.vectors import Vector
from ....level.edit import DocumentEntry, EditRefused, YamlDocument
from ....level.geometry.instance_transform import PieceInstance
from ....render.overlay_layers import Overlay, OverlayLines, OverlayPoints
from ...input.actions import LIST_ACTIONS, Action, MouseButton, PanelAction
from ..edit_tools import EditTools
from ..pieces import palette
from ..pieces.palette import PREFABS, PaletteEntry
from ..pieces.piece_fields import PieceFields
from ..pieces.transforms import child_pieces, to_local_offset
from ..selection import Selection, entry_place, select_top_level
from ..tools.placement import Placement
from .side_panel import Keys, SidePanel, SidePanelRow

PICTURES = shipped("assets") / "pictures"
GHOST_COLOUR = (0.45, 1.0, 0.55, 0.95)
GROUP, NO_MATCH = 4, 5  # of `_match_rank`


def matching_entries(typed: str, entries: list[PaletteEntry]) -> list[PaletteEntry]:
    """Entries that all typed words find, the group with the best one first. The name of a group counts where nothing
    else fits."""
    words = typed.lower().split()
    ranks = {id(entry): max((_match_rank(word, entry) for word in words), default=0) for entry in entries}
    limit = GROUP if min(ranks.values()) == GROUP else GROUP - 1
    found = [entry for entry in entries if ranks[id(entry)] <= limit]
    best: dict[str, int] = {}  # rank by group
    for entry in found:
        best[entry.group] = min(ranks[id(entry)], best.get(entry.group, NO_MATCH))
    return sorted(found, key=lambda entry: (best[entry.group], list(best).index(entry.group), ranks[id(entry)]))


def _match_rank(word: str, entry: PaletteEntry) -> int:
    """How well a word fits, 0 for best: the name, its beginning, a part of it, another word of the entry, its group."""
    label, others = entry.label.lower(), entry.words.lower().split()
    fits = (
        word == label,
        any(part.startswith(word) for part in label.split()),
        word in label,
        any(part.startswith(word) for part in others),
        word in entry.group.lower(),
    )
    return fits.index(True) if True in fits else NO_MATCH


class PalettePanel(SidePanel):
    """Palette. The chosen piece is previewed where it would stand."""

    title = "New piece"
    actions = (*LIST_ACTIONS, PanelAction.ERASE, PanelAction.NEXT)
    key_strip = (
        ("Up Down", "choose"), ("Enter", "place here"), ("Left mouse", "place here"),
        ("Tab", "into the group or level"), ("Esc", "close"),
    )  # fmt: skip

    def __init__(self, tools: EditTools) -> None:
        super().__init__(tools)
        self.placement = Placement(tools)
        self._is_into = False  # the new piece goes into the selected group or mover
        entries = palette.palette_entries(tools.own_document(), tools.open_history().path)
        self._entries = [*entries, *palette.shipped_prefabs(PICTURES)]
        order = {entry.group: number for number, entry in reversed(list(enumerate(self._entries)))}
        self._entries.sort(key=lambda entry: order[entry.group])
        self._rows: tuple[str, tuple[SidePanelRow, ...]] = ("", self._matching_rows(""))

    def rows(self) -> tuple[SidePanelRow, ...]:
        if self._rows[0] != self.typed:
            self._rows = self.typed, self._matching_rows(self.typed)
        return self._rows[1]

    def _matching_rows(self, typed: str) -> tuple[SidePanelRow, ...]:
        rows: list[SidePanelRow] = []
        group = ""
        for entry in matching_entries(typed, self._entries):
            if entry.group != group:
                group = entry.group
                rows.append(SidePanelRow(group))
            rows.append(SidePanelRow(entry.label, "", entry, picture=entry.picture, hint=entry.hint))
        return tuple(rows)

    @property
    def entry(self) -> PaletteEntry | None:
        row = self.chosen_row()
        return None if row is None else row.subject

    @property
    def container(self) -> Selection | None:
        """The selected group or mover, or the one around the selection, into which a piece may go."""
        return find_container(self.tools.selection)

    def handle_action(self, action: Action) -> None:
        if action is not PanelAction.NEXT:
            super().handle_action(action)
        elif self.container is None:
            self.view.show_message("Select a group or mover, or a piece in it, to put a new piece into it")
        else:
            self._is_into = not self._is_into

    def shown_keys(self) -> Keys:
        return tuple(pair for pair in super().shown_keys() if pair[0] != "Tab" or self.container is not None)

    def subtitle(self) -> str:
        container = self.container
        typed = super().subtitle()
        if container is None:
            return typed
        name = f"{container.kind} at line {container.source_place.line}"
        return f"{typed}   ·   into: {name}" if self._is_into else f"{typed}   ·   Tab: into the {name}"

    def accept(self, row: SidePanelRow, shift: bool) -> None:
        """Place the piece. With Shift the palette stays open."""
        entry: PaletteEntry = row.subject
        if not entry.text:
            self.view.show_message(entry.hint)
            return
        place = self.placement
        position = place.point(entry)
        facing = place.facing(entry)
        surface = place.surface()
        if not shift:
            self.close()
        label = entry.label if entry.group != PREFABS else f"prefab {entry.label}"

        container = self.container if self._is_into and not entry.is_place else None
        file = self.tools.open_history().path if container is None else container.file(self.tools.level)

        def insert(document: YamlDocument) -> tuple[Selection, ...]:
            if container is not None:
                at, turn = to_container(document, container, position, facing)
                last = child_pieces(document, container.find_entry(document))[-1]
                new = palette.insert_piece(document, entry, at, turn, surface, last)
                return (select_inside(document, container, new),)
            new = palette.insert_piece(document, entry, position, facing, surface)
            return (select_top_level(new.kind, entry_place(document, new), new.kind),)

        self.tools.selection_changed()
        self.tools.queue_edit(lambda: self.tools.run_edits([(file, insert)], f"New {label}"))

    def press(self, button: str) -> bool:
        if button != MouseButton.LEFT:
            return False
        row = self.chosen_row()
        if row is not None:
            self.accept(row, self.view.shift)
        return True

    def overlay(self) -> Overlay | None:
        entry = self.entry
        if entry is None:
            return None
        at = self.placement.point(entry)
        try:
            edges = self.placement.preview(entry)
        except EditRefused:
            return None
        lines = (OverlayLines(edges, GHOST_COLOUR, 2.5, 0.4),) if len(edges) else ()
        return Overlay((), lines, (OverlayPoints([at], GHOST_COLOUR, 14.0, 0.6),))


CONTAINERS = frozenset(("group", "mover"))


def find_container(picked: Selection | None) -> Selection | None:
    """The group or mover that is selected, or that the selected piece is in; None in arrays, prefabs and includes."""
    if picked is None:
        return None
    depth = picked.depth if picked.kind in CONTAINERS else picked.depth - 1
    if depth < 0 or any(kind not in CONTAINERS for kind, _ in picked.links[: depth + 1]):
        return None
    return replace(picked, depth=depth, part=None)


def to_container(document: YamlDocument, container: Selection, point: Vector, facing: float) -> tuple[Vector, float]:
    """A place (m, world) and a direction (degrees, rounded to quarter turns) in the axes of a container's pieces."""
    links = container.links[: container.depth + 1]
    for (_, place), (turn, scale) in zip(links, container.instance.placements, strict=False):
        at = PieceFields(document, document.find_piece(place.line, place.column)).vector("at") or (0.0, 0.0, 0.0)
        x, y, z = to_local_offset(PieceInstance().nested_in(turn, scale).frame, np.subtract(point, at).tolist())
        point = (round(x, 4), round(y, 4), round(z, 4))
        facing -= turn
    return point, round(facing / 90.0) % 4 * 90.0


def select_inside(document: YamlDocument, container: Selection, new: DocumentEntry) -> Selection:
    links, place = container.links[: container.depth + 1], entry_place(document, new, container.source_place.file)
    return Selection((*links, (new.kind, place)), len(links), PieceInstance(within=links), new.kind)
