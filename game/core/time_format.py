"""Formatting of times, scores and counts."""

from __future__ import annotations


def format_time(seconds: float) -> str:
    """A time as minutes, seconds and hundredths: 1:02.35."""
    hundredths = round(seconds * 100)
    return f"{hundredths // 6000}:{hundredths // 100 % 60:02d}.{hundredths % 100:02d}"


def format_duration(seconds: float) -> str:
    """A length of time in whole seconds, rounded down: 0:07, 12:05, 1:02:05."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def format_time_difference(seconds: float) -> str:
    """A time difference with its sign, with minutes only from one minute on: −0.52 is ahead, +1:02.35 behind."""
    hundredths = round(abs(seconds) * 100)
    sign = "±" if hundredths == 0 else "−" if seconds < 0.0 else "+"
    return (
        f"{sign}{hundredths // 100}.{hundredths % 100:02d}"
        if hundredths < 6000
        else f"{sign}{format_time(abs(seconds))}"
    )


def format_count(count: int, noun: str) -> str:
    """`1 tick`, `2 ticks`."""
    return f"{count} {count_noun(count, noun)}"


def count_noun(count: int, noun: str) -> str:
    """The noun in the singular for one, else in the plural: `gem`, `gems`, `boxes`."""
    if count == 1:
        return noun
    return f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"


def format_strokes(count: int) -> str:
    """A number of golf strokes: `1 stroke`, `2 strokes`."""
    return format_count(count, "stroke")


def format_score(seconds: float, strokes: int | None) -> str:
    """`5 strokes` of a golf hole, else `1:02.35`."""
    return format_time(seconds) if strokes is None else format_strokes(strokes)


def format_result(seconds: float, strokes: int | None) -> str:
    """The result of a run: `1:02.35`, in golf `2 strokes, 1:02.35`."""
    return format_time(seconds) if strokes is None else f"{format_strokes(strokes)}, {format_time(seconds)}"
