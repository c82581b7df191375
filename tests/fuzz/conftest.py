"""A small level, and the package for runs on other machines."""

from __future__ import annotations

import faulthandler
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from game.app.commands.command_line import main
from tests.support.until import SECONDS

ROOM = """\
format: 1
name: Room
spawn: {at: [0, 0, 0], facing: north}
goal: {at: [0, 0, -6], radius: 0.5}
pieces:
  - floor: {from: [-8, -9], to: [8, 4]}
  - box: {from: [-8, 0, -9], to: [8, 0.3, -3]}
  - wall: {from: [-8, 4], to: [-8, -9], height: 3}
"""


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The level in the working folder."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "room.yaml"
    path.write_text(ROOM)
    return path


@pytest.fixture
def walker(capfd):
    """Run a command: (status, standard output, standard error)."""

    def run(*arguments: str) -> tuple[int, str, str]:
        capfd.readouterr()
        status = main(arguments)
        return status, *capfd.readouterr()

    return run


@pytest.fixture
def distributed() -> Iterator[ModuleType]:
    """The package, whose import takes a second. A test that waits for workers without end ends the process, with the
    stacks of its threads."""
    package = pytest.importorskip("distributed", reason="it is not installed (extra [fuzz])")
    faulthandler.dump_traceback_later(2 * SECONDS, exit=True, file=sys.__stderr__)
    yield package
    faulthandler.cancel_dump_traceback_later()
