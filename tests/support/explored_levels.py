"""Levels explored by bots, and small levels with one mistake each that are explored once for all tests of the bots."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from game.level import Level, load
from game.sim.bots.exploration import LevelExploration
from game.sim.bots.walk_findings import BotReport, report_exploration

FOLDER = Path(__file__).resolve().parents[1] / "sim" / "bots" / "walked"


def explore_level(level: Level, **options: Any) -> BotReport:
    """The bots' report on a level."""
    exploration = LevelExploration(level, **options)
    exploration.explore()
    return report_exploration(exploration)


@cache
def explored(name: str) -> BotReport:
    """The bots' report on a level of the folder; each level is explored once in a process."""
    return explore_level(load(FOLDER / f"{name}.yaml"))
