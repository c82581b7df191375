"""Pool of processes that runs the tests of many levels. The number of processes changes no result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ..level import Level
from ..level.format.level_tests.level_test import BotKind, BotPlayer
from . import artefacts, golden_hashes
from .explorer import ExplorationCache
from .level_files import TestedLevel, read_tested_level
from .reports import TestRecord, make_record, shown_path
from .runner import Progress, TestStatus, run_test

Clock = Callable[[], float]  # s; passed in, because nothing below the application reads a clock


@dataclass(frozen=True, slots=True)
class TestTask:
    """Tests of one level that run in one process.

    numbers: indices of the tests in `Level.tests`. names: of these tests. stems: names of the files of each, without
    suffix. folder: of these files. updates: a hash that differs is accepted, for `--update`.
    """

    __test__ = False

    level: str
    numbers: tuple[int, ...]
    names: tuple[str, ...]
    stems: tuple[str, ...]
    folder: str | None
    updates: bool = False


def make_tasks(levels: Sequence[TestedLevel], text: str, folder: Path | None, updates: bool = False) -> list[TestTask]:
    """Tasks for the tests that contain a text. Tests that need an exploration of a level share a task."""
    tasks: list[TestTask] = []
    stems: dict[str, int] = {}
    for tested in levels:
        groups: dict[tuple[str, int], list[int]] = {}
        for number, test in tested.chosen(text):
            player = test.player
            explores = isinstance(player, BotPlayer) and player.kind != BotKind.RANDOM and not test.skip
            groups.setdefault((test.spawn, -1) if explores else ("", number), []).append(number)
        for numbers in groups.values():
            names = tuple(tested.tests[number].name for number in numbers)
            files = tuple(_unique_stem(tested, number, stems) for number in numbers)
            where = None if folder is None else str(folder)
            tasks.append(TestTask(tested.name, tuple(numbers), names, files, where, updates))
    return tasks


def _unique_stem(tested: TestedLevel, number: int, stems: dict[str, int]) -> str:
    """Name of a test's files; another one of the same name gets a number."""
    assert tested.level is not None
    return artefacts.unique_stem(artefacts.file_stem(tested.level.path.stem, tested.tests[number].name), stems)


def run_task(
    task: TestTask, clock: Clock, level: Level | None = None, progress: Progress | None = None, threads: int | None = 1
) -> list[TestRecord]:
    """Run the tests of a task. level: of the task, if it is loaded already. OSError if files cannot be written."""
    if level is None:
        level = read_tested_level(task.level).level
        tests = () if level is None else level.tests
        found = tuple(tests[number].name if number < len(tests) else "" for number in task.numbers)
        if level is None or found != task.names:
            raise OSError(0, "the level was changed while its tests ran", task.level)
    cache = ExplorationCache(level, threads)
    records = []
    for number, stem in zip(task.numbers, task.stems, strict=True):
        start = clock()
        run = run_test(
            level, level.tests[number], cache, progress and partial(_named_progress, progress, level, number)
        )
        record = make_record(level, run)
        if task.updates:
            golden_hashes.accept_hashes(record)
        if task.folder is not None and record.status == TestStatus.FAILED:
            written = artefacts.write_artefacts(level, run, Path(task.folder), stem)
            record.files = [shown_path(path) for path in written]
        record.wall_seconds = round(clock() - start, 3)
        records.append(record)
    return records


def _named_progress(progress: Progress, level: Level, number: int, fraction: float, what: str) -> None:
    progress(fraction, f"{level.tests[number].name}: {what}")
