"""What the page at the end of a run shows: plain data."""

from __future__ import annotations

from dataclasses import dataclass

NOT_DONE, DONE_BEFORE, DONE_AGAIN, DONE_FIRST = (
    "open",
    "known",
    "done",
    "fresh",
)  # not done yet; done before; now again; now first


@dataclass(frozen=True, slots=True)
class SplitRow:
    """A place on the way: when, and how that compares; `ahead` where it was earlier than in the best run."""

    name: str
    time: str
    difference: str = ""
    is_ahead: bool = False


@dataclass(frozen=True, slots=True)
class ChallengeRow:
    """A challenge, what it asks, and its state."""

    label: str
    sentence: str
    state: str = NOT_DONE


@dataclass(frozen=True, slots=True)
class RunSummary:
    """`time` large, `score` beside it, `told` below; `better`: it is the best; `state`: whether it counts, `refused`
    where it does not; `picture`: the file of the map, empty while there is none."""

    title: str
    time: str
    score: str = ""
    description: str = ""
    is_new_best: bool = False
    splits: tuple[SplitRow, ...] = ()
    challenges: tuple[ChallengeRow, ...] = ()
    picture: str = ""
    legend: tuple[tuple[tuple[float, float, float], str], ...] = ()  # colours of lines on the map, and what they are
    state: str = ""
    refused: bool = False
