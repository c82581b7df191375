"""Checks of tests and the names that they use: walks that cannot be read, places out of reach, names given twice."""

from __future__ import annotations

import os

import numpy as np

from ...core.vectors import Point, to_point
from ..build.pieces import NAMED_KINDS
from ..format.command_spans import MAX_SCRIPT_BYTES, CommandsError, parse_spans
from ..format.file_access import read_file_bytes
from ..format.findings import MAX_SHOWN_PATH, InputError, SourceSpan, sanitize_text
from ..format.level_tests.level_test import (
    AtCondition,
    ConditionExpectation,
    InsideCondition,
    LevelTest,
    WalkPlayer,
)
from ..format.level_tests.reader import EMPTY_WALK, EMPTY_WALK_CURE, SCRIPT_CURE
from ..format.source import decode_yaml_text
from .lint_context import LintContext, subject_of

REACH = 20.0  # m beyond the level's bounds that a falling or jumping player may reach
REACH_WITH_MOVERS = 300.0  # m: the same where movers, pads or currents carry players
FALL_STEP = 1.0  # m: fall of one tick at the fall limit, after which a player below `kill_height` respawns


def check_tests(context: LintContext) -> None:
    """Check the walks and the places of all tests."""
    level = context.level
    if not level.tests:
        return
    corners = level.faces.corners.reshape(-1, 3)
    low, high = corners.min(axis=0), corners.max(axis=0)
    for zone in level.all_zones:
        reach = float(np.linalg.norm(zone.half))
        low, high = np.minimum(low, np.array(zone.centre) - reach), np.maximum(high, np.array(zone.centre) + reach)
    carried = any(zone.physics for zone in level.all_zones) or bool(level.movers)
    bounds = (to_point(low), to_point(high), REACH_WITH_MOVERS if carried else REACH)
    for test in level.tests:
        if isinstance(test.player, WalkPlayer) and test.player.path is not None and not test.player.is_replay:
            _check_commands_file(context, test, test.player)
        for expectation in test.expect:
            if isinstance(expectation, ConditionExpectation):
                _check_place(context, expectation, bounds)


def _check_commands_file(context: LintContext, test: LevelTest, player: WalkPlayer) -> None:
    """Report the mistakes of a commands file."""
    assert player.path is not None
    report = context.report
    folder = os.path.dirname(test.path)
    shown = sanitize_text(os.path.normpath(os.path.join(folder, player.file)), MAX_SHOWN_PATH)
    try:
        report.texts[shown] = decode_yaml_text(read_file_bytes(player.path, MAX_SCRIPT_BYTES, "walk"))
        spans = parse_spans(report.texts[shown], shown)
    except InputError as error:
        report.add("dropped", player.place, "tests.walk", error.message, error.cure)
        return
    except CommandsError as error:
        for problem in error.problems:
            place = SourceSpan(problem.line, problem.column, 1, shown)
            report.add("dropped", place, "", problem.message, SCRIPT_CURE)
        return
    if not spans:
        report.add("dropped", player.place, "tests.walk", EMPTY_WALK, EMPTY_WALK_CURE)


def _check_place(context: LintContext, expectation: ConditionExpectation, bounds: tuple[Point, Point, float]) -> None:
    """Warn about a place where the feet of no player can be."""
    condition, (first, last, reach) = expectation.condition, bounds
    if isinstance(condition, AtCondition):
        noun = "the point"
        low = to_point(np.array(condition.point) - condition.radius)
        high = to_point(np.array(condition.point) + condition.radius)
    elif isinstance(condition, InsideCondition) and condition.low is not None and condition.high is not None:
        noun = "the box"
        low, high = condition.low, condition.high
        if not all(a < b for a, b in zip(low, high, strict=True)):
            message = "the box has no volume"
            cure = "give `from` and `to` a distance in x, y and z"
            context.report.add("warning", expectation.place, "tests.expect", message, cure)
            return
    else:
        return
    kill_height = context.kill_height
    if high[1] < kill_height - FALL_STEP:
        message = f"{noun} is below `kill_height`, {kill_height:g} m, where players respawn"
        cure = "raise it; a fall out of the level is counted by `deaths`"
    elif any(a > c + reach or b < d - reach for a, b, c, d in zip(low, high, last, first, strict=True)):
        message = f"{noun} is more than {reach:g} m outside the level"
        listed = ", ".join(f"{a:.4g} to {b:.4g}" for a, b in zip(first, last, strict=True))
        cure = f"correct it: in x, y and z the level extends from {listed}"
    else:
        return
    context.report.add("warning", expectation.place, "tests.expect", message, cure)


def check_names(context: LintContext) -> None:
    """Warn about two spawns with one name, and about two pieces with one name that are written apart.

    Copies of one piece, in arrays and prefabs, have its name by purpose.
    """
    level = context.level
    spawns: dict[str, int] = {}
    for spawn in level.spawns:
        if spawn.name in spawns:
            line = spawns[spawn.name]
            message = f"the spawn at line {line} has the same name: an exit or a test finds only that one"
            context.report.add(
                "warning", spawn.place, f"spawn ({spawn.name})", message, "give one of them another name"
            )
        spawns.setdefault(spawn.name, spawn.place.line)
    pieces: dict[str, int] = {}
    for index, origin in enumerate(level.origins):
        if origin.kind not in NAMED_KINDS or origin.label == origin.kind:
            continue
        earlier = level.origins[pieces.setdefault(origin.label, index)]
        if earlier.place != origin.place:
            message = f"the {earlier.kind} at line {earlier.place.line} has the same name"
            context.warn("name", subject_of(origin), message, "give one of them another name")
