"""World: a level or a mesh with a walker and balls, advanced in fixed ticks."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.arguments import as_bytes, as_callable, as_instance, as_integer, as_number
from ..core.vectors import Floats, Indices, VectorLike, as_vector, is_within
from ..level import Level
from ..level.build.entities.zones import LevelZone
from ..level.mesh_level import NO_FILE, as_level
from ..physics import Command, Environment, Trace, TriangleMesh, Walker, WalkerSettings, WalkerState, rules
from ..physics.balls.balls import MAX_BALL_COORDINATE
from ..physics.character.command import Rows, command_columns, command_of_row, command_rows
from ..physics.character.rows import command_row, state_row, tick_event
from ..physics.character.state import STATE_ROW, States, state_of
from ..physics.environment.carried_zones import flat_pose, point_at_home
from ..physics.environment.environment import Clock, WorldClock, as_clock, pack_environment
from ..physics.environment.motion import AT_HOME, MAX_CLOCK
from ..physics.environment.movers import Movers
from ..physics.numerics.arrays import Bytes
from ..physics.walker import run_rows, trace_row
from .ball_set import BallSet
from .ball_walls import BallWalls
from .events import CheckpointReached, Event, ExitReached, GoalReached, Respawned, RespawnReason, TargetReached
from .exclusive_access import ExclusiveAccess, exclusive, exclusive_reset
from .golf import READY, GolfRound, create_golf_round
from .level_rules import make_rules, rule_zones, up_and_north_at
from .world_state import LevelIdentity, WorldState, check_level, mover_like, off_platform

if TYPE_CHECKING:
    from ..level import Spawn

MAX_WALL_ROUNDS = 2  # times that a tick of the walker is made again with walls at balls
MAX_SAVED_TICK = MAX_CLOCK // 2  # 290 years at 60 ticks a second: the other half is left to go on
BLOCK = 128  # ticks that `run` walks ahead at most
FIRST_BLOCK = 16  # the same after a respawn, which may repeat: the ticks behind it were in vain

_HEAD = struct.Struct("<6q")  # _HEAD_NAMES, size of a walker state
_HEAD_NAMES = ("tick", "goal tick", "ticks on ground", "tick of the last fall", "exit")
_HEAD_COUNTS = rules.EXIT + 1  # the first columns of the counts
_ZONE_COUNTS = slice(rules.CHECKPOINT, rules.TELEPORT + 1)
_ONE_RUN = np.zeros(BLOCK, np.int64)  # the run of each row
_RESPAWN_REASONS = (
    (rules.BLOCKED, RespawnReason.STUCK),
    (rules.CRUSHED, RespawnReason.CRUSHED),
    (rules.FELL, RespawnReason.FELL),
    (rules.KILLED, RespawnReason.KILLED),
    (rules.TELEPORTED, RespawnReason.TELEPORTED),
)


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
        self.trace: Trace | None = None  # of the last tick
        self.platform_turn = 0  # heading units that the platform turned by in the last tick; the view turns with it
        self.environment = around
        if level.movers or level.zones is not None:
            rate = self.settings.ticks_per_second
            self.environment = level.environment if rate == 60.0 else level.environment_at(rate)
        movers = None if self.environment is None else self.environment.movers
        self._movers = movers or Movers((), self.settings.ticks_per_second)
        self.balls = BallSet(level, self.settings.ticks_per_second)
        self.golf: GolfRound | None = create_golf_round(level, self.settings.ticks_per_second)
        self._has_balls = self.balls.active or self.golf is not None
        self.start = self._find_spawn(name)
        zones = None if self.environment is None else self.environment.zones
        up, north = up_and_north_at(zones, self.start.feet, self.settings.radii[1])
        pack_environment(self.mesh, self.environment, self.settings.ticks_per_second)  # ValueError for another rate
        try:
            self._at_spawn = self.walker.spawn(
                self.mesh, self.start.feet, self.start.heading, up, north, around=self.environment
            )
        except ValueError as error:
            raise ValueError(f"spawn '{self.start.name}': {error}") from error
        self.rules = make_rules(level, self.settings, self.environment, self._at_spawn)
        self._rule_zones = rule_zones(level)
        self._runs = rules.make_runs(1, len(level.targets), len(self._movers))
        self._tick_columns = np.zeros((1, command_row.WIDTH))  # command_row.EVENTS of the last tick
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
        self.walker_state = self._at_spawn if state is None else state
        rules.begin_runs(self.rules, self._runs, _ONE_RUN[:1], self.walker_state._floats, np.full(1, tick))
        self._read_starts()
        self.balls.reset()
        if self.golf is not None:
            self.golf.reset()

    def _read_starts(self) -> None:
        """Keep the starts of the movers as the next ticks of the walker take them; None where no mover waits."""
        self._starts: Indices | None = None
        if self._movers.waiting.any():
            self._starts = self._runs.starts.copy()
            self._starts.flags.writeable = False

    @property
    def tick(self) -> int:
        """Number of ticks since the start."""
        return self._runs.counts.item(rules.TICK)

    @tick.setter
    def tick(self, value: int) -> None:
        self._runs.counts[0, rules.TICK] = value

    @property
    def clock(self) -> Clock:
        """The argument `clock` of `Walker.step` and of queries: the tick, and in a level with movers that wait, also
        when each was last set off."""
        return self.tick if self._starts is None else WorldClock(self.tick, self._starts)

    def clock_at(self, tick: int) -> Clock:
        """`clock` at another tick since the movers were last set off."""
        tick = as_integer(tick, "tick", -MAX_CLOCK, MAX_CLOCK)
        return tick if self._starts is None else WorldClock(tick, self._starts)

    @property
    def has_waiting_movers(self) -> bool:
        """Whether the level has movers that wait until they are set off."""
        return self._starts is not None

    @property
    def mover_clocks(self) -> Indices:
        """(M,): ticks since each mover was set off, or since tick 0; a copy."""
        clocks: Indices = self._runs.counts[0, rules.TICK] - self._runs.starts[0]
        return clocks

    def mover_poses(self, tick: float | None = None) -> Floats:
        """`Movers.poses` at a tick, which may be fractional, since the movers were last set off; default now."""
        tick = self.tick if tick is None else as_number(tick, "tick")
        return self._movers.poses(tick if self._starts is None else tick - self._starts[0])

    def _turn_of(self, mover: int, after: WalkerState, tick: int, starts: Indices | None) -> int:
        """`platform_turn` of a tick that began at `tick` with the walker on a mover."""
        return self._movers.turn(mover, tick if starts is None else tick - starts.item(mover), after.up)

    @property
    def goal_tick(self) -> int:
        """Tick that reached the goal; `rules.NEVER` before."""
        return self._runs.counts.item(rules.GOAL_TICK)

    @goal_tick.setter
    def goal_tick(self, value: int) -> None:
        self._runs.counts[0, rules.GOAL_TICK] = value

    @property
    def seconds(self) -> float:
        """Time since the start by the number of ticks."""
        return self.tick / self.settings.ticks_per_second

    @exclusive
    def step(self, command: Command) -> tuple[Event, ...]:
        """Advance by one tick; the events of it."""
        before, reached, clock, is_held = self.walker_state, self._runs.targets.tobytes(), self.clock, False
        body = command if self.golf is None else self.golf.body_command(before, command)
        after, trace = self.walker.step(before, body, self.mesh, self.environment, clock)
        if self.balls.active and len(self.balls.rows):
            after, trace, is_held = self._walk_among_balls(before, body, after, trace)
        self.platform_turn = 0 if before.mover < 0 else self._turn_of(before.mover, after, self.tick, self._starts)
        self.walker_state, self.trace = after, trace
        self._tick_columns[0, command_row.EVENTS] = trace.bits
        apply, run = rules.apply_rules(), (self.rules, self._runs)
        rows = before._floats, after._floats, self._tick_columns, _ONE_RUN[:1]
        if not self._has_balls:
            apply(*run, *rows, rules.ZONES | rules.GOALS, 0, 0, False, 0)
            if not self._bits:
                return ()
            return tuple(self._zone_events(after._floats) + self._goal_events(reached))
        apply(*run, *rows, rules.ZONES, 0, 0, is_held, 0)
        events = self._zone_events(after._floats)
        if self.balls:
            moved = before if self._bits & rules.MOVED else after
            self.balls.step(before, moved, command, self.mesh, self.environment, clock)
            for number, target in enumerate(self.level.targets):
                if self.balls.touches_sphere(target.at, target.radius):
                    self._runs.targets[0, number] = 1
        if self.golf is not None:
            events += self.golf.step(self.walker_state, command, self.tick)
        apply(*run, *rows, rules.GOALS, 0, 0, False, self.holes_missing)
        return tuple(events + self._goal_events(reached))

    @exclusive
    def run(
        self, commands: Rows | Iterable[Command], until: Callable[[Event], object] | None = None
    ) -> tuple[States, list[Event]]:
        """Many ticks, with the bits of `step`: (the walker's state after each, a structured array; their events).

        until: called with each event; the tick is the last one if it returns something true. It must not change the
        world, whose trace and walker may be those of an earlier tick then. ValueError as of `Walker.run`. After an
        exception within, such as Ctrl-C, the world is as it was before.
        """
        rows = commands if isinstance(commands, np.ndarray) else command_rows(commands)
        columns = command_columns(rows)
        asked = None if until is None else as_callable(until, "until")

        def stops(event: Event) -> bool:
            tick = self.tick
            is_last = asked is not None and bool(asked(event))
            if self.tick != tick:
                raise ValueError("until must not change the world, for example by `step` or `restart`")
            return is_last

        as_clock(self.tick + max(len(rows) - 1, 0))
        before = self._copies()
        try:
            is_stepped = self._has_balls or type(self.walker) is not Walker  # a class of its own has a step of its own
            return self._step_rows(rows, stops) if is_stepped else self._run_rows(rows, columns, stops)
        except BaseException:
            self.__setstate__(before)
            raise

    def _step_rows(self, rows: Rows, stops: Callable[[Event], object]) -> tuple[States, list[Event]]:
        states, events = np.empty(len(rows), STATE_ROW), list[Event]()
        for k, row in enumerate(rows):
            happened = self.step(command_of_row(row))
            states[k] = self.walker_state.row()[0]
            events += happened
            if any(map(stops, happened)):
                return states[: k + 1], events
        return states, events

    def _run_rows(self, rows: Rows, columns: Floats, stops: Callable[[Event], object]) -> tuple[States, list[Event]]:
        """Walk ahead, and apply the rules to the ticks up to the first one with events; from there walk anew where it
        moved the walker."""
        count, done, walked, block, starts = len(rows), 0, 0, BLOCK, self._starts
        floats, events = np.empty((count + 1, state_row.WIDTH)), list[Event]()
        floats[0] = self.walker_state._floats[0]
        while done < count:
            if done == walked:
                walked, block = min(done + block, count), min(2 * block, BLOCK)
                ahead, place = floats[done : walked + 1], (self.mesh, self.environment, self.tick, self._starts)
                run_rows(self.walker, ahead, columns[done:walked], *place)
            tick, starts, reached = self.tick, self._starts, self._runs.targets.tobytes()
            self._runs.counts[0, rules.BITS] = 0
            rules.apply_rules()(
                self.rules, self._runs, floats[done:walked], floats[done + 1 : walked + 1], columns[done:walked],
                _ONE_RUN[: walked - done], rules.ZONES | rules.GOALS, rules.ANYTHING, 0, False, 0,
            )  # fmt: skip
            done += self.tick - tick
            if self._bits:
                happened = self._zone_events(floats[done : done + 1].copy()) + self._goal_events(reached)
                events += happened
                if any(map(stops, happened)):
                    break
                if self._bits & (rules.MOVED | rules.SET_OFF):
                    walked, block = done, FIRST_BLOCK
        if done:
            before, tick = floats[done - 1 : done].copy(), self.tick - 1
            self.trace = trace_row(self.walker, before, columns[done - 1], self.mesh, self.environment, tick, starts)
            self.walker_state = after = state_of(floats[done : done + 1].copy())
            mover = state_of(before).mover
            self.platform_turn = 0 if mover < 0 else self._turn_of(mover, after, tick, starts)
        states: States = np.ndarray(done, STATE_ROW, floats, STATE_ROW.itemsize)  # rows 1 to done
        return states, events

    def _walk_among_balls(
        self, before: WalkerState, command: Command, after: WalkerState, trace: Trace
    ) -> tuple[WalkerState, Trace, bool]:
        """A tick of the walker, made again with walls where a ball has no room to get out of its way; and whether balls
        hold the walker."""
        is_held, walls, clock = False, BallWalls(self.settings, before, self.balls.rows), self.clock
        with_walls = clock
        if isinstance(clock, WorldClock):  # the walls are one more mover
            with_walls = WorldClock(clock.tick, np.append(clock.starts, [[0]], axis=1))
        for _ in range(MAX_WALL_ROUNDS):
            rows = self.balls.predict(before, after, self.mesh, self.environment, clock)
            if not walls.update(after, rows):
                break
            stopped, its_trace = self.walker.step(before, command, self.mesh, walls.among(self.environment), with_walls)
            if its_trace.bits & (tick_event.CRUSHED | tick_event.LOST):
                break
            after, trace, is_held = off_platform(stopped, len(self._movers)), its_trace, True
        return after, trace, is_held

    @property
    def _bits(self) -> int:
        """What happened in the last tick: bits of `physics.rules`."""
        return self._runs.counts.item(rules.BITS)

    def _zone_events(self, after: Floats) -> list[Event]:
        """Events of zones in the last tick; takes the state after it (1, state_row.WIDTH)."""
        self.walker_state = state = state_of(after)
        bits, tick, events = self._bits, self.tick, list[Event]()
        if bits & rules.STUCK:
            stuck = self._place(rules.UNSTUCK) if bits & rules.FELL else state
            events.append(Respawned(tick, RespawnReason.STUCK, stuck.feet, None))
        if bits & rules.CHECKPOINT_REACHED:
            events.append(CheckpointReached(tick, self._rule_zones[self.checkpoint].name))
        if bits & rules.MOVED:
            zone = self._rule_zones[self._runs.counts.item(rules.ZONE)] if self._rule_zones else None
            heading = None if bits & rules.KEEPS_VIEW else state.heading
            for bit, reason in _RESPAWN_REASONS:
                if bits & bit:
                    name = zone.name if zone and bit & (rules.KILLED | rules.TELEPORTED) else ""
                    events.append(Respawned(tick, reason, state.feet, heading, name))
        return events

    def _goal_events(self, before: bytes) -> list[Event]:
        """Events of targets, the goal and exits in the last tick; movers that it has set off move from the next one on.
        before: flags of the targets."""
        bits, events, now = self._bits, list[Event](), self._runs.targets.tobytes()
        if now != before:
            remaining = before.count(0)
            for number, target in enumerate(self.level.targets):
                if now[number] and not before[number]:
                    remaining -= 1
                    events.append(TargetReached(self.tick, target, remaining))
        if bits & rules.GOAL_REACHED:
            events.append(GoalReached(self.tick, self.seconds))
        if bits & rules.EXIT_REACHED:
            events.append(ExitReached(self.tick, self.level.exits[self._runs.counts.item(rules.EXIT)]))
        if bits & rules.SET_OFF:
            self._read_starts()
        return events

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
        """Whether there is a golf ball that lies, a checkpoint, or a respawn place other than the spawn."""
        if self.golf is not None and self.golf.phase == READY:
            return True
        return self.checkpoint != rules.NO_ZONE or self.safe_state.position != self._at_spawn.position

    @exclusive
    def return_to_checkpoint(self) -> Respawned:
        """Put the walker behind a golf ball that lies, else back to the last checkpoint, or to the respawn place where
        there is none. Everything else goes on: clock, balls, targets."""
        place = np.empty((1, state_row.WIDTH))
        rules.return_walker(self.rules, self._runs, 0, place[0])
        self.walker_state = state_of(place)
        if self.golf is not None:
            self.walker_state = self.golf.walker_behind_ball(self.walker, self.walker_state.tick) or self.walker_state
        return Respawned(self.tick, RespawnReason.RETURNED, self.walker_state.feet, self.walker_state.heading)

    @property
    def reached_targets(self) -> Bytes:
        """(T,): 1 for each target of the level that was reached, else 0; a copy."""
        flags: Bytes = self._runs.targets[0].copy()
        return flags

    @reached_targets.setter
    def reached_targets(self, flags: Sequence[bool] | Bytes) -> None:
        self._runs.targets[0] = flags

    @property
    def targets_left(self) -> int:
        """Number of targets that were not reached."""
        return self._runs.targets.tobytes().count(0)

    @property
    def checkpoint(self) -> int:
        """Index of the last checkpoint among those of the level; `rules.NO_ZONE` before the first."""
        return self._runs.counts.item(rules.CHECKPOINT)

    def is_in_zone(self, zone: LevelZone, point: VectorLike) -> bool:
        """Whether a point (m) lies in a zone of the level (`level.all_zones`), where that is now."""
        as_instance(zone, LevelZone, "zone")
        point = as_vector(point, "point")
        if zone.mover < 0 or not self._movers:
            return zone.contains(point)
        pose = flat_pose(self.mover_poses()[zone.mover])
        return zone.contains(point_at_home(pose, self._movers[zone.mover].at, point))

    def _place(self, place: int) -> WalkerState:
        """A place of the run (columns of `physics.rules`)."""
        return state_of(self._runs.places[:, place].copy())

    @property
    def safe_state(self) -> WalkerState:
        """The walker at the place where it respawns after a fall."""
        return self._place(rules.RESPAWN)

    @exclusive
    def state(self) -> WorldState:
        """State that `step` depends on and changes: bytes, which also know their level (see `restore`)."""
        head = self._runs.counts[0, :_HEAD_COUNTS].tobytes() + STATE_ROW.itemsize.to_bytes(8, "little")
        parts = [head, self.walker_state.to_bytes(), self._runs.places[0, rules.RESPAWN].tobytes()]
        parts += self._runs.targets.tobytes(), self._zone_bytes(), self._starts_bytes(), self.balls.to_bytes()
        parts += [] if self.golf is None else [self.golf.to_bytes()]
        return WorldState.of(b"".join(parts), self._level_identity)

    def _zone_bytes(self) -> bytes:
        """Indices of the last checkpoint and of the teleport that the body is in, state in that checkpoint; empty for
        a level without such zones."""
        if not self._rule_zones:
            return b""
        parts = self._runs.counts[0, _ZONE_COUNTS], self._runs.places[0, rules.LAST_CHECKPOINT]
        return b"".join(part.tobytes() for part in parts)

    def _starts_bytes(self) -> bytes:
        """Tick at which each mover that waits was last set off, or AT_HOME; empty for a level without such movers."""
        starts: bytes = self._runs.starts[0, self._movers.waiting].tobytes()
        return starts

    def _copies(self) -> dict[str, Any]:
        """The attributes of the world, with copies of what a step changes in place."""
        copies = {**vars(self), "_runs": self._runs.copy()}
        del copies["_tick_columns"]
        return {**copies, "balls": copy(self.balls), "golf": copy(self.golf)} if self._has_balls else copies

    @exclusive
    def __getstate__(self) -> dict[str, Any]:
        return {**self._copies(), "_access": ExclusiveAccess()}

    def __setstate__(self, values: dict[str, Any]) -> None:
        """Take attributes of `_copies`, whose memory may be read-only after pickling."""
        vars(self).update(values)
        self._tick_columns = np.zeros((1, command_row.WIDTH))

    @exclusive
    def restore(self, value: bytes) -> None:
        """Restore a value of `state()` of the same level and settings.

        ValueError for the state of another level: one with another name and another file, a mesh in place of a level,
        or a level in place of a mesh. An edited version of the level takes the state. Plain bytes, such as those of a
        file, do not name their level; ValueError for those that do not fit.
        """
        check_level(value, self._level_identity)
        value, before = as_bytes(value, "value"), self._copies()
        try:
            self._read_state(value)
        except ValueError:
            self.__setstate__(before)
            raise

    def _read_state(self, value: bytes) -> None:
        """Take the bytes of `state`. ValueError for others, of which a part may be taken."""
        run, size, numbers = self._runs, STATE_ROW.itemsize, self.rules.numbers
        zone_size, waiting = 16 + size if self._rule_zones else 0, np.flatnonzero(self._movers.waiting)
        lengths = _HEAD.size, size, size, len(self.level.targets), zone_size, 8 * len(waiting)
        head, walker, safe, targets, zones, starts, balls = (
            value[first:end] for first, end in pairwise((0, *accumulate(lengths), len(value)))
        )
        is_whole = len(value) >= sum(lengths) and (not balls or self._has_balls)
        if not is_whole or _HEAD.unpack(head)[-1] != size:
            raise ValueError("these bytes are not a saved state of this world")
        for column, (name, number) in enumerate(zip(_HEAD_NAMES, _HEAD.unpack(head), strict=False)):
            run.counts[0, column] = as_integer(number, f"the saved {name}", rules.NEVER, MAX_SAVED_TICK)
        run.places[0, rules.RESPAWN] = self._read_place(safe, "safe place")._floats[0]
        self.walker_state, self.trace = self._read_place(walker, "position"), None
        if targets.strip(b"\0\1"):
            raise ValueError("these bytes are not a saved state of these targets")
        run.targets[0] = np.frombuffer(targets, np.uint8)
        run.counts[0, _ZONE_COUNTS], run.places[0, rules.LAST_CHECKPOINT] = rules.NO_ZONE, 0.0
        if zones:
            run.counts[0, _ZONE_COUNTS] = checkpoint, teleport = np.frombuffer(zones, np.int64, 2)
            teleports = len(self._rule_zones) - numbers[rules.FIRST_TELEPORT]
            if not -1 <= checkpoint < numbers[rules.FIRST_KILL] or not -1 <= teleport < teleports:
                raise ValueError("these bytes are not a saved state of these zones")
            if checkpoint != rules.NO_ZONE:
                run.places[0, rules.LAST_CHECKPOINT] = WalkerState.from_bytes(zones[16:])._floats[0]
        run.starts[0, waiting] = ticks = np.frombuffer(starts, np.int64)
        if not ((ticks == AT_HOME) | ((ticks >= 0) & (ticks <= MAX_SAVED_TICK))).all():
            raise ValueError("these bytes are not a saved state of these movers")
        self._read_starts()
        golf_start = self.balls.from_bytes(balls)
        if self.golf is not None:
            self.golf.from_bytes(balls[golf_start:])
        elif golf_start != len(balls):
            raise ValueError("these bytes are not a saved state of this world")

    def _read_place(self, value: bytes, name: str) -> WalkerState:
        """A saved state of the walker, on no platform if this version of the level has that no more."""
        state = WalkerState.from_bytes(value)
        as_vector(state.position, f"the saved {name}", MAX_BALL_COORDINATE)
        as_integer(state.tick, f"the saved tick of the {name}", 0, MAX_SAVED_TICK)
        return off_platform(state, len(self._movers))

    @exclusive
    def fields(self) -> dict[str, object]:
        """The state beside `walker_state` by field names, for reports."""
        names = ("tick", "goal_tick", "ground_ticks", "fall_tick", "exit")
        fields: dict[str, object] = dict(zip(names, self._runs.counts[0].tolist(), strict=False))
        fields["safe_place"] = self.safe_state
        if self.level.targets:
            fields["targets"] = self._runs.targets.tobytes().hex()
        if self._rule_zones:
            fields["triggers"] = self._zone_bytes().hex()
        if self._starts is not None:
            fields["movers"] = self._starts_bytes().hex()
        fields |= self.balls.fields()
        if self.golf is not None:
            fields |= self.golf.fields()
        return fields

    @exclusive
    def continue_from(
        self, before: World, safe: WalkerState, change: Callable[[WalkerState], WalkerState] = lambda state: state
    ) -> None:
        """Take over the counters of a world of another version of this level, with this respawn place, and its
        checkpoint, where this level has it too. change: of the body, for the state in the checkpoint."""
        as_instance(before, World, "before")
        counts, old = self._runs.counts[0], before._runs.counts[0]
        self._runs.places[0, rules.RESPAWN] = as_instance(safe, WalkerState, "safe")._floats[0]
        for column in (rules.GROUND_TICKS, rules.FALL_TICK):
            counts[column] = old[column]
        checkpoints = self._rule_zones[: int(self.rules.numbers[rules.FIRST_KILL])]
        if before.checkpoint != rules.NO_ZONE and before._rule_zones[before.checkpoint] in checkpoints:
            counts[rules.CHECKPOINT] = checkpoints.index(before._rule_zones[before.checkpoint])
            place = change(before._place(rules.LAST_CHECKPOINT))
            self._runs.places[0, rules.LAST_CHECKPOINT] = place._floats[0]
        for number in np.flatnonzero(self._movers.waiting).tolist():
            own = mover_like(before._movers.names, self._movers.names[number], number)
            if own >= 0 and before._movers.waiting[own]:
                self._runs.starts[0, number] = before._runs.starts[0, own]
        self._read_starts()
        state = self.walker_state._floats[0]
        rules.mark_arrival(self.rules, self._runs.row(0), state)
        counts[rules.EXIT] = rules.find_exit(self.rules, state)  # one that is new at this place must be entered

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
        return self.targets_left if self._goal_waits_for("targets") else 0

    def _goal_waits_for(self, condition: str) -> bool:
        return self.level.goal is not None and self.level.goal.after == condition

    @property
    def holes_missing(self) -> int:
        """Number of golf holes that the goal still waits for."""
        if self.golf is None or not self._goal_waits_for("holes"):
            return 0
        return self.golf.holes_left
