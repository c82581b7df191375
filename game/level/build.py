"""From checked pieces to faces: groups placed, arrays repeated, no more quads than a level may have."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from game.level.faces import Faces, Flags, joined
from game.level.fields import FARTHEST
from game.level.findings import Place, Report
from game.level.pieces import BUILDERS
from game.level.pieces.workbench import Budget, PieceError, Workbench
from game.level.reader import Piece
from game.level.schema import MOST_QUADS, MOST_SIGNS


@dataclass(frozen=True, slots=True)
class Origin:
    """The piece that a face came from: label ('stairs', 'stairs "Tower"'), place, what it says of itself."""

    kind: str
    label: str
    place: Place
    collide: bool
    visible: bool
    intended: frozenset[str]
    told: frozenset[str]  # kinds of warning that its own fields gave rise to


class Builder:
    """Builds pieces once each; what is too much is reported and left out."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.origins: list[Origin] = []
        self.budget = Budget(MOST_QUADS, MOST_SIGNS)

    def pieces(self, pieces: tuple[Piece, ...], intended: frozenset[str] = frozenset()) -> Faces:
        """All their faces, where the pieces' own list has them."""
        return joined([self._piece(piece, intended) for piece in pieces])

    def _piece(self, piece: Piece, inherited: frozenset[str]) -> Faces:
        intended = inherited | frozenset(piece.values.words("intended"))
        values = piece.values
        if piece.kind == "group":
            return self.pieces(values.pieces("of"), intended).placed(values.number("facing"), values.point("at"))
        if piece.kind == "array":
            return self._array(piece, self.pieces(values.pieces("of"), intended))
        work = Workbench(len(self.origins), values, intended, self.report, self.budget)
        made = joined([])
        if self.budget.quads > 0:
            try:
                facing, at = BUILDERS[piece.kind](work)
                made = work.faces()
                made = made.placed(facing, at) if self._afford(piece, len(made), len(made.boards)) else joined([])
            except PieceError:
                pass  # reported by the workbench
        name = values.text("name")
        label = f'{piece.kind} "{name}"' if name else piece.kind
        flags = values.flag("collide"), values.flag("visible")
        self.origins.append(Origin(piece.kind, label, piece.place, *flags, intended, frozenset(work.told)))
        return made

    def _array(self, piece: Piece, of: Faces) -> Faces:
        values = piece.values
        count = values.integer("count")
        if count == 1 or not len(of):
            return of
        if not self._afford(piece, (count - 1) * len(of), (count - 1) * len(of.boards)):
            return of
        return of.repeated(count, values.point("step"), values.number("turn"), values.point("around"))

    def _afford(self, piece: Piece, quads: int, signs: int) -> bool:
        for wanted, left, most, what in (
            (quads, self.budget.quads, MOST_QUADS, "quads"),
            (signs, self.budget.signs, MOST_SIGNS, "signs"),
        ):
            if wanted > left:
                message = f"this makes {wanted} {what}, and {left} of a level's {most} are left"
                self.report.add("dropped", piece.place, piece.kind, message, "make fewer or larger ones")
                return False
        self.budget.quads -= quads
        self.budget.signs -= signs
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
