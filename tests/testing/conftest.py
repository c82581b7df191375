"""A yard with one of everything that a level test can expect, and a walk through it."""

from __future__ import annotations

from pathlib import Path

import pytest

from game.app.commands.command_line import main
from game.level import load

# The walk goes north from z = 0: over stone, a checkpoint (z = -2 to -3), a flag at z = -4, a belt (z = -6 to -8), a
# second checkpoint and flag, up a kerb (z = -13), over the goal at z = -15, and into a pit at z = -18.
YARD = """\
format: 1
name: Yard
spawns:
  - {name: gate, at: [0, 0, 0], facing: north}
  - {name: side, at: [6, 0, 0], facing: north}
goal: {at: [0, 0.3, -15], radius: 0.5}
kill_height: -3
surfaces:
  stone: {colour: "#8d8a83"}
  belt: {colour: "#333333", flow: [0, -2]}
pieces:
  - floor: {from: [-8, -6], to: [8, 4], surface: stone}
  - floor: {from: [-8, -8], to: [8, -6], surface: belt}
  - floor: {from: [-8, -13], to: [8, -8], surface: stone}
  - box: {name: Kerb, from: [-8, 0, -18], to: [8, 0.3, -13], surface: stone}
  - wall: {name: West wall, from: [-8, 4], to: [-8, -18], height: 3}
  - checkpoint: {name: first, from: [-2, 0, -3], to: [2, 2, -2]}
  - checkpoint: {name: second, from: [-2, 0, -11], to: [2, 2, -10]}
  - target: {name: red, at: [0, 1, -4]}
  - target: {name: blue, at: [0, 1, -12]}
"""
WALK = "400 forward 1"


def level_with(folder: Path, tests: str, name: str = "yard", text: str = YARD) -> Path:
    """A copy of the yard with tests."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.yaml"
    path.write_text(text + tests, encoding="utf-8")
    return path


@pytest.fixture
def yard(tmp_path):
    """The yard, loaded with the tests of a text."""

    def make(tests: str, text: str = YARD):
        level = load(level_with(tmp_path, tests, text=text))
        assert [finding for finding in level.findings if finding.where.startswith("tests")] == []
        return level

    return make


@pytest.fixture
def walker_test(tmp_path, monkeypatch, capsys):
    """Run `test` in a folder of its own; exit status, standard output and standard error."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        try:
            status = main(["test", *arguments])
        except SystemExit as done:
            status = int(done.code)
        shown = capsys.readouterr()
        return status, shown.out, shown.err

    return call
