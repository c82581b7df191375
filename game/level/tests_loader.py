"""Loader of the tests of a level, from the level file and from the file of tests beside it."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from .format.file_access import allowed_root, tests_path
from .format.includes import IncludeLoader
from .format.records import RecordValues
from .format.yaml_nodes import YamlUsage
from .level import Level

if TYPE_CHECKING:
    from .format.level_tests.reader import TestableNames

MOVER_KIND = "mover"  # kind of piece of what is touched on a moving platform
_NAMED_LABEL = re.compile('[a-z_]+ "(.+?)"(?:: .*)?')  # `PieceOrigin.label` of a piece with a name


def with_tests(level: Level, values: RecordValues, library: IncludeLoader, usage: YamlUsage) -> Level:
    """The level with its tests and their findings; the same level if it has none."""
    report = library.report
    beside = tests_path(level.path)
    has_beside = os.path.lexists(beside) or (
        bool(report.overrides) and Path(os.path.realpath(beside)) in report.overrides
    )
    if not has_beside and not values.is_given("tests"):
        return level
    from .format.level_tests.reader import read_tests  # not loaded for levels without tests
    from .format.level_tests.tests_file import read_tests_file

    sources: list[tuple[Path, tuple[RecordValues, ...]]] = [(level.path, values.records("tests"))]
    if has_beside:
        sources.append(read_tests_file(level.path, report, library, usage))
    tests = read_tests(sources, _root(level.path), _testable_names(level), report)
    return replace(level, tests=tests, findings=report.findings(), files=tuple(report.files))


def _root(path: Path) -> Path:
    """Folder that the walks of a level may not leave."""
    try:
        return allowed_root(path)
    except (OSError, RuntimeError, ValueError):
        return path.parent


def _testable_names(level: Level) -> TestableNames:
    """The names of a level that its tests can use."""
    from .format.level_tests.level_test import CountKind
    from .format.level_tests.reader import TestableNames
    from .format.schema.zones import RunRole

    with_faces = {*level.faces.origin.tolist(), *level.hidden_faces.origin.tolist()}
    solid = [origin for number, origin in enumerate(level.origins) if origin.collide and number in with_faces]
    labels = [_NAMED_LABEL.fullmatch(origin.label) for origin in solid]
    pieces = {match[1] for match in labels if match} | {origin.kind for origin in solid}
    pieces |= {word for mover in level.movers if len(mover.triangles) for word in (mover.name, MOVER_KIND)}
    golf = level.golf.holes if level.golf is not None else ()
    checkpoints = [zone.name for zone in level.all_zones if zone.facts.role is RunRole.CHECKPOINT]
    return TestableNames(
        has_goal=level.goal is not None,
        goal_after=level.goal.after if level.goal is not None else "",
        spawns=tuple(spawn.name for spawn in level.spawns),
        zones=tuple(word for zone in level.all_zones for word in (zone.name, zone.kind)),
        touchable=(*(surface.name for surface in level.surfaces), *sorted(pieces)),
        events={
            CountKind.TARGETS: tuple(target.name for target in level.targets),
            CountKind.HOLES: tuple(hole.name for hole in golf),
            CountKind.CHECKPOINTS: tuple(checkpoints),
        },
    )
