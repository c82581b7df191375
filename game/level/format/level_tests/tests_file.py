"""File of tests beside a level: `NAME.tests.yaml` for `NAME.yaml`."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from ....core.user_folders import LEVEL_SUFFIXES
from ..file_access import is_tests_file, list_files, tests_path
from ..findings import (
    MAX_SHOWN_PATH,
    TESTS_SUFFIX,
    Finding,
    FindingCollector,
    InputError,
    SourceSpan,
    is_about_tests,
    quote_text,
    sanitize_text,
    suggest_word,
)
from ..record import FORMAT, FileResolver, Reader
from ..source import decode_yaml_text, read_level_bytes
from ..yaml_nodes import YamlMapping, YamlScalar, YamlUsage, compose_nodes
from .records import FileOfTests, LevelTestFields

_START_CURE = "start with `format: 1` and `tests:`; see docs/level_format.md"


def is_test_finding(finding: Finding) -> bool:
    """True for a finding that leaves out tests: in the field `tests` of a level, or in a file of tests."""
    return finding.severity != "warning" and is_about_tests(finding.where, finding.file)


def tested_level(path: Path) -> Path | None:
    """The level file beside a file of tests; None if there is none."""
    stem = path.name[: -len(TESTS_SUFFIX)]
    candidates = (path.with_name(stem + extension) for extension in LEVEL_SUFFIXES)
    return next((level for level in candidates if os.path.isfile(level)), None)


def report_missing_level(path: Path) -> FindingCollector:
    """Collector with the finding that the level of a file of tests does not exist."""
    report = FindingCollector(str(path))
    name = path.name[: -len(TESTS_SUFFIX)] + LEVEL_SUFFIXES[0]
    known = [level for level in list_files(path.parent, LEVEL_SUFFIXES) if not is_tests_file(level)]
    cure = suggest_word(name, known) or "name the file after its level: `NAME.tests.yaml` belongs to `NAME.yaml`"
    report.add("fatal", SourceSpan(), "", f"the level of these tests, {quote_text(name)}, does not exist", cure)
    return report


def read_tests_file(
    level: Path, report: FindingCollector, files: FileResolver, usage: YamlUsage
) -> tuple[Path, tuple[LevelTestFields, ...]]:
    """The file of tests beside a level with its records. Mistakes become findings."""
    path = tests_path(level)
    report.add_dependency(path)
    shown = sanitize_text(str(path), MAX_SHOWN_PATH)
    report.texts[shown] = ""
    try:
        report.texts[shown] = decode_yaml_text(read_level_bytes(path, report))
        root = compose_nodes(report.texts[shown], shown, usage).root
        if not isinstance(root, YamlMapping) or not any(
            isinstance(key, YamlScalar) and key.text in FileOfTests.fields for key, _ in root.pairs
        ):
            raise InputError("the file has no tests", _START_CURE, root.place if root is not None else None)
    except InputError as error:
        report.add("dropped", replace(error.place, file=shown), "tests", error.message, error.cure)
        return path, ()
    reader = Reader(report, files, {}, is_level=False)
    record = reader.read(FileOfTests, root, SourceSpan(1, 1, file=shown), "")
    assert record is not None, "it keeps its mistakes"
    return path, record.tests if _belongs_to(record, level, report) else ()


def _belongs_to(file: FileOfTests, level: Path, report: FindingCollector) -> bool:
    """False after a finding about another format or another level."""
    if file.is_given(FileOfTests.format) and file.format != FORMAT:
        cure = f"this version reads `format: {FORMAT}`"
        place = file.place_of(FileOfTests.format)
        report.add("dropped", place, "tests.format", f"format {file.format} is not supported", cure)
        return False
    if file.level and file.level.removeprefix("./") != level.name:
        message = f"by its name this file belongs to {quote_text(level.name)}, not to {quote_text(file.level)}"
        cure = f"write `level: {level.name}`, or rename this file"
        report.add("dropped", file.place_of(FileOfTests.level), "tests.level", message, cure)
        return False
    return True
