"""Routes of random walks: over a bare mesh, or through a `World` with its movers and zones."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..core.angles import HEADING_UNITS_PER_TURN
from ..level import Level
from ..physics import Environment, TriangleMesh, Walker, WalkerSettings, WalkerState
from ..physics.character.state import STATE_ROW
from ..sim import Respawned, World
from ..sim.ball_set import BallSet
from ..sim.events import RespawnReason
from ..sim.level_rules import DEFAULT_UP_NORTH, up_and_north_at
from ..sim.replay.replay_file import TickRows
from ..sim.replay.verifier import command_of

FALL = 5.0  # m below a mesh at which a walk has left it
UPRIGHT = 0.75  # cosine between up and the normal of a face on which a walk may begin
TRIES = 400  # places tried for each start
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


class WalkRoute(ABC):
    """Where a walk takes place. Positions are in the frame of the world; clock: tick of the world."""

    is_plain = False  # a mesh alone
    state: WalkerState  # the walker now

    def __init__(self, walker: Walker, mesh: TriangleMesh, environment: Environment | None) -> None:
        self.walker = walker
        self.mesh = mesh
        self.environment = environment

    def find_start(self, random: Any, reach: float) -> tuple[WalkerState, int] | None:
        """(a random state on ground, clock), with its feet within `reach` (m) of the middle. None if there is none."""
        return self._find_ground(random, reach, 0)

    @abstractmethod
    def begin(self, state: WalkerState, clock: int) -> None:
        """Put the walker to a start."""

    @abstractmethod
    def walk(self, commands: Any) -> list[WalkPart]:
        """Walk on. The walk ends early where the walker leaves a mesh."""

    def _find_ground(self, random: Any, reach: float, clock: int) -> tuple[WalkerState, int] | None:
        """As `find_start`, by the area of the walkable ground."""
        walker, mesh, environment = self.walker, self.mesh, self.environment
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


class MeshRoute(WalkRoute):
    """A bare mesh, as `Walker.run` walks it."""

    is_plain = True

    def __init__(self, mesh: TriangleMesh, settings: WalkerSettings) -> None:
        super().__init__(Walker(settings), mesh, None)
        self._floor = float(mesh.nodes[0, 1]) - FALL if len(mesh) else 0.0

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


class WorldRoute(WalkRoute):
    """A `World` of a level: with movers, zones, teleports, checkpoints, kill zones and respawns."""

    def __init__(self, level: Level, settings: WalkerSettings) -> None:
        # The referee takes one clock for all movers, so those that wait for the player move from the start on.
        movers = tuple(replace(mover, spec=replace(mover.spec, starts="always")) for mover in level.movers)
        level = replace(level, movers=movers)
        self.world = World(level, settings)
        without_balls = replace(level, balls=(), play=None)  # they push no walker
        self.world.balls = BallSet(without_balls, settings.ticks_per_second)
        super().__init__(self.world.walker, self.world.mesh, self.world.environment)

    def find_start(self, random: Any, reach: float) -> tuple[WalkerState, int] | None:
        """As of WalkRoute; the spawn of the level where no place is found."""
        found = self._find_ground(random, reach, int(random.integers(0, LAST_CLOCK)))
        if found is None:
            self.world.restart()
        return found or (self.world.walker_state, 0)

    def begin(self, state: WalkerState, clock: int) -> None:
        self.world.restart()
        self.world.tick = clock
        self.world.walker_state = self.state = state

    def walk(self, commands: Any) -> list[WalkPart]:
        """As of WalkRoute. The last tick of a part is the walker's own: without the respawn that ends it."""
        world = self.world
        parts = []
        first = 0
        clock = world.tick
        states = [world.walker_state.to_bytes()]
        for k, row in enumerate(commands):
            before = world.walker_state
            events = world.step(command_of(row))
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
        self.state = world.walker_state
        return parts
