"""Report of a tick: movement, contacts and errors; reporting changes nothing in the world."""

import math
from itertools import islice

import pytest

from game.level import load
from game.physics import Command
from game.sim import World, command_script
from game.sim.replay.tick_report import Obstruction, describe_tick
from tests.support.tick_room import ROOM, line_of, place_walker, walk


@pytest.fixture(scope="module")
def room(tmp_path_factory):
    path = tmp_path_factory.mktemp("level") / "room.yaml"
    path.write_text(ROOM, encoding="utf-8")
    return load(path)


def test_a_slide_gives_what_the_wall_leaves(room):
    heading = 8192  # 45 degrees to the left of the wall
    accounts = walk(World(room), Command(1.0, heading=heading), 200)
    touch = next(account for account in accounts if account.stopped)
    assert touch.obstruction == Obstruction.SLIDING
    wall = touch.surfaces[0]
    assert (wall.kind, wall.feature, wall.stopped, wall.number) == ("wall", "face", True, 1)
    assert wall.place == f"room.yaml:{line_of('-5]')}"
    assert wall.normal == pytest.approx((0.0, 0.0, 1.0))
    assert wall.slope == pytest.approx(90.0)
    assert wall.point[2] == pytest.approx(-4.9)
    assert math.hypot(*touch.wished) == pytest.approx(4.0 / 60)
    assert touch.blocked[0] == pytest.approx(0.0, abs=1e-9)  # only what goes into the wall is taken
    assert touch.blocked[2] < -0.01
    for part in range(3):
        assert touch.moved[part] + touch.blocked[part] == pytest.approx(touch.wished[part], abs=1e-12)
    assert len(touch.slides) == 2
    assert touch.slides[-1].end == pytest.approx(touch.after.position, abs=1e-3)
    assert accounts[-1].obstruction == Obstruction.SLIDING


def test_what_a_mover_carries_is_separate(room):
    world = place_walker(World(room), (-8.0, 0.1, 0.0))
    account = walk(world, Command(), 120)[-1]
    assert account.obstruction is None
    assert account.carried_by_platform[2] > 1e-3
    assert math.hypot(*account.moved) < 1e-6
    tray = account.surfaces[0]
    assert tray.place == f"room.yaml:{line_of('- mover')}"
    assert tray.piece == 'mover "tray"'
    assert world.mover_poses()[0][2, 3] > 0.5
    walking = walk(world, Command(1.0, heading=16384), 10)[-1]
    assert walking.moved == pytest.approx(walking.wished, abs=1e-9)


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["escher", "surfaces", "waters"])
def test_a_free_move_is_complete_in_every_world(name):
    """Ice, belts, water, other gravities: the body moves as commanded wherever it touches no wall."""
    level = load(f"levels/{name}.yaml")
    world = World(level)
    script = command_script.read_script(level.path.with_suffix(".commands"))
    free = []
    for k, command in enumerate(islice(script.commands(world.start.heading), 700)):
        before = world.walker_state
        events = world.step(command)
        if k % 23 == 0:
            account = describe_tick(world, before, command, events)
            if not account.stopped and account.respawn is None and account.after.grounded and before.grounded:
                free.append(math.hypot(*account.blocked))
    assert len(free) > 5
    assert max(free) < 2e-3
