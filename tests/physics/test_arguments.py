"""Arguments of the public interface: what is out of range or of another kind is refused by name, and not changed."""

from __future__ import annotations

import math

import numpy as np
import pytest

from game.physics import (
    Command,
    Crowd,
    Ellipsoid,
    Environment,
    Material,
    Motion,
    Mover,
    Movers,
    TriangleMesh,
    Walker,
    Zone,
    Zones,
    degrees_from_heading,
    heading_from_degrees,
)
from game.physics.balls.balls import Balls, BallSettings
from game.physics.character.state import STATE_ROW
from tests.support.scenes import floor, mesh

WALKER, FLOOR = Walker(), mesh(floor(-6, -6, 6, 6))
STATE = WALKER.spawn(FLOOR, (0.0, 0.0, 0.0))
NAN, INF = math.nan, math.inf


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
