"""Moves of the bots, as command rows for many walkers at once and as steps of a walk."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from ...core.angles import HEADING_UNITS_PER_QUARTER_TURN, HEADING_UNITS_PER_TURN, wrap_heading
from ...core.vectors import Flags, Floats, Indices
from ...physics import Command
from ...physics.character.command import COMMAND_ROW, Rows
from ...physics.character.rows import button, command_row

FULL_TURN = HEADING_UNITS_PER_TURN
QUARTER_TURN = HEADING_UNITS_PER_QUARTER_TURN


@dataclass(frozen=True, slots=True)
class BotMove:
    """Keys held while moving to a heading.

    strafe    sideways, with the slim side ahead
    turn      tick of the jump (EDGE: the tick after the ground is lost)
    releases  releases all keys in that tick instead of jumping
    still     holds no keys
    """

    name: str
    strafe: bool = False
    buttons: int = 0
    turn: int = -1
    releases: bool = False
    still: bool = False


AT_EDGE = -2
MOVES = (
    BotMove("sprint", buttons=button.SPRINT),
    BotMove("walk"),
    BotMove("crouch", buttons=button.CROUCH),
    BotMove("side", strafe=True),
    BotMove("jump", turn=1),
    BotMove("leap", buttons=button.SPRINT, turn=AT_EDGE),
    BotMove("run and jump", buttons=button.SPRINT, turn=10),
    BotMove("low jump", buttons=button.CROUCH, turn=2),
    BotMove("side jump", strafe=True, turn=1),
    BotMove("drop", turn=AT_EDGE, releases=True),
    BotMove("stand", still=True),
    BotMove("rise", buttons=button.JUMP),
)
RUN, WALK, CROUCH_WALK, SIDESTEP, JUMP_ON_SPOT, EDGE_JUMP = range(6)
RUNNING_JUMP, CROUCH_JUMP, SIDE_JUMP, DROP_OFF_EDGE, STAND, RISE = range(6, len(MOVES))
_STILL = np.array([move.still for move in MOVES])
_STRAFE = np.array([move.strafe for move in MOVES])
_BUTTONS = np.array([move.buttons for move in MOVES], np.int64)
_RELEASES = np.array([move.releases for move in MOVES])
TURN_STARTS = np.array([move.turn for move in MOVES], np.int64)  # (kinds,) tick of the jump or release


def move_command_columns(kind: Indices, heading: Indices, tick: Indices, turn_at: Indices) -> Floats:
    """Rows of `command_columns` for walkers (n,): kind of the move, heading (65536 to the turn), tick within the move,
    and the tick in which it jumps or releases the keys (negative: none).
    """
    columns = np.zeros((len(kind), command_row.WIDTH))
    strafe, releases = _STRAFE[kind], _RELEASES[kind]
    is_held = ~(releases & (turn_at >= 0) & (tick >= turn_at)) & ~_STILL[kind]
    columns[:, command_row.FORWARD] = ~strafe & is_held
    columns[:, command_row.STRAFE] = strafe & is_held
    columns[:, command_row.HEADING] = (heading + np.where(strafe, QUARTER_TURN, 0)) % FULL_TURN
    jumps = (tick == turn_at) & ~releases & ~_STILL[kind]
    columns[:, command_row.BUTTONS] = np.where(is_held, _BUTTONS[kind], 0) | np.where(jumps, button.JUMP, 0)
    return columns


@dataclass(frozen=True, slots=True)
class HeldKeys:
    """Keys held for some ticks with the view at one heading."""

    ticks: int
    heading: int = 0
    forward: float = 0.0
    strafe: float = 0.0
    buttons: int = 0


BotWalk = tuple[HeldKeys, ...]


def move_steps(kind: int, heading: int, ticks: int, turn_at: int) -> list[HeldKeys]:
    """The first `ticks` of a move as steps of a walk."""
    move = MOVES[kind]
    if move.still:
        return [HeldKeys(ticks, heading)]
    keys = HeldKeys(
        ticks,
        (heading + (QUARTER_TURN if move.strafe else 0)) % FULL_TURN,
        0.0 if move.strafe else 1.0,
        1.0 if move.strafe else 0.0,
        move.buttons,
    )
    if not 0 <= turn_at < ticks:
        return [keys]
    before, after = replace(keys, ticks=turn_at), replace(keys, ticks=ticks - turn_at - 1)
    turn = replace(keys, ticks=1, buttons=move.buttons | button.JUMP)
    if move.releases:
        turn = HeldKeys(1, keys.heading)
        after = HeldKeys(after.ticks, keys.heading)
    return list(merge_equal_steps([before, turn, after]))


@dataclass(frozen=True, slots=True)
class MoveAttempt:
    """A move from a place, and the number of its ticks that count. wait: ticks of standing still before it."""

    place: int
    kind: int
    heading: int
    turn_at: int
    ticks: int
    wait: int = 0

    @property
    def view_heading(self) -> int:
        """Heading of the view during the move."""
        return (self.heading + (QUARTER_TURN if MOVES[self.kind].strafe else 0)) % FULL_TURN

    def steps(self) -> list[HeldKeys]:
        """The move as steps of a walk, without the wait."""
        return move_steps(self.kind, self.heading, self.ticks, self.turn_at)


class Start(NamedTuple):
    """A move that is to be tried from a place after a wait of some ticks. departs: towards a mover, from rest."""

    place: int
    kind: int
    heading: int
    wait: int = 0
    departs: bool = False


@dataclass
class BotColumns:
    """Active walkers, one entry each."""

    slot: Indices  # row of the batched world
    place: Indices
    kind: Indices
    heading: Indices
    wait: Indices
    turn_at: Indices
    tick: Indices  # of the move
    cell: Indices  # label where it last stood, swam or climbed
    context: Indices
    since: Indices  # tick in which it entered that
    may_wait: Flags  # it started where one can wait, and was not in reach of a mover since
    departs: Flags  # it started at rest, towards a mover
    ground: Floats  # feet where it last stood

    def __len__(self) -> int:
        return len(self.slot)

    def select(self, chosen: Flags) -> BotColumns:
        return BotColumns(*(column[chosen] for column in vars(self).values()))

    def concatenate(self, other: BotColumns) -> BotColumns:
        columns = zip(vars(self).values(), vars(other).values(), strict=True)
        return BotColumns(*(np.concatenate(pair) for pair in columns))

    def attempt_of(self, k: int) -> MoveAttempt:
        return MoveAttempt(
            int(self.place[k]), int(self.kind[k]), int(self.heading[k]), int(self.turn_at[k]), int(self.tick[k]),
            int(self.wait[k]),
        )  # fmt: skip


def merge_equal_steps(walk: Iterable[HeldKeys]) -> BotWalk:
    """The walk with equal neighbours merged and empty steps removed."""
    merged: list[HeldKeys] = []
    for step in walk:
        if step.ticks <= 0:
            continue
        if merged and replace(merged[-1], ticks=step.ticks) == step:
            merged[-1] = replace(step, ticks=merged[-1].ticks + step.ticks)
        else:
            merged.append(step)
    return tuple(merged)


def walk_command_rows(walk: Sequence[HeldKeys]) -> Rows:
    """Command rows of a walk for `Walker.run`."""
    rows = np.zeros(sum(step.ticks for step in walk), COMMAND_ROW)
    first = 0
    for step in walk:
        span = rows[first : first + step.ticks]
        span["forward"], span["strafe"] = step.forward, step.strafe
        span["buttons"] = step.buttons
        span["heading"] = wrap_heading(step.heading)
        first += step.ticks
    return rows


def walk_commands(walk: Iterable[HeldKeys]) -> Iterator[Command]:
    for step in walk:
        command = Command(
            forward=step.forward,
            strafe=step.strafe,
            heading=step.heading % FULL_TURN,
            jump=bool(step.buttons & button.JUMP),
            crouch=bool(step.buttons & button.CROUCH),
            sprint=bool(step.buttons & button.SPRINT),
        )
        yield from itertools.repeat(command, step.ticks)


def walk_ticks(walk: Sequence[HeldKeys]) -> int:
    return sum(step.ticks for step in walk)


def script_text(walk: Sequence[HeldKeys], heading: int) -> str:
    """Text of a commands file for a walk from a view at `heading`. A turn takes the first tick of its step."""
    facing = Fraction(heading)
    lines = []
    for step in walk:
        turn = _turn_degrees(facing, step.heading)
        facing = (facing + turn * FULL_TURN / 360) % FULL_TURN
        ticks = step.ticks
        if turn:
            lines.append(_script_line(1, step, turn))
            ticks -= 1
        if ticks:
            lines.append(_script_line(ticks, step, Fraction(0)))
    return "\n".join(lines) + "\n"


def _turn_degrees(facing: Fraction, heading: int) -> Fraction:
    """The shortest decimal number of degrees that turns the view from `facing` to exactly `heading`."""
    difference = wrap_heading(heading - facing)
    if abs(difference) * 2 < 1:
        return Fraction(0)
    exact = difference * 360 / FULL_TURN
    for digits in range(6):
        degrees = Fraction(round(exact * 10**digits), 10**digits)
        if round(facing + degrees * FULL_TURN / 360) % FULL_TURN == heading:
            return degrees
    return Fraction(round(exact * 10**9), 10**9)


def _script_line(ticks: int, step: HeldKeys, turn: Fraction) -> str:
    words = [f"{ticks:<3}"]
    for name, value in (("forward", step.forward), ("strafe", step.strafe), ("turn", float(turn))):
        if value:
            words.append(f"{name} {value:.9f}".rstrip("0").rstrip("."))
    words += [
        name
        for name, bit in (("jump", button.JUMP), ("crouch", button.CROUCH), ("sprint", button.SPRINT))
        if step.buttons & bit
    ]
    return "  ".join(words).rstrip()
