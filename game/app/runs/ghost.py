"""The best run walks beside: a glass ellipsoid, and how far one is ahead of it or behind."""

from __future__ import annotations

import contextlib
import math
import threading
from pathlib import Path
from typing import Any

import numpy as np

from ...render.passes.ellipsoids import EllipsoidLook
from ...sim.replay.replay_file import ReplayError
from ...sim.trial import Track, track
from . import run_verifier

COLOUR = (0.55, 0.80, 1.00)  # sRGB: pale blue glass, like nothing that levels are made of
OPACITY = 0.42
NEAR, CLEAR = 0.9, 2.4  # m from the eye: closer it is not drawn, further it is as opaque as it gets
STAYS = 2.5  # s that it stands at the end before it has gone
TURN = 65536
UNIT = math.tau / TURN

BESIDE = 3.0  # m from its way within which one is on the same way
BACK, ON = 90, 240  # ticks of its way, before and after where one was, that are looked at
FORGET = 45  # looks without the way near, after which all of it is looked at
Point = tuple[float, float, float]


class Ghost:
    """The track of a run as it is shown. `track` is None until it has been read."""

    def __init__(self, path: Path | None = None, known: Track | None = None) -> None:
        """Of a replay file, read in a thread of its own; or of a track that is known."""
        self.track = known
        self.name = "" if path is None else path.name
        if path is not None and known is None:
            threading.Thread(target=self._read, args=(path,), name="ghost", daemon=True).start()

    def _read(self, path: Path) -> None:
        record = run_verifier.read(path)
        with contextlib.suppress(ReplayError):  # a record that leads nowhere is no ghost
            if record is not None and record.whole:
                self.track = track(record)

    def look(self, seconds: float, eye: Point) -> tuple[EllipsoidLook, ...]:
        """What is drawn of it so many seconds after the clock began, seen from the eye."""
        known = self.track
        if known is None or seconds <= 0.0:
            return ()
        at = known.index(seconds)
        k = min(int(at), len(known.states) - 2)
        before, after, part = known.states[k], known.states[k + 1], at - k
        if math.dist(before["position"], after["position"]) > 1.0:  # it was put somewhere else
            part = float(part >= 1.0)
        x, y, z = (before["position"] + part * (after["position"] - before["position"])).tolist()
        fade = min(max((math.dist((x, y, z), eye) - NEAR) / (CLEAR - NEAR), 0.0), 1.0)
        fade *= min(max(1.0 - (seconds - known.seconds) / STAYS, 0.0), 1.0)
        if fade <= 0.0:
            return ()
        turn = (int(after["heading"]) - int(before["heading"]) + TURN // 2) % TURN - TURN // 2
        yaw = (int(before["heading"]) + part * turn) * UNIT
        radii, up, north = (_point(after[name]) for name in ("radii", "up", "north"))
        return (EllipsoidLook((x, y, z), radii, COLOUR, yaw, OPACITY * fade, up, north),)


def _point(values: Any) -> Point:
    x, y, z = values.tolist()
    return x, y, z


class Pace:
    """Compares a run with a track by place: how much later one is where the track was too."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """At the start."""
        self._at, self._missed = 0, 0
        self.behind: float | None = None  # s; negative is ahead; None where the ways part

    def follow(self, known: Track | None, centre: Point, seconds: float) -> float | None:
        """`behind` where one is now, so many seconds after the clock began."""
        if known is None or seconds <= 0.0:
            self.behind = None
            return None
        places = known.states["position"]
        least = known.began
        self._at = max(self._at, least)
        first, last = max(least, self._at - BACK), self._at + ON
        if self._missed > FORGET:
            first, last, self._missed = least, len(places), 0
        apart = np.linalg.norm(places[first:last] - np.array(centre), axis=1)
        nearest = int(np.argmin(apart)) if len(apart) else 0
        if not len(apart) or apart[nearest] > BESIDE:
            self._missed += 1
            self.behind = None if self._missed > FORGET // 3 else self.behind
            return self.behind
        self._at, self._missed = first + nearest, 0
        self.behind = seconds - (self._at - known.began) / known.ticks_per_second
        return self.behind
