"""`test`: run the tests of level files by pytest."""

from __future__ import annotations

import argparse
import importlib.util
import os
from pathlib import Path
from typing import Any

from ...core.errors import error_reason
from ...core.user_folders import has_level_suffix
from ..launch import json_output, world_setup
from ..launch.level_lookup import UserError, printable_name
from .argument_types import LEVELS_HELP, parse_level, parse_output

UNREADABLE_STATUS, NONE_FOUND_STATUS = 2, 5
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
    parser.add_argument("levels", type=parse_level, nargs="+", metavar="LEVEL", help=LEVELS_HELP)
    parser.add_argument("-k", default="", metavar="EXPRESSION", help="only tests that match, as in pytest")
    parser.add_argument("-n", default="1", type=_parse_processes, metavar="N", help="processes, or auto (pytest-xdist)")
    parser.add_argument("--junit", type=parse_output, metavar="FILE", help="write a report as JUnit XML")
    json_output.add_json_option(parser)
    parser.add_argument(
        "-o",
        "--output",
        type=parse_output,
        default=DEFAULT_FOLDER,
        metavar="FOLDER",
        help="folder for replays and pictures",
    )


def _parse_processes(text: str) -> str:
    if text != "auto" and not (text.isascii() and text.isdigit() and int(text)):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of processes; write a number or auto")
    return text


def run(options: argparse.Namespace) -> int:
    """Run the tests; the exit status."""
    if importlib.util.find_spec("pytest") is None:
        raise UserError(f"the tests of levels need pytest; {INSTALL}", UNREADABLE_STATUS)
    if options.n != "1" and importlib.util.find_spec("xdist") is None:
        raise UserError(f"-n needs pytest-xdist; {INSTALL}", UNREADABLE_STATUS)
    _check_outputs(options.output, options.junit)
    with json_output.text_output(options.json):
        report, skipped = _run_tests(options)
    if options.json:
        from ...testing.reports import json_document

        json_output.print_document("test", json_document(report.records, report.status, report.findings, skipped))
    return report.status


def _check_outputs(folder: Path, junit: Path | None) -> None:
    """UserError where an output cannot be written. The folder is created with the first failure only."""
    from ...core import atomic_files

    if junit is not None:
        atomic_files.check_target(junit)
        if has_level_suffix(junit) or has_level_suffix(os.path.realpath(junit)):
            message = f"{junit}: the report must not have the name of a level; write .xml"
            raise UserError(message, UNREADABLE_STATUS)
    try:
        atomic_files.check_target(folder / "replay" if folder.exists() else folder)
    except OSError as error:
        reason = error_reason(error).partition(";")[0]
        raise UserError(f"{folder}: {reason}; choose another folder with -o", UNREADABLE_STATUS) from None


def _run_tests(options: argparse.Namespace) -> tuple[_Report, int]:
    """(the results, the number of YAML files that are no levels)."""
    import pytest

    from ...testing import level_files, pytest_plugin

    report = _Report()
    selection = level_files.select_levels(options.levels)
    for folder in selection.missing:
        print(f"{printable_name(folder)}: no level in this folder")
    if selection.skipped:
        files = "file skipped: it has" if selection.skipped == 1 else "files skipped: they have"
        print(f"{selection.skipped} other YAML {files} no `format:`")
    for name in selection.paths:
        if not os.path.isfile(name):
            report.add_unreadable("\n".join(one.render() for one in level_files.read_tested_level(name).findings))
            print(report.findings[-1])
    paths = [name for name in selection.paths if os.path.isfile(name)]
    if not paths:
        report.set_status(pytest.ExitCode.NO_TESTS_COLLECTED)
        return report, selection.skipped
    world_setup.ensure_compiled()
    arguments = [
        *("-c", os.devnull, "--rootdir", os.curdir, "--noconftest", "-p", "no:cacheprovider"),  # none of the user's
        *("-p", "no:ellipsoid-walker", "-p", pytest_plugin.__name__),  # of this package, not of an installed one
        *("-v", "-s", "-rN", "--assert=plain", "--no-header", "--continue-on-collection-errors"),
        *("--walker-output", str(options.output)),
        *(("-k", options.k) if options.k else ()),
        *(("-n", options.n, "--dist", "loadfile") if options.n != "1" else ()),
        *(("--junitxml", str(options.junit)) if options.junit is not None else ()),
    ]
    try:
        report.set_status(pytest.main([*arguments, *paths], plugins=[report]))
    except OSError as error:
        if options.junit is None or error.filename is not None:
            raise
        raise UserError(f"{options.junit}: {error_reason(error)}", UNREADABLE_STATUS) from None
    return report, selection.skipped


class _Report:
    """Plugin of pytest that collects the results.

    records: each `TestRecord` as a dictionary, by file and line. findings: text of what cannot be read.
    """

    def __init__(self) -> None:
        self.records: list[dict[str, Any]] = []
        self.findings: list[str] = []
        self.status = 0
        self._is_interrupted = False

    def add_unreadable(self, text: str) -> None:
        self.findings.append(text)
        self.status = UNREADABLE_STATUS

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self.add_unreadable(report.longreprtext)

    def pytest_runtest_logreport(self, report: Any) -> None:
        if hasattr(report, "level_test"):
            self.records.append(report.level_test)
            if report.unwritten:
                self.status = UNREADABLE_STATUS
        elif hasattr(report, "finding"):
            self.findings.append(report.finding)

    def pytest_keyboard_interrupt(self) -> None:
        self._is_interrupted = True

    def set_status(self, code: int) -> None:
        """Set the exit status from that of pytest; KeyboardInterrupt after an interruption."""
        if self._is_interrupted:
            raise KeyboardInterrupt
        self.records.sort(key=lambda record: (record["file"], record["line"]))
        known = code in (0, 1, NONE_FOUND_STATUS)
        self.status = self.status or (int(code) if known else UNREADABLE_STATUS)
