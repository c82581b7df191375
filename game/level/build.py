"""From checked pieces to faces: groups placed, arrays repeated, no more quads than a level may have."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from game.level.faces import Faces, Flags, joined
from game.level.fields import FARTHEST
from game.level.findings import Place, Report
from game.level.instances import Instance, Link, Point
from game.level.pieces import BUILDERS
from game.level.pieces.workbench import MOST, Budget, PieceError, Workbench
from game.level.reader import Piece


@dataclass(frozen=True, slots=True)
class Origin:
    """The piece that a face came from: label ('stairs', 'stairs "Tower"'), place, what it says of itself.

    turn, scale, within: of one copy of it, where `Level.made` gives it: degrees counter-clockwise that its own north
    is turned by, how long a metre along its own x, y and z is, and what it stands in, the outermost first.
    """

    kind: str
    label: str
    place: Place
    collide: bool
    visible: bool
    intended: frozenset[str]
    told: frozenset[str]  # kinds of warning that its own fields gave rise to
    turn: float = 0.0
    scale: Point = (1.0, 1.0, 1.0)
    within: tuple[Link, ...] = ()

    def seen(self, instance: Instance) -> Origin:
        return replace(self, turn=instance.turn, scale=instance.scale, within=instance.within)


class Builder:
    """Builds pieces once each; what is too much is reported and left out.

    sources: the real path of each file that pieces are written in, by `Place.file`: "" is the level's.
    """

    def __init__(self, report: Report, path: Path, surfaces: int = 1) -> None:
        self.report = report
        self.sources: dict[str, Path] = {"": path}
        self.origins: list[Origin] = []
        self.budget = Budget(surfaces)

    def pieces(self, pieces: tuple[Piece, ...], intended: frozenset[str] = frozenset()) -> Faces:
        """All their faces, where the pieces' own list has them."""
        return joined([self._piece(piece, intended) for piece in pieces])

    def _piece(self, piece: Piece, inherited: frozenset[str]) -> Faces:
        intended = inherited | frozenset(piece.values.words("intended") if piece.values.has("intended") else ())
        values = piece.values
        if piece.kind == "group":
            inner = self.pieces(values.pieces("of"), intended)
            return inner.placed(values.number("facing"), values.point("at"), link=(piece.kind, piece.place))
        if piece.kind == "array":
            return self._array(piece, self.pieces(values.pieces("of"), intended))
        file = self.sources.get(piece.place.file, self.sources[""])
        work = Workbench(len(self.origins), values, intended, self.report, self.budget, file)
        made = joined([])
        if self.budget.left["quad"] > 0:
            try:
                facing, at = BUILDERS[piece.kind](work)
                made = work.faces()
                made = made.standing(facing, at) if self._afford(piece, made, 1) else joined([])
            except PieceError:
                pass  # reported by the workbench
        name = values.text("name") if values.has("name") else ""
        label = f'{piece.kind} "{name}"' if name else piece.kind
        collide, visible = (
            values.flag(flag) if values.record.field(flag) else True for flag in ("collide", "visible")
        )
        told = frozenset(work.told)
        self.origins.append(Origin(piece.kind, label, piece.place, collide, visible, intended, told))
        for part in work.parts:
            layers = collide and part.collide, visible and part.visible
            self.origins.append(Origin(piece.kind, f"{label}: {part.label}", piece.place, *layers, intended, told))
        return made

    def _array(self, piece: Piece, of: Faces) -> Faces:
        values = piece.values
        count = values.integer("count") if len(of) or of.marks else 1
        if not self._afford(piece, of, count - 1):
            count = 1
        link = (piece.kind, piece.place)
        return of.repeated(count, values.point("step"), values.number("turn"), values.point("around"), link)

    def _afford(self, piece: Piece, of: Faces, copies: int) -> bool:
        """Whether the level has room for so many copies; if so it is used up."""
        wanted = {"quad": len(of) * copies}
        for mark in of.marks:
            wanted[mark.kind] = wanted.get(mark.kind, 0) + copies
        for what, count in wanted.items():
            left, most = self.budget.left[what], MOST[what]
            if count > left:
                message = f"this makes {count} {what}s, and {left} of a level's {most} are left"
                self.report.add("dropped", piece.place, piece.kind, message, "make fewer or larger ones")
                return False
        for what, count in wanted.items():
            self.budget.left[what] -= count
        return True

    def near(self, faces: Faces) -> Faces:
        """Without the faces that groups and arrays carried too far away; each such piece is reported once."""
        far = np.abs(faces.corners).max(axis=(1, 2), initial=0.0) > FARTHEST
        for origin in np.unique(faces.origin[far]):
            self._tell_far(self.origins[int(origin)])
        return faces.keep(~far) if far.any() else faces

    def _tell_far(self, origin: Origin) -> None:
        message = f"parts of it lie further than {FARTHEST:g} m from the origin"
        self.report.add("dropped", origin.place, origin.label, message, "see the `at` and `step` of what it is in")

    def mask(self, faces: Faces, what: str) -> Flags:
        """(M,): which faces belong to pieces with that flag ("collide", "visible")."""
        flags = np.array([getattr(origin, what) for origin in self.origins], dtype=np.bool_)
        chosen: Flags = flags[faces.origin] if len(flags) else np.zeros(len(faces), np.bool_)
        return chosen
