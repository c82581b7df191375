"""The guide in play: title card, markers, and the level that comes next."""

from __future__ import annotations

import pytest

from game.app.guidance.guide import FADE_OUT_SECONDS, MAX_SECONDS
from game.app.menus.level_library import ROUTES, next_level
from game.app.runs import progress
from game.app.runs.progress import BestRun
from game.app.visuals.golf_visuals import BALL_PITCH
from game.level import load
from game.level.format.file_access import SHIPPED_LEVELS
from tests.support.player import Player

LEVEL = """\
format: 1
name: Yard
aim: Walk to the light.
spawn: {at: [0, 0, 0], facing: north}
goal: {at: [0, 0, -8], radius: 0.5}
pieces:
  - floor: {from: [-20, -20], to: [20, 20]}
kill_height: -10
"""


def playing(level=None, **changes):
    level = load(text=LEVEL) if level is None else level
    return Player.in_level(level, **changes)


def card(player, seconds=1 / 60):
    return player.wait(seconds).hud.title_card


# ---- the card


def test_a_level_opens_with_its_card_which_fades_by_itself():
    player = playing()
    shown = card(player, 1.0)
    assert (shown.name, shown.aim, shown.opacity) == ("Yard", "Walk to the light.", 1.0)
    assert card(player, MAX_SECONDS - 1.2).opacity == 1.0
    assert 0.0 < card(player, 0.5).opacity < 1.0
    assert card(player, FADE_OUT_SECONDS) is None
    assert card(player, 5.0) is None


def test_the_card_that_is_called_tells_what_can_still_be_won_and_goes_when_its_aim_is_met():
    more = "  - target: {at: [0, 1, -4]}\nmedals: {gold: 5, silver: 10, bronze: 20}\n"
    player = playing(load(text=LEVEL.replace("kill_height: -10\n", more)))
    player.hold("W", 0.5)
    player.press("TAB")  # away with the card that opens the level
    player.press("TAB")
    assert card(player, 0.3).next_medal.startswith("Next medal: Bronze")
    player.press("TAB")
    player.game.runs.time_trial.void("flying used")
    player.press("TAB")
    assert card(player, 0.3).next_medal == ""
    player.game.key_pressed("W")
    player.wait_for(lambda: any(player.game.world.reached_targets), 4.0)
    assert card(player, FADE_OUT_SECONDS + 0.1) is None


# ---- the marker


def test_nothing_over_menus_in_a_replay_or_while_rewinding():
    player = playing()
    player.wait(0.5)
    player.game.key_pressed("BACKSPACE")
    assert player.wait(0.2).hud.markers == ()
    assert player.shown.hud.title_card is None
    player = playing()
    player.game.runs.time_trial.enabled = False  # as the replay viewer
    player.game.key_pressed("TAB")
    assert card(player, 0.5) is None
    assert (player.shown.hud.markers, player.shown.hud.hint) == ((), "")
    assert "restart" not in " ".join(player.game.runs.time_trial.goal_message(3.0))


def test_golf_shows_one_marker_with_a_name_first_the_ball_then_what_is_played_at():
    """On a long hole that is the place before the lake; strength and view are for it."""
    player = playing(load(SHIPPED_LEVELS / "golf" / "three.yaml"))
    golf, (marker,) = player.game.world.golf, player.wait(0.2).hud.markers
    assert (marker.name, marker.detail) == ("Ball", "\ue000B\ue001: to the ball")
    assert marker.distance > 1.0
    assert marker.opacity == 1.0
    assert player.game.input.view.pitch == BALL_PITCH  # the ball lies above the line at the bottom
    assert player.shown.hud.title_card is not None
    player.press("B")
    assert card(player, FADE_OUT_SECONDS + 0.1) is None  # it would cover the path of the stroke
    (marker,) = player.wait(0.2).hud.markers
    assert (marker.name, marker.distance, marker.detail) == ("Play here first", None, "")
    assert f"Marker {golf.target_distance:.0f} m" in player.shown.hud.hint  # the only distance: from the ball
    assert marker.x == pytest.approx(0.5, abs=0.01)
    view, far = player.game.input.view, golf.plan_distance((9.0, 0.0, -48.0))
    strength = golf.strength_for_target(round(view.yaw), 0)
    end = golf.predict(round(view.yaw), 0, strength)
    assert end.lost is None
    assert golf.plan_distance(end.path[-1]) == pytest.approx(far, abs=2.5)


# ---- the page at the goal


@pytest.mark.full
def test_the_next_level_is_the_first_row_and_leads_there():
    level = load(SHIPPED_LEVELS / "museum" / "corridor.yaml")
    player = playing(level)
    player.hold("W", 6.0)
    player.wait(1.0)
    menu = player.game.menu
    assert (menu.rows[0].name, menu.rows[0].value, menu.selected) == ("next", "The slim gap", 0)
    summary = menu.page.run_summary
    assert (summary.medal, summary.medal_text, summary.is_new_medal) == ("gold", "Gold medal", True)
    player.game.key_pressed("RETURN")
    player.wait_for(lambda: player.game.level.name == "The slim gap", frame=0.05)
    assert player.wait(0.5).hud.title_card.name == "The slim gap"


def test_a_level_that_was_won_stays_won_after_an_update_of_it(tmp_path):
    path = tmp_path / "yard.yaml"
    path.write_text(LEVEL)
    old = load(path)
    progress.record_visit(old, old.spawns[0].name)
    assert not progress.is_won(path)
    progress.record_finish(old, old.spawns[0].name, BestRun(9.0, None))
    path.write_text(LEVEL.replace("radius: 0.5", "radius: 0.6"))
    assert progress.level_record(path).best is None
    assert progress.is_won(path)
    new = load(path)
    progress.record_visit(new, new.spawns[0].name)
    assert progress.is_won(path)


def test_the_next_level_is_one_that_is_not_won_yet(monkeypatch):
    won = {"lifts", "ballroom"}
    monkeypatch.setattr(progress, "is_won", lambda path: path.stem in won)
    level = load(SHIPPED_LEVELS / "surfaces.yaml")
    assert next_level(level).path.stem == "waters"
    won |= {stem.rpartition("/")[2] for stem in ROUTES[0][0]}
    for name in ("surfaces", "golf/three", "lab"):  # all are won: the lab, which does not count, is not offered
        assert next_level(load(SHIPPED_LEVELS / f"{name}.yaml")).path.stem == "demo"
    assert next_level(load(SHIPPED_LEVELS / "demo.yaml")) is None
    won.discard("demo")
    assert next_level(load(SHIPPED_LEVELS / "lab.yaml")).path.stem == "demo"


def test_no_next_level_after_one_of_the_players_own(tmp_path):
    (tmp_path / "demo.yaml").write_text(LEVEL)
    assert next_level(load(tmp_path / "demo.yaml")) is None
    assert next_level(load(SHIPPED_LEVELS / "museum" / "flat.yaml")) is None
