"""What a piece is built on: its fields, its faces, and ways to warn or to refuse."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from ...format.findings import Report
from ...format.records import Values
from ...format.schema import (
    MOST_BALLS,
    MOST_CUPS,
    MOST_EXHIBITS,
    MOST_LIGHTS,
    MOST_MOVERS,
    MOST_QUADS,
    MOST_SIGNS,
    MOST_TARGETS,
    MOST_ZONES,
)
from ...geometry.faces import Corner, Flags, Floats, Maker
from .rectilinear_grid import Boundary, boundary

Placement = tuple[float, Corner]  # facing in degrees, at
STILL: Placement = (0.0, (0.0, 0.0, 0.0))


class PieceError(Exception):
    """A piece that cannot be built from its fields; it was reported, and is left out."""


MOST_CELLS = 10_000_000  # of all walls, rooms and slabs of a level, which bounds time and memory
# of a level; of marks, by their kind
MOST = {
    "quad": MOST_QUADS, "sign": MOST_SIGNS, "light": MOST_LIGHTS, "target": MOST_TARGETS, "terrain": MOST_QUADS,
    "cup": MOST_CUPS, "zone": MOST_ZONES, "ball": MOST_BALLS, "exhibit": MOST_EXHIBITS, "mover": MOST_MOVERS,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Painted:
    """A surface that a piece brings along: colour sRGB 0..1, the rest as of a level's own surfaces."""

    name: str
    colour: tuple[float, float, float]
    texture: str = "plain"
    friction: float = 1.0


class Budget:
    """What a level may still use up, shared by its pieces; `painted` come after its own `surfaces`."""

    def __init__(self, surfaces: int = 1) -> None:
        self.left = dict(MOST)
        self.cells = MOST_CELLS
        self.surfaces = surfaces
        self.painted: dict[Painted, int] = {}

    def paint(self, painted: Painted) -> int:
        return self.painted.setdefault(painted, self.surfaces + len(self.painted))


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a piece that is told apart from it: a node of a model."""

    label: str
    collide: bool
    visible: bool


class Workbench(Maker):
    """One piece in the making: builders write faces around [0, 0, 0], looking north, and return where to."""

    def __init__(
        self, origin: int, values: Values, intended: frozenset[str], report: Report, budget: Budget, file: Path
    ) -> None:
        super().__init__(origin)
        self.file = file  # that the piece is written in
        self.parts: list[Part] = []
        self.values = values
        self.intended = intended
        self.report = report
        self.budget = budget
        self.told: set[str] = set()

    def part(self, label: str, collide: bool, visible: bool) -> int:
        """The origin of the faces of one part."""
        self.parts.append(Part(label, collide, visible))
        return self.origin + len(self.parts)

    def shell(self, x: Floats, y: Floats, z: Floats, solid: Flags) -> Boundary:
        """The surface of solid cells, if the level can still afford so many."""
        self.budget.cells -= solid.size
        if self.budget.cells < 0:
            values = self.values
            message = "the level is divided too finely: too many tiles, doors and windows"
            self.report.add("dropped", values.place, values.where, message, "use larger tiles, or fewer openings")
            raise PieceError
        return boundary(x, y, z, solid)

    def refuse(self, field: str, message: str, cure: str = "", of: Values | None = None) -> NoReturn:
        """Report and leave the piece out."""
        self.drop(field, message, cure, of)
        raise PieceError

    def drop(self, field: str, message: str, cure: str = "", of: Values | None = None) -> None:
        """Report what the caller leaves out."""
        values = of or self.values
        self.report.add("dropped", values.at(field), f"{values.where}.{field}", message, cure)

    def warn(self, kind: str, field: str, message: str, cure: str, of: Values | None = None) -> None:
        """Warn, unless the piece intends it."""
        values = of or self.values
        self.told.add(kind)
        if kind not in self.intended:
            self.report.add("warning", values.at(field), f"{values.where}.{field}", message, cure)


Builder = Callable[[Workbench], Placement]
