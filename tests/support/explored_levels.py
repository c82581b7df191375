"""Levels explored by bots."""

from __future__ import annotations

from typing import Any

from game.level import Level
from game.sim.bots.exploration import LevelExploration
from game.sim.bots.walk_findings import BotReport, report_exploration


def explore_level(level: Level, **options: Any) -> BotReport:
    """The bots' report on a level."""
    exploration = LevelExploration(level, **options)
    exploration.explore()
    return report_exploration(exploration)
