"""The best run walks beside: a glass ellipsoid, and how far one is ahead of it or behind."""

from __future__ import annotations

import contextlib
import math
import threading
from pathlib import Path
from typing import Any

import numpy as np

from ...render.snapshot import EllipsoidInstance
from ...sim.replay.replay_file import ReplayError
from ...sim.trial import RunTrack, read_track
from . import run_verifier

GHOST_COLOUR = (0.55, 0.80, 1.00)  # sRGB: pale blue glass, like nothing that levels are made of
GHOST_OPACITY = 0.42
FADE_START, FADE_END = 0.9, 2.4  # m from the eye: closer it is not drawn, further it is as opaque as it gets
LINGER_SECONDS = 2.5  # s that it stands at the end before it has gone
HEADING_UNITS_PER_TURN = 65536
RADIANS_PER_HEADING_UNIT = math.tau / HEADING_UNITS_PER_TURN

MAX_TRACK_DISTANCE = 3.0  # m from its way within which one is on the same way
SEARCH_BACK, SEARCH_AHEAD = 90, 240  # ticks of its way, before and after where one was, that are looked at
MAX_MISSES = 45  # looks without the way near, after which all of it is looked at
Point = tuple[float, float, float]


class GhostReplay:
    """The track of a run as it is shown. `read_track` is None until it has been read."""

    def __init__(self, path: Path | None = None, known: RunTrack | None = None) -> None:
        """Of a replay file, read in a thread of its own; or of a track that is known."""
        self.track = known
        self.run_file = "" if path is None else path.name
        if path is not None and known is None:
            threading.Thread(target=self._read, args=(path,), name="ghost", daemon=True).start()

    def _read(self, path: Path) -> None:
        record = run_verifier.read_run(path)
        with contextlib.suppress(ReplayError):  # a record that leads nowhere is no ghost
            if record is not None and record.is_complete:
                self.track = read_track(record)

    def ellipsoid_at(self, seconds: float, eye: Point) -> tuple[EllipsoidInstance, ...]:
        """What is drawn of it so many seconds after the clock began, seen from the eye."""
        known = self.track
        if known is None or seconds <= 0.0:
            return ()
        at = known.row_at(seconds)
        k = min(int(at), len(known.states) - 2)
        before, after, part = known.states[k], known.states[k + 1], at - k
        if math.dist(before["position"], after["position"]) > 1.0:  # it was put somewhere else
            part = float(part >= 1.0)
        x, y, z = (before["position"] + part * (after["position"] - before["position"])).tolist()
        fade = min(max((math.dist((x, y, z), eye) - FADE_START) / (FADE_END - FADE_START), 0.0), 1.0)
        fade *= min(max(1.0 - (seconds - known.seconds) / LINGER_SECONDS, 0.0), 1.0)
        if fade <= 0.0:
            return ()
        turn = (
            int(after["heading"]) - int(before["heading"]) + HEADING_UNITS_PER_TURN // 2
        ) % HEADING_UNITS_PER_TURN - HEADING_UNITS_PER_TURN // 2
        yaw = (int(before["heading"]) + part * turn) * RADIANS_PER_HEADING_UNIT
        radii, up, north = (_as_point(after[name]) for name in ("radii", "up", "north"))
        return (EllipsoidInstance((x, y, z), radii, GHOST_COLOUR, yaw, GHOST_OPACITY * fade, up, north),)


def _as_point(values: Any) -> Point:
    x, y, z = values.tolist()
    return x, y, z


class GhostPace:
    """Compares a run with a track by place: how much later one is where the track was too."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """At the start."""
        self._track_index, self._missed_count = 0, 0
        self.seconds_behind: float | None = None  # s; negative is ahead; None where the ways part

    def update(self, known: RunTrack | None, centre: Point, seconds: float) -> float | None:
        """`behind` where one is now, so many seconds after the clock began."""
        if known is None or seconds <= 0.0:
            self.seconds_behind = None
            return None
        places = known.states["position"]
        least = known.start_tick
        self._track_index = max(self._track_index, least)
        first, last = max(least, self._track_index - SEARCH_BACK), self._track_index + SEARCH_AHEAD
        if self._missed_count > MAX_MISSES:
            first, last, self._missed_count = least, len(places), 0
        apart = np.linalg.norm(places[first:last] - np.array(centre), axis=1)
        nearest = int(np.argmin(apart)) if len(apart) else 0
        if not len(apart) or apart[nearest] > MAX_TRACK_DISTANCE:
            self._missed_count += 1
            self.seconds_behind = None if self._missed_count > MAX_MISSES // 3 else self.seconds_behind
            return self.seconds_behind
        self._track_index, self._missed_count = first + nearest, 0
        self.seconds_behind = seconds - (self._track_index - known.start_tick) / known.ticks_per_second
        return self.seconds_behind
