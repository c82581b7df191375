"""Undo history: the texts of the level's files. Each edit is saved at once; undo and redo have no limit."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...level import Finding, Level, LevelError, load
from ...level.edit import EditRefused, SaveError, YamlDocument, read_text, save_text
from ...level.format.file_access import is_shipped
from ...level.format.findings import newly_dropped


class ExternalChange(EditRefused):
    """Another program has changed the file: its text is reloaded and the undo history cleared."""


@dataclass(frozen=True, slots=True)
class FileChange:
    """Replacement of file[start:start + len(old)] by `new`."""

    file: Path
    start: int
    old: str
    new: str

    def apply(self, text: str) -> str:
        return text[: self.start] + self.new + text[self.start + len(self.old) :]

    def revert(self, text: str) -> str:
        return text[: self.start] + self.old + text[self.start + len(self.new) :]


@dataclass(frozen=True, slots=True)
class UndoStep:
    """One edit: its changes, one for each file, with the selections before and after."""

    changes: tuple[FileChange, ...]
    label: str
    before: Any
    after: Any


Edit = Callable[[YamlDocument], Any]  # edits a document and returns the new selection


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
        self._documents: dict[Path, YamlDocument] = {}
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
        self._level = None
        self._level_outdated = False

    def document(self, file: Path) -> YamlDocument:
        """Document of a file. EditRefused if it cannot be read, ExternalChange if another program has changed it."""
        text = self._current_text(file)
        if self._unreadable_text is not None and self._unreadable_text[:2] == (file, text):
            raise EditRefused(self._unreadable_text[2])
        document = self._documents.get(file)
        if document is None or document.text != text:
            try:
                document = self._documents[file] = YamlDocument(text)
            except LevelError as error:
                self._unreadable_text = file, text, _finding_message(error.findings)
                raise EditRefused(self._unreadable_text[2]) from None
        return document

    def _current_text(self, file: Path) -> str:
        """Present text of a file. ExternalChange if another program has changed it."""
        try:
            text = read_text(file)
        except SaveError as error:
            raise EditRefused(str(error)) from None
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
        self._texts = {file: text}
        self._initial_texts = {file: text}
        self._documents.clear()
        self.forget_level()

    def check_external_changes(self) -> None:
        """Raise ExternalChange if another program has changed a file."""
        for file in list(self._texts):
            self._current_text(file)

    def apply_edits(self, edits: Sequence[tuple[Path, Edit]], label: str, picked: Any, now: Level) -> Any:
        """Edit some files as one step, check that the level still loads, and save. Returns the sum of the new
        selections of the edits.

        EditRefused leaves every file as it was. now: the present level, whose findings are accepted.
        """
        part = next((file for file, _ in edits if is_shipped(file) and not is_shipped(self.path)), None)
        if part is not None:
            raise EditRefused(f"{part.name} is a part of the game's own levels: it stays as it is")
        before = {file: self.document(file).text for file, _ in edits}
        after: Any = None
        try:
            for number, (file, edit) in enumerate(edits):
                document = self._documents[file]
                with document.edit_group():
                    result = edit(document)
                after = result if number == 0 else after + result
        except EditRefused:
            self._documents.clear()
            raise
        texts = {file: self._documents[file].text for file, old in before.items()}
        texts = {file: text for file, text in texts.items() if text != before[file]}
        if not texts:
            return after
        try:
            level = self._try_load(texts, now)
            self._save_all(texts, before)
        except EditRefused:
            self._documents.clear()
            raise
        self._level = level
        self._level_outdated = False
        changes = tuple(_make_file_change(file, before[file], text) for file, text in texts.items())
        self.undo_steps.append(UndoStep(changes, label, picked, after))
        self.redo_steps.clear()
        return after

    def _try_load(self, texts: Mapping[Path, str], now: Level) -> Level:
        """The level with new texts of some files. EditRefused if it does not load or a piece would be dropped."""
        overrides = {Path(os.path.realpath(file)): text.encode("utf-8") for file, text in texts.items()}
        try:
            level = load(self.path, overrides)
        except LevelError as error:
            raise EditRefused(_finding_message(error.findings)) from None
        if lost := newly_dropped(now.findings, level.findings):
            raise EditRefused(_finding_message(lost))
        return level

    def _save_all(self, texts: Mapping[Path, str], expected: Mapping[Path, str]) -> None:
        """Save some files. EditRefused, after which every file is as it was before."""
        saved: list[Path] = []
        try:
            for file, text in texts.items():
                self._save(file, text, expected[file])
                saved.append(file)
        except EditRefused:
            for file in saved:
                with contextlib.suppress(EditRefused):
                    self._save(file, expected[file], texts[file])
            raise

    def _save(self, file: Path, text: str, expected: str) -> None:
        try:
            save_text(file, text, expected, self._initial_texts.get(file))
        except SaveError as error:
            self._documents.clear()
            try:
                present = read_text(file)
            except SaveError:
                raise EditRefused(str(error)) from None
            if present != expected:
                self._drop_history(file, present)
                raise ExternalChange(_external_change_error(file)) from None
            raise EditRefused(str(error)) from None
        self._texts[file] = text

    def undo(self) -> UndoStep | None:
        """Undo the last edit; None if there is none."""
        return self._move_step(self.undo_steps, self.redo_steps, FileChange.revert)

    def redo(self) -> UndoStep | None:
        """Redo the last undone edit; None if there is none."""
        return self._move_step(self.redo_steps, self.undo_steps, FileChange.apply)

    def _move_step(
        self, source: list[UndoStep], destination: list[UndoStep], change: Callable[[FileChange, str], str]
    ) -> UndoStep | None:
        if not source:
            return None
        step = source[-1]
        before = {changed.file: self._current_text(changed.file) for changed in step.changes}
        texts = {changed.file: change(changed, before[changed.file]) for changed in step.changes}
        self._save_all(texts, before)
        destination.append(source.pop())
        self._level_outdated = True
        return step


def is_same_level(level: Level, other: Level) -> bool:
    """Whether two levels have the same texts, by their faces and origins."""
    same_faces = len(level.origins) == len(other.origins) and np.array_equal(level.faces.corners, other.faces.corners)
    return same_faces and all(a.place == b.place for a, b in zip(level.origins, other.origins, strict=True))


def _make_file_change(file: Path, old: str, new: str) -> FileChange:
    """Change with the differing part of two texts."""
    start = _common_prefix_length(old, new)
    end = _common_prefix_length(old[start:][::-1], new[start:][::-1])
    return FileChange(file, start, old[start : len(old) - end], new[start : len(new) - end])


def _common_prefix_length(one: str, other: str) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((index for index, (a, b) in pairs if a != b), min(len(one), len(other)))


def _external_change_error(file: Path) -> str:
    return f"{file.name} was changed by another program and reloaded; the undo history is cleared"


def _finding_message(findings: tuple[Finding, ...]) -> str:
    """Text of the worst finding, with its cure."""
    worst = next((finding for finding in findings if finding.severity == "fatal"), findings[0])
    cure = f" ({worst.cure})" if worst.cure else ""
    return f"{worst.where}: {worst.message}{cure}" if worst.where else f"{worst.message}{cure}"
