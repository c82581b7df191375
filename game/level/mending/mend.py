"""Tries the edits that findings ask for, and keeps those after which strictly less is wrong."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from game.level.findings import Finding, LevelError, harmless
from game.level.level import check
from game.level.mending.rules import Fix, fix_for
from game.level.source import find_level
from game.level.text import Draft, EditRefused

MOST_CHECKS = 60  # of one file: bounds the time that a large one takes

_WHERE = re.compile(r"\bline \d+(, column \d+)?")


@dataclass(frozen=True, slots=True)
class Mended:
    """`text` after all edits that held; what each of them did, in words; what is still wrong, and how much was."""

    text: str
    done: tuple[str, ...]
    left: tuple[Finding, ...]
    before: int


def mend(level: str | os.PathLike[str], text: str) -> Mended:
    """Mend the level file of that path, which says `text`; nothing is written.

    Raises LevelError where the text cannot be edited: it is no YAML.
    """
    path = find_level(level)
    work = _Work(path, text)
    refused: set[tuple[str, ...]] = set()
    done: list[str] = []
    while work.checks < MOST_CHECKS:
        fixes = _wanted(work, refused)
        while fixes and not work.keeps(fixes):
            if len(fixes) == 1:
                refused.add(fixes[0].key)
                fixes = _wanted(work, refused)
            else:
                fixes = fixes[: len(fixes) // 2]
            if work.checks >= MOST_CHECKS:
                fixes = []
        if not fixes:
            break
        done += [fix.words for fix in fixes]
    return Mended(work.text, tuple(done), tuple(work.findings), work.before)


def _wanted(work: _Work, refused: set[tuple[str, ...]]) -> list[Fix]:
    """What the findings of the level's own file ask for, each edit once."""
    draft = Draft(work.text)
    found: dict[tuple[str, ...], Fix] = {}
    for finding in work.findings:
        if finding.file == work.shown:
            fix = fix_for(finding, draft)
            if fix is not None and fix.key not in refused:
                found.setdefault(fix.key, fix)
    return list(found.values())


class _Work:
    """A text, and what `check` says of it."""

    def __init__(self, path: Path, text: str) -> None:
        self.shown = harmless(str(path), 400)
        self._path = path
        self._real = Path(os.path.realpath(path))
        self.checks = 0
        self.text = text
        self.findings = self._check(text)
        self.before = len(self.findings)

    def keeps(self, fixes: Sequence[Fix]) -> bool:
        """Make these edits if they can be made and less is wrong after them, each having mended something."""
        draft = Draft(self.text)
        try:
            # From the end of the text to its start: what stands above an edit keeps its place.
            for fix in sorted(fixes, key=lambda fix: (fix.line, fix.column), reverse=True):
                with draft.as_one():
                    fix.edit(draft)
        except EditRefused:
            return False
        found = self._check(draft.text)
        was, now = _counted(self.findings), _counted(found)
        more = now - was
        if any(severity == "fatal" for severity, *_ in was - now):
            # What could not be read before could not be judged either: warnings may come to light.
            more = Counter({said: count for said, count in more.items() if said[0] != "warning"})
        fewer = sum((was - now).values())
        if more or fewer < len(fixes):
            return False
        self.text, self.findings = draft.text, found
        return True

    def _check(self, text: str) -> list[Finding]:
        self.checks += 1
        return check(self._path, {self._real: text.encode("utf-8")})


def _counted(findings: Sequence[Finding]) -> Counter[tuple[str, str, str]]:
    """What is said, without the lines that move when others are edited."""
    return Counter(
        (finding.severity, finding.where, _WHERE.sub("", finding.message)) for finding in findings
    )


__all__ = ["LevelError", "Mended", "mend"]
