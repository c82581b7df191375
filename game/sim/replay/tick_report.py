"""Report of one tick from the trace of the physics: wished and actual movement, contacts, candidate triangles."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.arguments import as_instance, as_members
from ...core.vectors import Point, to_point
from ...physics import Command, Environment, TriangleMesh, WalkerState
from ...physics.character.rows import tick_event
from ...physics.character.trace import Contact, Slide, Trace, event_names
from ...physics.environment.movers import Mover, Movers
from ...physics.mesh.material import Material
from ..events import Event, Respawned
from ..world import World

if TYPE_CHECKING:
    from numpy.typing import NDArray

REFERENCE_FLOOR_HALF_SIZE = 400.0  # m, half the side of the level floor on which the tick is repeated
SAME_DIRECTION_FRACTION = 0.05  # sine of the angle between wished and actual movement that counts as one direction
MIN_WISH = 1e-5  # m, shortest movement that counts as wished for or blocked
STOPPED_FRACTION = 0.02  # of the wished length: a body that moves no further is stopped
UPRIGHT_SLOPE = 85.0  # degrees: steeper slopes are walls
SAME_NORMAL_TOLERANCE = 1e-6  # difference of the normals of one plane
EDGE_NORMAL_TOLERANCE = 0.12  # difference of the normals of contacts of one edge
EDGE_POINT_TOLERANCE = 0.12  # m, distance of contacts of one edge


class Obstruction(Enum):
    """Degree to which obstacles blocked the movement along the ground."""

    STOPPED = auto()  # the body made no way
    HEAD_ON = auto()  # it was shortened, in the wished direction
    SLIDING = auto()  # it was turned aside


@dataclass(frozen=True, slots=True)
class TouchedSurface:
    """A plane that the tick touched or was stopped by.

    number    counts from 1
    kind      "walkable", "wall" or "ceiling"
    feature   of its triangle that is touched: "face", "edge" or "vertex"
    normal    unit, towards the body
    point     contact point, m
    place     `file:line` of its piece, with the file's bare name; empty where it has none
    piece     label of the piece
    stopped   the plane took part of the movement away
    touching  it is touched at the end of the tick
    slope     degrees from level ground
    """

    number: int
    kind: str
    feature: str
    normal: Point
    point: Point
    place: str
    piece: str
    stopped: bool
    touching: bool
    slope: float

    @property
    def is_steep(self) -> bool:
        """A slope that is too steep to walk on, as against an upright wall."""
        return self.kind == "wall" and self.feature == "face" and self.slope < UPRIGHT_SLOPE


@dataclass(frozen=True, slots=True)
class TickReport:
    """One tick of a walk: request, result and contacts. Vectors are displacements in m.

    before, after        the walker at both ends of the tick
    wished               displacement that the same command gives on level ground with no obstacles
    moved                displacement of the body, without that of a platform under it; zero in a respawn
    carried_by_platform  displacement by the platform that the body stands on
    candidate_triangles  (N, 3, 3) triangles that were tested
    event_bits           what happened, as bits of rows.tick_event
    respawn              the respawn in this tick, or None
    step_height, snap_down  of the walker's settings, m
    """

    before: WalkerState
    after: WalkerState
    wished: Point
    moved: Point
    carried_by_platform: Point
    slides: tuple[Slide, ...]
    surfaces: tuple[TouchedSurface, ...]
    candidate_triangles: NDArray[np.float64]
    event_bits: int
    respawn: Respawned | None
    step_height: float
    snap_down: float

    @property
    def events(self) -> tuple[str, ...]:
        """Words for what happened, those of `Trace.events`."""
        return tuple(event_names(self.event_bits))

    @property
    def blocked(self) -> Point:
        """Part of `wished` that was not moved, along the ground."""
        up = self.before.up
        return _project_on_plane(tuple(a - g for a, g in zip(self.wished, self.moved, strict=True)), up)

    @property
    def obstacles(self) -> tuple[TouchedSurface, ...]:
        """Walls and ceilings that took part of the movement away."""
        return tuple(surface for surface in self.surfaces if surface.stopped and surface.kind != "walkable")

    @property
    def stopped(self) -> bool:
        """Whether there are obstacles."""
        return bool(self.obstacles)

    @property
    def ground(self) -> TouchedSurface | None:
        """Walkable surface that is touched at the end of the tick."""
        return next((surface for surface in self.surfaces if surface.kind == "walkable" and surface.touching), None)

    @property
    def wished_length(self) -> float:
        """Length of `wished` along the ground, m."""
        return math.hypot(*_project_on_plane(self.wished, self.before.up))

    @property
    def moved_length(self) -> float:
        """Length of `moved` along the ground, m."""
        return math.hypot(*_project_on_plane(self.moved, self.before.up))

    @property
    def rise(self) -> float:
        """Height gained, m."""
        return sum(a * b for a, b in zip(self.moved, self.before.up, strict=True))

    @property
    def upward_speed(self) -> float:
        """Vertical speed at the end, m/s."""
        return sum(a * b for a, b in zip(self.after.velocity, self.after.up, strict=True))

    @property
    def is_blocked(self) -> bool:
        """Whether obstacles took a length worth reporting from a movement that was wished for."""
        return self.stopped and self.wished_length > MIN_WISH and math.hypot(*self.blocked) > MIN_WISH

    @property
    def obstruction(self) -> Obstruction | None:
        """Obstruction of the movement; None where nothing blocked it."""
        if not self.is_blocked:
            return None
        moved = self.moved_length
        wished = self.wished_length
        if moved <= max(MIN_WISH, STOPPED_FRACTION * wished):
            return Obstruction.STOPPED
        across = np.linalg.norm(np.cross(self.wished, _project_on_plane(self.moved, self.before.up)))
        return Obstruction.HEAD_ON if across <= SAME_DIRECTION_FRACTION * moved * wished else Obstruction.SLIDING


def describe_tick(
    world: World, before: WalkerState, command: Command, tick_events: tuple[Event, ...] = ()
) -> TickReport:
    """Report of the world's last tick, which began with the walker `before`. Nothing of the world changes.

    tick_events: what `World.step` returned for that tick. ValueError where the world holds no trace of it, as before
    the first tick, and for arguments of other types.
    """
    as_instance(world, World, "world")
    as_instance(before, WalkerState, "before")
    as_instance(command, Command, "command")
    as_members(tick_events, "tick_events", "events")
    trace = world.trace
    clock = world.tick - 1
    if trace is None:
        raise ValueError("the world has no trace of this tick")
    after = world.walker_state
    respawn = next((event for event in tick_events if isinstance(event, Respawned)), None)
    carried = _platform_motion(world, before, clock)
    moved = (0.0, 0.0, 0.0)
    if respawn is None and not trace.bits & tick_event.LOST:
        moved = _subtract(_subtract(after.position, before.position), carried)
    surfaces = _touched_surfaces(world, trace)
    if any(surface.stopped and surface.kind != "walkable" for surface in surfaces) or not (
        before.grounded and after.grounded
    ):
        wished = _unobstructed_move(world, before, command, clock)
    else:
        wished = _project_on_plane(moved, before.up)
    return TickReport(
        before,
        after,
        wished,
        moved,
        carried,
        tuple(trace.slides),
        surfaces,
        trace.candidates,
        trace.bits,
        respawn,
        world.settings.step_height,
        world.settings.snap_down,
    )


def _unobstructed_move(world: World, before: WalkerState, command: Command, clock: int) -> Point:
    """Displacement of the same tick without obstacles: on level ground of the same material, or in empty air."""
    walker = world.walker
    around = world.environment
    zones = None
    if around is not None and around.zones is not None:
        zones = Environment(around.zones) if around.carried_zones is None else _without_surfaces(around)
    ground = _reference_floor(world, before) if before.grounded else TriangleMesh(np.zeros((0, 3, 3)))
    if before.mover >= 0:
        row = before.row()
        row["mover"] = 0
        before = WalkerState(row)
    has_movers = zones is not None and zones.movers is not None
    after, _ = walker.step(before, command, ground, zones, world.clock_at(clock) if has_movers else clock)
    return _subtract(after.position, before.position)


def _without_surfaces(around: Environment) -> Environment:
    """The environment with movers that carry their zones and have no triangles."""
    assert around.movers is not None
    nothing = TriangleMesh(np.zeros((0, 3, 3)))
    movers = [Mover(nothing, mover.at, mover.motion, mover.name) for mover in around.movers]
    return Environment(around.zones, Movers(movers, around.movers.ticks_per_second))


def _reference_floor(world: World, state: WalkerState) -> TriangleMesh:
    """A wide level floor under the walker, of the material that it stands on."""
    up, north = np.array(state.up), np.array(state.north)
    east = np.cross(north, up)
    skin = world.settings.skin
    middle = np.array(state.position) - (1.0 + skin) * state.radii[1] * up
    a, b, c, d = (
        middle + REFERENCE_FLOOR_HALF_SIZE * (x * east + z * north) for x, z in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    )
    return TriangleMesh([(a, b, c), (a, c, d)], [0, 0], [_ground_material(world, state)])


def _ground_material(world: World, state: WalkerState) -> Material:
    """Material of the ground under the walker; the default where there is none."""
    mesh = world.mesh
    position = np.array(state.position)
    up = np.array(state.up)
    movers = None if world.environment is None else world.environment.movers
    if state.mover >= 0 and movers is not None:
        pose = world.mover_poses(world.tick - 1)[state.mover]
        mesh = movers[state.mover].mesh
        position, up = pose[:, :3].T @ (position - pose[:, 3]), pose[:, :3].T @ up
    hit = mesh.raycast(to_point(position), to_point(-up), state.radii[1] + world.settings.step_height)
    if hit is None or not len(mesh.materials):
        return Material()
    kind = int(mesh.surface[int(np.flatnonzero(mesh.source == hit.triangle)[0])])
    friction, bounce, speed, east, south, rub, *_ = mesh.materials[kind].tolist()
    return Material(friction, bounce, speed, (east, south), rub)


def _platform_motion(world: World, before: WalkerState, clock: int) -> Point:
    """Displacement (m) of the body by the platform that it stands on."""
    movers = None if world.environment is None else world.environment.movers
    if before.mover < 0 or movers is None:
        return (0.0, 0.0, 0.0)
    pose_before, pose_after = (world.mover_poses(tick)[before.mover] for tick in (clock, clock + 1))
    position = np.array(before.position)
    local = pose_before[:, :3].T @ (position - pose_before[:, 3])
    return to_point(pose_after[:, :3] @ local + pose_after[:, 3] - position)


def _touched_surfaces(world: World, trace: Trace) -> tuple[TouchedSurface, ...]:
    """The planes that stopped the body, then those touched at the end; each plane once."""
    surfaces: list[TouchedSurface] = []
    stops = trace.stops
    contacts = trace.contacts
    distinct: list[Contact] = []
    for contact in (*stops, *contacts):
        if any(_is_same_surface(contact, other) for other in distinct):
            continue
        distinct.append(contact)
        stopped = any(_is_same_surface(contact, other) for other in stops)
        touching = any(_is_same_surface(contact, other) for other in contacts)
        piece, file, line = _surface_origin(world, trace, contact)
        up = world.walker_state.up
        cosine = sum(a * b for a, b in zip(contact.normal, up, strict=True))
        surfaces.append(
            TouchedSurface(
                len(surfaces) + 1, contact.kind, contact.feature, contact.normal, contact.point,
                f"{Path(file).name}:{line}" if file else "", piece, stopped, touching,
                math.degrees(math.acos(min(1.0, max(-1.0, cosine)))),
            )
        )  # fmt: skip
    return tuple(surfaces)


def _is_same_surface(a: Contact, b: Contact) -> bool:
    """Whether two contacts are of one surface. The halves of a quad are one plane; the contact plane of an edge turns
    while the body goes round it."""
    if (a.kind, a.mover, a.feature) != (b.kind, b.mover, b.feature):
        return False
    normal_difference = max(abs(x - y) for x, y in zip(a.normal, b.normal, strict=True))
    if a.feature != "face" and normal_difference < EDGE_NORMAL_TOLERANCE:  # both faces of an edge report it
        return math.dist(a.point, b.point) < EDGE_POINT_TOLERANCE
    return a.triangle == b.triangle or normal_difference < SAME_NORMAL_TOLERANCE


def _surface_origin(world: World, trace: Trace, contact: Contact) -> tuple[str, str, int]:
    """(piece, file, line) of the surface in the level's source."""
    level = world.level
    if trace.movers is not None and contact.mover >= len(level.movers):  # a ball, or a mover of a world of a mesh
        return trace.movers[contact.mover].name or f"mover {contact.mover}", "", 0
    if contact.mover >= 0:
        mover = level.movers[contact.mover]
        label = f'mover "{mover.name}"' if mover.name else "mover"
        return label, mover.place.file or str(level.path), mover.place.line
    piece, file, line, _ = level.origin(contact.triangle)
    return piece, file, line


def _project_on_plane(vector: Any, up: Point) -> Point:
    """The component of a vector that is perpendicular to `up`."""
    along = sum(a * b for a, b in zip(vector, up, strict=True))
    x, y, z = (a - along * b for a, b in zip(vector, up, strict=True))
    return x, y, z


def _subtract(a: Point, b: Point) -> Point:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]
