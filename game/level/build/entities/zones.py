"""Where a level has zones: boxes with a gravity, a current, water, a ladder, a pad; checkpoints, teleports, kills."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ....core.angles import HEADING_UNITS_PER_TURN, heading_from_degrees
from ....core.vectors import Point
from ...format.findings import SourceSpan
from ...geometry.faces import FaceArrays
from ...geometry.instance_transform import PieceInstance, PlacedMarker, exact_sin_cos

if TYPE_CHECKING:
    from ....physics.environment.zones import Zones

DEFAULT_GRAVITY_HALF_SIZE = 1e6  # m: half the size of the box in which gravity is the ordinary one, around all others
STANDARD_GRAVITY = 9.81  # m/s2 by which a pad's `to` is reached
_ZERO_VECTOR: Point = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class ZoneSpec:
    """What a piece says of its zone, by its own north, from the middle of its box (its mark): half sizes; which kind
    of piece; the rest as it stands in the schema. `aim`: from the mark to where a pad throws or a teleport leads."""

    kind: str
    half: Point
    down: Point | None = None
    strength: float = 1.0
    flow: Point | None = None
    on_ground: float = 1.0
    drag: float = 4.0
    buoyancy: float = 1.25
    climbs: bool = False
    speed: Point | None = None
    aim: Point | None = None
    over: float = 1.0
    look: float = 0.0
    colour: tuple[float, ...] = (0.2, 0.5, 0.6)
    name: str = ""
    visible: bool = True


@dataclass(frozen=True, slots=True)
class LevelZone:
    """A zone of a level. kind: of its piece; centre, half: m, of its box by its own north, which looks to `heading`
    (65536 to the turn); physics: what the walker's physics has to know of it, the fields of a Zone; arrive, look: of a
    teleport, where the feet come to stand and the heading of the view there; colour: of water, sRGB 0..1."""

    kind: str
    centre: Point
    half: Point
    heading: int = 0
    physics: tuple[tuple[str, Any], ...] = ()
    arrive: Point | None = None
    look: int = 0
    name: str = ""
    colour: Point = (0.2, 0.5, 0.6)
    visible: bool = True
    place: SourceSpan = field(default=SourceSpan(), compare=False, repr=False)  # in the file

    def contains(self, point: Sequence[float]) -> bool:
        """Whether a point lies in its box."""
        x, y, z = (there - here for there, here in zip(point, self.centre, strict=True))
        s, c = exact_sin_cos(self.heading * 360.0 / HEADING_UNITS_PER_TURN)
        a, b, d = self.half
        return abs(c * x - s * z) <= a and abs(y) <= b and abs(s * x + c * z) <= d


def collect_zones(faces: FaceArrays, places: Sequence[SourceSpan]) -> tuple[LevelZone, ...]:
    """The zones of a level, in the order of its pieces; places: of each piece, in its file."""
    return tuple(
        _make_zone(mark, mark.payload, faces.instances[mark.instance], places[mark.origin])
        for mark in faces.marks
        if isinstance(mark.payload, ZoneSpec)
    )


def build_physics_zones(areas: Sequence[LevelZone]) -> Zones | None:
    """What the walker's physics knows of them; None for nothing. Where some have a gravity, the ordinary one holds
    around them."""
    known = [area for area in areas if area.physics]
    if not known:
        return None
    from ....physics.environment.zones import Zone, Zones

    zones = [Zone(area.centre, area.half, area.heading, **dict(area.physics)) for area in known]
    if any(zone.down is not None for zone in zones):
        zones.insert(0, Zone(_ZERO_VECTOR, (DEFAULT_GRAVITY_HALF_SIZE,) * 3, down=(0.0, -1.0, 0.0)))
    return Zones(zones)


def launch_velocity(to: Point, over: float, gravity: float = STANDARD_GRAVITY) -> Point:
    """The velocity (m/s) that leads from here to `to` (m from here), rising `over` (m) above the higher end."""
    rise = max(to[1], 0.0) + over
    up = math.sqrt(2.0 * gravity * rise)
    seconds = (up + math.sqrt(2.0 * gravity * (rise - to[1]))) / gravity
    return (to[0] / seconds, up, to[2] / seconds)


def _make_zone(mark: PlacedMarker, region: ZoneSpec, stands: PieceInstance, place: SourceSpan) -> LevelZone:
    sx, sy, sz = stands.scale
    sine, cosine = exact_sin_cos(mark.facing)

    def own(way: Point) -> Point:
        """Turned by the piece's own `facing`."""
        x, y, z = way
        return (x * cosine + z * sine, y, z * cosine - x * sine)

    def way(of: Point) -> Point:
        """In the world, with lengths."""
        return stands.transform_vector(own(of))

    def direction(of: Point) -> Point:
        """In the world, as long as it was."""
        x, y, z = way(of)
        size = math.sqrt(x * x + y * y + z * z)
        part = math.sqrt(of[0] ** 2 + of[1] ** 2 + of[2] ** 2) / size if size > 0.0 else 0.0
        return (x, y, z) if abs(part - 1.0) < 1e-9 else (x * part, y * part, z * part)

    turn, broad, _ = stands.board_orientation(mark.facing)
    deep = sx * sz / broad if broad > 0.0 else 1.0
    half = (region.half[0] * broad, region.half[1] * sy, region.half[2] * deep)
    launch = None
    if region.speed is not None:
        launch = direction(region.speed)
    elif region.kind == "pad" and region.aim is not None:
        launch = launch_velocity(way(region.aim), region.over)
    physics: dict[str, Any] = {}
    if region.down is not None:
        physics |= {"down": direction(region.down), "strength": region.strength}
    if region.flow is not None:
        physics |= {"current": direction(region.flow), "hold": region.on_ground}
    if region.kind == "water":
        physics |= {"water": True, "drag": region.drag, "buoyancy": region.buoyancy}
    if region.climbs:
        physics["climb"] = direction((0.0, 0.0, -1.0))
    if launch is not None:
        physics["launch"] = launch
    arrive = None
    if region.kind == "teleport" and region.aim is not None:
        x, y, z = way(region.aim)
        arrive = (mark.at[0] + x, mark.at[1] + y, mark.at[2] + z)
    look = heading_from_degrees(stands.board_orientation(mark.facing + region.look)[0])
    red, green, blue = region.colour
    return LevelZone(
        region.kind, mark.at, half, heading_from_degrees(turn), tuple(physics.items()), arrive, look, region.name, (red, green, blue),
        region.visible, place,
    )  # fmt: skip
