"""Scene: appearance of a level as plain arrays, and where its movers carry points and zones. No GL."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ...core.angles import HEADING_UNITS_PER_TURN, RADIANS_PER_HEADING_UNIT
from ...core.vectors import Colour, Flags, Floats, Ints, Vector, to_point
from ...core.zone import DIRECTIONS, VELOCITIES
from ...level.build.entities.exits import Exit
from ...level.build.entities.movers import LevelMover
from ...level.build.entities.point_entities import Light, Target
from ...level.build.entities.zones import LevelZone
from ...level.build.pieces.signs_and_decals import SIGN_THICKNESS
from ...level.build.pieces.zones import PAD_HEIGHT, PAD_REACH_BELOW
from ...level.level import Sky
from ...level.materials import PbrMaterial
from ..decal import Decal

if TYPE_CHECKING:
    from ...level import Level
    from ...level.level import Sign

Bytes = npt.NDArray[np.uint8]

BACK_DISTANCE = 0.4  # m behind a sign, within which a wall hides its back
PAD_FACE_HEIGHT = PAD_REACH_BELOW + PAD_HEIGHT + 0.005  # m above the bottom of a pad's zone: 5 mm above its plate


@dataclass(frozen=True, slots=True)
class SurfaceAppearance:
    """Surface: sRGB colour, name of a procedural texture, horizontal flow velocity of the pattern (x, z) in m/s.

    pbr: material with pictures in place of the texture; `colour` is shown until its pictures are loaded. spray: metres
    that drops of water fly up from it, 0 for none.
    """

    colour: Colour = (0.6, 0.6, 0.6)
    texture: str = "plain"
    flow: tuple[float, float] = (0.0, 0.0)
    pbr: PbrMaterial | None = None
    spray: float = 0.0


@dataclass(frozen=True, slots=True)
class SignAppearance:
    """Sign: centre of the written face, heading (65536 per turn) that it faces, size in metres.

    mover: index of the mover that carries it, -1 for none; the rest is as with the mover at home. has_back: nothing
    stands behind it.
    """

    text: str
    at: Vector
    heading: int
    width: float
    height: float
    mover: int = -1
    has_back: bool = False


GOAL_RADII, GOAL_SIDES = (0.0, 0.4, 0.7, 0.88, 1.1), 48  # of the goal's ring; in radii, and around
GOAL_GRID = tuple(  # points (east, south) of the ring in radii, from the middle outwards
    (radius * math.cos(math.tau * side / GOAL_SIDES), radius * math.sin(math.tau * side / GOAL_SIDES))
    for radius in GOAL_RADII
    for side in range(GOAL_SIDES)
)
CARRIED_VECTORS = (*DIRECTIONS, *VELOCITIES)  # of a zone, which turn with its mover
MAX_GOAL_RISE = 0.35  # m above or below the base that the ring of a goal follows the ground


@dataclass(frozen=True, slots=True)
class GoalAppearance:
    """Goal: position of the base, radius in metres, unit vector against the local gravity.

    rise: height of the ground above the base, in radii, at the points of `GOAL_GRID`: the ring lies on it.
    """

    at: Vector
    radius: float
    up: Vector = (0.0, 1.0, 0.0)
    rise: tuple[float, ...] = (0.0,) * len(GOAL_GRID)


@dataclass(frozen=True, eq=False, slots=True)
class MoverAppearance:
    """Moving platform: triangles (N, 3, 3) in its own frame and surface_index (N,) into the scene's surfaces.

    at: origin of its frame at home, metres. uv, vertex_colours, normals: as those of Scene.
    """

    triangles: Floats
    surface_index: Ints
    uv: Floats | None = None
    vertex_colours: Bytes | None = None
    normals: Floats | None = None
    at: Vector = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Scene:
    """Static appearance of a level.

    triangles: (N, 3, 3) metres, counter-clockwise seen from outside. surface_index: (N,) into `surfaces`. smooth: (N,)
    triangles shaded with averaged normals, such as terrain. closed: (N,) triangles that bound a solid, whose back faces
    are never visible. Empty flags mean none. flags: base positions of golf flags.

    Of triangles whose surface has a `pbr`, each None if no triangle has any: uv (N, 3, 2) texture coordinates, not
    finite where the picture lies on the plane of the triangle in metres. vertex_colours (N, 3, 4): linear, 255 for one.
    normals (N, 3, 3): unit normals for shading, not finite where the triangle is flat.
    """

    triangles: Floats
    surface_index: Ints
    surfaces: tuple[SurfaceAppearance, ...] = (SurfaceAppearance(),)
    signs: tuple[SignAppearance, ...] = ()
    goal: GoalAppearance | None = None
    sky: Sky = field(default_factory=Sky)
    lamps: tuple[Light, ...] = ()
    targets: tuple[Target, ...] = ()
    exits: tuple[Exit, ...] = ()
    flags: tuple[Vector, ...] = ()
    zones: tuple[LevelZone, ...] = ()
    movers: tuple[MoverAppearance, ...] = ()
    decals: tuple[Decal, ...] = ()
    smooth: Flags = field(default_factory=lambda: np.zeros(0, np.bool_))
    closed: Flags = field(default_factory=lambda: np.zeros(0, np.bool_))
    uv: Floats | None = None
    vertex_colours: Bytes | None = None
    normals: Floats | None = None
    solid_bounds: tuple[Vector, Vector] | None = None  # lowest and highest corner of what collides, m

    def __post_init__(self) -> None:
        triangles = np.ascontiguousarray(self.triangles, dtype=np.float64).reshape(-1, 3, 3)
        index = np.ascontiguousarray(self.surface_index, dtype=np.int32).reshape(-1)
        if len(index) != len(triangles):
            raise ValueError(f"{len(triangles)} triangles, but {len(index)} surface indices")
        if len(index) and (index.min() < 0 or index.max() >= len(self.surfaces)):
            raise ValueError(f"a surface index is outside 0..{len(self.surfaces) - 1}")
        if not np.isfinite(triangles).all():
            raise ValueError("a triangle's coordinate is not finite")
        for name, width in (("uv", 2), ("vertex_colours", 4), ("normals", 3)):
            values = getattr(self, name)
            if values is not None and values.shape != (len(triangles), 3, width):
                raise ValueError(f"{name} is ({len(triangles)}, 3, {width}), not {values.shape}")
        object.__setattr__(self, "smooth", _check_flags("smooth", self.smooth, len(triangles)))
        object.__setattr__(self, "closed", _check_flags("closed", self.closed, len(triangles)))
        object.__setattr__(self, "triangles", triangles)
        object.__setattr__(self, "surface_index", index)

    @classmethod
    def from_level(cls, level: Level) -> Scene:
        """Scene of a level that level.load returned."""
        return cls(
            triangles=level.drawn,
            surface_index=level.drawn_surface,
            surfaces=tuple(SurfaceAppearance(s.colour, s.texture, s.flow, s.pbr, s.spray) for s in level.surfaces)
            or (SurfaceAppearance(),),
            signs=tuple(
                SignAppearance(s.text, s.at, s.heading, s.width, s.height, s.mover, _has_free_back(level, s))
                for s in level.signs
            ),
            goal=_goal_appearance(level),
            sky=level.sky,
            lamps=level.lights,
            targets=level.targets,
            exits=level.exits,
            flags=() if level.golf is None else tuple(hole.foot for hole in level.golf.holes),
            zones=level.all_zones,
            movers=tuple(
                MoverAppearance(
                    item.drawn, item.drawn_surface, item.drawn_uv, item.drawn_colours, item.drawn_normals, item.at
                )
                for item in level.movers
            ),
            smooth=level.faces.smooth[level.drawn_quad],
            closed=level.closed_faces[level.drawn_quad],
            uv=level.drawn_uv,
            vertex_colours=level.drawn_colours,
            normals=level.drawn_normals,
            solid_bounds=level.mesh.bounds,
        )

    @property
    def static_lamps(self) -> tuple[Light, ...]:
        """The lamps that no mover carries: those of the baked light."""
        return tuple(lamp for lamp in self.lamps if lamp.mover < 0)

    def bounds(self) -> tuple[Floats, Floats]:
        """Minimum and maximum corner; a cube of 1 m around the origin for an empty scene."""
        if not len(self.triangles):
            return np.full(3, -0.5), np.full(3, 0.5)
        corners = self.triangles.reshape(-1, 3)
        return corners.min(axis=0), corners.max(axis=0)


def _check_flags(name: str, flags: Flags, count: int) -> Flags:
    """Flags (count,) of the triangles; all False for empty flags. ValueError for another length."""
    flags = np.ascontiguousarray(flags, dtype=np.bool_).reshape(-1)
    if not len(flags):
        return np.zeros(count, np.bool_)
    if len(flags) != count:
        raise ValueError(f"{count} triangles, but {len(flags)} flags that say which are {name}")
    return flags


def _has_free_back(level: Level, sign: Sign) -> bool:
    """Whether the back of a sign can be seen: nothing is within BACK_DISTANCE behind it, nor is it inside a solid,
    which a ray upwards would leave through an odd number of faces."""
    if sign.mover >= 0:
        return False
    angle = sign.heading * RADIANS_PER_HEADING_UNIT
    x, y, z = sign.at
    back = (math.sin(angle), 0.0, math.cos(angle))
    start = (x + SIGN_THICKNESS * 1.5 * back[0], y, z + SIGN_THICKNESS * 1.5 * back[2])
    if level.mesh.raycast_any(start, back, BACK_DISTANCE):
        return False
    return len(level.mesh.raycast_all(start, (0.0, 1.0, 0.0))) % 2 == 0


def _goal_appearance(level: Level) -> GoalAppearance | None:
    """Appearance of a level's goal, upright against the local gravity; None without a goal."""
    goal = level.goal
    if goal is None:
        return None
    x, y, z = (0.0, -1.0, 0.0) if level.zones is None else level.zones.gravity(goal.at)
    size = math.sqrt(x * x + y * y + z * z)
    up = (-x / size, -y / size, -z / size) if size > 0.0 else (0.0, 1.0, 0.0)
    if up != (0.0, 1.0, 0.0):
        return GoalAppearance(goal.at, goal.radius, up)
    grid = goal.radius * np.array(GOAL_GRID)
    above = np.array(goal.at) + np.column_stack((grid[:, 0], np.full(len(grid), MAX_GOAL_RISE), grid[:, 1]))
    below = level.mesh.ground_below_many(above, 2.0 * MAX_GOAL_RISE)
    rise = np.where(below.triangle >= 0, MAX_GOAL_RISE - below.distance, 0.0) / goal.radius
    return GoalAppearance(goal.at, goal.radius, up, tuple(rise.tolist()))


# Places of what movers carry


def in_frames_of_movers(points: npt.ArrayLike, carriers: Ints, movers: Sequence[MoverAppearance]) -> Floats:
    """Points (n, 3) of the level as it is with all movers at home, each in the frame of its mover.

    carriers: (n,) mover of each point, -1 for none.
    """
    homes = np.array([(0.0, 0.0, 0.0), *(mover.at for mover in movers)])
    own: Floats = np.asarray(points, dtype=np.float64) - homes[carriers + 1]
    return own


def carry_points(points: Floats, carriers: Ints, movers: Sequence[MoverAppearance], poses: Floats | None) -> Floats:
    """Points (n, 3) of the level as it is with all movers at home, at the poses (K, 3, 4) of their movers.

    carriers: (n,) mover of each point, -1 for none. poses: None for movers at home.
    """
    if poses is None or len(poses) != len(movers):
        return np.array(points, dtype=np.float64)
    rows = np.concatenate([np.eye(3, 4)[None], poses])[carriers + 1]
    own = in_frames_of_movers(points, carriers, movers)
    carried: Floats = np.einsum("nij,nj->ni", rows[:, :, :3], own) + rows[:, :, 3]
    return carried


def carry_zones(
    zones: tuple[LevelZone, ...], movers: Sequence[MoverAppearance | LevelMover], poses: Floats | None
) -> tuple[LevelZone, ...]:
    """Zones of a level at the poses (K, 3, 4) of its movers; None: at home. Boxes stay upright."""
    if poses is None or len(poses) != len(movers) or all(zone.mover < 0 for zone in zones):
        return zones
    return tuple(
        zone if zone.mover < 0 else _carry_zone(zone, movers[zone.mover].at, poses[zone.mover]) for zone in zones
    )


def _carry_zone(zone: LevelZone, home: Vector, pose: Floats) -> LevelZone:
    rotation = pose[:, :3]
    turned = math.atan2(-rotation[2, 0], rotation[0, 0]) / math.tau * HEADING_UNITS_PER_TURN
    return replace(
        zone,
        centre=to_point(rotation @ (np.asarray(zone.centre) - np.asarray(home)) + pose[:, 3]),
        heading=zone.heading + round(turned),
        physics=tuple(
            (name, to_point(rotation @ np.asarray(value)) if name in CARRIED_VECTORS else value)
            for name, value in zone.physics
        ),
    )
