"""Zones of a level: gravity, currents, water, ladders, launch pads, checkpoints, teleports and kill boxes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ....core.angles import HEADING_UNITS_PER_TURN, heading_from_degrees
from ....core.vectors import MAX_WALKER_SPEED, Colour, Floats, Point
from ....core.zone import DIRECTIONS, VELOCITIES, Zone
from ...format.findings import SourceSpan
from ...geometry.faces import FaceArrays
from ...geometry.instance_transform import PieceInstance, PlacedMarker, exact_sin_cos

if TYPE_CHECKING:
    from ....physics.environment.zones import Zones

DEFAULT_GRAVITY_HALF_SIZE = 1e6  # m: half size of the zone of normal gravity around all others
STANDARD_GRAVITY = 9.81  # m/s2, for the flight from a pad to its `to`
CIRCLE_ROUNDING = 1.000001  # factor on the squared radius of a circle around a box: no corner lies outside by rounding
VECTORS = (*DIRECTIONS, *VELOCITIES)  # fields of the physics' Zone that turn with the piece
_ZERO_VECTOR: Point = (0.0, 0.0, 0.0)
# Corner k has x, y, z at the high side where the bits 4, 2, 1 of k are set: an edge joins two that differ in one bit.
_BOX_CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=np.float64)
_BOX_EDGES = np.array([(k, k | bit) for k in range(8) for bit in (4, 2, 1) if not k & bit])


class RunRole(Enum):
    """What a zone does to the run of the player, beside its physics."""

    NOTHING = "nothing"
    CHECKPOINT = "a player respawns there"
    KILL = "sends the player back"
    TELEPORT = "moves the player to another place"


class FaceLook(Enum):
    """How the faces of a zone are drawn: the number in shaders/markers/zone.frag.glsl."""

    WATER = 0.0
    SQUARES = 1.0
    SWIRL = 2.0
    FRAME = 3.0
    GLOW = 4.0


class Outline(Enum):
    """How a zone is outlined for low vision."""

    NOTHING = "nothing"
    BOX = "its edges"
    CROSSED_BOX = "its edges and a cross, also where the zone is not drawn"
    FRAME = "a frame on the ground, with posts"


@dataclass(frozen=True, slots=True)
class ZoneFacts:
    """What is true of a kind of zone.

    is_water  whether it is full of water
    role      what it does to the run
    carries   whether a player can be in it without ground
    look, outline, colours   how it is drawn; None: no faces. Colours by default, and for the colour-blind.
    """

    is_water: bool = False
    role: RunRole = RunRole.NOTHING
    carries: bool = False
    look: FaceLook | None = None
    outline: Outline = Outline.NOTHING
    colours: tuple[Colour, Colour] | None = None


ZONE_FACTS: dict[str, ZoneFacts] = {}  # by kind of piece; each kind adds its own (build/pieces/zones.py)


@dataclass(frozen=True, slots=True)
class ZoneSpec:
    """Zone of a piece, in its own frame. half: half sizes of its box around its marker.

    physics: fields of the physics' Zone. colour: of its own, sRGB 0..1. arrive, look: from the marker to where a
    teleport leads, and the direction of view there (degrees). landing, over: from the marker to the landing point of a
    pad, and the height of the flight above the higher of its two ends, m.
    """

    kind: str
    half: Point
    physics: tuple[tuple[str, Any], ...] = ()
    name: str = ""
    visible: bool = True
    colour: Colour | None = None
    arrive: Point | None = None
    look: float = 0.0
    landing: Point | None = None
    over: float = 0.0

    def acts_by(self, name: str) -> bool:
        """Whether it sets a field of the physics' Zone."""
        return any(field == name for field, _ in self.physics)


@dataclass(frozen=True, slots=True)
class LevelZone:
    """Zone of a level.

    kind: of its piece. centre, half: box in metres, rotated by `heading` (65536 to the turn).
    physics: fields of the physics' Zone. arrive, look: new position of the feet and heading of the view (teleport).
    landing: where a pad leads.
    colour: of its own, sRGB 0..1 (water). mover: index of the mover that carries it, -1 for none; its box and vectors
    are then those at the mover's home. `arrive` stays where it is.
    """

    kind: str
    centre: Point
    half: Point
    heading: int = 0
    physics: tuple[tuple[str, Any], ...] = ()
    arrive: Point | None = None
    look: int = 0
    name: str = ""
    colour: Colour | None = None
    visible: bool = True
    place: SourceSpan = field(default=SourceSpan(), compare=False, repr=False)
    mover: int = -1
    landing: Point | None = None

    @property
    def facts(self) -> ZoneFacts:
        """What is true of its kind."""
        return ZONE_FACTS[self.kind]

    def acts_by(self, name: str) -> bool:
        """Whether it sets a field of the physics' Zone (`core.zone.Zone`), as "down", "water" or "launch"."""
        return any(field == name for field, _ in self.physics)

    @property
    def axes(self) -> Floats:
        """Rows (3, 3): the axes of the box in the world."""
        s, c = exact_sin_cos(self.heading * 360.0 / HEADING_UNITS_PER_TURN)
        return np.array(((c, 0.0, -s), (0.0, 1.0, 0.0), (s, 0.0, c)))

    @property
    def edges(self) -> Floats:
        """The twelve edges (12, 2, 3) of the box, m."""
        corners = np.array(self.centre) + (_BOX_CORNERS * np.array(self.half)) @ self.axes
        edges: Floats = corners[_BOX_EDGES]
        return edges

    def contains(self, point: Sequence[float]) -> bool:
        """True if the point lies in the box. For one that a mover carries: a point of the mover at home."""
        centre = self.centre
        a, b, d = self.half
        x, y, z = point[0] - centre[0], point[1] - centre[1], point[2] - centre[2]
        if not abs(y) <= b or x * x + z * z > CIRCLE_ROUNDING * (a * a + d * d):
            return False
        s, c = exact_sin_cos(self.heading * 360.0 / HEADING_UNITS_PER_TURN)
        return abs(c * x - s * z) <= a and abs(s * x + c * z) <= d

    def contains_points(self, points: Floats) -> NDArray[np.bool_]:
        """(n,): whether each of the points (n, 3) lies in the box, as `contains`."""
        x, y, z = (points - np.array(self.centre)).T
        a, b, d = self.half
        s, c = exact_sin_cos(self.heading * 360.0 / HEADING_UNITS_PER_TURN)
        inside: NDArray[np.bool_] = (abs(y) <= b) & (abs(c * x - s * z) <= a) & (abs(s * x + c * z) <= d)
        return inside


def collect_zones(faces: FaceArrays, places: Sequence[SourceSpan]) -> tuple[LevelZone, ...]:
    """Zones of a level, in the order of its pieces. places: position of each piece in its file."""
    return tuple(
        _make_zone(marker, marker.payload, faces.instances[marker.instance], places[marker.origin])
        for marker in faces.marks
        if isinstance(marker.payload, ZoneSpec)
    )


def build_physics_zones(zones: Sequence[LevelZone]) -> Zones | None:
    """Zones for the walker's physics; None if there are none.

    If one has a gravity of its own, a zone of normal gravity is added around all.
    """
    physical = [zone for zone in zones if zone.physics]
    if not physical:
        return None
    from ....physics.environment.zones import Zones

    found = [Zone(zone.centre, zone.half, zone.heading, mover=zone.mover, **dict(zone.physics)) for zone in physical]
    if any(zone.down is not None for zone in found):
        found.insert(0, Zone(_ZERO_VECTOR, (DEFAULT_GRAVITY_HALF_SIZE,) * 3, down=(0.0, -1.0, 0.0)))
    return Zones(found)


def launch_velocity(to: Point, over: float, gravity: float = STANDARD_GRAVITY) -> Point:
    """Launch velocity (m/s) of a ballistic flight to `to` (m from here) that rises `over` (m) above its higher end.

    v_y = sqrt(2 g h), t = (v_y + sqrt(2 g (h - to_y))) / g, v_xz = to_xz / t; h is the height of the apex.
    A flight over 100 km or more begins at MAX_WALKER_SPEED, and ends earlier.
    """
    rise = max(to[1], 0.0) + over
    up = math.sqrt(2.0 * gravity * rise)
    seconds = (up + math.sqrt(2.0 * gravity * (rise - to[1]))) / gravity
    slower = min(1.0, 0.999 * MAX_WALKER_SPEED / math.hypot(to[0] / seconds, up, to[2] / seconds))
    return (to[0] / seconds * slower, up * slower, to[2] / seconds * slower)


def _make_zone(marker: PlacedMarker, spec: ZoneSpec, instance: PieceInstance, place: SourceSpan) -> LevelZone:
    sx, sy, sz = instance.scale
    sine, cosine = exact_sin_cos(marker.facing)

    def rotated(vector: Point) -> Point:
        """Vector rotated by the piece's own `facing`."""
        x, y, z = vector
        return (x * cosine + z * sine, y, z * cosine - x * sine)

    def to_world(vector: Point) -> Point:
        """Vector in the world's axes, scaled."""
        return instance.transform_vector(rotated(vector))

    def to_direction(vector: Point) -> Point:
        """Vector in the world's axes, of unchanged length."""
        x, y, z = to_world(vector)
        size = math.sqrt(x * x + y * y + z * z)
        factor = math.sqrt(vector[0] ** 2 + vector[1] ** 2 + vector[2] ** 2) / size if size > 0.0 else 0.0
        return (x, y, z) if abs(factor - 1.0) < 1e-9 else (x * factor, y * factor, z * factor)

    turn, x_scale, _ = instance.board_orientation(marker.facing)
    z_scale = sx * sz / x_scale if x_scale > 0.0 else 1.0
    half = (spec.half[0] * x_scale, spec.half[1] * sy, spec.half[2] * z_scale)
    physics = {name: to_direction(value) if name in VECTORS else value for name, value in spec.physics}
    if spec.landing is not None:
        physics["launch"] = launch_velocity(to_world(spec.landing), spec.over)

    def to_place(offset: Point | None) -> Point | None:
        """Place in the world at an offset from the marker."""
        if offset is None:
            return None
        x, y, z = to_world(offset)
        return (marker.at[0] + x, marker.at[1] + y, marker.at[2] + z)

    look = heading_from_degrees(instance.board_orientation(marker.facing + spec.look)[0])
    return LevelZone(
        spec.kind,
        marker.at,
        half,
        heading_from_degrees(turn),
        tuple(physics.items()),
        to_place(spec.arrive),
        look,
        spec.name,
        spec.colour,
        spec.visible,
        place,
        marker.mover - 1,
        to_place(spec.landing),
    )
