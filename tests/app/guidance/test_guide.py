"""The guide in play: title card, markers and the result page, by keys and clock."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from game.app.guidance.guide import CALLED_SECONDS, FADE_OUT_SECONDS, MAX_SECONDS, MIN_SECONDS
from game.app.menus.level_library import HALL, ROUTES, find_levels, next_level, next_stem
from game.app.menus.pages import ResultPage
from game.app.runs import progress
from game.app.runs.progress import SHIPPED_HASHES, BestRun
from game.app.settings.mode_names import REPLAYING
from game.level import load
from game.level.format.file_access import SHIPPED_LEVELS
from game.render import Hud, Renderer, Scene, Snapshot
from game.render.snapshot import ScreenMarker
from game.sim.trial import LevelEnd, level_end
from tests.support import gl
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


@pytest.mark.full
def test_a_level_opens_with_its_card_which_fades_by_itself():
    player = playing()
    shown = card(player, 1.0)
    assert (shown.name, shown.aim, shown.opacity) == ("Yard", "Walk to the light.", 1.0)
    assert card(player, MAX_SECONDS - 1.2).opacity == 1.0
    assert 0.0 < card(player, 0.5).opacity < 1.0
    assert card(player, FADE_OUT_SECONDS) is None
    assert card(player, 5.0) is None


@pytest.mark.full
def test_the_first_movement_hides_the_card_after_a_minimum_and_is_not_held_back():
    player = playing()
    player.game.key_pressed("W")
    assert card(player, MIN_SECONDS - 0.2).opacity == 1.0
    assert player.feet[2] < -7.0  # the card does not block the keys
    assert card(player, 0.2 + FADE_OUT_SECONDS + 0.1) is None


@pytest.mark.full
def test_the_card_has_no_fade_with_reduced_motion():
    player = playing(reduce_motion=True)
    opacities = set()
    for _ in range(round(60 * (MAX_SECONDS + 2))):
        shown = card(player)
        opacities.add(0.0 if shown is None else shown.opacity)
    assert opacities == {0.0, 1.0}


@pytest.mark.full
def test_no_card_after_a_restart_a_pause_or_a_fall():
    player = playing()
    player.wait(MAX_SECONDS + 1.0)
    for key in ("R", "ESCAPE", "ESCAPE"):
        player.game.key_pressed(key)
        assert card(player, 0.3) is None
    world = player.game.session.world
    world.walker_state = world.walker_state.replace(position=(0.0, -50.0, 0.0))
    assert card(player, 0.5) is None


@pytest.mark.full
def test_the_card_key_shows_the_card_with_the_present_progress_and_hides_it():
    level = load(SHIPPED_LEVELS / "examples" / "targets.yaml")
    player = playing(level)
    player.wait(MAX_SECONDS + 1.0)
    player.game.session.world._runs.targets[0, 0] = 1
    player.game.key_pressed("TAB")
    assert card(player, 0.5).aim == "Find 4 more bells, then reach the light in the middle."
    player.game.key_pressed("TAB")
    assert card(player, FADE_OUT_SECONDS + 0.1) is None
    player.game.key_pressed("PAD_LS")
    assert card(player, 0.5) is not None
    assert card(player, CALLED_SECONDS + FADE_OUT_SECONDS) is None


@pytest.mark.full
def test_the_card_tells_best_time_and_the_next_medal():
    level = load(SHIPPED_LEVELS / "demo.yaml")
    progress.record_visit(level, "gate")
    assert card(playing(level), 0.5).next_medal == "Next medal: Bronze 3:20.00"
    progress.record_finish(level, "gate", BestRun(100.0))
    shown = card(playing(level), 0.5)
    assert (shown.best, shown.medal) == ("Best 1:40.00", "silver")
    assert shown.next_medal == "Next medal: Gold 1:10.00"


# ---- the marker


@pytest.mark.full
def test_the_marker_can_be_off_and_its_key_shows_it_for_a_while():
    player = playing(goal_marker=False)
    assert player.wait(1.0).hud.markers == ()
    player.game.key_pressed("TAB")
    player.game.key_pressed("TAB")
    (marker,) = player.wait(0.2).hud.markers
    assert marker.kind == "goal"
    assert player.wait(8.0).hud.markers == ()


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


@pytest.mark.full
def test_the_picture_has_the_marker_at_its_place():
    """Pixels around the place change, and those at the crosshair do not."""
    renderer = Renderer(gl.context(), Scene.from_level(load(text=LEVEL)), "low")
    player = playing()
    size = 640, 360
    shot = replace(player.wait(0.2), hud=Hud())
    assert isinstance(shot, Snapshot)
    pictures = []
    for marker in (None, ScreenMarker("goal", 0.7, 0.4, 12.0), ScreenMarker("goal", 0.5, 0.5, 12.0)):
        hud = Hud(markers=() if marker is None else (marker,))
        renderer.render(replace(shot, hud=hud), size)
        pictures.append(renderer.image().astype(int))
    changed = [np.argwhere(np.abs(one - pictures[0]).max(axis=2) > 12) for one in pictures[1:]]
    rows, columns = changed[0][:, 0], changed[0][:, 1]
    assert 0.24 * size[1] < rows.min() < rows.max() < 0.4 * size[1]
    assert abs(columns.mean() - 0.7 * size[0]) < 8.0
    assert len(changed[1]) > 50
    assert not ((np.abs(changed[1] - (180, 320)) <= 3).all(axis=1)).any()


# ---- the page at the goal


def finished(level=None):
    player = playing(level)
    player.hold("W", 3.0)
    player.wait(1.0)
    assert isinstance(player.game.menu.page, ResultPage)
    return player


def labels(player):
    return [row.label for row in player.game.menu.rows]


@pytest.mark.full
def test_the_page_offers_the_run_and_its_movie():
    player = finished()
    rows = ["Watch run", "Keep the movie", "Play again", "Keep exploring", "Levels", "Main menu"]
    assert labels(player) == rows
    player.game.key_pressed("RETURN")
    assert player.game.mode == REPLAYING


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
    assert next_level(level).path.stem == "lifts"  # all are won: the one that follows
    won.discard("demo")
    assert next_level(load(SHIPPED_LEVELS / "lab.yaml")).path.stem == "demo"


@pytest.mark.full
def test_a_practice_run_has_no_medal():
    level = load(SHIPPED_LEVELS / "museum" / "corridor.yaml")
    player = playing(level)
    player.wait(0.1)
    player.game.key_pressed("W")
    player.wait(0.2)
    player.game.runs.time_trial.void("assist used")
    player.wait(6.0)
    trial = player.game.runs.time_trial
    assert "Practice run (assist used)" in trial.goal_message(1.0)[1]
    assert trial.result.summary().medal == trial.result.summary().medal_text == ""


@pytest.mark.full
def test_the_route_leads_through_all_levels_with_an_end_and_back_to_the_hall():
    ends = {
        name.removesuffix(".yaml") for name in SHIPPED_HASHES if level_end(load(SHIPPED_LEVELS / name)) != LevelEnd.NONE
    }
    assert {stem for route, _ in ROUTES for stem in route} == ends
    stem, seen = HALL, []
    while stem not in seen:
        seen.append(stem)
        stem = next_stem(SHIPPED_LEVELS / f"{stem}.yaml")
    assert stem == HALL
    doors = [way.path for way in load(SHIPPED_LEVELS / f"{HALL}.yaml").exits]
    order = [SHIPPED_LEVELS / f"{stem}.yaml" for stem in seen if stem not in (HALL, "golf/two", "golf/three")]
    assert order == [path for path in doors if path.parent.name != "museum"]


def test_the_list_of_levels_has_the_order_of_the_routes():
    paths = [entry.path.relative_to(SHIPPED_LEVELS) for entry in find_levels() if entry.shipped]
    stems = [path.with_suffix("").as_posix() for path in paths]
    first, _, examples = (route for route, _ in ROUTES)
    worlds = [stem for stem in stems if "/" not in stem]
    assert worlds == [stem for stem in first if "/" not in stem]
    assert [stem for stem in stems if stem.startswith("golf/")] == [stem for stem in first if "/" in stem]
    assert [stem for stem in stems if stem.startswith("examples/")] == list(examples)


def test_no_next_level_after_one_of_the_players_own(tmp_path):
    (tmp_path / "demo.yaml").write_text(LEVEL)
    assert next_level(load(tmp_path / "demo.yaml")) is None
    assert next_stem(Path("nowhere.yaml")) is None
    assert next_level(load(SHIPPED_LEVELS / "museum" / "flat.yaml")) is None
