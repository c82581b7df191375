"""`test`: run the tests of level files, and report them on the terminal, as JSON and as JUnit XML."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core.errors import error_reason
from ...core.user_folders import has_level_suffix
from ..launch import json_output, world_setup
from ..launch.level_lookup import UserError, printable_name
from ..launch.progress_line import ProgressLine
from .argument_types import LEVELS_HELP, parse_level, parse_output
from .long_checks.worker_options import add_worker_options, check_worker_options, open_executor, process_count

if TYPE_CHECKING:
    from ...testing.level_files import LevelSelection, TestedLevel
    from ...testing.pool import TestTask
    from ...testing.reports import TestRecord

PASSED_STATUS, FAILED_STATUS = 0, 1
UNREADABLE_STATUS = 2
NONE_FOUND_STATUS = 5
DEFAULT_FOLDER = Path("walker-tests")
EXPLORED_TICKS = 200_000  # ticks of an exploration, for which compiling the whole tick pays

SUMMARY = "run the tests of levels"
HELP = f"""\
Run the tests of levels (docs/level_tests.md). They are under `tests` in the level file, or in a file NAME.tests.yaml
beside it; each has a walk or a bot, and states what must happen. A failure names the file and line of the test, the
tick, what was expected and what happened. It leaves a replay and a picture in the folder of -o (default:
{DEFAULT_FOLDER}); `replay FILE --show` plays the replay.

exit status: 0 all tests passed
             1 a test failed, or could not be run
             2 a level cannot be read, or an output cannot be written
             4 the workers of --scheduler cannot be used
             5 there are no tests

With --scheduler the workers of a Dask scheduler run the tests (docs/cluster.md). A test that fails there runs here
again, for its replay and its picture."""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("levels", type=parse_level, nargs="+", metavar="LEVEL", help=LEVELS_HELP)
    parser.add_argument("-k", default="", metavar="TEXT", help="only tests whose name, or whose level, contains TEXT")
    add_worker_options(parser, 1)
    parser.add_argument(
        "--junit", type=parse_output, metavar="FILE", help="write a report as JUnit XML, for CI systems"
    )
    json_output.add_json_option(parser)
    parser.add_argument("--update", action="store_true", help="write the hashes of paths into the files of the tests")
    parser.add_argument(
        "-o",
        "--output",
        type=parse_output,
        default=DEFAULT_FOLDER,
        metavar="FOLDER",
        help="folder for replays and pictures",
    )


def run(options: argparse.Namespace) -> int:
    """Run the tests and report; the exit status."""
    from ...core import atomic_files
    from ...testing import level_files, pool

    check_worker_options(options)
    if options.junit is not None:
        atomic_files.check_target(options.junit)
        if has_level_suffix(options.junit) or has_level_suffix(os.path.realpath(options.junit)):
            raise UserError(
                f"{options.junit}: the report must not have the name of a level; write .xml", UNREADABLE_STATUS
            )
    _check_folder(options.output)
    selection = level_files.select_levels(options.levels)
    levels = [level_files.read_tested_level(name) for name in selection.paths]
    tasks = pool.make_tasks(levels, options.k, options.output, options.update)
    report = _Report(options, sum(len(task.numbers) for task in tasks))
    report.show_levels(levels, selection)
    try:
        if tasks:
            _compile(tasks, levels)
            _run_tasks(tasks, levels, options, report)
    except KeyboardInterrupt:
        report.interrupt()
        raise
    if options.update:
        report.update_hashes()
    return report.finish()


def _check_folder(folder: Path) -> None:
    """UserError where no files can be written into a folder. It is created with the first failure only."""
    from ...core import atomic_files

    try:
        atomic_files.check_target(folder / "replay" if folder.exists() else folder)
    except OSError as error:
        reason = error_reason(error).partition(";")[0]
        raise UserError(f"{folder}: {reason}; choose another folder with -o", UNREADABLE_STATUS) from None


def _compile(tasks: list[TestTask], levels: list[TestedLevel]) -> None:
    """Compile the physics ahead, the whole tick where the walks are long enough."""
    from ...level.format.level_tests.level_test import BotKind, BotPlayer

    by_name = {tested.name: tested for tested in levels}
    ticks = 0
    for task in tasks:
        for test in (by_name[task.level].tests[number] for number in task.numbers):
            explores = isinstance(test.player, BotPlayer) and test.player.kind != BotKind.RANDOM
            ticks += EXPLORED_TICKS if explores else test.length(60.0) or 0
    balls = any(tested.level is not None and world_setup.has_balls(tested.level) for tested in levels)
    world_setup.ensure_compiled(ticks=ticks, balls=balls)


def _run_tasks(tasks: list[TestTask], levels: list[TestedLevel], options: argparse.Namespace, report: _Report) -> None:
    """Run the tasks, and report each test as it ends. UserError where its files cannot be written."""
    from ...testing import pool

    try:
        if options.scheduler:
            _run_on_workers(tasks, levels, options, report)
            return
        processes = process_count(options)
        if processes > 1 and len(tasks) > 1:
            from ...core.process_pool import run_in_processes

            for number, found in run_in_processes(pool.run_task, tasks, processes, time.perf_counter):
                report.add(tasks[number], found)  # None: its process was killed
            return
        loaded = {tested.name: tested.level for tested in levels}
        for task in tasks:
            report.add(task, pool.run_task(task, time.perf_counter, loaded[task.level], report.show_progress, None))
    except OSError as error:
        report.interrupt()
        place = error.filename or report.options.output  # a full disk names no file
        raise UserError(f"{place}: {error_reason(error)}", UNREADABLE_STATUS) from None


def _run_on_workers(
    tasks: list[TestTask], levels: list[TestedLevel], options: argparse.Namespace, report: _Report
) -> None:
    """Run the tasks on the workers of a scheduler, and here again where a test fails."""
    from ...cluster.errors import ClusterError
    from ...cluster.level_files import collect_level_files
    from ...cluster.level_work import LevelTestTask, run_level_tests
    from ...testing import pool
    from ...testing.reports import shown_path

    loaded = {tested.name: tested.level for tested in levels if tested.level is not None}
    try:
        files = {name: collect_level_files(loaded[name]) for name in dict.fromkeys(task.level for task in tasks)}
    except ClusterError as error:
        raise UserError(str(error), UNREADABLE_STATUS) from None
    remote = [LevelTestTask(files[task.level].digest, task, time.perf_counter) for task in tasks]
    with (
        open_executor(options, list(files.values()), len(remote)) as executor,
        contextlib.closing(executor.run(run_level_tests, remote)) as results,
    ):
        for number, records in in_order(results):
            task = tasks[number]
            if not all(record.is_good for record in records):
                records = pool.run_task(task, time.perf_counter, loaded[task.level], report.show_progress, None)
            for record in records:
                record.path = os.path.realpath(record.path)
                record.file = shown_path(Path(record.file))
            report.add(task, records)


def in_order(results: Iterable[tuple[int, Any]]) -> Iterator[tuple[int, Any]]:
    """Numbered results in the order of their numbers, each as soon as those before it are there."""
    waiting: dict[int, Any] = {}
    following = 0
    for number, result in results:
        waiting[number] = result
        while following in waiting:
            yield following, waiting.pop(following)
            following += 1


class _Report:
    """Results on the terminal as they come, and the reports at the end. Progress goes to stderr."""

    def __init__(self, options: argparse.Namespace, count: int) -> None:
        self.options = options
        self.count = count
        self.records: list[TestRecord] = []
        self.findings: list[tuple[str, str]] = []  # (file, text) of what cannot be read
        self.skipped_files = 0
        self.is_unreadable = False
        self._start = time.perf_counter()
        self._progress = ProgressLine(waits=True)

    def show_levels(self, levels: list[TestedLevel], selection: LevelSelection) -> None:
        """Show levels that cannot be read, tests that were left out, and folders without levels."""
        self.skipped_files = selection.skipped
        for tested in levels:
            self.is_unreadable |= tested.level is None
            for finding in tested.findings:
                if tested.level is None or self.options.k.lower() in tested.name.lower():
                    self.findings.append((finding.file, finding.render()))
                    self._print(finding.render())
        for folder in selection.missing:
            self._print(f"{printable_name(folder)}: no level in this folder")
        if selection.skipped:
            files = "file skipped: it has" if selection.skipped == 1 else "files skipped: they have"
            self._print(f"{selection.skipped} other YAML {files} no `format:`")

    def add(self, task: TestTask, records: list[TestRecord] | None) -> None:
        """Show the results of a task; None: its process was killed."""
        from ...testing.reports import failure_lines

        self._progress.clear()
        if records is None:
            text = f"{task.level}: a process that ran {len(task.numbers)} of its tests was killed; try a smaller -n"
            self.findings.append((task.level, text))
            self._print(text)
        for record in records or ():
            self.records.append(record)
            walked = f"{record.seconds:.1f} s of walk, " if record.ticks else ""
            line = f"{record.status.upper():<8} {record.file}:{record.line} {printable_name(record.name)}"
            note = f" ({record.message})" if record.is_good and record.message else ""
            self._print(f"{line}{note}  [{walked}{record.wall_seconds:.2f} s]")
            for text in failure_lines(record):
                self._print(f"    {printable_name(text)}")
        self.show_progress(0.0, "")

    def show_progress(self, fraction: float, what: str) -> None:
        """Show the number of finished tests, and the progress of the present one."""
        if not self._progress.is_due():
            return
        line = f"{len(self.records)} of {self.count} tests"
        if what:
            line += f"; {fraction * 100:.0f} % of {printable_name(what)}"
        self._progress.show(line)

    def interrupt(self) -> None:
        """Show how many tests ran before an interruption."""
        self._progress.clear()
        print(f"interrupted after {len(self.records)} of {self.count} tests", file=sys.stderr, flush=True)

    def update_hashes(self) -> None:
        """Write the hashes of paths into the files of their tests; UserError where one cannot be written."""
        from ...testing.golden_hashes import UpdateError, update_hashes

        try:
            for file, names in update_hashes(self.records).items():
                self._print(f"{file}: hash written: {', '.join(map(printable_name, names))}")
        except UpdateError as error:
            raise UserError(str(error), FAILED_STATUS) from None

    def finish(self) -> int:
        """Write the reports, print the summary; the exit status."""
        from ...core import atomic_files
        from ...testing import reports

        self._progress.clear()
        status = self._status()
        self.records.sort(key=lambda record: (record.file, record.line))
        if self.options.junit is not None:
            atomic_files.write_atomic(self.options.junit, reports.junit_xml(self.records, self.findings))
        texts = [text for _, text in self.findings]
        if self.options.json:
            document = reports.json_document(self.records, status, texts, self.skipped_files)
            json_output.print_document("test", document)
            return status
        print(reports.summary_line(self.records, time.perf_counter() - self._start))
        if status == NONE_FOUND_STATUS:
            which = f"no test contains '{printable_name(self.options.k)}'" if self.options.k else "no tests found"
            print(f"{which}; docs/level_tests.md tells how to write one")
        return status

    def _status(self) -> int:
        if self.is_unreadable:
            return UNREADABLE_STATUS
        if self.findings or not all(record.is_good for record in self.records):
            return FAILED_STATUS
        return PASSED_STATUS if self.records else NONE_FOUND_STATUS

    def _print(self, text: str) -> None:
        if not self.options.json:
            print(text, flush=True)
