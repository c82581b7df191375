"""Replay verification: simulates a replay again and compares every tick bit for bit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.arguments import as_callable, as_instance
from ...core.vectors import Vector, to_point
from ...physics import Command
from ...physics.character.command import COMMAND_ROW, MAX_PITCH, Rows, check_rows, command_of_row
from ...physics.character.rows import button
from ...physics.character.state import States
from ..events import Event
from ..tick_input import TickInput
from ..world import World
from . import fingerprint
from .replay_file import Replay, ReplayError, ReplayPart, TickBlock

if TYPE_CHECKING:
    from ...level import Level

FIRST_FIELDS = (  # of a divergence, those that a person knows; the others follow in the order of the row
    *("position", "velocity", "up", "heading", "grounded", "crouched", "sliding", "swimming", "climbing", "mover"),
    *("ground_normal", "radii"),
    *("goal_tick", "targets", "triggers", "movers", "golf_hole", "golf_strokes", "golf_ball", "balls", "balls_thrown"),
    "exit",
)
WORLD_COUNTERS = "counters"  # name of a difference in what the world keeps beside the walker, where no field is known
TickObserver = Callable[[World, Command, tuple[Event, ...]], None]  # world after a tick, its command, its events


@dataclass(frozen=True, slots=True)
class FieldDifference:
    """A field of the walker's state, or of the world's, with its recorded and its present value as texts. values: both
    as numbers, booleans or tuples; None where there is only the text."""

    name: str
    recorded: str
    now: str
    values: tuple[object, object] | None = None


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first tick that differs from the recording.

    tick       counted from the first of the recording, 1
    seconds    end of that tick, from the start of the recording
    command    of that tick; None where any command up to it may be the cause
    restarted  whether the world was restarted ahead of the tick
    differences  the position first, then the fields that a person knows (FIRST_FIELDS), then the others
    position   centre of the walker after the tick where it is the recorded one; else None
    """

    tick: int
    seconds: float
    level: str
    command: Command | None
    restarted: bool
    differences: tuple[FieldDifference, ...]
    position: Vector | None = None


@dataclass(frozen=True, slots=True)
class ComponentChange:
    """A component in another version than at the recording: its name in `component_versions`, recorded, here."""

    name: str
    recorded: object
    here: str


@dataclass(frozen=True, slots=True)
class VersionNote:
    """Components in other versions than at the recording; `same_rules`: the rules are equal all the same."""

    changes: tuple[ComponentChange, ...]
    same_rules: bool


@dataclass(frozen=True, slots=True)
class LevelNote:
    """A level that has changed since the recording: its name, the hash then and now."""

    name: str
    recorded_hash: str
    current_hash: str


VerifyNote = VersionNote | LevelNote


@dataclass(slots=True)
class VerifyResult:
    """Result of verifying a replay: the number of ticks that match, the first divergence or None, and notes about
    versions and levels that differ from those of the recording."""

    ticks: int = 0
    divergence: Divergence | None = None
    notes: list[VerifyNote] = field(default_factory=list)


def verify(replay: Replay, levels: Callable[[ReplayPart], Level], observer: TickObserver | None = None) -> VerifyResult:
    """Simulate a replay up to the first difference.

    levels: gives the level of a part; observer: called after every tick. ReplayError where settings, spawn or states do
    not fit this version.
    """
    as_instance(replay, Replay, "replay")
    as_callable(levels, "levels")
    if observer is not None:
        as_callable(observer, "observer")
    result = VerifyResult(notes=version_notes(replay))
    for part in replay.parts:
        world = make_replay_world(part, levels(part), result.notes)
        last = part is replay.parts[-1]
        for index, block in enumerate(part.blocks):
            follows = index > 0 and part.blocks[index - 1].end == block.first
            result.divergence = _enter_block(world, part, block, follows) or _replay_block(
                world, part, block, result, observer
            )
            if result.divergence is not None:
                return result
        is_complete = (
            part.blocks and replay.end_fields is not None and part.blocks[-1].end == replay.end_fields["ticks"]
        )
        if last and is_complete and world.state() != replay.final_state:
            result.divergence = _world_divergence(part, part.blocks[-1].end, world, replay.final_state)
    return result


def make_replay_world(part: ReplayPart, level: Level, notes: list[VerifyNote]) -> World:
    """The world of a part with the settings and spawn of the recording; adds a note where the level has changed."""
    if fingerprint.settings_hash(part.head["settings"]) != part.head["settings_hash"]:
        raise ReplayError("its settings were changed after it was recorded")
    try:
        settings = fingerprint.settings_from_values(part.head["settings"])
    except (ValueError, TypeError) as error:
        raise ReplayError(f"its settings do not fit this version: {error}") from None
    now = fingerprint.level_hash(level)
    if now != part.level["hash"]:
        notes.append(LevelNote(str(part.level["name"]), str(part.level["hash"]), now))
    try:
        return World(level, settings, part.head["spawn"])
    except ValueError as error:
        raise ReplayError(f"{part.level['name']}: {error}") from None


def version_notes(replay: Replay) -> list[VerifyNote]:
    """A note where a component had another version at the recording than here; else none."""
    current = fingerprint.component_versions()
    recorded = replay.parts[0].head["made"]
    same_rules = fingerprint.rules_version(recorded.get("rules")) == fingerprint.RULES_VERSION
    changes = tuple(
        ComponentChange(name, recorded.get(name), current[name])
        for name in current
        if recorded.get(name) != current[name] and not (name == "rules" and same_rules)
    )
    return [VersionNote(changes, same_rules)] if changes else []


def command_of(row: Any) -> Command:
    """The command of a recorded row. ReplayError for an invalid one."""
    try:
        return command_of_row(row)
    except (ValueError, KeyError) as error:
        raise ReplayError(f"a command in it does not fit this version: {error}") from None


def input_of(block: TickBlock, k: int) -> TickInput:
    """The input of tick k of a block. ReplayError for an invalid command."""
    return TickInput(command_of(block.commands[k]), bool(block.restarts[k]), bool(block.returns[k]))


def restore_block(world: World, block: TickBlock) -> None:
    try:
        world.restore(block.start)
    except ValueError:
        raise ReplayError(
            "its states do not fit: use the level of the recording, and the version that wrote it"
        ) from None


def _enter_block(world: World, part: ReplayPart, block: TickBlock, follows: bool) -> Divergence | None:
    if not follows:
        restore_block(world, block)
        return None
    if world.state() == block.start:
        return None
    if block.restarts[0]:  # the block begins in the state after the restart
        world.restart()
        if world.state() == block.start:
            return None
    return _world_divergence(part, block.first, world, block.start)


def _replay_block(
    world: World, part: ReplayPart, block: TickBlock, result: VerifyResult, observer: TickObserver | None = None
) -> Divergence | None:
    for first, states in _replay_spans(world, block, observer):
        expected = block.states[first + 1 : first + 1 + len(states)]
        if states.tobytes() != expected.tobytes():
            wrong = next(k for k in range(len(states)) if states[k].tobytes() != expected[k].tobytes())
            result.ticks += wrong
            given = input_of(block, first + wrong)
            differences = compare_rows(expected[wrong], states[wrong])
            moved = any(difference.name == "position" for difference in differences)
            position = None if moved else to_point(states[wrong]["position"])
            return _make_divergence(
                part, block.first + first + wrong, given.command, given.restart, differences, position
            )
        result.ticks += len(states)
    if world.hash() != block.hash:
        return _world_divergence(part, block.end, world, None, block.hash)
    return None


def _replay_spans(world: World, block: TickBlock, observer: TickObserver | None) -> Iterator[tuple[int, States]]:
    """(number of the first tick, states of the walker after each) of parts of a block: all ticks up to the next restart
    or return, or single ones for an observer and where a command may be invalid."""
    rows = _checked_rows(block) if observer is None else None
    if rows is None:
        for k in range(len(block.commands)):
            given = input_of(block, k)
            events = given.step(world)
            if observer is not None:
                observer(world, given.command, events)
            yield k, world.walker_state.row()
        return
    begins = np.flatnonzero(block.restarts | block.returns).tolist()
    for first, end in pairwise(sorted({0, *begins, len(rows)})):
        input_of(block, first).begin(world)
        yield first, world.run(rows[first:end])[0]


def _checked_rows(block: TickBlock) -> Rows | None:
    """The commands of a block as `input_of` has them; None where one of them may be invalid."""
    rows = np.zeros(len(block.commands), COMMAND_ROW)
    try:
        for name in ("forward", "strafe", "heading"):
            rows[name] = block.commands[name]
        rows["pitch"] = np.clip(block.commands["pitch"], -MAX_PITCH, MAX_PITCH)
        rows["buttons"] = block.commands["buttons"] & (button.JUMP | button.CROUCH | button.SPRINT | button.USE)
        return check_rows(rows)
    except ValueError:
        return None


def compare_rows(recorded: Any, now: Any) -> list[FieldDifference]:
    """Fields of two state rows whose bits differ, the position first; fields of only one of them are left out."""
    differences = []
    for name in recorded.dtype.names:
        if name not in now.dtype.names:
            continue
        old_value, new_value = np.atleast_1d(recorded[name]), np.atleast_1d(now[name])
        if old_value.dtype == new_value.dtype and old_value.tobytes() != new_value.tobytes():
            values = _plain_value(old_value), _plain_value(new_value)
            differences.append(FieldDifference(name, repr(values[0]), repr(values[1]), values))
    return _known_first(differences)


def _known_first(differences: list[FieldDifference]) -> list[FieldDifference]:
    """The differences in the order of FIRST_FIELDS; those of other fields follow as they are."""
    rank = {name: index for index, name in enumerate(FIRST_FIELDS)}
    return sorted(differences, key=lambda difference: rank.get(difference.name, len(rank)))


def _plain_value(array: Any) -> object:
    values = tuple(array.tolist())
    return values[0] if len(values) == 1 else values


def _make_divergence(
    part: ReplayPart,
    tick: int,
    command: Command | None,
    restarted: bool,
    differences: list[FieldDifference],
    position: Vector | None = None,
) -> Divergence:
    seconds = (tick + 1) / part.ticks_per_second
    return Divergence(tick + 1, seconds, part.level["name"], command, restarted, tuple(differences), position)


def _world_divergence(
    part: ReplayPart, tick: int, world: World, recorded: bytes | None, digest: str = ""
) -> Divergence:
    """Divergence of the world's state beside the walker, at the latest in this tick."""
    differences = [] if recorded is None else world_differences(world, recorded)
    if not differences:
        recorded_hash = digest or fingerprint.short_hash(recorded or b"")
        present_hash = world.hash()
        differences = [FieldDifference(WORLD_COUNTERS, f"hash {recorded_hash}", f"hash {present_hash}")]
    return _make_divergence(part, tick - 1, None, False, differences)


def world_differences(world: World, recorded: bytes) -> list[FieldDifference]:
    """Fields of the world's state that differ from a recorded state."""
    before = world.state()
    try:
        now = world.fields()
        world.restore(recorded)
        then = world.fields()
    except ValueError:
        return []
    finally:
        world.restore(before)
    return _known_first(
        [FieldDifference(name, str(then[name]), str(now[name])) for name in now if then[name] != now[name]]
    )
