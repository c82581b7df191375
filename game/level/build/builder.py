"""From checked pieces to faces: groups placed, arrays repeated, no more quads than a level may have."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ..format.findings import Place, Report, quoted
from ..format.records import Part, Piece, Prefab
from ..format.schema import HOLDERS, MOST_INCLUDED, MOST_NESTED, MOST_PIECES
from ..format.schema.fields import FARTHEST
from ..geometry.faces import Faces, Flags, joined
from ..geometry.instance_transform import Instance, Link, Point
from .pieces import BUILDERS
from .pieces.movers import moving_mark
from .pieces.piece_builder import MOST, Budget, PieceError, Workbench

HOLDING = frozenset((*(record.name for record in HOLDERS), "mover"))
MOST_WASTED = 50_000  # quads that are made in vain before no more are
MOST_MOVED = 1_000_000  # quads by groups in each other: all of a full level five deep; bounds time and memory
LEAST_SCALE, MOST_SCALE = 1e-3, 1e3  # of all that is around a piece together


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

    def __init__(self, report: Report, sources: dict[str, Path], surfaces: int = 1) -> None:
        self.report = report
        self.sources = sources
        self.origins: list[Origin] = []
        self.budget = Budget(surfaces)
        self._depth = 0  # pieces around the one that is being built
        self._parts: list[Part] = []  # included files around it
        self._made: dict[tuple[Prefab | Part, frozenset[str]], Faces] = {}
        self._too_many = self._full = self._tired = False
        self._moved = 0  # quads by groups, each time that one does
        self._wasted = 0  # quads that were made and not afforded

    def pieces(self, pieces: tuple[Piece, ...], intended: frozenset[str] = frozenset()) -> Faces:
        """All their faces, where the pieces' own list has them."""
        return joined([self._piece(piece, intended) for piece in pieces])

    def _piece(self, piece: Piece, inherited: frozenset[str]) -> Faces:
        values = piece.values
        intended = inherited | frozenset(values.words("intended") if values.has("intended") else ())
        if piece.kind not in HOLDING:
            return self._plain(piece, intended)
        if self._depth >= MOST_NESTED:
            message = f"pieces inside each other more than {MOST_NESTED} deep"
            self.report.add("dropped", piece.place, piece.kind, message, "place fewer prefabs in each other")
            return joined([])
        self._depth += 1
        made = self._holder(piece, intended)
        self._depth -= 1
        return made

    def _holder(self, piece: Piece, intended: frozenset[str]) -> Faces:
        values = piece.values
        if piece.kind == "array":
            return self._array(piece, self.pieces(values.pieces("of"), intended))
        if piece.kind == "place":
            prefab = values.prefab("what")
            inner = self._again(piece, prefab, prefab.pieces, intended)
        elif piece.kind == "include":
            inner = self._included(piece, values.part("file"), intended)
        else:
            inner = self.pieces(values.pieces("of"), intended)
        self._moved += len(inner)
        if self._moved > MOST_MOVED:
            if not self._tired:
                message = f"groups inside groups move more than {MOST_MOVED} quads in all"
                self.report.add("dropped", piece.place, piece.kind, message, "nest them less deeply")
            self._tired = True
            return joined([])
        link = (piece.kind, piece.place)
        if piece.kind == "mover":
            inner = self._moving(piece, inner)
            return inner.placed(values.number("facing"), values.point("at"), link=link)
        return inner.placed(values.number("facing"), values.point("at"), values.scale("scale"), link)

    def _moving(self, piece: Piece, inner: Faces) -> Faces:
        """The pieces of a mover, with a mark at the point that it turns about. Movers do not hold movers, nor signs,
        lights and whatever else has no faces: those stay where they are."""
        values = piece.values
        if inner.movers:
            message, cure = "a mover within a mover does not move by itself", "put it beside the other one"
            self.report.add("warning", piece.place, piece.kind, message, cure)
        mark = moving_mark(values, len(self.origins))
        self.origins.append(Origin("mover", _label(piece), piece.place, True, True, frozenset(), frozenset()))
        made = replace(
            inner,
            marks=(mark, *(one for one in inner.marks if one.kind != "mover")),
            mover=np.ones(len(inner), np.int32),
            rests=np.zeros(len(inner), np.bool_),
        )
        only = replace(joined([]), marks=(mark,))
        return made if self._afford(piece, only, 1) else inner

    def _included(self, piece: Piece, part: Part, intended: frozenset[str]) -> Faces:
        message = ""
        if part in self._parts:
            message, cure = f"{quoted(part.path.name)} includes itself, by way of this file", "take one of them out"
        elif len(self._parts) >= MOST_INCLUDED:
            message, cure = f"files included by each other more than {MOST_INCLUDED} deep", "include it further out"
        if message:
            self.report.add("dropped", piece.values.at("file"), "include.file", message, cure)
            return joined([])
        self._parts.append(part)
        made = self._again(piece, part, part.pieces, intended)
        self._parts.pop()
        return replace(made, surface=np.where(made.surface == 0, np.int32(part.surface), made.surface))

    def _again(self, piece: Piece, what: Prefab | Part, pieces: tuple[Piece, ...], intended: frozenset[str]) -> Faces:
        """Pieces that are built once, wherever they are placed; each copy counts against what a level may have."""
        key = (what, intended)
        if key not in self._made:
            self._made[key] = self.pieces(pieces, intended)
        elif not self._afford(piece, self._made[key], 1):
            return joined([])
        return self._made[key]

    def _plain(self, piece: Piece, intended: frozenset[str]) -> Faces:
        """A piece with faces or marks of its own."""
        values, made = piece.values, joined([])
        if len(self.origins) >= MOST_PIECES:
            if not self._too_many:
                message = f"more than {MOST_PIECES} pieces in one level"
                self.report.add("dropped", piece.place, piece.kind, message, "use `array`, `tile` or larger pieces")
            self._too_many = True
            return made
        file = self.sources.get(piece.place.file, self.sources[""])
        work = Workbench(len(self.origins), values, intended, self.report, self.budget, file)
        if self.budget.left["quad"] <= 0:
            if not self._full:
                message = f"nothing of a level's {MOST['quad']} quads is left for this and what follows"
                self.report.add("dropped", piece.place, piece.kind, message, "make fewer or larger ones")
            self._full = True
        else:
            try:
                facing, at = BUILDERS[piece.kind](work)
                made = work.faces()
                made = made.standing(facing, at) if self._afford(piece, made, 1) else joined([])
            except PieceError:
                pass  # reported by the workbench
        label = _label(piece)
        collide, visible = (values.flag(flag) if values.has(flag) else True for flag in ("collide", "visible"))
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
                self._wasted += len(of) if piece.kind not in HOLDING else 0
                if self._wasted > MOST_WASTED:
                    self.budget.left["quad"] = 0
                return False
        for what, count in wanted.items():
            self.budget.left[what] -= count
        return True

    def near(self, faces: Faces) -> Faces:
        """Without what groups, arrays and scales carried too far away, or made too small or large: each such piece is
        reported once."""
        far = np.abs(faces.corners).max(axis=(1, 2), initial=0.0) > FARTHEST
        xx, xz, yy, zx, zz = faces.instances.frames().T
        sizes = np.stack([np.hypot(xx, zx), yy, np.hypot(xz, zz)])
        odd = (sizes.min(axis=0) < LEAST_SCALE) | (sizes.max(axis=0) > MOST_SCALE)
        misfit = odd[faces.instance]
        lost = [mark for mark in faces.marks if odd[mark.instance] or max(map(abs, mark.at)) > FARTHEST]
        for index in sorted({*np.unique(faces.origin[misfit]).tolist(), *(m.origin for m in lost if odd[m.instance])}):
            self._tell(index, f"it is scaled to less than {LEAST_SCALE:g} or more than {MOST_SCALE:g} times its size",
                       "see the `scale` of what it is in")  # fmt: skip
        for index in sorted({*np.unique(faces.origin[far & ~misfit]).tolist(), *(m.origin for m in lost)}):
            self._tell(index, f"parts of it lie further than {FARTHEST:g} m from the origin",
                       "see the `at` and `step` of what it is in")  # fmt: skip
        if lost:
            kept = tuple(mark for mark in faces.marks if mark.kind == "mover" or mark not in lost)
            faces = replace(faces, marks=kept)
        bad = far | misfit
        return faces.keep(~bad) if bad.any() else faces

    def _tell(self, index: int, message: str, cure: str) -> None:
        origin = self.origins[index]
        self.report.add("dropped", origin.place, origin.label, message, cure)

    def mask(self, faces: Faces, what: str) -> Flags:
        """(M,): which faces belong to pieces with that flag ("collide", "visible")."""
        flags = np.array([getattr(origin, what) for origin in self.origins], dtype=np.bool_)
        chosen: Flags = flags[faces.origin] if len(flags) else np.zeros(len(faces), np.bool_)
        return chosen


def _label(piece: Piece) -> str:
    name = piece.values.text("name") if piece.values.has("name") else ""
    return f'{piece.kind} "{name}"' if name else piece.kind
