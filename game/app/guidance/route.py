"""Route to the next objective: the walkable way from where the player stands, found in a thread."""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import TYPE_CHECKING

import numpy as np

from ...core.jobs import Jobs, Worker
from ...core.vectors import Floats, Point, to_point
from ...level.build.entities.zones import STANDARD_GRAVITY
from ...render.overlay_layers import Overlay, OverlayPoints
from .lift_clock import Visit, next_visit
from .objectives import Objective, ObjectiveKind

if TYPE_CHECKING:
    from ...level import Level
    from ...level.build.entities.zones import LevelZone
    from ...physics import WalkerState
    from ...sim import World
    from ...sim.bots.reach_graph import ReachGraph
    from ...sim.bots.ways import DistanceField, Turn, Way

EXPLORERS = Worker("explorers", niceness=10)
INTERVAL_SECONDS = 0.25  # s between two searches
REACHES = {  # m around an objective in which a place of the way may lie, tried in order
    ObjectiveKind.GOAL: (0.0,),  # beside its radius
    ObjectiveKind.TARGET: (1.5, 4.0, 10.0),
    ObjectiveKind.BALL: (1.5, 4.0),
}
MARKER_HEIGHT = 1.6  # m above the ground at a turn: about the eye, so that a near one is not below the picture
MAX_ASIDE = 1.0  # m from the straight line to the end, within which a way has no turn
END_DISTANCE = 1.5  # m from the end of the way, within which a turn is the end itself
BOARDING_DISTANCE = 5.0  # m from the feet to a lift whose time is told
FORGET = 3600  # ticks before a visit that were restarted
SIGHT_MARGIN = 0.3  # m before an objective that may be hidden
MAX_DETOUR = 1.3  # times the distance to an objective in sight: a way of that length hardly leads round
CUE_DISTANCE = 2.0  # m to where one jumps
DIVE_DEPTH = 0.4  # m that the way leads down in water
ZONE_MARGIN = 1.0  # m around a ladder or a pad in which a place of the way belongs to it
LADDER_BEHIND = 1.0  # m from the middle of a ladder to the mark, behind its rungs: who walks towards it climbs
LADDER_AHEAD = 2.5  # m from the feet up to that mark
FALL_STEP, MAX_FALL = 0.1, 3.0  # s between two looks at where a fall ends, and its longest time
FALL_RAY = 0.3  # m above the feet at which these looks lead
SWITCH_SECONDS = 3.0  # s by which the way to another target must be faster, so that the marker does not jump to and fro
MAX_TARGETS = 8  # the nearest ones, to which ways are looked for
MAX_FIELDS = 2 * MAX_TARGETS
STEADY_COSINE = 0.9  # of the largest angle, 26 degrees, by which the marker turns at once
WANTED_SECONDS = 0.5  # s that a larger turn is wanted before the marker makes it
STEADY_SECONDS = 1.0  # s from one such turn to the next
PASSED_DISTANCE = 2.0  # m in plan to the place of the marker, from which on it goes on at once
DOT_STEP, DOT_HEIGHT = 0.5, 0.07  # m between two dots, and above the ground
MAX_DOTS = 160
FLIGHT_POINTS = 16  # of the line along a flight
DOT_SIZE = 9.0  # pixels
DOT_COLOUR = (1.0, 0.86, 0.42)  # sRGB
HIDDEN_OPACITY = 0.18  # of a dot behind a wall
NO_DOTS = np.zeros((0, 3))


class Cue(Enum):
    """What a player does at the next turn, besides walking."""

    NONE = auto()
    JUMP = auto()
    DIVE = auto()


@dataclass(frozen=True, slots=True)
class Route:
    """A way to an objective.

    turn       point above the next turn, m; None where the player goes straight to the objective
    length     m
    dots       points along the way (n,3), m; none unless they were asked for
    visit      a platform's stop at which the player steps on, during a ride (`rides`) off
    boarding   place of that stop, m
    rides      whether a lift carries the player
    cue        what to do at the turn
    """

    objective: Objective
    turn: Point | None
    length: float
    dots: Floats
    visit: Visit | None = None
    boarding: Point | None = None
    rides: bool = False
    cue: Cue = Cue.NONE


@dataclass
class RoutePlanner:
    """Plans the ways in one level. A thread of its own calls it; only one at a time."""

    level: Level
    graph: ReachGraph | None = None
    is_explored: bool = True  # whether there is a graph; False once none was found
    _visit: tuple[Point | None, Visit | None] = None, None  # boarding place and visit of the last answer
    _fields: dict[Objective, DistanceField | None] = field(default_factory=dict)
    _last: tuple[Objective, Way, int] | None = None  # the last way, and the place of its turn

    def plan(
        self, objectives: Sequence[tuple[Objective, Point]], walker: WalkerState, tick: int, with_dots: bool
    ) -> Route | None:
        """The route of a walker to the objective with the fastest way, of those that are given with their ground, m;
        None where no way is known. tick: of the world. with_dots: the dots take ten times as long."""
        from ...sim.bots import reach_graph

        mover = walker.mover
        flies = not (walker.grounded or walker.swimming or walker.climbing)
        landing = self._landing(walker) if flies else walker.feet
        feet = landing or walker.feet
        found: tuple[float, Objective, DistanceField, Way] | None = None
        for one, at in objectives:
            field = self._field(one, at)
            is_last = self._last is not None and self._last[0] == one
            kept = self._last[1] if self._last is not None and is_last else None
            tried = None if field is None or landing is None else field.way_from(landing, kept)
            if tried is None and flies and kept is not None:
                tried = kept.rest_from(walker.feet)
            seconds = math.inf if tried is None else tried.seconds - SWITCH_SECONDS * is_last
            if field is not None and tried is not None and (found is None or seconds < found[0]):
                found = seconds, one, field, tried
        if found is None:
            return None
        _, objective, distances, way = found
        before = self._last[2] if self._last is not None and self._last[0] == objective else -1
        turn = distances.next_turn(feet, way, before)
        self._last = objective, way, turn.place
        is_end = float(np.linalg.norm(turn.feet - way.points[-1])) < END_DISTANCE and turn.kind == reach_graph.WALK
        is_direct = is_end or _is_straight(way, feet) or self._is_seen_beside(objective, way, walker)
        marked = None if is_direct else self._marked(turn, way, walker)
        aside = np.linalg.norm(np.cross(turn.feet - feet, walker.up))
        near = aside < CUE_DISTANCE or turn.kind != reach_graph.WALK
        cue = Cue.NONE
        if turn.kind in (reach_graph.JUMP, reach_graph.LEAP) and near:
            cue = Cue.JUMP
        elif turn.kind == reach_graph.SWIM and walker.swimming and turn.feet[1] < feet[1] - DIVE_DEPTH:
            cue = Cue.DIVE
        dots = NO_DOTS
        if with_dots:
            dots = _dots(self._line(feet, way, distances.corners(feet, way)))
        visit = self._next_visit(way, feet, tick, mover)
        return Route(objective, marked, way.length, dots, visit, self._visit[0], mover >= 0, cue)

    def _is_seen_beside(self, objective: Objective, way: Way, walker: WalkerState) -> bool:
        """Whether nothing is between the eye and the objective, and the way leads there on foot and hardly round."""
        from ...sim.bots.reach_graph import WALK

        eye = np.array(walker.feet) + 2.0 * self.level.player.eye * walker.radii[1] * np.array(walker.up)
        line = objective.at - eye
        distance = float(np.linalg.norm(line))
        if way.length > MAX_DETOUR * distance or (way.kinds != WALK).any():
            return False
        return distance <= SIGHT_MARGIN or not self.level.mesh.raycast_any(eye, line, distance - SIGHT_MARGIN)

    def _marked(self, turn: Turn, way: Way, walker: WalkerState) -> Point:
        """The point that marks a turn: over its ground, or in the middle of the ladder or the pad that begins there. On
        a ladder it lies behind the rungs, a little higher than the eye, until its end is near."""
        from ...sim.bots.reach_graph import CLIMB, FLY

        k = int(np.flatnonzero(way.places == turn.place)[0])
        kinds = way.kinds[max(k - 1, 0) : k + 2].tolist()
        pad = self._zone_at(turn.feet, "launch") if FLY in kinds else None
        if pad is not None:
            return to_point(pad.centre + (MARKER_HEIGHT - pad.half[1]) * np.array(walker.up))
        ladder = self._zone_at(turn.feet, "climb") if CLIMB in kinds else None
        if ladder is not None:
            bottom, top = (side * ladder.half[1] + MARKER_HEIGHT for side in (-1, 1))
            own = float(walker.feet[1] - ladder.centre[1])
            rise = min(own + LADDER_AHEAD, top) if walker.climbing else min(max(own + MARKER_HEIGHT, bottom), top)
            return to_point(ladder.centre + np.array((0.0, rise, -LADDER_BEHIND)) @ ladder.axes)
        return to_point(turn.feet + MARKER_HEIGHT * turn.up)

    def _zone_at(self, at: Floats, name: str) -> LevelZone | None:
        """The zone that acts by `name` and holds a point, or is close to it; none that a mover carries."""
        for zone in self.level.all_zones:
            is_near = (np.abs(zone.axes @ (at - zone.centre)) <= np.array(zone.half) + ZONE_MARGIN).all()
            if is_near and zone.acts_by(name) and zone.mover < 0:
                return zone
        return None

    def _line(self, feet: Point, way: Way, corners: Sequence[int]) -> Floats:
        """Points (n,3) between which the dots lie: from the feet over the corners, in the middle of ladders, and along
        the flight from a pad."""
        from ...sim.bots.reach_graph import CLIMB, FLY

        line = [np.array(feet) + DOT_HEIGHT * way.ups[0]]
        for k in corners:
            point, kinds = way.points[k] + DOT_HEIGHT * way.ups[k], way.kinds[max(k - 1, 0) : k + 1]
            ladder = self._zone_at(point, "climb") if CLIMB in kinds else None
            if ladder is not None:
                point = point - ladder.axes[0] * (ladder.axes[0] @ (point - ladder.centre))
            pad = self._zone_at(line[-1], "launch") if k > 0 and kinds[0] == FLY else None
            if pad is not None:
                line += _flight(line[-1], point, np.array(dict(pad.physics)["launch"]))
            line.append(point)
        return np.array(line)

    def _landing(self, walker: WalkerState) -> Point | None:
        """Where the feet of a body in the air come to ground or into water; None where that is not known: something
        carries it, or it falls for long."""
        zones = [zone for zone in self.level.all_zones if zone.mover < 0]
        at, up, velocity = np.array(walker.feet), np.array(walker.up), np.array(walker.velocity)
        for _ in range(round(MAX_FALL / FALL_STEP)):
            inside = [zone for zone in zones if zone.contains(at.tolist())]
            if any(zone.facts.is_water for zone in inside):
                return to_point(at)
            if any(zone.facts.carries for zone in inside):
                return None
            velocity -= STANDARD_GRAVITY * FALL_STEP * up
            step = FALL_STEP * velocity
            hit = self.level.mesh.raycast(at + FALL_RAY * up, step, float(np.linalg.norm(step)))
            if hit is not None and np.dot(hit.normal, up) > 0.5:
                return to_point(hit.point)
            if hit is not None:  # down along the wall
                velocity = min(float(velocity @ up), 0.0) * up
                continue
            at += step
        return None

    def _next_visit(self, way: Way, feet: Point, tick: int, mover: int) -> Visit | None:
        """When a platform comes to the place of the way where it carries the walker, if that is near, or to that where
        it has carried him."""
        from ...sim.bots.reach_graph import HOP, LEAP, STEP

        environment = self.level.environment
        changes = np.flatnonzero(np.isin(way.kinds, (STEP, HOP, LEAP)))
        if environment is None or environment.movers is None or (mover < 0 and not len(changes)):
            return None
        boarding = to_point(way.points[changes[0] + (mover >= 0) if len(changes) else -1])
        if mover < 0 and float(np.linalg.norm(np.subtract(boarding, feet))) > BOARDING_DISTANCE:
            return None
        place, visit = self._visit
        if place != boarding or (visit is not None and not visit[0] - FORGET <= tick <= visit[1]):
            visit = next_visit(environment.movers, boarding, tick, mover)
            self._visit = boarding, visit
        return visit

    def _field(self, objective: Objective, at: Point) -> DistanceField | None:
        if objective in self._fields:
            return self._fields[objective]
        from ...sim.bots.ways import field_to

        goal = self.level.goal
        if self.graph is None:
            from ...sim.bots.reach_graph import kept_graph

            self.graph = kept_graph(self.level)
            self.is_explored = self.graph is not None
        if self.graph is None:
            return None
        found = None
        for reach in REACHES[objective.kind]:
            radius = goal.radius if objective.kind == ObjectiveKind.GOAL and goal is not None else reach
            distances = field_to(self.graph, self.level, at, radius, for_person=True)
            if (distances.seconds == 0.0).any():
                found = distances
                break
        while len(self._fields) >= MAX_FIELDS:
            self._fields.pop(next(iter(self._fields)))
        self._fields[objective] = found
        return found


class RouteFinder:
    """The route of the world that is played, a few times a second.

    Where the level has no kept graph, bots explore it in another process, one level at a time.
    """

    def __init__(self, jobs: Jobs) -> None:
        self._jobs = jobs
        self._planner: RoutePlanner | None = None
        self._job: Future[Route | None] | None = None
        self._exploration: tuple[Level, Future[ReachGraph]] | None = None
        self._seconds = INTERVAL_SECONDS  # since the last search
        self._dotted_left = 0.0  # s
        self._other_seconds = 0.0  # s since the marker was where the way wants it
        self._turned_seconds = STEADY_SECONDS  # s since it has made a large turn
        self.route: Route | None = None
        self.dots = NO_DOTS  # (n,3) those that are shown, m

    @property
    def shows_dots(self) -> bool:
        """Whether dots are shown, or will be as soon as the route is found."""
        return self._dotted_left > 0.0

    def show_dots(self, seconds: float) -> None:
        """Show the dots of the next route for a time; 0 hides them."""
        self._dotted_left, self.dots = seconds, NO_DOTS

    def update(self, world: World, objectives: Sequence[Objective], seconds: float) -> None:
        """Take a route that was found, and begin to look for the next, to one of the objectives. seconds: since the
        last call."""
        planner = self._planner
        if planner is None or planner.level is not world.level:
            self._planner = planner = RoutePlanner(world.level)
            self.route, self._job, self.dots = None, None, NO_DOTS
        if self.route is not None and self.route.objective not in objectives:
            self.route, self.dots = None, NO_DOTS
        self._seconds += seconds
        self._other_seconds += seconds
        self._turned_seconds += seconds
        self._dotted_left -= seconds
        if self._dotted_left <= 0.0:
            self.dots = NO_DOTS
        if self._job is not None and self._job.done():
            found = None if self._job.exception() is not None else self._job.result()
            if found is None or found.objective in objectives:
                self.route = self._steady(found, world.walker_state)
            if found is not None and len(found.dots) and self._dotted_left > 0.0:
                self.dots = found.dots
            self._job = None
        if self._exploration is not None:
            level, graph = self._exploration
            if level is not planner.level:
                self._exploration = None
            elif graph.done() and graph.exception() is None:
                planner.graph, planner.is_explored, self._exploration = graph.result(), True, None
        if self._exploration is None and not planner.is_explored:
            self._exploration = planner.level, self._explore(planner.level)
        if self._job is None and objectives and self._seconds >= INTERVAL_SECONDS:
            self._seconds = 0.0
            places = [(one, ground_of(one, world)) for one in objectives[:MAX_TARGETS]]
            with_dots = self._dotted_left > 0.0 and not len(self.dots)
            self._job = self._jobs.thread("route", planner.plan, places, world.walker_state, world.tick, with_dots)

    def _steady(self, found: Route | None, walker: WalkerState) -> Route | None:
        """The route to show after `found`: with the turn that is shown so far, where the new one lies in another
        direction and is not wanted for long, so that the marker does not flip."""
        shown = self.route
        if found is None or shown is None or found.objective != shown.objective or found.rides != shown.rides:
            return found
        up = np.array(walker.up)
        now, then = (np.subtract(one.turn or one.objective.at, walker.feet) for one in (shown, found))
        now, then = (offset - (offset @ up) * up for offset in (now, then))
        reach, far = (float(np.linalg.norm(offset)) for offset in (now, then))
        if reach < PASSED_DISTANCE or now @ then >= STEADY_COSINE * reach * far:
            self._other_seconds = 0.0
            return found
        if self._other_seconds < WANTED_SECONDS or self._turned_seconds < STEADY_SECONDS:
            return replace(found, turn=shown.turn)
        self._other_seconds = self._turned_seconds = 0.0
        return found

    def _explore(self, level: Level) -> Future[ReachGraph]:
        """The graph of a level, made by another process, which keeps it. Another level that is explored is dropped."""
        from ...sim.bots.explored_graph import known_graph

        self._jobs.stop(EXPLORERS, waits=False)
        return self._jobs.process(EXPLORERS, known_graph, level)


def ground_of(objective: Objective, world: World) -> Point:
    """The point of an objective to which one walks: the goal, and not the point that is marked."""
    goal = world.level.goal
    return goal.at if objective.kind == ObjectiveKind.GOAL and goal is not None else objective.at


def dotted_line(dots: Floats) -> Overlay:
    """Dots (n,3), m, as a layer."""
    colours = np.column_stack((np.tile(DOT_COLOUR, (len(dots), 1)), np.ones(len(dots))))
    return Overlay(points=(OverlayPoints(dots, colours, DOT_SIZE, HIDDEN_OPACITY),))


def _is_straight(way: Way, feet: Point) -> bool:
    """Whether all of a way on foot is close to the line from the feet to its end."""
    from ...sim.bots.reach_graph import WALK

    offset, line = way.points - feet, way.points[-1] - feet
    along = np.clip(offset @ line / max(float(line @ line), 1e-9), 0.0, 1.0)
    aside = np.linalg.norm(offset - along[:, None] * line, axis=1)
    return bool((way.kinds == WALK).all() and (aside < MAX_ASIDE).all())


def _flight(begin: Floats, end: Floats, velocity: Floats) -> list[Floats]:
    """Points of a flight from `begin` to `end`, m, without both. velocity: at its begin, m/s."""
    rise = float(velocity[1])
    seconds = (rise + math.sqrt(max(rise**2 - 2.0 * STANDARD_GRAVITY * (end[1] - begin[1]), 0.0))) / STANDARD_GRAVITY
    part = np.linspace(0.0, 1.0, FLIGHT_POINTS + 2)[1:-1, None]
    points = begin + part * (end - begin)
    points[:, 1] = begin[1] + (rise * seconds * part - STANDARD_GRAVITY / 2.0 * (seconds * part) ** 2)[:, 0]
    return list(points)


def _dots(corners: Floats) -> Floats:
    """(n,3) evenly spaced points along a line through corners (m,3)."""
    along = np.concatenate([[0.0], np.linalg.norm(np.diff(corners, axis=0), axis=1).cumsum()])
    places = np.arange(DOT_STEP, along[-1], DOT_STEP)[:MAX_DOTS]
    dots: Floats = np.stack([np.interp(places, along, corners[:, k]) for k in range(3)], axis=1)
    return dots
