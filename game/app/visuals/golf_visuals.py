"""Golf display: preview of the ball's path, power bar, messages and scorecard."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from ...core.angles import HEADING_UNITS_PER_TURN, RADIANS_PER_HEADING_UNIT
from ...core.time_format import format_strokes
from ...core.vectors import Point
from ...render.overlay_layers import Overlay, OverlayFaces, OverlayLines, OverlayPoints, concatenate_layers
from ...render.snapshot import EllipsoidInstance
from ...sim.events import BallLost, HoledOut
from ...sim.golf import BALL_MOVING, CHARGING, MAX_LOFT, ROUND_DONE
from .golf_aim import GolfAim, format_distance, target_name

if TYPE_CHECKING:
    from ...core.jobs import Jobs
    from ...level.build.entities.golf import Golf
    from ...physics import TriangleMesh
    from ...render import Snapshot
    from ...sim import World
    from ...sim.golf import GolfRound

MIN_BALL_PIXELS = 6.0  # of the ball, however far
TRAIL_COLOUR, TRAIL_WIDTH, MAX_TRAIL = (1.0, 1.0, 1.0), 4.0, 240  # sRGB; pixels; frames
WEAK_HIT = 1.0  # m: a stroke that goes less far is weak
BALL_PITCH = -15 * HEADING_UNITS_PER_TURN // 360  # of the view of a player who is brought to the ball: with the flag
USUAL_LOFT, LONG_STROKE = 20, 15.0  # degrees; m from which on a stroke is long
MARKER_DISTANCE = 3.0  # m beyond which the ball has a marker
BALL_MARKER_COLOUR = ((1.0, 1.0, 1.0, 0.95),)
BALL_COLOUR = (0.97, 0.97, 0.95)
SHADOW_COLOUR = (0.02, 0.03, 0.02)
SHADOW_RINGS = ((1.5, 0.10), (1.15, 0.14), (0.8, 0.18))  # radius in radii of the ball, and opacity
SHADOW_FADE_HEIGHT = 1.5  # m of height at which the shadow ends
SHADOW_SEGMENTS = 20
EMPTY_OVERLAY, NO_END = Overlay(), ("", "")
SCORE_NAMES = {-3: "Albatross", -2: "Eagle", -1: "Birdie", 0: "Par", 1: "Bogey", 2: "Double bogey"}
BALL_LOST_TEXTS = {"water": "In the water", "out": "Out of bounds"}


class GolfHud:
    """The scorecard of all levels, the aim, and the ball in flight."""

    def __init__(self) -> None:
        self.card: dict[tuple[str, int], tuple[int, int]] = {}  # by level and hole: par, strokes
        self.aim = GolfAim()
        self._overlay_key: tuple[object, ...] = ()
        self._overlay = EMPTY_OVERLAY
        self._trail: list[Point] = []  # of the ball that moves, or that came to rest last, m
        self._flight: tuple[GolfRound, Point, int, Point] | None = None  # round, place of the stroke, hole, its target
        self._end_text = NO_END  # about a stroke whose ball rests

    def overlay(
        self, world: World, heading: int, pitch: int, alpha: float = 1.0, jobs: Jobs | None = None
    ) -> Overlay | None:
        """The shadow of the ball, and the path of its stroke, its trail or a marker; None without golf. alpha: position
        (0..1) between the last two ticks. Without jobs the path is there at once, for a still picture."""
        golf = world.golf
        if golf is None:
            return None
        at = ball_position(golf, alpha)
        self._follow_flight(golf, at)
        self.aim.update(world, heading, pitch, jobs)
        key = (
            id(golf),
            golf.phase,
            at,
            id(self.aim.stroke),
            len(self._trail),
            math.dist(at, world.walker_state.feet) > MARKER_DISTANCE,
        )
        if key != self._overlay_key:
            self._overlay = self._layers(golf, world, at)
            self._overlay_key = key
        return self._overlay

    def describe_event(self, event: HoledOut | BallLost, world: World) -> tuple[str, str]:
        """Two lines about an event; adds a finished hole to the scorecard."""
        if isinstance(event, BallLost):
            penalty = f"Penalty stroke ({format_strokes(event.strokes)}); replay from your last spot"
            return BALL_LOST_TEXTS.get(event.reason, "Ball lost") + self._miss_text(), penalty
        self.card[str(world.level.path), event.hole] = event.par, event.strokes
        score = "Hole in one" if event.strokes == 1 else SCORE_NAMES.get(event.strokes - event.par, "")
        detail = f"{event.name}: {format_strokes(event.strokes)}, par {event.par}"
        if len(self.card) > 1:
            detail += f"   ·   {len(self.card)} holes: {self.scorecard_total}"
        if not event.remaining and world.holes_missing == 0 and world.level.goal is not None and world.goal_tick < 0:
            detail += "   ·   Walk to the flag to finish"
        return f"In the hole! {score}".rstrip(), detail

    def take_end_text(self) -> tuple[str, str]:
        """Distance of the last stroke, and what comes next: once, after its ball has come to rest. Else empty."""
        text, self._end_text = self._end_text, NO_END
        return text

    def _follow_flight(self, golf: GolfRound, at: Point) -> None:
        """Take the place of the ball in this frame."""
        hole = golf.current_hole
        if golf.phase == BALL_MOVING and hole is not None:
            if self._flight is None or self._flight[0] is not golf or self._flight[1] != golf.struck_from:
                self._flight, self._trail = (golf, golf.struck_from, golf.hole, golf.target), []
            self._trail = [*self._trail[1 - MAX_TRAIL :], at]
        elif self._flight is not None:
            is_own = self._flight[0] is golf and golf.hole == self._flight[2]
            if is_own and golf.at != self._flight[1]:  # lost balls and holed ones have an event
                far = math.hypot(golf.at[0] - self._flight[1][0], golf.at[2] - self._flight[1][2])
                text = f"A weak hit: {far:.1f} m" if far < WEAK_HIT else f"{far:.0f} m{self._miss_text()}"
                self._end_text = text, f"Next: the {target_name(golf)}, {format_distance(golf.target_distance)}"
            self._flight, self._trail = None, []

    def _miss_text(self) -> str:
        """`, 9 m short` or `, 14 m long, 5 m left` of the ball in flight, seen to what was aimed at; empty for less
        than 1 m."""
        if self._flight is None or not self._trail:
            return ""
        _, (x, _, z), _, target = self._flight
        dx, dz, aim = self._trail[-1][0] - x, self._trail[-1][2] - z, (target[0] - x, target[2] - z)
        length = max(math.hypot(*aim), 1e-6)
        along = round((dx * aim[0] + dz * aim[1]) / length - length)
        right = round((dz * aim[0] - dx * aim[1]) / length)
        text = f", {abs(along)} m {'long' if along > 0 else 'short'}" if along else ""
        return text + (f", {abs(right)} m {'right' if right > 0 else 'left'}" if right else "")

    def _layers(self, golf: GolfRound, world: World, at: Point) -> Overlay:
        """Shadow, the path of a stroke or the trail of the ball, and the ball where it is small."""
        if golf.phase == ROUND_DONE:
            return EMPTY_OVERLAY
        ball = OverlayPoints([at], BALL_MARKER_COLOUR, MIN_BALL_PIXELS, 0.0)
        if golf.phase != BALL_MOVING and math.dist(at, world.walker_state.feet) > MARKER_DISTANCE:
            ball = OverlayPoints([at], BALL_MARKER_COLOUR, MIN_BALL_PIXELS, 0.6)  # also behind a hill
        faces = blob_shadow(world.mesh, at, golf.course.radius)
        layers = [Overlay(faces=faces, points=(ball,)), self.aim.layers(golf, world.walker_state.feet)]
        if len(self._trail) > 1:
            fade = np.linspace(0.05, 0.8, len(self._trail) - 1)
            colours = np.column_stack((np.tile(TRAIL_COLOUR, (len(fade), 1)), fade))
            segments = np.array(list(pairwise(self._trail)))
            layers.append(Overlay(lines=(OverlayLines(segments, colours, TRAIL_WIDTH, 0.1),)))
        return concatenate_layers(layers) or EMPTY_OVERLAY

    @property
    def scorecard_total(self) -> str:
        """Total of the scorecard: `9 strokes, 2 over par`."""
        par, strokes = (sum(entry[k] for entry in self.card.values()) for k in (0, 1))
        over = strokes - par
        against = "par" if not over else f"{abs(over)} {'over' if over > 0 else 'under'} par"
        return f"{format_strokes(strokes)}, {against}"


def counter_text(world: World) -> str:
    """`Par 4   ·   2 strokes`, with the number of the hole if there are several; empty without golf."""
    golf = world.golf
    hole = golf.current_hole if golf is not None else None
    if golf is None or hole is None:
        return ""
    number = f"Hole {golf.hole + 1} of {len(golf.course.holes)}   ·   " if len(golf.course.holes) > 1 else ""
    return f"{number}Par {hole.par}   ·   {format_strokes(golf.strokes)}"


def power_bar(
    world: World, is_pressed_once: bool = False, with_speed: bool = False, aim: GolfAim | None = None
) -> tuple[float | None, str]:
    """Strength of the stroke (0..1) and its label; None while no stroke is prepared.

    is_pressed_once: a second press of the key hits, not its release. with_speed: the label names the speed (m/s). aim:
    the label says where the ball stops.
    """
    golf = world.golf
    if golf is None or golf.phase != CHARGING:
        return None, ""
    verb = "Press again" if is_pressed_once else "Release"
    figure = f": {golf.strength * golf.course.speed:.1f} m/s" if with_speed else ""
    end = "" if aim is None else aim.text(golf)
    return golf.strength, f"{verb} to hit{figure}" + (f"   ·   {end}" if end else "")


def hint_text(
    world: World,
    use: str = "",
    pitch: float = 0.0,
    aim: GolfAim | None = None,
    charging: str = "",
    far: str = "",
    fov: float = 60.0,
) -> str:
    """Of a ball in reach: how to hit (`use`), the loft of the view (`pitch`, 65536 to the turn) with the strength or
    the advice of `aim`, and the distance of the target; `charging` while one holds, `far` for a ball that lies out of
    reach. Else empty. fov: vertical, degrees."""
    golf = world.golf
    if golf is None or golf.phase in (ROUND_DONE, BALL_MOVING):
        return ""
    if golf.phase == CHARGING:
        return charging
    if not golf.is_ball_in_reach(world.walker_state):
        return far
    (x, y, z), eye = world.walker_state.feet, world.level.player.eye_height
    degrees = pitch * 360.0 / HEADING_UNITS_PER_TURN
    loft = min(max(pitch, 0.0), MAX_LOFT) * 360.0 / HEADING_UNITS_PER_TURN
    below = math.degrees(math.atan2(y + eye - golf.at[1], math.hypot(golf.at[0] - x, golf.at[2] - z)))
    advice, strength = ("", None) if aim is None else (aim.advice, aim.target_strength)
    if loft < 0.5 and degrees > 0.5 * fov - below:
        advice = advice or "look down to see the ball"
    shot = f"Loft {loft:.0f}°" if loft >= 0.5 else "Putt"
    shot += "" if strength is None else f" at {strength:.0%}"
    if loft < 0.5 and not advice and golf.target_distance > LONG_STROKE:
        advice = f"or look up {USUAL_LOFT}° to loft"
    distance = f"{target_name(golf).capitalize()} {format_distance(golf.target_distance)}"
    return f"{use}   ·   {shot}{advice and f', {advice}'}   ·   {distance}" if use else ""


def ball_position(golf: GolfRound, alpha: float = 1.0) -> Point:
    """Position of the ball (m), `alpha` (0..1) between the last two ticks."""
    x, y, z = (before + alpha * (now - before) for before, now in zip(golf.previous_position, golf.at, strict=True))
    return x, y, z


def drawn_ball(world: World, alpha: float = 1.0) -> tuple[EllipsoidInstance, ...]:
    return () if world.golf is None else ball_ellipsoids(ball_position(world.golf, alpha), world.golf.course.radius)


def add_static_ball(shot: Snapshot, course: Golf, world: World | None) -> Snapshot:
    """A still picture with the ball: of a world, or on the first tee."""
    if world is None:
        x, y, z = course.holes[0].tee
        return replace(shot, ellipsoids=(*shot.ellipsoids, *ball_ellipsoids((x, y + course.radius, z), course.radius)))
    heading, pitch = (round(angle / RADIANS_PER_HEADING_UNIT) for angle in (shot.view.yaw, shot.view.pitch))
    layers = GolfHud().overlay(world, heading, pitch)
    return replace(shot, overlay=layers, ellipsoids=(*shot.ellipsoids, *drawn_ball(world)))


def ball_ellipsoids(at: Point, radius: float) -> tuple[EllipsoidInstance, ...]:
    return (EllipsoidInstance(at, (radius, radius, radius), BALL_COLOUR, 0.0, 1.0),)


def blob_shadow(mesh: TriangleMesh, at: Point, radius: float) -> tuple[OverlayFaces, ...]:
    """A soft round shadow on the ground below the ball, fainter with its height."""
    hit = mesh.ground_below(at, SHADOW_FADE_HEIGHT)
    if hit is None:
        return ()
    strength = 1.0 - (hit.distance - radius) / SHADOW_FADE_HEIGHT
    normal = np.array(hit.normal)
    middle = np.array(hit.point)
    across = np.cross(normal, (0.0, 0.0, 1.0))
    across /= max(float(np.linalg.norm(across)), 1e-9)
    along = np.cross(across, normal)
    angle = np.arange(SHADOW_SEGMENTS + 1) * (math.tau / SHADOW_SEGMENTS)
    circle = np.cos(angle)[:, None] * across + np.sin(angle)[:, None] * along
    triangles = []
    colours = []
    for size, opacity in SHADOW_RINGS:
        rim = middle + 0.004 * normal + radius * size * (1.0 + 0.8 * (1.0 - strength)) * circle
        for k in range(SHADOW_SEGMENTS):
            triangles.append((middle + 0.004 * normal, rim[k], rim[k + 1]))
            colours.append((*SHADOW_COLOUR, opacity * strength * strength))
    return (OverlayFaces(np.array(triangles), np.array(colours), shaded=False),)
