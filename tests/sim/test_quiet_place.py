"""Where a world does not ask for zones, exits, targets and the goal, none of them would have counted."""

from pathlib import Path

import numpy as np
import pytest
from game.sim.targets import SEARCH_PERIOD, QuietPlace

from game.level import load
from game.physics import Command
from game.sim import World

LEVELS = Path(__file__).parents[2] / "levels"
WALKS = 60  # random walks in each level, each from a place near something that counts
TICKS = 40
SQUARE = """
format: 1
spawn: {at: [0, 0, 0], facing: north}
pieces:
- floor: {from: [-20, -20], to: [20, 20]}
"""


def places(world, random):
    """Feet near exits, targets, the goal and zones."""
    level = world.level
    found = [(each.at, each.radius) for each in (*level.exits, *level.targets)]
    found += [] if level.goal is None else [(level.goal.at, level.goal.radius)]
    found += [(zone.centre, max(zone.half)) for zone in level.all_zones]
    found = found or [(world.start.feet, 1.0)]
    for _ in range(WALKS):
        at, reach = found[random.integers(len(found))]
        yield np.array(at) + random.uniform(-reach - 2.0, reach + 2.0, 3)


@pytest.mark.parametrize("name", ["demo", "museum/hall", "surfaces", "waters", "escher", "lifts"])
def test_a_quiet_place_changes_no_result(name, monkeypatch):
    """The same walks with and without it: the same events, and the same state after each walk."""
    level = load(LEVELS / f"{name}.yaml")
    worlds, quiet = [World(level), World(level)], 0
    monkeypatch.setattr(worlds[1]._quiet_place, "contains", lambda feet: False)
    random = np.random.default_rng(5)
    for feet in places(worlds[0], random):
        position = feet + np.array((0.0, level.player.radii[1], 0.0))
        heading, buttons = int(random.integers(65536)), random.random(3) < 0.3
        for world in worlds:
            world.walker_state = world.walker_state.replace(position=tuple(position.tolist()))
        for _ in range(TICKS):
            quiet += worlds[0]._quiet_place.contains(worlds[0].walker_state.feet)
            command = Command(1.0, heading=heading, jump=buttons[0], sprint=buttons[1], crouch=buttons[2])
            assert worlds[0].step(command) == worlds[1].step(command)
        assert worlds[0].state() == worlds[1].state()
    assert quiet > WALKS  # of some levels most places are near something


def test_a_level_with_nothing_in_it_is_quiet_everywhere():
    place = QuietPlace(load(text=SQUARE), 2.0)
    assert not place.contains((0.0, 0.0, 0.0))  # before the first search
    place.follow((0.0, 0.0, 0.0), 1)
    assert not place.contains((0.0, 0.0, 0.0))
    place.follow((0.0, 0.0, 0.0), SEARCH_PERIOD)
    assert place.contains((1e6, 0.0, 0.0))
