"""Piece builder: the faces of one piece, its findings, and the limits of the level."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from ....core.errors import WalkerError
from ....core.vectors import Corner, Flags, Floats
from ....core.walker_settings import DEFAULT_SETTINGS, WalkerSettings
from ...format.findings import FindingCollector
from ...format.pictures import PictureFinder
from ...format.piece_kind import Form, Piece
from ...format.record import Record, Value
from ...geometry.faces import FaceBuilder
from ...materials import PbrMaterial
from ..entities.player import describe_body, describe_least
from .rectilinear_grid import MAX_GRID_CELLS, BoundaryQuads, build_boundary_quads

MAX_QUADS = 200_000
MAX_SIGNS = 500
MAX_LIGHTS = 100
MAX_TARGETS = 200
MAX_ZONES = 200
MAX_MOVERS = 100
MAX_CUPS = 100
MAX_EXHIBITS = 20
MAX_BALLS = 4000
MAX_LEVEL_CELLS = 10_000_000  # in all walls, rooms and slabs; bounds time and memory
MAX_FORMULA_WORK = 500_000_000  # multiplications, in all formulas; bounds time
# by kind of marker, and of quads
LEVEL_LIMITS = {
    "quad": MAX_QUADS, "sign": MAX_SIGNS, "light": MAX_LIGHTS, "target": MAX_TARGETS, "terrain": MAX_QUADS,
    "cup": MAX_CUPS, "zone": MAX_ZONES, "ball": MAX_BALLS, "exhibit": MAX_EXHIBITS, "mover": MAX_MOVERS,
    "room": MAX_QUADS, "wall": MAX_QUADS, "stairs": MAX_QUADS, "ramp": MAX_QUADS,  # landmarks, fewer than their quads
}  # fmt: skip
Placement = tuple[float, Corner]  # `facing` in degrees, `at`
EAST = np.array([1.0, 0.0, 0.0])
IDENTITY_PLACEMENT: Placement = (0.0, (0.0, 0.0, 0.0))


class PieceError(WalkerError):
    """A piece that cannot be built. It was reported, and is left out."""


@dataclass(frozen=True, slots=True)
class GeneratedSurface:
    """Surface that a piece creates, for a model's material. colour: sRGB 0..1. pbr: its pictures.

    base: index of the surface of the level whose footsteps and physical values it has, or -1.
    """

    name: str
    colour: tuple[float, float, float]
    texture: str = "plain"
    friction: float = 1.0
    pbr: PbrMaterial | None = None
    base: int = -1


class LevelBudget:
    """Remaining limits of a level, shared by its pieces. `generated_surfaces` follow the level's own."""

    def __init__(self, surfaces: int = 1) -> None:
        self.remaining = dict(LEVEL_LIMITS)
        self.cells = MAX_LEVEL_CELLS
        self.formula_work = MAX_FORMULA_WORK
        self.surfaces = surfaces
        self.generated_surfaces: dict[GeneratedSurface, int] = {}

    def add_surface(self, surface: GeneratedSurface) -> int:
        """Index of the surface; equal ones share it."""
        return self.generated_surfaces.setdefault(surface, self.surfaces + len(self.generated_surfaces))


@dataclass(frozen=True, slots=True)
class PiecePart:
    """Part of a piece with its own layers: a node of a model, with its name."""

    label: str
    collide: bool
    visible: bool


class PieceBuilder(FaceBuilder):
    """One piece during its construction, in its own frame."""

    def __init__(
        self,
        origin: int,
        piece: Piece,
        intended: frozenset[str],
        report: FindingCollector,
        budget: LevelBudget,
        file: Path,
        pictures: PictureFinder,
        body: WalkerSettings = DEFAULT_SETTINGS,
    ) -> None:
        super().__init__(origin)
        self.pictures = pictures
        self.file = file  # of the piece
        self.body = body  # of the player
        self.player = describe_body(body)  # for messages
        self.parts: list[PiecePart] = []
        self.piece = piece
        self.intended = intended
        self.report = report
        self.budget = budget
        self.reported_kinds: set[str] = set()

    def add_part(self, label: str, collide: bool, visible: bool) -> int:
        """Origin index for the faces of a new part."""
        self.parts.append(PiecePart(label, collide, visible))
        return self.origin + len(self.parts)

    def add_grid_surface(self, x: Floats, y: Floats, z: Floats, solid: Flags) -> BoundaryQuads:
        """Boundary quads of solid cells. Raises PieceError if the level has too many cells."""
        self.budget.cells -= solid.size
        if self.budget.cells < 0:
            message = "the level has too many tiles, doors and windows"
            cure = "use larger tiles, or fewer openings"
            self.report.add("dropped", self.piece.place, self.piece.where, message, cure)
            raise PieceError
        return build_boundary_quads(x, y, z, solid)

    def reject_piece(self, field: Value[Any], message: str, cure: str = "", of: Record | None = None) -> NoReturn:
        """Report a problem and leave the piece out."""
        self.report_dropped(field, message, cure, of)
        raise PieceError

    def report_dropped(self, field: Value[Any], message: str, cure: str = "", of: Record | None = None) -> None:
        """Report something that the caller leaves out. Nothing about a missing field after a wrong value, which may be
        the missing one."""
        record = of or self.piece
        if record.is_given(field) or not record.has_errors:
            self.report.add("dropped", record.place_of(field), record.where_of(field), message, cure)

    def report_warning(self, kind: str, field: Value[Any], message: str, cure: str, of: Record | None = None) -> None:
        """Warn, unless the field `intended` of the piece contains this kind."""
        record = of or self.piece
        self.reported_kinds.add(kind)
        if kind not in self.intended:
            self.report.add("warning", record.place_of(field), record.where_of(field), message, cure)

    def report_low(self, field: Value[Any], message: str, of: Record | None = None, cure: str = "") -> None:
        """Warn about a space that is too low for a standing player. cure: what to do first, and `, or `."""
        cure += f"make it at least {describe_least(self.body.clear_height)} m high, or add `intended: [low]`"
        self.report_warning("low", field, message, cure, of)

    def report_narrow(self, field: Value[Any], message: str, of: Record | None = None) -> None:
        """Warn about an opening that is too narrow for a player."""
        cure = f"make it at least {describe_least(self.body.clear_width)} m wide, or add `intended: [narrow]`"
        self.report_warning("narrow", field, message, cure, of)

    def ordered_span(self, start: Sequence[float], end: Sequence[float], axis: int) -> tuple[float, float]:
        """Smaller and larger coordinate of two opposite corners along an axis."""
        low, high = sorted((start[axis], end[axis]))
        if high - low < 1e-3:
            name = ("x", "z")[axis] if len(start) == 2 else ("x", "y", "z")[axis]
            message = f"the size along {name} is zero: `from` and `to` are equal there"
            self.reject_piece(self.piece.fields["to"], message, "move one of them")
        return low, high

    def check_tiles(self, tile: float, width: float, depth: float) -> None:
        """Reject the piece if its `tile` (m) splits `width` by `depth` (m) into more than MAX_GRID_CELLS."""
        if tile > 0.0 and (width / tile + 1) * (depth / tile + 1) > MAX_GRID_CELLS:
            message = f"{tile:g} m tiles on {width:g} m by {depth:g} m are too many"
            self.reject_piece(self.piece.fields["tile"], message, "use larger tiles")


class BuiltPiece(Piece):
    """A piece with faces or markers of its own."""

    @abstractmethod
    def build(self, out: PieceBuilder) -> Placement:
        """Add its faces and markers, in its own frame. The result is where that frame stands."""

    def texture_frames(self, corners: Floats) -> Floats:
        """Frames (M,3,3) of its faces (M,4,3), in its own axes: see build/texture_coordinates."""
        low, high = corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
        if self.form is Form.POLYGON:  # part of something larger: its picture begins at the origin of its list
            low, high = np.zeros(3), np.zeros(3)
        elif self.is_round:  # the bounds of an odd number of sides are not symmetrical about the axis
            radius = np.abs(corners[..., ::2]).max()
            low, high = np.array([-radius, low[1], -radius]), np.array([radius, high[1], radius])
        lows, highs = np.tile(low, (len(corners), 1)), np.tile(high, (len(corners), 1))
        return np.stack([lows, highs, lows + EAST], axis=1)
