"""Aim of a golf stroke: its predicted path, and the strength for what is aimed at, found in threads."""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import Future
from copy import copy
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from ...core.angles import heading_from_degrees
from ...core.vectors import Point, to_point
from ...render.overlay_layers import Overlay, OverlayFaces, OverlayLines, ring_triangles
from ...sim.events import BallLossReason
from ...sim.golf import CHARGING, READY

if TYPE_CHECKING:
    from ...core.jobs import Jobs
    from ...sim import World
    from ...sim.golf import GolfRound, PredictedStroke

Answer = TypeVar("Answer")

STILL_FRAMES = 12  # frames for which the view stands still before the strength for the target is looked for
PATH_TICKS = 3  # between two points of the drawn path
PATH_WIDTH = 5.0  # pixels
PATH_COLOUR = (1.0, 0.96, 0.82)  # sRGB
LOST_COLOUR = (1.0, 0.42, 0.30)
HOLED_COLOUR = (0.55, 1.0, 0.55)
GUIDE_OPACITY = 0.45  # of the path at the strength for the target, before one charges
RING_RADIUS, RING_PER_METRE = 0.35, 0.022  # m, and radians of the view: a ring is at least so large
LOST_TEXTS = {BallLossReason.WATER: "in the water", BallLossReason.OUT_OF_BOUNDS: "out of bounds"}


class _Latest(Generic[Answer]):
    """The answer of a thread to the latest question; `key` names the question that `value` answers."""

    def __init__(self, name: str) -> None:
        self.key: Any = None
        self.value: Answer | None = None
        self._name = name
        self._job: Future[Answer] | None = None

    def ask(self, key: Any, function: Callable[[], Answer], jobs: Jobs | None) -> None:
        """Ask, unless this was asked last, or an answer is awaited. Without jobs the answer is there at once."""
        if key == self.key:
            return
        if jobs is None:
            self.key, self.value = key, function()
        elif self._job is None or self._job.done():
            self._job = jobs.thread(self._name, function, done=lambda job: self._receive(key, job))

    def _receive(self, key: Any, job: Future[Answer]) -> None:
        if job.exception() is None:
            self.key, self.value = key, job.result()


def _answer(golf: GolfRound, heading: int, pitch: int) -> tuple[float | None, str]:
    """The strength of this view for the target, and where no strength is good the reason, with the loft that helps."""
    strength = golf.strength_for_target(heading, pitch)
    if strength is not None:
        return strength, ""
    loft = golf.loft_for_target(heading, pitch)
    if loft is not None:
        is_low = heading_from_degrees(loft) > pitch
        return None, f"too low: look up to {loft}°" if is_low else f"too high: look down to {loft}°"
    if golf.target_distance > golf.reach:
        return None, f"the {target_name(golf)} is farther than one stroke"
    return None, f"no strength is good: turn to the {target_name(golf)}, or play less far"


def format_distance(metres: float) -> str:
    """`48 m`, of a short putt `2.5 m`."""
    return f"{metres:.0f} m" if metres >= 9.5 else f"{metres:.1f} m"


def target_name(golf: GolfRound) -> str:
    """Name of what the player aims at: the flag, or the marker of the place before it."""
    return "marker" if golf.is_via_next else "flag"


class GolfAim:
    """Predictions of one round.

    stroke           that with the present view; None while there is none
    target_strength  after which the ball stops nearest to the target; None while it is not known, or where none is good
    advice           why no strength is good, and what to do; empty otherwise
    """

    def __init__(self) -> None:
        self.stroke: PredictedStroke | None = None
        self.target_strength: float | None = None
        self.advice = ""
        self._strokes: _Latest[PredictedStroke] = _Latest("golf path")
        self._answers: _Latest[tuple[float | None, str]] = _Latest("golf strength")
        self._view: Any = None
        self._still_frames = 0

    def update(self, world: World, heading: int, pitch: int, jobs: Jobs | None) -> None:
        """Call once a frame. Without jobs the answers are there at once, for a still picture."""
        golf = world.golf
        if golf is None or golf.phase not in (READY, CHARGING) or not golf.is_ball_in_reach(world.walker_state):
            self.stroke = self.target_strength = self._view = None
            self.advice = ""
            return
        view = id(golf), golf.hole, golf.at, heading, pitch
        self._still_frames = self._still_frames + 1 if view == self._view else 0
        self._view = view
        if self._still_frames >= STILL_FRAMES or jobs is None:
            self._answers.ask(view, partial(_answer, copy(golf), heading, pitch), jobs)
        answer = self._answers.value if self._answers.key == view else None
        self.target_strength, self.advice = answer or (None, "")
        strength = golf.strength if golf.phase == CHARGING else self.target_strength
        if strength is None:
            self.stroke = None
            return
        predict = partial(copy(golf).predict, heading, pitch, strength)
        # It takes about 2 ms, and the figure and the bar agree in each frame.
        self._strokes.ask((*view, strength), predict, None if golf.phase == CHARGING else jobs)
        is_same = self._strokes.key is not None and self._strokes.key[:3] == view[:3]  # a frame ago is near enough
        self.stroke = self._strokes.value if is_same else None

    def text(self, golf: GolfRound) -> str:
        """Distance at which the ball stops: `42 m, flag 48 m`; empty while nothing is predicted."""
        stroke = self.stroke
        if stroke is None:
            return ""
        if stroke.is_holed:
            return "in the hole"
        end = format_distance(golf.plan_distance(to_point(stroke.path[-1])))
        lost = f" {LOST_TEXTS[stroke.lost]}" if stroke.lost is not None else ""
        return f"{end}{lost}, {target_name(golf)} {format_distance(golf.target_distance)}"

    def layers(self, golf: GolfRound, eye: Point) -> Overlay:
        """The path of the stroke and a ring where the ball stops. eye: of the player, m."""
        stroke = self.stroke
        if stroke is None or not len(stroke.path):
            return Overlay()
        colour = HOLED_COLOUR if stroke.is_holed else PATH_COLOUR if stroke.lost is None else LOST_COLOUR
        opacity = 1.0 if golf.phase == CHARGING else GUIDE_OPACITY
        points = np.concatenate([[golf.at], stroke.path[PATH_TICKS - 1 :: PATH_TICKS], stroke.path[-1:]])
        segments = np.stack([points[:-1], points[1:]], axis=1)
        line = OverlayLines(segments, (*colour, opacity), PATH_WIDTH, 0.25 * opacity, depth_bias=0.01)
        end = to_point(stroke.path[-1])
        ring = ring_triangles(end, max(RING_RADIUS, RING_PER_METRE * math.dist(end, eye)))
        return Overlay(faces=(OverlayFaces(ring, (*colour, 0.9 * opacity), shaded=False),), lines=(line,))
