"""What the game says while one plays: of targets, and where a fall has led."""

from __future__ import annotations

import pytest

from game.app.modes import event_messages
from game.level import load
from game.physics import Command
from game.sim import HoledOut, Respawned, TargetReached, World
from game.sim.golf import BALL_MOVING, ROUND_DONE
from game.text.key_symbols import key_symbol
from tests.support.player import Player

TARGETS = """format: 1
spawn: {at: [0, 0, 0]}
goal: {at: [0, 0, -3], radius: 0.6, after: targets}
pieces:
  - floor: {from: [-20, -20], to: [20, 20]}
  - target: {at: [0, 1, -1.5], name: The bell}
  - target: {at: [0, 1, -6]}
"""


@pytest.fixture
def world() -> World:
    return World(load(text=TARGETS))


def walked(world: World, ticks: int, heading: int = 0) -> list[TargetReached]:
    command = Command(forward=1.0, heading=heading)
    events = [event for _ in range(ticks) for event in world.step(command)]
    return [event for event in events if isinstance(event, TargetReached)]


def test_the_counter_and_the_messages_of_targets(world: World) -> None:
    assert event_messages.target_counter(world) == "Targets 0 of 2"
    (bell,) = walked(world, 30)
    assert event_messages.target_counter(world) == "Targets 1 of 2"
    assert event_messages.target_message(bell, world) == ("The bell", "Targets 1 of 2   ·   1 left")
    (last,) = walked(world, 80)
    assert event_messages.target_message(last, world) == (
        "Target found",
        "All targets found   ·   Reach the light.",
    )
    assert event_messages.target_counter(world) == "Targets 2 of 2"


def test_a_goal_that_waits_says_so(world: World) -> None:
    walked(world, 48)
    assert world.is_at_goal
    assert event_messages.objective_line(world, "keys") == "Find 1 more target to open the goal"
    world._runs.targets[0, 1] = 1
    assert event_messages.objective_line(world, "keys") == "keys"


def test_the_messages_use_the_words_of_the_level() -> None:
    text = TARGETS.replace("spawn:", "aim: Ring the two bells, then climb to the light.\nspawn:", 1)
    world = World(load(text=text))
    walked(world, 48)
    assert event_messages.objective_line(world, "keys") == "Find 1 more bell to open the goal"
    (last,) = walked(world, 62)
    assert event_messages.target_message(last, world)[1] == "All bells found   ·   Climb to the light."


GOLF = """format: 1
spawn: {at: [0, 0, 6], facing: north}
golf: {holes: [{tee: [0, 5], cup: [0, -5], par: 2}], water: bed}
goal: {at: [0, 0, -5], radius: 2, after: holes}
medals: {gold: 1, silver: 2, bronze: 3}
surfaces: {bed: {}}
pieces:
  - terrain: {from: [-9, -9], to: [9, 9], cell: 1, formula: "0", cups: [{at: [0, -5]}], intended: [fall]}
"""


def test_a_goal_waits_for_the_ball_then_the_line_leads_there_and_a_medal_needs_one_more_stroke() -> None:
    player = Player.in_level(load(text=GOLF))
    golf, trial = player.game.world.golf, player.game.runs.time_trial
    shot = player.wait(0.1)
    assert shot.goal_waits
    assert "In the hole" not in shot.hud.hint
    run = trial.run
    for strokes, medal in ((1, "Bronze 3 strokes"), (2, "Bronze 3 strokes"), (3, "")):
        run.strokes = strokes
        assert trial._medal_in_reach(run) == medal
    golf.phase = BALL_MOVING  # it may go in with this stroke
    assert trial._medal_in_reach(run) == "Bronze 3 strokes"
    golf.card.append(3)
    golf.hole, golf.phase = 1, ROUND_DONE
    shot = player.wait(0.1)
    assert not shot.goal_waits
    assert shot.hud.hint == "In the hole! Walk to the flag to finish"
    assert [marker.kind for marker in shot.hud.markers] == ["goal"]
    event = HoledOut(0, 0, "The green", 1, 2, 0)
    name, detail = player.game.feedback.golf_hud.describe_event(event, player.game.world)
    assert name.startswith("In the hole!")
    assert detail.endswith("Walk to the flag to finish")


FALL = """format: 1
spawn: {at: [0, 0, 0], facing: north}
kill_height: -6
pieces:
  - floor: {from: [-2, -4], to: [2, 2]}
"""
SAFE = f"Back to your last safe position   ·   Hold {key_symbol('Backspace')} to rewind"


def test_a_fall_says_where_it_leads():
    player = Player.in_level(load(text=FALL))
    player.hold("W", 3.0)
    player.game.key_pressed("W")
    player.wait_for(lambda: player.shown.hud.message == "You fell")
    assert (player.shown.hud.message_detail, round(player.feet[2]) == 0) == (SAFE, False)
    player.game.key_released("W")
    back = Respawned(1, "fell", player.game.world.start.feet, 0)
    assert event_messages.message_for_event(back, player.game)[1].startswith("Back to the start   ·   Hold ")
