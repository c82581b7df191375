"""The menus by keys, words of navigation and the mouse, and what their rows ask of the game."""

from __future__ import annotations

import pytest

from game.app.menus import Menu, library
from game.app.menus.level_page import LevelsPage
from game.app.menus.pages import PausePage
from game.app.menus.setting_pages import SettingsPage
from game.app.playing import Game
from game.app.settings import RANGES, Settings
from game.sim import World
from tests.app.player import Player


@pytest.fixture
def player(floor_level):
    return Player(Game(floor_level, Settings(), "low"), World(floor_level))


def choose(player, *names):
    """Choose rows by their names, page after page."""
    menu = player.game.menu
    for name in names:
        menu.choose([row.name for row in menu.rows].index(name))
        player.game.navigate("confirm")


def test_the_rows_go_around_the_ends():
    menu = Menu(PausePage({}), Settings(), "low")
    assert menu.navigate("up") == ""
    assert menu.navigate("confirm") == "quit"
    menu.navigate("down")
    assert menu.navigate("confirm") == "resume"
    assert menu.navigate("back") == "resume"


@pytest.mark.parametrize("name", ["sensitivity", "fov"])
def test_sliders_stop_at_their_ends(name):
    menu = Menu(SettingsPage(), Settings(), "low")
    while name not in [row.name for row in menu.rows]:
        menu.navigate("tab")
    menu.choose([row.name for row in menu.rows].index(name))
    for word, end, part in (("right", RANGES[name][1], 1.0), ("left", RANGES[name][0], 0.0)):
        for _ in range(300):
            menu.navigate(word)
        assert getattr(menu.settings, name) == end
        assert menu.rows[menu.selected].part == part
    for part, value in ((-1.0, RANGES[name][0]), (0.5, sum(RANGES[name]) / 2), (2.0, RANGES[name][1])):
        menu.slide(part)
        assert getattr(menu.settings, name) == pytest.approx(value, abs=0.011)


def test_a_setting_that_is_changed_in_the_menu_is_the_games_at_once(player):
    player.game.key_pressed("ESCAPE")
    choose(player, "settings")
    menu = player.game.menu
    while "fov" not in [row.name for row in menu.rows]:
        player.game.navigate("tab")
    menu.choose([row.name for row in menu.rows].index("fov"))
    before = player.shown.view.fov_degrees
    for _ in range(5):
        player.game.key_pressed("RIGHT")
    assert player.game.settings.fov == 95.0
    assert player.wait(0.1).view.fov_degrees > before
    player.game.key_pressed("ESCAPE")
    assert player.game.menu.page.name == "pause"
    player.game.key_pressed("ESCAPE")
    assert player.game.mode == "playing"


def test_the_title_goes_on_where_the_game_was(player):
    player.hold("W", 0.5)
    player.wait(0.5)
    world = player.game.session.world
    kept, eye = world.state(), player.shown.view.eye
    player.game.key_pressed("ESCAPE")
    choose(player, "title")
    assert player.game.mode == "title"
    assert not player.game.wants_mouse
    player.wait(2.0)
    assert world.tick > 60
    choose(player, "continue")
    assert world.state() == kept
    assert player.game.mode == "playing"
    assert player.wait(1 / 60).view.eye == pytest.approx(eye, abs=1e-9)


def test_a_level_that_is_picked_is_played_and_a_broken_one_is_told_about(player, level_file):
    (level_file.parent / "broken.yaml").write_text("format: 1\npieces: 7\n")
    game = player.game
    game.menus.open_title()
    for name in ("broken", "floor"):
        game.menu.open(LevelsPage(library._in(level_file.parent, "Here", False)))
        game.menus._levels = game.menu.page
        choose(player, str(level_file.parent / f"{name}.yaml"))
        for _ in range(400):
            player.wait(1 / 60)
            if game.mode != "leaving":
                break
            __import__("time").sleep(0.005)
        if name == "broken":
            assert game.mode == "title"
            assert "pieces" in player.shown.hud.panel.text
            game.navigate("back")
            game.navigate("back")
    assert game.mode == "playing"
    assert game.level.name == "Floor"
    assert game.menu is None


def test_the_library_knows_every_shipped_level_by_its_name():
    found = library.find()
    names = [level.name for level in found if level.shipped]
    assert names[0] == "The courtyard"
    assert "Golf 1: The meadow" in names
    assert len([level for level in found if level.group == "The museum"]) >= 20
