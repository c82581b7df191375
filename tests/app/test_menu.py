"""The pause menu by keys and by mouse."""

from __future__ import annotations

import pytest

from game.app.menu import Menu
from game.app.settings import RANGES, Settings


def names(menu):
    return [row.name for row in menu.rows]


def choose(menu, name):
    menu.choose(names(menu).index(name))


def test_the_rows_go_around_the_ends():
    menu = Menu(Settings(), "low")
    assert names(menu)[0] == "resume"
    assert names(menu)[-1] == "quit"
    menu.move(-1)
    assert menu.activate() == "quit"
    menu.move(1)
    assert menu.activate() == "resume"


@pytest.mark.parametrize("name", ["sensitivity", "fov"])
def test_sliders_by_keys_stop_at_their_ends(name):
    menu = Menu(Settings(), "low")
    choose(menu, name)
    before = getattr(menu.settings, name)
    menu.adjust(1)
    assert getattr(menu.settings, name) > before
    for by, end, part in ((1, RANGES[name][1], 1.0), (-1, RANGES[name][0], 0.0)):
        for _ in range(300):
            menu.adjust(by)
        assert getattr(menu.settings, name) == end
        assert menu.rows[menu.selected].part == part
    assert menu.activate() == ""


@pytest.mark.parametrize("name", ["sensitivity", "fov"])
def test_sliders_by_mouse_land_on_steps(name):
    menu = Menu(Settings(), "low")
    choose(menu, name)
    least, most = RANGES[name]
    for part, value in ((-1.0, least), (0.5, (least + most) / 2), (2.0, most)):
        menu.slide(part)
        assert getattr(menu.settings, name) == pytest.approx(value, abs=0.011)


def test_quality_goes_through_all_and_back_to_automatic():
    menu = Menu(Settings(), "low")
    choose(menu, "quality")
    seen = []
    for _ in range(4):
        assert menu.activate() == ""
        seen.append(menu.settings.quality)
    assert seen == ["low", "medium", "high", ""]
    assert "automatic (low)" in menu.rows[menu.selected].value


def test_rows_beyond_the_ends_change_nothing():
    menu = Menu(Settings(), "low")
    menu.choose(99)
    menu.choose(-1)
    assert menu.selected == 0
    menu.adjust(1)
    menu.slide(0.5)
    assert menu.settings == Settings()
