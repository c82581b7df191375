"""Menu controller: the open menu, and what actions, pointer and wheel do in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ..input.actions import GLOBAL_ACTIONS, Action, Context, MenuAction, PlayAction
from ..runs.library import daily_files
from ..settings.mode_names import TITLE
from . import level_library
from .level_page import LevelListPage
from .menu_stack import MenuPage, MenuStack
from .mouse_navigation import MouseNavigation, Pointed
from .movie_page import MoviePage
from .pages import HelpPage, PageOpener, ResultPage
from .run_actions import RunActions
from .settings_page import SettingsPage
from .thumbnail_worker import ThumbnailWorker

if TYPE_CHECKING:
    from ..game import Game
    from .level_library import LevelEntry

MENU_CONTEXTS: tuple[Context, ...] = (MenuAction, (PlayAction.MENU, PlayAction.RESTART), GLOBAL_ACTIONS)
SCROLL_NOTCHES: Mapping[Action, float] = {  # of the wheel
    MenuAction.UP: 1.0, MenuAction.DOWN: -1.0, MenuAction.PAGE_UP: 5.0, MenuAction.PAGE_DOWN: -5.0,
}  # fmt: skip


class MenuController:
    """Owns the open menu.

    menu          None while no menu is open
    run_actions   what is done with recorded runs: watch, race, files dropped on the window
    is_opening    whether the title menu opens as soon as there is a world
    is_pointer_hidden  whether the window holds the pointer: a page that has just opened must not follow it
    """

    def __init__(self, host: Game) -> None:
        self.host = host
        self.menu: MenuStack | None = None
        self.mouse_navigation = MouseNavigation()
        self.is_opening = self.is_pointer_hidden = False
        self.thumbnails = ThumbnailWorker(host.jobs)
        self._run_action: Callable[[str], None] = _ignore_action
        self._levels: LevelListPage | None = None
        self.run_actions = RunActions(host, lambda: self.menu)

    def open(self, page: MenuPage, run_action: Callable[[str], None]) -> None:
        """Open a menu with this first page. run_action: called with the action that a row asks for, or ""."""
        self.menu = MenuStack(page, self.host.settings, self.host.screen.quality)
        self._run_action = run_action

    def close(self) -> None:
        self.menu = None
        self._run_action = _ignore_action
        self._stop_unseen_thumbnails()

    def _stop_unseen_thumbnails(self) -> None:
        """Let no child process render thumbnails once the pages that show them are closed."""
        if self.menu is None or not any(page.shows_thumbnails for page in self.menu.pages):
            self.thumbnails.stop()

    @property
    def page_openers(self) -> dict[str, PageOpener]:
        """Pages that the rows of the pause and title menus open, by the row's name."""
        return {
            "levels": lambda menu: self._level_page(),
            "new level": lambda menu: self._new_level_page(),
            "runs": lambda menu: self._runs_page(),
            "settings": lambda menu: SettingsPage(),
            "movie": lambda menu: MoviePage(self.host.runs.movies, self.run_actions.open_folder),
            "help": lambda menu: HelpPage(self.host.input.held),
        }

    def _level_page(self) -> LevelListPage:
        self.thumbnails.invalidate()
        self.host.jobs.thread("daily", daily_files.make_today)
        host = self.host
        self._levels = LevelListPage(level_library.find_levels(), self.thumbnails, host.level, host.mode != TITLE)
        return self._levels

    def _new_level_page(self) -> MenuPage:
        from .new_level_page import NewLevelPage

        return NewLevelPage()

    def _runs_page(self) -> MenuPage:
        from .runs_page import RunsPage

        return RunsPage(self.run_actions)

    @property
    def picked_level(self) -> LevelEntry | None:
        """The level that was chosen from the list."""
        return None if self._levels is None else self._levels.picked

    @property
    def scroll(self) -> float:
        """Scroll position of the panel (units)."""
        return self.mouse_navigation.scroll

    # Input

    def capture_key(self, key: str) -> None:
        """A key went down while a row waits for one."""
        if self.menu is not None:
            self.menu.capture_key(key)
            self._apply_settings()

    def handle_action(self, action: Action) -> None:
        """An action begins while the menu is open."""
        menu = self.menu
        if menu is None:
            return
        before = self._selection(menu)
        self._do(action, menu)
        if action in (MenuAction.BACK, PlayAction.MENU):
            self.host.feedback.click("back")
        elif action in (MenuAction.CONFIRM, MenuAction.CHOOSE):
            self.host.feedback.click("choose")
        elif self._selection(menu) != before:
            self.host.feedback.click("move")

    @staticmethod
    def _selection(menu: MenuStack) -> tuple[object, ...]:
        """What a sound tells: the page and its tab, the selected row, and the settings."""
        return menu.page, menu.page.tab, menu.selected, menu.settings

    def _do(self, action: Action, menu: MenuStack) -> None:
        has_no_choice = menu.page.is_horizontal or sum(row.is_selectable for row in menu.rows) < 2
        turns_page = action in (MenuAction.PAGE_UP, MenuAction.PAGE_DOWN)
        if turns_page and menu.page.tabs:  # Tab is out of reach of a right hand
            menu.page.change_tab(menu, 1 if action is MenuAction.PAGE_DOWN else -1)
        elif turns_page or (action in SCROLL_NOTCHES and has_no_choice and self.mouse_navigation.can_scroll):
            self.scroll_by(action)
        elif action is PlayAction.RESTART:  # of the result page: Play again
            if menu.page.name == ResultPage.name:
                self._act("restart")
        elif action is MenuAction.HELP:
            self._toggle_help(menu)
        elif action is MenuAction.CLEAR:
            menu.clear_row()
            self._apply_settings()
        else:
            self._act(menu.navigate(MenuAction.BACK if action is PlayAction.MENU else action))

    def text_typed(self, text: str) -> None:
        """Characters were typed while the menu is open."""
        if self.menu is not None and self.menu.page.takes_text:
            self.menu.notice = ""
            self.menu.page.type_text(self.menu, text)

    def _toggle_help(self, menu: MenuStack) -> None:
        """Open the page of the keys over the present one, or close it."""
        if menu.page.name == HelpPage.name:
            self._act(menu.back())
        else:
            menu.open(self.page_openers["help"](menu))

    def scroll_by(self, action: Action) -> None:
        """Scroll the panel, where the action scrolls."""
        self.mouse_navigation.scroll_by_wheel(SCROLL_NOTCHES.get(action, 0.0))

    def move_pointer(self, x: float, y: float, pressed: bool, first: bool) -> None:
        """The pointer is at (x, y), pixels from the top left.

        pressed   with the button down, which drags a slider
        first     the button has just gone down, which activates the row
        """
        if self.is_pointer_hidden:
            return
        menu = self.menu
        at = self.mouse_navigation.move_pointer(self.menu, x, y, pressed, first)
        if menu is None:
            return
        before = self._selection(menu)
        self._point(menu, at, pressed, first)
        if self._selection(menu) != before or (first and at.row >= 0):
            self.host.feedback.click("back" if at.is_back else "choose" if first else "move")

    def _point(self, menu: MenuStack, at: Pointed, pressed: bool, first: bool) -> None:
        if at.tab >= 0:
            menu.page.change_tab(menu, at.tab - menu.page.tab)
        elif at.is_back:
            self.handle_action(MenuAction.BACK)
        if at.row < 0:
            return
        menu.select(at.row)
        if menu.selected != at.row:
            return
        selected = menu.selected_row
        if pressed and selected is not None and selected.slider_fraction is not None:
            menu.slide(at.fraction)
            self._apply_settings()
        elif first:
            self._act(menu.activate())

    def _apply_settings(self) -> None:
        if self.menu is not None:
            self.host.settings = self.menu.settings

    def _act(self, action: str) -> None:
        self._apply_settings()
        self._stop_unseen_thumbnails()
        self._run_action(action)


def _ignore_action(action: str) -> None:
    """Action of no menu."""
