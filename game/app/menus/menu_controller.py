"""What a game has of menus: it opens them, hands them keys, pointer and words, and does what their rows ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...level import Exit
from ..modes.title import TitleScreen
from ..runs import progress
from ..settings.mode_names import PAUSED, TITLE
from . import level_library
from .help_page import HelpPage
from .level_page import LevelListPage
from .menu_stack import MenuStack
from .mouse_navigation import MouseNavigation
from .pages import PageOpener, PausePage, TextPage, TitlePage
from .settings_page import SettingsPage
from .thumbnails import ThumbnailWorker

if TYPE_CHECKING:
    from ..game import Game
    from ..runs.run_results import RunResult

NAVIGATION_KEYS = {
    "UP": "up", "W": "up", "DOWN": "down", "S": "down", "LEFT": "left", "A": "left", "RIGHT": "right", "D": "right",
    "RETURN": "confirm", "ENTER": "confirm", "NUM_ENTER": "confirm", "SPACE": "confirm", "ESCAPE": "back",
    "TAB": "tab",
}  # fmt: skip
SCROLL_KEYS = {"UP": 1.0, "DOWN": -1.0, "W": 1.0, "S": -1.0, "PAGEUP": 5.0, "PAGEDOWN": -5.0}  # notches of the wheel


class MenuController:
    """Belongs to one game. `menu` is there while one is open, `title` while the title is."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.menu: MenuStack | None = None
        self.title: TitleScreen | None = None
        self.mouse_navigation = MouseNavigation()
        self.is_opening = False  # whether the title is to come, once there is a world
        self.thumbnails = ThumbnailWorker()
        self._levels: LevelListPage | None = None

    # In and out

    def pause(self) -> None:
        """Show the pause menu."""
        self.menu = MenuStack(PausePage(self._pages), self.game.settings, self.game.quality)

    def open_title(self) -> None:
        """Show the title over the game's level; Continue goes on where the game is."""
        game = self.game
        assert game.session is not None
        game.session.pause()
        game.held_actions.clear()
        self.title, game.mode = TitleScreen(game), TITLE
        self.menu = MenuStack(
            TitlePage(self._pages, game.level.name, progress.last_played() is None), game.settings, game.quality
        )

    def show_result(self, result: RunResult) -> None:
        """Show what came of a run."""
        from ..runs.run_results import ResultPage

        self.menu = MenuStack(ResultPage(result, self._pages), self.game.settings, self.game.quality)

    @property
    def title_reveal(self) -> float:
        """How far the title has come up, 0 to 1."""
        return 1.0 if self.title is None or self.game.settings.reduce_motion else self.title.reveal

    def close(self) -> None:
        """Away with menu and title."""
        if self.title is not None:
            self.title.restore_world(self.game)
            self.game.play_started = None
        self.menu = self.title = None

    @property
    def _pages(self) -> dict[str, PageOpener]:
        return {
            "levels": lambda menu: self._level_page(),
            "settings": lambda menu: SettingsPage(),
            "help": lambda menu: HelpPage(self.game.held_actions.uses_gamepad),
        }

    def _level_page(self) -> LevelListPage:
        self.thumbnails.invalidate()
        self._levels = LevelListPage(level_library.find_levels(), self.thumbnails, self.game.level)
        return self._levels

    # What the player does

    def key_pressed(self, key: str) -> None:
        """A key went down while a menu is open."""
        menu = self.menu
        if menu is None:
            return
        if menu.capture_key(key):
            self._apply_settings()
        elif key in ("PAGEUP", "PAGEDOWN"):
            self.scroll_by(key)
        elif key in ("DELETE", "BACKSPACE"):
            menu.clear_row()
            self._apply_settings()
        elif key in NAVIGATION_KEYS:
            self.navigate(NAVIGATION_KEYS[key])

    def navigate(self, word: str) -> None:
        """Up, down, left, right, confirm, back, tab: of keys and gamepad alike."""
        menu = self.menu
        if menu is None:
            return
        if word in ("up", "down") and not any(row.is_selectable for row in menu.rows):
            self.mouse_navigation.scroll_by_wheel(1.0 if word == "up" else -1.0)
        self._run_action(menu.navigate(word))

    def scroll_by(self, key: str) -> None:
        """Scroll what is shown by a key: help and findings without a menu, and whole pages."""
        if key in SCROLL_KEYS:
            self.mouse_navigation.scroll_by_wheel(SCROLL_KEYS[key])

    def pointer_over(self, row: int, part: float, pressed: bool, first: bool) -> None:
        """The mouse is over a row, at a part (0 to 1) of its slider's length.

        `pressed`: with the button down, which drags a slider; `first`: it has just gone down, which chooses.
        """
        menu = self.menu
        if menu is None:
            return
        menu.select(row)
        if menu.selected != row:
            return
        chosen = menu.selected_row
        if pressed and chosen is not None and chosen.slider_fraction is not None:
            menu.slide(part)
            self._apply_settings()
        elif first:
            self._run_action(menu.activate())

    def _apply_settings(self) -> None:
        if self.menu is not None:
            self.game.settings = self.menu.settings

    def _run_action(self, action: str) -> None:
        self._apply_settings()
        self.run_row_action(action)

    def show_load_error(self, why: str) -> bool:
        """The level that was picked cannot be played: say so on a page, where a menu is open."""
        if self.menu is None:
            return False
        self.game.mode = TITLE if self.title is not None else PAUSED
        self.menu.open(TextPage("This level cannot be played", why))
        return True

    def run_row_action(self, action: str) -> None:
        """Do what a row asks for."""
        game = self.game
        if action == "quit":
            game.window_requests.append("quit")
        elif action in ("resume", "restart", "continue"):
            self.close()
            if action == "restart":
                game.restart()
            game.resume()
        elif action == "title":
            self.close()
            self.open_title()
        elif action == "picked" and self._levels is not None and self._levels.picked is not None:
            listed = self._levels.picked
            game.travel.begin(Exit((0.0, 0.0, 0.0), 0.0, str(listed.path), listed.path, listed.name, ""))
