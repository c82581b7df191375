"""Guide: title card, goal markers and hints of the level that is played."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from ...core.time_format import format_result
from ...render.overlay_layers import Overlay, OverlayFaces, concatenate_layers, ring_triangles
from ...render.snapshot import ScreenMarker, TitleCard
from ...sim.events import Event, GoalReached, HoledOut, TargetReached
from ..input.actions import PlayAction
from ..runs import medals, progress
from ..runs.target_words import describe_found
from ..settings.mode_names import PLAYING
from . import aim
from .hints import HintGuide, is_walking
from .lift_clock import Visit, lift_text
from .objectives import Objective, ObjectiveFinder, ObjectiveKind
from .route import REACHES, Cue, RouteFinder, dotted_line

if TYPE_CHECKING:
    from ...core.vectors import Floats, Point
    from ...render import Camera, Snapshot
    from ...sim import Session, World
    from ..game import Game

# Part of the picture for markers, as fractions of it: timer, counter and hints stay free.
LEFT, RIGHT, TOP, BOTTOM = 0.05, 0.95, 0.16, 0.86
FADE_DISTANCES = (2.0, 4.5)  # m from the eye: in the picture invisible up to the first, opaque from the second on
TURN_FADE_DISTANCES = (0.3, 0.6)  # m, likewise of a turn, after which the next one is shown
NO_FADE = (0.0, 0.01)  # m, likewise: a marker above its place, which it does not cover
GOLF_NAMES = {ObjectiveKind.BALL: "Ball", ObjectiveKind.HOLE: "Flag", ObjectiveKind.WAY: "Play here first"}
MIN_DIRECTION = 1e-6  # of a direction in the picture; a place right behind the eye has none
HINT_SECONDS = 0.045  # s between two updates of the hints: every third frame at 60 fps
DOTTED_SECONDS = 3.0  # s that the dotted line is shown after the key
WARNING_SECONDS = 2.0  # s before a lift comes, in which its bell rings and its lamp is lit
LAMP_RADIUS = 0.55  # m
LAMP_COLOURS = (1.0, 0.7, 0.15, 0.9), (0.35, 1.0, 0.45, 0.9)  # before the lift comes, and while it is there
MARKER_SECONDS = 7.0  # s that the markers are shown after the key where they are turned off
MIN_SECONDS, MAX_SECONDS = 3.0, 9.0  # s that the card is shown at the start of a level: with and without a movement
CALLED_SECONDS = 7.0  # s that it is shown after its key
FADE_IN_SECONDS = 0.35
FADE_OUT_SECONDS = 0.6
OPACITY_STEPS = 20  # so that few different layouts are made while it fades


class CardTimer:
    """Opacity of the card over time."""

    def __init__(self) -> None:
        self._shown = 0.0  # s since it began to appear
        self._left = 0.0  # s until it begins to fade out
        self._min_left = 0.0  # s until a movement makes it fade
        self._fading = FADE_OUT_SECONDS  # s of fading out so far

    def begin(self, seconds: float = MAX_SECONDS, min_seconds: float = MIN_SECONDS) -> None:
        """Show the card for some seconds; after `min_seconds` a movement ends it."""
        self._shown = self._fading = 0.0
        self._left = seconds
        self._min_left = min_seconds

    def end(self) -> None:
        """Let the card fade now."""
        self._left = 0.0

    @property
    def is_up(self) -> bool:
        """Whether the card is shown and does not fade yet."""
        return self._left > 0.0

    def update(self, seconds: float, is_moving: bool) -> None:
        """Advance by a frame of play."""
        self._shown += seconds
        self._min_left -= seconds
        if self._left > 0.0:
            self._left = 0.0 if is_moving and self._min_left <= 0.0 else self._left - seconds
        else:
            self._fading += seconds

    def opacity(self, is_animated: bool) -> float:
        """0 to 1; without animation one of the two."""
        if self._left <= 0.0 and (self._fading >= FADE_OUT_SECONDS or not is_animated):
            return 0.0
        if not is_animated:
            return 1.0
        fraction = min(self._shown / FADE_IN_SECONDS, 1.0 - self._fading / FADE_OUT_SECONDS, 1.0)
        return round(max(fraction, 0.0) * OPACITY_STEPS) / OPACITY_STEPS


def describe_level(world: World) -> TitleCard:
    """The card of a level in its present state, opaque."""
    level = world.level
    spawn = world.start.name
    best = progress.level_record(level, spawn).best
    best_text = medal_name = next_text = ""
    limits = medals.medal_limits(level, spawn)
    if best is not None:
        best_text = f"Best {format_result(best.seconds, best.strokes)}"
    if limits is not None:
        medal = None if best is None else limits.medal_for(best.seconds, best.strokes)
        medal_name = "" if medal is None else medal.value
        wanted = limits.next_above(medal)
        next_text = "" if wanted is None else f"Next medal: {limits.describe(wanted)}"
    found = len(level.targets) - world.targets_left
    collected = describe_found(level, found) if found else aim.describe_collection(level)
    return TitleCard(level.name, aim.describe_aim(level, world), collected, best_text, medal_name, next_text)


class Guide:
    """Guidance of one game. It reads the game's state and changes nothing but the picture.

    rings_bell   whether the bell of a lift begins to ring in this frame
    """

    def __init__(self, context: Game) -> None:
        self.context = context
        self.hints = HintGuide()
        self.card_timer = CardTimer()
        self.objectives = ObjectiveFinder()
        self.routes = RouteFinder(context.jobs)
        self._objective: Objective | None = None
        self._session: Session | None = None
        self._card: TitleCard | None = None
        self._markers_left = 0.0  # s
        self._hint_seconds = 0.0  # s since the hints were updated
        self.rings_bell = False
        self._announced: Visit | None = None  # the visit of a lift whose bell has rung
        self._lamp: tuple[Floats, tuple[float, float, float, float]] | None = None  # ring on the floor, and its colour

    @property
    def is_active(self) -> bool:
        """Whether a player plays: not in the replay viewer."""
        return self.context.runs.time_trial.enabled and self.context.session is not None

    def show_aim(self) -> None:
        """Show the card with the present progress, the markers, and the way on the floor; a second time hides them. The
        card that a level opens with goes, so that it does not cover the way."""
        if not self.is_active:
            return
        self.hints.mark_used("aim")
        if self.card_timer.is_up:
            self.card_timer.end()
            shows_way = self.routes.shows_dots
            self.routes.show_dots(0.0 if shows_way else DOTTED_SECONDS)
            self._markers_left = 0.0 if shows_way else MARKER_SECONDS
            return
        card, route = describe_level(self.context.world), self.routes.route
        way = "" if route is None else f"{route.length:.0f} m to walk"
        medal = "" if self.context.runs.time_trial.void_reason else card.next_medal
        self._card = replace(card, collected="   ·   ".join(filter(None, (card.collected, way))), next_medal=medal)
        self.card_timer.begin(CALLED_SECONDS, CALLED_SECONDS)
        self._markers_left = MARKER_SECONDS
        self.routes.show_dots(DOTTED_SECONDS)

    def on_event(self, event: Event) -> None:
        if self.is_active:
            self.hints.on_event(event)
        if isinstance(event, (GoalReached, TargetReached, HoledOut)):
            self.card_timer.end()  # what it says is done

    def update(self, seconds: float) -> None:
        """Advance by a frame of play of `seconds`."""
        context, session = self.context, self.context.session
        if session is None or not self.is_active:
            return
        if session is not self._session:
            self._session = session
            self.objectives = ObjectiveFinder()
            self.hints.begin_level()
            self._card = describe_level(session.world)
            self.card_timer = CardTimer()
            if session.world.tick == 0:  # who continues needs the marker, which the card may cover
                self.card_timer.begin()
            self._hint_seconds = HINT_SECONDS
        self.card_timer.update(seconds, is_walking(context.input.held))
        self._markers_left -= seconds
        was_to_ball = self._objective is not None and self._objective.kind is ObjectiveKind.BALL
        found = self.objectives.find(session.world)
        if self._shows_markers:
            self.routes.update(session.world, [one for one in found if one.kind in REACHES], seconds)
        route = self.routes.route
        is_led = route is not None and route.objective in found
        self._objective = route.objective if route is not None and is_led else next(iter(found), None)
        if was_to_ball and self._objective is not None and self._objective.kind is not ObjectiveKind.BALL:
            self.card_timer.end()  # it would cover the path of the stroke
        self._announce_lift()
        self._hint_seconds += seconds
        if self._hint_seconds >= HINT_SECONDS:
            self.hints.update(context, self._hint_seconds)
            self._hint_seconds = 0.0
        if context.feedback.message is None and (problem := self.hints.memory.take_problem()):
            context.feedback.show_message("Your hints", problem, 8.0)

    def _announce_lift(self) -> None:
        """Before the lift of the way comes, ring its bell, and light its lamp until it has gone."""
        route, world = self.routes.route, self.context.world
        self._lamp, self.rings_bell = None, False
        if route is None or route.visit is None or route.boarding is None or route.rides or not self._lift_text:
            return
        comes = route.visit[0] - world.tick
        if comes > WARNING_SECONDS * world.settings.ticks_per_second:
            return
        if comes > 0 and self._announced != route.visit:
            self._announced, self.rings_bell = route.visit, True
        self._lamp = ring_triangles(route.boarding, LAMP_RADIUS), LAMP_COLOURS[comes <= 0]

    @property
    def _shows_markers(self) -> bool:
        return self.context.settings.goal_marker or self._markers_left > 0.0

    @property
    def _lift_text(self) -> str:
        """About the next lift of the way, or the one that carries the player."""
        route = self.routes.route
        if route is None or not self._shows_markers:
            return ""
        return lift_text(self.context.world, route.visit, route.rides)

    @property
    def hint_text(self) -> str:
        """The hint of this frame; empty where none is needed."""
        if not self.is_active:
            return ""
        return self._lift_text or self._cue_text or self.hints.text(self.context)

    @property
    def _cue_text(self) -> str:
        """The key or the move, besides walking, at the next turn of the way."""
        route, held = self.routes.route, self.context.input.held
        if route is None or not self._shows_markers or route.cue == Cue.NONE:
            return ""
        return f"{held.describe(PlayAction.JUMP)}: jump" if route.cue == Cue.JUMP else "Dive: look down and swim"

    def apply_to_frame(self, shot: Snapshot, mode: str, aspect: float) -> Snapshot:
        """The finished snapshot of a frame with the card and the marker, over play only."""
        context = self.context
        if mode != PLAYING or not self.is_active or shot.hud.panel is not None or self._session is not context.session:
            return shot
        opacity = self.card_timer.opacity(not context.settings.reduce_motion)
        card = None if self._card is None or opacity <= 0.0 else replace(self._card, opacity=opacity)
        marker = self._marker(shot.view, aspect) if self._shows_markers else None
        layers = [] if shot.overlay is None else [shot.overlay]
        if len(self.routes.dots):
            layers.append(dotted_line(self.routes.dots))
        if self._lamp is not None:
            layers.append(Overlay(faces=(OverlayFaces(*self._lamp, shaded=False),)))
        if layers:
            shot = replace(shot, overlay=concatenate_layers(layers))
        return replace(shot, hud=replace(shot.hud, title_card=card, markers=() if marker is None else (marker,)))

    def _marker(self, view: Camera, aspect: float) -> ScreenMarker | None:
        """The one marker, of where to go next: the next turn of the way, without a number, else the objective with its
        distance, or the key that leads to the ball. A stroke is aimed by the distance in the line at the bottom."""
        objective, route, world = self._objective, self.routes.route, self.context.world
        if objective is None:
            return None
        kind = objective.kind
        if route is not None and route.turn is not None and route.objective == objective:
            marker, name, has_number = project_place("way", route.turn, view, aspect, TURN_FADE_DISTANCES), "", False
        else:
            fade = FADE_DISTANCES if kind in (ObjectiveKind.GOAL, ObjectiveKind.TARGET) else NO_FADE
            marker = project_place(kind.name.lower(), objective.at, view, aspect, fade)
            name = GOLF_NAMES.get(kind, "")
            has_number = world.golf is None or not world.golf.is_ball_in_reach(world.walker_state)
        if marker is None:
            return None
        key = self.context.input.held.describe(PlayAction.CHECKPOINT) if kind is ObjectiveKind.BALL else ""
        distance = marker.distance if has_number else None
        return replace(marker, name=name, distance=distance, detail=f"{key}: to the ball" if key else "")


def project_place(
    kind: str, at: Point, view: Camera, aspect: float, fade: tuple[float, float] = FADE_DISTANCES
) -> ScreenMarker | None:
    """Marker of a place, m, in the picture of a camera, or an arrow at its edge; None where it is seen too near.
    aspect: width over height. fade: distances, m, at which what is in the picture is invisible and opaque."""
    offset = [a - b for a, b in zip(at, view.eye, strict=True)]
    distance = math.hypot(*offset)
    right, up, forward = (sum(a * b for a, b in zip(offset, axis.tolist(), strict=True)) for axis in view.basis())
    horizontal, vertical = view.half_fov_tangents(aspect)
    across, down = right / horizontal, -up / vertical  # times 1 / forward: -1..1 in the picture
    if forward > view.near:
        x, y = 0.5 + 0.5 * across / forward, 0.5 + 0.5 * down / forward
        if LEFT <= x <= RIGHT and TOP <= y <= BOTTOM:
            opacity = min(max((distance - fade[0]) / (fade[1] - fade[0]), 0.0), 1.0)
            return ScreenMarker(kind, x, y, distance, opacity) if opacity > 0.0 else None
    length = math.hypot(across, down)
    across, down = (across / length, down / length) if length > MIN_DIRECTION * distance else (0.0, 1.0)
    x, y = _edge_point(across, down)
    pixels = math.hypot(across * aspect, down)
    return ScreenMarker(kind, x, y, distance, 1.0, (across * aspect / pixels, down / pixels))


def _edge_point(across: float, down: float) -> tuple[float, float]:
    """Point at the border of the part for markers, in a direction from the centre of the picture."""
    reach_across = (RIGHT - 0.5 if across > 0.0 else 0.5 - LEFT) / abs(across) if across else math.inf
    reach_down = (BOTTOM - 0.5 if down > 0.0 else 0.5 - TOP) / abs(down) if down else math.inf
    reach = min(reach_across, reach_down)
    return 0.5 + reach * across, 0.5 + reach * down
