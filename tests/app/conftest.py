"""Small levels as files and as arrays, and a place of its own for everything that the game keeps."""

from __future__ import annotations

import json
import os
from concurrent.futures import Future
from pathlib import Path
from types import SimpleNamespace

import pytest

from game.app.commands.command_line import main
from game.app.guidance import route
from game.core import user_folders
from game.level import load
from tests.support import fork_server, virtual_display
from tests.support.level_builder import floor_with_wall, goal_at, quad
from tests.support.player import Player
from tests.support.until import wait_for_run_threads
from tests.support.window_game import MISSING, GameProcess

ROOT = Path(__file__).resolve().parents[2]
FRAME_CAP = {"frame_cap": "60"}  # settings: without a limit the drawing takes a whole processor

WALK = "10\n120 forward 1\n"  # on FLOOR to the goal
FLOOR = """\
format: 1
name: Floor
spawn: {at: [0, 0, 0], facing: north}
pieces:
  - floor: {from: [-20, -20], to: [20, 20]}
  - wall: {from: [-20, -10], to: [20, -10], height: 4}
goal: {at: [0, 0, -8], radius: 0.5}
kill_height: -10
"""


@pytest.fixture(scope="session")
def floor_level():
    """A floor of 40 x 40 m, a wall at z = -10, a slab 1.3 m above the floor around (5, 6)."""
    slab = quad((4, 1.3, 5), (6, 1.3, 5), (6, 1.3, 7), (4, 1.3, 7))
    return floor_with_wall(*slab, goal=goal_at(0.0, 0.0, -8.0, 0.5))


@pytest.fixture
def player(floor_level):
    """On the floor with the wall."""
    return Player.in_level(floor_level)


@pytest.fixture(autouse=True)
def data(tmp_path_factory, monkeypatch):
    """The folder of settings, progress and runs, which each test has for itself; nothing has made it yet."""
    folder = tmp_path_factory.mktemp("own") / "data"
    monkeypatch.setenv(user_folders.CONFIG_VARIABLE, str(folder))
    yield folder
    wait_for_run_threads()  # or they write into the folder of the next test


@pytest.fixture(autouse=True)
def no_exploration(monkeypatch):
    """No bots explore the levels that are played."""
    monkeypatch.setattr(route.RouteFinder, "_explore", lambda self, level: Future())


@pytest.fixture
def level_file(tmp_path):
    path = tmp_path / "floor.yaml"
    path.write_text(FLOOR, encoding="utf-8")
    return path


@pytest.fixture
def level(tmp_path, request):
    """The LEVEL of the test's module, loaded from a file of its own."""
    path = tmp_path / "level.yaml"
    path.write_text(request.module.LEVEL, encoding="utf-8")
    return load(path)


@pytest.fixture
def walk(tmp_path):
    path = tmp_path / "walk.commands"
    path.write_text(WALK)
    return path


@pytest.fixture
def environment(tmp_path):
    """The environment of a child process: no display, settings of its own, the kernels of this run."""
    keep = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
    return {**keep, "WALKER_CONFIG": str(tmp_path / "config"), "PYTHONPATH": str(ROOT)}


@pytest.fixture
def empty_folder(tmp_path):
    """Folder in which commands run."""
    folder = tmp_path / "here"
    folder.mkdir()
    return folder


@pytest.fixture
def game(environment, empty_folder):
    """Run the command line in a process of its own, forked with everything imported; `input` is empty."""

    def run(*arguments, env=None, cwd=empty_folder, timeout=300):
        return fork_server.fork_command([*map(str, arguments)], {**environment, **(env or {})}, cwd, timeout)

    return run


@pytest.fixture(scope="session")
def display():
    """Name of a display with nothing else on it. Skips the test where the tools for one are missing."""
    if MISSING:
        pytest.skip(f"{' and '.join(MISSING)} not installed")
    with virtual_display.xvfb() as name:
        yield name


@pytest.fixture
def play(display, environment, level_file, tmp_path):
    """Start the game in a window, by default in `level_file`; the process ends with its `with` block."""
    settings = tmp_path / "config" / "settings.json"
    settings.parent.mkdir()
    settings.write_text(json.dumps(FRAME_CAP), encoding="utf-8")

    def start(*more, env=None, level=level_file, **options):
        return GameProcess(display, level, {**environment, **(env or {})}, tmp_path, *more, **options)

    return start


@pytest.fixture
def command(capsys):
    """Run the command line in this process."""

    def run(*words):
        status = main([str(word) for word in words])
        said = capsys.readouterr()
        return SimpleNamespace(returncode=status, stdout=said.out, stderr=said.err)

    return run
