"""What lies on the desk: the level's files as texts, each act written back at once, undone and redone without bound."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ...level import Finding, Level, LevelError, load
from ...level.edit import Draft, EditRefused, NotSaved, read, save
from .selection import Selection


class Refused(Exception):
    """An act that was not done; the words say why, and every file is as it was."""


class Elsewhere(Refused):
    """Another program wrote the file: its text was taken, and what could be undone is forgotten."""


@dataclass(frozen=True, slots=True)
class Act:
    """file[start:start + len(old)] became `new`; what was picked before and after."""

    file: Path
    start: int
    old: str
    new: str
    label: str
    before: Selection | None
    after: Selection | None

    def forth(self, text: str) -> str:
        return text[: self.start] + self.new + text[self.start + len(self.old) :]

    def back(self, text: str) -> str:
        return text[: self.start] + self.old + text[self.start + len(self.new) :]


Edit = Callable[[Draft], "Selection | None"]  # edits a draft and says what is picked then


class Desk:
    """Edits the files of one level."""

    def __init__(self, level: Level) -> None:
        self.path = level.path
        self._level: Level | None = None
        self._unread = False  # the files say something that has not been read as a level yet
        self.done: list[Act] = []
        self.undone: list[Act] = []
        self._texts: dict[Path, str] = {}
        self._first: dict[Path, str] = {}
        self._draft: tuple[Path, Draft] | None = None
        self._bad: tuple[Path, str, str] | None = None  # a text that cannot be edited, and why

    @property
    def level(self) -> Level | None:
        """The level as the last act left it; None: as the game has it."""
        if self._unread:
            self._unread = False
            try:
                self._level = load(self.path)
            except LevelError:
                self._level = None
        return self._level

    def forget_level(self) -> None:
        """The game has the level as it is on disk."""
        self._level, self._unread = None, False

    def draft(self, file: Path) -> Draft:
        """The file's text to read from and to edit. Refused where it cannot be read; Elsewhere as said there."""
        text = self._current(file)
        if self._bad is not None and self._bad[:2] == (file, text):
            raise Refused(self._bad[2])
        if self._draft is None or self._draft[0] != file or self._draft[1].text != text:
            try:
                self._draft = file, Draft(text)
            except LevelError as error:
                self._bad = file, text, _words(error.findings)
                raise Refused(self._bad[2]) from None
        return self._draft[1]

    def _current(self, file: Path) -> str:
        """What the file says, known to be so."""
        try:
            text = read(file)
        except NotSaved as error:
            raise Refused(str(error)) from None
        known = self._texts.get(file)
        self._texts[file] = text
        self._first.setdefault(file, text)
        if known is not None and known != text:
            self._forget(file, text)
            raise Elsewhere(_elsewhere(file))
        return text

    def _forget(self, file: Path, text: str) -> None:
        self.done.clear()
        self.undone.clear()
        self._texts, self._first = {file: text}, {file: text}
        self._draft = None
        self.forget_level()

    def look_after(self) -> None:
        """Notice what other programs wrote. Raises Elsewhere."""
        for file in list(self._texts):
            self._current(file)

    def act(self, file: Path, label: str, edit: Edit, picked: Selection | None, now: Level) -> Selection | None:
        """Edit, try whether the level still loads, save. What is picked then. Refused with everything as it was.

        now: the level as it is, whose findings are no news.
        """
        draft = self.draft(file)
        before = draft.text
        try:
            with draft.as_one():
                after = edit(draft)
        except EditRefused as error:
            self._draft = None
            raise Refused(str(error)) from None
        text = draft.text
        if text == before:
            return after
        try:
            tried = self._tried(file, text, now)
            self._save(file, text, before)
        except Refused:
            self._draft = None
            raise
        self._level, self._unread = tried, False
        self.done.append(_act(file, before, text, label, picked, after))
        self.undone.clear()
        return after

    def _tried(self, file: Path, text: str, now: Level) -> Level:
        """The level with that text in it. Refused where it would not load, or would lose something."""
        try:
            level = load(self.path, {Path(os.path.realpath(file)): text.encode("utf-8")})
        except LevelError as error:
            raise Refused(_words(error.findings)) from None
        known = Counter(finding.where for finding in now.findings if finding.severity == "dropped")
        lost = []
        for finding in level.findings:
            if finding.severity == "dropped":
                known[finding.where] -= 1
                if known[finding.where] < 0:
                    lost.append(finding)
        if lost:
            raise Refused(_words(lost))
        return level

    def _save(self, file: Path, text: str, expected: str) -> None:
        try:
            save(file, text, expected, self._first.get(file))
        except NotSaved as error:
            self._draft = None
            try:
                found = read(file)
            except NotSaved:
                raise Refused(str(error)) from None
            if found != expected:
                self._forget(file, found)
                raise Elsewhere(_elsewhere(file)) from None
            raise Refused(str(error)) from None
        self._texts[file] = text

    def undo(self) -> Act | None:
        """Take the last act back; None where there is none."""
        return self._step(self.done, self.undone, Act.back)

    def redo(self) -> Act | None:
        """Do the act again that was taken back last; None where there is none."""
        return self._step(self.undone, self.done, Act.forth)

    def _step(self, here: list[Act], there: list[Act], change: Callable[[Act, str], str]) -> Act | None:
        if not here:
            return None
        act = here[-1]
        before = self._current(act.file)
        text = change(act, before)
        self._save(act.file, text, before)
        there.append(here.pop())
        self._unread = True
        return act


def _act(file: Path, old: str, new: str, label: str, before: Selection | None, after: Selection | None) -> Act:
    """Only what differs is kept."""
    start = _alike(old, new)
    end = _alike(old[start:][::-1], new[start:][::-1])
    return Act(file, start, old[start : len(old) - end], new[start : len(new) - end], label, before, after)


def _alike(one: str, other: str) -> int:
    """How many characters both begin with."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((index for index, (a, b) in pairs if a != b), min(len(one), len(other)))


def _elsewhere(file: Path) -> str:
    return f"{file.name} was changed by another program: its text counts now, and undo begins anew"


def _words(findings: tuple[Finding, ...] | list[Finding]) -> str:
    """The gravest finding, with its cure."""
    worst = next((finding for finding in findings if finding.severity == "fatal"), findings[0])
    cure = f" ({worst.cure})" if worst.cure else ""
    return f"{worst.where}: {worst.message}{cure}" if worst.where else f"{worst.message}{cure}"
