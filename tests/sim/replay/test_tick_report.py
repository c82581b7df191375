"""What a tick was asked and gave, in figures and words: told as it was, and changing nothing."""

from __future__ import annotations

import math
from itertools import islice

import numpy as np
import pytest

from game.level import load
from game.physics import Command, WalkerSettings
from game.sim import World, command_script
from game.sim.replay.tick_report import describe_tick

ROOM = """\
format: 1
name: Room
spawn: {at: [0, 0, 0], facing: north}
pieces:
  - floor: {from: [-10, -10], to: [10, 10]}
  - wall: {from: [-10, -5], to: [10, -5], height: 3, thickness: 0.2}
  - wall: {from: [5, 10], to: [5, -10], height: 3, thickness: 0.2}
  - box: {from: [-4, 0, 3], to: [-2, 0.3, 6]}
  - ramp: {at: [-6, 0, 8], facing: south, length: 1, rise: 3, width: 2}
  - box: {from: [1, 1.3, 6], to: [3, 1.5, 9]}
  - mover:
      name: tray
      at: [-8, 0, 0]
      path: [[0, 0, 0], [0, 0, 4]]
      seconds: 4
      of: [box: {from: [-1, 0, -1], to: [1, 0.1, 1]}]
"""


@pytest.fixture(scope="module")
def room(tmp_path_factory):
    path = tmp_path_factory.mktemp("level") / "room.yaml"
    path.write_text(ROOM, encoding="utf-8")
    return load(path)


def put(world, feet, heading=0):
    world.walker_state = world.walker.spawn(world.mesh, feet, heading, around=world.around)
    return world


def walk(world, command, ticks):
    """The accounts of so many ticks of one command."""
    accounts = []
    for _ in range(ticks):
        before = world.walker_state
        events = world.step(command)
        held = world.state()
        accounts.append(describe_tick(world, before, command, events))
        assert world.state() == held
    return accounts


def line_of(words):
    return next(number for number, line in enumerate(ROOM.splitlines(), start=1) if words in line)


def test_nothing_in_the_way(room):
    account = walk(World(room), Command(1.0), 30)[-1]
    assert account.headline == "Nothing in the way"
    assert account.wished == account.moved == pytest.approx((0.0, 0.0, -4.0 / 60))
    assert not account.stopped
    assert [one.kind for one in account.surfaces] == ["walkable"]
    assert account.surfaces[0].place == f"room.yaml:{line_of('- floor')}"
    assert account.surfaces[0].piece.startswith("floor")
    assert len(account.candidate_triangles) >= 1
    assert np.abs(account.candidate_triangles[..., 1]).max() == 0.0  # the floor's own triangles, where they are


def test_standing_still_asks_for_nothing(room):
    account = walk(World(room), Command(), 5)[-1]
    assert account.headline == "Stands still"
    assert account.wished == account.moved == account.blocked == (0.0, 0.0, 0.0)


def test_a_slide_gives_what_the_wall_leaves(room):
    heading = 8192  # 45 degrees to the left of the wall
    accounts = walk(World(room), Command(1.0, heading=heading), 200)
    touch = next(account for account in accounts if account.stopped)
    assert touch.headline == "Slides along a wall"
    wall = touch.surfaces[0]
    assert (wall.kind, wall.feature, wall.stopped, wall.number) == ("wall", "face", True, 1)
    assert wall.place == f"room.yaml:{line_of('-5]')}"
    assert wall.normal == pytest.approx((0.0, 0.0, 1.0))
    assert wall.slope == pytest.approx(90.0)
    assert all(corner[2] == pytest.approx(-4.9) for corner in wall.corners)
    assert math.hypot(*touch.wished) == pytest.approx(4.0 / 60)
    assert touch.blocked[0] == pytest.approx(0.0, abs=1e-9)  # only what goes into the wall is taken
    assert touch.blocked[2] < -0.01
    for part in range(3):
        assert touch.moved[part] + touch.blocked[part] == pytest.approx(touch.wished[part], abs=1e-12)
    assert len(touch.slides) == 2
    assert touch.slides[-1].end == pytest.approx(touch.after.position, abs=1e-3)
    assert wall.place in touch.sentences[0]
    assert "Requested: " in touch.sentences[0]
    assert accounts[-1].headline == "Slides along a wall"


def test_head_on_it_runs_in_and_is_then_stopped(room):
    accounts = walk(World(room), Command(1.0), 120)
    first = next(account for account in accounts if account.stopped)
    assert first.headline == "Runs into a wall"
    assert accounts[-1].headline == "Stopped by a wall"
    assert "blocked all of" in accounts[-1].sentences[0]
    assert accounts[-1].moved == pytest.approx((0.0, 0.0, 0.0), abs=1e-6)


def test_two_walls_leave_no_way(room):
    account = walk(put(World(room), (3.5, 0.0, -3.5)), Command(1.0, heading=65536 - 8192), 120)[-1]
    assert account.headline == "Stopped by 2 surfaces"
    assert sum(one.stopped for one in account.surfaces) == 2


def test_up_a_low_box_and_down_again(room):
    accounts = walk(put(World(room), (-1.0, 0.0, 4.5)), Command(1.0, heading=16384), 90)
    heads = [account.headline for account in accounts]
    assert "Moves up over an edge" in heads
    assert any(head.startswith("Snaps down") for head in heads)
    up = accounts[heads.index("Moves up over an edge")]
    assert up.moved[1] > 0.01
    assert any(one.kind == "walkable" and one.feature == "edge" for one in up.surfaces)
    assert sum(account.moved[1] for account in accounts) == pytest.approx(0.0, abs=1e-3)


def test_a_slope_too_steep_is_a_wall_and_says_so(room):
    account = walk(put(World(room), (-6.0, 0.0, 5.0)), Command(1.0, heading=32768), 120)[-1]
    assert account.stopped
    assert "too steep to walk" in " ".join(account.sentences)


def test_jump_fall_and_landing(room):
    world = World(room)
    walk(world, Command(), 2)
    heads = [walk(world, Command(jump=k == 0), 1)[0].headline for k in range(60)]
    assert heads[0] == "Jumps"
    assert "Rises" in heads
    assert "Falls" in heads
    assert "Lands" in heads
    assert heads[-1] == "Stands still"


def test_a_ceiling_ends_a_jump_and_keeps_one_low(room):
    world = put(World(room), (2.0, 0.0, 4.0))
    walk(world, Command(1.0, heading=32768, crouch=True), 100)
    account = walk(world, Command(crouch=False), 1)[0]
    assert account.headline == "No room to stand up"


def test_what_a_mover_carries_is_told_apart(room):
    world = put(World(room), (-8.0, 0.1, 0.0))
    account = walk(world, Command(), 120)[-1]
    assert account.headline == "Carried along"
    assert account.carried_by_platform[2] > 1e-3
    assert math.hypot(*account.moved) < 1e-6
    tray = account.surfaces[0]
    assert tray.place == f"room.yaml:{line_of('- mover')}"
    assert tray.piece == "mover tray"
    middle = world.around.movers.poses(world.tick)[0][2, 3]
    assert middle > 0.5
    assert {round(abs(corner[2] - middle), 6) for corner in tray.corners} == {1.0}  # as it stands now
    walking = walk(world, Command(1.0, heading=16384), 10)[-1]
    assert walking.moved == pytest.approx(walking.wished, abs=1e-9)


def test_being_put_back_is_told(room, tmp_path):
    world = World(room, WalkerSettings())
    world.walker_state = world.walker_state.replace(position=(30.0, -500.0, 0.0))
    assert walk(world, Command(), 1)[0].headline == "Fell: respawned"


def test_without_a_tick_there_is_nothing_to_tell(room):
    world = World(room)
    with pytest.raises(ValueError, match="has no trace of this tick"):
        describe_tick(world, world.walker_state, Command())


@pytest.mark.parametrize("name", ["escher", "surfaces", "waters"])
def test_what_nothing_stops_is_given_whole_in_every_world(name):
    """Ice, belts, water, other gravities: the way asked for is the way given wherever no wall is touched."""
    level = load(f"levels/{name}.yaml")
    world = World(level)
    script = command_script.read_script(level.path.with_suffix(".commands"))
    for k, command in enumerate(islice(script.commands(world.start.heading), 700)):
        before = world.walker_state
        events = world.step(command)
        if k % 23:
            continue
        account = describe_tick(world, before, command, events)
        assert account.headline
        assert account.sentences
        if not account.stopped and "put back" not in account.headline:
            assert math.hypot(*account.blocked) < 2e-3 or not account.after.grounded or not before.grounded


def test_on_ice_less_is_asked(tmp_path):
    asked = []
    for name, friction in (("stone", 1.0), ("ice", 0.05)):
        path = tmp_path / f"{name}.yaml"
        text = ROOM.replace("to: [10, 10]}", "to: [10, 10], surface: ground}")
        path.write_text(f"{text}surfaces:\n  ground: {{friction: {friction}}}\n", encoding="utf-8")
        account = walk(put(World(load(path)), (0.0, 0.0, -4.5)), Command(1.0), 60)[-1]
        assert account.headline == "Stopped by a wall"
        asked.append(math.hypot(*account.wished))
    assert 0.0 < asked[1] < 0.2 * asked[0]
