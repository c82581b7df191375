"""What a piece is built on: its fields, its faces, and ways to warn or to refuse."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from ....core.errors import WalkerError
from ....core.vectors import Corner, Flags, Floats
from ...format.findings import FindingCollector
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
from .rectilinear_grid import BoundaryQuads, build_boundary_quads

Placement = tuple[float, Corner]  # facing in degrees, at
IDENTITY_PLACEMENT: Placement = (0.0, (0.0, 0.0, 0.0))


class PieceError(WalkerError):
    """A piece that cannot be built from its fields; it was reported, and is left out."""


MAX_LEVEL_CELLS = 10_000_000  # of all walls, rooms and slabs of a level, which bounds time and memory
# of a level; of marks, by their kind
LEVEL_LIMITS = {
    "quad": MAX_QUADS, "sign": MAX_SIGNS, "light": MAX_LIGHTS, "target": MAX_TARGETS, "terrain": MAX_QUADS,
    "cup": MAX_CUPS, "zone": MAX_ZONES, "ball": MAX_BALLS, "exhibit": MAX_EXHIBITS, "mover": MAX_MOVERS,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class GeneratedSurface:
    """A surface that a piece brings along: colour sRGB 0..1, the rest as of a level's own surfaces."""

    name: str
    colour: tuple[float, float, float]
    texture: str = "plain"
    friction: float = 1.0


class LevelBudget:
    """What a level may still use up, shared by its pieces; `painted` come after its own `surfaces`."""

    def __init__(self, surfaces: int = 1) -> None:
        self.remaining = dict(LEVEL_LIMITS)
        self.cells = MAX_LEVEL_CELLS
        self.surfaces = surfaces
        self.generated_surfaces: dict[GeneratedSurface, int] = {}

    def add_surface(self, painted: GeneratedSurface) -> int:
        return self.generated_surfaces.setdefault(painted, self.surfaces + len(self.generated_surfaces))


@dataclass(frozen=True, slots=True)
class PiecePart:
    """A part of a piece that is told apart from it: a node of a model."""

    label: str
    collide: bool
    visible: bool


class PieceBuilder(FaceBuilder):
    """One piece in the making: builders write faces around [0, 0, 0], looking north, and return where to."""

    def __init__(
        self,
        origin: int,
        values: RecordValues,
        intended: frozenset[str],
        report: FindingCollector,
        budget: LevelBudget,
        file: Path,
    ) -> None:
        super().__init__(origin)
        self.file = file  # that the piece is written in
        self.parts: list[PiecePart] = []
        self.values = values
        self.intended = intended
        self.report = report
        self.budget = budget
        self.reported_kinds: set[str] = set()

    def add_part(self, label: str, collide: bool, visible: bool) -> int:
        """The origin of the faces of one part."""
        self.parts.append(PiecePart(label, collide, visible))
        return self.origin + len(self.parts)

    def add_grid_surface(self, x: Floats, y: Floats, z: Floats, solid: Flags) -> BoundaryQuads:
        """The surface of solid cells, if the level can still afford so many."""
        self.budget.cells -= solid.size
        if self.budget.cells < 0:
            values = self.values
            message = "the level has too many tiles, doors and windows"
            self.report.add("dropped", values.place, values.where, message, "use larger tiles, or fewer openings")
            raise PieceError
        return build_boundary_quads(x, y, z, solid)

    def reject_piece(self, field: str, message: str, cure: str = "", of: RecordValues | None = None) -> NoReturn:
        """Report and leave the piece out."""
        self.report_dropped(field, message, cure, of)
        raise PieceError

    def report_dropped(self, field: str, message: str, cure: str = "", of: RecordValues | None = None) -> None:
        """Report what the caller leaves out."""
        values = of or self.values
        self.report.add("dropped", values.place_of(field), f"{values.where}.{field}", message, cure)

    def report_warning(self, kind: str, field: str, message: str, cure: str, of: RecordValues | None = None) -> None:
        """Warn, unless the piece intends it."""
        values = of or self.values
        self.reported_kinds.add(kind)
        if kind not in self.intended:
            self.report.add("warning", values.place_of(field), f"{values.where}.{field}", message, cure)


PieceFunction = Callable[[PieceBuilder], Placement]
