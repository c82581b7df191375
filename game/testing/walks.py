"""Walks of level tests: their inputs, from a commands file, a replay, bots, or random, and what is recorded of them."""

from __future__ import annotations

import itertools
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..core.errors import WalkerError, error_reason
from ..core.vectors import Flags, Floats
from ..level import Finding, Level
from ..level.format.level_tests.level_test import WalkPlayer
from ..sim import Command, ReplayError, World, command_script
from ..sim.bots import moves
from ..sim.events import Respawned
from ..sim.replay import fingerprint, replay_file, verifier
from ..sim.replay.replay_file import ReplayPart
from ..sim.replay.walk_table import WalkRecorder
from ..sim.tick_input import TickInput

RANDOM_MOVES = (
    moves.RUN,
    moves.RUN,
    moves.WALK,
    moves.JUMP_ON_SPOT,
    moves.JUMP_ON_SPOT,
    moves.RUNNING_JUMP,
    moves.CROUCH_WALK,
    moves.SIDESTEP,
)
MIN_HOLD_TICKS, MAX_HOLD_TICKS = 10, 60  # that keys of a random walk are held
RANDOM_DIRECTIONS = 64  # headings that a random walk chooses from
_TICK = struct.Struct("<q")  # the first field of a world's state


class LevelTestError(WalkerError):
    """A test that cannot be run: the message says what is wrong with it, `cure` what to do."""

    def __init__(self, message: str, cure: str = "") -> None:
        super().__init__(message)
        self.message, self.cure = message, cure


@dataclass(frozen=True, slots=True)
class WalkPlan:
    """A walk that is ready to begin. world: at the start of the walk. inputs: one for each tick, without an end.

    ticks: length of the walk itself; in the inputs after it the player stands still.
    """

    world: World
    inputs: Iterator[TickInput]
    ticks: int


def make_test_world(level: Level, spawn: str | None) -> World:
    """The world of a test. LevelTestError where the spawn is unknown or has no room."""
    try:
        return World(level, spawn=spawn or None)
    except ValueError as error:
        raise LevelTestError(str(error), "choose another spawn, or make room for the body") from None


def plan_walk(level: Level, spawn: str | None, player: WalkPlayer) -> WalkPlan:
    """The walk of a commands file, of lines of one, or of a replay. LevelTestError for a file that cannot be walked."""
    path = player.path
    if path is not None and player.is_replay:
        return plan_replay(level, spawn, path)
    try:
        lines = "\n".join(player.lines)
        script = command_script.parse_script(lines, "walk") if path is None else command_script.read_script(path)
    except command_script.CommandsError as error:
        raise LevelTestError(str(error), "docs/commands.md lists the words of a commands file") from None
    except (OSError, ValueError) as error:
        raise LevelTestError(f"{path}: {error_reason(error)}", "correct the path of `walk`") from None
    world = make_test_world(level, spawn)
    return WalkPlan(world, map(TickInput, script.commands(world.start.heading)), script.ticks)


def plan_replay(level: Level, spawn: str | None, path: Path) -> WalkPlan:
    """The commands of a replay, from its first state where that is not the spawn. LevelTestError for the replay of
    another level, of several levels, or with missing ticks."""
    try:
        replay = replay_file.read_replay(path)
    except (ReplayError, OSError, ValueError) as error:
        reason = error_reason(error)
        raise LevelTestError(f"{path}: {reason}", "record the walk again (`record`, or F5 in the game)") from None
    if not replay.ticks:
        raise LevelTestError(f"{path}: the replay has no ticks", "record the walk again")
    if len(replay.parts) > 1:
        names = " > ".join(str(part.level["name"]) for part in replay.parts)
        raise LevelTestError(f"{path}: the replay goes through several levels: {names}", "record a walk in this level")
    part = replay.parts[0]
    if not _is_of_level(part, level):
        cure = "choose a replay of this level"
        raise LevelTestError(f"{path}: the replay is of the level '{part.level['name']}'", cure)
    try:
        placed = ReplayPart(part.number, {**part.head, "spawn": spawn}, part.blocks) if spawn else part
        world = verifier.make_replay_world(placed, level, [])
        if _TICK.unpack_from(part.blocks[0].start)[0]:  # recorded from the middle of a walk
            verifier.restore_block(world, part.blocks[0])
        inputs = [verifier.input_of(block, k) for block in part.blocks for k in range(len(block.commands))]
    except ReplayError as error:
        raise LevelTestError(f"{path}: {error}", "record the walk again") from None
    last = inputs[-1].command
    still = TickInput(Command(heading=last.heading, pitch=last.pitch))
    return WalkPlan(world, itertools.chain(inputs, itertools.repeat(still)), len(inputs))


def _is_of_level(part: ReplayPart, level: Level) -> bool:
    """Whether a replay is of this level, or of an earlier version of it: the same content, or the same file name."""
    return part.level["hash"] == fingerprint.level_hash(level) or Path(str(part.level["file"])).name == level.path.name


def plan_bot_walk(level: Level, spawn: str | None, walk: moves.BotWalk) -> WalkPlan:
    """The walk of a bot, exactly as it walked: each step with the view at its heading."""
    world = make_test_world(level, spawn)
    last = walk[-1].heading if walk else world.start.heading
    still = itertools.repeat(TickInput(Command(heading=last % moves.FULL_TURN)))
    return WalkPlan(world, itertools.chain(map(TickInput, moves.walk_commands(walk)), still), moves.walk_ticks(walk))


def random_walk_steps(seed: int, ticks: int) -> moves.BotWalk:
    """A random walk of `ticks` ticks: random keys held for random times, the same for the same seed."""
    rng = np.random.default_rng(seed)
    steps: list[moves.HeldKeys] = []
    left = ticks
    while left > 0:
        hold = min(left, int(rng.integers(MIN_HOLD_TICKS, MAX_HOLD_TICKS)))
        kind = RANDOM_MOVES[rng.integers(len(RANDOM_MOVES))]
        heading = int(rng.integers(RANDOM_DIRECTIONS)) * (moves.FULL_TURN // RANDOM_DIRECTIONS)
        steps += moves.move_steps(kind, heading, hold, int(moves.TURN_STARTS[kind]))
        left -= hold
    return tuple(steps)


def check_replays(level: Level) -> list[Finding]:
    """A finding for each test whose replay cannot be walked in the level."""
    findings = []
    for test in level.tests:
        player = test.player
        if not isinstance(player, WalkPlayer) or not player.is_replay or player.path is None:
            continue
        try:
            plan_replay(level, test.spawn, player.path)
        except LevelTestError as error:
            place = player.place
            file = place.file or str(level.path)
            findings.append(Finding("dropped", file, place.line, place.column, "tests.walk", error.message, error.cure))
    return findings


# ---- Recorded walks


class TouchedFace(NamedTuple):
    """Surface of a touched triangle, and kind and label of its piece."""

    surface: str
    kind: str
    label: str


class TestedWalk(WalkRecorder):
    """Walk of a level test.

    start        state of the world before the first tick
    inputs       of each tick
    relocations  ticks in which a respawn, teleport or restart moved the body
    touched      `touched_faces` before the first tick and of each; empty if they are not recorded
    """

    __test__ = False  # no class of pytest tests

    def __init__(self, world: World, inputs: Iterator[TickInput], ticks: int, records_touches: bool = False) -> None:
        """Walk `ticks` ticks of the inputs."""
        super().__init__(world, ticks)
        self.start = world.state()
        self.inputs = list(itertools.islice(inputs, ticks))
        self.touched: list[frozenset[TouchedFace]] = [frozenset()] if records_touches else []
        restarts = {k + 1 for k, given in enumerate(self.inputs) if given.restart}
        begins = [k for k, given in enumerate(self.inputs) if k == 0 or given.restart or given.returns]
        for first, end in itertools.pairwise((*begins, len(self.inputs))):
            self.events += [(first + 1, event) for event in self.inputs[first].begin(world)]
            commands = [given.command for given in self.inputs[first:end]]
            if not records_touches:
                self.walked(*world.run(commands))
                continue
            for command in commands:
                self.stepped(world.step(command))
                self.touched.append(touched_faces(world))
        self.relocations = sorted(restarts | {tick for tick, event in self.events if isinstance(event, Respawned)})

    @property
    def feet(self) -> Floats:
        """(ticks + 1, 3): feet before the first tick and after each, m."""
        return self.table.feet

    @property
    def grounded(self) -> Flags:
        """(ticks + 1,): whether the body stands on ground, as of `feet`."""
        return self.table.grounded

    @property
    def ticks_per_second(self) -> float:
        return float(self.world.settings.ticks_per_second)


def touched_faces(world: World) -> frozenset[TouchedFace]:
    """Faces of the level and of its movers that the body touched in the last tick."""
    if world.trace is None:
        return frozenset()
    level = world.level
    touched = {(contact.mover, contact.triangle) for contact in (*world.trace.contacts, *world.trace.stops)}
    faces: set[TouchedFace] = set()
    for number, triangle in touched:
        if number >= len(level.movers):  # a ball
            continue
        if number >= 0:
            mover = level.movers[number]
            surface = mover.surfaces[int(mover.surface_index[triangle])].name
            faces.add(TouchedFace(surface, "mover", f'mover "{mover.name}"'))
            continue
        piece = level.quad_piece(int(level.quad_index[triangle]))
        faces.add(TouchedFace(level.surfaces[int(level.surface_index[triangle])].name, piece.kind, piece.label))
    return frozenset(faces)
