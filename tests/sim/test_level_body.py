"""The body of a level: in its world, hash and replays, for bots and checks, and when a reload brings another."""

import math
import re
from dataclasses import fields, replace
from pathlib import Path

import pytest

from game.core.walker_settings import (
    DEFAULT_SETTINGS,
    SETTING_RANGES,
    WALKER_PRESETS,
    WalkerSettings,
    preset_settings,
)
from game.level import load
from game.level.format.level_file import PLAYER_SETTINGS, PlayerFields
from game.physics import Command
from game.sim import History, World, verify
from game.sim.bots.exploration import LevelExploration
from game.sim.replay import fingerprint, replay_file
from game.sim.replay.level_migration import MigrationOutcome, migrate_world

FLOOR = """\
format: 1
name: Floor
{player}spawn: {{at: [0, 0, 0], facing: north}}
goal: {{at: [0, 0, -8], radius: 0.5}}
pieces:
  - floor: {{from: [-20, -20], to: [20, 20]}}
{more}kill_height: -10
"""
AHEAD = Command(forward=1.0, sprint=True)
GOLDEN = {"Linux x86_64": "d4eff75a0ef5f354"}  # world.hash() after the walk below, with the body of Quake


def level_text(player="", more=""):
    return FLOOR.format(player=f"player: {player}\n" if player else "", more=more)


def level(player="", more=""):
    return load(text=level_text(player, more))


def test_every_setting_is_documented_with_its_range():
    assert tuple(SETTING_RANGES) == tuple(field.name for field in fields(WalkerSettings))
    for name, bounds in SETTING_RANGES.items():
        assert name in (WalkerSettings.__doc__ or "")
        assert bounds.meaning.endswith(".")
    text = WalkerSettings.__doc__ or ""
    assert "radii             m: half axes" in text
    for line in text.splitlines():
        name, numbers = line.strip().partition(" ")[0].rstrip(","), re.split("; |  ", line)[-1].strip()
        if name in SETTING_RANGES and ".." in numbers:
            bounds = SETTING_RANGES[name]
            assert numbers == f"{bounds.low:g}..{bounds.high:g}", name


@pytest.mark.parametrize("name", PLAYER_SETTINGS)
def test_the_bounds_of_a_level_are_those_of_the_settings(name):
    bounds, field = SETTING_RANGES[name], PlayerFields.fields[name]
    assert field.low == bounds.low
    assert field.high == min(bounds.high_for(100.0), 1e6)
    for value in (bounds.low - 0.001, bounds.high + 1.0):
        if name != "radii" and math.isfinite(value):
            with pytest.raises(ValueError, match=f"^{name} must be"):
                WalkerSettings(**{name: value})


def test_the_world_of_a_level_has_its_body():
    made = level("{preset: heavy, eye: 0.7}")
    assert made.player == preset_settings("heavy", eye=0.7)
    assert World(made).settings == made.player
    assert World(made).walker_state.radii == (0.5, 1.0, 0.4)
    assert World(made, DEFAULT_SETTINGS).settings == DEFAULT_SETTINGS
    assert World(level()).settings == DEFAULT_SETTINGS


def test_each_setting_changes_the_hash():
    hashes = {fingerprint.level_hash(level())}
    for name in PLAYER_SETTINGS:
        value = "[0.3, 0.9, 0.2]" if name == "radii" else f"{0.9 * getattr(DEFAULT_SETTINGS, name)}"
        hashes.add(fingerprint.level_hash(level(f"{{{name}: {value}}}")))
    hashes |= {fingerprint.level_hash(level(name)) for name in WALKER_PRESETS}
    assert len(hashes) == 1 + len(PLAYER_SETTINGS) + len(WALKER_PRESETS)


@pytest.mark.jit
@pytest.mark.skipif(fingerprint.machine_name() not in GOLDEN, reason="no golden hash of this machine")
def test_a_walk_with_a_preset_has_its_golden_hash():
    more = "  - stairs: {at: [0, 0, -3], steps: 6, rise: 0.5, run: 0.6, width: 3}\n"
    world = World(level("quake", more))
    for tick in range(400):
        world.step(Command(forward=1.0, strafe=0.2, heading=tick * 120, sprint=tick % 90 < 45, jump=tick % 70 == 0,
                           crouch=tick % 110 > 90))  # fmt: skip
    assert world.hash() == GOLDEN[fingerprint.machine_name()]


@pytest.mark.parametrize("preset", ["", *WALKER_PRESETS])
def test_a_jump_has_the_height_and_duration_of_its_formula(preset):
    world = World(level(preset))
    body = world.settings
    assert body.jump_seconds == pytest.approx(2.0 * math.sqrt(2.0 * body.jump_height / body.gravity))
    world.step(Command(jump=True))
    heights, ticks = [world.walker_state.feet[1]], 1
    while not world.walker_state.grounded:
        world.step(Command())
        heights.append(world.walker_state.feet[1])
        ticks += 1
    gap = body.skin * body.radii[1]
    assert max(heights) == pytest.approx(body.jump_height + gap, abs=0.03 + 0.01 * body.jump_height)
    assert ticks / 60.0 == pytest.approx(body.jump_seconds, abs=3.0 / 60.0)


def test_a_replay_verifies_with_the_body_of_its_level():
    moon = level("moon")
    history = History(World(moon))
    history.run([AHEAD] * 150)
    result = verify(replay_file.decode_replay(history.data(), Path("run")), lambda part: moon)
    assert (result.divergence, result.notes, result.ticks) == (None, [], 150)


# ---- bots and lint


@pytest.mark.full
def test_bots_reach_a_ledge_of_two_metres_only_with_the_jump_for_it():
    ledge = (
        "  - box: {from: [-1, 0, -6], to: [1, 2, -4]}\n"
        "  - wall: {from: [-2, -7], to: [2, -7], height: 5}\n  - wall: {from: [2, 1], to: [-2, 1], height: 5}\n"
        "  - wall: {from: [-2, 1], to: [-2, -7], height: 5}\n  - wall: {from: [2, -7], to: [2, 1], height: 5}\n"
    )
    for written, reached in (("", False), ("{jump_height: 2.1}", True)):
        made = level(written, ledge)
        exploration = LevelExploration(replace(made, goal=replace(made.goal, at=(0.0, 2.0, -5.0))), ticks=60_000)
        exploration.explore()
        assert (exploration.search.ticks_to_target(0) is not None) is reached


def test_a_reloaded_level_gives_its_body_to_the_walker_on_the_spot():
    old = World(level())
    for _ in range(60):
        old.step(AHEAD)
    taken = migrate_world(old, level("{radii: [0.5, 1.2, 0.4], walk_speed: 6}"))
    state = taken.world.walker_state
    assert taken.outcome == MigrationOutcome.STAYED
    assert taken.world.settings.walk_speed == 6.0
    assert state.radii == (0.5, 1.2, 0.4)
    assert state.feet == pytest.approx(old.walker_state.feet)
    assert state.velocity == old.walker_state.velocity
    taken.world.step(AHEAD)
    assert taken.world.walker_state.grounded
    back = migrate_world(taken.world, level())
    assert back.world.settings == DEFAULT_SETTINGS
    assert back.world.walker_state.radii == DEFAULT_SETTINGS.radii
