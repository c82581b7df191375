"""Findings (J): what `check` says about the level, one after another, with the place, the cure and the fix."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ....level import Finding, LevelError, check
from ....level.edit import EditRefused, YamlDocument
from ....level.edit.autofix import autofix_level
from ....level.format.findings import MAX_SHOWN_PATH, sanitize_text
from ...input.actions import LIST_ACTIONS, Action, FindingsAction
from ..edit_tools import EditTools
from ..selection import Selection, entry_place, find_at
from .side_panel import SidePanel, SidePanelRow, matches

if TYPE_CHECKING:
    from ....level import Level

FIX_ALL = "fix all"
SEVERITY_MARKS = {"fatal": "broken", "dropped": "left out", "warning": "warning"}


@dataclass(frozen=True, slots=True)
class ListedFinding:
    """A finding with what is at its place. text: that its edit belongs to, or ''."""

    finding: Finding
    picked: Selection | None
    text: str

    @property
    def is_fixable(self) -> bool:
        return bool(self.text) and self.finding.edit is not None


class FindingsPanel(SidePanel):
    """Findings. Choosing one flies to its place; Enter fixes it where `check --fix` can."""

    title = "Findings"
    actions = (*FindingsAction, *LIST_ACTIONS)
    takes_text = False
    key_strip = (("Up Down", "previous, next"), ("Enter", "fix"), ("Shift", "+ Enter: fix all"), ("E", "open the line"),
                 ("Esc", "close"))  # fmt: skip

    def __init__(self, tools: EditTools) -> None:
        super().__init__(tools)
        self._checked: Level | None = None
        self._is_checking = False
        self._found: tuple[ListedFinding, ...] = ()
        self.update(0.0)

    def update(self, seconds: float) -> None:
        """Check the level after each change of it."""
        level = self.tools.level
        if self._is_checking or self._checked is level or self.tools.queue.is_busy:
            return
        first = self._checked is None
        self._is_checking = True
        document = self.tools.own_document()

        def job() -> tuple[ListedFinding, ...]:
            return tuple(locate(level, finding, document) for finding in check(level.path))

        def done(found: tuple[ListedFinding, ...]) -> None:
            self._is_checking = False
            self._checked = level
            self._found = found
            self.index = min(self.index, max(0, len(found) - 1))
            row = self.chosen_row()
            if first and row is not None:
                self.row_chosen(row)

        self.tools.run_job(job, done)

    def rows(self) -> tuple[SidePanelRow, ...]:
        found = [
            SidePanelRow(f"{listed.finding.line}  {listed.finding.message}", "", listed, hint=_describe(listed))
            for listed in self._found
            if matches(self.typed, str(listed.finding))
        ]
        if sum(listed.is_fixable for listed in self._found) > 1:
            found.append(SidePanelRow("Fix all that can be fixed", "", FIX_ALL))
        return tuple(found)

    def subtitle(self) -> str:
        if self._is_checking and self._checked is None:
            return "Checking the level ..."
        count = len(self._found)
        if not count:
            return "Nothing found"
        return f"{min(self.index + 1, count)} of {count}"

    def row_chosen(self, row: SidePanelRow) -> None:
        listed = row.subject
        if isinstance(listed, ListedFinding) and listed.picked is not None:
            self.tools.select(listed.picked)
            self.tools.fly_to_selection()

    def accept(self, row: SidePanelRow, shift: bool) -> None:
        if row.subject == FIX_ALL or shift:
            self._fix_all()
        elif not row.subject.is_fixable:
            self.view.show_message("This needs your decision: follow the advice below the list")
        else:
            self._fix(row.subject)

    def _fix(self, listed: ListedFinding) -> None:
        finding = listed.finding

        def edit(document: YamlDocument) -> tuple[Selection, ...]:
            if finding.edit is None or document.text != listed.text:
                raise EditRefused("this cannot be fixed automatically any more")
            document.apply_edit(finding.edit)
            return ()

        self._queue(edit, f"Fixed line {finding.line}")

    def _fix_all(self) -> None:
        history = self.tools.open_history()

        def edit(document: YamlDocument) -> tuple[Selection, ...]:
            try:
                fixed = autofix_level(history.path, document.text)
            except LevelError:
                raise EditRefused("the file cannot be read: correct that first") from None
            if not fixed.done:
                raise EditRefused("none of this can be fixed automatically")
            document.replace_text(fixed.text)
            return ()

        self._queue(edit, "Fixed what can be fixed")

    def _queue(self, edit: Callable[[YamlDocument], tuple[Selection, ...]], label: str) -> None:
        """Edit the level's own file."""
        path = self.tools.open_history().path
        self.tools.queue_edit(lambda: self.tools.run_edits([(path, edit)], label))

    def handle_action(self, action: Action) -> None:
        row = self.chosen_row()
        if action is FindingsAction.NEXT:
            self.choose(-1 if self.view.shift else 1)
        elif action in (FindingsAction.NEXT_ROW, FindingsAction.PREVIOUS):
            self.choose(1 if action is FindingsAction.NEXT_ROW else -1)
        elif action is not FindingsAction.OPEN_LINE:
            super().handle_action(action)
        elif row is not None and isinstance(row.subject, ListedFinding):
            self.view.open_line(Path(row.subject.finding.file), row.subject.finding.line)


def _describe(listed: ListedFinding) -> str:
    """The finding in full with its cure."""
    finding = listed.finding
    where = f"{finding.where}: " if finding.where else ""
    cure = f"   {finding.cure[:1].upper()}{finding.cure[1:]}." if finding.cure else ""
    fix = "   Enter fixes it." if listed.is_fixable else ""
    return f"{SEVERITY_MARKS[finding.severity].capitalize()}. {where}{finding.message}.{cure}{fix}"


def locate(level: Level, finding: Finding, document: YamlDocument | None) -> ListedFinding:
    """A finding with what it is about: in the level's own file by its text, else by its line."""
    if finding.file != sanitize_text(str(level.path), MAX_SHOWN_PATH):
        return ListedFinding(finding, find_at(level, finding.file, finding.line), "")
    if document is None:
        return ListedFinding(finding, None, "")
    entry = document.piece_around(finding.line, finding.column)
    place = finding if entry is None else entry_place(document, entry)
    picked = find_at(level, "", place.line, place.column) or find_at(level, "", finding.line)
    return ListedFinding(finding, picked, document.text)
