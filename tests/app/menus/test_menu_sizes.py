"""Menus at every size: what fits is said, large text makes fewer columns, and keys scroll long pages."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from game.app.game import Game
from game.app.input.actions import MenuAction
from game.app.menus.level_library import find_levels
from game.app.menus.level_page import LevelListPage
from game.app.menus.menu_panel import build_menu_panel
from game.app.menus.menu_stack import MenuStack
from game.app.menus.mouse_navigation import MouseNavigation
from game.app.menus.pages import ResultPage
from game.app.menus.settings_page import SettingsPage
from game.app.modes.hud_builder import hud_style
from game.app.settings.settings_table import PAGES, Settings, options_on_page
from game.level import load
from game.render import Hud
from game.render.hud.arrangement import arrange_hud, fitting_scale
from game.render.hud.primitives import TextRun
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


def test_the_window_size_reaches_the_open_menu(player: Player) -> None:
    game = player.game
    game.menus.mouse_navigation.size = SMALL
    game.key_pressed("ESCAPE")
    player.wait(0.1)
    assert game.menu.window_size == SMALL


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


def test_the_editor_follows_size_contrast_and_colours(level_file) -> None:
    settings = Settings(text_size=2.0, interface_scale=1.3, high_contrast=True, palette="safe")
    player = Player(Game(load(level_file), settings, "low"))
    player.wait(0.1)
    player.game.key_pressed("F2")
    hud = player.wait(0.2).hud
    assert hud.key_strip
    assert (hud.text, hud.scale, hud.contrast, hud.palette) == (2.0, 1.3, True, "safe")


def test_the_row_of_the_interface_size_stays_in_view_while_it_changes(floor_level) -> None:
    player = Player.in_level(floor_level)
    game = player.game
    game.menus.mouse_navigation.size = SMALL
    game.push_mode("paused", "settings")
    menu = game.menu
    menu.page.tab = next(
        tab for tab, page in enumerate(PAGES) if any(one.name == "interface_scale" for one in options_on_page(page))
    )
    menu.selected = next(n for n, row in enumerate(menu.rows) if row.name == "interface_scale")
    for key in ("RIGHT",) * 12 + ("LEFT",) * 12:
        game.key_pressed(key)
        game.key_released(key)
        hud = player.wait(1.0).hud
        layout = arrange_hud(hud, SMALL)
        top, bottom = layout.row_spans[menu.selected]
        assert game.menus.scroll - 0.5 <= top < bottom <= game.menus.scroll + layout.visible_fraction + 0.5


def test_no_figures_of_the_debug_view_lie_over_a_page(floor_level) -> None:
    player = Player.in_level(floor_level)
    player.game.key_pressed("F3")
    assert player.wait(0.1).hud.debug_lines
    player.game.key_pressed("ESCAPE")
    assert not player.wait(0.1).hud.debug_lines


def test_the_figures_of_the_debug_view_fit_at_the_largest_sizes(floor_level) -> None:
    player = Player.in_level(floor_level, text_size=2.0, interface_scale=1.6)
    player.game.key_pressed("F3")
    player.wait(2.0)
    hud = player.shown.hud
    lines = (*hud.debug_lines, "pictures 12 of 12   120.5 MiB of video memory", "3 balls, 2 at rest", "energy 12.345 J")
    for timer in ("", "1:02.35"):
        layout = arrange_hud(replace(hud, debug_lines=lines, timer=timer, timer_caption=timer), SMALL)
        drawn = [item.text for item in layout.items if isinstance(item, TextRun)]
        assert [line for line in lines if line not in drawn] == []


def test_the_page_of_keys_follows_the_device_while_it_is_open(floor_level) -> None:
    player = Player.in_level(floor_level)
    player.game.push_mode("paused", "help")
    keys = player.wait(0.1).hud.panel.keys
    player.game.key_pressed("PAD_DOWN")
    player.game.input.held.uses_gamepad = True
    panel = player.wait(0.1).hud.panel
    assert panel.title == "Gamepad controls"
    assert panel.keys != keys
    player.game.input.held.uses_gamepad = False
    assert player.wait(0.1).hud.panel.keys == keys


def test_a_page_does_not_follow_a_pointer_that_is_hidden(floor_level) -> None:
    player = Player.in_level(floor_level)
    game = player.game
    game.push_mode("paused")
    layout = arrange_hud(player.wait(0.1).hud, game.menus.mouse_navigation.size)
    x, y, width, height = layout.row_rectangles[4]
    for is_hidden, selected in ((True, 0), (False, 4)):
        game.menus.is_pointer_hidden = is_hidden
        game.menus.move_pointer(x + width / 2, y + height / 2, False, False)
        assert game.menu.selected == selected
