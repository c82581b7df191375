"""Undo history: the texts of the level's files. Each edit is saved at once; undo and redo have no limit."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...core.errors import WalkerError
from ...level import Finding, Level, LevelError, load
from ...level.edit import EditRefused, SaveError, YamlDocument, read_text, save_text
from .selection import Selection


class EditError(WalkerError):
    """An edit was refused; no file has changed. The text has the reason."""


class ExternalChange(EditError):
    """Another program has changed the file: its text is reloaded and the undo history cleared."""


@dataclass(frozen=True, slots=True)
class UndoStep:
    """Replacement of file[start:start + len(old)] by `new`, with the selections before and after."""

    file: Path
    start: int
    old: str
    new: str
    label: str
    before: Selection | None
    after: Selection | None

    def apply(self, text: str) -> str:
        return text[: self.start] + self.new + text[self.start + len(self.old) :]

    def revert(self, text: str) -> str:
        return text[: self.start] + self.old + text[self.start + len(self.new) :]


Edit = Callable[[YamlDocument], "Selection | None"]  # edits a document and returns the new selection


class UndoHistory:
    """Edits of the files of one level."""

    def __init__(self, level: Level) -> None:
        self.path = level.path
        self._level: Level | None = None
        self._level_outdated = False  # the files have changed since the level was loaded
        self.undo_steps: list[UndoStep] = []
        self.redo_steps: list[UndoStep] = []
        self._texts: dict[Path, str] = {}
        self._initial_texts: dict[Path, str] = {}
        self._document: tuple[Path, YamlDocument] | None = None
        self._unreadable_text: tuple[Path, str, str] | None = None  # file, text and reason

    @property
    def level(self) -> Level | None:
        """The level after the last edit; None while it is that of the game."""
        if self._level_outdated:
            self._level_outdated = False
            try:
                self._level = load(self.path)
            except LevelError:
                self._level = None
        return self._level

    def forget_level(self) -> None:
        """Forget the level: the game has loaded the files."""
        self._level, self._level_outdated = None, False

    def document(self, file: Path) -> YamlDocument:
        """Document of a file. EditError if it cannot be read, ExternalChange if another program has changed it."""
        text = self._current_text(file)
        if self._unreadable_text is not None and self._unreadable_text[:2] == (file, text):
            raise EditError(self._unreadable_text[2])
        if self._document is None or self._document[0] != file or self._document[1].text != text:
            try:
                self._document = file, YamlDocument(text)
            except LevelError as error:
                self._unreadable_text = file, text, _finding_message(error.findings)
                raise EditError(self._unreadable_text[2]) from None
        return self._document[1]

    def _current_text(self, file: Path) -> str:
        """Present text of a file. ExternalChange if another program has changed it."""
        try:
            text = read_text(file)
        except SaveError as error:
            raise EditError(str(error)) from None
        known = self._texts.get(file)
        self._texts[file] = text
        self._initial_texts.setdefault(file, text)
        if known is not None and known != text:
            self._drop_history(file, text)
            raise ExternalChange(_external_change_error(file))
        return text

    def _drop_history(self, file: Path, text: str) -> None:
        self.undo_steps.clear()
        self.redo_steps.clear()
        self._texts, self._initial_texts = {file: text}, {file: text}
        self._document = None
        self.forget_level()

    def check_external_changes(self) -> None:
        """Raise ExternalChange if another program has changed a file."""
        for file in list(self._texts):
            self._current_text(file)

    def apply_edit(self, file: Path, label: str, edit: Edit, picked: Selection | None, now: Level) -> Selection | None:
        """Edit a file, check that the level still loads, and save; returns the new selection.

        EditError leaves every file as it was. now: the present level, whose findings are accepted.
        """
        document = self.document(file)
        before = document.text
        try:
            with document.edit_group():
                after = edit(document)
        except EditRefused as error:
            self._document = None
            raise EditError(str(error)) from None
        text = document.text
        if text == before:
            return after
        try:
            level = self._try_load(file, text, now)
            self._save(file, text, before)
        except EditError:
            self._document = None
            raise
        self._level, self._level_outdated = level, False
        self.undo_steps.append(_make_undo_step(file, before, text, label, picked, after))
        self.redo_steps.clear()
        return after

    def _try_load(self, file: Path, text: str, now: Level) -> Level:
        """The level with a new text of a file. EditError if it does not load or a piece would be dropped."""
        try:
            level = load(self.path, {Path(os.path.realpath(file)): text.encode("utf-8")})
        except LevelError as error:
            raise EditError(_finding_message(error.findings)) from None
        known = Counter(finding.where for finding in now.findings if finding.severity == "dropped")
        lost = []
        for finding in level.findings:
            if finding.severity == "dropped":
                known[finding.where] -= 1
                if known[finding.where] < 0:
                    lost.append(finding)
        if lost:
            raise EditError(_finding_message(lost))
        return level

    def _save(self, file: Path, text: str, expected: str) -> None:
        try:
            save_text(file, text, expected, self._initial_texts.get(file))
        except SaveError as error:
            self._document = None
            try:
                present = read_text(file)
            except SaveError:
                raise EditError(str(error)) from None
            if present != expected:
                self._drop_history(file, present)
                raise ExternalChange(_external_change_error(file)) from None
            raise EditError(str(error)) from None
        self._texts[file] = text

    def undo(self) -> UndoStep | None:
        """Undo the last edit; None if there is none."""
        return self._move_step(self.undo_steps, self.redo_steps, UndoStep.revert)

    def redo(self) -> UndoStep | None:
        """Redo the last undone edit; None if there is none."""
        return self._move_step(self.redo_steps, self.undo_steps, UndoStep.apply)

    def _move_step(
        self, source: list[UndoStep], destination: list[UndoStep], change: Callable[[UndoStep, str], str]
    ) -> UndoStep | None:
        if not source:
            return None
        step = source[-1]
        before = self._current_text(step.file)
        text = change(step, before)
        self._save(step.file, text, before)
        destination.append(source.pop())
        self._level_outdated = True
        return step


def is_same_level(level: Level, other: Level) -> bool:
    """Whether two levels have the same texts, by their faces and origins."""
    same_faces = len(level.origins) == len(other.origins) and np.array_equal(level.faces.corners, other.faces.corners)
    return same_faces and all(a.place == b.place for a, b in zip(level.origins, other.origins, strict=True))


def _make_undo_step(
    file: Path, old: str, new: str, label: str, before: Selection | None, after: Selection | None
) -> UndoStep:
    """Undo step with the differing part of two texts."""
    start = _common_prefix_length(old, new)
    end = _common_prefix_length(old[start:][::-1], new[start:][::-1])
    return UndoStep(file, start, old[start : len(old) - end], new[start : len(new) - end], label, before, after)


def _common_prefix_length(one: str, other: str) -> int:
    """Length of the common prefix."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((index for index, (a, b) in pairs if a != b), min(len(one), len(other)))


def _external_change_error(file: Path) -> str:
    return f"{file.name} was changed by another program and reloaded; the undo history is cleared"


def _finding_message(findings: tuple[Finding, ...] | list[Finding]) -> str:
    """Text of the worst finding, with its cure."""
    worst = next((finding for finding in findings if finding.severity == "fatal"), findings[0])
    cure = f" ({worst.cure})" if worst.cure else ""
    return f"{worst.where}: {worst.message}{cure}" if worst.where else f"{worst.message}{cure}"
