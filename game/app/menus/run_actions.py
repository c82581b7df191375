"""Actions on recorded runs: watch, race, take files that are dropped on the window. Menus and window call them."""

from __future__ import annotations

import queue
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ...core.background import run_in_thread
from ...level import Exit
from ..runs import progress, run_verifier
from ..runs.ghost import RIVAL_COLOUR, GhostReplay, Rival
from ..runs.library import run_library
from ..runs.library.replay_levels import StoredLevels
from ..runs.library.replay_player import ReplayRequest
from ..runs.library.run_import import ImportKind, ImportResult, describe_import, import_file
from ..runs.library.run_library import RunEntry, RunStatus
from ..settings.mode_names import LEAVING, PAUSED, PLAYING, REPLAYING, TITLE
from .menu_stack import MenuPage, MenuStack
from .pages import LinkPage
from .rows import MenuRow

if TYPE_CHECKING:
    from ...sim import Replay
    from ..runs.played_game import PlayedGame

MAX_DROPPED_FILES = 20
UNREADABLE_TEXT = ("This run cannot be shown", "its file cannot be read")


class RunActions:
    """Actions on recorded runs. `update` is called once a frame. open_menu: the menu that is open, if any."""

    def __init__(self, host: PlayedGame, open_menu: Callable[[], MenuStack | None]) -> None:
        self.host = host
        self._open_menu = open_menu
        self._results: queue.SimpleQueue[ImportResult] = queue.SimpleQueue()
        self._pending: list[ImportResult] = []

    # Watching

    def watch(self, entry: RunEntry, with_ghost: bool = True) -> None:
        """Watch a run of the library, beside the best run of its level if that is another one."""
        record = run_verifier.read_run(entry.path)
        if record is None:
            self.host.feedback.show_message(*UNREADABLE_TEXT)
            return
        self.watch_replay(record, self.ghosts_beside(entry) if with_ghost else [])

    def watch_result(self) -> None:
        """Watch the run of the result page, beside the rival and the best run."""
        trial = self.host.runs.time_trial
        record = trial.finished_replay()
        if record is None:
            self.host.feedback.show_message(*UNREADABLE_TEXT)
            return
        best = trial.ghost
        ghosts = [("Best run", GhostReplay(track=best.track))] if best.track is not None else []
        if trial.present_rival is not None:
            ghosts.insert(0, (trial.present_rival.name, trial.present_rival.ghost))
        self.watch_replay(record, ghosts, trial.finished_data)

    def watch_replay(self, record: Replay, ghosts: list[tuple[str, GhostReplay]], data: bytes | None = None) -> None:
        """Open the replay mode; it comes back to the present mode. data: the file's bytes where it is not on disk."""
        levels = StoredLevels(record, self.host.level)
        self.host.push_mode(REPLAYING, ReplayRequest(record, levels.level, ghosts, data=data))

    def ghosts_beside(self, entry: RunEntry) -> list[tuple[str, GhostReplay]]:
        """Runs to be shown beside one: the chosen rival and the best run, of the same level and spawn."""
        ghosts = []
        rival = self.host.runs.time_trial.rival
        key = (entry.level_hash, entry.spawn)
        if rival is not None and (rival.level_hash, rival.spawn) == key and rival.file != entry.file:
            ghosts.append((rival.name, rival.ghost))
        record = progress.read_progress().records.get(f"{entry.level_hash}:{entry.spawn}")
        if record is not None and record.best is not None and record.best.run not in ("", entry.file):
            ghosts.append(("Best run", GhostReplay(progress.runs_folder() / record.best.run)))
        return ghosts

    # Racing

    def choose_rival(self, entry: RunEntry) -> None:
        """Let the ghost of a run walk beside the player in its level."""
        name = entry.name or ("Best run" if entry.file in run_library.best_files() else "Earlier run")
        if entry.status == RunStatus.UNVERIFIED:
            name += " (unverified)"
        ghost = GhostReplay(entry.path, colour=RIVAL_COLOUR)
        self.host.runs.time_trial.rival = Rival(entry.file, name, entry.level_hash, entry.spawn, ghost)

    def race(self, entry: RunEntry) -> str:
        """Start the level of a run with its ghost; a sentence where the level is not there."""
        host = self.host
        self.choose_rival(entry)
        session = host.session
        world = None if session is None else session.world
        if (
            world is not None
            and progress.cached_level_hash(host.level) == entry.level_hash
            and world.start.name == entry.spawn
        ):
            host.resume()
            host.restart()
            return ""
        path = progress.file_path(entry.level_file)
        if path is None:
            return f"The level {entry.level} is not on this machine."
        host.push_mode(LEAVING, Exit((0.0, 0.0, 0.0), 0.0, str(path), path, entry.level, entry.spawn))
        return ""

    # Dropped files

    def drop_files(self, paths: list[str]) -> None:
        """Import files that were dropped on the window, in a thread."""
        level = self.host.level
        files = [Path(path) for path in paths]

        def run() -> None:
            for path in files[:MAX_DROPPED_FILES]:
                self._results.put(import_file(path, level))
            if len(files) > MAX_DROPPED_FILES:
                sentence = f"Only the first {MAX_DROPPED_FILES} of {len(files)} files were read."
                self._results.put(ImportResult(ImportKind.SENTENCE, sentence))

        run_in_thread("import", run)

    def import_run(self, entry: RunEntry) -> None:
        """Show the ghost of a run of the level that is about to be played, as if its file had been dropped."""
        self._results.put(describe_import(entry, self.host.level))

    def update(self) -> None:
        """Show the results of imports: one after the other, and none over a replay."""
        while not self._results.empty():
            self._pending.append(self._results.get())
        menu = self._open_menu()
        is_free = self.host.mode in (PLAYING, PAUSED, TITLE) and self.host.session is not None
        if not self._pending or not is_free or (menu is not None and isinstance(menu.page, OfferPage)):
            return
        if self.host.mode == PLAYING and self.host.runs.time_trial.session is not self.host.session:
            return  # the first frame of play
        self._take(self._pending.pop(0))

    def _take(self, result: ImportResult) -> None:
        """Show one result: a ghost, an offer or a sentence."""
        host = self.host
        entry = result.entry
        path = result.level_path
        if result.kind == ImportKind.SAME_LEVEL and entry is not None and self._take_run(entry):
            return
        if entry is not None:
            self.show_page(self._run_offer(result, entry))
        elif path is not None:
            level_exit = Exit((0.0, 0.0, 0.0), 0.0, str(path), path, path.stem, "")

            def play() -> None:
                self._close_offer()
                host.push_mode(LEAVING, level_exit)

            self.show_page(OfferPage(result.sentence, (MenuRow("play", "Play"),), {"play": play}))
        else:
            self.show_page(OfferPage(result.sentence, (), {}))

    def _run_offer(self, result: ImportResult, entry: RunEntry) -> OfferPage:
        """The page that offers to watch a run, and to race it where its level is here."""

        def watch() -> None:
            self._close_offer()
            self.watch(entry)

        def race() -> None:
            self._close_offer()
            problem = self.race(entry)
            if problem:
                self.host.feedback.show_message("Race its ghost", problem)

        rows = [MenuRow("watch", "Watch")]
        actions = {"watch": watch}
        has_end = result.kind == ImportKind.OTHER_LEVEL or self.host.runs.time_trial.run is not None
        is_here = progress.file_path(entry.level_file) is not None
        if result.kind != ImportKind.EARLIER_VERSION and has_end and is_here:
            rows.append(MenuRow("race", "Race its ghost"))
            actions["race"] = race
        sentence = result.sentence
        if result.kind == ImportKind.SAME_LEVEL:
            sentence = f"This run is of {entry.level}. Watch it?"
        return OfferPage(sentence, tuple(rows), actions)

    def _take_run(self, entry: RunEntry) -> bool:
        """Verify a run of the level that is played, or show its ghost at once where that is done. False where it
        started elsewhere, or nothing is played."""
        host = self.host
        trial = self.host.runs.time_trial
        session = trial.session
        verifier = trial.run_verifier
        if session is None or verifier is None or trial.run is None or host.mode == TITLE:
            return False
        if session.world.start.name != entry.spawn:
            return False
        if entry.status == RunStatus.PENDING:
            host.feedback.show_message(f"Run of {entry.name}", "Verifying...")
            verifier.submit(entry.file)
        else:
            self.choose_rival(entry)
            host.feedback.show_message(f"Ghost: {entry.name or 'your run'}", "It starts with your first step")
        return True

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


class OfferPage(LinkPage):
    """Sentence about a dropped file, with what can be done with it."""

    name = "offer"
    title = "File"
    width = 620.0
    back_label = ""

    def __init__(self, sentence: str, rows: tuple[MenuRow, ...], actions: Mapping[str, Callable[[], None]]) -> None:
        super().__init__((*rows, MenuRow("close", "Not now" if rows else "OK")), {})
        self.text = sentence
        self._actions = actions

    def activate(self, menu: MenuStack, row: MenuRow) -> str:
        if row.name in self._actions:
            self._actions[row.name]()
            return ""
        return menu.back()
