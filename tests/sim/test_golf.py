"""Golf: strokes, cups, water, bounds; the preview is what comes; a ball lies on the triangle of its cell."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from game.level import load
from game.physics import Command
from game.physics.balls.balls import Balls
from game.sim import BallLost, BallStruck, HoledOut, World
from game.sim.golf import BALL_MOVING, CHARGE_DELAY, CHARGE_SECONDS, CHARGING, READY, ROUND_DONE
from tests.support.until import repeat_until

COURSE = """
format: 1
spawn: {at: [0, 0.1, 6.2], facing: north}
goal: {at: [0, 0, -6], radius: 1.5, after: holes}
surfaces:
  grass: {texture: grass, roll: 0.1}
  bed: {colour: blue, roll: 2, soft: 1}
golf:
  holes:
    - {tee: [0, 5], cup: [0, -6], par: 2}
    - {tee: [1, -5], cup: [6, 6], name: The second}
  water: bed
  bounds: [[-11, -5, -11], [11, 30, 11]]
pieces:
  - terrain:
      from: [-15, -15]
      to: [15, 15]
      formula: "0 * x"
      cell: 1.3
      surface: grass
      paint: [{surface: bed, where: "9 - (x + 7)**2 - z**2"}]
      cups: [{at: [0, -6], radius: 0.15}, {at: [6, 6]}]
"""
TURN = 65536
FULL = round(CHARGE_SECONDS * 60)
DELAY = round(CHARGE_DELAY * 60)


@pytest.fixture(scope="module")
def level():
    return load(text=COURSE)


def heading_to(world: World, x: float, z: float) -> int:
    bx, _, bz = world.golf.at
    return round(math.atan2(-(x - bx), -(z - bz)) / math.tau * TURN) % TURN


def strike(world: World, ticks: int, heading: int, pitch: int = 0) -> list[object]:
    """Hold for so many ticks of strength, let go, and wait until the ball lies."""
    events: list[object] = []
    look = {"heading": heading, "pitch": pitch}
    for _ in range(1 + DELAY + ticks):
        events += world.step(Command(use=True, **look))
    events += world.step(Command(**look))
    repeat_until(lambda: world.golf.phase != BALL_MOVING, lambda: events.extend(world.step(Command(**look))))
    return events


def stand_by(world: World, x: float, z: float) -> None:
    """Put the walker there, as another day it might have walked."""
    place = world.walker.spawn(world.mesh, feet=(x, 0.0, z))
    world.walker_state = place.replace(heading=world.walker_state.heading)


def holing(world: World) -> tuple[int, int]:
    """A strength that holes out along the straight line, and the heading: rolling on the level from v takes
    5/7 of it where the ball slid first, then v^2 / (2 a), so that a little more comes to the cup slowly."""
    hole = world.golf.current_hole
    x, _, z = world.golf.at
    far = math.hypot(hole.cup[0] - x, hole.cup[2] - z)
    heading = heading_to(world, hole.cup[0], hole.cup[2])
    guess = math.sqrt(2.0 * 0.12 * 9.81 * far) * 1.25 / world.golf.course.speed * FULL
    for ticks in range(round(guess), round(guess * 1.6) + 4):
        way = world.golf.preview(heading, 0, ticks / FULL, 700)
        if math.hypot(way[-1][0] - hole.cup[0], way[-1][2] - hole.cup[2]) < hole.radius:
            return ticks, heading
    raise AssertionError("no stroke along the line goes in")


def test_a_round_of_two_holes_and_the_goal_that_waits_for_them(level):
    world = World(level)
    assert (world.golf.phase, world.golf.holes_left, world.holes_missing) == (READY, 2, 2)
    ticks, heading = holing(world)
    events = strike(world, ticks, heading)
    struck = [event for event in events if isinstance(event, BallStruck)]
    assert [(event.hole, event.strokes) for event in struck] == [(0, 1)]
    assert struck[0].strength == ticks / FULL
    (done,) = (event for event in events if isinstance(event, HoledOut))
    assert (done.hole, done.name, done.strokes, done.par, done.remaining) == (0, "Hole 1", 1, 2, 1)
    assert world.golf.at == pytest.approx((1.0, 0.06, -5.0))  # on the second tee
    stand_by(world, 0.0, -6.5)
    assert world.is_at_goal
    assert not world.step(Command())  # in the goal, but there is a hole to play
    stand_by(world, 1.5, -4.0)
    strike(world, 30, heading_to(world, 6.0, -5.0))
    x, _, z = world.golf.at
    stand_by(world, x + 0.8, z)
    ticks, heading = holing(world)
    events = strike(world, ticks, heading)
    assert [event.strokes for event in events if isinstance(event, HoledOut)] == [2]
    assert (world.golf.phase, world.golf.card, world.golf.holes_left) == (ROUND_DONE, [1, 2], 0)
    stand_by(world, 0.0, -6.5)
    assert [type(event).__name__ for event in world.step(Command())] == ["GoalReached"]


def test_the_strength_goes_up_and_down_again_while_it_is_held(level):
    world = World(level)
    strengths = []
    for _ in range(DELAY):
        world.step(Command(use=True))
    for _ in range(4 * FULL + 1):
        world.step(Command(use=True))
        assert world.golf.phase == CHARGING
        strengths.append(world.golf.strength)
    held = np.arange(4 * FULL + 1)
    expected = 1.0 - np.abs(held % (2 * FULL) - FULL) / FULL
    assert np.allclose(np.maximum(expected, 0.03), strengths, rtol=0, atol=1e-15)
    assert world.golf.strokes == 0
    world.step(Command())
    assert world.golf.strokes == 1


@pytest.mark.parametrize(("held", "jump_at", "strokes"), [
    (DELAY, -1, 0), (1 + DELAY, -1, 1), (60, -1, 1), (60, 30, 0),
])  # fmt: skip
def test_a_tap_and_a_swing_that_a_jump_cancels_are_no_strokes(level, held, jump_at, strokes):
    world = World(level)
    events = [event for k in range(120) for event in world.step(Command(use=k < held, jump=k == jump_at))]
    assert world.golf.strokes == strokes
    if held == 1 + DELAY:
        assert events[0].strength == 0.03
    world.step(Command(use=True))
    assert world.golf.phase == (BALL_MOVING if strokes and held == 60 else CHARGING)


@pytest.mark.parametrize("z", [6.2, 7.4])
def test_space_cancels_and_does_not_jump_while_the_key_of_the_stroke_is_held(level, z):
    """Also where the ball is a little out of reach, and until Space is released."""
    world = World(level)
    stand_by(world, 0.0, z)
    for k in range(60):
        world.step(Command(use=k < 40, jump=20 <= k < 50))
        assert world.walker_state.grounded, k
        if k == 35:
            again = World(level)
            again.restore(world.state())
            assert again.state() == world.state()
    assert (world.golf.phase, world.golf.strokes) == (READY, 0)
    for _ in range(5):
        world.step(Command(jump=True))
    assert not world.walker_state.grounded


@pytest.mark.parametrize("z", [7.6, 8.0])
def test_space_jumps_away_from_the_ball_whatever_key_is_held(level, z):
    world = World(level)
    stand_by(world, 0.0, z)
    for k in range(5):
        world.step(Command(use=True, jump=k > 1))
    assert not world.walker_state.grounded


def test_a_jump_that_cancels_a_swing_stays_golfs_while_the_walker_leaves_the_ball(level):
    world = World(level)
    for k in range(90):
        world.step(Command(forward=-1.0, use=k < 20, jump=k > 10))
        assert world.walker_state.grounded, k
    assert math.dist(world.walker_state.feet, world.golf.at) > 4.0


def test_a_step_aside_does_not_end_the_swing(level):
    world = World(level)
    stand_by(world, 0.0, 6.9)
    world.step(Command(use=True))
    assert world.golf.phase == CHARGING
    stand_by(world, 0.0, 7.4)
    world.step(Command(use=True))
    assert world.golf.phase == CHARGING
    stand_by(world, 0.0, 7.6)
    world.step(Command(use=True))
    assert world.golf.phase == READY


@pytest.mark.parametrize(("ball", "is_via"), [
    ((0.0, 5.0), True), ((6.0, -2.0), True), ((2.0, -1.0), False), ((3.5, -4.0), False),
    ((2.5, -6.0), False), ((-1.0, -8.0), False),
])  # fmt: skip
def test_the_ball_is_played_to_via_until_the_flag_is_nearly_as_near_as_from_there(ball, is_via):
    world = World(
        load(
            text=COURSE.replace("cup: [0, -6], par: 2", "cup: [-6, -6], via: [2, -6], par: 2").replace(
                "{at: [0, -6], r", "{at: [-6, -6], r"
            )
        )
    )
    golf = world.golf
    golf._place_ball((ball[0], 0.06, ball[1]))
    assert golf.is_via_next == is_via
    assert (golf.target[0], golf.target[2]) == ((2.0, -6.0) if is_via else (-6.0, -6.0))


@pytest.mark.parametrize(("slope", "side", "end"), [
    (0.0, -3.0, (-2.9, -5.6)), (0.0, 0.0, (0.0, -6.0)), (0.0, 3.0, (2.9, -5.6)),  # along the view, as far away
    (0.12, 3.0, (0.0, -6.0)), (0.12, 6.0, (1.2, -5.9)),  # rolls down to the target
    (0.12, 0.0, None), (0.12, -3.0, None),  # leaves the course below it
])  # fmt: skip
def test_the_strength_for_the_target_ends_at_it_or_as_far_away_in_the_direction_of_the_view(slope, side, end):
    world = World(load(text=COURSE.replace("0 * x", f"{slope} * x")))
    golf, heading = world.golf, heading_to(world, side, -6.0)
    strength = golf.strength_for_target(heading, 0)
    if end is None:
        assert strength is None
    else:
        stroke = golf.predict(heading, 0, strength)
        assert (stroke.path[-1][0], stroke.path[-1][2]) == pytest.approx(end, abs=0.2)
        assert stroke.is_holed == (end == (0.0, -6.0))


def test_the_loft_for_the_target_carries_over_water(level):
    text = COURSE.replace("9 - (x + 7)**2 - z**2", "4 - z**2")
    golf = World(load(text=text)).golf
    heading = heading_to(World(level), 0.0, -6.0)
    assert golf.strength_for_target(heading, 0) is None
    loft = golf.loft_for_target(heading, 0)
    assert loft > 0
    assert golf.strength_for_target(heading, round(loft / 360 * TURN)) is not None


@pytest.mark.parametrize("radius", [0.11, 0.15])
@pytest.mark.parametrize(("slope", "fraction", "drops"), [
    (0.0, 0.0, True), (0.0, 0.1, True), (0.0, 0.5, True), (0.0, 0.99, True), (0.0, 1.6, False), (0.0, 2.5, False),
    (0.12, 0.0, True), (0.12, 0.15, True), (0.12, 0.99, True), (0.12, 2.5, False),
])  # fmt: skip
def test_a_ball_inside_the_rim_drops_below_the_known_limit_and_a_fast_one_jumps(radius, slope, fraction, drops):
    """From three sides, through the middle and near the edge; the prediction is the stroke."""
    world = World(load(text=COURSE.replace("0 * x", f"{slope} * x").replace("radius: 0.15", f"radius: {radius}")))
    golf = world.golf
    (x, y, z), r = golf.current_hole.cup, golf.course.radius
    limit = (2 * radius - r) * math.sqrt(9.81 / (2 * r))
    for side, aside in itertools.product((0, 3, 5), (0.0, 0.6, 0.95)):
        dx, dz = math.cos(0.1 + side * math.pi / 4), math.sin(0.1 + side * math.pi / 4)
        along = math.sqrt(1.0 - aside * aside) * radius * 0.995
        at = x - dx * along - dz * aside * radius, z - dz * along + dx * aside * radius
        height = y + slope * (at[0] - x) + r * math.hypot(1.0, slope) + 1e-5
        ball = Balls.rows([(at[0], height, at[1])], r, 0.046, 0.55, 0.5, 0.02)
        speed = fraction * limit
        ball["velocity"] = speed * dx, 0.0, speed * dz
        ball["spin"] = dz * speed / r, 0.0, -dx * speed / r
        predicted = golf._roll(ball, 400)
        assert predicted[2] == drops, (side, aside)
        golf.ball, golf.phase, golf._ticks = ball, BALL_MOVING, 0
        path = []
        while golf.hole == 0 and golf.phase == BALL_MOVING and len(path) < 60:
            world.step(Command())
            path.append(golf.at)
        assert golf.hole == drops
        assert np.array_equal(path[:-1], predicted[1][: len(path) - 1])
        world.restart()


def test_one_strikes_only_where_the_ball_lies_and_only_by_a_new_press(level):
    world = World(level)
    stand_by(world, 0.0, 8.0)
    for _ in range(5):
        world.step(Command(use=True))
    assert world.golf.phase == READY  # too far away
    stand_by(world, 0.0, 6.0)
    world.step(Command(use=True))
    assert world.golf.phase == READY  # the button was down already
    world.step(Command())
    world.step(Command(use=True))
    assert world.golf.phase == CHARGING
    stand_by(world, 0.0, 8.0)
    world.step(Command())
    assert (world.golf.phase, world.golf.strokes) == (READY, 0)  # walked away: no stroke


@pytest.mark.parametrize(("towards", "ticks", "pitch", "reason"), [
    ((-7.0, 0.0), 40, 0, "water"),
    ((5.0, 14.0), FULL, 4000, "out"),
])  # fmt: skip
def test_a_ball_in_the_water_or_out_comes_back_for_a_stroke_more(level, towards, ticks, pitch, reason):
    world = World(level)
    before = world.golf.ball.tobytes()
    events = strike(world, ticks, heading_to(world, *towards), pitch)
    (lost,) = (event for event in events if isinstance(event, BallLost))
    assert (lost.reason, lost.strokes, world.golf.strokes) == (reason, 2, 2)
    assert world.golf.ball.tobytes() == before
    assert world.golf.phase == READY


@pytest.mark.sample(1)
@pytest.mark.parametrize(("ticks", "pitch"), [(30, 0), (26, 5000), (20, -3000)])
def test_the_preview_is_what_comes_tick_by_tick(level, ticks, pitch):
    world = World(level)
    heading = heading_to(world, 4.0, -3.0)
    for _ in range(1 + DELAY + ticks):
        world.step(Command(use=True, heading=heading, pitch=pitch))
    way = world.golf.preview(heading, pitch, world.golf.strength, 2000)
    came = []
    world.step(Command(heading=heading, pitch=pitch))

    def roll():
        came.append(world.golf.at)
        world.step(Command(heading=heading, pitch=pitch))

    repeat_until(lambda: world.golf.phase != BALL_MOVING, roll)
    came.append(world.golf.at)
    assert np.array_equal(way, came)


def test_a_ball_rests_on_the_triangle_of_its_cell():
    """Its middle is a radius away from the plane straight under it, along that plane's normal: not above a box, as
    where the ground is taken for level."""
    text = COURSE.replace("0 * x", "0.5 * noise(x / 4, z / 4)").replace("roll: 0.1}", "roll: 0.6}")
    mesh = load(text=text).mesh
    random = np.random.default_rng(12)
    plan = random.uniform(-9.0, 9.0, (24, 2))
    above = np.column_stack((plan[:, 0], np.full(24, 3.0), plan[:, 1]))
    balls = Balls()
    rows = balls.rows(above, 0.06, 0.046, 0.4, 0.5, 0.02)
    rows = balls.run(rows, mesh, 600)
    assert rows["asleep"].all()
    tilted = 0
    for place in rows["position"]:
        hit = mesh.closest(tuple(place))
        assert 0.06 <= hit.distance < 0.06 + 2e-6  # the gap that a ball keeps to what it touches
        below = mesh.ground_below(place)
        tilted += below.triangle == hit.triangle and below.normal[1] < 0.999
    assert tilted >= 6
    again = balls.run(rows, mesh, 100)
    assert again["position"].tobytes() == rows["position"].tobytes()


@pytest.mark.parametrize("ball", [(4.0, -3.0), (9.5, 9.5), (-4.2, 0.0)])
def test_the_return_key_brings_the_player_behind_the_ball_and_a_replay_too(level, ball):
    world = World(level)
    world.golf._place_ball((ball[0], 0.06, ball[1]))
    assert world.can_return
    returned = world.return_to_checkpoint()
    state, cup = world.walker_state, world.golf.current_hole.cup
    assert world.golf.is_ball_in_reach(state)
    assert returned.heading == state.heading == heading_to(world, cup[0], cup[2])
    ahead = -math.sin(state.yaw), -math.cos(state.yaw)
    offset = ball[0] - state.feet[0], ball[1] - state.feet[2]
    assert ahead[0] * offset[0] + ahead[1] * offset[1] == pytest.approx(1.8, abs=0.01)
    again = World(level)
    again.golf._place_ball((ball[0], 0.06, ball[1]))
    again.return_to_checkpoint()
    assert again.state() == world.state()
