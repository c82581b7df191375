"""Tries the edits that findings ask for, and keeps those after which strictly less is wrong."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ...format.findings import Finding, harmless
from ...format.source import find_level
from ...level import check
from .. import Draft, EditRefused
from .rules import Fix, fix_for

MOST_CHECKS = 60  # of one file: bounds the time that a large one takes
MOST_ALIKE = 2  # edits that mend the same words and did not hold: the others will not either
LONGEST_CHAIN = 4  # edits that come to light one after the other

_UNUSED = re.compile("`(.+)` is used nowhere")
_MISSING = re.compile("there is no surface `(.+)`")
_MORE = re.compile("([0-9]+) more findings? of this kind")
_WHERE = re.compile(r"\bline \d+(, column \d+)?")


@dataclass(frozen=True, slots=True)
class Mended:
    """`text` after all edits that held; what each of them did, in words; what is still wrong, and how much was.

    kept_out: edits that would have brought something else that is wrong, in words.
    """

    text: str
    done: tuple[str, ...]
    kept_out: tuple[str, ...]
    left: tuple[Finding, ...]
    before: int


def mend(level: str | os.PathLike[str], text: str) -> Mended:
    """Mend the level file of that path, which says `text`; nothing is written.

    Raises LevelError where the text cannot be edited: it is no YAML.
    """
    work = _Work(find_level(level), text)
    refused: set[tuple[str, ...]] = set()
    alike: Counter[tuple[str, ...]] = Counter()
    done: list[str] = []
    kept_out: list[str] = []
    while work.checks < MOST_CHECKS:
        fixes = [fix for fix in work.wanted() if fix.key not in refused and alike[fix.kind] < MOST_ALIKE]
        if not fixes:
            break
        while not (made := work.make(fixes)) and len(fixes) > 1 and work.checks < MOST_CHECKS:
            fixes = fixes[: len(fixes) // 2]
        done += made
        if not made:
            refused.add(fixes[0].key)
            alike[fixes[0].kind] += 1
            if work.why:
                kept_out.append(f"{fixes[0].words}: left as it is, for then: {work.why}")
    return Mended(work.text, tuple(done), tuple(kept_out), tuple(work.findings), work.before)


class _Work:
    """A text, and what `check` says of it. `why`: what the last edit that was not made would have brought."""

    def __init__(self, path: Path, text: str) -> None:
        self._shown = harmless(str(path), 400)
        self._path = path
        self._real = Path(os.path.realpath(path))
        self.checks = 0
        self.why = ""
        self.text = text
        self.findings = self._check(text)
        self.before = _all(self.findings)

    def wanted(self) -> list[Fix]:
        """What the findings ask for."""
        return self._fixes(self.findings, self.text)

    def make(self, fixes: Sequence[Fix]) -> list[str]:
        """Make these edits if less is wrong after them and nothing new; what was done, nothing where they are not.

        One edit alone may bring others with it, of what comes to light only by it.
        """
        self.why = ""
        words: list[str] = []
        text: str | None = self.text
        wrong = _counted(self.findings)
        for _ in range(LONGEST_CHAIN if len(fixes) == 1 else 1):
            text = _edited(text, fixes) if text is not None else None
            if text is None:
                return []
            words += [fix.words for fix in fixes]
            found = self._check(text)
            new = _new(wrong, _counted(found))
            if not new and _fewer(self.findings, found) >= (len(fixes) if len(words) == len(fixes) else 1):
                self.text, self.findings = text, found
                return words
            fresh = [finding for finding in found if _said(finding) in new]
            self.why = str(fresh[0].message) if fresh else ""
            fixes = self._fixes(fresh, text)
            if not fixes:
                break
        return []

    def _fixes(self, findings: Sequence[Finding], text: str) -> list[Fix]:
        """The edits that findings of the level's own file ask for, each once."""
        draft = Draft(text)
        misnamed = _misnamed(findings)
        found: dict[tuple[str, ...], Fix] = {}
        for finding in findings:
            fix = fix_for(finding, draft, misnamed) if finding.file == self._shown else None
            if fix is not None:
                found.setdefault(fix.key, fix)
        return list(found.values())

    def _check(self, text: str) -> list[Finding]:
        self.checks += 1
        return check(self._path, {self._real: text.encode("utf-8")})


def _misnamed(findings: Sequence[Finding]) -> frozenset[str]:
    """Names of surfaces that nothing is made of, while several pieces speak of some other that is not there."""
    missing = Counter(found[1] for finding in findings if (found := _MISSING.match(finding.message)))
    if max(missing.values(), default=0) < 2:
        return frozenset()
    return frozenset(found[1] for finding in findings if (found := _UNUSED.match(finding.message)))


def _edited(text: str, fixes: Sequence[Fix]) -> str | None:
    """A text after edits; None where one of them cannot be made."""
    draft = Draft(text)
    try:
        # From the end of the text to its start: what stands above an edit keeps its place.
        for fix in sorted(fixes, key=lambda fix: (fix.line, fix.column), reverse=True):
            with draft.as_one():
                fix.edit(draft)
    except EditRefused:
        return None
    return draft.text


Said = tuple[str, str, str]


def _said(finding: Finding) -> Said:
    """What is said, without the lines that move when others are edited."""
    return finding.severity, finding.where, _WHERE.sub("", finding.message)


def _counted(findings: Sequence[Finding]) -> Counter[Said]:
    return Counter(_said(finding) for finding in findings)


def _fewer(was: Sequence[Finding], now: Sequence[Finding]) -> int:
    """How many are gone. Of a level that could not be read, warnings were not counted."""
    if any(_MORE.match(finding.message) for finding in was):
        return _all(was) - _all(now)
    return sum((_counted(was) - _counted(now)).values())


def _all(findings: Sequence[Finding]) -> int:
    """How many there are, with those that are only counted."""
    more = (_MORE.match(finding.message) for finding in findings)
    return sum(int(found[1]) if found else 1 for found in more)


def _new(was: Counter[Said], now: Counter[Said]) -> Counter[Said]:
    """What is wrong now and was not. Of a level that could not be read, warnings could not be told."""
    new = now - was
    if any(_MORE.match(message) for _, _, message in was):
        # What was not shown comes to light: more of what is known is nothing new then.
        new = Counter({said: count for said, count in new.items() if said not in was})
    if any(severity == "fatal" for severity, *_ in was - now):
        new = Counter({said: count for said, count in new.items() if said[0] != "warning"})
    return new
