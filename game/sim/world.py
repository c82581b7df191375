"""World: a level or a mesh with a walker and balls, advanced in fixed ticks."""

from __future__ import annotations

import hashlib
import struct
from copy import copy
from typing import TYPE_CHECKING, Any

from ..core.arguments import as_bytes, as_instance, as_integer
from ..core.vectors import Point, VectorLike, as_vector, is_within
from ..level import Level
from ..level.mesh_level import NO_FILE, as_level
from ..physics import Command, Environment, Trace, TriangleMesh, Walker, WalkerSettings, WalkerState
from ..physics.balls.balls import MAX_BALL_COORDINATE
from ..physics.character.layout import tick_event
from ..physics.character.state import STATE_ROW
from ..physics.environment.motion import MAX_CLOCK
from .ball_set import BallSet
from .ball_walls import BallWalls, off_walls
from .events import CheckpointReached, Event, ExitReached, GoalReached, Respawned, RespawnReason, TargetReached
from .exclusive_access import ExclusiveAccess, exclusive, exclusive_reset
from .golf import GolfRound, create_golf_round
from .targets import QuietPlace, ReachedTargets
from .triggers import DEFAULT_UP_NORTH, NO_ZONE, Triggers, off_platform, teleport_state, up_and_north_at
from .world_state import LevelIdentity, WorldState, check_level

if TYPE_CHECKING:
    from ..level import Spawn

SAFE_GROUND_SECONDS = 0.5  # s on ground that make a place safe; with less, a ledge would be kept
REPEATED_FALL_SECONDS = 5.0  # s: after a fall so soon the respawn place is no good, so the spawn is used
OUT_OF_LEVEL_DISTANCE = 20.0  # m beyond the bounding box of a level in which gravity turns
MAX_WALL_ROUNDS = 2  # times that a tick of the walker is made again with walls at balls
NEVER = -1  # tick of what has not happened
NO_EXIT = -1  # index of the exit of a walker that is in none
MAX_SAVED_TICK = MAX_CLOCK // 2  # 290 years at 60 ticks a second: the other half is left to go on

_HEAD = struct.Struct("<6q")  # _HEAD_NAMES, size of a walker state
_HEAD_NAMES = ("tick", "goal tick", "ticks on ground", "tick of the last fall", "exit")


class World:
    """Walker, balls and rules of a level: kill height, respawn, targets, goal, exits, zones.

    Same level and commands give the same bits. A world has state: give each thread one of its own, on a level that they
    share. A thread that enters one while another steps or restores it gets a ConcurrentAccessError (a RuntimeError).

    level     a `Level`, or a `TriangleMesh` of your own: that world has no goal and falls end 20 m below the mesh
    settings  of the walker; its `ticks_per_second` is the rate of the world's ticks. None: the body of the level, its
              field `player`
    spawn     level: name of the spawn to start at; None: the first of the level. mesh: the feet (x, y, z), m
    heading   mesh: that of the start, 65536 units a turn; default 0, along -Z
    around    mesh: its zones and movers; default none

    Raises ValueError for an unknown spawn, or one without room for the walker, and for arguments of other types.
    """

    def __init__(
        self,
        level: Level | TriangleMesh,
        settings: WalkerSettings | None = None,
        spawn: str | VectorLike | None = None,
        heading: int | None = None,
        around: Environment | None = None,
    ) -> None:
        self._access = ExclusiveAccess()
        level, name = as_level(level, spawn, heading, around)
        self.level = level
        self._level_identity = LevelIdentity.of(level)
        self.mesh = level.mesh
        self.walker = Walker(level.player if settings is None else settings)
        self.walker.warns = False  # it gets the environment; bots walk on the mesh alone on purpose
        self.settings = self.walker.settings
        self.trace: Trace | None = None
        self.platform_turn = 0  # heading units that the platform turned by in the last tick; the view turns with it
        self.environment = around
        if level.movers or level.zones is not None:
            rate = self.settings.ticks_per_second
            self.environment = level.environment if rate == 60.0 else level.environment_at(rate)
        self._exits = level.exits
        self.reached_targets = ReachedTargets(level.targets)
        self.triggers = Triggers(level.all_zones, None if self.environment is None else self.environment.movers)
        self.balls = BallSet(level, self.settings.ticks_per_second)
        self.golf: GolfRound | None = create_golf_round(level, self.settings.ticks_per_second)
        self._quiet_place = QuietPlace(level, 2.0 * max(self.settings.radii))
        self.start = self._find_spawn(name)
        up, north = self._up_and_north_at(self.start.feet)
        try:
            self._at_spawn = self.walker.spawn(
                self.mesh, self.start.feet, self.start.heading, up, north, around=self.environment
            )
        except ValueError as error:
            raise ValueError(f"spawn '{self.start.name}': {error}") from error
        self._begin()

    def _find_spawn(self, name: str | None) -> Spawn:
        if not self.level.spawns:
            raise ValueError("the level has no spawn")
        for spawn in self.level.spawns:
            if name is None or spawn.name == name:
                return spawn
        known = ", ".join(spawn.name for spawn in self.level.spawns)
        raise ValueError(f"no spawn is called '{name}' (known: {known})")

    def __repr__(self) -> str:
        where = repr(self.level.name) if self.has_level_file else "of a mesh"
        x, y, z = self.walker_state.feet
        return f"<World {where}: tick {self.tick}, feet ({x:.3f}, {y:.3f}, {z:.3f})>"

    @property
    def has_level_file(self) -> bool:
        """False for a world of a mesh, which no replay can name."""
        return self.level.path != NO_FILE

    def _begin(self, state: WalkerState | None = None, tick: int = 0) -> None:
        self.tick, self._ground_ticks, self._is_held_by_balls = tick, 0, False
        self.goal_tick = self._fall_tick = NEVER
        self.walker_state = self._respawn_place = self._at_spawn if state is None else state
        self.reached_targets.reset()
        self.triggers.reset()
        self.balls.reset()
        if self.golf is not None:
            self.golf.reset()
        self._exit = self._exit_at_feet()  # only entering an exit counts, not starting in it

    @property
    def seconds(self) -> float:
        """Time since the start by the number of ticks."""
        return self.tick / self.settings.ticks_per_second

    @exclusive
    def step(self, command: Command) -> tuple[Event, ...]:
        """Advance by one tick; the events of it."""
        before = self.walker_state
        self.walker_state, self.trace = self._walk(before, command)
        self.platform_turn = self._turn_of_platform(before.mover)
        self.tick += 1
        self.triggers.tick = self.tick
        events: list[Event] = []
        crushed = bool(self.trace.bits & tick_event.CRUSHED)
        lost = not crushed and bool(self.trace.bits & tick_event.LOST)
        is_safe_place_blocked = lost and before.position == before.safe
        if lost and not is_safe_place_blocked:
            events.append(Respawned(self.tick, RespawnReason.STUCK, self.walker_state.feet, None))
        if crushed or is_safe_place_blocked:
            events.append(self._respawn_after_fall(RespawnReason.CRUSHED if crushed else RespawnReason.STUCK))
        elif self._is_out_of_level:
            events.append(self._respawn_after_fall())
        else:
            self._update_respawn_place()
        is_quiet = self._exit == NO_EXIT and self.triggers.current_teleport == NO_ZONE
        is_quiet = is_quiet and self._quiet_place.contains(self.walker_state.feet)
        if self.triggers and not is_quiet:
            self._apply_zones(events)
        if self.balls:
            state = self.walker_state
            moved = before if any(isinstance(event, Respawned) for event in events) else state
            self.balls.step(before, moved, command, self.mesh, self.environment, self.tick - 1)
        if self.golf is not None:
            events += self.golf.step(self.walker_state, command, self.tick)
        if self.reached_targets.remaining and (self.balls or not is_quiet):
            self._update_targets(events)
        if (
            self.goal_tick == NEVER
            and not is_quiet
            and self.is_at_goal
            and not self.targets_missing
            and not self.holes_missing
        ):
            self.goal_tick = self.tick
            events.append(GoalReached(self.tick, self.seconds))
        if not is_quiet:
            self._update_exit(events)
            self._quiet_place.follow(self.walker_state.feet, self.tick)
        return tuple(events)

    def _walk(self, before: WalkerState, command: Command) -> tuple[WalkerState, Trace]:
        """The walker's tick. It is made again, with walls, where a ball has no room to get out of its way."""
        after, trace = self.walker.step(before, command, self.mesh, self.environment, self.tick)
        self._is_held_by_balls = False
        if not self.balls or not len(self.balls.rows):
            return after, trace
        walls = BallWalls(self.settings, before, self.balls.rows)
        for _ in range(MAX_WALL_ROUNDS):
            rows = self.balls.predict(before, after, self.mesh, self.environment, self.tick)
            if not walls.update(after, rows):
                break
            stopped, its_trace = self.walker.step(before, command, self.mesh, walls.among(self.environment), self.tick)
            if its_trace.bits & (tick_event.CRUSHED | tick_event.LOST):
                break
            after, trace = off_walls(stopped, self.environment), its_trace
            self._is_held_by_balls = True
        return after, trace

    @exclusive_reset
    def restart(self) -> Respawned:
        """Restart at the spawn with tick 0."""
        self._begin()
        return Respawned(0, RespawnReason.RESTARTED, self.walker_state.feet, self.start.heading)

    @exclusive_reset
    def begin_at(self, state: WalkerState, tick: int) -> None:
        """Begin anew at a tick of the clock with the walker in another state than at the spawn: a practice run."""
        self._begin(as_instance(state, WalkerState, "state"), as_integer(tick, "tick", 0, MAX_SAVED_TICK))

    @property
    def can_return(self) -> bool:
        """Whether there is a checkpoint, or a respawn place other than the spawn, to return to."""
        return self.triggers.place is not None or self._respawn_place.position != self._at_spawn.position

    @exclusive
    def return_to_checkpoint(self) -> Respawned:
        """Put the walker back to the last checkpoint, or to the respawn place where there is none. Everything else
        goes on: clock, balls, targets."""
        self.triggers.tick = self.tick
        place = off_platform(self.triggers.respawn_state() or self._respawn_place)
        self._put_walker(place)
        self.triggers.mark_arrival(place)
        self._exit = self._exit_at_feet()  # only entering an exit counts
        return Respawned(self.tick, RespawnReason.RETURNED, place.feet, place.heading)

    @exclusive
    def state(self) -> WorldState:
        """State that `step` depends on and changes: bytes, which also know their level (see `restore`)."""
        walker, safe = self.walker_state.to_bytes(), self._respawn_place.to_bytes()
        counts = (self.tick, self.goal_tick, self._ground_ticks, self._fall_tick, self._exit)
        head = _HEAD.pack(*counts, STATE_ROW.itemsize)
        return WorldState.of(b"".join((head, walker, safe, *self._component_bytes())), self._level_identity)

    def _component_bytes(self) -> tuple[bytes, bytes, bytes]:
        """States of the targets, of the zones, and of balls and golf."""
        golf = b"" if self.golf is None else self.golf.to_bytes()
        return self.reached_targets.to_bytes(), self.triggers.to_bytes(), self.balls.to_bytes() + golf

    def _restore_components(self, targets: bytes, zones: bytes, balls: bytes) -> None:
        """Restore `_component_bytes`. ValueError for other bytes, where a part of them may be restored."""
        self.reached_targets.from_bytes(targets)
        self.triggers.from_bytes(zones)
        golf_start = self.balls.from_bytes(balls)
        if self.golf is not None:
            self.golf.from_bytes(balls[golf_start:])
        elif golf_start != len(balls):
            raise ValueError("these bytes are not a saved state of this world")

    @exclusive
    def __getstate__(self) -> dict[str, Any]:
        parts = ("reached_targets", "triggers", "balls", "golf")  # a step changes them in place
        return {**vars(self), **{name: copy(getattr(self, name)) for name in parts}, "_access": ExclusiveAccess()}

    @exclusive
    def restore(self, value: bytes) -> None:
        """Restore a value of `state()` of the same level and settings.

        ValueError for the state of another level: one with another name and another file, a mesh in place of a level,
        or a level in place of a mesh. An edited version of the level takes the state. Plain bytes, such as those of a
        file, do not name their level; ValueError for those that do not fit.
        """
        check_level(value, self._level_identity)
        value = as_bytes(value, "value")
        size = STATE_ROW.itemsize
        end = _HEAD.size + 2 * size
        after = end + len(self.reached_targets.targets)
        components_end = after + self.triggers.byte_size()
        open_end = self.golf is not None or self.balls.active
        is_wrong_size = len(value) < components_end if open_end else len(value) != components_end
        if is_wrong_size or _HEAD.unpack_from(value)[-1] != size:
            raise ValueError("these bytes are not a saved state of this world")
        for name, number in zip(_HEAD_NAMES, _HEAD.unpack_from(value), strict=False):
            as_integer(number, f"the saved {name}", NEVER, MAX_SAVED_TICK)
        walker = self._without_lost_platform(WalkerState.from_bytes(value[_HEAD.size : _HEAD.size + size]))
        safe = self._without_lost_platform(WalkerState.from_bytes(value[_HEAD.size + size : end]))
        for name, state in (("position", walker), ("safe place", safe)):
            as_vector(state.position, f"the saved {name}", MAX_BALL_COORDINATE)
            as_integer(state.tick, f"the saved tick of the {name}", 0, MAX_SAVED_TICK)
        before = self._component_bytes()
        try:
            self._restore_components(value[end:after], value[after:components_end], value[components_end:])
        except ValueError:
            self._restore_components(*before)
            raise
        self.tick, self.goal_tick, self._ground_ticks, self._fall_tick, self._exit, _ = _HEAD.unpack_from(value)
        self.walker_state = walker
        self._respawn_place = safe
        self.trace = None

    def _without_lost_platform(self, state: WalkerState) -> WalkerState:
        """The state, on no platform if it was on one that this version of the level has no more."""
        movers = () if self.environment is None else self.environment.movers or ()
        return state if state.mover < len(movers) else off_platform(state)

    @exclusive
    def fields(self) -> dict[str, object]:
        """The state beside `walker_state` by field names, for reports."""
        fields: dict[str, object] = {
            "tick": self.tick,
            "goal_tick": self.goal_tick,
            "ground_ticks": self._ground_ticks,
            "fall_tick": self._fall_tick,
            "exit": self._exit,
            "safe_place": self._respawn_place,
        }
        if self.reached_targets.targets:
            fields["targets"] = self.reached_targets.to_bytes().hex()
        if self.triggers:
            fields["triggers"] = self.triggers.to_bytes().hex()
        fields |= self.balls.fields()
        if self.golf is not None:
            fields |= self.golf.fields()
        return fields

    @property
    def safe_state(self) -> WalkerState:
        """The walker at the place where it respawns after a fall."""
        return self._respawn_place

    @exclusive
    def continue_from(self, before: World, safe: WalkerState) -> None:
        """Take over the counters of a world of another version of this level, with this respawn place."""
        as_instance(before, World, "before")
        self._respawn_place = as_instance(safe, WalkerState, "safe")
        self._ground_ticks = before._ground_ticks
        self._fall_tick = before._fall_tick
        self.triggers.tick = self.tick
        self.triggers.continue_from(before.triggers, self.walker_state)
        self._exit = self._exit_at_feet()  # an exit that is new at this place must be entered to count

    def hash(self) -> str:
        """Sixteen hexadecimal digits of the SHA-256 of `state()`."""
        return hashlib.sha256(self.state()).hexdigest()[:16]

    @property
    def is_at_goal(self) -> bool:
        """Whether the feet are in the goal's sphere."""
        goal = self.level.goal
        return goal is not None and is_within(self.walker_state.feet, goal.at, goal.radius)

    @property
    def targets_missing(self) -> int:
        """Number of targets that the goal still waits for."""
        return self.reached_targets.remaining if self._goal_waits_for("targets") else 0

    def _goal_waits_for(self, condition: str) -> bool:
        return self.level.goal is not None and self.level.goal.after == condition

    @property
    def holes_missing(self) -> int:
        """Number of golf holes that the goal still waits for."""
        if self.golf is None or not self._goal_waits_for("holes"):
            return 0
        return self.golf.holes_left

    def _turn_of_platform(self, mover: int) -> int:
        movers = None if self.environment is None else self.environment.movers
        return 0 if movers is None or mover < 0 else movers.turn(mover, self.tick, self.walker_state.up)

    @property
    def _is_near_platforms(self) -> bool:
        """Whether a moving platform can reach the walker; such a place is not safe."""
        movers = None if self.environment is None else self.environment.movers
        return movers is not None and movers.reach(self.walker_state.position, max(self.walker_state.radii))

    @property
    def _is_out_of_level(self) -> bool:
        """Whether the feet are below the kill height, or far outside of the level where gravity turns."""
        feet = self.walker_state.feet
        if feet[1] < self.level.kill_height:
            return True
        if self.walker_state.up == DEFAULT_UP_NORTH[0] or not len(self.mesh):
            return False
        box = self.mesh.nodes[0].tolist()
        return any(
            feet[k] < box[k] - OUT_OF_LEVEL_DISTANCE or feet[k] > box[k + 3] + OUT_OF_LEVEL_DISTANCE for k in range(3)
        )

    def _up_and_north_at(self, feet: Point) -> tuple[Point, Point]:
        """(up, north) of a body at `feet`."""
        zones = None if self.environment is None else self.environment.zones
        return up_and_north_at(zones, feet, self.settings.radii[1])

    def _apply_zones(self, events: list[Event]) -> None:
        """Apply checkpoints, kill zones and teleports, in this order: a body killed in a checkpoint respawns there."""
        triggers = self.triggers
        if events and any(isinstance(event, Respawned) for event in events):
            triggers.mark_arrival(self.walker_state)
            return
        checkpoint = triggers.enter_checkpoint(self.walker_state)
        if checkpoint is not None:
            events.append(CheckpointReached(self.tick, checkpoint.name))
        killed = triggers.is_in_kill_zone(self.walker_state)
        if killed is not None:
            events.append(self._respawn_at_checkpoint(RespawnReason.KILLED, killed.name))
            return
        teleport = triggers.enter_teleport(self.walker_state)
        if teleport is not None and teleport.arrive is not None:
            frame = self._up_and_north_at(teleport.arrive)
            self.walker_state = teleport_state(self.walker_state, teleport.arrive, teleport.look, frame)
            self._ground_ticks = 0
            triggers.mark_arrival(self.walker_state)
            events.append(
                Respawned(self.tick, RespawnReason.TELEPORTED, self.walker_state.feet, teleport.look, teleport.name)
            )

    def _put_walker(self, place: WalkerState) -> None:
        """Put the walker at a place, where it also respawns until it has stood elsewhere for half a second."""
        self.walker_state = self._respawn_place = place
        self._ground_ticks = 0

    def _respawn_at_checkpoint(self, reason: RespawnReason, name: str = "") -> Respawned:
        self.triggers.tick = self.tick
        place = self.triggers.respawn_state() or self._at_spawn
        self._put_walker(place)
        self.triggers.mark_arrival(place)
        heading = self.start.heading if place is self._at_spawn else place.heading
        return Respawned(self.tick, reason, place.feet, heading, name)

    def _update_targets(self, events: list[Event]) -> None:
        reached = self.reached_targets.mark_reached(self.walker_state)
        for number, target in enumerate(self.reached_targets.targets):
            if not self.reached_targets.flags[number] and self.balls.touches_sphere(target.at, target.radius):
                self.reached_targets.flags[number] = 1
                reached.append(number)
        remaining = self.reached_targets.remaining + len(reached)
        for rank, number in enumerate(reached, start=1):
            events.append(TargetReached(self.tick, self.reached_targets.targets[number], remaining - rank))

    def _exit_at_feet(self) -> int:
        """Index of the exit that contains the feet, or NO_EXIT."""
        feet = self.walker_state.feet
        return next((k for k, exit_ in enumerate(self._exits) if is_within(feet, exit_.at, exit_.radius)), NO_EXIT)

    def _update_exit(self, events: list[Event]) -> None:
        current = self._exit_at_feet()
        respawned = any(isinstance(event, Respawned) for event in events)
        if current not in (self._exit, NO_EXIT) and not respawned:
            events.append(ExitReached(self.tick, self._exits[current]))
        self._exit = current

    def _update_respawn_place(self) -> None:
        """Keep a respawn place every half second of uninterrupted ground: a run off a ledge leaves one behind."""
        is_unsafe = self._is_held_by_balls or self._is_near_platforms
        if not self.walker_state.grounded or self.walker_state.sliding or is_unsafe:
            self._ground_ticks = 0
            return
        self._ground_ticks += 1
        every = max(1, round(SAFE_GROUND_SECONDS * self.settings.ticks_per_second))
        if self._ground_ticks % every == 0:
            self._respawn_place = self.walker_state.replace(velocity=(0.0, 0.0, 0.0))

    def _respawn_after_fall(self, reason: RespawnReason = RespawnReason.FELL) -> Respawned:
        relapse = REPEATED_FALL_SECONDS * self.settings.ticks_per_second
        again = self._fall_tick != NEVER and self.tick - self._fall_tick < relapse
        self._fall_tick = self.tick
        if again and self.triggers.reached != NO_ZONE:
            return self._respawn_at_checkpoint(reason)
        place = off_platform(self._at_spawn if again else self._respawn_place)
        self._put_walker(place)  # `_apply_zones` marks the arrival
        heading = self.start.heading if again or place == self._at_spawn else None
        return Respawned(self.tick, reason, place.feet, heading)
