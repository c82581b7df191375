"""A ball without room to move stops the walker of a world: it is a wall, a step, or ground."""

import math

import numpy as np
import pytest

from game.level import load
from game.physics import Command, WalkerSettings
from game.physics.balls.balls import kinematic_body_row
from game.physics.balls.body_contacts import body_distance
from game.sim import Respawned, World

LEVEL = "format: 1\nname: Balls\nspawn: {at: [%s]}\npieces:\n  - floor: {from: [-20, -20], to: [20, 20]}\n%s"
WALL = "  - box: {from: [-8, 0, -4], to: [8, 4, -3]}\n"
CORRIDOR = (
    "  - box: {from: [-1.2, 0, -9], to: [-0.5, 3, 0]}\n  - box: {from: [0.5, 0, -9], to: [1.2, 3, 0]}\n"
    "  - box: {from: [-0.5, 0, -9.5], to: [0.5, 3, -9]}\n"
)
CORNER = "  - box: {from: [-3, 0, -3], to: [3, 3, -2]}\n  - box: {from: [-3, 0, -2], to: [-0.7, 3, 3]}\n"
STAIRS = "  - stairs: {at: [0, 0, -2], width: 4, rise: 0.18, run: 0.3, steps: 8}\n"
PRESS = "  - mover: {at: [0, 4.5, 0], path: [[0, 0, 0], [0, %g, 0]], seconds: 3, pause: 1, ease: false, of: [box: {from: [-2, 0, -2], to: [2, 0.3, 2]}]}\n"  # fmt: skip # noqa: E501
DOOR = "  - mover: {at: [0, 0.02, -6], path: [[0, 0, 0], [0, 0, 3.4]], seconds: 2, pause: 1, ease: false, of: [box: {from: [-2, 0, -0.2], to: [2, 3, 0.2]}]}\n"  # fmt: skip # noqa: E501
TRAIN = "  - mover: {at: [0, 0.02, 0], path: [[0, 0, 0], [0, 0, -15]], seconds: 3, pause: 1, ease: false, of: [box: {from: [-2, 0, -4], to: [2, 0.3, 4]}, box: {from: [-2, 0.3, -4], to: [2, 2, -3.5]}]}\n"  # fmt: skip # noqa: E501
MAX_OVERLAP = 0.01  # m: four times the overlap that does not count

# name: pieces, balls (x, y, z, radius), feet, command, seconds
SCENES = {
    "wall": (WALL, [(0.0, 0.45, -1.0, 0.45)], "0, 0, 0.5", {"forward": 1.0}, 2.0),
    "wall, sprint": (WALL, [(0.02, 0.3, -1.0, 0.3)], "0, 0, 1.5", {"forward": 1.0, "sprint": True}, 2.0),
    "large ball": (WALL, [(0.02, 1.0, -1.0, 1.0)], "0, 0, 1", {"forward": 1.0}, 3.0),
    "two balls": (WALL, [(0.0, 0.3, -1.0, 0.3), (0.0, 0.3, -1.7, 0.3)], "0, 0, 0.5", {"forward": 1.0}, 3.0),
    "corridor": (CORRIDOR, [(0.0, 0.4, -1.0, 0.4)], "0, 0, 0.5", {"forward": 1.0}, 3.0),
    "corner": (CORNER, [(-0.2, 0.45, -1.2, 0.45)], "0.2, 0, 0.5", {"forward": 1.0, "strafe": -0.5}, 2.0),
    "fall": ("", [(0.0, 0.45, 0.0, 0.45)], "0, 1.2, 0", {}, 2.0),
    "high fall on a small ball": ("", [(0.0, 0.12, 0.0, 0.12)], "0, 3, 0", {}, 2.0),
    "train": (TRAIN, [(0.0, 0.8, -2.5, 0.45)], "0, 0.35, 0.6", {"forward": 1.0}, 3.0),
}
RATES = [30.0, 60.0, 240.0]


@pytest.fixture
def made(tmp_path):
    def make(pieces, balls=(), feet="0, 0, 0.5", rate=60.0):
        path = tmp_path / f"level_{len(list(tmp_path.iterdir()))}.yaml"
        text = "".join(f"  - ball: {{at: [{x}, {y}, {z}], radius: {r}}}\n" for x, y, z, r in balls)
        path.write_text(LEVEL % (feet, pieces + text), encoding="utf-8")
        return World(load(path), WalkerSettings(ticks_per_second=rate))

    return make


def overlap(world):
    """Deepest overlap of the walker and a ball, m; negative: a gap."""
    state = world.walker_state
    body = np.array([kinematic_body_row(state, state)])
    return max(
        float(row["radius"]) - body_distance(body, 0, tuple((row["position"] - state.position).tolist()))[0]
        for row in world.balls.rows
    )


def walked(world, seconds, **keys):
    """Deepest overlap after each tick, m, and the events."""
    depths, events = [], []
    for _ in range(round(seconds * world.settings.ticks_per_second)):
        events += world.step(Command(**keys))
        depths.append(overlap(world))
    return depths, events


@pytest.mark.each_once
@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("name", SCENES)
def test_a_walker_stops_at_a_ball_without_room(made, name, rate):
    pieces, balls, feet, keys, seconds = SCENES[name]
    depths, events = walked(made(pieces, balls, feet, rate), seconds, **keys)
    assert max(depths) < MAX_OVERLAP
    assert not events


@pytest.mark.parametrize("rate", RATES)
def test_nobody_is_locked_in_behind_a_ball(made, rate):
    world = made(CORRIDOR, [(0.0, 0.4, -1.0, 0.4)], rate=rate)
    walked(world, 4.0, forward=1.0)
    inside = world.walker_state.position
    walked(world, 0.5, forward=1.0)
    assert math.dist(world.walker_state.position, inside) < 1e-5  # at rest before the ball
    walked(world, 3.0, forward=-1.0)
    assert world.walker_state.position[2] > 0.5


@pytest.mark.each_once
@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("radius", [0.05, 0.06, 0.12, 0.25])
def test_a_ball_at_the_foot_of_stairs_does_not_hold_the_walker(made, radius, rate):
    world = made(STAIRS, [(0.0, radius, -1.0, radius)], rate=rate)
    heights = []
    for _ in range(round(2.0 * rate)):
        world.step(Command(forward=1.0))
        heights.append(world.walker_state.feet[1])
    assert max(heights) > 1.4


@pytest.mark.each_once
@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("radius", [0.12, 0.45, 1.0])
def test_a_ball_below_is_ground_to_jump_from_and_no_safe_place(made, radius, rate):
    world = made("", [(0.0, radius, 0.0, radius)], f"0, {2.0 * radius + 0.3}, 0", rate)
    safe = world.walker_state.safe
    walked(world, 1.0)
    stood = world.walker_state
    assert stood.grounded
    assert stood.mover == -1
    assert stood.feet[1] == pytest.approx(2.0 * radius, abs=MAX_OVERLAP)
    walked(world, 1.0)
    assert math.dist(world.walker_state.position, stood.position) < 1e-6  # no trembling
    assert world.walker_state.grounded
    assert world.walker_state.safe == safe
    assert world.safe_state.position[1] > stood.position[1] + 0.2  # where it spawned in the air
    heights = []
    for _ in range(round(rate)):
        world.step(Command(jump=True))
        heights.append(world.walker_state.feet[1])
    assert max(heights) - stood.feet[1] == pytest.approx(world.settings.jump_height, abs=0.01)


@pytest.mark.each_once
@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize(
    ("pieces", "ball", "feet"),
    [
        (PRESS % -1.5, (0.02, 0.45, 0.0, 0.45), "0, 1.0, 0"),  # the walker on a ball, a lift that stops over it
        (PRESS % -1.0, (0.0, 2.4, 0.0, 0.45), "0, 0, 0"),  # a ball between the walker's head and a lift
        (DOOR, (0.02, 0.45, -3.0, 0.45), "0, 0, 0.6"),  # a door that pushes a ball at the walker
    ],
)
def test_a_ball_between_walker_and_mover_crushes_nobody(made, pieces, ball, feet, rate):
    world = made(pieces, [ball], feet, rate)
    _, events = walked(world, 6.0)
    assert not events
    assert len(world.balls.rows) == 1
    assert world.balls.rows["position"][0, 1] > ball[3] - 1e-4


def test_the_trace_says_that_a_ball_stops_the_walker(made):
    world = made("  - box: {from: [-8, 0, -4], to: [8, 4, -3]}\n", [(0.0, 0.6, -2.3, 0.6)], "0, 0, 0.5")
    for _ in range(120):
        world.step(Command(forward=1.0))
    assert world.walker_state.position[2] > -1.6
    assert " of ball, face," in world.trace.why


def test_a_ball_in_a_hole_changes_no_bit_of_a_walk_over_it(made):
    """A golf ball in a cup, deeper than the feet reach."""
    text = LEVEL.replace("  - floor: {from: [-20, -20], to: [20, 20]}\n", "")
    slabs = ((-5, -5, -0.054, 5), (0.054, -5, 5, 5), (-0.054, -5, 0.054, -0.054), (-0.054, 0.054, 0.054, 5))
    pieces = "".join(f"  - box: {{from: [{a}, -0.2, {b}], to: [{c}, 0, {d}]}}\n" for a, b, c, d in slabs)
    pieces += "  - box: {from: [-1, -0.3, -1], to: [1, -0.1, 1]}\n"
    assert text.endswith("%s")
    worlds = [made(pieces, balls, "0, 0, 1") for balls in ([(0.0, -0.0786, 0.0, 0.0214)], [])]
    for _ in range(60):
        for world in worlds:
            world.step(Command(forward=1.0))
        assert worlds[0].walker_state == worlds[1].walker_state


@pytest.mark.parametrize("seed", range(4))
def test_balls_with_room_change_no_bit_of_a_walk(made, seed):
    random = np.random.default_rng(seed)
    balls = [(*at, 0.2) for at in ((-1.0, 0.2, -1.0), (0.3, 0.2, -2.0), (0.0, 0.2, -4.0), (1.0, 0.2, 1.0))]
    rate = float(random.choice(RATES))
    worlds = [made("", several, rate=rate) for several in (balls, [])]
    for _ in range(5):
        keys = {"forward": 1.0, "heading": int(random.integers(65536)), "sprint": bool(random.random() < 0.5)}
        for _ in range(40):
            for world in worlds:
                world.step(Command(**keys))
            assert worlds[0].walker_state == worlds[1].walker_state


@pytest.mark.full
@pytest.mark.jit
def test_a_walker_gets_out_of_a_pile_of_900_balls(made):
    """In a pit of 4 m, 3 m deep; the walker begins at the bottom, among the balls."""
    random = np.random.default_rng(0)
    pit = "".join(
        f"  - box: {{from: [{a}, 0, {b}], to: [{c}, 4, {d}]}}\n"
        for a, b, c, d in ((-3, -2, -2, 2), (2, -2, 3, 2), (-3, -3, 3, -2), (-3, 2, 3, 3))
    )
    grid = np.arange(900)
    x, y, z = grid % 12, grid // 144, grid // 12 % 12
    places = 0.315 * np.stack((x, y, z), 1) + (-1.83, 0.16, -1.83) + random.uniform(-5e-3, 5e-3, (900, 3))
    world = made(pit, [(*at, 0.15) for at in places.tolist()], "0, 5, 0")
    world.walker_state = world.walker_state.replace(position=(0.02, 0.95, 0.0))
    before, depths = world.walker_state.position, []
    for k in range(24):
        more, events = walked(world, 0.25, forward=1.0, heading=int(random.integers(65536)), jump=k % 2 == 0)
        depths += more
        assert not any(isinstance(event, Respawned) for event in events)
    assert world.walker_state.feet[1] > 0.8
    assert math.dist(world.walker_state.position, before) > 0.5
    assert np.median(depths[120:]) < 0.02  # 0.09 without walls
