"""Movers: the motion and meshes that a level gives to physics and renderer."""

from __future__ import annotations

import numpy as np
import pytest

from game.core.vectors import MAX_MOVER_SPEED
from game.level import check, load
from game.physics import Command
from game.physics.environment import motion
from game.sim import World
from game.sim.replay.fingerprint import level_hash

HEAD = "format: 1\nspawn: {at: [0, 0, 4]}\npieces:\n  - floor: {from: [-6, -6], to: [6, 6]}\n"
LIFT = "mover: {name: lift, at: [0, 0.2, 0], path: [[0, 0, 0], [1, 4, 0]], seconds: 2, of: [%s]}"
SLAB = "box: {from: [-1, -0.2, -1], to: [1, 0, 1]}"


def _level(pieces: str):
    return load(text=HEAD + pieces)


def test_mover_faces_are_not_level_faces() -> None:
    level = _level(f"  - {LIFT % SLAB}\n")
    (lift,) = level.movers
    assert level.findings == ()
    assert lift.name == "lift"
    assert lift.at == (0.0, 0.2, 0.0)
    assert len(level.triangles) == len(level.drawn) == 2
    assert len(lift.triangles) == len(lift.drawn) == 12  # its foot too, which would be hidden on a floor
    assert lift.triangles.min(axis=(0, 1)).tolist() == [-1.0, -0.2, -1.0]
    assert lift.motion.path == ((0.0, 0.0, 0.0), (1.0, 4.0, 0.0))
    assert MAX_MOVER_SPEED == motion.MAX_MOVER_SPEED


def test_groups_turn_and_scale_and_arrays_repeat_it() -> None:
    inside = f"group: {{at: [5, 1, 0], facing: west, scale: 2, of: [{LIFT % SLAB}]}}"
    level = _level(f"  - array: {{count: 3, step: [0, 0, -10], of: [{inside}]}}\n  - {LIFT % SLAB}\n")
    assert len(level.movers) == 4
    for k, lift in enumerate(level.movers[:3]):
        assert lift.at == pytest.approx((5.0, 1.4, -10.0 * k), abs=1e-12)
        assert lift.motion.path[1] == pytest.approx((0.0, 8.0, -2.0), abs=1e-12)  # its east looks north
        assert np.abs(lift.triangles).max() == pytest.approx(2.0)
    assert level.movers[3].motion.path[1] == (1.0, 4.0, 0.0)


def test_the_hash_knows_what_moves_and_how() -> None:
    texts = ["", f"  - {LIFT % SLAB}\n", f"  - {LIFT % SLAB}\n".replace("seconds: 2", "seconds: 3"),
             f"  - {LIFT % SLAB}\n".replace("to: [1, 0, 1]", "to: [1.5, 0, 1]")]  # fmt: skip
    assert len({level_hash(_level(text)) for text in texts}) == len(texts)
    named = f"  - {LIFT % SLAB}\n".replace("name: lift", "name: hoist")
    assert level_hash(_level(named)) == level_hash(_level(texts[1]))


def test_a_world_crushes_and_puts_back_where_no_mover_comes() -> None:
    press = "mover: {at: [0, 2.6, 0], path: [[0, 0, 0], [0, -2.4, 0]], seconds: 1, pause: 2.5, "
    level = _level(f"  - {press}of: [box: {{from: [-1, 0, -1], to: [1, 0.5, 1]}}]}}\n")
    world = World(level)
    events = [event for k in range(240) for event in world.step(Command(forward=float(k < 61)))]
    assert [event.reason for event in events] == ["crushed"]
    assert world.walker_state.feet[2] > 1.0 + 0.35
    assert not level.environment.movers.reach(world.walker_state.position, 0.35)


def test_who_stands_on_a_turntable_learns_how_far_it_turned() -> None:
    level = _level(f"  - mover: {{at: [0, 0.01, 4], spin: 90, of: [{SLAB}]}}\n")
    world = World(level)
    turned = 0
    for _ in range(120):
        world.step(Command(heading=turned))
        turned += world.platform_turn
    assert abs(turned - 32768) <= 300  # half a turn in two seconds, less the tick before it stood
    assert world.walker_state.mover == 0


def test_wrong_movers_are_reported_and_the_others_loaded() -> None:
    text = HEAD + f"  - {LIFT % SLAB}\n".replace("4, 0]]", "4000, 0]]")
    (finding,) = check(text=text)
    assert "the mover reaches" in finding.message
    (lift,) = load(text=text).movers
    assert lift.motion.path == ()


def test_who_rides_goes_on_riding_in_another_version_of_the_level() -> None:
    from game.sim.replay.level_migration import migrate_world

    other = f"mover: {{name: door, at: [4, 0, 4], swing: 90, of: [{SLAB}]}}"
    lift = f"mover: {{name: lift, at: [0, 0.05, 4], path: [[0, 0, 0], [0, 3, 0]], pause: 0, of: [{SLAB}]}}"
    world = World(_level(f"  - {lift}\n"))
    for _ in range(90):
        world.step(Command())
    assert world.walker_state.mover == 0
    before = world.walker_state.feet
    with_another = migrate_world(world, _level(f"  - {other}\n  - {lift}\n")).world
    assert with_another.walker_state.mover == 1
    assert with_another.walker_state.feet == before
    world.step(Command())
    with_another.step(Command())
    assert with_another.walker_state.feet == world.walker_state.feet
    without = migrate_world(world, _level("")).world
    assert without.walker_state.mover == -1
    for _ in range(120):
        without.step(Command())
    assert without.walker_state.feet[1] == pytest.approx(0.009, abs=1e-6)
