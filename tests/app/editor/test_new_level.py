"""A new level from the main menu: its name, its file, and what is in the way of it."""

from __future__ import annotations

import time

import pytest

from game.app.game import Game
from game.app.menus import new_level_page
from game.app.menus.menu_controller import build_menu_panel
from game.app.settings.mode_names import ARRIVING, EDITING, LEAVING, TITLE
from game.app.settings.settings_file import Settings
from game.level import check, load
from game.render import Hud
from game.render.hud.arrangement import arrange_hud
from game.render.hud.primitives import TextRun
from tests.support.editor_author import write_level
from tests.support.player import Player

HALL = "format: 1\nspawn: {at: [0, 0, 0]}\ngoal: {at: [4, 0, 4]}\npieces:\n  - floor: {from: [-5, -5], to: [5, 5]}\n"
SECONDS = 120.0  # s that the new level may take to load


class Builder(Player):
    """Types the name of a new level in the main menu."""

    def __init__(self, folder):
        super().__init__(Game(load(write_level(folder, HALL)), Settings(), "low"))

    def press(self, *keys):
        for key in keys:
            self.game.key_pressed(key)
            if len(key) == 1:
                self.game.text_typed(key.lower())  # as the window does
            self.game.key_released(key)
            self.wait(1 / 60)

    def type(self, text):
        for char in text:
            self.game.text_typed(char)
        self.wait(1 / 60)

    def create(self, name):
        self.game.push_mode(TITLE)
        self.wait(1 / 60)
        rows = [row.name for row in self.game.menu.rows]
        self.press(*["DOWN"] * rows.index("new level"), "RETURN")
        self.type(name)
        self.press("RETURN")
        end = time.monotonic() + SECONDS
        while self.game.mode in (LEAVING, ARRIVING):
            self.wait(1 / 60)
            assert time.monotonic() < end


@pytest.fixture
def builder(tmp_path):
    return Builder(tmp_path)


def test_a_new_level_is_written_into_the_users_folder_and_opens_in_the_editor(builder, data):
    builder.create("My house: 2")
    assert builder.game.mode == EDITING
    path = data / "levels" / "my_house_2.yaml"
    assert builder.game.level.path == path
    assert builder.game.level.name == "My house: 2"
    assert check(path) == []
    level = load(path)
    assert (len(level.lights), len(level.spawns)) == (1, 1)
    builder.press("F2")
    assert builder.game.mode == "playing"


def test_names_of_new_levels_make_files_that_do_not_replace_others(tmp_path):
    first = new_level_page.create_level("Größe ½", tmp_path)
    second = new_level_page.create_level("Größe ½", tmp_path)
    assert (first.name, second.name) == ("grosse_12.yaml", "grosse_12_2.yaml")
    assert load(first).name == "Größe ½"
    assert new_level_page.create_level("出口", tmp_path).name == "level.yaml"
    assert new_level_page.create_level("../../etc/passwd", tmp_path).parent == tmp_path
    for name in ("CON", "nul", "Com1"):  # Windows opens a device by these names
        assert new_level_page.create_level(name, tmp_path).name == f"{name.lower()}_level.yaml"
    for word in ("null", "~", "true", "Yes", "1", "n"):  # a YAML reader takes them for other values
        path = new_level_page.create_level(word, tmp_path)
        assert f'name: "{word}"\n' in path.read_text(encoding="utf-8")
        assert load(path).name == word
    with pytest.raises(OSError, match="Not a directory"):
        new_level_page.create_level("x", first / "folder")


def test_a_folder_that_cannot_be_written_is_told_in_the_menu(builder, monkeypatch):
    monkeypatch.setenv("WALKER_DATA", "/dev/null/data")
    builder.create("Mine")
    assert builder.game.mode == TITLE
    assert builder.game.menu.notice == "The level cannot be written: not a directory"


@pytest.mark.sample(2)
@pytest.mark.parametrize("kind", ["file", "dangling link"])
def test_what_is_in_the_place_of_the_folder_is_told_on_the_page(builder, data, tmp_path, kind):
    place = data / "levels"
    place.parent.mkdir(exist_ok=True)
    if kind == "file":
        place.write_text("")
    else:
        place.symlink_to(tmp_path / "nowhere")
    builder.create("Mine")
    layout = arrange_hud(Hud(panel=build_menu_panel(builder.game.menu)), (1280, 720))
    shown = "".join(item.text for item in layout.items if isinstance(item, TextRun)).replace(" ", "")
    assert f"The level cannot be written: {place} is not a folder".replace(" ", "") in shown
    builder.type("2")
    assert builder.game.menu.notice == ""
