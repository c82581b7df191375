"""Tries the edits that findings ask for, and keeps those after which strictly less is wrong."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ...format.findings import Finding, sanitize_text
from ...format.source import find_level
from ...loader import check
from .. import EditRefused, YamlDocument
from .rules import Fix, fix_for

MAX_CHECKS = 60  # of one file: bounds the time that a large one takes
MAX_FAILED_REPEATS = 2  # edits that mend the same words and did not hold: the others will not either
MAX_FIX_ROUNDS = 4  # edits that come to light one after the other

_UNUSED_SURFACE = re.compile("`(.+)` is never used")
_MISSING_SURFACE = re.compile("there is no surface `(.+)`")
_MORE_FINDINGS = re.compile("([0-9]+) more [a-z]+ findings? not shown")
_LINE_REFERENCE = re.compile(r"\bline \d+(, column \d+)?")


@dataclass(frozen=True, slots=True)
class AutofixResult:
    """`text` after all edits that held; what each of them did, in words; what is still wrong, and how much was.

    kept_out: edits that would have brought something else that is wrong, in words.
    """

    text: str
    done: tuple[str, ...]
    kept_out: tuple[str, ...]
    left: tuple[Finding, ...]
    before: int


def autofix_level(level: str | os.PathLike[str], text: str) -> AutofixResult:
    """Mend the level file of that path, which says `text`; nothing is written.

    Raises LevelError where the text cannot be edited: it is no YAML.
    """
    work = _AutofixRun(find_level(level), text)
    refused: set[tuple[str, ...]] = set()
    alike: Counter[tuple[str, ...]] = Counter()
    done: list[str] = []
    kept_out: list[str] = []
    while work.checks < MAX_CHECKS:
        fixes = [fix for fix in work.wanted_fixes() if fix.key not in refused and alike[fix.kind] < MAX_FAILED_REPEATS]
        if not fixes:
            break
        while not (made := work.apply_fixes(fixes)) and len(fixes) > 1 and work.checks < MAX_CHECKS:
            fixes = fixes[: len(fixes) // 2]
        done += made
        if not made:
            refused.add(fixes[0].key)
            alike[fixes[0].kind] += 1
            if work.why:
                kept_out.append(f"{fixes[0].words}: not done, because then: {work.why}")
    return AutofixResult(work.text, tuple(done), tuple(kept_out), tuple(work.findings), work.before)


class _AutofixRun:
    """A text, and what `check` says of it. `why`: what the last edit that was not made would have brought."""

    def __init__(self, path: Path, text: str) -> None:
        self._shown = sanitize_text(str(path), 400)
        self._path = path
        self._real = Path(os.path.realpath(path))
        self.checks = 0
        self.why = ""
        self.text = text
        self.findings = self._check(text)
        self.before = _total_count(self.findings)

    def wanted_fixes(self) -> list[Fix]:
        """What the findings ask for."""
        return self._fixes(self.findings, self.text)

    def apply_fixes(self, fixes: Sequence[Fix]) -> list[str]:
        """Make these edits if less is wrong after them and nothing new; what was done, nothing where they are not.

        One edit alone may bring others with it, of what comes to light only by it.
        """
        self.why = ""
        words: list[str] = []
        text: str | None = self.text
        wrong = _count_by_key(self.findings)
        for _ in range(MAX_FIX_ROUNDS if len(fixes) == 1 else 1):
            text = _apply_edits(text, fixes) if text is not None else None
            if text is None:
                return []
            words += [fix.words for fix in fixes]
            found = self._check(text)
            new = _new_findings(wrong, _count_by_key(found))
            if not new and _removed_count(self.findings, found) >= (len(fixes) if len(words) == len(fixes) else 1):
                self.text, self.findings = text, found
                return words
            fresh = [finding for finding in found if _finding_key(finding) in new]
            self.why = str(fresh[0].message) if fresh else ""
            fixes = self._fixes(fresh, text)
            if not fixes:
                break
        return []

    def _fixes(self, findings: Sequence[Finding], text: str) -> list[Fix]:
        """The edits that findings of the level's own file ask for, each once."""
        draft = YamlDocument(text)
        misnamed = _misspelt_surfaces(findings)
        found: dict[tuple[str, ...], Fix] = {}
        for finding in findings:
            fix = fix_for(finding, draft, misnamed) if finding.file == self._shown else None
            if fix is not None:
                found.setdefault(fix.key, fix)
        return list(found.values())

    def _check(self, text: str) -> list[Finding]:
        self.checks += 1
        return check(self._path, {self._real: text.encode("utf-8")})


def _misspelt_surfaces(findings: Sequence[Finding]) -> frozenset[str]:
    """Names of surfaces that nothing is made of, while several pieces speak of some other that is not there."""
    missing = Counter(found[1] for finding in findings if (found := _MISSING_SURFACE.match(finding.message)))
    if max(missing.values(), default=0) < 2:
        return frozenset()
    return frozenset(found[1] for finding in findings if (found := _UNUSED_SURFACE.match(finding.message)))


def _apply_edits(text: str, fixes: Sequence[Fix]) -> str | None:
    """A text after edits; None where one of them cannot be made."""
    draft = YamlDocument(text)
    try:
        # From the end of the text to its start: what stands above an edit keeps its place.
        for fix in sorted(fixes, key=lambda fix: (fix.line, fix.column), reverse=True):
            with draft.edit_group():
                fix.edit(draft)
    except EditRefused:
        return None
    return draft.text


FindingKey = tuple[str, str, str]


def _finding_key(finding: Finding) -> FindingKey:
    """What is said, without the lines that move when others are edited."""
    return finding.severity, finding.where, _LINE_REFERENCE.sub("", finding.message)


def _count_by_key(findings: Sequence[Finding]) -> Counter[FindingKey]:
    return Counter(_finding_key(finding) for finding in findings)


def _removed_count(was: Sequence[Finding], now: Sequence[Finding]) -> int:
    """How many are gone. Of a level that could not be read, warnings were not counted."""
    if any(_MORE_FINDINGS.match(finding.message) for finding in was):
        return _total_count(was) - _total_count(now)
    return sum((_count_by_key(was) - _count_by_key(now)).values())


def _total_count(findings: Sequence[Finding]) -> int:
    """How many there are, with those that are only counted."""
    more = (_MORE_FINDINGS.match(finding.message) for finding in findings)
    return sum(int(found[1]) if found else 1 for found in more)


def _new_findings(was: Counter[FindingKey], now: Counter[FindingKey]) -> Counter[FindingKey]:
    """What is wrong now and was not. Of a level that could not be read, warnings could not be told."""
    new = now - was
    if any(_MORE_FINDINGS.match(message) for _, _, message in was):
        # What was not shown comes to light: more of what is known is nothing new then.
        new = Counter({said: count for said, count in new.items() if said not in was})
    if any(severity == "fatal" for severity, *_ in was - now):
        new = Counter({said: count for said, count in new.items() if said[0] != "warning"})
    return new
