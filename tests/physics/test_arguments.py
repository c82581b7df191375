"""Arguments of the public interface: what is out of range or of another kind is refused by name, and not changed."""

from __future__ import annotations

import math

import numpy as np
import pytest

from game.physics import (
    Box,
    Capsule,
    Command,
    Crowd,
    Ellipsoid,
    Environment,
    HeightField,
    Material,
    Motion,
    Mover,
    Movers,
    Sphere,
    TriangleMesh,
    Walker,
    Zone,
    Zones,
    degrees_from_heading,
    heading_from_degrees,
    point_in_polygon,
)
from game.physics.balls.balls import Balls, BallSettings
from game.physics.character.state import STATE_ROW
from tests.support import shapes
from tests.support.scenes import floor, mesh

WALKER, FLOOR = Walker(), mesh(floor(-6, -6, 6, 6))
STATE = WALKER.spawn(FLOOR, (0.0, 0.0, 0.0))
NAN, INF = math.nan, math.inf
HERE, DOWN, AHEAD = (4.0, 3.0, 4.0), (0.0, -1.0, 0.0), ((0, 0, -1), (1, 0, 0))
BODY, BALL, CROWD = Ellipsoid((0.35, 0.9, 0.25)), Sphere((1, 1, 1), 0.5), Crowd(WALKER, FLOOR, threads=1)
TILES, QUAD = TriangleMesh(shapes.terrain(8, size=1.0, height=0.0)), floor(-2, -2, 2, 2)
GRID, FIELD = HeightField.of_grid(np.zeros((4, 4)))
TERRAIN, NAMED = TriangleMesh(GRID, fields=[FIELD]), TriangleMesh(QUAD, [0, 1], surface_names=("stone", "glass"))
PLAIN, COATED = TriangleMesh(QUAD, [0, 7]), TriangleMesh(QUAD, [0, 1], [Material(), Material(friction=0.1)])
TRIANGLE, NOTCHED = [(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 0), (6, 0), (6, 4), (3, 1), (0, 4)]
CLOCKS = ([[1], [1, 2]], [1.5], [-(2**63)], [2**70], [1, 2])
RADII = (
    (0, 1, 1),
    (-1, 1, 1),
    (NAN, 1, 1),
    (INF, 1, 1),
    (1, 1),
    (1,) * 4,
    1.0,
    None,
    ((1,) * 3,),
    (1, "a", 1),
    (1e-300, 1, 1),
)
BALL_ROWS = Balls.rows([(0, 1, 0), (0, 2, 0)])
BALL_FIELDS = (
    ("radius", 0.0, "radius of ball 1"),
    ("mass", -1.0, "mass"),
    ("restitution", 1.5, "restitution"),
    ("position", NAN, "position of ball 1"),
    ("friction", INF, "friction"),
    ("turn", 0.0, "turn of ball 1 must be a unit quaternion"),
    ("turn", 1e-200, "turn of ball 1 must be a unit quaternion"),
)


class OwnBody:
    """A body of a user's own, which pushes balls."""

    def __init__(self, position=(0.0, 0.5, 0.0), radii=(0.3, 0.5, 0.3), up=(0.0, 1.0, 0.0)):
        self.position, self.radii, self.up, self.north, self.heading = position, radii, up, (0.0, 0.0, -1.0), 0


BODIES = (
    *(OwnBody(position=place) for place in ((NAN, 0.0, 0.0), (1e300, 0.0, 0.0), (0.0, 0.0))),
    *(OwnBody(radii=radii) for radii in ((0.3, -1.0, 0.3), (0.3, 0.0, 0.3))),
    OwnBody(up=(0.0, INF, 0.0)),
)


def ball_step(field):
    """A step of two balls, of which the second has another value."""
    rows = BALL_ROWS.copy()
    rows[field[0]][1] = field[1]
    return Balls().step(rows, FLOOR)


def lift(**fields):
    return Mover(TriangleMesh([]), **fields)


def spoiled(name, value):
    """Two state rows, of which the second has another value."""
    rows = np.concatenate((STATE.row(), STATE.row()))
    rows[name][1] = value
    return rows


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: WALKER.commands(pitch=[2**40]), "pitch of row 0 must be within -16384..16384, not 1099511627776"),
        (lambda: WALKER.commands(pitch=[0, -(2**31)]), "pitch of row 1"),
        (lambda: WALKER.commands(buttons=[2**32]), "buttons of row 0 must be within 0..4294967295"),
        (lambda: WALKER.commands(buttons=-1), "buttons of row 0"),
        (lambda: WALKER.commands(forward=[0.0, 1e200]), r"forward of row 1 must be a finite number within"),
        (lambda: WALKER.commands(forward=[[1.0], [1.0, 2.0]]), "forward must be a number or a column"),
        (lambda: WALKER.commands(3), "commands must be a sequence of Command objects"),
        (lambda: WALKER.commands([Command(), None]), r"commands\[1\] must be a Command, not None"),
        (lambda: Command(forward=1e200), r"forward must be a finite number within .*, not 1e\+200"),
        (lambda: Command(strafe=10**400), "strafe must be a finite number"),
        (lambda: Command(pitch=10**400), "pitch must be within .* more than 40 digits"),
        (lambda: WALKER.spawn(FLOOR, (0, 0, 0), up=(0, 2, 0)), r"up must have the length 1, not \(0, 2, 0\)"),
        (lambda: WALKER.spawn(FLOOR, (0, 0, 0), up=(0, 3, 0)), r"up must have the length 1, not \(0, 3, 0\)"),
        (lambda: WALKER.spawn(FLOOR, (0, 0, 0), up=(0, 0, 0)), "up must have the length 1"),
        (lambda: WALKER.spawn(FLOOR, (0, 0, "a")), r"feet\[2\] must be a number, not 'a'$"),
        (lambda: WALKER.spawn(FLOOR, "a" * 200), f"not '{'a' * 79}\\.\\.\\.$"),
        (lambda: WALKER.spawn(FLOOR, (0, 0, 0), north=(0, 1, 0)), "north must be perpendicular to up"),
        (lambda: WALKER.spawn(FLOOR, (0, 0, 0), north=(0, 0, -1.1)), "north must have the length 1"),
        (lambda: WALKER.spawn(FLOOR, (1e8, 0, 0)), r"feet\[0\] must be within -1e\+07..1e\+07"),
        (lambda: WALKER.spawn(FLOOR, "012"), "feet must be a sequence of three numbers"),
        (lambda: WALKER.spawn(FLOOR, (0, 10**400, 0)), r"feet\[1\] must be finite"),
        (lambda: WALKER.spawn(FLOOR, (0, 0, 0), heading=0.5), "heading must be an integer"),
        (lambda: WALKER.spawn(np.zeros((2, 3, 3)), (0, 0, 0)), "mesh must be a TriangleMesh"),
        (
            lambda: WALKER.step(STATE, Command(), np.zeros((2, 3, 3))),
            r"mesh must be a TriangleMesh, not an array of shape \(2, 3, 3\) .*; wrap it: TriangleMesh\(array\)",
        ),
        (lambda: WALKER.run(STATE, [Command()], [(0, 0, 0)]), r"mesh must be .*, not list; wrap it"),
        (lambda: WALKER.step(STATE.row(), Command(), FLOOR), r"state must be a WalkerState.*walker.state\(row\)"),
        (lambda: WALKER.step(WALKER.step(STATE, Command(), FLOOR), Command(), FLOOR), r"step is \(state, trace\)"),
        (lambda: WALKER.run(STATE, [Command()], FLOOR, trace=True, clock="a"), "clock must be an integer, not 'a'"),
        (lambda: WALKER.step(STATE, Command(), FLOOR, Movers([])), r"use Environment\(movers=...\)"),
        (lambda: Environment((), Movers([])), "zones must be a Zones.*for a level use level.environment"),
        (lambda: Balls().step(Balls.rows([(0, 1, 0)]), np.zeros((2, 3, 3))), r"wrap it: TriangleMesh\(array\)"),
        (lambda: TriangleMesh(FLOOR), "triangles: expected an array .* it is one already"),
        (lambda: FLOOR.sweep((1, 1, 1), (0, 3, 0), 0, (0, -1, 0)), r"ellipsoid: expected .*wrap the radii: Ellipsoid"),
        (lambda: Command.degrees(NAN), "heading must be finite"),
        (lambda: Command.degrees(pitch=91), "pitch must be within -90..90, not 91"),
        (lambda: Command.degrees("north"), "heading must be a number, not 'north'"),
        (lambda: Command.degrees(forward="x"), "forward must be a finite number"),
        (lambda: heading_from_degrees(INF), "degrees must be finite"),
        (lambda: heading_from_degrees(1e200), "degrees must be within"),
        (lambda: degrees_from_heading(1.5), "heading must be an integer"),
        (lambda: WALKER.step(None, Command(), FLOOR), "state must be a WalkerState, not None"),
        (lambda: WALKER.step(STATE, None, FLOOR), "command must be a Command, not None"),
        (lambda: WALKER.step(STATE, Command(), FLOOR, Zones()), "around must be an Environment"),
        (lambda: WALKER.step(STATE, Command(), FLOOR, clock=2**63), "clock must be at most 1099511627776"),
        (lambda: WALKER.step(STATE, Command(), FLOOR, clock=1.5), "clock must be an integer, not 1.5"),
        (lambda: WALKER.run(STATE, WALKER.commands(forward=1.0), FLOOR, clock=2**63), "clock must be at most"),
        (lambda: WALKER.run(None, WALKER.commands(forward=1.0), FLOOR), "state must be a WalkerState"),
        (lambda: WALKER.run(STATE, 7, FLOOR), "commands must be a sequence"),
        (lambda: Walker({}), "settings must be a WalkerSettings"),
        (lambda: Crowd(None, FLOOR), "walker must be a Walker"),
        (lambda: Crowd(WALKER, None), "mesh must be a TriangleMesh"),
        (lambda: Crowd(WALKER, FLOOR, threads=1.5), "threads must be an integer"),
        (lambda: Mover(None), "mesh must be a TriangleMesh"),
        (lambda: lift(at=(NAN, 0, 0)), r"at\[0\] must be finite"),
        (lambda: lift(motion=3), "motion must be a Motion"),
        (lambda: Movers([lift()], 0.5), "ticks_per_second must be within 1"),
        (lambda: Movers([3]), r"movers\[0\] must be a Mover, not 3"),
        (lambda: Movers([lift()]).turn(1, 0, (0, 1, 0)), "number must be at most 0"),
        (lambda: Movers([lift()]).poses(INF), "tick must be finite"),
        (lambda: Motion(path=((0, 0, 0), (0, 1))), r"path\[1\] must be three numbers"),
        (lambda: Motion(path=3), "path must be a sequence of stops"),
        (lambda: Motion(axis=(1e200, 0, 0)), r"axis\[0\] must be within"),
        (lambda: Motion(spin="fast"), "spin must be a number"),
        (lambda: Material(flow=(1, 2, 3)), r"flow must be two numbers \(east, south\), not \(1, 2, 3\)"),
        (lambda: Material(flow=5.0), "flow must be a sequence of two numbers"),
        (lambda: Material(friction="ice"), "friction must be a number, not 'ice'"),
        (lambda: TriangleMesh([], materials=[3]), r"materials\[0\] must be a Material"),
        (lambda: Zone((0, 0, 0), (1, 1, 1), down=(1e-300, 0, 0)), "down must have a length over 1e-100"),
        (lambda: Zone((0, 0, 0), (1, 1, 1), climb=(0, 0, 0)), "climb must have a length"),
        (lambda: Zone((0, 0, 0), (1, 1, 1), drag=10**400), "drag must be finite"),
        (lambda: Zone((0, 0, 0), (1, 1, 1), heading=0.5), "heading must be an integer"),
        (lambda: Zones([None]), r"zones\[0\] must be a Zone"),
        (lambda: Environment(movers=[lift()]), "movers must be a Movers"),
        (lambda: Environment([Zone((0, 0, 0), (1, 1, 1))]), "zones must be a Zones"),
        (lambda: BallSettings(gravity=(1e200, 0, 0)), r"gravity\[0\] must be within"),
        (lambda: Balls().step(Balls.rows([(0, 1, 0)]), FLOOR, clock=2**63), "clock must be at most"),
        (lambda: Balls.rows([(0, 1, 0)], friction="rough"), "friction: expected numbers"),
        (lambda: Ellipsoid("abc"), "radii: expected numbers"),
        # rays, sweeps and overlaps of a mesh
        (lambda: TILES.sweep(BODY, (NAN, 0, 0), 0.0, DOWN), "position: must be finite"),
        (lambda: TILES.sweep(BODY, HERE, INF, DOWN), "yaw: must be finite"),
        (lambda: TILES.sweep(BODY, HERE, 0.0, (0, -INF, 0)), "displacement: must be finite"),
        (lambda: TILES.sweep(BODY, HERE, 0.0, (0, -1e10, 0)), "displacement: must lie within"),
        (lambda: TILES.sweep(BODY, (0, 0), 0.0, DOWN), "position: expected x, y, z"),
        (lambda: TILES.sweep(BODY, HERE, "north", DOWN), "yaw: expected numbers"),
        (lambda: TILES.sweep(BODY, HERE, [[0.0]], DOWN), "yaw: expected one angle"),
        (lambda: TILES.sweep_many(BODY, [HERE] * 2, 0.0, [DOWN] * 3), "different lengths"),
        (lambda: TILES.sweep(BALL, (0, 0, 0), 0.0, (1, 0, 0)), "position and yaw are an ellipsoid's"),
        (lambda: TILES.overlap(BALL, (0, 0, 0)), "position and yaw are an ellipsoid's"),
        (lambda: TILES.sweep(BODY, (0, 0, 0)), "needs a position, a yaw and a displacement"),
        (lambda: TILES.overlap(BODY), "needs a position and a yaw"),
        (lambda: TILES.overlap("ball", (0, 0, 0), 0.0), "expected an Ellipsoid"),
        (lambda: TILES.sweep(BALL, displacement=(0, NAN, 0)), "displacement: must be finite"),
        (lambda: TILES.overlap(BODY, None, 0.0), "position: expected numbers"),
        (lambda: TILES.raycast(HERE, (0, 0, 0)), "direction: has no length"),
        (lambda: TILES.raycast(HERE, (0, NAN, 0)), "direction: must be finite"),
        (lambda: TILES.raycast(HERE, DOWN, -1.0), "max_distance: must not be negative"),
        (lambda: TILES.raycast(HERE, DOWN, NAN), "max_distance: must be finite"),
        (lambda: TILES.raycast_any(HERE, (0, 0, 0)), "direction: has no length"),
        (lambda: TILES.raycast_any((0, NAN, 0), DOWN), "origin: must be finite"),
        (lambda: TILES.raycast_all(HERE, DOWN, -1.0), "max_distance: must not be negative"),
        (lambda: TILES.raycast_all((0, 0), DOWN), "origin: expected x, y, z"),
        (lambda: TILES.closest((0, 0, "here")), "point: expected numbers"),
        (lambda: TILES.ground_below(HERE, steepest=91), "steepest: must be from 0 to 90 degrees"),
        (lambda: TILES.ground_below(HERE, steepest=NAN), "steepest: must be finite"),
        (lambda: TILES.ground_below(HERE, steepest=[1.0]), "steepest: must be from 0 to 90 degrees"),
        (lambda: TILES.ground_below(HERE, reach=-1), "reach: must not be negative"),
        (lambda: TILES.ground_below(HERE, up=(0, 0, 0)), "up: has no length"),
        (lambda: TILES.ground_below("here"), "point: expected numbers"),
        (lambda: TERRAIN.ground_below((0.0, INF, 0.0)), "finite"),
        (lambda: TERRAIN.ground_below(HERE, -1.0), "negative"),
        # height fields
        (lambda: HeightField((0, 0), (1, 0), (2, 0), np.zeros((1, 1, 2))), "no area"),
        (lambda: HeightField((0, NAN), (1, 0), (0, 1), np.zeros((1, 1, 2))), "finite"),
        (lambda: HeightField((0, 0), (1, 0), (0, 1), np.zeros((1, 2))), "rows, columns, S"),
        (lambda: HeightField.of_grid([[1.0, 2.0]]), "2 by 2"),
        (lambda: TriangleMesh(np.eye(3)[None], fields=[HeightField((0, 0), (1, 0), (0, 1), [[[0, 1]]])]), "outside"),
        # surfaces
        (
            lambda: NAMED.raycast(HERE, DOWN, surfaces="glas"),
            "surfaces: no surface is called 'glas'; did you mean 'glass'",
        ),
        (lambda: NAMED.raycast(HERE, DOWN, ignore="xyz"), "ignore: no surface is called 'xyz'; known: glass, stone"),
        (lambda: NAMED.raycast(HERE, DOWN, surfaces=2), "surfaces: the mesh has the surfaces 0 to 1, not 2"),
        (lambda: NAMED.closest(HERE, surfaces=-1), "surfaces: the mesh has the surfaces 0 to 1, not -1"),
        (lambda: COATED.closest(HERE, surfaces=[0, 5]), "surfaces: the mesh has the surfaces 0 to 1, not 5"),
        (lambda: PLAIN.raycast(HERE, DOWN, surfaces="glass"), "this mesh has no surface names"),
        (lambda: PLAIN.raycast(HERE, DOWN, surfaces=1.5), "surfaces: expected indices or names of surfaces, not 1.5"),
        (lambda: PLAIN.raycast_any(HERE, DOWN, surfaces=[True]), "expected indices or names of surfaces, not True"),
        (lambda: PLAIN.raycast_all(HERE, DOWN, ignore=b"ab"), "ignore: expected indices or names"),
        (lambda: PLAIN.sweep(BODY, HERE, 0, DOWN, ignore=2**40), "ignore: expected indices or names"),
        (lambda: PLAIN.overlap(BODY, HERE, 0, ignore=[[1]]), "ignore: expected indices or names"),
        (lambda: PLAIN.ground_below(HERE, surfaces=0, ignore=1), "either surfaces .* or ignore .*, not both"),
        (lambda: TriangleMesh(QUAD, surface_names="ab"), "surface_names must be a sequence of str"),
        (lambda: TriangleMesh(QUAD, [0, 2], surface_names=["a"]), "indices into 1 surface names"),
        # shapes
        (lambda: Sphere((0, 0), 1.0), "centre: expected x, y, z"),
        (lambda: Sphere((0, 0, NAN), 1.0), "centre: must be finite"),
        (lambda: Sphere((0, 0, 2e9), 1.0), "within 1e[+]09 m"),
        (lambda: Sphere((0, 0, 0), 0.0), "radius: must be from 1e-06 to 1e[+]06 m"),
        (lambda: Sphere((0, 0, 0), -1.0), "radius: must be from"),
        (lambda: Sphere((0, 0, 0), "big"), "radius: expected numbers"),
        (lambda: Sphere([(0, 0, 0)] * 2, [1, 2, 3]), r"arrays of different lengths \[2, 3\]"),
        (lambda: Sphere((0, 0, 0), [[1.0]]), "radius: expected one number"),
        (lambda: Capsule((0, 0, 0), (0, 1, INF), 1.0), "end: must be finite"),
        (lambda: Box((0, 0, 0), (1, 0, 1)), "half_sizes: must be at least 1e-06 m"),
        (lambda: Box((0, 0, 0), (1, 1, 1), np.ones((3, 3))), "turn: its columns"),
        (lambda: Box((0, 0, 0), (1, 1, 1), np.ones((2, 2))), "turn: expected yaws or rotations"),
        (lambda: Box((0, 0, 0), (1, 1, 1), NAN), "turn: must be finite"),
        (lambda: Box.between((0, 0, 0), (1, 0, 1)), "least, most"),
        (lambda: BALL.gap("a ball"), "expected a Sphere, Capsule or Box, got 'a ball'"),
        (lambda: BALL.sweep((0, 0), BALL), "displacement: expected"),
        (lambda: Sphere([HERE] * 2, 1).gap_many(Sphere([HERE] * 3, 1)), "the shapes: arrays of different"),
        (lambda: BALL.raycast((0, 0, 0), (0, 0, 0)), "direction: has no length"),
        (lambda: BALL.raycast((0, 0, 0), (0, 0, 1), -1), "max_distance: must not be negative"),
        (lambda: BALL.moved((NAN, 0, 0)), "by: must be finite"),
        # polygons
        (lambda: point_in_polygon((0, 0), [(0, 0), (1, 0)]), "polygon: expected three corners or more"),
        (lambda: point_in_polygon((0, 0), TRIANGLE), "expected 3 coordinates each"),
        (lambda: point_in_polygon((0, 0, 0), NOTCHED), "expected 2 coordinates each"),
        (lambda: point_in_polygon((0, NAN), NOTCHED), "point: must be finite"),
        (lambda: point_in_polygon((0, 2e9), NOTCHED), "point: must lie within"),
        (lambda: point_in_polygon((0, 0), [(0, 0), (1, 0), (NAN, 1)]), "polygon: must be finite"),
        (lambda: point_in_polygon((0, 0), [(0, 0), (1, 0), (2e9, 1)]), "polygon: must lie within"),
        (lambda: point_in_polygon((0, 0), "round"), "polygon: expected numbers"),
        (lambda: point_in_polygon((0, 0, 0), [(0, 0, 0), (1, 0, 0), (2, 0, 0)]), "polygon: has no area"),
        (lambda: point_in_polygon((0, 0, 0), [*TRIANGLE, (0, 1, 1)]), "must lie in one plane"),
        (lambda: point_in_polygon((0, 0), NOTCHED, [[(1, 1)]]), "holes: expected three corners"),
        # queries of a crowd
        (lambda: CROWD.raycast(None, AHEAD), "states must be a sequence of WalkerState objects"),
        (lambda: CROWD.raycast([STATE, 3], AHEAD), r"states\[1\] must be a WalkerState"),
        (lambda: CROWD.raycast(np.zeros((2, 3)), AHEAD), "states must be a 1-D array of state rows"),
        (lambda: CROWD.raycast(np.zeros(2, STATE_ROW), AHEAD), "row 0 of states is no state"),
        (lambda: CROWD.raycast([STATE], (0, 0, 0)), "directions: has no length"),
        (lambda: CROWD.raycast([STATE], (0, 0)), "directions: expected x, y, z"),
        (lambda: CROWD.raycast([STATE], "north"), "directions: expected numbers"),
        (lambda: CROWD.raycast([STATE], AHEAD, -1.0), "max_distance: must not be negative"),
        (lambda: CROWD.raycast([STATE], AHEAD, [1.0, 2.0, 3.0]), "max_distance: one for each of 2 directions, not 3"),
        (lambda: CROWD.raycast([STATE], AHEAD, view=[Command()] * 2), "view: expected one .* 1 walkers, got 2"),
        (lambda: CROWD.raycast([STATE], AHEAD, view=[STATE]), r"view\[0\] must be a Command"),
        (lambda: CROWD.raycast([STATE], AHEAD, view=Command()), "view must be a sequence of Command"),
        (lambda: CROWD.raycast([STATE], AHEAD, clock=0.5), "clock must be an integer"),
        (lambda: CROWD.raycast([STATE], AHEAD, surfaces="sky"), "this mesh has no surface names"),
        (lambda: CROWD.sweep([STATE], (0, NAN, 0)), "displacements: must be finite"),
        (lambda: CROWD.sweep([STATE], 3), "displacements: expected x, y, z"),
        (lambda: CROWD.sweep([STATE], (0, 0, -1), surfaces=1, ignore=2), "not both"),
        (lambda: CROWD.sweep([STATE], (0, 0, -1), clock=2**50), "clock must be at most"),
        *((lambda clock=clock: CROWD.raycast([STATE], AHEAD, clock=clock), "clock must be") for clock in CLOCKS),
        *((lambda radii=radii: Ellipsoid(radii), "radii") for radii in RADII),
        # balls
        *((lambda field=field: ball_step(field), words) for *field, words in BALL_FIELDS),
        *(
            (lambda body=body: Balls().step(BALL_ROWS, FLOOR, bodies=[(OwnBody(), body)]), "bodies must have")
            for body in BODIES
        ),
        (
            lambda: Balls().step(BALL_ROWS, FLOOR, bodies=[(OwnBody(), None)]),
            r"bodies\[1\] must be a KinematicBodyState, not None",
        ),
        (lambda: Balls().step(np.zeros(3), FLOOR), "ball rows"),
        (lambda: BallSettings(ticks_per_second=0.0), "ticks_per_second"),
    ],
)
def test_a_wrong_argument_is_refused_by_its_name(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_degrees_are_counter_clockwise_from_north():
    assert Command.degrees(90, 45, forward=1, jump=True) == Command(1, 0, 16384, 8192, jump=True)
    assert Command.degrees(-90).heading == Command.degrees(270).heading == 49152
    assert Command.degrees(0, -90).pitch == -16384
    assert [heading_from_degrees(angle) for angle in (0, 180, 360, -0.001)] == [0, 32768, 0, 0]
    assert [degrees_from_heading(heading) for heading in (0, -16384, 65536 + 1)] == [0.0, 270.0, 360 / 65536]
    west = WALKER.spawn(FLOOR, (0, 0, 0), heading_from_degrees(90))
    assert west.heading_degrees == 90.0
    after, _ = WALKER.step(west, Command.degrees(90, forward=1), FLOOR)
    assert after.position[0] < west.position[0]
    assert after.position[2] == pytest.approx(west.position[2])


@pytest.mark.parametrize(
    ("states", "words"),
    [
        (np.zeros(2), "states must be a 1-D array of state rows"),
        (np.zeros((2, 30)), "states must be a 1-D array of state rows"),
        (np.zeros(2, STATE_ROW), "row 0 of states is no state of a walker"),
        (spoiled("position", NAN), "row 1 of states"),
        (spoiled("falling", INF), "row 1 of states"),
        (spoiled("radii", (0.35, 0.0, 0.25)), "row 1 of states"),
        (spoiled("up", (0.0, 1e200, 0.0)), "row 1 of states"),
        (spoiled("north", (0.0, 1.0, 0.0)), "row 1 of states"),
        (spoiled("heading", -1), "row 1 of states"),
        (7, "states must be a sequence of WalkerState objects"),
        ([STATE, None], r"states\[1\] must be a WalkerState, not None"),
    ],
)
def test_a_crowd_steps_states_only(states, words):
    with pytest.raises(ValueError, match=words):
        Crowd(WALKER, FLOOR, threads=1).step(states, [Command(), Command()])


def test_valid_arguments_of_every_type_are_kept_as_given():
    """Unit vectors of 32-bit floats, long input vectors, headings of any size, NumPy integers and clocks before 0."""
    rounded = np.array((0.6, 0.8, 0.0), np.float32)
    up = tuple(float(value) for value in rounded)
    state = WALKER.spawn(TriangleMesh([]), (0.0, 0.0, 0.0), np.int32(-1), rounded, (0.0, 0.0, -1.0))
    assert (state.up, state.north, state.heading) == (up, (0.0, 0.0, -1.0), 65535)
    fast, usual = (WALKER.step(STATE, Command(forward=size), FLOOR)[0] for size in (1e6, 1.0))
    assert fast == usual
    rows = WALKER.commands(heading=[2**40 + 5, -1], pitch=[-16384, 16384], buttons=2**32 - 1)
    assert (rows["heading"] % 65536).tolist() == [5, 65535]
    assert rows["pitch"].tolist() == [-16384, 16384]
    moved = Environment(movers=Movers([lift(motion=Motion(path=((0, 0, 0), (0, 1, 0))))]))
    assert WALKER.step(STATE, Command(), FLOOR, moved, np.int64(-5))[0].tick == STATE.tick + 1
