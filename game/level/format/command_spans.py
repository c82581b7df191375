"""Parser of commands files: spans of ticks with the same input, as plain text (docs/commands.md)."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from fractions import Fraction
from numbers import Rational

from ...core.arguments import as_flag, as_integer, as_number, as_text
from ...core.errors import WalkerError

MAX_SCRIPT_BYTES = 4 << 20
MAX_SCRIPT_TICKS = 10_000_000  # 46 hours at 60 ticks a second
MAX_SPAN_TICKS = 999_999_999
MAX_DEGREES = 360_000  # a thousand turns in one span
BUTTONS = ("jump", "crouch", "sprint", "use")
NUMBER_RANGES = {  # word -> least, most
    "forward": (Fraction(-1), Fraction(1)),
    "strafe": (Fraction(-1), Fraction(1)),
    "turn": (Fraction(-MAX_DEGREES), Fraction(MAX_DEGREES)),
    "look": (Fraction(-180), Fraction(180)),
}
WORD_MEANINGS = {
    "forward": "-1 (back) to 1",
    "strafe": "-1 (left) to 1 (right)",
    "turn": f"degrees to the left over the span, -{MAX_DEGREES} to {MAX_DEGREES}",
    "look": "degrees upwards over the span, -180 to 180",
}
MAX_PROBLEMS = 20

_NUMBER = re.compile(r"[+-]?(\d{1,12}(\.\d{0,12})?|\.\d{1,12})\Z", re.ASCII)
_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class ScriptProblem:
    """One mistake in a commands file; `str` gives `file:line:column: message`."""

    file: str
    line: int
    column: int
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.message}"


class CommandsError(WalkerError, ValueError):
    """Not a commands file; `problems` lists the first twenty mistakes in order."""

    def __init__(self, problems: list[ScriptProblem]) -> None:
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = problems


@dataclass(frozen=True, slots=True)
class CommandSpan:
    """Keys held for `ticks` ticks, while the view turns evenly by `turn` and `look` degrees."""

    ticks: int
    forward: float = 0.0
    strafe: float = 0.0
    turn: Fraction = Fraction(0)
    look: Fraction = Fraction(0)
    jump: bool = False
    crouch: bool = False
    sprint: bool = False
    use: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "ticks", as_integer(self.ticks, "ticks", 1, MAX_SPAN_TICKS))
        for name in ("forward", "strafe"):
            object.__setattr__(self, name, as_number(getattr(self, name), name, -1.0, 1.0))
        for name in ("turn", "look"):
            value = getattr(self, name)
            low, high = NUMBER_RANGES[name]
            if isinstance(value, bool) or not isinstance(value, Rational) or not low <= value <= high:
                raise ValueError(f"{name} must be a Fraction of degrees within {low}..{high}, not {value!r:.80}")
            object.__setattr__(self, name, Fraction(value))
        for name in BUTTONS:
            object.__setattr__(self, name, as_flag(getattr(self, name), name))


def parse_spans(text: str, name: str = "<commands>") -> tuple[CommandSpan, ...]:
    """The spans in the text of a commands file; name: of the file in the messages of CommandsError."""
    as_text(text, "text")
    as_text(name, "name")
    spans: list[CommandSpan] = []
    problems: list[ScriptProblem] = []
    ticks = 0
    for number, line in enumerate(text.split("\n"), start=1):
        words = [(match.start() + 1, match.group()) for match in _WORD.finditer(line.partition("#")[0])]
        if not words:
            continue
        try:
            span = _parse_span(words)
            ticks += span.ticks
            if ticks > MAX_SCRIPT_TICKS:
                raise _SpanError(words[0][0], f"more than {MAX_SCRIPT_TICKS} ticks in all")
            spans.append(span)
        except _SpanError as error:
            problems.append(ScriptProblem(name, number, error.column, error.message))
            if len(problems) == MAX_PROBLEMS or ticks > MAX_SCRIPT_TICKS:
                break
    if problems:
        raise CommandsError(problems)
    return tuple(spans)


class _SpanError(WalkerError):
    def __init__(self, column: int, message: str) -> None:
        super().__init__(message)
        self.column = column
        self.message = message


def _parse_span(words: list[tuple[int, str]]) -> CommandSpan:
    column, first = words[0]
    if not re.fullmatch("0*[1-9][0-9]*", first) or len(first) > 9:
        raise _SpanError(column, f"a line begins with its ticks, 1 or more; {_quoted(first)} is not such a number")
    numbers: dict[str, Fraction] = {}
    buttons: set[str] = set()
    remaining = iter(words[1:])
    for column, word in remaining:
        if word in numbers or word in buttons:
            raise _SpanError(column, f"'{word}' appears twice in this line")
        if word in BUTTONS:
            buttons.add(word)
        elif word in NUMBER_RANGES:
            at, value = next(remaining, (column + len(word), ""))
            numbers[word] = _parse_number(word, at, value)
        else:
            raise _SpanError(column, f"{_quoted(word)} is not a command{_suggest_keyword(word)}")
    return CommandSpan(
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


def _parse_number(word: str, column: int, text: str) -> Fraction:
    if not text:
        raise _SpanError(column, f"'{word}' needs a number after it: {WORD_MEANINGS[word]}")
    low, high = NUMBER_RANGES[word]
    if not _NUMBER.match(text) or not low <= Fraction(text) <= high:
        raise _SpanError(column, f"{_quoted(text)} is not valid for '{word}': {WORD_MEANINGS[word]}")
    return Fraction(text)


def _quoted(word: str) -> str:
    return repr(word if len(word) <= 30 else word[:27] + "...")


def _suggest_keyword(word: str) -> str:
    known = [*NUMBER_RANGES, *BUTTONS]
    matches = difflib.get_close_matches(word[:30].lower(), known, 1)
    return f"; did you mean '{matches[0]}'?" if matches else f" (known: {', '.join(known)})"
