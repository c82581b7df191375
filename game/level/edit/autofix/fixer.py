"""Fix loop: applies the edits that findings suggest and keeps those that strictly reduce the findings."""

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

MAX_CHECKS = 60  # checks of one file: bounds the time
MAX_FAILED_REPEATS = 2  # failed edits of one kind, after which no more of that kind are tried
MAX_FIX_ROUNDS = 4  # edits that only show up after an earlier one

_UNUSED_SURFACE = re.compile("`(.+)` is never used")
_MISSING_SURFACE = re.compile("there is no surface `(.+)`")
_MORE_FINDINGS = re.compile("([0-9]+) more [a-z]+ findings? not shown")
_LINE_REFERENCE = re.compile(r"\bline \d+(, column \d+)?")


@dataclass(frozen=True, slots=True)
class AutofixResult:
    """Result of a run: `text` with all fixes, and `done`, their descriptions.

    rejected: descriptions of edits that would have caused another finding. remaining: findings after the run.
    before: the number of findings before the run.
    """

    text: str
    done: tuple[str, ...]
    rejected: tuple[str, ...]
    remaining: tuple[Finding, ...]
    before: int


def autofix_level(level: str | os.PathLike[str], text: str) -> AutofixResult:
    """Fix `text`, the content of the level file `level`. Writes nothing.

    Raises LevelError if the text is not YAML.
    """
    run = _AutofixRun(find_level(level), text)
    refused: set[tuple[str, ...]] = set()
    failures: Counter[tuple[str, ...]] = Counter()
    done: list[str] = []
    rejected: list[str] = []
    while run.checks < MAX_CHECKS:
        fixes = [
            fix for fix in run.suggested_fixes() if fix.key not in refused and failures[fix.kind] < MAX_FAILED_REPEATS
        ]
        if not fixes:
            break
        while not (applied := run.apply_fixes(fixes)) and len(fixes) > 1 and run.checks < MAX_CHECKS:
            fixes = fixes[: len(fixes) // 2]
        done += applied
        if not applied:
            refused.add(fixes[0].key)
            failures[fixes[0].kind] += 1
            if run.rejection_reason:
                rejected.append(f"{fixes[0].description}: not done, because then: {run.rejection_reason}")
    return AutofixResult(run.text, tuple(done), tuple(rejected), tuple(run.findings), run.before)


class _AutofixRun:
    """A text with its findings. `rejection_reason`: the finding that the last rejected edit would have caused."""

    def __init__(self, path: Path, text: str) -> None:
        self._display_path = sanitize_text(str(path), 400)
        self._path = path
        self._real = Path(os.path.realpath(path))
        self.checks = 0
        self.rejection_reason = ""
        self.text = text
        self.findings = self._check(text)
        self.before = _total_count(self.findings)

    def suggested_fixes(self) -> list[Fix]:
        """The edits that the current findings suggest."""
        return self._fixes(self.findings, self.text)

    def apply_fixes(self, fixes: Sequence[Fix]) -> list[str]:
        """Apply edits if they remove findings and add none. Returns their descriptions; empty if rejected.

        A single edit may be followed by edits for findings that it brings to light.
        """
        self.rejection_reason = ""
        descriptions: list[str] = []
        text: str | None = self.text
        counts = _count_by_key(self.findings)
        for _ in range(MAX_FIX_ROUNDS if len(fixes) == 1 else 1):
            text = _apply_edits(text, fixes) if text is not None else None
            if text is None:
                return []
            descriptions += [fix.description for fix in fixes]
            findings = self._check(text)
            new_counts = _new_findings(counts, _count_by_key(findings))
            required = len(fixes) if len(descriptions) == len(fixes) else 1
            if not new_counts and _removed_count(self.findings, findings) >= required:
                self.text, self.findings = text, findings
                return descriptions
            new_findings = [finding for finding in findings if _finding_key(finding) in new_counts]
            self.rejection_reason = str(new_findings[0].message) if new_findings else ""
            fixes = self._fixes(new_findings, text)
            if not fixes:
                break
        return []

    def _fixes(self, findings: Sequence[Finding], text: str) -> list[Fix]:
        """The distinct edits for the findings of the level's own file."""
        document = YamlDocument(text)
        misnamed = _misspelt_surfaces(findings)
        by_key: dict[tuple[str, ...], Fix] = {}
        for finding in findings:
            fix = fix_for(finding, document, misnamed) if finding.file == self._display_path else None
            if fix is not None:
                by_key.setdefault(fix.key, fix)
        return list(by_key.values())

    def _check(self, text: str) -> list[Finding]:
        self.checks += 1
        return check(self._path, {self._real: text.encode("utf-8")})


def _misspelt_surfaces(findings: Sequence[Finding]) -> frozenset[str]:
    """Unused surfaces, if two or more pieces use one missing name: the definition may be misspelt, not the uses."""
    missing = Counter(match[1] for finding in findings if (match := _MISSING_SURFACE.match(finding.message)))
    if max(missing.values(), default=0) < 2:
        return frozenset()
    return frozenset(match[1] for finding in findings if (match := _UNUSED_SURFACE.match(finding.message)))


def _apply_edits(text: str, fixes: Sequence[Fix]) -> str | None:
    """The text after edits; None if one of them is refused."""
    document = YamlDocument(text)
    try:
        # From the end of the text to its start: lines above an edit keep their numbers.
        for fix in sorted(fixes, key=lambda fix: (fix.line, fix.column), reverse=True):
            with document.edit_group():
                fix.edit(document)
    except EditRefused:
        return None
    return document.text


FindingKey = tuple[str, str, str]


def _finding_key(finding: Finding) -> FindingKey:
    """Identity of a finding, without line numbers, which move with edits."""
    return finding.severity, finding.where, _LINE_REFERENCE.sub("", finding.message)


def _count_by_key(findings: Sequence[Finding]) -> Counter[FindingKey]:
    return Counter(_finding_key(finding) for finding in findings)


def _removed_count(before: Sequence[Finding], after: Sequence[Finding]) -> int:
    """The number of findings that are gone."""
    if any(_MORE_FINDINGS.match(finding.message) for finding in before):
        return _total_count(before) - _total_count(after)
    return sum((_count_by_key(before) - _count_by_key(after)).values())


def _total_count(findings: Sequence[Finding]) -> int:
    """The number of findings, including those that are only counted (`12 more warnings not shown`)."""
    matches = (_MORE_FINDINGS.match(finding.message) for finding in findings)
    return sum(int(match[1]) if match else 1 for match in matches)


def _new_findings(before: Counter[FindingKey], after: Counter[FindingKey]) -> Counter[FindingKey]:
    """Findings that were not there before. A level that could not be read had no warnings: those are not new."""
    new = after - before
    if any(_MORE_FINDINGS.match(message) for _, _, message in before):
        # Findings that were only counted before may be shown now: more of a known kind are not new.
        new = Counter({key: count for key, count in new.items() if key not in before})
    if any(severity == "fatal" for severity, *_ in before - after):
        new = Counter({key: count for key, count in new.items() if key[0] != "warning"})
    return new
