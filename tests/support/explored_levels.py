"""Small levels with one mistake each, explored by the bots once for all tests of what the bots report."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from game.level import load
from game.sim.bots import walk_findings

FOLDER = Path(__file__).resolve().parents[1] / "sim" / "bots" / "walked"


@cache
def explored(name: str) -> walk_findings.BotReport:
    """The bots' report on a level of the folder; each level is explored once in a process."""
    return walk_findings.explore_level(load(FOLDER / f"{name}.yaml"))
