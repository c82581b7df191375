"""Route to the next objective: the walkable way from where the player stands, found in a thread."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...core.jobs import Jobs, Worker
from ...core.vectors import Floats, Point, to_point
from ...physics import Walker
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
MARKER_HEIGHTS = 0.3, 1.6  # m above the ground at a turn: as high as the eye, where that lies between them
MAX_ASIDE = 1.0  # m from the straight line to the end, within which a way has no turn
END_DISTANCE = 1.5  # m from the end of the way, within which a turn is the end itself
BOARDING_DISTANCE = 5.0  # m from the feet to a lift whose time is told
FORGET = 3600  # ticks before a visit that were restarted
SIGHT_MARGIN = 0.3  # m before an objective that may be hidden
MAX_DETOUR = 1.3  # times the distance to an objective in sight: a way of that length hardly leads round
DIVE_DEPTH = 0.4  # m that the way leads down in water
ZONE_MARGIN = 1.0  # m around a ladder or a pad in which a place of the way belongs to it
LADDER_BEHIND = 1.0  # m from the middle of a ladder to the mark, behind its rungs: who walks towards it climbs
MAX_FLIGHT = 10.0  # s that a fall is looked ahead
MAX_TARGETS = 8  # the nearest ones, to which ways are looked for
MAX_FIELDS = 2 * MAX_TARGETS
SAME_COSINE = 0.9  # of the largest angle, 26 degrees, by which the marker turns at once
HOLD_SECONDS = 0.7  # s that another direction is wanted without a break before the marker turns to it
PASSED_DISTANCE = 2.0  # m in plan to the place of the marker, from which on it goes on at once
DOT_STEP, DOT_HEIGHT = 0.5, 0.07  # m between two dots, and above the ground
DOT_RAY = 0.6  # m above and below a line on foot, in which the ground is looked for
MAX_DOTS = 160
DOT_SIZE = 14.0  # pixels
DOT_COLOUR = (1.0, 0.86, 0.42)  # sRGB
HIDDEN_OPACITY = 0.4  # of a dot behind a wall
NO_DOTS = np.zeros((0, 3))


class Cue(Enum):
    """The move of a player at the next turn, besides walking."""

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


class Plan(NamedTuple):
    """An objective, the field of times to it, and the way there."""

    objective: Objective
    field: DistanceField
    way: Way


@dataclass
class RoutePlanner:
    """Plans the ways in one level. A thread of its own calls it; only one at a time."""

    level: Level
    graph: ReachGraph | None = None
    is_explored: bool = True  # whether there is a graph; False once none was found
    _visit: tuple[Point | None, Visit | None] = None, None  # boarding place and visit of the last answer
    _fields: dict[Objective, DistanceField | None] = field(default_factory=dict)
    _last: tuple[Objective, Way, int] | None = None  # the last way, and the place of its turn

    def __post_init__(self) -> None:
        self._walker = Walker(self.level.player)

    def plan(
        self, objectives: Sequence[tuple[Objective, Point]], walker: WalkerState, tick: int, with_dots: bool
    ) -> Route | None:
        """The route of a walker to the objective with the fastest way, of those that are given with their ground, m;
        None where no way is known. tick: of the world. with_dots: the dots take ten times as long."""
        landing = walker.feet if _is_carried(walker) else self._landing(walker, tick)
        plan = self._fastest(objectives, walker, landing)
        if plan is None:
            return None
        feet, (objective, distances, way) = landing or walker.feet, plan
        before = self._last[2] if self._last is not None and self._last[0] == objective else -1
        turn = distances.next_turn(feet, way, before)
        self._last = objective, way, turn.place
        mark = None if self._is_direct(plan, turn, feet, walker) else self._mark(turn, way, walker)
        dots = self._dots(feet, plan, tick) if with_dots else NO_DOTS
        visit = self._next_visit(way, feet, tick, walker.mover)
        cue = _cue(turn, feet, walker)
        return Route(objective, mark, way.length, dots, visit, self._visit[0], walker.mover >= 0, cue)

    def _fastest(
        self, objectives: Sequence[tuple[Objective, Point]], walker: WalkerState, landing: Point | None
    ) -> Plan | None:
        """The fastest way to one of the objectives. landing: where it begins; where that is not known, it is the rest
        of the last way."""
        plans = []
        for objective, at in objectives:
            distances = self._field(objective, at)
            if distances is None:
                continue
            last = self._last[1] if self._last is not None and self._last[0] == objective else None
            way = None if landing is None else distances.way_from(landing, last)
            if way is None and last is not None and not _is_carried(walker):
                way = last.rest_from(walker.feet)
            if way is not None:
                plans.append(Plan(objective, distances, way))
        return min(plans, key=lambda plan: plan.way.seconds, default=None)

    def _is_direct(self, plan: Plan, turn: Turn, feet: Point, walker: WalkerState) -> bool:
        """Whether the player goes straight to the objective: the turn is its end, the whole way is straight, or the
        objective is seen, and the way leads there on foot and hardly round."""
        from ...sim.bots.reach_graph import WALK

        way = plan.way
        if turn.kind == WALK and float(np.linalg.norm(turn.feet - way.points[-1])) < END_DISTANCE:
            return True
        if (way.kinds != WALK).any():
            return False
        if _is_straight(way, feet):
            return True
        eye = self._eye(walker)
        line = plan.objective.at - eye
        distance = float(np.linalg.norm(line))
        if way.length > MAX_DETOUR * distance:
            return False
        return distance <= SIGHT_MARGIN or not self.level.mesh.raycast_any(eye, line, distance - SIGHT_MARGIN)

    def _eye(self, walker: WalkerState) -> Floats:
        eye: Floats = np.array(walker.feet) + 2.0 * self.level.player.eye * walker.radii[1] * np.array(walker.up)
        return eye

    def _mark(self, turn: Turn, way: Way, walker: WalkerState) -> Point:
        """The point that marks a turn, as high as the eye where that is near the ground there: over it, or behind the
        middle of the ladder or over that of the pad that begins there."""
        from ...sim.bots.reach_graph import CLIMB, FLY

        mark = turn.feet + np.clip((self._eye(walker) - turn.feet) @ turn.up, *MARKER_HEIGHTS) * turn.up
        k = int(np.flatnonzero(way.places == turn.place)[0])
        kinds = way.kinds[max(k - 1, 0) : k + 2]
        for kind, name, behind in ((FLY, "launch", 0.0), (CLIMB, "climb", LADDER_BEHIND)):
            zone = self._zone_at(turn.feet, name) if kind in kinds else None
            if zone is not None:
                rise = zone.axes[1] @ (mark - zone.centre)
                return to_point(zone.centre + np.array((0.0, rise, -behind)) @ zone.axes)
        return to_point(mark)

    def _zone_at(self, at: Floats, name: str) -> LevelZone | None:
        """The zone that acts by `name` and holds a point, or is close to it; none that a mover carries."""
        for zone in self.level.all_zones:
            is_near = (np.abs(zone.axes @ (at - zone.centre)) <= np.array(zone.half) + ZONE_MARGIN).all()
            if is_near and zone.acts_by(name) and zone.mover < 0:
                return zone
        return None

    def _dots(self, feet: Point, plan: Plan, tick: int) -> Floats:
        """Points (n,3) along a way: on the ground where one walks, in the middle of ladders, and along the flight from
        a pad."""
        from ...sim.bots.reach_graph import CLIMB, FLY, WALK

        way, dots, at, rest = plan.way, [NO_DOTS], np.array(feet) + DOT_HEIGHT * plan.way.ups[0], DOT_STEP
        for k in plan.field.corners(feet, way):
            point, kinds = way.points[k] + DOT_HEIGHT * way.ups[k], way.kinds[max(k - 1, 0) : k + 1]
            ladder = self._zone_at(point, "climb") if CLIMB in kinds else None
            if ladder is not None:
                point = point - ladder.axes[0] * (ladder.axes[0] @ (point - ladder.centre))
            pad = self._zone_at(at, "launch") if k > 0 and kinds[0] == FLY else None
            flight = [] if pad is None else self._flight_from(pad, tick)
            found, rest = _spaced(np.array([at, *flight, point]), rest)
            dots.append(self._on_ground(found, way.ups[k]) if k == 0 or kinds[0] == WALK else found)
            at = point
        return np.concatenate(dots)[:MAX_DOTS]

    def _on_ground(self, points: Floats, up: Floats) -> Floats:
        """Points (n,3) near the ground, moved up or down to their height above it: the line over steps is a slope."""
        if not len(points):
            return points
        hits = self.level.mesh.raycast_many(points + DOT_RAY * up, -up, 2.0 * DOT_RAY)
        rise = np.where(np.asarray(hits.triangle) >= 0, DOT_RAY - hits.distance + DOT_HEIGHT, 0.0)
        moved: Floats = points + rise[:, None] * up
        return moved

    def _flight(self, walker: WalkerState, tick: int) -> Floats:
        """Feet (n,3), m, of a body in the air after each tick, up to where it comes to ground, into water or onto a
        ladder; none where that takes long."""
        ticks = round(MAX_FLIGHT * self._walker.settings.ticks_per_second)
        commands = self._walker.commands(heading=np.full(ticks, walker.heading))
        states = self._walker.run(walker, commands, self.level.mesh, around=self.level.environment, clock=tick)
        ends = np.flatnonzero(states["grounded"] | states["swimming"] | states["climbing"])
        flight = states[: ends[0] + 1] if len(ends) else states[:0]
        feet: Floats = flight["position"] - flight["radii"][:, 1:2] * flight["up"]
        return feet

    def _landing(self, walker: WalkerState, tick: int) -> Point | None:
        """The place where a body in the air comes to ground; None where it falls for long."""
        flight = self._flight(walker, tick)
        return to_point(flight[-1]) if len(flight) else None

    def _flight_from(self, pad: LevelZone, tick: int) -> list[Floats]:
        """Points along the flight of a body that a pad throws, m; none where it has no room there."""
        feet = np.array(pad.centre) - pad.half[1] * pad.axes[1]
        try:
            walker = self._walker.spawn(self.level.mesh, feet, around=self.level.environment, clock=tick)
        except ValueError:
            return []
        return list(self._flight(walker, tick))

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
        self._dotted_left -= seconds
        if self._dotted_left <= 0.0:
            self.dots = NO_DOTS
        if self._job is not None and self._job.done():
            found = None if self._job.exception() is not None else self._job.result()
            is_known = found is None or found.objective in objectives
            if is_known and not self._is_held(found, world.walker_state):
                self.route, self._other_seconds = found, 0.0
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

    def _is_held(self, found: Route | None, walker: WalkerState) -> bool:
        """Whether the marker stays where it is, so that it does not flip: `found` wants it in another direction, and
        has not wanted that for long, and its place is not reached yet."""
        shown = self.route
        if found is None or shown is None or found.rides != shown.rides:
            return False
        up = np.array(walker.up)
        now, then = (np.subtract(one.turn or one.objective.at, walker.feet) for one in (shown, found))
        now, then = (offset - (offset @ up) * up for offset in (now, then))
        reach, far = (float(np.linalg.norm(offset)) for offset in (now, then))
        is_same = now @ then >= SAME_COSINE * reach * far
        return bool(not is_same and reach >= PASSED_DISTANCE and self._other_seconds < HOLD_SECONDS)

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
    """Whether a way is close to the line from the feet to its end."""
    offset, line = way.points - feet, way.points[-1] - feet
    along = np.clip(offset @ line / max(float(line @ line), 1e-9), 0.0, 1.0)
    aside = np.linalg.norm(offset - along[:, None] * line, axis=1)
    return bool((aside < MAX_ASIDE).all())


def _is_carried(walker: WalkerState) -> bool:
    """Whether ground, water or a ladder carries a body."""
    return walker.grounded or walker.swimming or walker.climbing


def _cue(turn: Turn, feet: Point, walker: WalkerState) -> Cue:
    """The cue for a turn that is near: none for one on foot."""
    from ...sim.bots import reach_graph

    if turn.kind in (reach_graph.JUMP, reach_graph.LEAP):
        return Cue.JUMP
    is_below = turn.kind == reach_graph.SWIM and walker.swimming and turn.feet[1] < feet[1] - DIVE_DEPTH
    return Cue.DIVE if is_below else Cue.NONE


def _spaced(line: Floats, first: float) -> tuple[Floats, float]:
    """(n,3) evenly spaced points along a line through points (m,3), the first one after `first`, m; and that length for
    a line which goes on from its end."""
    along = np.concatenate([[0.0], np.linalg.norm(np.diff(line, axis=0), axis=1).cumsum()])
    places = np.arange(first, along[-1], DOT_STEP)
    points: Floats = np.stack([np.interp(places, along, axis) for axis in line.T], axis=1)
    return points, first + DOT_STEP * len(places) - float(along[-1])
