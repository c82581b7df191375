"""The fields of records have types: those of what their values read."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from mypy import api

ROOT = Path(__file__).resolve().parents[3]
SNIPPET = """
from game.level import LevelBuilder
from game.level.build.pieces import Arch, Gravity, Stairs, Wall
from game.level.format.level_file import LevelFields, SpawnFields

def types(stairs: Stairs, arch: Arch, gravity: Gravity, wall: Wall, level: LevelFields) -> None:
    reveal_type(stairs.rise)
    reveal_type(stairs.steps)
    reveal_type(stairs.surface)
    reveal_type(stairs.name)
    reveal_type(arch.at)
    reveal_type(gravity.down)
    reveal_type(wall.doors[0].at)
    reveal_type(level.goal)
    reveal_type(level.spawns)
    LevelBuilder(spawn=SpawnFields(at=(0, 0, 0))).add(stairs)
    stairs.rize
"""
TYPES = [
    "float", "int", "int", "str", "float | None", "tuple[float, float, float] | None", "float | None",
    "game.level.format.level_file.GoalFields | None", "tuple[game.level.format.level_file.SpawnFields, ...]",
]  # fmt: skip


@pytest.mark.full
def test_mypy_knows_the_types_of_fields(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "snippet.py"
    path.write_text(SNIPPET)
    monkeypatch.setenv("MYPYPATH", str(ROOT))
    found, _, _ = api.run(
        ["--strict", "--config-file", str(ROOT / "pyproject.toml"), "--python-executable", sys.executable, str(path)]
    )
    assert re.findall(r"snippet.*Revealed type is \"(.*)\"", found) == TYPES
    assert re.findall(r"snippet.*error: (.*)  \[", found) == ['"Stairs" has no attribute "rize"']
