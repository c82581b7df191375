"""Work of `check --walk` and `test` for other processes and machines: a task is one level, or the tests of one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from ..sim.bots.walk_findings import BotReport, explore_level
from ..testing.pool import TestTask, run_task
from ..testing.reports import TestRecord
from .level_files import LevelStore


@dataclass(frozen=True, slots=True)
class WalkTask:
    """A level that bots explore. level: its digest."""

    level: str


@dataclass(frozen=True, slots=True)
class LevelTestTask:
    """Tests of a level, whose digest is `level`. clock: measures the time that each test takes, s."""

    level: str
    task: TestTask
    clock: Callable[[], float]


def explore_task(task: WalkTask, levels: LevelStore) -> BotReport | str:
    """The report of the bots, as on the machine that has the level; why they cannot start where they cannot."""
    level = levels.load(task.level)
    try:
        report = explore_level(level, threads=1)
    except ValueError as error:
        return str(error)
    findings = [
        replace(found, place=replace(found.place, file=levels.original_name(task.level, found.place.file)))
        for found in report.findings
    ]
    return replace(report, findings=tuple(findings))


def run_level_tests(task: LevelTestTask, levels: LevelStore) -> list[TestRecord]:
    """The records of tests, without their files: the machine that has the level runs those that fail again."""
    level = levels.load(task.level)
    records = run_task(replace(task.task, folder=None), task.clock, level)
    for record in records:
        record.file = record.path  # the other one is relative to this worker's folder
        for name in ("path", "file", "message", "cure"):
            setattr(record, name, levels.original_name(task.level, getattr(record, name)))
    return records
