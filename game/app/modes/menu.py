"""Menu modes: a stack of menu pages over play. `PauseMode` shows the pause menu or the result of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...level import Exit
from ..menus import menu_panel
from ..menus.menu_stack import MenuPage
from ..menus.movie_page import QuitMoviePage
from ..menus.pages import PausePage, ResultPage, TextPage
from ..runs.run_results import RunResult
from ..settings.mode_names import LEAVING, PAUSED, PHOTO, TITLE
from .mode import Mode

if TYPE_CHECKING:
    from ...render import Panel


class MenuMode(Mode):
    """Mode with an open menu. Subclasses choose the first page."""

    def open_page(self, page: MenuPage) -> None:
        """Open the menu with this page; its rows act through `run_action`."""
        self.context.menus.open(page, self.run_action)

    def leave(self) -> None:
        self.context.menus.close()

    def key_pressed(self, key: str) -> None:
        self.context.menus.key_pressed(key)

    @property
    def reveal(self) -> float:
        """Fraction of the menu that has appeared, 0 to 1."""
        return 1.0

    def panel(self) -> Panel | None:
        menus = self.context.menus
        return None if menus.menu is None else menu_panel.build_menu_panel(menus.menu, menus.scroll, self.reveal)

    def show_load_error(self, reason: str) -> None:
        """Show that the level that was chosen cannot be played."""
        if self.context.menu is not None:
            self.context.menu.open(TextPage("This level cannot be played", reason))

    def run_action(self, action: str) -> None:
        """Do what a menu row asks for."""
        context = self.context
        if action == "quit" and context.movies.is_busy and context.menu is not None:
            context.menu.open(QuitMoviePage())
        elif action in ("quit", "quit_without_movie"):
            context.window_requests.append("quit")
        elif action in ("resume", "restart", "continue"):
            context.resume()
            if action == "restart":
                context.restart()
        elif action in ("make_movie", "cancel_movie"):
            context.resume()
            if action == "make_movie":
                context.movies.start(context.time_trial, context.level.path.stem, context.settings, context.feedback)
            else:
                context.movies.cancel()
        elif action == "photo":
            context.resume()
            context.push_mode(PHOTO)
        elif action == "watch":
            context.run_actions.watch_finished_run()
        elif action == "title":
            context.pop_mode()
            context.push_mode(TITLE)
        elif action == "picked" and (entry := context.menus.picked_level) is not None:
            context.push_mode(LEAVING, Exit((0.0, 0.0, 0.0), 0.0, str(entry.path), entry.path, entry.name, ""))


class PauseMode(MenuMode):
    """Pause menu; with a `RunResult` as its subject the result page, with a page that page, with the name of a page the
    pause menu and this page over it."""

    name = PAUSED

    def enter(self, subject: Any = None) -> None:
        self.context.stop_input()
        pages = self.context.menus.page_openers
        if isinstance(subject, MenuPage):
            self.open_page(subject)
        elif isinstance(subject, RunResult):
            self.context.feedback.message = None
            self.open_page(ResultPage(subject, pages))
        else:
            self.open_page(PausePage(pages))
            if subject in pages and self.context.menu is not None:
                self.context.menu.open(pages[subject](self.context.menu))
