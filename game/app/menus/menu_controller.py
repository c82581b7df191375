"""Menu controller: the open menu, what actions, pointer and wheel do in it, and its panel for the renderer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ...render import Panel, PanelRow
from ...text.key_symbols import key_symbol, split_symbols
from ..input.actions import GLOBAL_ACTIONS, Action, Context, MenuAction, PlayAction
from ..runs.library import daily_files
from ..settings.key_bindings import KeyBindings
from ..settings.mode_names import TITLE
from . import level_library
from .level_page import LevelListPage
from .menu_stack import HEADING_ROW, KEY_ROW, MenuPage, MenuStack
from .mouse_navigation import MouseNavigation, Pointed
from .pages import HelpPage, MoviePage, PageOpener, ResultPage
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
            "movie": self._movie_page,
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

    def _movie_page(self, menu: MenuStack) -> MenuPage:
        span = "run" if menu.page.name == ResultPage.name else "last"
        return MoviePage(self.host.runs.movies, self.run_actions.open_folder, span)

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


# ---- the panel

BINDINGS = KeyBindings()
PAD_LABELS = {BINDINGS.label(action): BINDINGS.label(action, pad=True) for action in MenuAction}  # by that of the key


def symbols_for_device(text: str, pad: bool) -> str:
    """The text with the symbols of the gamepad in place of those of the keys, where `pad` is in use."""
    if not pad:
        return text
    parts = split_symbols(text)
    return "".join(key_symbol(PAD_LABELS.get(part) or part) if is_symbol else part for is_symbol, part in parts)


def build_menu_panel(menu: MenuStack, scroll: float = 0.0, shown: float = 1.0, pad: bool = False) -> Panel:
    """The top page as a panel.

    scroll: units. shown: fraction of a title that has appeared, 0 to 1. pad: a gamepad is in use.
    """
    page = menu.page
    rows = []
    keys = []
    sentence = ""
    for index, row in enumerate(menu.rows):
        if row.kind == KEY_ROW:
            keys.append((row.label, row.value))
            continue
        chosen = index == menu.selected and row.kind != HEADING_ROW
        sentence = (menu.notice or row.sentence) if chosen else sentence
        rows.append(
            PanelRow(
                row.label, row.value, chosen, row.slider_fraction, row.kind, row.picture, row.note,
                row.enabled, row.is_warning or (chosen and bool(menu.notice)), row.medal,
            )
        )  # fmt: skip
    return Panel(
        page.title,
        tuple(rows),
        tuple(keys),
        page.text,
        symbols_for_device(page.footer, pad),
        page.width,
        page.layout,
        page.tabs,
        page.tab,
        sentence,
        page.shows_descriptions or bool(menu.notice),
        scroll,
        page.height,
        page.columns,
        page.back_label,
        page.corner,
        shown,
        page.run_summary,
        PAD_LABELS["Esc"] if pad else "Esc",
    )
