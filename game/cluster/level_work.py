"""Work of `check --walk` for other processes and machines: a task is one level."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..sim.bots.walk_findings import BotReport, explore_level
from .level_files import LevelStore


@dataclass(frozen=True, slots=True)
class WalkTask:
    """A level that bots explore. level: its digest."""

    level: str


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
