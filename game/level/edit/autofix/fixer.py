"""Fix loop: applies the edits that findings suggest, all at once, and keeps those that a check confirms."""

from __future__ import annotations

import contextlib
import os
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ...format.file_access import is_tests_file
from ...format.findings import Finding, LevelError, sanitize_text
from ...format.mistakes.no_break_spaces import replace_no_break_spaces
from ...format.source import find_level
from ...format.text_source import read_any_source
from ...loader import check, check_source, gc_paused
from .. import EditRefused, YamlDocument
from .rules import Fix, add_surfaces, fix_for

MAX_CHECKS = 60  # checks of one file: bounds the time
MAX_FIX_ROUNDS = 4  # edits that only show up after an earlier one
MAX_FINDINGS = 100_000  # of one check: all of them, so that mistakes that repeat are fixed in one pass
TEXT_KINDS = (
    "word",
    "value",
    "number",
    "space",
    "colour",
)  # mistakes of writing: a warning after them was there before

_LINE_REFERENCE = re.compile(r"\bline \d+(, column \d+)?")
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")

FindingKey = tuple[str, str, str, int]


@dataclass(frozen=True, slots=True)
class AutofixResult:
    """Result of a run: `text` with all fixes, and `done`, their descriptions.

    rejected: descriptions of edits that would have caused another finding. remaining: findings after the run.
    before: the number of findings before the run. elsewhere: remaining findings in other files of the level.
    untried: fixes that are left after MAX_CHECKS.
    """

    text: str
    done: tuple[str, ...]
    rejected: tuple[str, ...]
    remaining: tuple[Finding, ...]
    before: int
    elsewhere: int = 0
    untried: int = 0


def autofix_level(level: str | os.PathLike[str], text: str) -> AutofixResult:
    """Fix `text`, the content of the level file `level`. Writes nothing.

    Raises LevelError if the text is not YAML.
    """
    with gc_paused():
        run = _AutofixRun(find_level(level), text)
        while fixes := [fix for fix in run.fixes(run.findings, run.text) if fix.key not in run.rejections]:
            if run.checks >= MAX_CHECKS:
                break
            # Edits of the whole file first: they may move lines.
            run.apply_some([fix for fix in fixes if not fix.line] or fixes)
    rejected = (f"{description}: not done, because then: {why}" for description, why in run.rejections.values() if why)
    elsewhere = sum(finding.file != run.display_path for finding in run.findings)
    return AutofixResult(
        run.text, tuple(run.done), tuple(rejected), tuple(run.findings), run.before, elsewhere, len(fixes)
    )


@dataclass(slots=True)
class _Attempt:
    """A text after edits. harmful: findings that the edits caused. useless: edits whose finding is still there."""

    text: str
    findings: list[Finding]
    descriptions: list[str] = field(default_factory=list)
    harmful: list[Finding] = field(default_factory=list)
    useless: list[Fix] = field(default_factory=list)
    revealed: int = 0  # errors that were there before and were not seen


class _AutofixRun:
    """A text with its findings. rejections: by key of an edit, its description and what it would have caused."""

    def __init__(self, path: Path, text: str) -> None:
        self.display_path = sanitize_text(str(path), 400)
        self._path = path
        self._real = Path(os.path.realpath(path))
        self.checks = 0
        self.rejections: dict[tuple[str, ...], tuple[str, str]] = {}
        self.done: list[str] = []
        self.text = replace_no_break_spaces(text)
        self._document = YamlDocument(self.text)  # parsed last: the next step needs the same text most of the time
        self.findings = self._check(self.text)
        self.before = len(self.findings)
        if self.text != text:
            self.before = len(self._check(text))
            self.done.append("no-break spaces are now spaces")

    def apply_some(self, fixes: Sequence[Fix]) -> None:
        """Apply the edits that remove findings and cause none; reject at least one edit if there are no such edits.

        If every edit of many causes a finding at its own piece, one of them is tried alone. If it causes the same then,
        those with equal findings are rejected with it.
        """
        culprits: list[tuple[Fix, str]] = []
        while fixes and self.checks < MAX_CHECKS:
            attempt = self._try(fixes)
            if attempt is not None and not attempt.harmful and not attempt.useless:
                self.text = attempt.text
                self.findings = attempt.findings
                self.done += attempt.descriptions
                self.before += attempt.revealed
                return
            if len(fixes) == 1:
                reason = str(attempt.harmful[0].message) if attempt is not None and attempt.harmful else ""
                self.rejections[fixes[0].key] = (fixes[0].description, reason)
                if reason:
                    self._reject_alike(fixes[0], reason, culprits)
                return
            kept = self._without_culprits(fixes, attempt)
            if not kept and not culprits:
                culprits = self._culprits(fixes, attempt)
            fixes = kept or (fixes[:1] if len(culprits) >= len(fixes) else fixes[: len(fixes) // 2])

    def _reject_alike(self, rejected: Fix, reason: str, culprits: Sequence[tuple[Fix, str]]) -> None:
        """Reject the edits that cause the same finding as one that was tried alone. A finding that names the line of
        another edit may be due to both of them: those edits are tried again.
        """
        lines = {str(fix.line) for fix, _ in culprits}
        for fix, own_reason in culprits:
            alone = all(match[0].split()[1].rstrip(",") not in lines for match in _LINE_REFERENCE.finditer(own_reason))
            if alone and fix.key[0] == rejected.key[0] and _without_numbers(own_reason) == _without_numbers(reason):
                self.rejections.setdefault(fix.key, (fix.description, own_reason))

    def _culprits(self, fixes: Sequence[Fix], attempt: _Attempt | None) -> list[tuple[Fix, str]]:
        """The edits with a harmful finding at their piece, and its message."""
        if attempt is None or not all(fix.line for fix in fixes):
            return []
        reasons = self._reasons(attempt)
        return [(fix, reasons[fix.line]) for fix in fixes if fix.line in reasons]

    def _reasons(self, attempt: _Attempt) -> dict[int, str]:
        """By line of a piece with a harmful finding, the message of the first one."""
        document = self._parse(attempt.text)
        reasons: dict[int, str] = {}
        for finding in attempt.harmful:
            piece = document.piece_around(finding.line, finding.column)
            first, last = piece.lines if piece is not None else (finding.line, finding.line)
            for line in range(first, last + 1):
                reasons.setdefault(line, str(finding.message))
        return reasons

    def _without_culprits(self, fixes: Sequence[Fix], attempt: _Attempt | None) -> list[Fix]:
        """The edits without those at pieces with harmful findings, which are rejected; empty if that is all or none."""
        if attempt is None or not all(fix.line for fix in fixes):
            return []
        reasons = self._reasons(attempt)
        useless = {fix.key for fix in attempt.useless}
        kept = [fix for fix in fixes if fix.line not in reasons and fix.key not in useless]
        if not kept or len(kept) == len(fixes):
            return []
        for fix in fixes:
            if fix.line in reasons or fix.key in useless:
                self.rejections[fix.key] = (fix.description, reasons.get(fix.line, ""))
        return kept

    def _try(self, fixes: Sequence[Fix]) -> _Attempt | None:
        """The text after these edits, and after those for errors that they bring to light. None if one is refused."""
        attempt = _Attempt(self.text, self.findings)
        tried = set[tuple[str, ...]]()
        todo = list(fixes)
        by_line = all(fix.line for fix in fixes)  # edits inside a piece keep the lines of the others
        before = _count_by_key(self.findings, by_line)
        first = list[Fix]()
        for number in range(MAX_FIX_ROUNDS):
            document = self._parse(attempt.text)
            made = _apply_edits(document, todo)
            text = document.text
            tried.update(fix.key for fix in todo)
            if not made:
                return attempt if number else None
            first = first or made
            attempt.descriptions += [fix.description for fix in made]
            attempt.findings = self._check(text)
            attempt.text = text
            new = _count_by_key(attempt.findings, by_line) - before
            found = [finding for finding in attempt.findings if _finding_key(finding, by_line) in new]
            attempt.harmful = self._harmful(found, fixes, attempt.findings)
            attempt.revealed = sum(one.severity != "warning" and one not in attempt.harmful for one in found)
            errors = [finding for finding in attempt.harmful if finding.severity != "warning"] or attempt.harmful
            todo = [fix for fix in self.fixes(errors, text) if fix.key not in tried]
            todo = self._without_flips(text, todo, first)
            if not todo:
                break
        left = {(finding.line, finding.where, finding.message) for finding in attempt.findings}
        attempt.useless = [fix for fix in first if fix.line and (fix.line, *fix.key[1:3]) in left]
        count = len(attempt.findings) - attempt.revealed
        if not attempt.harmful and count >= len(self.findings) and not _is_better(self, attempt):
            attempt.useless = list(fixes)
        return attempt

    def _without_flips(self, text: str, fixes: Sequence[Fix], made: Sequence[Fix]) -> list[Fix]:
        """The fixes without those that turn a quad over which had a sound order of corners before the made fixes."""
        if not any(fix.key[0] == "flip" for fix in fixes):
            return list(fixes)
        document = self._parse(text)
        reordered = {document.piece_around(fix.line, fix.column) for fix in made if fix.key[0] == "reorder"}
        return [
            fix for fix in fixes if fix.key[0] != "flip" or document.piece_around(fix.line, fix.column) in reordered
        ]

    def _harmful(self, found: Sequence[Finding], fixes: Sequence[Fix], findings: Sequence[Finding]) -> list[Finding]:
        """New findings that the edits caused. A level that could not be read had no warnings: those are not new.

        A piece with a wrong word as a value is not read further: errors in its other fields were there before.
        """
        readable = any(finding.severity == "fatal" for finding in self.findings) and not any(
            finding.severity == "fatal" for finding in findings
        )
        if readable or all(fix.key[0] in TEXT_KINDS for fix in fixes):
            fixed = {fix.key[1] for fix in fixes} if all(fix.key[0] == "value" for fix in fixes) else None
            return [one for one in found if one.severity != "warning" and (fixed is None or one.where in fixed)]
        return list(found)

    def fixes(self, findings: Sequence[Finding], text: str) -> list[Fix]:
        """The distinct edits for the findings of the level's own file."""
        document = self._parse(text)
        by_key: dict[tuple[str, ...], Fix] = {}
        for finding in findings:
            fix = fix_for(finding, document) if finding.file == self.display_path else None
            if fix is not None:
                by_key.setdefault(fix.key, fix)
        return list(by_key.values())

    def _parse(self, text: str) -> YamlDocument:
        if self._document.text != text:
            self._document = YamlDocument(text)
        return self._document

    def _check(self, text: str) -> list[Finding]:
        self.checks += 1
        if is_tests_file(self._path):
            return check(self._path, {self._real: text.encode("utf-8")})
        try:
            source = read_any_source(self._path, {self._real: text.encode("utf-8")}, None, None)
        except LevelError as error:
            return list(error.findings)
        source.report.limit = MAX_FINDINGS
        return check_source(source)


def _is_better(run: _AutofixRun, attempt: _Attempt) -> bool:
    """True if errors are gone, although warnings came to light."""
    before, after = (
        sum(finding.severity != "warning" for finding in findings) for findings in (run.findings, attempt.findings)
    )
    return after < before


def _apply_edits(document: YamlDocument, fixes: Sequence[Fix]) -> list[Fix]:
    """Apply edits and return those that were made. Of edits that overlap, the first is made."""
    made: list[Fix] = []
    together = all(fix.line for fix in fixes)  # edits of the whole file change the same lists: one after the other
    try:
        with document.edit_batch() if together else document.edit_group():
            surfaces = [fix for fix in fixes if fix.surface[0]]
            if len(surfaces) > 1:  # in one edit: each edit parses the whole text
                with contextlib.suppress(EditRefused):
                    add_surfaces(document, [fix.surface for fix in surfaces])
                    made += surfaces
                    fixes = [fix for fix in fixes if not fix.surface[0]]
            for fix in fixes:
                with contextlib.suppress(EditRefused):
                    fix.edit(document)
                    made.append(fix)
    except EditRefused:
        return []
    return made


def _finding_key(finding: Finding, by_line: bool) -> FindingKey:
    """Identity of a finding. by_line: with its line; else edits may have moved the lines."""
    message = _LINE_REFERENCE.sub("", finding.message)
    return finding.severity, finding.where, message, finding.line if by_line else 0


def _without_numbers(message: str) -> str:
    return _NUMBER.sub("", message)


def _count_by_key(findings: Sequence[Finding], by_line: bool) -> Counter[FindingKey]:
    return Counter(_finding_key(finding, by_line) for finding in findings)
