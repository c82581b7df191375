"""Piece builder: the fields and faces of one piece, its findings, and the limits of the level."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from ....core.errors import WalkerError
from ....core.vectors import Corner, Flags, Floats
from ....core.walker_settings import DEFAULT_SETTINGS, WalkerSettings
from ...format.findings import FindingCollector
from ...format.pictures import PictureFinder
from ...format.records import RecordValues
from ...format.schema import (
    MAX_BALLS,
    MAX_CUPS,
    MAX_EXHIBITS,
    MAX_LIGHTS,
    MAX_MOVERS,
    MAX_QUADS,
    MAX_SIGNS,
    MAX_TARGETS,
    MAX_ZONES,
)
from ...geometry.faces import FaceBuilder
from ...materials import PbrMaterial
from ..entities.player import describe_body, describe_least
from .rectilinear_grid import BoundaryQuads, build_boundary_quads

Placement = tuple[float, Corner]  # `facing` in degrees, `at`
IDENTITY_PLACEMENT: Placement = (0.0, (0.0, 0.0, 0.0))


class PieceError(WalkerError):
    """A piece that cannot be built. It was reported, and is left out."""


MAX_LEVEL_CELLS = 10_000_000  # in all walls, rooms and slabs; bounds time and memory
# by kind of marker, and of quads
LEVEL_LIMITS = {
    "quad": MAX_QUADS, "sign": MAX_SIGNS, "light": MAX_LIGHTS, "target": MAX_TARGETS, "terrain": MAX_QUADS,
    "cup": MAX_CUPS, "zone": MAX_ZONES, "ball": MAX_BALLS, "exhibit": MAX_EXHIBITS, "mover": MAX_MOVERS,
    "room": MAX_QUADS, "wall": MAX_QUADS, "stairs": MAX_QUADS, "ramp": MAX_QUADS,  # landmarks, fewer than their quads
}  # fmt: skip


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
        self.surfaces = surfaces
        self.generated_surfaces: dict[GeneratedSurface, int] = {}

    def add_surface(self, surface: GeneratedSurface) -> int:
        """Index of the surface; equal ones share it."""
        return self.generated_surfaces.setdefault(surface, self.surfaces + len(self.generated_surfaces))


@dataclass(frozen=True, slots=True)
class PiecePart:
    """Named part of a piece with its own layers: a node of a model."""

    label: str
    collide: bool
    visible: bool


class PieceBuilder(FaceBuilder):
    """One piece during its construction, in its own frame. Builder functions add faces and return the placement."""

    def __init__(
        self,
        origin: int,
        values: RecordValues,
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
        self.values = values
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
            values = self.values
            message = "the level has too many tiles, doors and windows"
            self.report.add("dropped", values.place, values.where, message, "use larger tiles, or fewer openings")
            raise PieceError
        return build_boundary_quads(x, y, z, solid)

    def reject_piece(self, field: str, message: str, cure: str = "", of: RecordValues | None = None) -> NoReturn:
        """Report a problem and leave the piece out."""
        self.report_dropped(field, message, cure, of)
        raise PieceError

    def report_dropped(self, field: str, message: str, cure: str = "", of: RecordValues | None = None) -> None:
        """Report something that the caller leaves out."""
        values = of or self.values
        self.report.add("dropped", values.place_of(field), f"{values.where}.{field}", message, cure)

    def report_warning(self, kind: str, field: str, message: str, cure: str, of: RecordValues | None = None) -> None:
        """Warn, unless the field `intended` of the piece contains this kind."""
        values = of or self.values
        self.reported_kinds.add(kind)
        if kind not in self.intended:
            self.report.add("warning", values.place_of(field), f"{values.where}.{field}", message, cure)

    def report_low(self, field: str, message: str, of: RecordValues | None = None, cure: str = "") -> None:
        """Warn about a space that is too low for a standing player. cure: what to do first, and `, or `."""
        cure += f"make it at least {describe_least(self.body.clear_height)} m high, or add `intended: [low]`"
        self.report_warning("low", field, message, cure, of)

    def report_narrow(self, field: str, message: str, of: RecordValues | None = None) -> None:
        """Warn about an opening that is too narrow for a player."""
        cure = f"make it at least {describe_least(self.body.clear_width)} m wide, or add `intended: [narrow]`"
        self.report_warning("narrow", field, message, cure, of)

    def check_corners(self) -> None:
        """Warn about a box whose `to` looks like its size: as a corner it makes the box cross the origin."""
        start, end = self.values.point("from"), self.values.point("to")
        spans = list(zip(start, end, strict=True))
        if min(end) > 0.0 and any(a > b for a, b in spans) and any(a < 0.0 for a, _ in spans[::2]):
            size = " x ".join(f"{abs(b - a):.4g}" for a, b in spans)
            corner = ", ".join(f"{a + b:.6g}" for a, b in spans)
            message = f"`to` is the opposite corner, not the size: the piece is {size} m large"
            cure = f"write `to: [{corner}]`, or lower numbers in `from` than in `to`, or add `intended: [overlap]`"
            self.reported_kinds |= set() if "overlap" in self.intended else {"misplaced"}
            self.report_warning("overlap", "to", message, cure)


PieceFunction = Callable[[PieceBuilder], Placement]
