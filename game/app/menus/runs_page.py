"""Runs page: every kept run in groups by level, with picture, time, date and state; and the page of one run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from ...core.background import run_in_thread
from ...core.time_format import format_result
from ...text.graphemes import clean_text, split_clusters
from ...text.key_symbols import key_symbol, key_symbols
from ..launch import file_manager
from ..runs import progress, run_verifier
from ..runs.library import run_import, run_library
from ..runs.library.run_library import RunEntry, RunOrigin, RunStatus
from ..runs.recording import display_path
from . import thumbnails
from .menu_stack import MenuPage, MenuStack
from .rows import HEADING_ROW, LEVEL_ROW, MenuRow
from .thumbnails import ThumbnailWorker

if TYPE_CHECKING:
    from .run_actions import RunActions

COLUMN_COUNT = 4
STATUS_TEXTS = {
    RunStatus.PENDING: "Not verified yet",
    RunStatus.VERIFIED: "Verified",
    RunStatus.PRACTICE: "Practice run",
    RunStatus.UNVERIFIED: "Unverified",
}
EARLIER_TEXT = "Earlier version of this level"
FOLDER_ROW = "folder"
UNDO_ROW = "undo"
NO_RUNS_ROW = "none"
FOLDER_SENTENCE = "A run that you put into this folder, or drop on the window, appears here."


def status_text(entry: RunEntry) -> str:
    """State of a run in a few words."""
    if entry.is_earlier_version:
        return EARLIER_TEXT
    return STATUS_TEXTS[RunStatus(entry.status)]


def date_text(entry: RunEntry) -> str:
    """Date and time of a run in the local time zone."""
    try:
        return datetime.fromisoformat(entry.when).astimezone().strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError, OSError):
        return ""


def run_label(entry: RunEntry, best: set[str]) -> str:
    """Name of a run: the player's or the friend's, else what it is."""
    return entry.name or ("Best run" if entry.file in best else "Run")


def sort_key(entry: RunEntry, best: set[str]) -> tuple[bool, bool, int, float, bool]:
    """Order in a group: by strokes and time; practice runs and those of earlier versions last, the best run first of
    equals."""
    return (
        entry.is_earlier_version,
        entry.status == RunStatus.PRACTICE,
        entry.strokes or 0,
        entry.seconds,
        (entry.file not in best),
    )


class RunsPage(MenuPage):
    """Page of all runs, or of those of one level. The index is brought up to date in a thread when it opens."""

    name = "runs"
    footer = f"{key_symbols('Enter or Left mouse')} for more"
    layout = "grid"
    columns = COLUMN_COUNT
    shows_descriptions = True
    shows_thumbnails = True

    def __init__(self, actions: RunActions, worker: ThumbnailWorker, level: Path | None = None) -> None:
        """level: the only one that is listed."""
        self._actions = actions
        self._worker = worker
        self._key = "" if level is None else progress.file_key(level)
        self.title = "Runs"
        self._deleted: RunEntry | None = None
        self._unreadable = ""  # sentence about files in the folder that hold no run
        self._built_from: tuple[run_library.Library, RunEntry | None, str] | None = None
        self._rows: tuple[MenuRow, ...] = ()
        run_in_thread("runs", self._scan)

    def _scan(self) -> None:
        self._unreadable = unreadable_note(run_library.scan_folder(run_verifier.read_run))

    def rows(self, menu: MenuStack) -> tuple[MenuRow, ...]:
        source = run_library.read_library(), self._deleted, self._unreadable
        if self._built_from is None or any(a is not b for a, b in zip(source, self._built_from, strict=True)):
            before, self._rows, self._built_from = self._rows, self._build_rows(source[0]), source
            if menu.page is self and menu.selected < len(before):
                self._keep_selection(menu, before[menu.selected].name, self._rows)
        return self._rows

    @staticmethod
    def _keep_selection(menu: MenuStack, name: str, rows: tuple[MenuRow, ...]) -> None:
        """Select the row of a name among changed rows; the first selectable one where it is gone."""
        numbers = [number for number, row in enumerate(rows) if row.is_selectable]
        menu.selected = next((number for number in numbers if rows[number].name == name), numbers[0])

    def _build_rows(self, library: run_library.Library) -> tuple[MenuRow, ...]:
        rows: list[MenuRow] = []
        if self._deleted is not None:
            label = f"Undo: delete {format_result(self._deleted.seconds, self._deleted.strokes)}"
            rows.append(MenuRow(UNDO_ROW, label, LEVEL_ROW, sentence="Brings the deleted run back."))
        best = run_library.best_files()
        groups: dict[str, list[RunEntry]] = {}
        for entry in library.values():
            if self._key in ("", entry.level_file):
                groups.setdefault(entry.level_file, []).append(entry)
        played = progress.file_key(self._actions.host.level.path)
        newest = sorted(
            groups.values(),
            key=lambda group: (group[0].level_file == played, max(entry.when for entry in group)),
            reverse=True,
        )
        for group in newest:
            rows.append(MenuRow(f"group {group[0].level_file}", group[0].level, HEADING_ROW))
            picture = self._picture(group[0].level_file)
            group.sort(key=lambda entry: sort_key(entry, best))
            rows += [self._run_row(entry, best, picture, place) for place, entry in enumerate(group, 1)]
        if not newest:
            sentence = "A run appears here when you finish a level."
            rows.append(MenuRow(NO_RUNS_ROW, "No runs yet", LEVEL_ROW, note="Finish a level", sentence=sentence))
        rows.append(MenuRow("group folder", "Folder", HEADING_ROW))
        where = display_path(progress.runs_folder())
        sentence = f"{FOLDER_SENTENCE} {self._unreadable}".rstrip()
        note = "Files that are no runs" if self._unreadable else where
        rows.append(MenuRow(FOLDER_ROW, "Open the folder", LEVEL_ROW, note=note, sentence=sentence))
        return tuple(rows)

    def _run_row(self, entry: RunEntry, best: set[str], picture: str, place: int) -> MenuRow:
        """place: in the table of its level; runs that do not count have none."""
        note = "   ·   ".join(filter(None, (status_text(entry), date_text(entry))))
        counts = not entry.is_earlier_version and entry.status != RunStatus.PRACTICE
        label = f"{place}.  {run_label(entry, best)}" if counts else run_label(entry, best)
        result = format_result(entry.seconds, entry.strokes)
        return MenuRow(entry.file, label, LEVEL_ROW, result, None, describe_run(entry), picture, note)

    def _picture(self, key: str) -> str:
        """Thumbnail of a level; empty where there is none."""
        path = progress.file_path(key)
        if path is None:
            return ""
        if key.startswith("shipped/"):
            return thumbnails.shipped_thumbnail(path)
        self._worker.request([path])
        thumbnail = self._worker.thumbnail_of(path)
        return "" if thumbnail is None else thumbnail.picture

    def activate(self, menu: MenuStack, row: MenuRow) -> str:
        if row.name == FOLDER_ROW:
            open_runs_folder(menu, self._actions)
        elif row.name == UNDO_ROW and self._deleted is not None:
            menu.notice = run_library.restore_run(self._deleted)
            self._deleted = None
            menu.select_first()
        elif (entry := run_library.read_library().get(row.name)) is not None:
            menu.open(RunPage(self._actions, entry.file, self.take_deleted))
        return ""

    def clear_row(self, menu: MenuStack, row: MenuRow) -> None:
        """Delete a run (Delete, Backspace): asks first."""
        if row.name in run_library.read_library():
            menu.open(DeletePage(row.name, self.take_deleted))

    def take_deleted(self, entry: RunEntry) -> None:
        """A run of this page was deleted; it can be brought back."""
        self._deleted = entry


def unreadable_note(files: Sequence[Path]) -> str:
    """Says that files in the runs folder hold no run, and why the first does not; empty without any."""
    if not files:
        return ""
    reason = run_import.import_file(files[0], None).sentence
    return reason if len(files) == 1 else f"{len(files)} files here are no runs. {reason}"


def describe_run(entry: RunEntry) -> str:
    """A sentence about a run: whose it is, and why it is in its state."""
    parts = ["A friend's run" if entry.origin == RunOrigin.FRIEND else "Your run"]
    if entry.is_earlier_version:
        parts.append("it is shown in the level as it was then")
    elif entry.status == RunStatus.PRACTICE:
        parts.append(f"practice: {entry.reason}")
    elif entry.status == RunStatus.UNVERIFIED:
        parts.append(f"unverified: {entry.reason}; its ghost follows the recorded positions")
    elif entry.status == RunStatus.PENDING:
        parts.append("it is verified when its level is played")
    return f"{' · '.join(parts)}   ·   {entry.file}"


def open_runs_folder(menu: MenuStack, actions: RunActions) -> None:
    """Open the runs folder, or copy its path where there is no file manager."""
    folder = progress.runs_folder()
    if file_manager.open_folder(folder):
        menu.notice = f"Opened {display_path(folder)}"
        return
    actions.host.screen.copy(str(folder))
    menu.notice = f"No file manager found. The path is copied: {folder}"


class RunPage(MenuPage):
    name = "run"
    width = 560.0
    shows_descriptions = True

    def __init__(self, actions: RunActions, file: str, on_deleted: Callable[[RunEntry], None]) -> None:
        self._actions = actions
        self._file = file
        self._on_deleted = on_deleted

    @property
    def entry(self) -> RunEntry | None:
        """The run; None where it is gone."""
        return run_library.read_library().get(self._file)

    @property
    def title(self) -> str:  # type: ignore[override]
        """Name and time of the run."""
        entry = self.entry
        if entry is None:
            return "Run"
        return f"{run_label(entry, run_library.best_files())}   {format_result(entry.seconds, entry.strokes)}"

    @property
    def text(self) -> str:  # type: ignore[override]
        """Level, state and date."""
        entry = self.entry
        if entry is None:
            return "This run is gone."
        return "   ·   ".join(filter(None, (entry.level, status_text(entry), date_text(entry))))

    def rows(self, menu: MenuStack) -> tuple[MenuRow, ...]:
        entry = self.entry
        if entry is None:
            return (MenuRow("back", "Back"),)
        can_race = not entry.is_earlier_version and progress.file_path(entry.level_file) is not None
        why = "Its ghost walks beside you from your first step."
        if not can_race:
            why = f"{EARLIER_TEXT}." if entry.is_earlier_version else "Its level is not on this machine."
        return (
            MenuRow("watch", "Watch", sentence=describe_run(entry)),
            MenuRow("race", "Race its ghost", sentence=why, enabled=can_race),
            MenuRow("rename", "Rename", sentence="A run with a name is never deleted by the game."),
            MenuRow("delete", "Delete", sentence="Asks first, and can be undone."),
            MenuRow("folder", "Open the folder", sentence=display_path(progress.runs_folder())),
        )

    def activate(self, menu: MenuStack, row: MenuRow) -> str:
        entry = self.entry
        if row.name == "back" or entry is None:
            return menu.back()
        if row.name == "watch":
            self._actions.watch(entry)
        elif row.name == "race":
            menu.notice = self._actions.race(entry)
        elif row.name == "rename":
            menu.open(RenamePage(entry))
        elif row.name == "delete":
            menu.open(DeletePage(entry.file, self._on_deleted))
        elif row.name == "folder":
            open_runs_folder(menu, self._actions)
        return ""


class RenamePage(MenuPage):
    name = "rename"
    title = "Rename the run"
    footer = f"{key_symbol('Enter')} keep   ·   {key_symbol('Esc')} cancel"
    width = 560.0
    takes_text = True

    def __init__(self, entry: RunEntry) -> None:
        self._file = entry.file
        self.typed = entry.name

    @property
    def text(self) -> str:  # type: ignore[override]
        """The name so far, with a cursor."""
        return f"{self.typed}_"

    def rows(self, menu: MenuStack) -> tuple[MenuRow, ...]:
        return (MenuRow("keep", "Keep this name"),)

    def type_text(self, menu: MenuStack, text: str) -> None:
        self.typed = clean_text((self.typed + text).lstrip(), run_library.MAX_NAME_LENGTH)

    def clear_row(self, menu: MenuStack, row: MenuRow) -> None:
        """Remove the last character, with its accents."""
        self.typed = "".join(split_clusters(self.typed)[:-1])

    def activate(self, menu: MenuStack, row: MenuRow) -> str:
        problem = run_library.change_entry(self._file, name=run_library.clean_name(self.typed))
        action = menu.back()
        menu.notice = problem
        return action


class DeletePage(MenuPage):
    """Question before a run is deleted."""

    name = "delete"
    title = "Delete this run?"
    width = 560.0
    back_label = ""

    def __init__(self, file: str, on_deleted: Callable[[RunEntry], None]) -> None:
        self._file = file
        self._on_deleted = on_deleted
        folder = display_path(progress.runs_folder() / run_library.DELETED_FOLDER)
        self.text = f"Its file goes to {folder}, and you can undo this in the list. A best time stays."

    def rows(self, menu: MenuStack) -> tuple[MenuRow, ...]:
        return (MenuRow("keep", "Keep"), MenuRow("delete", "Delete"))

    def activate(self, menu: MenuStack, row: MenuRow) -> str:
        entry = run_library.read_library().get(self._file)
        menu.back()
        if row.name == "delete" and entry is not None:
            problem = run_library.delete_run(entry.file)
            if problem:
                menu.notice = problem
                return ""
            self._on_deleted(entry)
            if isinstance(menu.page, RunPage):
                menu.back()
            menu.select_first()
        return ""
