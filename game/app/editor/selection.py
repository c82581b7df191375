"""Selection: a piece or a group around it, by its source location, and the transform of its instance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...core.vectors import Flags
from ...level.edit import DocumentEntry, YamlDocument
from ...level.format.findings import SourceSpan
from ...level.format.level_file import PLACES
from ...level.geometry.instance_transform import Matrix, ParentLink, PieceInstance

if TYPE_CHECKING:
    from ...level import Level

UNSEEN_MARKERS = ("terrain", "room", "wall", "stairs")  # of pieces with faces, which are picked instead


@dataclass(frozen=True, slots=True)
class Selection:
    """Selected link of a chain.

    links   groups around the piece, the outermost first, then the piece itself
    depth   index of the selected link
    name    label of the piece
    part    field and index of a point of the piece: a stop of a path, where a teleport leads to; None for the piece
    """

    links: tuple[ParentLink, ...]
    depth: int
    instance: PieceInstance
    name: str
    part: tuple[str, int] | None = None

    @property
    def kind(self) -> str:
        return self.links[self.depth][0]

    @property
    def source_place(self) -> SourceSpan:
        return self.links[self.depth][1]

    @property
    def label(self) -> str:
        return self.name if self.depth == len(self.links) - 1 else self.kind

    @property
    def containers(self) -> tuple[ParentLink, ...]:
        """What it is in, the outermost first."""
        return self.links[: self.depth]

    @property
    def enclosing_labels(self) -> str:
        """Enclosing groups, the innermost first."""
        return ", ".join(f"{kind} at line {place.line}" for kind, place in reversed(self.containers))

    @property
    def local_to_world(self) -> Matrix:
        """Matrix (4, 4 or 3, 4) from the axes of its numbers to the world."""
        is_piece = self.depth == len(self.instance.within)
        return self.instance.frame if is_piece else self.instance.ancestor(self.depth).frame

    def file(self, level: Level) -> Path:
        return Path(self.source_place.file) if self.source_place.file else level.path

    def find_entry(self, document: YamlDocument) -> DocumentEntry:
        """Its entry in the document of its file. EditRefused if there is none at its place."""
        find = document.find_record if self.kind in PLACES else document.find_piece
        return find(self.source_place.line, self.source_place.column)

    def parent(self) -> Selection | None:
        """Selection of the piece of a part, else of the enclosing group; None at the top level."""
        if self.part is not None:
            return replace(self, part=None, name=self.name.partition(": ")[0])
        return replace(self, depth=self.depth - 1) if self.depth > 0 else None

    def child(self) -> Selection | None:
        return replace(self, depth=self.depth + 1) if self.depth + 1 < len(self.links) else None

    def relocated(self, line: int, column: int, kind: str) -> Selection:
        """The same transform at another place of the file, for a copy."""
        place = SourceSpan(line, column, len(kind), self.source_place.file)
        links = (*self.links[: self.depth], (kind, place))
        return Selection(links, self.depth, self.instance.ancestor(self.depth) if self.depth < len(self.instance.within)
                         else self.instance, kind)  # fmt: skip

    def found_at(self, document: YamlDocument, entry: DocumentEntry) -> Selection:
        """The same piece after an edit, which may have moved it in the text."""
        line, column = entry_location(document, entry)
        place = self.source_place
        if (line, column, entry.kind) == (place.line, place.column, self.kind):
            return self
        return self.relocated(line, column, entry.kind)


def select_quad(level: Level, quad: int) -> Selection:
    """Instance of the piece that a face belongs to."""
    return select_origin(level, int(level.faces.origin[quad]), int(level.faces.instance[quad]))


def select_origin(level: Level, origin: int, instance: int) -> Selection:
    """Selection of a piece by its index and that of its instance."""
    piece = level.origins[origin]
    piece_instance = level.faces.instances[instance]
    own = (piece.kind, piece.place)
    links = piece_instance.within  # a mover is in it already
    links = links[: links.index(own) + 1] if own in links else (*links, own)
    return Selection(links, len(links) - 1, piece_instance, piece.label)


def select_top_level(line: int, column: int, kind: str) -> Selection:
    """A piece of the level's own list."""
    return Selection(((kind, SourceSpan(line, column, len(kind))),), 0, PieceInstance(), kind)


def every_link(level: Level) -> Iterator[Selection]:
    """Every piece of the level that has faces or a marker, and every group around it, from the outermost."""
    faces = level.faces
    used = {(int(o), int(i)) for o, i in np.unique(np.stack((faces.origin, faces.instance)), axis=1).T}
    used |= {(mark.origin, mark.instance) for mark in faces.marks}
    for origin, instance in sorted(used):
        piece = select_origin(level, origin, instance)
        yield from (replace(piece, depth=depth) for depth in range(len(piece.links)))


def entry_location(document: YamlDocument, entry: DocumentEntry) -> tuple[int, int]:
    """Line and column of an entry's kind."""
    start = entry.span[0]
    before = document.text[:start].removeprefix("\ufeff")
    return document.line_of(start), len(before) - max(before.rfind("\n"), before.rfind("\r"))


def selected_faces(level: Level, selection: Selection) -> tuple[Flags, Flags]:
    """Masks of the level's faces: those of the selected copy, and those of the others. Copies of an array that are not
    rotated count as one."""
    faces = level.faces
    every_copy = np.zeros(len(faces), np.bool_)
    if selection.part is not None:
        return every_copy, every_copy
    wanted = selection.source_place
    is_wanted = np.array([origin.place == wanted for origin in level.origins], np.bool_)
    same = np.zeros(len(faces.instances), np.bool_)
    inside = np.zeros(len(faces.instances), np.bool_)
    for index, instance in enumerate(faces.instances):
        depth = next((n for n, (_, place) in enumerate(instance.within) if place == wanted), len(instance.within))
        inside[index] = depth < len(instance.within)
        frame = instance.ancestor(depth).frame if inside[index] else instance.frame
        same[index] = instance.within[:depth] == selection.containers and is_same_frame(frame, selection)
    every_copy = inside[faces.instance]
    if len(is_wanted):
        every_copy |= is_wanted[faces.origin]
    selected = every_copy & same[faces.instance]
    return (selected, every_copy & ~selected) if selected.any() else (every_copy, selected)


def is_same_frame(frame: Matrix, selection: Selection) -> bool:
    return max(abs(x - y) for x, y in zip(frame, selection.local_to_world, strict=True)) < 1e-6
