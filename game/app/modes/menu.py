"""Menu modes: a stack of menu pages over play. `PauseMode` shows the pause menu or the result of a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...core.errors import error_reason
from ...level import Exit
from ..guidance.aim import describe_aim
from ..input.actions import TEXT_PAGE_ACTIONS, Action, Context
from ..launch import level_lookup
from ..menus import level_library
from ..menus.menu_controller import MENU_CONTEXTS, build_menu_panel
from ..menus.menu_stack import MenuPage, MenuRow
from ..menus.pages import ConfirmPage, PausePage, ResultPage, TextPage
from ..runs.run_results import RunResult
from ..settings.mode_names import EDITING, ENDING, LEAVING, PAUSED, PHOTO, TITLE
from .mode import Mode

if TYPE_CHECKING:
    from pathlib import Path

    from ...render import Panel, Snapshot
    from ..cameras.camera import CameraFrame


MOVIE_TEXT = "The movie that is being made is not kept."
LEAVING_ACTIONS = ("quit", "picked", "create", "ending", "next")  # of menu rows, with which a level is left


@dataclass(frozen=True, slots=True)
class ExitToMode:
    """Way into a level that opens in a mode. is_copy: it is a copy of the level that is played: at the same place."""

    exit: Exit
    mode: str
    is_copy: bool = False


def _way_to(path: Path, name: str, spawn: str = "") -> Exit:
    """Way into the level of a file from anywhere."""
    return Exit((0.0, 0.0, 0.0), 0.0, str(path), path, name, spawn)


class MenuMode(Mode):
    """Mode with an open menu. Subclasses choose the first page."""

    def open_page(self, page: MenuPage) -> None:
        """Open the menu with this page; its rows act through `run_action`."""
        self.game.menus.open(page, self.run_action)

    def leave(self) -> None:
        self.game.menus.close()

    @property
    def contexts(self) -> tuple[Context, ...]:  # type: ignore[override]
        return (TEXT_PAGE_ACTIONS,) if self.takes_text else MENU_CONTEXTS

    @property
    def takes_text(self) -> bool:
        return self.game.menu is not None and self.game.menu.page.takes_text

    def handle_action(self, action: Action) -> None:
        self.game.menus.handle_action(action)

    @property
    def reveal(self) -> float:
        """Fraction of the menu that has appeared, 0 to 1."""
        return 1.0

    def panel(self) -> Panel | None:
        menus = self.game.menus
        if menus.menu is None:
            return None
        pad = self.game.input.held.uses_gamepad
        return build_menu_panel(menus.menu, menus.scroll, self.reveal, pad)

    def show_load_error(self, reason: str) -> None:
        """Show that the level that was chosen cannot be played."""
        if self.game.menu is not None:
            self.game.menu.open(TextPage("This level cannot be played", reason))

    def ask_before(self, action: str) -> bool:
        """Ask before an action with which something is lost: the place in the level, where it cannot be saved, or a
        movie. False where nothing is to be asked, or it was asked."""
        game = self.game
        menu = game.menu
        if action not in LEAVING_ACTIONS or menu is None or isinstance(menu.page, ConfirmPage):
            return False
        quits = action == "quit"
        problem = game.save_session() if game.runs.time_trial.is_run_in_progress else ""
        sentences = [f"Your place in {game.level.name} is lost: it cannot be saved ({problem})."] if problem else []
        if quits and game.runs.movies.is_busy:
            sentences.append(MOVIE_TEXT)
        if sentences:
            title, label = ("Quit?", "Quit") if quits else (f"Leave {game.level.name}?", "Leave")
            menu.open(ConfirmPage(action, title, "\n".join(sentences), label))
        return bool(sentences)

    def run_action(self, action: str) -> None:
        """Do what a menu row asks for."""
        game = self.game
        if action == "ending" and game.level.path == level_library.HALL_FILE:
            game.push_mode(ENDING)
            return
        if self.ask_before(action):
            return
        if action == "quit":
            game.screen.requests.append("quit")
        elif action in ("resume", "restart", "continue", "checkpoint"):
            game.resume()
            if action == "restart":
                game.restart()
            elif action == "checkpoint":
                game.return_to_checkpoint()
        elif action in ("make_movie", "cancel_movie"):
            movies, trial = game.runs.movies, game.runs.time_trial
            result = None if game.menu is None else game.menu.page_below
            if isinstance(result, ResultPage) and game.menu is not None:
                game.menu.back()  # the result page shows the progress of its movie
            else:
                game.resume()
            if action == "cancel_movie":
                movies.cancel()
                return
            movies.start(trial.history, trial.first, game.level.path.stem, game.settings)
            if isinstance(result, ResultPage):
                result.movie = movies.job
        elif action == "photo":
            game.resume()
            game.push_mode(PHOTO)
        elif action == "watch":
            game.menus.run_actions.watch_result()
        elif action == "title":
            game.pop_mode()
            game.save_session()  # the title shows the world in other states
            game.push_mode(TITLE)
        elif action == "reset hints":
            game.guide.hints.memory.forget()
        elif action == "next" and (way := level_library.next_level(game.level)) is not None:
            game.push_mode(LEAVING, way)
        elif action == "create":
            self._create_level()
        elif action == "copy":
            self._edit_copy()
        elif action == "picked" and (entry := game.menus.picked_level) is not None:
            game.push_mode(LEAVING, _way_to(entry.path, entry.name))
        elif action == "ending":
            game.push_mode(LEAVING, ExitToMode(_way_to(level_library.HALL_FILE, "The courtyard"), ENDING))

    def _edit_copy(self) -> None:
        """Leave for the player's copy of the shipped level, in the editor."""
        from ..menus.new_level_page import copy_level

        game = self.game
        try:
            path = copy_level(game.level.path)
        except OSError as error:
            assert game.menu is not None
            game.menu.notice = f"The copy cannot be written: {error_reason(error)}"
            return
        way = _way_to(path, path.stem, game.world.start.name)
        game.push_mode(LEAVING, ExitToMode(way, EDITING, is_copy=True))

    def _create_level(self) -> None:
        """Write the level of the page "New level", which may be below a question, and leave for it."""
        from ..menus.new_level_page import NewLevelPage

        game = self.game
        menu = game.menu
        assert menu is not None
        if isinstance(menu.page, ConfirmPage):
            menu.back()
        page = menu.page
        path = page.create(menu) if isinstance(page, NewLevelPage) else None
        if path is not None:
            game.push_mode(LEAVING, ExitToMode(_way_to(path, path.stem), EDITING))


class PauseMode(MenuMode):
    """Pause menu; with a `RunResult` as its subject the result page, with a page that page, with the name of a page the
    pause menu and this page over it. Another text is the reason why the game paused by itself."""

    name = PAUSED

    def enter(self, subject: Any = None) -> None:
        self.game.stop_input()
        pages = self.game.menus.page_openers
        if isinstance(subject, MenuPage):
            self.open_page(subject)
        elif isinstance(subject, RunResult):
            self.game.feedback.message = None
            way = level_library.next_level(self.game.level)
            is_last = subject.summary().is_new_medal and level_library.has_ending()
            self.open_page(ResultPage(subject, pages, way, is_last))
        else:
            reason = "" if subject is None or subject in pages else str(subject)
            self.open_page(PausePage(pages, self._text(reason), self._checkpoint_row()))
            if subject in pages and self.game.menu is not None:
                self.game.menu.open(pages[subject](self.game.menu))

    def apply_to_frame(self, shot: Snapshot, frame: CameraFrame) -> Snapshot:
        """The world as play shows it; the result page shows the player's figure."""
        menu = self.game.menu
        self.game.cameras.hero_camera.holds = menu is not None and isinstance(menu.pages[0], ResultPage)
        return super().apply_to_frame(shot, frame)

    def leave(self) -> None:
        super().leave()
        self.game.cameras.hero_camera.holds = False

    def _text(self, reason: str) -> str:
        """The reason of a pause without a key, the level's name and aim, and what is missing of it."""
        level = self.game.level
        missing = level_lookup.missing_parts_message(level)
        aim = describe_aim(level, self.game.world)
        lines = (reason, level.name, aim, "" if missing is None else f"{missing[0]}. {missing[1]}")
        return "\n".join(filter(None, lines))

    def _checkpoint_row(self) -> MenuRow:
        """The way back to the checkpoint or the last safe place; greyed with the reason where there is none."""
        world = self.game.world
        if not world.can_return:
            return MenuRow("checkpoint", "Back to checkpoint", value="None reached yet", enabled=False)
        cost = "The clock goes on" if self.game.runs.time_trial.is_run_in_progress else ""
        return MenuRow("checkpoint", "Back to checkpoint", value=cost)
