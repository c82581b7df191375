"""Runs page: every kept run in groups by level, with time, date and whether it counts; and the page of one run."""

from __future__ import annotations

import contextlib
from datetime import datetime
from typing import TYPE_CHECKING

from ...core.time_format import format_result
from ...text.key_symbols import key_symbols
from ..runs import progress
from ..runs.library import run_library
from ..runs.library.run_library import RunEntry
from ..runs.recording import display_path
from .menu_stack import HEADING_ROW, MenuPage, MenuRow, MenuStack
from .pages import FOLDER_ROW

if TYPE_CHECKING:
    from .run_actions import RunActions


def describe_run(entry: RunEntry) -> tuple[str, str, str]:
    """What a run is; why it does not count, empty where it does; and its date."""
    name = "Best run" if entry.file in run_library.best_files() else "Run"
    state = f"No time, no medal: {entry.reason}" if entry.reason else ""
    state = "Earlier version of this level" if entry.is_earlier_version else state
    date = ""
    with contextlib.suppress(ValueError, OverflowError, OSError):
        date = datetime.fromisoformat(entry.when).astimezone().strftime("%Y-%m-%d %H:%M")
    return name, state, date


def join_parts(*parts: str) -> str:
    """The parts that are not empty, with a dot between them."""
    return "   ·   ".join(filter(None, parts))


class RunsPage(MenuPage):
    """Page of all runs. The index is brought up to date in a thread when it opens."""

    name = "runs"
    title = "Runs"
    footer = f"{key_symbols('Enter or Left mouse')} for more   ·   {key_symbols('Delete')} delete"
    width = 860.0
    shows_descriptions = True

    def __init__(self, actions: RunActions) -> None:
        self._actions = actions
        self._built_from: run_library.Library | None = None
        self._rows: tuple[MenuRow, ...] = ()
        actions.host.jobs.thread("runs", run_library.scan_folder)

    def rows(self, menu: MenuStack) -> tuple[MenuRow, ...]:
        library = run_library.read_library()
        if library is not self._built_from:
            before, self._rows, self._built_from = self._rows, self._build_rows(library), library
            if menu.page is self and menu.selected < len(before):
                self._keep_selection(menu, before[menu.selected].name)
        return self._rows

    def _keep_selection(self, menu: MenuStack, name: str) -> None:
        """Select the row of a name among changed rows; the first selectable one where it is gone."""
        numbers = [number for number, row in enumerate(self._rows) if row.is_selectable]
        menu.selected = next((number for number in numbers if self._rows[number].name == name), numbers[0])

    def _build_rows(self, library: run_library.Library) -> tuple[MenuRow, ...]:
        """The level that is played first, then the one with the newest run; in a group by strokes and time, with the
        runs that do not count last."""
        rows: list[MenuRow] = []
        played = progress.file_key(self._actions.host.level.path)
        groups: dict[str, list[RunEntry]] = {}
        for entry in library.values():
            groups.setdefault(entry.level_file, []).append(entry)
        for key, group in sorted(
            groups.items(), key=lambda item: (item[0] == played, max(run.when for run in item[1])), reverse=True
        ):
            rows.append(MenuRow(f"group {key}", group[0].level, HEADING_ROW))
            group.sort(key=lambda run: (run.is_earlier_version, bool(run.reason), run.strokes or 0, run.seconds))
            for run in group:
                result = format_result(run.seconds, run.strokes)
                rows.append(MenuRow(run.file, join_parts(*describe_run(run)), value=result, sentence=run.file))
        if not groups:
            sentence = "A run appears here when you finish a level."
            rows.append(MenuRow("none", "No runs yet", sentence=sentence))
        rows.append(MenuRow("group folder", "Folder", HEADING_ROW))
        rows.append(MenuRow(FOLDER_ROW, "Open the folder", sentence=display_path(progress.runs_folder())))
        return tuple(rows)

    def activate(self, menu: MenuStack, row: MenuRow) -> str:
        if row.name == FOLDER_ROW:
            self._actions.open_folder(menu, progress.runs_folder())
        elif (entry := run_library.read_library().get(row.name)) is not None:
            menu.open(RunPage(self._actions, entry))
        return ""

    def clear_row(self, menu: MenuStack, row: MenuRow) -> None:
        """Delete a run (Delete, Backspace): asks first."""
        if (entry := run_library.read_library().get(row.name)) is not None:
            menu.open(DeletePage(entry))


class RunPage(MenuPage):
    name = "run"
    width = 560.0
    shows_descriptions = True

    def __init__(self, actions: RunActions, entry: RunEntry) -> None:
        self._actions = actions
        self._entry = entry
        name, state, date = describe_run(entry)
        self.title = f"{name}   {format_result(entry.seconds, entry.strokes)}"
        self.text = join_parts(entry.level, state, date)

    def rows(self, menu: MenuStack) -> tuple[MenuRow, ...]:
        return MenuRow("watch", "Watch", sentence=self._entry.file), MenuRow("delete", "Delete", sentence="Asks first.")

    def activate(self, menu: MenuStack, row: MenuRow) -> str:
        if row.name == "watch":
            self._actions.watch(self._entry)
        else:
            menu.open(DeletePage(self._entry))
        return ""


class DeletePage(MenuPage):
    """Question before a run is deleted."""

    name = "delete"
    title = "Delete this run?"
    text = "Its file is removed for good. A best time stays."
    width = 560.0
    back_label = ""

    def __init__(self, entry: RunEntry) -> None:
        self._entry = entry

    def rows(self, menu: MenuStack) -> tuple[MenuRow, ...]:
        return MenuRow("keep", "Keep"), MenuRow("delete", "Delete")

    def activate(self, menu: MenuStack, row: MenuRow) -> str:
        menu.back()
        if row.name == "delete":
            menu.notice = run_library.delete_run(self._entry)
            if isinstance(menu.page, RunPage) and not menu.notice:
                menu.back()
        return ""
