"""Landmarks of pieces: openings of walls, shells of rooms and feet of stairs, for shared walls and for checks."""

from __future__ import annotations

from dataclasses import dataclass, field

from ....core.vectors import Point
from ...format.findings import SourceSpan

Box = tuple[Point, Point]  # two opposite corners, the lower one first
Hole = tuple[float, float, float, float]  # x0, x1, z0, z1


@dataclass(frozen=True, slots=True)
class WallOpening:
    """Doorway or window of a wall.

    kind: "doorway" or "window". number: from 1, among those of its kind in its wall. wall: of a room, else "".
    left, right, bottom, top: metres along the wall and above its base.
    """

    kind: str
    number: int
    wall: str
    left: float
    right: float
    bottom: float
    top: float
    place: SourceSpan = field(default=SourceSpan(), compare=False, repr=False)

    def describe(self) -> str:
        """Its kind, its number and its wall: `doorway 2 in the east wall`."""
        return f"{self.kind} {self.number}" + (f" in the {self.wall} wall" if self.wall else "")


@dataclass(frozen=True, slots=True)
class WallLine:
    """Wall piece with openings. Its marker is at the start of the wall, which extends along its own x."""

    thickness: float
    openings: tuple[WallOpening, ...]


@dataclass(frozen=True, slots=True)
class RoomSurfaces:
    """Indices of the surfaces of a room."""

    outside: int
    walls: int
    ceiling: int
    roof: int
    floor: int


@dataclass(frozen=True, slots=True)
class RoomShell:
    """Room piece. Its marker is at `low`.

    low, high: inner corners. thickness: of walls, outwards. floor, ceiling: thickness of these slabs, outwards; 0 for a
    floor that is a sheet inside the walls. has_floor, has_ceiling: whether it has them. cuts_ground: whether the floor
    takes the place of ground at its height. shared: whether its walls merge with those of other rooms.
    holes: in the ceiling; floor_holes: in the floor. place: of its field `from`.
    """

    low: Point
    high: Point
    thickness: float
    floor: float
    ceiling: float
    has_floor: bool
    has_ceiling: bool
    cuts_ground: bool
    shared: bool
    openings: tuple[WallOpening, ...]
    holes: tuple[Hole, ...]
    floor_holes: tuple[Hole, ...]
    surfaces: RoomSurfaces
    place: SourceSpan = field(default=SourceSpan(), compare=False, repr=False)

    @property
    def hollow(self) -> Box:
        return self.low, self.high

    @property
    def outside(self) -> Box:
        """Box of its walls and slabs."""
        (x, y, z), (u, v, w), t = self.low, self.high, self.thickness
        return (x - t, y - self.floor, z - t), (u + t, v + self.ceiling, w + t)

    def hole_boxes(self) -> tuple[Box, ...]:
        """Boxes that the holes cut out of the slabs."""
        (_, base, _), (_, roof, _) = self.outside
        above = tuple(((x, self.high[1], z), (u, roof, w)) for x, u, z, w in self.holes)
        return above + tuple(((x, base, z), (u, self.low[1], w)) for x, u, z, w in self.floor_holes)

    def opening_box(self, opening: WallOpening) -> Box:
        """Box that an opening cuts out of its wall."""
        (x, y, z), (u, _, w), t = self.low, self.high, self.thickness
        bottom, top = y + opening.bottom, y + opening.top
        if opening.wall in ("north", "south"):
            near, far = (z - t, z) if opening.wall == "north" else (w, w + t)
            return (x + opening.left, bottom, near), (x + opening.right, top, far)
        near, far = (x - t, x) if opening.wall == "west" else (u, u + t)
        return (near, bottom, z + opening.left), (far, top, z + opening.right)


@dataclass(frozen=True, slots=True)
class RampFoot:
    """Ramp. Its marker is the centre of its bottom edge; it climbs north by `height`, over `length`. All m.

    has_end: whether its author wrote where it ends.
    """

    height: float
    width: float
    length: float
    has_end: bool = False


@dataclass(frozen=True, slots=True)
class StairsFoot:
    """Flight of stairs. Its marker is the centre of the bottom edge of the first riser; it climbs north.

    rise: of a step. height: of the flight. width: from side to side. reach: distance in front of the riser (or around
    the axis of spiral stairs) within which there should be ground. length: of a straight flight. turn: of each tread of
    spiral stairs, degrees; 0 for a straight flight. has_end: whether its author wrote where it ends.
    """

    rise: float
    height: float
    width: float
    reach: float
    length: float = 0.0
    turn: float = 0.0
    has_end: bool = False
