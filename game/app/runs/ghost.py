"""Ghost of a run: a transparent figure beside the player, and the time difference to it."""

from __future__ import annotations

import contextlib
import math
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...core.angles import RADIANS_PER_HEADING_UNIT, wrap_heading
from ...core.vectors import Colour, Floats, Point, to_point
from ...physics import WalkerState
from ...render.snapshot import Body, EllipsoidInstance
from ...sim.replay.replay_file import ReplayError
from ...sim.trial import RunTrack, read_track
from ..cameras.hero import HeroPose, hero_ellipsoids, step_turns, stride_at
from .library.run_library import read_run

if TYPE_CHECKING:
    from ...core.jobs import Jobs

GHOST_COLOUR = (0.55, 0.80, 1.00)  # sRGB: pale blue, which no surface of a level has
GHOST_OPACITY = 0.42
PART_TINT = 0.2  # of the part's own colour in that of the ghost
FADE_START, FADE_END = 0.9, 2.4  # m from the eye at which it is invisible, and fully visible
LINGER_SECONDS = 2.5  # s in which it fades at its end

MAX_TRACK_DISTANCE = 3.0  # m between player and track within which they are on the same path
SEARCH_BACK, SEARCH_AHEAD = 90, 240  # ticks of the track before and after the last match that are searched
MAX_MISSES = 45  # searches without a match after which the whole track is searched
TELEPORT_DISTANCE = 1.0  # m between two ticks that are not interpolated


class GhostReplay:
    """The track of a run; `track` is None until the file has been read. name: whose run it is; empty: the best run."""

    def __init__(self, track: RunTrack | None = None, name: str = "") -> None:
        self.path: Path | None = None
        self.track = track
        self.name = name
        self._steps: Floats | None = None  # turns of the step cycle, up to each row
        self._speeds: Floats = np.zeros(0)  # m/s after each row

    @classmethod
    def read(cls, jobs: Jobs, path: Path | None, name: str = "") -> GhostReplay:
        """The ghost of a replay file, which is read in a thread."""
        self = cls(name=name)
        self.path = path
        if path is not None:
            jobs.thread("ghost", _read_file, path, done=self._receive)
        return self

    def _receive(self, track: Future[RunTrack | None]) -> None:
        if track.exception() is None:
            self.track = track.result()

    def ellipsoids_at(self, seconds: float, eye: Point) -> tuple[EllipsoidInstance, ...]:
        """The figure `seconds` after the start of the clock; faded near the eye and after its end."""
        track = self.track
        if track is None or seconds <= 0.0:
            return ()
        row = track.row_at(seconds)
        k = min(int(row), len(track.states) - 2)
        before, after = track.states[k], track.states[k + 1]
        alpha = row - k
        if math.dist(before["position"], after["position"]) > TELEPORT_DISTANCE:
            alpha = float(alpha >= 1.0)
        x, y, z = (before["position"] + alpha * (after["position"] - before["position"])).tolist()
        fade = min(max((math.dist((x, y, z), eye) - FADE_START) / (FADE_END - FADE_START), 0.0), 1.0)
        fade *= min(max(1.0 - (seconds - track.seconds) / LINGER_SECONDS, 0.0), 1.0)
        if fade <= 0.0:
            return ()
        heading = int(before["heading"])
        yaw = (heading + alpha * wrap_heading(int(after["heading"]) - heading)) * RADIANS_PER_HEADING_UNIT
        radii, up, north = (to_point(after[name]) for name in ("radii", "up", "north"))
        figure = hero_ellipsoids(
            Body((x, y, z), radii, yaw, up, north), self._pose(track, k, alpha), GHOST_OPACITY * fade
        )
        return tuple(replace(part, colour=_tint(part.colour), ghost=True) for part in figure)

    def _pose(self, track: RunTrack, k: int, alpha: float) -> HeroPose:
        """The pose between the rows k and k + 1: the feet step along the way."""
        if self._steps is None:
            moved = np.linalg.norm(np.diff(track.feet, axis=0), axis=1)
            self._speeds = moved * track.ticks_per_second
            self._steps = np.cumsum(np.append(0.0, step_turns(moved, self._speeds)))
        step = self._steps[k] + alpha * (self._steps[k + 1] - self._steps[k])
        return HeroPose(step=float(step) % 1.0, stride=stride_at(self._speeds[k], bool(track.states["grounded"][k])))


def _read_file(path: Path) -> RunTrack | None:
    record = read_run(path)
    with contextlib.suppress(ReplayError):  # a replay that cannot be simulated has no ghost
        if record is not None and record.is_complete:
            return read_track(record)
    return None


def _tint(colour: Colour) -> Colour:
    red, green, blue = (own + PART_TINT * (one - own) for own, one in zip(GHOST_COLOUR, colour, strict=True))
    return red, green, blue


class GhostPace:
    """Time difference to a track at the same place: how much later the player is there."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Start a new run."""
        self._track_index = 0
        self._missed_count = 0
        self.seconds_behind: float | None = None  # s; negative: ahead; None: not on the path of the track

    def update(self, track: RunTrack | None, state: WalkerState, seconds: float) -> float | None:
        """`seconds_behind` for a body, `seconds` after the start of the clock. It stays while the body falls or jumps,
        also past later places of the track."""
        if track is None or seconds <= 0.0:
            self.seconds_behind = None
            return None
        if not (state.grounded or state.swimming or state.climbing):
            return self.seconds_behind
        centre = state.position
        positions = track.position
        start = track.start_tick
        self._track_index = max(self._track_index, start)
        first, last = max(start, self._track_index - SEARCH_BACK), self._track_index + SEARCH_AHEAD
        if self._missed_count > MAX_MISSES:
            first, last = start, len(positions)
            self._missed_count = 0
        distances = np.linalg.norm(positions[first:last] - np.array(centre), axis=1)
        nearest = int(np.argmin(distances)) if len(distances) else 0
        if not len(distances) or distances[nearest] > MAX_TRACK_DISTANCE:
            self._missed_count += 1
            self.seconds_behind = None if self._missed_count > MAX_MISSES // 3 else self.seconds_behind
            return self.seconds_behind
        self._track_index = first + nearest
        self._missed_count = 0
        self.seconds_behind = seconds - (self._track_index - start) / track.ticks_per_second
        return self.seconds_behind
