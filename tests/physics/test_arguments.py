"""Arguments of the public interface: what is out of range is refused by its name, with a cure where there is one.

`tests/properties/test_arguments.py` gives each argument values of other kinds.
"""

import math

import numpy as np
import pytest

from game.physics import (
    Box,
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
    WalkerSettings,
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
RADII = ((0, 1, 1), (-1, 1, 1), (1, 1), (1,) * 4, 1.0, ((1,) * 3,), (1e-300, 1, 1))
WRONG_COMMANDS = (
    ("forward", NAN), ("strafe", INF), ("forward", "fast"), ("heading", 1.5), ("pitch", 20000), ("jump", 1),
    ("heading", True),
)  # fmt: skip
WRONG_SETTINGS = (
    ("radii", (0.3, 0.9)), ("radii", (0.3, -1.0, 0.3)), ("crouch_height", 5.0), ("walk_speed", NAN), ("gravity", -1.0),
    ("max_slope", 95.0), ("skin", 0.0), ("ticks_per_second", 0.0), ("acceleration", 0.0), ("eye", "high"),
)  # fmt: skip
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


NO_STATES = (
    7, [STATE, None], np.zeros(2), np.zeros((2, 30)), np.zeros(2, STATE_ROW), spoiled("position", NAN),
    spoiled("falling", INF), spoiled("radii", (0.35, 0.0, 0.25)), spoiled("up", (0.0, 1e200, 0.0)),
    spoiled("north", (0.0, 1.0, 0.0)), spoiled("heading", -1),
)  # fmt: skip


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: WALKER.commands(pitch=[2**40]), "pitch of row 0 must be within -16384..16384, not 1099511627776"),
        (lambda: WALKER.commands(pitch=[0, -(2**31)]), "pitch of row 1"),
        (lambda: WALKER.commands(buttons=[2**32]), "buttons of row 0 must be within 0..4294967295"),
        (lambda: WALKER.commands(buttons=-1), "buttons of row 0"),
        (lambda: WALKER.commands([Command(), None]), r"commands\[1\] must be a Command, not None"),
        (lambda: Command(pitch=10**400), "pitch must be within .* more than 40 digits"),
        (lambda: WALKER.spawn(FLOOR, (0, 0, 0), up=(0, 2, 0)), r"up must have the length 1, not \(0, 2, 0\)"),
        (lambda: WALKER.spawn(FLOOR, (0, 0, 0), up=(0, 3, 0)), r"up must have the length 1, not \(0, 3, 0\)"),
        (lambda: WALKER.spawn(FLOOR, (0, 0, 0), up=(0, 0, 0)), "up must have the length 1"),
        (lambda: WALKER.spawn(FLOOR, (0, 0, "a")), r"feet\[2\] must be a number, not 'a'$"),
        (lambda: WALKER.spawn(FLOOR, "a" * 200), f"not '{'a' * 79}\\.\\.\\.$"),
        (lambda: WALKER.spawn(FLOOR, (0, 0, 0), north=(0, 1, 0)), "north must be perpendicular to up"),
        (lambda: WALKER.spawn(FLOOR, (0, 0, 0), north=(0, 0, -1.1)), "north must have the length 1"),
        (lambda: WALKER.spawn(FLOOR, (1e8, 0, 0)), r"feet\[0\] must be within -1e\+07..1e\+07"),
        (lambda: WALKER.spawn(FLOOR, (0, 10**400, 0)), r"feet\[1\] must be finite"),
        (
            lambda: WALKER.step(STATE, Command(), np.zeros((2, 3, 3))),
            r"mesh must be a TriangleMesh, not an array of shape \(2, 3, 3\) .*; wrap it: TriangleMesh\(array\)",
        ),
        (lambda: WALKER.run(STATE, [Command()], [(0, 0, 0)]), r"mesh must be .*, not list; wrap it"),
        (lambda: WALKER.step(STATE.row(), Command(), FLOOR), r"state must be a WalkerState.*walker.state\(row\)"),
        (lambda: WALKER.step(WALKER.step(STATE, Command(), FLOOR), Command(), FLOOR), r"step is \(state, trace\)"),
        (lambda: WALKER.step(STATE, Command(), FLOOR, Movers([])), r"use Environment\(movers=...\)"),
        (lambda: Environment((), Movers([])), "zones must be a Zones.*for a level use level.environment"),
        (lambda: Balls().step(Balls.rows([(0, 1, 0)]), np.zeros((2, 3, 3))), r"wrap it: TriangleMesh\(array\)"),
        (lambda: TriangleMesh(FLOOR), "triangles: expected an array .* it is one already"),
        (lambda: FLOOR.sweep((1, 1, 1), (0, 3, 0), 0, (0, -1, 0)), r"ellipsoid: expected .*wrap the radii: Ellipsoid"),
        (lambda: Command.degrees(pitch=91), "pitch must be within -90..90, not 91"),
        (lambda: heading_from_degrees(1e200), "degrees must be within"),
        (lambda: lift(at=(NAN, 0, 0)), r"at\[0\] must be finite"),
        (lambda: Movers([lift()], 0.5), "ticks_per_second must be within 1"),
        (lambda: Movers([3]), r"movers\[0\] must be a Mover, not 3"),
        (lambda: Movers([lift()]).turn(1, 0, (0, 1, 0)), "number must be at most 0"),
        (lambda: Motion(path=((0, 0, 0), (0, 1))), r"path\[1\] must be three numbers"),
        (lambda: Motion(axis=(1e200, 0, 0)), r"axis\[0\] must be within"),
        (lambda: Material(flow=(1, 2, 3)), r"flow must be two numbers \(east, south\), not \(1, 2, 3\)"),
        (lambda: TriangleMesh([], materials=[3]), r"materials\[0\] must be a Material"),
        (lambda: Zones([None]), r"zones\[0\] must be a Zone"),
        (lambda: BallSettings(gravity=(1e200, 0, 0)), r"gravity\[0\] must be within"),
        # rays, sweeps and overlaps of a mesh
        (lambda: TILES.sweep(BODY, HERE, 0.0, (0, -1e10, 0)), "displacement: must lie within"),
        (lambda: TILES.sweep_many(BODY, [HERE] * 2, 0.0, [DOWN] * 3), "different lengths"),
        (lambda: TILES.sweep(BALL, (0, 0, 0), 0.0, (1, 0, 0)), "position and yaw are an ellipsoid's"),
        (lambda: TILES.overlap(BALL, (0, 0, 0)), "position and yaw are an ellipsoid's"),
        (lambda: TILES.sweep(BODY, (0, 0, 0)), "needs a position, a yaw and a displacement"),
        (lambda: TILES.overlap(BODY), "needs a position and a yaw"),
        (lambda: TILES.overlap("ball", (0, 0, 0), 0.0), "expected an Ellipsoid"),
        (lambda: TILES.ground_below(HERE, steepest=91), "steepest: must be from 0 to 90 degrees"),
        (lambda: TILES.ground_below(HERE, steepest=[1.0]), "steepest: must be from 0 to 90 degrees"),
        # height fields
        (lambda: HeightField((0, 0), (1, 0), (2, 0), np.zeros((1, 1, 2))), "no area"),
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
        (lambda: PLAIN.ground_below(HERE, surfaces=0, ignore=1), "either surfaces .* or ignore .*, not both"),
        (lambda: TriangleMesh(QUAD, [0, 2], surface_names=["a"]), "indices into 1 surface names"),
        # shapes
        (lambda: Sphere((0, 0, 2e9), 1.0), "within 1e[+]09 m"),
        (lambda: Sphere((0, 0, 0), 0.0), "radius: must be from 1e-06 to 1e[+]06 m"),
        (lambda: Sphere((0, 0, 0), -1.0), "radius: must be from"),
        (lambda: Sphere([(0, 0, 0)] * 2, [1, 2, 3]), r"arrays of different lengths \[2, 3\]"),
        (lambda: Box((0, 0, 0), (1, 0, 1)), "half_sizes: must be at least 1e-06 m"),
        (lambda: Box((0, 0, 0), (1, 1, 1), np.ones((3, 3))), "turn: its columns"),
        (lambda: Box((0, 0, 0), (1, 1, 1), np.ones((2, 2))), "turn: expected yaws or rotations"),
        (lambda: Box.between((0, 0, 0), (1, 0, 1)), "least, most"),
        (lambda: BALL.gap("a ball"), "expected a Sphere, Capsule or Box, got 'a ball'"),
        (lambda: BALL.sweep((0, 0), BALL), "displacement: expected"),
        (lambda: Sphere([HERE] * 2, 1).gap_many(Sphere([HERE] * 3, 1)), "the shapes: arrays of different"),
        # polygons
        (lambda: point_in_polygon((0, 0), [(0, 0), (1, 0)]), "polygon: expected three corners or more"),
        (lambda: point_in_polygon((0, 0), TRIANGLE), "expected 3 coordinates each"),
        (lambda: point_in_polygon((0, 0, 0), NOTCHED), "expected 2 coordinates each"),
        (lambda: point_in_polygon((0, 2e9), NOTCHED), "point: must lie within"),
        (lambda: point_in_polygon((0, 0), [(0, 0), (1, 0), (2e9, 1)]), "polygon: must lie within"),
        (lambda: point_in_polygon((0, 0, 0), [(0, 0, 0), (1, 0, 0), (2, 0, 0)]), "polygon: has no area"),
        (lambda: point_in_polygon((0, 0, 0), [*TRIANGLE, (0, 1, 1)]), "must lie in one plane"),
        (lambda: point_in_polygon((0, 0), NOTCHED, [[(1, 1)]]), "holes: expected three corners"),
        # queries of a crowd
        (lambda: CROWD.raycast([STATE, 3], AHEAD), r"states\[1\] must be a WalkerState"),
        (lambda: CROWD.raycast(np.zeros(2, STATE_ROW), AHEAD), "row 0 of states is no state"),
        (lambda: CROWD.raycast([STATE], AHEAD, [1.0, 2.0, 3.0]), "max_distance: one for each of 2 directions, not 3"),
        (lambda: CROWD.raycast([STATE], AHEAD, view=[Command()] * 2), "view: expected one .* 1 walkers, got 2"),
        (lambda: CROWD.raycast([STATE], AHEAD, view=[STATE]), r"view\[0\] must be a Command"),
        (lambda: CROWD.raycast([STATE], AHEAD, surfaces="sky"), "this mesh has no surface names"),
        (lambda: CROWD.sweep([STATE], (0, 0, -1), surfaces=1, ignore=2), "not both"),
        *((lambda clock=clock: CROWD.raycast([STATE], AHEAD, clock=clock), "clock must be") for clock in CLOCKS),
        *((lambda rows=rows: CROWD.step(rows, [Command()] * 2), "states") for rows in NO_STATES),
        *((lambda wrong=wrong: Command(**dict([wrong])), wrong[0]) for wrong in WRONG_COMMANDS),
        *((lambda wrong=wrong: WALKER.commands(**dict([wrong])), wrong[0]) for wrong in WRONG_COMMANDS),
        *((lambda wrong=wrong: WalkerSettings(**dict([wrong])), wrong[0]) for wrong in WRONG_SETTINGS),
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
