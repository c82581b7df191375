"""Findings: problems of a level file, each with its severity, source position, message and suggested fix."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Literal, NoReturn

from ...core.arguments import as_flag, as_instances
from ...core.errors import WalkerError
from .plain_values import escape_character, format_scalar

Severity = Literal["fatal", "dropped", "warning"]

MAX_FINDINGS = 200  # for one level; the rest is only counted
MAX_EXCERPT_WIDTH = 110  # characters of a quoted line
MAX_SHOWN_PATH = 400  # characters of a displayed path
MAX_QUOTE_LENGTH = 40  # characters of the author's text inside a message

MIN_SIMILARITY = 0.7  # of a word and a suggestion, 0 to 1
MIN_LEAD = 0.05  # of the best suggestion over the second one, which is named too if it is as near
TESTS_SUFFIX = ".tests.yaml"  # of a file of tests beside its level
LINE_BREAKS = "\r\n\x85\u2028\u2029"  # of YAML, with the pair \r\n
LINE_BREAK = re.compile(f"\r\n|[{LINE_BREAKS}]")
_WORD = re.compile(r"""(?:&\S+\s+)?((["']?)([\w -]+)\2)""")  # after an anchor, with or without quotes


@dataclass(frozen=True, slots=True)
class SourceSpan:
    """Part of one line of a file. `line` and `column` count from 1; line 0 stands for the whole file.

    file: displayed path of an included file; empty for the level's own.
    """

    line: int = 0
    column: int = 0
    length: int = 1
    file: str = ""


@dataclass(frozen=True, slots=True)
class Edit:
    """Replacement of text[start:end] by `text`. Offsets count characters of a file, without its byte order mark."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Cure of a word that is not known. near: the known words that are most like it; otherwise: the cure without any.

    The finding has an edit if only one word is near, and the unknown one is a slip of it (`is_slip`).
    """

    word: str
    near: tuple[str, ...]
    otherwise: str = ""

    def __str__(self) -> str:
        return did_you_mean(self.near) or self.otherwise


@dataclass(frozen=True, slots=True)
class Finding:
    """One problem. `str` is one line; `render` adds the quoted line, an underline and the fix.

    severity: "fatal" (no level), "dropped" (the level loads without it) or "warning".
    where: the field as the format names it ("stairs.rise"); empty for the whole file.
    cure: suggested fix; may be empty.
    excerpt, caret, length: the quoted line without control characters, and the part of it to underline.
    kind: a word for its kind, where there is one: that of the bots' findings ("fall", "pit").
    edit: the change of the file that mends it, where the program knows one.
    """

    severity: Severity
    file: str
    line: int
    column: int
    where: str
    message: str
    cure: str = ""
    excerpt: str = ""
    caret: int = 0
    length: int = 1
    kind: str = ""
    edit: Edit | None = None

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        return f"{place}: {self.where}: {self.message}" if self.where else f"{place}: {self.message}"

    def render(self) -> str:
        """Finding, quoted line, underline and fix, on several lines without a final line break."""
        rows = [f"{self} [{self.severity}]"]
        if self.excerpt:
            number = f"{self.line:5d} | "
            before = self.excerpt[: self.caret]
            marked = self.excerpt[self.caret : self.caret + self.length]
            underline = " " * _display_width(before) + "^" * max(1, _display_width(marked))
            rows += [number + self.excerpt, " " * (len(number) - 2) + "| " + underline]
        if self.cure:
            rows.append(f"        {self.cure}")
        return "\n".join(rows)


class InputError(WalkerError):
    """A file or value that cannot be used. `cure`: suggested fix. `place`: position, if it is known."""

    def __init__(self, message: str, cure: str = "", place: SourceSpan | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.cure = cure
        self.place = place or SourceSpan()


class LevelError(WalkerError, ValueError):
    """The file is not a usable level. `findings` holds the reasons; `files` are those read for it."""

    def __init__(self, findings: Sequence[Finding], files: Sequence[Path] = ()) -> None:
        self.findings: tuple[Finding, ...] = tuple(findings)
        self.files: tuple[Path, ...] = tuple(files)
        super().__init__(self.findings, self.files)

    def __str__(self) -> str:
        return "\n".join(
            f"{finding}; {finding.cure}" if not finding.line and finding.cure else str(finding)
            for finding in self.findings
            if finding.severity == "fatal"
        )


class FindingCollector:
    """Findings of one level. Keeps the first `limit` and counts the rest.

    texts: by displayed path, the texts to quote from; "" is the level's own.
    files: everything that was read or looked for, the level first. pictures: those of them that only change the look.
    overrides: by real path, unsaved contents that replace those on disk.
    """

    def __init__(self, file: str, text: str = "") -> None:
        self.file = sanitize_text(file, MAX_SHOWN_PATH)
        self.limit = MAX_FINDINGS
        self.texts: dict[str, str] = {"": text}
        self.files: list[Path] = []
        self.pictures: set[Path] = set()
        self.overrides: dict[Path, bytes] = {}
        self._line_starts: dict[str, list[int]] = {}
        self._findings: list[Finding] = []
        self._reported: set[tuple[SourceSpan, str, str]] = set()
        self._omitted_counts: dict[Severity, int] = {}
        self.fatal = False
        self.error_count = 0  # findings added that are no warnings, repetitions included
        self.has_gaps = False  # something of the level, other than a test, was left out because of an error
        self.failures: list[Exception] = []  # errors of the program in checks, which a finding reports

    def add_dependency(self, path: Path, is_picture: bool = False) -> None:
        """Record a file that the level depends on, so that a change of it reloads the level.

        is_picture: only the look depends on it.
        """
        if path not in self.files:
            self.files.append(path)
            if is_picture:
                self.pictures.add(path)
        elif not is_picture:
            self.pictures.discard(path)

    def add(
        self,
        severity: Severity,
        place: SourceSpan,
        where: str,
        message: str,
        cure: str | Suggestion = "",
        edit: Edit | None = None,
    ) -> None:
        """Keep one finding with an excerpt of its line; a repetition is ignored."""
        self.fatal = self.fatal or severity == "fatal"
        if severity != "warning":
            self.error_count += 1
            self.has_gaps = self.has_gaps or not is_about_tests(where, place.file)
        if (place, where, message) in self._reported:
            return  # reported before through another alias
        if self.is_full:
            self._omitted_counts[severity] = self._omitted_counts.get(severity, 0) + 1
            return
        self._reported.add((place, where, message))
        if isinstance(cure, Suggestion) and edit is None:
            edit = self._word_edit(place, cure)
        excerpt, caret = self._excerpt(place)
        file = place.file or self.file
        self._findings.append(
            Finding(
                severity, file, place.line, place.column, where, message, str(cure), excerpt, caret, place.length,
                edit=edit,
            )
        )  # fmt: skip

    def warn_of_lack(self, place: SourceSpan, where: str, message: str, cure: str = "") -> None:
        """Warn that something is missing; nothing after an error, which may have left it out."""
        if not self.has_gaps:
            self.add("warning", place, where, message, cure)

    def escalate(self, field: str = "") -> bool:
        """Make the errors of a top-level field fatal; without one, all errors. False if there are none."""
        found = False
        for number, finding in enumerate(self._findings):
            if finding.severity != "warning" and field in ("", finding.where.split(".")[0]):
                self._findings[number] = replace(finding, severity="fatal")
                found = self.fatal = True
        return found

    def raise_fatal(self, message: str, cure: str = "", place: SourceSpan | None = None) -> NoReturn:
        """Add a fatal finding and raise LevelError with all findings."""
        self.add("fatal", place or SourceSpan(), "", message, cure)
        raise self.make_error()

    @property
    def is_full(self) -> bool:
        """Whether further findings are only counted."""
        return len(self._findings) >= self.limit

    def closest_words(self, word: str, known: Iterable[str]) -> tuple[str, ...]:
        """As `closest_words`; () once the list is full, because the search is the slowest part of a bad file."""
        return () if self.is_full else closest_words(word, known)

    def findings(self) -> tuple[Finding, ...]:
        """All findings in file order, those of a whole file first, with the number of omitted ones at the end."""
        rank = {name or self.file: number for number, name in enumerate(self.texts)}
        ordered = sorted(
            self._findings,
            key=lambda finding: (rank.get(finding.file, len(rank)), finding.file, finding.line, finding.column),
        )
        for severity, count in self._omitted_counts.items():
            plural = "" if count == 1 else "s"
            message = f"{count} more {severity} finding{plural} not shown"
            ordered.append(Finding(severity, self.file, 0, 0, "", message, "fix the ones above, then check again"))
        return tuple(ordered)

    def make_error(self) -> LevelError:
        return LevelError(self.findings(), self.files)

    def _starts(self, file: str) -> list[int]:
        """The offset of each line of a file."""
        if file not in self._line_starts:
            self._line_starts[file] = line_starts(self.texts.get(file, ""))
        return self._line_starts[file]

    def _excerpt(self, place: SourceSpan) -> tuple[str, int]:
        starts = self._starts(place.file)
        text = self.texts.get(place.file, "")
        if not 1 <= place.line <= len(starts):
            return "", 0
        end = starts[place.line] if place.line < len(starts) else len(text)
        line = text[starts[place.line - 1] : end].rstrip(LINE_BREAKS)
        first = max(0, min(place.column - 1 - MAX_EXCERPT_WIDTH // 2, len(line) - MAX_EXCERPT_WIDTH))
        cut = line[first : first + MAX_EXCERPT_WIDTH]
        return "".join(char if char.isprintable() else " " for char in cut), place.column - 1 - first

    def _word_edit(self, place: SourceSpan, suggestion: Suggestion) -> Edit | None:
        """Edit that writes the one suggested word at a place; None if the place holds more than the unknown word, or
        another word may be meant."""
        starts = self._starts(place.file)
        if len(suggestion.near) != 1 or not is_slip(suggestion.word, suggestion.near[0]):
            return None
        if not 1 <= place.line <= len(starts):
            return None
        text = self.texts.get(place.file, "")
        start = starts[place.line - 1] + place.column - 1
        written = _WORD.fullmatch(text, start, start + place.length)
        if written is None or written[3].strip().casefold() != suggestion.word.casefold():
            return None
        new = format_scalar(suggestion.near[0])
        is_joined = written[2] and re.match(r":\S", text[written.end() : written.end() + 2])  # as in {"from":1}
        return Edit(written.start(1), written.end(1), f'"{new}"' if is_joined else new)


def line_starts(text: str) -> list[int]:
    """The offset of each line, of which there is at least one."""
    return [0, *(match.end() for match in LINE_BREAK.finditer(text))]


def is_about_tests(where: str, file: str) -> bool:
    """Whether a finding is about tests: in the field `tests` of a level, or in a file of tests."""
    return where.partition(".")[0] == "tests" or file.lower().endswith(TESTS_SUFFIX)


def severity_exit_code(findings: Iterable[Finding], strict: bool = False) -> int:
    """Exit code of `check`: 0 clean or warnings only (1 if `strict`), 1 something was dropped, 2 not a level."""
    strict = as_flag(strict, "strict")
    severities = {finding.severity for finding in as_instances(findings, Finding, "findings")}
    if "fatal" in severities:
        return 2
    return 1 if "dropped" in severities or (strict and severities) else 0


def newly_dropped(known: Iterable[Finding], findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings of pieces that are left out now and were not before. known: the findings of before."""
    left = Counter((finding.where, finding.message) for finding in known if finding.severity == "dropped")
    found = []
    for finding in findings:
        if finding.severity == "dropped":
            left[finding.where, finding.message] -= 1
            if left[finding.where, finding.message] < 0:
                found.append(finding)
    return tuple(found)


def sanitize_text(text: str, limit: int = MAX_QUOTE_LENGTH) -> str:
    """`text` cut to `limit` characters, with control characters escaped for a terminal."""
    shortened = text if len(text) <= limit else text[: limit - 1] + "…"
    return "".join(char if char.isprintable() else escape_character(char) for char in shortened)


def quote_text(text: str) -> str:
    """The author's text in backquotes, cut and sanitized, for a message."""
    return f"`{sanitize_text(text)}`"


def suggest_word(word: str, known: Iterable[str]) -> str:
    """ "did you mean `rise`?" for the most similar known word, or ''."""
    return did_you_mean(closest_words(word, known))


def suggest_file(name: str, known: Iterable[str]) -> str:
    """As `suggest_word`, for the name of a file: its extension does not count."""
    files = {Path(one).stem: one for one in known}
    return did_you_mean([files[stem] for stem in closest_words(Path(name).stem, files)])


def did_you_mean(words: Sequence[str]) -> str:
    """The question with these words; '' without any."""
    return f"did you mean {join_alternatives(f'`{word}`' for word in words)}?" if words else ""


def closest_words(word: str, known: Iterable[str]) -> tuple[str, ...]:
    """The known word that is most alike, and a second one that is as near; () if none is near."""
    return _closest_words(word.strip().lower().replace("-", "_")[:MAX_QUOTE_LENGTH], tuple(sorted(known)))


@lru_cache(maxsize=256)
def _closest_words(word: str, choices: tuple[str, ...]) -> tuple[str, ...]:
    lowered = {choice.lower(): choice for choice in choices}
    matches = difflib.get_close_matches(word, lowered, n=2, cutoff=MIN_SIMILARITY)
    least = max((difflib.SequenceMatcher(None, match, word).ratio() for match in matches), default=0.0) - MIN_LEAD
    return tuple(lowered[one] for one in matches if difflib.SequenceMatcher(None, one, word).ratio() >= least)


def is_slip(word: str, meant: str) -> bool:
    """Whether a word is another one with a slip: a letter more, less or swapped with the next; two from six letters on.

    Another letter in its place counts as two, so that a `lamp` is no `ramp`.
    """
    a, b = (text.strip().lower().replace("-", "_")[:MAX_QUOTE_LENGTH] for text in (word, meant))
    # `row`: the slips from the first letters of `a` to each beginning of `b`; above it those before
    before, above, row = list[int](), list[int](), list(range(len(b) + 1))
    for i, letter in enumerate(a):
        before, above, row = above, row, [i + 1]
        for j, other in enumerate(b):
            least = above[j] if letter == other else min(above[j + 1], row[j]) + 1
            if i and j and letter == b[j - 1] and other == a[i - 1]:
                least = min(least, before[j - 1] + 1)
            row.append(least)
    return row[-1] <= (2 if len(b) >= 6 else 1)


def join_alternatives(words: Iterable[str]) -> str:
    """ "a, b or c", for messages."""
    items = list(words)
    return items[0] if len(items) == 1 else ", ".join(items[:-1]) + " or " + items[-1] if items else "nothing"


def _display_width(text: str) -> int:
    """Columns that a terminal needs for the text."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )
