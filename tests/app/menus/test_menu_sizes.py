"""Menus at every size: what fits is said, large text makes fewer columns, and keys scroll long pages."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from game.app.input.actions import MenuAction
from game.app.menus.level_library import find_levels
from game.app.menus.level_page import LevelListPage
from game.app.menus.menu_controller import build_menu_panel
from game.app.menus.menu_stack import MenuStack
from game.app.menus.mouse_navigation import MouseNavigation
from game.app.menus.pages import ResultPage
from game.app.menus.settings_page import SettingsPage
from game.app.modes.hud_builder import hud_style
from game.app.settings.settings_table import Settings
from game.render import Hud
from game.render.hud.arrangement import arrange_hud, fitting_scale
from game.render.snapshot import RunSummary, SplitRow
from tests.support.player import Player

SMALL = (800, 600)


@pytest.fixture
def player(floor_level) -> Player:
    return Player.in_level(floor_level, text_size=2.0, interface_scale=1.6)


def size_value(settings: Settings, window: tuple[int, int]) -> str:
    menu = MenuStack(SettingsPage(), settings, "low")
    menu.window_size = window
    return next(row.value for row in menu.rows if row.name == "interface_scale")


def test_the_interface_size_says_what_is_in_effect() -> None:
    assert size_value(Settings(interface_scale=1.6), SMALL) == "160 %"
    assert size_value(Settings(interface_scale=1.6, text_size=2.0), SMALL) == "160 % (100 % fits)"
    assert size_value(Settings(interface_scale=1.0, text_size=2.0), SMALL) == "100 %"
    for text in (1.2, 1.5, 1.8):
        value = size_value(Settings(interface_scale=1.6, text_size=text), (1280, 720))
        assert value == f"160 % ({int(100 * fitting_scale((1280, 720), text))} % fits)"


def test_large_text_makes_fewer_columns_and_the_arrows_follow_them() -> None:
    seen = {}
    for text in (1.0, 2.0):
        settings = Settings(text_size=text)
        menu = MenuStack(LevelListPage(find_levels()), settings, "low")
        navigation = MouseNavigation()
        navigation.size = SMALL
        hud = Hud(panel=build_menu_panel(menu), **hud_style(settings))
        navigation.update(menu, hud, 0.0, True)
        rectangles = arrange_hud(hud, SMALL).row_rectangles
        first = menu.selected
        columns = sum(abs(y - rectangles[first][1]) < 1.0 for _, y, _, _ in rectangles)
        menu.navigate(MenuAction.DOWN)
        assert menu.selected == first + columns
        assert rectangles[menu.selected][0] == pytest.approx(rectangles[first][0])
        seen[text] = columns
    assert seen == {1.0: 4, 2.0: 2}


def test_the_arrows_scroll_a_long_result_above_its_buttons(player: Player) -> None:
    game = player.game
    game.menus.mouse_navigation.size = SMALL
    game.key_pressed("ESCAPE")
    splits = tuple(SplitRow(f"Gallery {n}", "0:01.00") for n in range(8))
    result = SimpleNamespace(summary=lambda: RunSummary("The courtyard", "1:23.45", splits=splits))
    game.menu.open(ResultPage(result, {}))
    player.wait(0.2)
    assert player.shown.hud.panel.scroll == 0.0
    for _ in range(40):
        game.key_pressed("DOWN")
    player.wait(1.0)
    layout = arrange_hud(player.shown.hud, SMALL)
    assert game.menus.scroll == pytest.approx(layout.max_scroll)
    assert layout.max_scroll > 50.0
    assert game.menu.selected == 0  # left and right choose the button
    game.key_pressed("RIGHT")
    assert game.menu.selected == 1
