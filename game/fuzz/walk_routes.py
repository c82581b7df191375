"""Routes of random walks: over a bare mesh, or through a `World` with its movers and zones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from ..core.angles import HEADING_UNITS_PER_TURN
from ..level import Level
from ..physics import Command, Environment, TriangleMesh, Walker, WalkerSettings, WalkerState
from ..physics.character.layout import button
from ..physics.character.state import STATE_ROW
from ..physics.environment.layout import zone_row
from ..sim import Respawned, World
from ..sim.ball_set import BallSet
from ..sim.events import RespawnReason
from ..sim.replay.replay_file import TickRows
from ..sim.triggers import DEFAULT_UP_NORTH, up_and_north_at
from .carrying_speeds import swept_zone_rows

FALL = 5.0  # m below a mesh at which a walk has left it
UPRIGHT = 0.75  # cosine between up and the normal of a face on which a walk may begin
TRIES = 400  # places tried for each start
NEARBY = 0.5  # m around a body in which zones and movers count as near
LAST_CLOCK = 36_000  # ticks: the movers are where they are at a random tick up to this one
DEATHS = {RespawnReason.FELL, RespawnReason.KILLED}
LOSSES = {RespawnReason.STUCK, RespawnReason.CRUSHED}


@dataclass(frozen=True, slots=True)
class WalkPart(TickRows):
    """Ticks of a walk up to a respawn, which the last state does not show. clock: tick of the world at the start; left:
    whether the walk then leaves the level; lost: whether the walker is lost."""

    clock: int
    left: bool
    lost: bool


class WalkRoute(Protocol):
    """Where a walk takes place. Positions are in the frame of the world; clock: tick of the world."""

    walker: Walker
    mesh: TriangleMesh
    environment: Environment | None
    is_plain: bool  # a mesh alone

    def find_start(self, random: Any, reach: float) -> tuple[WalkerState, int] | None:
        """(a random state on ground, clock), with its feet within `reach` (m) of the middle. None if there is none."""

    def begin(self, state: WalkerState, clock: int) -> None:
        """Put the walker to a start."""

    @property
    def state(self) -> WalkerState:
        """The walker now."""

    def walk(self, commands: Any) -> list[WalkPart]:
        """Walk on. The walk ends early where the walker leaves a mesh."""


class MeshRoute:
    """A bare mesh, as `Walker.run` walks it."""

    is_plain = True

    def __init__(self, mesh: TriangleMesh, settings: WalkerSettings) -> None:
        self.walker = Walker(settings)
        self.mesh = mesh
        self.environment: Environment | None = None
        self._floor = float(mesh.nodes[0, 1]) - FALL if len(mesh) else 0.0

    def find_start(self, random: Any, reach: float) -> tuple[WalkerState, int] | None:
        return find_start(self.walker, self.mesh, None, random, reach, 0)

    def begin(self, state: WalkerState, clock: int) -> None:
        self.state = state
        self._clock = clock

    def walk(self, commands: Any) -> list[WalkPart]:
        states = self.walker.run(self.state, commands, self.mesh, clock=self._clock)
        below = np.flatnonzero(states["position"][:, 1] < self._floor)
        end = int(below[0]) if len(below) else len(commands)
        joined = np.concatenate((self.state.row(), states[:end]))
        part = WalkPart(0, commands[:end], joined, self._clock, left=end < len(commands), lost=False)
        if end and np.isfinite(states["position"][end - 1]).all():
            self.state = self.walker.state(states[end - 1])
        self._clock += end
        return [part]


class WorldRoute:
    """A `World` of a level: with movers, zones, teleports, checkpoints, kill zones and respawns."""

    is_plain = False

    def __init__(self, level: Level, settings: WalkerSettings) -> None:
        self.world = World(level, settings)
        self.world.balls = BallSet(
            replace(level, balls=(), play=None), settings.ticks_per_second
        )  # they push no walker
        self.walker = self.world.walker
        self.mesh = self.world.mesh
        self.environment = self.world.environment

    @property
    def state(self) -> WalkerState:
        return self.world.walker_state

    def find_start(self, random: Any, reach: float) -> tuple[WalkerState, int] | None:
        """As of WalkRoute; the spawn of the level where no place is found."""
        clock = int(random.integers(0, LAST_CLOCK))
        found = find_start(self.walker, self.mesh, self.environment, random, reach, clock)
        if found is None:
            self.world.restart()
            return self.world.walker_state, 0
        return found

    def begin(self, state: WalkerState, clock: int) -> None:
        self.world.restart()
        self.world.tick = self.world.triggers.tick = clock
        self.world.walker_state = state

    def walk(self, commands: Any) -> list[WalkPart]:
        """As of WalkRoute. The last tick of a part is the walker's own: without the respawn that ends it."""
        world = self.world
        parts = []
        first = 0
        clock = world.tick
        states = [world.walker_state.to_bytes()]
        for k, command in enumerate(commands_of_rows(commands)):
            before = world.walker_state
            events = world.step(command)
            reasons = {event.reason for event in events if isinstance(event, Respawned)}
            if not reasons and k < len(commands) - 1:
                states.append(world.walker_state.to_bytes())
                continue
            own = self.walker.run(before, commands[k : k + 1], self.mesh, around=self.environment, clock=world.tick - 1)
            joined = np.frombuffer(b"".join((*states, own.tobytes())), STATE_ROW)
            ends = bool(reasons & DEATHS), bool(reasons & LOSSES)
            parts.append(WalkPart(first, commands[first : k + 1], joined, clock, *ends))
            first = k + 1
            clock = world.tick
            states = [world.walker_state.to_bytes()]
        return parts


def find_start(
    walker: Walker, mesh: TriangleMesh, environment: Environment | None, random: Any, reach: float, clock: int
) -> tuple[WalkerState, int] | None:
    """(state, clock) at a random point of walkable ground by area; None if none is found. reach: as of WalkRoute."""
    zones = None if environment is None else environment.zones
    turns = zones is not None and any(zone.down is not None for zone in zones)
    corners = mesh.triangles12[:, :9].reshape(-1, 3, 3)
    normals = mesh.triangles12[:, 9:12]
    area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    if not turns:
        area = area * (np.abs(normals[:, 1]) > UPRIGHT)
    if not area.any():
        return None
    for k in random.choice(len(mesh), TRIES, p=area / area.sum()):
        feet = random.dirichlet([1.0, 1.0, 1.0]) @ corners[k]
        heading = int(random.integers(0, HEADING_UNITS_PER_TURN))
        if np.abs(feet).max() > reach:
            continue
        up, north = DEFAULT_UP_NORTH
        if turns:
            sides = (feet + side * walker.settings.radii[1] * normals[k] for side in (1.0, -1.0))
            frames = [up_and_north_at(zones, tuple(side.tolist()), 0.0) for side in sides]
            fitting = [frame for frame in frames if abs(float(normals[k] @ frame[0])) > UPRIGHT]
            if not fitting:
                continue
            up, north = fitting[0]
        try:
            state = walker.spawn(mesh, tuple(feet.tolist()), heading, up, north, environment, clock)
        except ValueError:
            continue
        if state.grounded:
            return state, clock
    return None


def commands_of_rows(rows: Any) -> list[Command]:
    bits = (button.JUMP, button.CROUCH, button.SPRINT, button.USE)
    return [
        Command(forward, strafe, heading, pitch, *(bool(buttons & bit) for bit in bits))
        for forward, strafe, heading, pitch, buttons in rows.tolist()
    ]


def passes_near_movers(environment: Environment | None, positions: Any, radii: Sequence[float]) -> bool:
    """Whether a mover ever comes near a path of the centre (N, 3)."""
    if environment is None or not environment.movers:
        return False
    low, high = positions.min(axis=0), positions.max(axis=0)
    far = float(((high - low) / 2.0).max()) + max(radii) + NEARBY
    return environment.movers.reach(tuple(((low + high) / 2.0).tolist()), far)


def has_pushing_zones_near(environment: Environment | None, positions: Any, radii: Sequence[float]) -> bool:
    """Whether a zone that moves a body by itself, or leaves it no weight, is ever near a path of the centre (N, 3)."""
    if environment is None or environment.zones is None:
        return False
    rows = swept_zone_rows(environment)
    effects = rows[:, zone_row.EFFECTS].astype(np.int64)
    pushes = (effects & ~zone_row.HAS_GRAVITY) != 0
    pushes |= ((effects & zone_row.HAS_GRAVITY) != 0) & (rows[:, zone_row.STRENGTH] == 0.0)
    far = max(radii) + NEARBY
    bounds = rows[pushes, zone_row.BOUNDS : zone_row.BOUNDS + 6]
    low, high = positions.min(axis=0) - far, positions.max(axis=0) + far
    return bool(((bounds[:, :3] <= high) & (bounds[:, 3:] >= low)).all(axis=1).any())


def nearby_mesh(mesh: TriangleMesh, environment: Environment | None, state: WalkerState, clock: int) -> TriangleMesh:
    """Triangles within 1 m of a body, movers where they are at a tick. Origin: its centre; second axis: up."""
    parts = [mesh.triangles12[:, :9].reshape(-1, 3, 3)]
    if environment is not None and environment.movers:
        poses = environment.movers.poses(clock)
        for mover, pose in zip(environment.movers, poses, strict=True):
            own = mover.mesh.triangles12[:, :9].reshape(-1, 3)
            parts.append((own @ pose[:, :3].T + pose[:, 3]).reshape(-1, 3, 3))
    corners = np.concatenate(parts) - np.array(state.position)
    reach = max(state.radii) + 1.0
    corners = corners[((corners.min(axis=1) <= reach) & (corners.max(axis=1) >= -reach)).all(axis=1)]
    up, north = np.array(state.up), np.array(state.north)
    frame = np.array([np.cross(north, up), up, -north])
    return TriangleMesh(corners @ frame.T)
