"""View of a world for a picture: the walker's camera, turned by gravity, movers and balls."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..core.vectors import Floats, Point, Vector
from ..level.build.entities.point_entities import DEFAULT_BALL_COLOURS
from ..physics import Ellipsoid
from ..physics.balls.balls import BallRows
from .camera import Camera
from .snapshot import BallInstances, Hud, Snapshot

if TYPE_CHECKING:
    from ..level import Level
    from ..physics import Movers, TriangleMesh, WalkerState

UPRIGHT: Vector = (0.0, 1.0, 0.0)
MAX_EYE_FRACTION = 0.97  # of the body's height: highest position of the eye inside the body
PROBE_RADIUS = 0.10  # m, radius of the sphere that looks for a ceiling above a body that has just crouched
DEFAULT_NEAR = 0.08  # m, where nothing is close
MIN_NEAR = 0.001  # m
NEAR_SAFETY_FACTOR = 0.9  # distance of the near rectangle's corners over the distance to the nearest surface
MAX_SHADOW_HEIGHT = 6.0  # m above the ground at which the shadow of a ball ends
MAX_SHADOW_OPACITY = 0.62


@dataclass(frozen=True, slots=True)
class WorldView:
    """A view of a world: position of the eye (m), yaw and pitch (rad), its up and north; and what is drawn there.

    seconds: time of the world. targets: 0 waiting to 1 reached. world: the `World` whose balls are drawn, or None.
    movers (K, 3, 4): poses.
    """

    eye: Point
    yaw: float
    pitch: float
    goal_reached: bool = False
    seconds: float = 0.0
    targets: tuple[float, ...] = ()
    up: Point = (0.0, 1.0, 0.0)
    north: Point = (0.0, 0.0, -1.0)
    world: Any = None
    movers: NDArray[np.float64] | None = None

    def snapshot(self, level: Level, size: tuple[int, int], fov: float) -> Snapshot:
        """Snapshot of the view for a picture of `size` pixels. fov: vertical, degrees."""
        near = near_distance(level.mesh, self.eye, fov, size[0] / size[1], level.environment.movers, self.movers)
        return Snapshot(
            Camera(self.eye, self.yaw, self.pitch, fov, near, self.up, self.north),
            Hud(crosshair=False),
            goal_reached=self.goal_reached,
            time=self.seconds,
            targets=self.targets,
            balls=None if self.world is None else ball_instances(self.world, 1.0),
            movers=self.movers,
        )


def walker_view(
    mesh: TriangleMesh, state: WalkerState, fraction: float, yaw: float, pitch: float, **shown: Any
) -> WorldView:
    """The view from the eye of a walker. fraction: height of the eye over that of the body. shown: other fields."""
    tall = state.radii[1]
    height = height_along(state.feet, state.up) + fraction * 2.0 * tall
    eye = place_eye(mesh, state.feet, state.position, tall, state.up, height)
    return WorldView(eye, yaw, pitch, up=state.up, north=state.north, **shown)


def place_eye(mesh: TriangleMesh, feet: Point, centre: Point, tall: float, up: Vector, height: float) -> Point:
    """Eye of a body at `height` (m along up), or lower where a ceiling is in the way. tall: half its height, m.

    The eye is above the body for a moment after it has crouched; a sphere sweep keeps it out of the ceiling.
    """
    x, y, z = feet
    if up != UPRIGHT:
        rise = height - height_along(feet, up)
        if rise > MAX_EYE_FRACTION * 2.0 * tall:
            ray = tuple((rise - tall) * component for component in up)
            hit = mesh.sweep(Ellipsoid((PROBE_RADIUS,) * 3), centre, 0.0, ray)
            rise = rise if hit is None else max(MAX_EYE_FRACTION * 2.0 * tall, tall + hit.distance)
        x, y, z = (foot + max(rise, PROBE_RADIUS) * axis for foot, axis in zip(feet, up, strict=True))
        return (x, y, z)
    inside = y + MAX_EYE_FRACTION * 2.0 * tall
    if height <= inside:
        return (x, max(height, y + PROBE_RADIUS), z)
    middle = y + tall
    hit = mesh.sweep(Ellipsoid((PROBE_RADIUS,) * 3), (x, middle, z), 0.0, (0.0, height - middle, 0.0))
    return (x, height if hit is None else max(inside, middle + hit.distance), z)


def height_along(point: Point, up: Vector) -> float:
    """Coordinate of a point (m) along a direction."""
    if up == UPRIGHT:
        return point[1]
    return point[0] * up[0] + point[1] * up[1] + point[2] * up[2]


def near_distance(
    mesh: TriangleMesh, eye: Point, fov: float, aspect: float, movers: Movers | None = None, poses: Any = None
) -> float:
    """Distance of the near plane (m) at which no surface reaches into the near rectangle, for any view direction.

    fov is vertical (degrees); poses (K, 3, 4) are those of the movers. The corners of the near rectangle lie on a
    sphere about the eye, which is kept smaller than the distance to the nearest surface.
    """
    up = math.tan(math.radians(fov) / 2.0)
    corner = math.sqrt(1.0 + up * up * (1.0 + aspect * aspect))
    hit = mesh.closest(eye)
    nearest = math.inf if hit is None else hit.distance
    if movers is not None and poses is not None and movers.reach(eye, 1.0):
        for mover, pose in zip(movers, poses, strict=True):
            x, y, z = (pose[:, :3].T @ (np.array(eye) - pose[:, 3])).tolist()
            hit = mover.mesh.closest((x, y, z))
            nearest = nearest if hit is None else min(nearest, hit.distance)
    return min(DEFAULT_NEAR, max(MIN_NEAR, NEAR_SAFETY_FACTOR * nearest / corner))


def vertical_fov(setting: float) -> float:
    """Vertical field of view (degrees) of a horizontal one at 16:9."""
    return math.degrees(2.0 * math.atan(math.tan(math.radians(setting) / 2.0) * 9.0 / 16.0))


def fov_setting(fov: float) -> float:
    """Horizontal field of view at 16:9 (degrees), as in the settings, of a vertical one."""
    return math.degrees(2.0 * math.atan(math.tan(math.radians(fov) / 2.0) * 16.0 / 9.0))


def ball_instances(world: Any, alpha: float) -> BallInstances | None:
    """All balls of a world, `alpha` (0..1) between the last two ticks; None where there are none."""
    rows = world.balls.rows
    before = world.balls.previous_rows
    colours = _ball_colours(world, rows)
    places = _interpolate(before, rows, alpha)
    if not len(rows):
        return None
    shadows = blob_shadows(world, places, rows["radius"])
    return BallInstances(places, rows["radius"].copy(), rows["turn"].copy(), colours, *shadows)


def _interpolate(before: BallRows, rows: BallRows, alpha: float) -> Floats:
    """(n,3) positions between two ticks; a new ball is at its present position."""
    places: Floats = rows["position"].copy()
    is_changed = len(before) != len(rows)
    index_before = {number: k for k, number in enumerate(before["number"].tolist())} if is_changed else None
    if index_before is None and (before["number"] == rows["number"]).all():
        places = before["position"] + alpha * (places - before["position"])
        return places
    for k, number in enumerate(rows["number"].tolist()):
        j = (index_before or {}).get(number)
        if j is not None:
            places[k] = before["position"][j] + alpha * (places[k] - before["position"][j])
    return places


def _ball_colours(world: Any, rows: BallRows) -> Floats:
    level_colours = [ball.colour for ball in world.level.balls]
    table = np.array([*level_colours, *DEFAULT_BALL_COLOURS])
    numbers = rows["number"]
    default = len(level_colours) + numbers % len(DEFAULT_BALL_COLOURS)
    colours: Floats = table[np.where(numbers < len(level_colours), numbers, default)]
    return colours


def blob_shadows(world: Any, places: Floats, radii: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Blob shadows on the level and on movers: centres (k,3), normals (k,3), radii (k,) and opacities (k,)."""
    down = np.array((0.0, -1.0, 0.0))
    found: list[tuple[Any, Floats, Floats]] = [_cast_down(world.mesh, places, down)]
    movers = None if world.environment is None else world.environment.movers
    for mover, pose in zip(movers or (), world.mover_poses() if movers else (), strict=True):
        turn = pose[:, :3]
        at = pose[:, 3]
        distance, grounds, normals = _cast_down(mover.mesh, (places - at) @ turn, down @ turn)
        found.append((distance, grounds @ turn.T + at, normals @ turn.T))
    distances = np.stack([each[0] for each in found])
    best = distances.argmin(axis=0)
    rows = np.arange(len(places))
    distance = distances[best, rows]
    is_near = distance <= MAX_SHADOW_HEIGHT
    grounds = np.stack([each[1] for each in found])[best, rows][is_near]
    normals = np.stack([each[2] for each in found])[best, rows][is_near]
    height = np.maximum(distance[is_near] - radii[is_near], 0.0)
    shadow_radii = radii[is_near] * (1.25 + 0.5 * height)
    fade = np.clip((MAX_SHADOW_HEIGHT - distance[is_near]) / 2.0, 0.0, 1.0)
    opacities = MAX_SHADOW_OPACITY / (1.0 + 1.5 * height) * fade
    return grounds, normals, shadow_radii, opacities


def _cast_down(mesh: Any, places: Floats, down: Floats) -> tuple[Floats, Floats, Floats]:
    """Distance (n,) (inf: no hit), point (n,3) and normal (n,3) of the first hit from each place along `down`."""
    if not len(mesh) or not len(places):
        none = np.full((len(places), 3), 0.0)
        return np.full(len(places), np.inf), none, none
    hits = mesh.raycast_many(places, down, MAX_SHADOW_HEIGHT)
    missed = hits.triangle < 0
    return np.where(missed, np.inf, hits.distance), np.asarray(hits.point), np.asarray(hits.normal)
