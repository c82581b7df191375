"""Actions on recorded runs: watch, race, and files that are dropped on the window. Menus and window call them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ...core.user_folders import has_level_suffix
from ...level import Exit
from ...sim.trial import LevelEnd, level_end
from ..launch import other_programs
from ..launch.level_lookup import UserError, printable_name
from ..runs import progress
from ..runs.ghost import GhostReplay
from ..runs.library import run_library
from ..runs.library.replay_levels import StoredLevels
from ..runs.library.run_library import RunEntry
from ..runs.time_line import ReplayRequest
from ..settings.mode_names import LEAVING, PAUSED, PLAYING, REPLAY, TITLE
from .menu_stack import MenuPage, MenuRow, MenuStack
from .pages import LinkPage

if TYPE_CHECKING:
    from ..game import Game


class RunActions:
    """Actions on recorded runs. `update` is called once a frame. open_menu: the menu that is open, if any."""

    def __init__(self, host: Game, open_menu: Callable[[], MenuStack | None]) -> None:
        self.host = host
        self._open_menu = open_menu
        self._dropped: deque[RunEntry | Path | str] = deque()  # a run, a level or a sentence

    # Watching

    def watch(self, entry: RunEntry) -> None:
        """Watch a run, beside the best run of its level if that is another one."""
        best = progress.read_progress().records.get(entry.record_key, progress.LevelRecord()).best
        has_other = best is not None and best.run not in ("", entry.file)
        path = progress.runs_folder() / best.run if best is not None and has_other else None
        self.watch_file(entry.path, None if path is None else GhostReplay.read(self.host.jobs, path))

    def watch_result(self) -> None:
        """Watch the run of the result page, beside the ghost that walked with it."""
        trial = self.host.runs.time_trial
        if trial.result is not None:
            path = progress.runs_folder() / trial.result.file
            self.watch_file(path, trial.ghost if trial.ghost.track is not None else None)

    def watch_file(self, path: Path, ghost: GhostReplay | None) -> None:
        """Show a replay; the time line comes back to the present mode."""
        record = run_library.read_run(path)
        if record is None:
            self.host.feedback.show_message("This run cannot be shown", "its file cannot be read")
            return
        levels = StoredLevels(record, self.host.level)
        self.host.push_mode(REPLAY, ReplayRequest(record, levels.level, ghost))

    # Racing

    def choose_ghost(self, entry: RunEntry) -> None:
        """Let the ghost of a run walk beside the player in its level."""
        ghost = GhostReplay.read(self.host.jobs, entry.path, printable_name(entry.path.stem))
        self.host.runs.time_trial.choose_ghost(entry.record_key, ghost)
        self.host.feedback.show_message(f"Ghost: {ghost.name}", "It starts with your first step")

    def _level_to_race_in(self, entry: RunEntry) -> Path | None:
        """The level of a run; None where it is not here as it was recorded, or has no end."""
        level = self.host.level
        if entry.is_earlier_version:
            return None
        if entry.level_hash == progress.cached_level_hash(level):
            return level.path if level_end(level) != LevelEnd.NONE else None
        return progress.file_path(entry.level_file)

    def _race(self, entry: RunEntry, path: Path) -> None:
        """Start the level of a run, which is in the file `path`, with its ghost."""
        host = self.host
        world = None if host.session is None else host.session.world
        if world is not None and progress.record_key(host.level, world.start.name) == entry.record_key:
            host.resume()
            host.restart()
        else:
            host.push_mode(LEAVING, Exit((0.0, 0.0, 0.0), 0.0, str(path), path, entry.level, entry.spawn))
        self.choose_ghost(entry)  # after the restart, which removes messages

    def open_folder(self, menu: MenuStack, folder: Path) -> None:
        """Open a folder, or copy its path where there is no file manager."""
        if other_programs.open_folder(folder):
            menu.notice = f"Opened the folder {folder.name}"
            return
        self.host.screen.copy(str(folder))
        menu.notice = f"No file manager found. The path of the folder {folder.name} is copied."

    # Dropped files

    def drop_files(self, paths: list[str]) -> None:
        """Read a file that was dropped on the window. The file is neither copied nor changed."""
        if len(paths) > 1:
            self._dropped.append("Drop one file at a time.")
        elif paths:
            self.host.jobs.thread("dropped file", _read_dropped, Path(paths[0]), done=self._receive)

    def _receive(self, read: Future[RunEntry | Path | str]) -> None:
        if read.exception() is None:
            self._dropped.append(read.result())

    def update(self) -> None:
        """Ask what to do with a file that was dropped; not over a replay, and not before the first frame of play."""
        host = self.host
        menu = self._open_menu()
        is_free = host.mode in (PLAYING, PAUSED, TITLE) and host.session is not None
        is_asking = menu is not None and isinstance(menu.page, OfferPage)
        is_first_frame = host.mode == PLAYING and host.runs.time_trial.session is not host.session
        if is_free and not is_asking and not is_first_frame and self._dropped:
            self._offer(self._dropped.popleft())

    def _offer(self, dropped: RunEntry | Path | str) -> None:
        """Show the page that offers to watch and race a run, or to play a level."""
        actions: dict[str, Callable[[], None]] = {}
        if isinstance(dropped, RunEntry):
            actions["Watch"] = partial(self.watch, dropped)
            if (path := self._level_to_race_in(dropped)) is not None:
                actions["Race its ghost"] = partial(self._race, dropped, path)
            version = "an earlier version of " if dropped.is_earlier_version else ""
            sentence = f"This run is of {version}{printable_name(dropped.level)}."
        elif isinstance(dropped, Path):
            level_exit = Exit((0.0, 0.0, 0.0), 0.0, str(dropped), dropped, dropped.stem, "")
            actions["Play"] = partial(self.host.push_mode, LEAVING, level_exit)
            sentence = f"{printable_name(dropped.name)} is a level."
        else:
            sentence = dropped
        self.show_page(OfferPage(sentence, actions, self._close_offer))

    def show_page(self, page: MenuPage) -> None:
        """Show a page over the present mode."""
        menu = self._open_menu()
        if menu is not None:
            menu.open(page)
        else:
            self.host.push_mode(PAUSED, page)

    def _close_offer(self) -> None:
        """Close the offer: its page, or the menu that has no other one."""
        menu = self._open_menu()
        if menu is not None and menu.back():
            self.host.resume()


def _read_dropped(path: Path) -> RunEntry | Path | str:
    try:
        return path.absolute() if has_level_suffix(path) else run_library.named_run(path)
    except UserError as error:
        return str(error)


class OfferPage(LinkPage):
    """Sentence about a dropped file, with what can be done with it."""

    name = "offer"
    title = "File"
    width = 620.0
    back_label = ""

    def __init__(self, sentence: str, actions: Mapping[str, Callable[[], None]], close: Callable[[], None]) -> None:
        """actions: by the label of their row; close: closes this page, before an action."""
        close_row = MenuRow("", "Not now" if actions else "OK")
        super().__init__((*(MenuRow(label, label) for label in actions), close_row), {})
        self.text = sentence
        self._actions = actions
        self._close = close

    def activate(self, menu: MenuStack, row: MenuRow) -> str:
        if row.name not in self._actions:
            return menu.back()
        self._close()
        self._actions[row.name]()
        return ""
