"""Golf display: preview of the ball's path, power bar, messages and scorecard."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ...core.angles import RADIANS_PER_HEADING_UNIT
from ...core.time_format import format_strokes
from ...core.vectors import Point
from ...physics.query.rays import raycast_down
from ...physics.query.results import Hit
from ...render.overlay_layers import Overlay, OverlayFaces, OverlayPoints
from ...render.snapshot import EllipsoidInstance
from ...sim.events import BallLost, HoledOut
from ...sim.golf import BALL_MOVING, CHARGING, ROUND_DONE

if TYPE_CHECKING:
    from ...level.build.entities.golf import Golf
    from ...physics import TriangleMesh
    from ...render import Snapshot
    from ...sim import World
    from ...sim.golf import GolfRound

PREVIEW_SECONDS = 2.0  # s of the ball's path that are shown
DOT_SECONDS = 0.05  # s between two dots
DOT_COLOUR = (1.0, 0.96, 0.82)  # sRGB
DOT_SIZE = 7.0  # pixels
MARKER_DISTANCE = 3.0  # m beyond which the ball has a marker
BALL_MARKER_COLOUR = ((1.0, 1.0, 1.0, 0.95),)
BALL_COLOUR = (0.97, 0.97, 0.95)
SHADOW_COLOUR = (0.02, 0.03, 0.02)
SHADOW_RINGS = ((1.5, 0.10), (1.15, 0.14), (0.8, 0.18))  # radius in radii of the ball, and opacity
SHADOW_FADE_HEIGHT = 1.5  # m of height at which the shadow ends
SHADOW_SEGMENTS = 20
EMPTY_OVERLAY = Overlay()
SCORE_NAMES = {-3: "Albatross", -2: "Eagle", -1: "Birdie", 0: "Par", 1: "Bogey", 2: "Double bogey"}
BALL_LOST_TEXTS = {"water": "In the water", "out": "Out of bounds"}


class GolfHud:
    """The scorecard of all levels, and the cached preview."""

    def __init__(self) -> None:
        self.card: dict[tuple[str, int], tuple[int, int]] = {}  # by level and hole: par, strokes
        self._overlay_key: tuple[object, ...] = ()
        self._overlay = EMPTY_OVERLAY

    def overlay(self, world: World, heading: int, pitch: int, alpha: float = 1.0) -> Overlay | None:
        """The shadow of the ball, and the preview of its path or a marker; None without golf. alpha: position (0..1)
        between the last two ticks."""
        golf = world.golf
        if golf is None:
            return None
        at = ball_position(golf, alpha)
        key = (
            id(golf),
            golf.phase,
            golf.strength,
            at,
            heading,
            pitch,
            math.dist(at, world.walker_state.feet) > MARKER_DISTANCE,
        )
        if key != self._overlay_key:
            self._overlay = _preview_layers(golf, world, at, heading, pitch)
            self._overlay_key = key
        return self._overlay

    def describe_event(self, event: HoledOut | BallLost, world: World) -> tuple[str, str]:
        """Two lines about an event; adds a finished hole to the scorecard."""
        if isinstance(event, BallLost):
            penalty = f"Penalty stroke ({format_strokes(event.strokes)}); replay from your last spot"
            return BALL_LOST_TEXTS.get(event.reason, "Ball lost"), penalty
        self.card[str(world.level.path), event.hole] = event.par, event.strokes
        name = "Hole in one!" if event.strokes == 1 else SCORE_NAMES.get(event.strokes - event.par, "In the hole")
        detail = f"{event.name}: {format_strokes(event.strokes)}, par {event.par}"
        if len(self.card) > 1:
            detail += f"   ·   {len(self.card)} holes: {self.scorecard_total}"
        if not event.remaining and world.holes_missing == 0 and world.level.goal is not None and world.goal_tick < 0:
            detail += "   ·   Go to the flag"
        return name, detail

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


def power_bar(world: World, is_pressed_once: bool = False, with_speed: bool = False) -> tuple[float | None, str]:
    """Strength of the stroke (0..1) and its label; None while no stroke is prepared.

    is_pressed_once: a second press of the key hits, not its release. with_speed: the label names the speed (m/s).
    """
    golf = world.golf
    if golf is None or golf.phase != CHARGING:
        return None, ""
    verb = "Press again" if is_pressed_once else "Release"
    figure = f": {golf.strength * golf.course.speed:.1f} m/s" if with_speed else ""
    return golf.strength, f"{verb} to hit{figure}"


def hint_text(world: World) -> str:
    """How far the ball is, where it lies out of reach; empty without golf, or while the ball rolls."""
    golf = world.golf
    if golf is None or golf.phase in (CHARGING, ROUND_DONE, BALL_MOVING):
        return ""
    if golf.is_ball_in_reach(world.walker_state):
        return ""
    return f"Ball {math.dist(golf.at, world.walker_state.feet):.0f} m away"


def ball_position(golf: GolfRound, alpha: float = 1.0) -> Point:
    """Position of the ball (m), `alpha` (0..1) between the last two ticks."""
    x, y, z = (before + alpha * (now - before) for before, now in zip(golf.previous_position, golf.at, strict=True))
    return x, y, z


def drawn_ball(world: World, alpha: float = 1.0) -> tuple[EllipsoidInstance, ...]:
    """The golf ball of a world, if it has one."""
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
    """The golf ball as an ellipsoid."""
    return (EllipsoidInstance(at, (radius, radius, radius), BALL_COLOUR, 0.0, 1.0),)


def blob_shadow(mesh: TriangleMesh, at: Point, radius: float) -> tuple[OverlayFaces, ...]:
    """A soft round shadow on the ground below the ball, fainter with its height."""
    hit = raycast_down(mesh, at, SHADOW_FADE_HEIGHT)
    if not isinstance(hit, Hit):
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


def _preview_layers(golf: GolfRound, world: World, at: Point, heading: int, pitch: int) -> Overlay:
    """Shadow, and dots along the path of a prepared stroke or a marker on a distant ball."""
    if golf.phase == ROUND_DONE:
        return EMPTY_OVERLAY
    faces = blob_shadow(world.mesh, at, golf.course.radius)
    points: tuple[OverlayPoints, ...] = ()
    if golf.phase == CHARGING:
        rate = world.settings.ticks_per_second
        path = golf.preview(heading, pitch, golf.strength, round(PREVIEW_SECONDS * rate))
        interval = max(1, round(DOT_SECONDS * rate))
        dots = path[interval - 1 :: interval]
        fade = 1.0 - 0.75 * np.arange(len(dots)) / max(1.0, PREVIEW_SECONDS / DOT_SECONDS)
        colours = np.column_stack((np.tile(DOT_COLOUR, (len(dots), 1)), fade))
        points = (OverlayPoints(dots, colours, DOT_SIZE, 0.15),) if len(dots) else ()
    elif math.dist(at, world.walker_state.feet) > MARKER_DISTANCE:
        points = (OverlayPoints([at], BALL_MARKER_COLOUR, 6.0, 0.6),)
    return Overlay(faces=faces, points=points)
