"""Courses by a seed: lanes of rooms, stairs, gaps, sliding doors and slopes, as the text of a level file.

The version is a part of the name: a change of this module that changes any course is a new version.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ...core.arguments import as_integer
from ...core.vectors import Floats
from ...level import Level, load
from ..bots.places import CELL_SIZE, cell_keys_of, pairs_in_cells
from ..bots.reach_graph import JUMP, WALK, ReachGraph, join_places
from ..bots.ways import is_clear
from .integer_hash import Numbers

MAX_SEED = 2**61  # a seed whose course cannot be walked gives way to a higher one
VERSION = 1
MAX_DIFFICULTY, MAX_LANES = 10, 12
LANE_LENGTH, LANE_WIDTH, LANE_STEP = 20.0, 6.0, 6.5  # m; lanes stand side by side
FIRST, LENGTH, PER_LANE = 3.0, 4.6, 3  # m from the begin of a lane to its first module; of a module; modules
POST, POST_STEP = 0.217, 0.6  # m, size of a post, and from one to the next at most
TURN = 3.2  # m at the end of a lane where it is open to the next
WALL, DOOR_WIDTH, DOOR_HEIGHT, OPEN = 0.2, 1.5, 2.4, 1.25  # m; OPEN: by which a door slides
SPACING, REACH, MARGIN = 0.5, 1.0, 0.4  # m between places of the graph, of an edge, and from a wall
JUMP_EXTRA_SECONDS = 1.0  # s that a jump counts more than it lasts


@dataclass(frozen=True, slots=True)
class CourseLook:
    """The surfaces of a course, as fields of a level file."""

    ground: str = '{colour: "#b9ab90", texture: flagstone}'
    wall: str = '{colour: "#a4624b", texture: brick}'
    door: str = '{colour: "#8a6a45", texture: planks}'
    post: str = '{colour: "#d9cfbd", texture: plaster}'


DEFAULT_LOOK = CourseLook()


@dataclass
class GeneratedCourse:
    """A course: the text of its level file, and what its walkers need.

    floors: rows x0, x1, z0, z1, y at z0, y at z1. way: points (x, y, z) from the spawn to the goal, with the kind of
    what lies before each. is_open: with rows of posts in the place of walls.
    """

    seed: int
    difficulty: int
    is_open: bool = False
    pieces: list[str] = field(default_factory=list)
    floors: list[tuple[float, ...]] = field(default_factory=list)
    way: list[tuple[str, tuple[float, float, float]]] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        """Name of the level: version, seed and difficulty."""
        return f"Course {VERSION}-{self.seed}-{self.difficulty}"

    @property
    def heights(self) -> list[float]:
        """Heights of the ends of the floors."""
        return [height for row in self.floors for height in row[4:]]

    @cached_property
    def text(self) -> str:
        return self.level_text(self.name)

    def level_text(self, name: str, look: CourseLook = DEFAULT_LOOK, fields: Sequence[str] = ()) -> str:
        """The level file with a name, a look and more fields, each a line of the file."""
        head = [
            f"# {name}: {', '.join(self.kinds)}",
            "format: 1",
            f"name: {name}",
            *fields,
            "aim: Walk to the light at the end.",
            f"goal: {{at: [{_text(*self.way[-1][1])}], radius: 1.2}}",
            f"spawn: {{at: [{_text(*self.way[0][1])}], facing: north}}",
            f"kill_height: {min(self.heights) - 5.0:g}",
            "surfaces:",
            f"  ground: {look.ground}",
            f"  wall: {look.wall}",
            *([f"  post: {look.post}"] if self.is_open else []),
            *([f"  door: {look.door}"] if "door" in self.kinds else []),
            "pieces:",
        ]
        return "\n".join([*head, *self.pieces]) + "\n"

    @cached_property
    def level(self) -> Level:
        return load(text=self.text)

    @cached_property
    def graph(self) -> ReachGraph:
        """The walkable ways, with doors open."""
        return _course_graph(self)

    @property
    def side(self) -> float:
        """Metres by which floors go on below the posts."""
        return (LANE_STEP - LANE_WIDTH) / 2.0 if self.is_open else 0.0

    def box(self, low: Sequence[float], high: Sequence[float], surface: str) -> None:
        """Add a box. Floors that go on below the posts end beside slopes, on purpose."""
        more = ", intended: [step]" if surface == "ground" and self.is_open else ""
        self.pieces.append(f"  - box: {{from: [{_text(*low)}], to: [{_text(*high)}], surface: {surface}{more}}}")


def _text(*numbers: float) -> str:
    return ", ".join(f"{round(number, 3) + 0.0:g}" for number in numbers)


@dataclass
class _Lane:
    """A lane: its left edge, its direction along z, the z of its begin, and the present height."""

    x: float
    sign: float
    begin: float
    y: float = 0.0

    def z(self, along: float) -> float:
        return self.begin + self.sign * along

    @property
    def middle(self) -> float:
        return self.x + LANE_WIDTH / 2.0


def make_course(seed: int, difficulty: int, open_lanes: int | None = None) -> GeneratedCourse:
    """The course of a seed. difficulty: 0 to 10; more lanes, and each module harder.

    seed: 0 to 2^62, for a proven course to 2^61. open_lanes: 1 to 12, so many lanes between rows of posts; None: one to
    three between walls. ValueError for other values.
    """
    seed = as_integer(seed, "seed", 0, 2 * MAX_SEED)
    difficulty = as_integer(difficulty, "difficulty", 0, MAX_DIFFICULTY)
    course, numbers = GeneratedCourse(seed, difficulty, open_lanes is not None), Numbers(VERSION, seed, difficulty)
    usual_lanes = 1 + (difficulty >= 4) + (difficulty >= 8)
    lanes = usual_lanes if open_lanes is None else as_integer(open_lanes, "open_lanes", 1, MAX_LANES)
    y = 0.0
    for number in range(lanes):
        sign = 1.0 if number % 2 else -1.0  # to the south, to the north
        lane = _Lane(number * LANE_STEP, sign, -10.0 * sign, y)
        _floor(course, lane, 0.0, FIRST, number > 0)
        course.way.append(("walk", (lane.middle, lane.y, lane.z(1.5))))
        if course.is_open and number > 0:
            _checkpoint(course, lane, number)
        for slot in range(PER_LANE):
            known = list(MODULES)[: 3 + (difficulty >= 2) + (difficulty >= 3)]
            course.kinds.append(known[numbers.below(len(known))])
            MODULES[course.kinds[-1]](course, lane, FIRST + slot * LENGTH, numbers, difficulty / MAX_DIFFICULTY)
        _floor(course, lane, FIRST + PER_LANE * LENGTH, LANE_LENGTH, False)
        course.way.append(("walk", (lane.middle, lane.y, lane.z(LANE_LENGTH - 1.6))))
        y = lane.y
    _walls(course, lanes)
    return course


def _checkpoint(course: GeneratedCourse, lane: _Lane, number: int) -> None:
    """A checkpoint at the begin of a lane."""
    z0, z1 = sorted((lane.z(0.3), lane.z(TURN - 0.3)))
    low, high = _text(lane.x + 0.3, lane.y, z0), _text(lane.x + LANE_WIDTH - 0.3, lane.y + 2.5, z1)
    course.pieces.append(f"  - checkpoint: {{from: [{low}], to: [{high}], name: Lane {number + 1}}}")


def _floor(course: GeneratedCourse, lane: _Lane, begin: float, end: float, joins: bool) -> None:
    """A level floor of the lane; joins: also to the lane before it."""
    x0, x1 = lane.x - (LANE_STEP - LANE_WIDTH if joins else 0.0), lane.x + LANE_WIDTH
    z0, z1 = sorted((lane.z(begin), lane.z(end)))
    side = course.side
    course.box((x0 if joins else x0 - side, lane.y - 0.5, z0), (x1 + side, lane.y, z1), "ground")
    course.floors.append((x0, x1, z0, z1, lane.y, lane.y))


def _cross_wall(course: GeneratedCourse, lane: _Lane, along: float, at: float, width: float) -> None:
    """A wall across the lane with a doorway whose middle is at x = `at`."""
    z, top = lane.z(along), lane.y + 3.0
    for x0, x1, y0 in (
        (lane.x - course.side, at - width / 2.0, lane.y),
        (at + width / 2.0, lane.x + LANE_WIDTH + course.side, lane.y),
        (at - width / 2.0, at + width / 2.0, lane.y + DOOR_HEIGHT),
    ):
        course.box((x0, y0, z - WALL / 2.0), (x1, top, z + WALL / 2.0), "wall")


def _room(course: GeneratedCourse, lane: _Lane, begin: float, numbers: Numbers, hard: float) -> None:
    _floor(course, lane, begin, begin + LENGTH, False)
    for along in (begin + 1.2, begin + 3.4)[: 1 + numbers.chance(round(100 * hard))]:
        width = numbers.between(1.2, 1.6) if numbers.chance(round(100 * hard)) else 2.0
        at = lane.x + numbers.between(1.2, LANE_WIDTH - 1.2, 0.1)
        _cross_wall(course, lane, along, at, width)
        course.way.append(("walk", (at, lane.y, lane.z(along - 0.7))))
        course.way.append(("walk", (at, lane.y, lane.z(along + 0.7))))


def _stairs(course: GeneratedCourse, lane: _Lane, begin: float, numbers: Numbers, hard: float) -> None:
    rise = numbers.between(0.12, 0.2 + 0.1 * hard, 0.02)
    rise = rise if numbers.chance(60) else -rise
    steps = 8
    run = (LENGTH - 0.6) / steps
    for number in range(steps):
        lane.y = round(lane.y + rise, 6)
        _floor(course, lane, begin + number * run, begin + (number + 1) * run, False)
    _floor(course, lane, begin + LENGTH - 0.6, begin + LENGTH, False)
    course.way.append(("walk", (lane.middle, lane.y, lane.z(begin + LENGTH - 0.3))))


def _slope(course: GeneratedCourse, lane: _Lane, begin: float, numbers: Numbers, hard: float) -> None:
    rise, is_up = numbers.between(0.6, 1.2 + 0.9 * hard), numbers.chance(60)
    end = begin + LENGTH
    low = lane.y if is_up else lane.y - rise
    foot, facing = (begin, lane.sign) if is_up else (end, -lane.sign)
    north = "north" if facing < 0.0 else "south"
    at, width = _text(lane.middle, low, lane.z(foot)), LANE_WIDTH + 2.0 * course.side
    course.pieces.append(
        f"  - ramp: {{at: [{at}], facing: {north}, length: {LENGTH:g}, rise: {rise:g}, width: {width:g}, "
        "surface: ground}"
    )
    before, lane.y = lane.y, round(lane.y + (rise if is_up else -rise), 6)
    ends = sorted(((lane.z(begin), before), (lane.z(end), lane.y)))
    course.floors.append((lane.x, lane.x + LANE_WIDTH, ends[0][0], ends[1][0], ends[0][1], ends[1][1]))
    course.way.append(("walk", (lane.middle, lane.y, lane.z(end - 0.2))))


def _gap(course: GeneratedCourse, lane: _Lane, begin: float, numbers: Numbers, hard: float) -> None:
    wide = numbers.between(0.8, 1.2 + 1.2 * hard)
    _floor(course, lane, begin, begin + 1.5, False)
    _floor(course, lane, begin + 1.5 + wide, begin + LENGTH, False)
    course.way.append(("walk", (lane.middle, lane.y, lane.z(begin + 0.3))))
    course.way.append(("jump", (lane.middle, lane.y, lane.z(begin + 2.0 + wide))))


def _door(course: GeneratedCourse, lane: _Lane, begin: float, numbers: Numbers, hard: float) -> None:
    _floor(course, lane, begin, begin + LENGTH, False)
    along = begin + 2.3
    at = lane.x + numbers.between(1.2, LANE_WIDTH - 2.8, 0.1)  # it slides to the east
    _cross_wall(course, lane, along, at, DOOR_WIDTH)
    seconds, pause = numbers.between(0.8, 1.2), numbers.between(0.8, 1.6 - 0.6 * hard)
    half, phase = DOOR_WIDTH / 2.0 + 0.02, numbers.between(0.0, 3.0)
    z = lane.z(along) + lane.sign * 0.18
    name = f"door {course.kinds.count('door')}" if course.is_open else "door"
    course.pieces.append(
        f"  - mover: {{name: {name}, at: [{_text(at, lane.y + 0.02, z)}], path: [[0, 0, 0], [{OPEN:g}, 0, 0]], "
        f"seconds: {seconds:g}, pause: {pause:g}, phase: {phase:g}, of: [box: {{from: [{_text(-half, 0, -0.05)}], "
        f"to: [{_text(half, DOOR_HEIGHT, 0.05)}], surface: door}}]}}"
    )
    course.way.append(("walk", (at, lane.y, lane.z(along - 1.0))))
    course.way.append(("door", (at, lane.y, lane.z(along + 1.0))))


MODULES = {"room": _room, "stairs": _stairs, "slope": _slope, "gap": _gap, "door": _door}  # in order of difficulty


def _walls(course: GeneratedCourse, lanes: int) -> None:
    """The walls around the course and between its lanes."""
    low, high = min(course.heights) - 1.0, max(course.heights) + 3.5
    right = (lanes - 1) * LANE_STEP + LANE_WIDTH
    if course.is_open:
        _posts(course, lanes, low, high)
        return
    for x in (-WALL, right):
        course.box((x, low, -10.0), (x + WALL, high, 10.0), "wall")
    for z in (-10.0 - WALL, 10.0):
        course.box((-WALL, low, z), (right + WALL, high, z + WALL), "wall")
    for number in range(1, lanes):
        x = number * LANE_STEP - (LANE_STEP - LANE_WIDTH)
        z0, z1 = (-10.0 + TURN, 10.0) if number % 2 else (-10.0, 10.0 - TURN)
        course.box((x, low, z0), (x + LANE_STEP - LANE_WIDTH, high, z1), "wall")


def _posts(course: GeneratedCourse, lanes: int, low: float, high: float) -> None:
    """Rows of posts in the place of the walls, with a beam on top; a body does not fit between two."""
    edge, right = 10.0 + course.side, lanes * LANE_STEP - course.side
    rows = [(POST_STEP - course.side, z, right - POST_STEP, z) for z in (-edge, edge)]
    for number in range(lanes + 1):
        x, is_inner = number * LANE_STEP - course.side, 0 < number < lanes
        first = TURN - 10.0 if is_inner and number % 2 else -edge
        last = 10.0 - TURN if is_inner and number % 2 == 0 else edge
        rows.append((x, first, x, last))
    for x, z, end_x, end_z in rows:
        steps = math.ceil((end_x - x + end_z - z) / POST_STEP)
        step = (end_x - x) / steps, (end_z - z) / steps
        at = (x - POST / 2.0, low, z - POST / 2.0)
        end = _text(x + POST / 2.0, high, z + POST / 2.0)
        course.pieces.append(
            f"  - array: {{count: {steps + 1}, step: [{_text(step[0], 0.0, step[1])}], "
            f"of: [box: {{from: [{_text(*at)}], to: [{end}], surface: post, intended: [narrow]}}]}}"
        )
        beam = end_x + POST / 2.0, high + POST, end_z + POST / 2.0
        course.box((at[0], high, at[2]), beam, "post")


def _course_graph(course: GeneratedCourse) -> ReachGraph:
    """Places on the floors, joined where one can walk, and over gaps."""
    blocks = []
    for x0, x1, z0, z1, y0, y1 in course.floors:
        xs = np.linspace(x0 + MARGIN, x1 - MARGIN, int((x1 - x0 - 2.0 * MARGIN) / SPACING) + 2)
        zs = np.linspace(z0 + 0.1, z1 - 0.1, max(int((z1 - z0) / SPACING), 1) + 1)
        grid_x, grid_z = (part.ravel() for part in np.meshgrid(xs, zs))
        share = (grid_z - z0) / (z1 - z0)
        blocks.append(np.stack([grid_x, y0 + (y1 - y0) * share, grid_z], axis=1))
    points: Floats = np.concatenate(blocks)
    level = course.level
    ups = np.tile((0.0, 1.0, 0.0), (len(points), 1))
    speed = max(level.player.sprint_speed, level.player.walk_speed)
    scaled = points * (CELL_SIZE / REACH)
    keys = cell_keys_of(scaled)
    order = np.argsort(keys, kind="stable")
    i, j = pairs_in_cells(scaled, keys[order], order)
    offset = points[j] - points[i]
    far = np.linalg.norm(offset, axis=1)
    usable = (i != j) & (far <= REACH) & (np.abs(offset[:, 1]) <= level.player.step_height)
    edges = [(i[usable], j[usable], far[usable] / speed, np.full(int(usable.sum()), WALK))]
    for (_, start), (kind, end) in zip(course.way, course.way[1:], strict=False):
        if kind == "jump":
            near, far = (np.linalg.norm(points - place, axis=1) for place in (start, end))
            i, j = np.flatnonzero(near < 3.5), np.flatnonzero(far < 3.5)
            first, second = (part.ravel() for part in np.meshgrid(i, j))
            offset = points[second] - points[first]
            usable = (np.abs(offset[:, 0]) < 0.3) & (np.sign(offset[:, 2]) == np.sign(end[2] - start[2]))
            usable &= np.abs(offset[:, 2]) < 3.2
            first, second = first[usable], second[usable]
            seconds = np.linalg.norm(offset[usable], axis=1) / speed + JUMP_EXTRA_SECONDS
            edges.append((first, second, seconds, np.full(len(first), JUMP)))
    source, target, seconds, kinds = (np.concatenate([block[k] for block in edges]) for k in range(4))
    clear = is_clear(level.mesh, points[source], points[target], ups[source])
    block = source[clear], target[clear], seconds[clear], kinds[clear]
    return join_places(points, ups, speed, [block])
