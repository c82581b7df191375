"""Each change of one state of a good walk is a breach of its kind; the good walk itself has none."""

import numpy as np
import pytest

from game.fuzz.carrying import TouchedPoint, carrying_height, climbs_treads
from game.fuzz.failures import KINDS
from game.fuzz.tick_referee import TickReferee
from game.physics import Mover, Movers, Walker, WalkerSettings
from game.physics.environment.environment import Environment
from game.physics.environment.motion import Motion
from tests.support.scenes import box, floor, mesh, stairs, wall

TICK = 20  # of the walk, counted from 0, whose end is changed


def good_walk():
    """(walker, mesh, states, rows): 40 ticks over level ground towards stairs, beside a wall."""
    walker, world = (
        Walker(WalkerSettings()),
        mesh(floor(-4, -2, 4, 6), wall(3, -9, 3, 9, 4), stairs(0.2, 0.3, 4, z=-2.0)),
    )
    state = walker.spawn(world, (0.0, 0.0, 2.0))
    rows = walker.commands(forward=np.ones(40))
    return walker, world, np.concatenate((state.row(), walker.run(state, rows, world))), rows


def changed(**fields):
    """Kinds of breaches after a change of the state at the end of TICK by a difference, or to a boolean."""
    walker, world, states, rows = good_walk()
    states = states[: TICK + 2].copy()
    for name, value in fields.items():
        states[name][-1] = value if isinstance(value, bool) else states[name][-1] + np.array(value)
    return {breach.kind for breach in TickReferee(walker, world).check(states, rows[: TICK + 1])}


def test_a_good_walk_has_no_breach():
    walker, world, states, rows = good_walk()
    assert TickReferee(walker, world).check(states, rows) == []
    assert changed() == set()


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("air step", {"position": (0.0, 0.03, 0.0), "grounded": False}),
        ("high step", {"position": (0.0, 0.45, 0.0)}),
        ("drop", {"position": (0.0, -0.85, 0.0)}),
        ("way", {"position": (0.02, 0.0, -0.05)}),
        ("speed", {"velocity": (0.0, 0.0, -0.1)}),
        ("speed", {"falling": 0.5, "grounded": False}),
        ("turn", {"heading": 100}),
        ("up", {"up": (1.0, -1.0, 0.0), "north": (0.0, 0.0, 0.0)}),
        ("gap", {"position": (0.0, -0.02, 0.0)}),
        ("tunnel", {"position": (4.0, 0.0, 0.0)}),
    ],
)
def test_a_change_of_one_state_is_seen(kind, fields):
    assert kind in changed(**fields)


def test_a_landing_on_too_high_a_ledge_is_seen():
    walker, world = Walker(WalkerSettings()), mesh(floor(-4, -4, 4, 4), box(-1, 0, -3, 1, 0.8, -1))
    state = walker.spawn(world, (0.0, 0.8, -2.0))
    rows = walker.commands(forward=[0.0])
    states = np.concatenate((state.row(), walker.run(state, rows, world)))
    states["position"][0] -= (0.0, 0.5, 0.0)
    states["grounded"][0] = False
    assert "landing" in {breach.kind for breach in TickReferee(walker, world).check(states, rows)}


def test_a_body_that_stays_inside_something_is_stuck():
    walker, world, states, rows = good_walk()
    still = np.repeat(states[:1], 35)
    still["position"] -= (0.0, 0.1, 0.0)
    assert "stuck" in {breach.kind for breach in TickReferee(walker, world).check(still, rows[:34])}


def test_a_mover_in_the_body_is_seen():
    walker, world, states, rows = good_walk()
    block = Mover(mesh(box(-0.2, 0.0, -0.2, 0.2, 1.0, 0.2)), (0.0, 0.0, 1.5))
    around = Environment(None, Movers([block], walker.settings.ticks_per_second))
    assert "gap" in {breach.kind for breach in TickReferee(walker, world, around).check(states, rows)}


@pytest.mark.parametrize(("far", "kinds"), [(30.0, {"way"}), (0.5, set())])
def test_only_a_mover_near_the_body_widens_its_bounds(far, kinds):
    walker, world, states, rows = good_walk()
    states = states[: TICK + 2].copy()
    states["position"][-1] += (0.0, 0.0, -0.1)
    sled = Mover(mesh(floor(0, 0, 1, 1)), (far, 2.2, 0.0), Motion(((0.0, 0.0, 0.0), (20.0, 0.0, 0.0)), 1.0))
    around = Environment(None, Movers([sled], walker.settings.ticks_per_second))
    assert {breach.kind for breach in TickReferee(walker, world, around).check(states, rows[: TICK + 1])} == kinds


def test_a_way_through_a_moving_wall_is_seen():
    """The wall is on neither side of the body after the tick: it comes towards the body and is behind it then."""
    walker, world, states, rows = good_walk()
    thin = Mover(mesh(wall(-2, 0, 2, 0, 3)), (0.0, 0.0, -8.63), Motion(((0.0, 0.0, 0.0), (0.0, 0.0, 130.0)), 1.0))
    around = Environment(None, Movers([thin], walker.settings.ticks_per_second))
    found = TickReferee(walker, world, around).check(states[:4], rows[:3], clock=8)
    assert [(breach.kind, breach.tick) for breach in found] == [("tunnel", 2)]


def test_every_kind_is_shown_here():
    shown = {"landing", "stuck"} | {
        arguments[0] for arguments in test_a_change_of_one_state_is_seen.pytestmark[0].args[1]
    }
    assert shown == set(KINDS) - {"wild", "fast", "tremble", "drift"}  # those are judged by the whole walk


@pytest.mark.parametrize("height", [0.1, 0.25, 0.4])
def test_the_height_that_carries_a_body(height):
    """Level ground carries at its height, a step at that of its edge while the body rides over it."""
    walker = Walker(WalkerSettings())
    world = mesh(floor(-4, 0, 4, 4), stairs(height, 3.0, 1))
    state = walker.spawn(world, (0.0, 0.0, 1.0))
    states = walker.run(state, walker.commands(forward=np.ones(40)), world)
    triangles = world.triangles12[:, :9].reshape(-1, 3, 3)
    heights = np.round([carrying_height(row, triangles, walker.settings, True) for row in states], 9)
    assert (np.diff(heights) >= 0.0).all()
    assert set(heights) == {0.0, height}


@pytest.mark.parametrize(
    ("tread", "displacement", "height", "climbs"),
    [
        (0.05, 0.06, 0.75, True),
        (0.05, 0.04, 0.75, False),  # the displacement covers no tread
        (0.005, 0.06, 0.75, False),  # one edge above the other: no tread
        (0.05, 0.06, 0.85, False),  # the second rise is too high
    ],
)
def test_a_step_onto_the_second_riser_needs_a_displacement_that_covers_the_tread(tread, displacement, height, climbs):
    first = np.array(box(-1.0, 0.0, -2.0, 1.0, 0.38, 0.0))
    second = np.array(box(-1.0, 0.0, -2.0, 1.0, height, -tread))
    ahead = TouchedPoint(0.1, height, -tread, np.array((0.0, 0.1, 0.995)))
    triangles = np.concatenate((first, second))
    assert climbs_treads(0.0, ahead, triangles, WalkerSettings(), displacement) is climbs
    beyond = TouchedPoint(0.1, height, -tread - 0.02, np.array((0.0, 1.0, 0.0)))  # on the face behind that edge
    assert climbs_treads(0.0, beyond, triangles, WalkerSettings(), displacement, (0.0, 1.0)) is climbs


def test_the_ridge_of_two_steep_faces_carries_a_body():
    roof = mesh(
        floor(-4, -4, 4, 4),
        [((-2.0, 0.0, 1.0), (2.0, 0.0, 1.0), (0.0, 3.0, 0.0))],
        [((2.0, 0.0, -1.0), (-2.0, 0.0, -1.0), (0.0, 3.0, 0.0))],
    )
    walker = Walker(WalkerSettings())
    state = walker.spawn(mesh(floor(-4, -4, 4, 4, y=3.0)), (0.0, 3.0, 0.0)).row()
    assert carrying_height(state[0], roof.triangles12[:, :9].reshape(-1, 3, 3), walker.settings, True) == pytest.approx(
        3.0
    )
