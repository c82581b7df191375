"""Keys and buttons as pictures: texts with symbols are measured, wrapped and shortened."""

from __future__ import annotations

import random

import pytest

from game.app.input.actions import PlayAction
from game.app.input.player_input import HeldActions
from game.app.menus.menu_controller import build_menu_panel, symbols_for_device
from game.app.menus.menu_stack import MenuRow, MenuStack
from game.app.menus.pages import TitlePage
from game.app.menus.settings_page import SettingsPage
from game.app.settings.key_bindings import PAD_SLOT, PRESETS, KeyBindings, key_label
from game.app.settings.settings_table import Settings
from game.render import Hud
from game.render.hud.arrangement import arrange_hud
from game.render.hud.primitives import TextRun
from game.render.text import fonts, symbol_shapes
from game.render.text.symbol_shapes import symbol_shape
from game.text.key_symbols import SYMBOL_END, SYMBOL_START, key_symbol, key_symbols, plain_text, split_symbols


def labels_of(text: str) -> list[str]:
    return [part for is_symbol, part in split_symbols(text) if is_symbol]


@pytest.mark.parametrize("preset", PRESETS)
def test_each_key_of_each_layout_is_one_symbol(preset: str) -> None:
    bound = KeyBindings(preset)
    for action in PlayAction:
        keys = [key_label(key) for key in bound.keys_of(action) if key]
        text = f"{key_symbols(bound.describe(action))} {key_symbols(bound.describe(action, pad=True))}"
        assert labels_of(text) == keys


def test_gamepad_buttons_and_mouse_buttons_have_pictures_of_their_own() -> None:
    pads = [KeyBindings().keys_of(action)[PAD_SLOT] for action in PlayAction]
    labels = [key_label(key) for key in filter(None, [*pads, "MOUSE_LEFT", "MOUSE_RIGHT", "MOUSE_MIDDLE", "PAD_START"])]
    shapes = [symbol_shape(label) for label in labels]
    assert all(shape.kind != symbol_shapes.KEYCAP for shape in shapes)
    assert len(set(shapes)) == len(set(labels))


def test_any_text_can_be_laid_out_with_lone_delimiters_too() -> None:
    generator = random.Random(5)
    pieces = (SYMBOL_START, SYMBOL_END, " ", "a", "Left mouse", "\n", "·", "…", "漢", key_symbol("Space"))
    for _ in range(200):
        text = "".join(generator.choices(pieces, k=generator.randrange(12)))
        layout = arrange_hud(Hud(message=text, hint=text, debug_lines=(text,), message_detail=text), (800, 600))
        shown = "".join(item.text for item in layout.items if isinstance(item, TextRun))
        assert SYMBOL_START not in shown
        assert SYMBOL_END not in shown
        assert plain_text(key_symbol(text)) == plain_text(text)


def test_a_symbol_is_never_broken() -> None:
    text = f"Press {key_symbol('Left shoulder')} or {key_symbol('Caps Lock')} to sprint over the long wide bridge"
    for width in range(40, 500, 20):
        lines = fonts.wrap_text(text, 17, width)
        assert sorted(label for line in lines for label in labels_of(line)) == ["Caps Lock", "Left shoulder"]
        shortened = fonts.elide_text(text, 17, width)
        assert shortened.count(SYMBOL_START) == shortened.count(SYMBOL_END)
        assert fonts.text_width(shortened, 17) <= width


def test_the_device_in_use_decides() -> None:
    held = HeldActions()
    assert labels_of(held.describe(PlayAction.JUMP)) == ["Space"]
    held.uses_gamepad = True
    assert labels_of(held.describe(PlayAction.JUMP)) == ["Pad A"]
    menu = MenuStack(TitlePage({}, MenuRow("continue", "Play")), Settings(), "low")
    assert labels_of(build_menu_panel(menu).footer) == ["Up", "Down", "Enter"]
    assert labels_of(build_menu_panel(menu, pad=True).footer) == ["Pad up", "Pad down", "Pad A"]
    menu.open(SettingsPage())
    assert (build_menu_panel(menu).back_key, build_menu_panel(menu, pad=True).back_key) == ("Esc", "Pad B")
    assert symbols_for_device("plain", True) == "plain"
