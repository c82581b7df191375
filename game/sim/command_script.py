"""The commands file: a walk written down as spans of ticks, in plain text (`docs/commands.md`)."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING

from ..physics import Command, Walker

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_BYTES = 4 << 20
MAX_TICKS = 10_000_000  # 46 hours at 60 ticks a second
MAX_DEGREES = 360_000  # a thousand turns in one span
QUARTER = 16384
TURN = 65536
BUTTONS = ("jump", "crouch", "sprint", "use")
NUMBERS = {  # word -> least, most
    "forward": (Fraction(-1), Fraction(1)),
    "strafe": (Fraction(-1), Fraction(1)),
    "turn": (Fraction(-MAX_DEGREES), Fraction(MAX_DEGREES)),
    "look": (Fraction(-180), Fraction(180)),
}
MEANING = {
    "forward": "-1 (back) to 1",
    "strafe": "-1 (left) to 1 (right)",
    "turn": f"degrees to the left over the span, -{MAX_DEGREES} to {MAX_DEGREES}",
    "look": "degrees upwards over the span, -180 to 180",
}
MAX_PROBLEMS = 20

_NUMBER = re.compile(r"[+-]?(\d{1,12}(\.\d{0,12})?|\.\d{1,12})\Z", re.ASCII)
_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong in a commands file; `str` gives `file:line:column: sentence`."""

    file: str
    line: int
    column: int
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.message}"


class CommandsError(ValueError):
    """The file is no commands file; `problems` has every place (the first twenty), in order."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = problems


@dataclass(frozen=True, slots=True)
class Span:
    """The same keys held for `ticks` ticks, while the view turns evenly by `turn` and `look` degrees."""

    ticks: int
    forward: float = 0.0
    strafe: float = 0.0
    turn: Fraction = Fraction(0)
    look: Fraction = Fraction(0)
    jump: bool = False
    crouch: bool = False
    sprint: bool = False
    use: bool = False


@dataclass(frozen=True, slots=True)
class Script:
    """A walk: spans in order. After the last one the player stands still and keeps looking the same way."""

    spans: tuple[Span, ...]

    @property
    def ticks(self) -> int:
        """Ticks from the first span's start to the last one's end."""
        return sum(span.ticks for span in self.spans)

    def commands(self, heading: int = 0, pitch: int = 0) -> Iterator[Command]:
        """One command a tick, without end; `heading`, `pitch` (65536 to the turn): the view at the start.

        Angles are kept as exact fractions and rounded once a tick, so that spans add up to what they say.
        """
        facing, tilt = Fraction(heading), Fraction(pitch)
        for span in self.spans:
            turn, look = span.turn * TURN / 360, span.look * TURN / 360
            yaws = _evenly(facing, turn, span.ticks)
            pitches = _evenly(tilt, look, span.ticks)
            for yaw, nod in zip(yaws, pitches, strict=True):
                yield Command(
                    forward=span.forward,
                    strafe=span.strafe,
                    heading=yaw % TURN,
                    pitch=max(-QUARTER, min(QUARTER, nod)),
                    jump=span.jump,
                    crouch=span.crouch,
                    sprint=span.sprint,
                    use=span.use,
                )
            facing = (facing + turn) % TURN
            tilt = max(Fraction(-QUARTER), min(Fraction(QUARTER), tilt + look))
        still = Command(heading=_nearest(facing) % TURN, pitch=_nearest(tilt))
        while True:
            yield still

    def rows(self, walker: Walker, heading: int = 0, ticks: int | None = None) -> NDArray[np.void]:
        """The same as rows for `Walker.run` and `Crowd.step`: the script's own ticks, or so many."""
        return walker.commands(islice(self.commands(heading), self.ticks if ticks is None else ticks))


def _evenly(start: Fraction, change: Fraction, ticks: int) -> Iterator[int]:
    """The whole numbers nearest to start + change * k / ticks for k = 1 .. ticks."""
    if not change:
        yield from (_nearest(start) for _ in range(ticks))
        return
    below = start.denominator * change.denominator * ticks
    first = start.numerator * change.denominator * ticks
    each = change.numerator * start.denominator
    for k in range(1, ticks + 1):
        yield (2 * (first + each * k) + below) // (2 * below)


def _nearest(value: Fraction) -> int:
    return (2 * value.numerator + value.denominator) // (2 * value.denominator)


def read(path: str | os.PathLike[str]) -> Script:
    """The script in a file. Raises CommandsError (a ValueError), or OSError where it cannot be read."""
    name = os.fspath(path)
    with open(path, "rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise CommandsError([Problem(name, 1, 1, f"longer than {MAX_BYTES >> 20} MiB")])
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        raise CommandsError([Problem(name, line, column, "not UTF-8 text")]) from None
    return parse(text, name)


def parse(text: str, name: str = "<commands>") -> Script:
    """The script in a text; `name` stands for the file in what CommandsError says."""
    spans: list[Span] = []
    problems: list[Problem] = []
    ticks = 0
    for number, line in enumerate(text.split("\n"), start=1):
        words = [(match.start() + 1, match.group()) for match in _WORD.finditer(line.partition("#")[0])]
        if not words:
            continue
        try:
            span = _span(words)
            ticks += span.ticks
            if ticks > MAX_TICKS:
                raise _WrongError(words[0][0], f"more than {MAX_TICKS} ticks in all")
            spans.append(span)
        except _WrongError as wrong:
            problems.append(Problem(name, number, wrong.column, wrong.message))
            if len(problems) == MAX_PROBLEMS or ticks > MAX_TICKS:
                break
    if problems:
        raise CommandsError(problems)
    return Script(tuple(spans))


class _WrongError(Exception):
    def __init__(self, column: int, message: str) -> None:
        super().__init__(message)
        self.column, self.message = column, message


def _span(words: list[tuple[int, str]]) -> Span:
    column, first = words[0]
    if not (first.isascii() and first.isdecimal() and len(first) <= 9 and int(first) > 0):
        raise _WrongError(column, f"a line begins with its ticks, 1 or more; {_quoted(first)} is none")
    numbers: dict[str, Fraction] = {}
    buttons: set[str] = set()
    rest = iter(words[1:])
    for column, word in rest:
        if word in numbers or word in buttons:
            raise _WrongError(column, f"'{word}' stands twice in this line")
        if word in BUTTONS:
            buttons.add(word)
        elif word in NUMBERS:
            at, value = next(rest, (column + len(word), ""))
            numbers[word] = _number(word, at, value)
        else:
            raise _WrongError(column, f"{_quoted(word)} is no command{_perhaps(word)}")
    return Span(
        ticks=int(first),
        forward=float(numbers.get("forward", 0)),
        strafe=float(numbers.get("strafe", 0)),
        turn=numbers.get("turn", Fraction(0)),
        look=numbers.get("look", Fraction(0)),
        jump="jump" in buttons,
        crouch="crouch" in buttons,
        sprint="sprint" in buttons,
        use="use" in buttons,
    )


def _number(word: str, column: int, text: str) -> Fraction:
    if not text:
        raise _WrongError(column, f"'{word}' needs a number after it: {MEANING[word]}")
    least, most = NUMBERS[word]
    if not _NUMBER.match(text) or not least <= Fraction(text) <= most:
        raise _WrongError(column, f"{_quoted(text)} will not do for '{word}': {MEANING[word]}")
    return Fraction(text)


def _quoted(word: str) -> str:
    return repr(word if len(word) <= 30 else word[:27] + "...")


def _perhaps(word: str) -> str:
    known = [*NUMBERS, *BUTTONS]
    near = difflib.get_close_matches(word[:30].lower(), known, 1)
    return f"; perhaps '{near[0]}'" if near else f" (there are: {', '.join(known)})"
