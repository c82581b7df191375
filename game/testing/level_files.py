"""Selection of the levels to test, by path, name of a shipped level, or folder."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from ..core.user_folders import has_level_suffix
from ..level import Finding, Level, LevelError, find_level, load
from ..level.format.file_access import folder_of, is_tests_file
from ..level.format.level_tests.tests_file import is_test_finding, report_missing_level, tested_level

MAX_HEAD_BYTES = 1 << 20  # of a file in a folder, in which `format:` is looked for
_FORMAT_LINE = re.compile(rb"^(\xef\xbb\xbf)?[\"']?format[\"']?[ \t]*:", re.MULTILINE)
_UTF16_MARKS = b"\xff\xfe", b"\xfe\xff"


@dataclass(frozen=True, slots=True)
class LevelSelection:
    """Levels to be tested. skipped: other YAML files in the folders; missing: folders without a level."""

    paths: list[str] = field(default_factory=list)
    skipped: int = 0
    missing: list[str] = field(default_factory=list)


def select_levels(names: Iterable[str], tests_as_levels: bool = True) -> LevelSelection:
    """The levels of paths, shipped names and folders, each once, in order.

    tests_as_levels: a file of tests stands for its level; else it stays itself.
    """
    paths: dict[str, str] = {}
    skipped, missing = 0, []
    for name in names:
        folder = folder_of(name)
        if folder is None:
            level = str(tested_level_of(Path(name))) if tests_as_levels and is_tests_file(name) else name
            paths.setdefault(_real_path(str(find_level(level))), level)
            continue
        found, others = levels_below(folder)
        skipped += others
        if not found:
            missing.append(name)
        for path in found:
            paths.setdefault(_real_path(str(path)), str(path))
    return LevelSelection(list(paths.values()), skipped, missing)


def _real_path(name: str) -> str:
    """The real path of a name; the name itself where no file can have it."""
    try:
        return os.path.realpath(name)
    except (OSError, ValueError):
        return name


def levels_below(folder: Path) -> tuple[list[Path], int]:
    """All level files below a folder, sorted, and the number of other YAML files.

    A folder with the name of a level counts as a folder. A file of tests whose level is missing is one of them, so that
    it is reported. OSError for a folder that cannot be read.
    """
    os.listdir(folder)  # `rglob` finds nothing where this raises
    files = sorted(path for path in folder.rglob("*") if has_level_suffix(path))
    files = [path for path in files if not any(part.startswith(".") for part in path.relative_to(folder).parts)]
    files = [path for path in files if not path.is_dir()]
    orphans = [path for path in files if is_tests_file(path) and tested_level(path) is None]
    others = [path for path in files if not is_tests_file(path)]
    levels = [path for path in others if has_format(path)]
    return sorted([*levels, *orphans]), len(others) - len(levels)


def has_format(path: Path) -> bool:
    """Whether a file has `format:` at the top level, as every level has; also where that cannot be seen."""
    try:
        if path.exists() and not path.is_file():
            return True  # a pipe would never be read to its end
        with open(path, "rb") as file:
            head = file.read(MAX_HEAD_BYTES)
        return head.startswith(_UTF16_MARKS) or _FORMAT_LINE.search(head) is not None
    except OSError:
        return True  # so that the error is reported, not hidden


def tested_level_of(path: Path) -> Path:
    """The level of a file of tests; the file itself where it is a level, or where its level does not exist."""
    return (tested_level(path) if is_tests_file(path) else None) or path


def read_tested_level(name: str) -> tuple[Level | None, tuple[Finding, ...]]:
    """(a level by path or shipped name, findings). Never raises for a bad level, or for tests whose level is missing.

    Without a level the findings say why it cannot be read; else why tests were left out.
    """
    if is_tests_file(name) and tested_level(Path(name)) is None and os.path.isfile(name):
        return None, tuple(report_missing_level(Path(name)).findings())
    try:
        level = load(name)
    except LevelError as error:
        return None, error.findings
    return level, tuple(finding for finding in level.findings if is_test_finding(finding))
