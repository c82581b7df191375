"""Every screen at every size: no text is cut off or overlaps another, and every row can be reached.

By default at three extreme sizes. With --full at more of them, and at a seeded selection of the whole product of sizes;
with WALKER_ALL_LAYOUTS=1 as well, at all of them.
"""

from __future__ import annotations

import itertools
import os
import random

import pytest

from game.app.menus.mouse_navigation import MouseNavigation
from game.app.runs.library import run_library
from game.app.settings.settings_table import Settings
from game.render.hud.arrangement import arrange_hud

from .screens import (
    CONTRASTS,
    INTERFACE_SCALES,
    SCREENS,
    TEXT_SCALES,
    WINDOWS,
    Screen,
    Window,
    layout_problems,
    open_menu,
    screen_hud,
    settings_for,
)

EVERYTHING = list(itertools.product(WINDOWS, INTERFACE_SCALES, TEXT_SCALES, CONTRASTS))
EXTREMES = [
    ((800, 600), 1.6, 2.0, True),
    ((800, 600), 0.7, 2.0, False),
    ((1280, 720), 1.6, 1.5, True),
    ((1280, 720), 1.0, 1.0, False),
    ((2560, 1080), 1.6, 1.0, False),
]
RUNS_ALL = bool(os.environ.get("WALKER_ALL_LAYOUTS"))


Size = tuple[Window, float, float, bool]
FROM_A_GAME = ("photo", "editor ")  # their cards come from a level that is played or edited
screens = pytest.mark.parametrize(
    "screen",
    [pytest.param(s, marks=[pytest.mark.full] if s.name.startswith(FROM_A_GAME) else []) for s in SCREENS],
    ids=lambda screen: screen.name,
)


@screens
def test_a_screen_can_be_read_at_extreme_sizes(screen: Screen) -> None:
    check_screen(screen, EXTREMES[::2])


@pytest.fixture(autouse=True)
def _no_runs(monkeypatch):
    monkeypatch.setattr(run_library, "read_library", dict)


@pytest.mark.full
@screens
def test_a_screen_can_be_read_at_every_size(screen: Screen) -> None:
    check_screen(screen, EVERYTHING if RUNS_ALL else EXTREMES[1::2] + random.Random(screen.name).sample(EVERYTHING, 4))


def check_screen(screen: Screen, sizes: list[Size]) -> None:
    problems: list[str] = []
    for window, interface, text, contrast in sizes:
        settings = settings_for(interface, text, contrast)
        menu = open_menu(screen, settings) if screen.page is not None else None
        hud = screen_hud(screen, settings, menu)
        layout = arrange_hud(hud, window)
        found = layout_problems(layout, window)
        names = {element.name for element in layout.elements}
        found += [f"{name} is not shown" for name in screen.required if name not in names]
        if menu is not None:
            found += unreachable_rows(screen, settings, window)
        problems += [f"{window} interface {interface} text {text} contrast {contrast}: {line}" for line in found]
    assert not problems, f"{len(problems)} problems:\n" + "\n".join(problems[:12])


def unreachable_rows(screen: Screen, settings: Settings, window: Window) -> list[str]:
    """A sentence for each row that is not wholly visible when it is selected, or that scrolling does not show."""
    menu = open_menu(screen, settings)
    navigation = MouseNavigation()
    navigation.size = window
    problems: list[str] = []
    rows = [number for number, row in enumerate(menu.rows) if row.is_selectable]
    if not RUNS_ALL and len(rows) > 6:
        rows = [*rows[:2], rows[len(rows) // 2], *rows[-2:]]
    navigation.update(menu, screen_hud(screen, settings, menu), 0.0, True)
    for number in rows:
        menu.selected = number
        if menu.page.text and len(rows) < 2:  # it is read from its first line on, and the row is below it
            navigation.scroll_by_wheel(-1000.0)
        for _ in range(2):  # the description of a row may change the height of the list
            scroll = navigation.update(menu, screen_hud(screen, settings, menu, navigation.scroll), 0.0, True)
        layout = arrange_hud(screen_hud(screen, settings, menu, scroll), window)
        x, y, width, height = layout.row_rectangles[number]
        if layout.row_spans:
            top, bottom = layout.row_spans[number]
            hidden = top - scroll < -1.0 or bottom - scroll > layout.visible_fraction + 1.0
            if hidden and layout.max_scroll > 0.0:
                problems.append(f"row {number} is selected and not wholly visible")
        if height <= 0.0 or x < -0.5 or y < -0.5 or x + width > window[0] + 0.5 or y + height > window[1] + 0.5:
            problems.append(f"row {number} is not in the window")
        problems += [f"row {number} selected: {line}" for line in layout_problems(layout, window)]
    return problems
