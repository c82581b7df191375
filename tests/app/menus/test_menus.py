"""The menus by keys, actions and the mouse, and what their rows ask of the game."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from game.app.commands import play
from game.app.input.actions import MenuAction
from game.app.menus import level_library, thumbnail_worker
from game.app.menus.level_page import LevelListPage
from game.app.menus.menu_stack import MenuStack
from game.app.menus.pages import PausePage
from game.app.runs import progress
from game.app.settings.settings_file import Settings
from game.app.settings.settings_table import PAGES
from game.app.visuals import thumbnails
from game.core import user_folders
from game.core.jobs import Jobs
from game.level import load
from game.level.format.file_access import SHIPPED_LEVELS
from game.render import slider_x_range
from game.render.hud.arrangement import arrange_hud
from tests.support.until import repeat_until, wait_until


def test_the_rows_go_around_the_ends():
    menu = MenuStack(PausePage({}), Settings(), "low")
    assert menu.navigate(MenuAction.UP) == ""
    assert menu.navigate(MenuAction.CONFIRM) == "quit"
    menu.navigate(MenuAction.DOWN)
    assert menu.navigate(MenuAction.CONFIRM) == "resume"
    assert menu.navigate(MenuAction.BACK) == "resume"


@pytest.mark.full
def test_the_title_goes_on_where_the_game_was(player):
    player.hold("W", 0.5)
    player.wait(0.5)
    world = player.game.session.world
    kept, eye = world.state(), player.shown.view.eye
    player.game.key_pressed("ESCAPE")
    player.choose("title")
    assert player.game.mode == "title"
    assert not player.game.wants_mouse
    player.wait(2.0)
    assert world.tick > 60
    player.choose("continue")
    assert world.state() == kept
    assert player.game.mode == "playing"
    assert player.wait(1 / 60).view.eye == pytest.approx(eye, abs=1e-9)


def test_a_picked_level_is_played_and_a_broken_one_reported(player, level_file, levels_here, tmp_path):
    folder = tmp_path / "levels"
    (folder / "broken.yaml").write_text("format: 1\npieces: 7\n")
    (folder / "floor.yaml").write_text(level_file.read_text())
    game = player.game
    game.push_mode("title")
    for name in ("broken", "floor"):
        game.menu.open(LevelListPage(levels_here()))
        game.menus._levels = game.menu.page
        player.choose(str(folder / f"{name}.yaml"))
        wait_until(lambda: game.modes["leaving"].transition.is_loaded)
        player.arrive()
        if name == "broken":
            assert game.mode == "title"
            assert "pieces" in player.shown.hud.panel.text
            game.key_pressed("ESCAPE")
            game.key_pressed("ESCAPE")
    assert game.mode == "playing"
    assert game.level.name == "Floor"
    assert game.menu is None


def point(player, place, pressed=False, first=False, fraction=0.5):
    x, y, wide, high = place
    player.game.menus.move_pointer(x + fraction * wide, y + high / 2, pressed, first)
    player.wait(1 / 60)


def layout(player):
    return arrange_hud(player.shown.hud, player.game.menus.mouse_navigation.size)


def test_the_mouse_does_what_the_keys_do(player):
    """Over rows, on tabs, a slider dragged past its end with the pointer elsewhere, the button that leads back."""
    game = player.game
    game.pause()
    player.wait(0.1)
    names = [row.name for row in game.menu.rows]
    point(player, layout(player).row_rectangles[names.index("settings")])
    assert game.menu.selected_row.name == "settings"
    point(player, layout(player).row_rectangles[names.index("settings")], pressed=True, first=True)
    game.menus.mouse_navigation.release()
    player.wait(0.1)
    point(player, layout(player).tab_rectangles[game.menu.page.tabs.index("Mouse")], pressed=True, first=True)
    assert game.menu.rows[0].name == "sensitivity"
    point(player, layout(player).row_rectangles[0], fraction=0.8)
    assert game.settings.sensitivity == 0.12
    span = slider_x_range(player.shown.hud, game.menus.mouse_navigation.size, 0)
    _, top, _, high = layout(player).row_rectangles[0]
    y = top + high / 2
    game.menus.move_pointer(span[0] + 2, y, True, True)
    assert game.settings.sensitivity == 0.02
    game.menus.move_pointer(span[1] + 50, y + 200, True, False)
    assert game.settings.sensitivity == 0.5
    game.menus.mouse_navigation.release()
    game.menus.move_pointer(span[0] + 2, y, False, False)
    assert game.settings.sensitivity == 0.5
    player.wait(0.1)
    point(player, layout(player).row_rectangles[1], pressed=True, first=True)
    assert game.settings.invert_x
    point(player, layout(player).back_rectangle, pressed=True, first=True)
    assert game.menu.page.name == "pause"
    point(player, layout(player).row_rectangles[0], pressed=True, first=True)
    assert game.mode == "playing"


def test_keys_are_bound_anew_and_esc_is_never_lost(player):
    game = player.game
    game.pause()
    player.choose("settings")
    menu = game.menu
    repeat_until(lambda: menu.page.tabs[menu.page.tab] == PAGES["keys"], lambda: menu.navigate(MenuAction.TAB), 20)
    player.choose("bind jump")
    assert game.menu.row_waiting_for_key == "bind jump"
    game.key_pressed("X")
    assert game.settings.key_bindings.keys_of("jump")[:2] == ("SPACE", "X")
    player.choose("bind jump")
    game.key_pressed("ESCAPE")
    assert game.settings.key_bindings.keys_of("jump")[:2] == ("SPACE", "X")
    assert game.menu.page.name == "settings"
    player.choose("bind jump")
    game.key_pressed("R")
    row = next(row for row in game.menu.rows if row.name == "bind jump")
    assert game.settings.key_bindings.keys_of("jump")[:2] == ("X", "R")
    assert row.is_warning
    assert "Restart level" in row.sentence
    game.key_pressed("DELETE")
    assert game.settings.key_bindings.keys_of("jump")[:2] == ("", "")
    player.choose("reset keys")
    assert game.settings == Settings()


@pytest.fixture
def levels_here(tmp_path, monkeypatch):
    """List the levels of `levels` in the working folder."""
    (tmp_path / "levels").mkdir()
    monkeypatch.chdir(tmp_path)
    return lambda: [level for level in level_library.find_levels() if level.path.parent == tmp_path / "levels"]


def test_every_shipped_level_has_its_picture():
    shipped = [level.path for level in level_library.find_levels() if level.shipped]
    assert SHIPPED_LEVELS / "demo.yaml" in shipped
    assert len(shipped) > 30
    for path in shipped:
        picture = Path(thumbnails.shipped_thumbnail(path))
        assert picture.stat().st_size < 40_000, f"python -m tools.assets.level_thumbnails for {path.name}"
        with Image.open(picture) as image:
            assert image.size == thumbnail_worker.THUMBNAIL_SIZE
            assert image.convert("L").resize((16, 9)).getextrema()[1] > 40


@pytest.fixture
def user_levels(tmp_path, monkeypatch, level_file):
    """The user's own folder, with a level, one in a folder below, a broken one, and what is none."""
    kernels = user_folders.cache_folder() / "kernels"
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "kernels").symlink_to(kernels)
    monkeypatch.setenv(user_folders.CACHE_VARIABLE, str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    folder = user_folders.data_folder() / level_library.USER_FOLDER
    (folder / "more").mkdir(parents=True)
    text = level_file.read_text()
    (folder / "mine.yaml").write_text(text.replace("Floor", '"My own" # so far') + "about: Over the floor.\n")
    (folder / "more" / "deep.yml").write_text(text.replace("name: Floor\n", ""))
    (folder / "broken.yaml").write_text(text.replace("pieces:", "peaces:"))
    (folder / "notes.txt").write_text("name: not a level")
    (folder / "\udcff odd.yaml").write_text(text)
    return folder


def test_the_users_levels_are_listed(user_levels, tmp_path, monkeypatch):
    """Those of the working folder too; each thumbnail is made once, and anew for a file that has changed."""
    (tmp_path / "levels").mkdir()
    (tmp_path / "levels" / "here.yaml").write_text((user_levels / "mine.yaml").read_text())
    own = [entry for entry in level_library.find_levels() if not entry.shipped]
    found = {level.path.name: level for level in own if level.group != level_library.DAILY_GROUP}
    assert set(found) == {"mine.yaml", "deep.yml", "broken.yaml", "here.yaml", "\udcff odd.yaml"}
    assert (found["mine.yaml"].name, found["mine.yaml"].description) == ("My own", "Over the floor.")
    assert found["deep.yml"].name == "deep"
    assert found["here.yaml"].group != found["mine.yaml"].group
    at = thumbnails.thumbnail_folder()
    at.mkdir(parents=True)
    assert thumbnails.cached_thumbnail(user_levels / "mine.yaml") is None
    monkeypatch.setattr(thumbnail_worker, "_context", lambda: None)
    thumbnail_worker.make_thumbnail(user_levels / "mine.yaml", at)
    made = thumbnail_worker.make_thumbnail(user_levels / "broken.yaml", at)
    assert thumbnails.cached_thumbnail(user_levels / "mine.yaml").name == "My own"
    assert made.finding.startswith("broken.yaml:")
    assert "peaces" in made.finding
    page = LevelListPage(level_library.find_levels(), Told({user_levels / "broken.yaml": made}))
    rows = page.rows(MenuStack(page, Settings(), "low"))
    row = next(row for row in rows if row.name == str(user_levels / "broken.yaml"))
    assert row.is_warning
    assert row.note == made.finding
    assert "cannot be played" in row.sentence
    (user_levels / "mine.yaml").write_text((user_levels / "mine.yaml").read_text() + "# more\n")
    assert thumbnails.cached_thumbnail(user_levels / "mine.yaml") is None
    assert thumbnails.cached_thumbnail(user_levels / "missing.yaml") is None


class Told(thumbnail_worker.ThumbnailWorker):
    def __init__(self, known):
        super().__init__(Jobs())
        self.known = dict(known)

    def thumbnail_of(self, level):
        return self.known.get(level)

    def request(self, levels):
        pass


def test_the_list_shows_the_best_time_and_begins_at_the_level_that_is_played(user_levels):
    level = load(user_levels / "mine.yaml")
    progress.record_visit(level, level.spawns[0].name)
    progress.record_finish(level, level.spawns[0].name, None)
    page = LevelListPage(level_library.find_levels(), Told({}), level)
    assert MenuStack(page, Settings(), "low").selected_row.value == "Finished", "without time"
    for seconds in (62.35, 70.0):
        progress.record_finish(level, level.spawns[0].name, progress.BestRun(seconds, run="best.replay"), ("no jump",))
    page = LevelListPage(level_library.find_levels(), Told({}), level)
    assert MenuStack(page, Settings(), "low").selected_row.value == "1:02.35"
    progress.runs_folder().mkdir(parents=True, exist_ok=True)
    (progress.runs_folder() / "best.replay").write_bytes(b"run")
    page = LevelListPage(level_library.find_levels(), Told({}), level)
    menu = MenuStack(page, Settings(), "low")
    assert menu.selected_row.name == str(user_levels / "mine.yaml")
    assert menu.selected_row.value == "1:02.35"
    assert "Finished 3 times" in menu.selected_row.sentence
    assert "no jump" in menu.selected_row.sentence


def test_continue_plays_the_last_level_unless_it_is_broken(user_levels):
    path = user_levels / "mine.yaml"
    level = load(path)
    progress.record_visit(level, "a spawn of former days")
    found, at = play.last_played_level()
    assert (found.path, at) == (path, "")
    path.write_text((user_levels / "broken.yaml").read_text())
    found, at = play.last_played_level()
    assert (found.name, at) == ("The courtyard", "")


def test_in_the_grid_the_arrows_go_by_lines(level_file, levels_here, tmp_path):
    for name in "abcdefg":
        (tmp_path / "levels" / f"{name}.yaml").write_text(level_file.read_text())
    menu = MenuStack(LevelListPage(levels_here()), Settings(), "low")
    numbers = [n for n, row in enumerate(menu.rows) if row.is_selectable]
    assert len(numbers) == 7
    seen = []
    right, down = MenuAction.RIGHT, MenuAction.DOWN
    for action in (right, right, right, down, down, MenuAction.LEFT, MenuAction.UP):
        menu.navigate(action)
        seen.append(numbers.index(menu.selected))
    assert seen == [1, 2, 3, 6, 2, 1, 5]
