"""Command scripts: a walk as spans of ticks in plain text (docs/commands.md)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING

from ..core.angles import HEADING_UNITS_PER_QUARTER_TURN, HEADING_UNITS_PER_TURN
from ..core.arguments import as_instance, as_instances, as_integer, describe_value
from ..core.file_reading import read_at_most
from ..level.format.command_spans import (
    BUTTONS,
    MAX_DEGREES,
    MAX_PROBLEMS,
    MAX_SCRIPT_BYTES,
    MAX_SCRIPT_TICKS,
    MAX_SPAN_TICKS,
    NUMBER_RANGES,
    WORD_MEANINGS,
    CommandsError,
    CommandSpan,
    ScriptProblem,
    parse_spans,
)
from ..physics import Command, Walker

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "BUTTONS",
    "MAX_DEGREES",
    "MAX_PROBLEMS",
    "MAX_SCRIPT_BYTES",
    "MAX_SCRIPT_TICKS",
    "MAX_SPAN_TICKS",
    "NUMBER_RANGES",
    "WORD_MEANINGS",
    "CommandScript",
    "CommandSpan",
    "CommandsError",
    "ScriptProblem",
    "parse_script",
    "read_script",
]


@dataclass(frozen=True, slots=True)
class CommandScript:
    """A walk as spans in order. After the last one the player stands still and keeps the view."""

    spans: tuple[CommandSpan, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "spans", as_instances(self.spans, CommandSpan, "spans"))

    @property
    def ticks(self) -> int:
        return sum(span.ticks for span in self.spans)

    def commands(self, heading: int = 0, pitch: int = 0) -> Iterator[Command]:
        """One command for each tick, without end; heading, pitch (65536 to the turn): the view at the start.

        Angles are exact fractions, rounded once a tick, so that spans add up exactly.
        """
        facing = Fraction(as_integer(heading, "heading", None, None))
        tilt = Fraction(as_integer(pitch, "pitch", -HEADING_UNITS_PER_QUARTER_TURN, HEADING_UNITS_PER_QUARTER_TURN))
        return self._commands(facing, tilt)

    def _commands(self, facing: Fraction, tilt: Fraction) -> Iterator[Command]:
        """The generator of `commands`, which checks its arguments at once."""
        for span in self.spans:
            turn = span.turn * HEADING_UNITS_PER_TURN / 360
            look = span.look * HEADING_UNITS_PER_TURN / 360
            yaws = _interpolate_integers(facing, turn, span.ticks)
            pitches = _interpolate_integers(tilt, look, span.ticks)
            for yaw, nod in zip(yaws, pitches, strict=True):
                yield Command(
                    forward=span.forward,
                    strafe=span.strafe,
                    heading=yaw % HEADING_UNITS_PER_TURN,
                    pitch=max(-HEADING_UNITS_PER_QUARTER_TURN, min(HEADING_UNITS_PER_QUARTER_TURN, nod)),
                    jump=span.jump,
                    crouch=span.crouch,
                    sprint=span.sprint,
                    use=span.use,
                )
            facing = (facing + turn) % HEADING_UNITS_PER_TURN
            tilt = max(
                Fraction(-HEADING_UNITS_PER_QUARTER_TURN), min(Fraction(HEADING_UNITS_PER_QUARTER_TURN), tilt + look)
            )
        still = Command(heading=_round_half_up(facing) % HEADING_UNITS_PER_TURN, pitch=_round_half_up(tilt))
        while True:
            yield still

    def rows(self, walker: Walker, heading: int = 0, ticks: int | None = None) -> NDArray[np.void]:
        """Command rows for `Walker.run` and `Crowd.step`: for the script's own number of ticks, or `ticks`."""
        as_instance(walker, Walker, "walker")
        count = self.ticks if ticks is None else as_integer(ticks, "ticks", 0, MAX_SCRIPT_TICKS)
        return walker.commands(islice(self.commands(heading), count))


def _interpolate_integers(start: Fraction, change: Fraction, ticks: int) -> Iterator[int]:
    """The integers nearest to start + change * k / ticks for k = 1 .. ticks."""
    if not change:
        yield from (_round_half_up(start) for _ in range(ticks))
        return
    below = start.denominator * change.denominator * ticks
    first = start.numerator * change.denominator * ticks
    each = change.numerator * start.denominator
    for k in range(1, ticks + 1):
        yield (2 * (first + each * k) + below) // (2 * below)


def _round_half_up(value: Fraction) -> int:
    return (2 * value.numerator + value.denominator) // (2 * value.denominator)


def read_script(path: str | os.PathLike[str]) -> CommandScript:
    """The script in a file. CommandsError (a ValueError) for mistakes, OSError where it cannot be read."""
    name = os.fspath(path)
    if "\0" in os.fsdecode(name):
        raise CommandsError([ScriptProblem(describe_value(name), 1, 1, "no file has such a name")])
    data = read_at_most(path, MAX_SCRIPT_BYTES)
    if len(data) > MAX_SCRIPT_BYTES:
        raise CommandsError([ScriptProblem(name, 1, 1, f"longer than {MAX_SCRIPT_BYTES >> 20} MiB")])
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        raise CommandsError([ScriptProblem(name, line, column, "not UTF-8 text")]) from None
    return parse_script(text, name)


def parse_script(text: str, name: str = "<commands>") -> CommandScript:
    """The script in a text; name: of the file in the messages of CommandsError."""
    return CommandScript(parse_spans(text, name))
