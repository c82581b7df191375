"""The walks of tests: files of commands that cannot be read."""

from __future__ import annotations

import os

from ..format.command_spans import MAX_SCRIPT_BYTES, CommandsError, parse_spans
from ..format.file_access import read_file_bytes
from ..format.findings import MAX_SHOWN_PATH, FindingCollector, InputError, SourceSpan, sanitize_text
from ..format.level_tests.level_test import LevelTest, WalkPlayer
from ..format.level_tests.reader import EMPTY_WALK, EMPTY_WALK_CURE, SCRIPT_CURE
from ..format.source import decode_yaml_text


def check_walk(test: LevelTest, report: FindingCollector) -> None:
    """Report the mistakes of the file of commands of a test."""
    player = test.player
    if not isinstance(player, WalkPlayer) or player.path is None or player.is_replay:
        return
    shown = sanitize_text(os.path.normpath(os.path.join(os.path.dirname(test.path), player.file)), MAX_SHOWN_PATH)
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
