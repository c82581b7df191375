"""Automatic fixes of a level file: the edits that its findings carry, and those of the findings that they bring up."""

from __future__ import annotations

import os
from bisect import bisect_right
from dataclasses import dataclass
from pathlib import Path

from ..format.file_access import is_tests_file
from ..format.findings import MAX_SHOWN_PATH, Edit, Finding, line_starts, sanitize_text
from ..format.source import find_level, read_source
from ..format.yaml_layout import apply_edits
from ..loader import check, check_source, gc_paused
from .yaml_document import BYTE_ORDER_MARK

MAX_ROUNDS = 8  # a fix may bring others to light
MAX_FINDINGS = 100_000  # of one check: all of them, so that mistakes that repeat are fixed in one pass


@dataclass(frozen=True, slots=True)
class AutofixResult:
    """Result of a run: `text` with all fixes, and `done`, their descriptions.

    remaining: findings after the run. elsewhere: those of them in other files of the level.
    """

    text: str
    done: tuple[str, ...]
    remaining: tuple[Finding, ...]
    elsewhere: int = 0


def autofix_level(level: str | os.PathLike[str], text: str) -> AutofixResult:
    """Fix `text`, the content of the level file `level`. Writes nothing.

    Raises LevelError if the text cannot be read as a level.
    """
    path = find_level(level)
    shown = sanitize_text(str(path), MAX_SHOWN_PATH)
    mark = BYTE_ORDER_MARK if text.startswith(BYTE_ORDER_MARK) else ""
    text = text.removeprefix(mark)
    done: list[str] = []
    with gc_paused():
        for round_number in range(MAX_ROUNDS + 1):
            findings = _check_text(path, mark + text)
            edits = [one.edit for one in findings if one.file == shown and one.edit is not None]
            if not edits or round_number == MAX_ROUNDS:
                break
            fixed, made = apply_edits(text, edits)
            starts = line_starts(text)
            done += [_describe(edit, text, starts) for edit in made]
            text = fixed
    return AutofixResult(mark + text, tuple(done), tuple(findings), sum(one.file != shown for one in findings))


def _describe(edit: Edit, text: str, starts: list[int]) -> str:
    """What an edit does to a text. starts: the offset of each of its lines."""
    old, line = text[edit.start : edit.end], bisect_right(starts, edit.end)
    if len(old) < 2 and old in (edit.text[: len(old)], edit.text[-len(old) :]):
        added = edit.text.removeprefix(old) if edit.text.startswith(old) else edit.text.removesuffix(old)
        added = added.strip(", \r\n")
        return f"line {line}: `{added}` added"
    return f"line {line}, column {edit.start - starts[line - 1] + 1}: `{old}` is now `{edit.text}`"


def _check_text(path: Path, text: str) -> list[Finding]:
    """All findings of a level or of a file of tests with another text."""
    overrides = {Path(os.path.realpath(path)): text.encode("utf-8")}
    if is_tests_file(path):
        return check(path, overrides)
    source = read_source(path, overrides)
    source.report.limit = MAX_FINDINGS
    return check_source(source)
