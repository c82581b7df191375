"""Content of a HUD as plain data: title card, goal markers, and results of a run with its splits and challenges."""

from __future__ import annotations

from dataclasses import dataclass

MARKER_KINDS = ("goal", "target", "hole", "way", "ball")  # way: a turn of the way to one of the others
# States of a challenge: not done yet; done in an earlier run; done again; done for the first time
NOT_DONE, DONE_BEFORE, DONE_AGAIN, DONE_FIRST = "open", "known", "done", "fresh"


@dataclass(frozen=True, slots=True)
class TitleCard:
    """Card about a level: its name, the aim, what is collected, the best run and the next medal.

    medal: "gold", "silver", "bronze" or nothing, that of the best run. opacity: 0..1.
    """

    name: str
    aim: str
    collected: str = ""
    best: str = ""
    medal: str = ""
    next_medal: str = ""
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class ScreenMarker:
    """Marker of a place in the world.

    kind: one of MARKER_KINDS. x, y: fractions (0..1) of width and height from the top left. distance: m. opacity: 0..1.
    arrow: the place is outside of the picture, in this direction from its centre (right, down; unit); None: it is in
    the picture at (x, y).
    """

    kind: str
    x: float
    y: float
    distance: float
    opacity: float = 1.0
    arrow: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class SplitRow:
    """Split time at a checkpoint and its difference to the best run; `is_ahead`: earlier than in the best run."""

    name: str
    time: str
    difference: str = ""
    is_ahead: bool = False


@dataclass(frozen=True, slots=True)
class ChallengeRow:
    label: str
    sentence: str
    state: str = NOT_DONE


@dataclass(frozen=True, slots=True)
class RunSummary:
    """Content of the results page.

    medal: "gold", "silver", "bronze" or nothing; medal_text: its name and the next one; is_new_medal: not won before.
    state: whether the run counts, with the reason; refused: it does not count. picture: path of the map image, empty
    while it is being drawn. legend: colours of the lines on the map and their meaning.
    """

    title: str
    time: str
    score: str = ""
    description: str = ""
    is_new_best: bool = False
    splits: tuple[SplitRow, ...] = ()
    challenges: tuple[ChallengeRow, ...] = ()
    picture: str = ""
    legend: tuple[tuple[tuple[float, float, float], str], ...] = ()
    state: str = ""
    refused: bool = False
    medal: str = ""
    medal_text: str = ""
    is_new_medal: bool = False
