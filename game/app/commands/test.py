"""`test`: run the tests of level files by pytest."""

from __future__ import annotations

import argparse
import importlib.util
import os
from collections import Counter
from pathlib import Path
from typing import Any

from ..launch import world_setup
from ..launch.level_lookup import UserError, printable_name
from .frame import UNREADABLE_STATUS, Result, add_json, add_levels, add_output

NONE_FOUND_STATUS = 5
DEFAULT_FOLDER = Path("walker-tests")
INSTALL = "install it with: pip install 'ellipsoid-walker[levels]'"

SUMMARY = "run the tests of levels"
HELP = f"""\
Run the tests of levels by pytest (docs/level_tests.md). They are under `tests` in the level file, or in a file
NAME.tests.yaml beside it; each has a walk or a bot, and states what must happen. A failure names the file and line of
the expectation, the tick, what was expected and what happened. It leaves a replay and a picture in the folder of -o
(default: {DEFAULT_FOLDER}); `replay FILE --show` plays the replay.

exit status: 0 all tests passed
             1 a test failed, or could not be run
             2 a level cannot be read, an output cannot be written, or pytest is not installed
             5 there are no tests"""


def add_options(parser: argparse.ArgumentParser) -> None:
    add_levels(parser)
    parser.add_argument("-k", default="", metavar="EXPRESSION", help="only tests that match, as in pytest")
    parser.add_argument("-n", default="1", type=_parse_processes, metavar="N", help="processes, or auto (pytest-xdist)")
    add_json(parser)
    add_output(parser, "folder for replays and pictures", metavar="FOLDER", default=DEFAULT_FOLDER)


def _parse_processes(text: str) -> str:
    if text != "auto" and not (text.isascii() and text.isdigit() and int(text)):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of processes; write a number or auto")
    return text


def run(options: argparse.Namespace) -> Result:
    """Run the tests, which print their results."""
    for package, user in (("pytest", "the tests of levels need"), ("xdist", "-n needs")):
        if (package == "pytest" or options.n != "1") and importlib.util.find_spec(package) is None:
            name = "pytest-xdist" if package == "xdist" else package
            raise UserError(f"{user} {name}; {INSTALL}")
    from ...level import find_level
    from ...testing import level_files

    results = _Results()
    selection = level_files.select_levels(options.levels)
    for folder in selection.missing:
        print(f"{printable_name(folder)}: no level in this folder")
    if selection.skipped:
        files = "file skipped: it has" if selection.skipped == 1 else "files skipped: they have"
        print(f"{selection.skipped} other YAML {files} no `format:`")
    _run_pytest([str(find_level(name)) for name in selection.paths], options, results)
    fields = {
        "counts": dict(Counter(record["status"] for record in results.records)),
        "findings": results.findings,
        "skipped_files": selection.skipped,
        "tests": sorted(results.records, key=lambda record: (record["file"], record["line"])),
    }
    return Result(results.status, fields=lambda: fields)


def _run_pytest(levels: list[str], options: argparse.Namespace, results: _Results) -> None:
    """Run the tests of the levels. Levels that are no files are findings: pytest has other words for them."""
    import pytest

    from ...testing import level_files, pytest_plugin

    for name in levels:
        if not os.path.isfile(name):
            _, findings = level_files.read_tested_level(name)
            results.add_unreadable("\n".join(one.render() for one in findings))
            print(results.findings[-1])
    paths = [name for name in levels if os.path.isfile(name)]
    code: int = pytest.ExitCode.NO_TESTS_COLLECTED
    if paths:
        world_setup.ensure_compiled()
        arguments = [
            *("-c", os.devnull, "--rootdir", os.curdir, "--noconftest", "-p", "no:cacheprovider"),  # none of the user's
            *("-p", "no:ellipsoid-walker", "-p", pytest_plugin.__name__),  # of this package, not of an installed one
            *("-v", "-s", "-rN", "--assert=plain", "--no-header", "--continue-on-collection-errors"),
            *("--walker-output", str(options.output)),
            *(("-k", options.k) if options.k else ()),
            *(("-n", options.n, "--dist", "loadfile") if options.n != "1" else ()),
        ]
        code = pytest.main([*arguments, *paths], plugins=[results])
    if results.is_interrupted:
        raise KeyboardInterrupt
    results.status = results.status or (int(code) if code in (0, 1, NONE_FOUND_STATUS) else UNREADABLE_STATUS)


class _Results:
    """Plugin of pytest that collects the results.

    records: of the tests (`testing.runner.Record`). findings: text of what cannot be read. status: exit status.
    """

    def __init__(self) -> None:
        self.records: list[dict[str, Any]] = []
        self.findings: list[str] = []
        self.status = 0
        self.is_interrupted = False

    def add_unreadable(self, text: str) -> None:
        self.findings.append(text)
        self.status = UNREADABLE_STATUS

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self.add_unreadable(report.longreprtext)

    def pytest_runtest_logreport(self, report: Any) -> None:
        if hasattr(report, "level_test"):
            self.records.append(report.level_test)
            self.status = UNREADABLE_STATUS if report.unwritten else self.status
        elif hasattr(report, "finding"):
            self.findings.append(report.finding)

    def pytest_keyboard_interrupt(self) -> None:
        self.is_interrupted = True
