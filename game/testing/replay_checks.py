"""Check of the replays in the tests of a level: each must be complete, readable and of this level."""

from __future__ import annotations

from ..level import Finding, Level
from ..level.format.level_tests import WalkPlayer
from . import walk_inputs
from .errors import LevelTestError


def check_replays(level: Level) -> list[Finding]:
    """A finding for each test whose replay cannot be walked in the level."""
    findings = []
    for test in level.tests:
        player = test.player
        if not isinstance(player, WalkPlayer) or not player.is_replay or player.path is None:
            continue
        try:
            walk_inputs.plan_replay(level, test.spawn, player.path)
        except LevelTestError as error:
            place = player.place
            file = place.file or str(level.path)
            findings.append(Finding("dropped", file, place.line, place.column, "tests.walk", error.message, error.cure))
    return findings
