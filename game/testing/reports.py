"""Reports of level tests: plain records of runs, as text, JSON and JUnit XML."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from ..level import Level
from ..level.format.level_tests.level_test import HashExpectation
from .runner import TestRun, TestStatus

REPORT_FORMAT = 1
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # characters that XML 1.0 cannot hold


@dataclass(slots=True)
class ExpectationRecord:
    """Result of one expectation. line, column: in the file of the test. tick, seconds: when it was decided. is_hash:
    whether the expectation is a hash of the path."""

    line: int
    column: int
    tick: int
    seconds: float
    held: bool
    expected: str
    actual: str
    is_hash: bool = False


@dataclass(slots=True)
class TestRecord:
    """One run as plain data, which passes between processes and into reports.

    line: of the test in `file`. path: the real path of that file. ticks, seconds: length of the walk.
    ticks_explored: by all bots. wall_seconds: time that the run took. path_hash: of the walk up to its last tick.
    new_hashes: line and column of each accepted hash, which `update_hashes` writes.
    """

    __test__ = False

    level: str
    path: str
    file: str
    line: int
    name: str
    status: str
    message: str = ""
    cure: str = ""
    expectations: list[ExpectationRecord] = field(default_factory=list)
    ticks: int = 0
    ticks_explored: int = 0
    seconds: float = 0.0
    wall_seconds: float = 0.0
    path_hash: str = ""
    new_hashes: list[tuple[int, int]] = field(default_factory=list)
    files: list[str] = field(default_factory=list)

    @property
    def is_good(self) -> bool:
        """Whether it counts as passed."""
        return self.status not in (TestStatus.FAILED, TestStatus.ERROR)

    @property
    def failures(self) -> list[ExpectationRecord]:
        """Expectations that do not hold, the earliest first."""
        return sorted((one for one in self.expectations if not one.held), key=lambda one: one.tick)


def make_record(level: Level, run: TestRun) -> TestRecord:
    return TestRecord(
        level=level.name,
        path=os.path.realpath(run.test.path),
        file=shown_path(run.test.path),
        line=run.test.place.line,
        name=run.test.name,
        status=run.status.value,
        message=run.message,
        cure=run.cure,
        expectations=[
            ExpectationRecord(
                one.expectation.place.line,
                one.expectation.place.column,
                one.outcome.tick,
                round(one.outcome.tick / run.ticks_per_second, 3),
                one.outcome.held,
                one.outcome.expected,
                one.outcome.actual,
                isinstance(one.expectation, HashExpectation),
            )
            for one in run.results
        ],
        ticks=run.ticks,
        ticks_explored=run.ticks_explored,
        seconds=round(run.ticks / run.ticks_per_second, 3),
        path_hash="" if run.walk is None else run.walk.hash,
    )


def shown_path(path: Path) -> str:
    """A path relative to the current folder where it is below it, so that a terminal can open `file:line`."""
    real, here = os.path.realpath(path), os.path.realpath(os.curdir)
    return os.path.relpath(real, here) if real.startswith(here + os.sep) else str(path)


def failure_lines(record: TestRecord) -> list[str]:
    """The failure of a run in short lines; empty for a run that counts as passed."""
    if record.is_good:
        return []
    lines: list[str] = []
    for one in record.failures:
        lines += [
            f"{record.file}:{one.line or record.line}: failed at tick {one.tick} ({one.seconds:.2f} s)",
            f"  expected: {one.expected}",
            f"  was:      {one.actual}",
        ]
    lines += record.message.splitlines()
    if record.cure:
        lines.append(record.cure)
    return lines + [f"see {path}" for path in record.files]


def summary_line(records: Sequence[TestRecord], wall_seconds: float) -> str:
    """Counts by status, and the time."""
    counts = Counter(record.status for record in records)
    words = {"failed": "failed", "error": "could not run", "passed": "passed", "skipped": "skipped"}
    words["expected failure"] = "failed as expected"
    parts = [f"{counts[status]} {word}" for status, word in words.items() if counts[status]]
    return f"{', '.join(parts) or 'no tests'} in {wall_seconds:.1f} s"


def json_document(
    records: Sequence[TestRecord], status: int, findings: Sequence[str], skipped_files: int
) -> dict[str, Any]:
    return {
        "format": REPORT_FORMAT,
        "status": status,
        "counts": dict(Counter(record.status for record in records)),
        "findings": list(findings),
        "skipped_files": skipped_files,
        "tests": [asdict(record) for record in records],
    }


def junit_xml(records: Sequence[TestRecord], findings: Sequence[tuple[str, str]] = ()) -> bytes:
    """JUnit XML: a suite for each level file, a case for each test. findings: (file, text) of what could not be read,
    one case with an error each."""
    suites = ElementTree.Element("testsuites", name="walker test")
    files = dict.fromkeys([*(record.file for record in records), *(file for file, _ in findings)])
    for file in files:
        suite = ElementTree.SubElement(suites, "testsuite", name=_xml_text(file))
        of_file = [record for record in records if record.file == file]
        unreadable = [text for name, text in findings if name == file]
        for record in of_file:
            _add_case(suite, record)
        for text in unreadable:
            case = ElementTree.SubElement(
                suite, "testcase", classname=_xml_text(_class_name(file)), name="the file can be read", time="0.000"
            )
            first = text.splitlines()[0] if text else ""
            ElementTree.SubElement(case, "error", message=_xml_text(first), type="finding").text = _xml_text(text)
        _count(suite, of_file, len(unreadable))
    _count(suites, records, len(findings))
    document: bytes = ElementTree.tostring(suites, encoding="utf-8", xml_declaration=True)
    return document + b"\n"


def _count(element: ElementTree.Element, records: Sequence[TestRecord], errors: int) -> None:
    statuses = Counter(record.status for record in records)
    skipped = statuses[TestStatus.SKIPPED] + statuses[TestStatus.EXPECTED_FAILURE]
    for name, number in (
        ("tests", len(records) + errors),
        ("failures", statuses[TestStatus.FAILED]),
        ("errors", statuses[TestStatus.ERROR] + errors),
        ("skipped", skipped),
    ):
        element.set(name, str(number))
    element.set("time", f"{sum(record.wall_seconds for record in records):.3f}")


def _add_case(suite: ElementTree.Element, record: TestRecord) -> None:
    case = ElementTree.SubElement(
        suite,
        "testcase",
        classname=_xml_text(_class_name(record.file)),
        name=_xml_text(record.name),
        file=_xml_text(record.file),
        line=str(record.line),
        time=f"{record.wall_seconds:.3f}",
    )
    text = "\n".join(failure_lines(record))
    if record.status in (TestStatus.SKIPPED, TestStatus.EXPECTED_FAILURE):
        ElementTree.SubElement(case, "skipped", message=_xml_text(record.message))
    elif not record.is_good:
        kind = "failure" if record.status == TestStatus.FAILED else "error"
        first = record.failures[0] if record.failures else None
        message = record.message or (f"expected {first.expected}; was: {first.actual}" if first else "")
        ElementTree.SubElement(case, kind, message=_xml_text(message), type=record.status).text = _xml_text(text)


def _class_name(file: str) -> str:
    return Path(file).with_suffix("").as_posix().strip("./").replace("/", ".")


def _xml_text(text: str) -> str:
    return _NOT_XML.sub("?", text)
