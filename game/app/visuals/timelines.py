"""Timelines of rewind and of replays: speed, ground contact and events, and the texts and keys at them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...core.time_format import format_duration, format_time
from ...render import Timeline
from ...render.colour_palettes import DEFAULT_PALETTE, contact_colour
from ...sim.events import BallStruck, CheckpointReached, GoalReached, HoledOut, Respawned, TargetReached
from ...sim.replay.history import BLOCKED, GROUNDED, JUMPED
from ..input.actions import PlayAction, RewindAction, TimeLineAction

if TYPE_CHECKING:
    from ...sim import History
    from ...sim.replay.replay_file import Rows
    from ..input.player_input import HeldActions

COLUMN_COUNT = 200
MAX_MARKS = 40  # of a long session only the most important events are marked
LONG_SECONDS = 60.0  # s from which on jumps have no mark and times are in minutes
FULL_SCALE_SPEED = 8.0  # m/s of a full column
AIRBORNE_COLOUR = "ceiling"  # kind of contact whose colour the columns do not use otherwise
EVENT_WORDS: tuple[tuple[type, str], ...] = (
    (GoalReached, "goal"), (HoledOut, "in"), (CheckpointReached, "checkpoint"), (TargetReached, "target"),
    (Respawned, "respawn"), (BallStruck, "stroke"),
)  # fmt: skip
Columns = tuple[tuple[float, tuple[float, float, float]], ...]
Marks = tuple[tuple[float, str], ...]


def speed_columns(rows: Rows, palette: str = DEFAULT_PALETTE) -> Columns:
    """Columns of speed (0..1) and colour: blocked by a wall in a tick, most ticks in the air, or on the ground.

    rows: of `TICK_COLUMNS`, one a tick
    """
    speeds, marks = rows["speed"], rows["marks"]
    count = min(COLUMN_COUNT, len(speeds))
    if not count:
        return ()
    starts = np.arange(count) * len(speeds) // count
    sizes = np.diff(np.append(starts, len(speeds)))
    heights = np.minimum(np.maximum.reduceat(speeds, starts) / FULL_SCALE_SPEED, 1.0)
    is_airborne = np.add.reduceat(marks & GROUNDED == 0, starts, dtype=np.int64) * 2 > sizes
    is_blocked = np.logical_or.reduceat(marks & BLOCKED != 0, starts)
    kinds = np.where(is_blocked, "wall", np.where(is_airborne, AIRBORNE_COLOUR, "walkable"))
    colours = {kind: contact_colour(kind, palette) for kind in ("wall", AIRBORNE_COLOUR, "walkable")}
    return tuple(
        (round(height, 3), colours[kind]) for height, kind in zip(heights.tolist(), kinds.tolist(), strict=True)
    )


def event_marks(history: History) -> Marks:
    """Positions (0..1) of events, and a word for each; of many only the first kinds of EVENT_WORDS."""
    found: list[tuple[int, int, str]] = []  # rank, tick, word
    for k, events in sorted(history.events.items()):
        ranks = [rank for rank, (kind, _) in enumerate(EVENT_WORDS) if any(isinstance(event, kind) for event in events)]
        if ranks:
            found.append((ranks[0], k, EVENT_WORDS[ranks[0]][1]))
    first, count = history.first, len(history)
    if count <= LONG_SECONDS * history.world.settings.ticks_per_second:
        has_event = {k for _, k, _ in found}
        jumps = np.flatnonzero(history.columns(first, history.end)["marks"] & JUMPED) + first
        found += [(len(EVENT_WORDS), k, "jump") for k in jumps.tolist() if k not in has_event]
    kept = sorted(found, key=lambda mark: mark[0])[:MAX_MARKS]
    return tuple(((k - first + 0.5) / count, word) for _, k, word in sorted(kept, key=lambda mark: mark[1]))


def rewind_timeline(seconds: float, length: float, tick_seconds: float, columns: Columns, marks: Marks) -> Timeline:
    """The timeline of a rewind, `seconds` after its start: how long ago that and the start were."""
    age = length - seconds
    label = "now" if age < 0.5 * tick_seconds else _ago(age, 2)
    return Timeline(columns, seconds / length, label, marks, _ago(length, 0), "now")


def _ago(seconds: float, digits: int) -> str:
    """An age as text: `3.25 s ago`, from a minute on `12:05 ago`."""
    if seconds < LONG_SECONDS + 0.5:
        return f"{seconds:.{digits}f} s ago"
    return f"{format_duration(seconds)} ago"


SPEED_TEXTS = ("1/8", "1/4", "1/2", "1", "2", "4")  # multiples of real time
CAMERA_TEXTS = {"eye": "Eye", "behind": "Behind", "outside": "Outside", "fixed": "Fixed"}


def replay_timeline(
    seconds: float, length: float, speed: int, is_moving: bool, columns: Columns, marks: Marks
) -> Timeline:
    """The timeline of a replay, `seconds` after its start: the time, and what the replay does, or its speed where that
    is not the usual one. speed: index of `SPEED_TEXTS`."""
    state = "" if SPEED_TEXTS[speed] == "1" else f"{SPEED_TEXTS[speed]} ×"
    if not is_moving:
        state = "End" if seconds >= length else "Paused"
    label = "   ·   ".join(filter(None, (format_time(seconds), state)))
    return Timeline(columns, seconds / length, label, marks, format_time(0.0), format_time(length))


def end_texts(seconds: float, has_menu: bool, held: HeldActions) -> tuple[str, str]:
    """Message at the end of a run of so many seconds, and what can be done. has_menu: whether Esc opens a menu."""
    back = f"{held.describe(TimeLineAction.BACK)}: {'menu' if has_menu else 'back'}"
    again = f"{held.describe(TimeLineAction.TOGGLE)}: from the start"
    return f"End of the run   ·   {format_time(seconds)}", f"{again}   ·   {back}"


Keys = tuple[tuple[str, str], ...]  # (key, meaning)


def rewind_keys(held: HeldActions, toggles: bool, costs_time: bool) -> Keys:
    """Keys of a rewind, as they are bound, for the device in use. toggles: the rewind key is not held; costs_time: to
    play from here leaves a run without its time."""
    by_keyboard = not held.uses_gamepad
    debug = held.describe(PlayAction.DEBUG)
    more = (("Shift", "10 steps"), *(() if held.bindings.actions_of("HOME") else (("Home", "Start"),)))
    return (
        (held.describe(PlayAction.REWIND), "Rewind on/off" if toggles else "Hold to rewind"),
        (held.labels(TimeLineAction.STEP_BACK, TimeLineAction.STEP_FORWARD), "1 step"),
        *(more if by_keyboard else ()),
        (
            f"{held.labels(RewindAction.PLAY_FROM_HERE)}{' or walk' if by_keyboard else ''}",
            "Play from here: no time, no medal" if costs_time else "Play from here",
        ),
        (held.describe(PlayAction.THIRD_PERSON), "First / third person"),
        *((("Mouse", "Look around"),) if by_keyboard else ()),
        *(((debug, "Physics of the tick"),) if debug else ()),
        (held.labels(TimeLineAction.BACK), "Back to now"),
    )


def replay_keys(held: HeldActions, speed: int, is_moving: bool, is_finished: bool, camera: str, ghost: str) -> Keys:
    """Keys of a replay. speed: index of `SPEED_TEXTS`; ghost: "on" or "off", empty where there is none to show."""
    play = "Pause" if is_moving else "From the start" if is_finished else "Play"
    strip = [
        (held.labels(TimeLineAction.TOGGLE), play),
        (held.labels(TimeLineAction.STEP_BACK, TimeLineAction.STEP_FORWARD), "5 s" if is_moving else "1 step"),
        (held.labels(TimeLineAction.FASTER, TimeLineAction.SLOWER), f"Speed {SPEED_TEXTS[speed]} ×"),
        (held.describe(TimeLineAction.NEXT_CAMERA), f"Camera: {CAMERA_TEXTS[camera]}"),
    ]
    if ghost:
        strip.append((held.labels(TimeLineAction.TOGGLE_GHOST), f"Ghost: {ghost}"))
    if not held.uses_gamepad:
        strip += [
            (held.labels(TimeLineAction.MARK_START, TimeLineAction.MARK_END), "Movie from, to"),
            (held.describe(TimeLineAction.KEEP_MOVIE), "Keep the movie"),
            (held.labels(TimeLineAction.HELP), "Help"),
        ]
    return (*strip, (held.labels(TimeLineAction.BACK), "Back"))
