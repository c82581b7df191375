"""The project in four tests: the walker steps, the demo level is walked to its goal, a picture and a window are drawn.

Each records a line for the end of the run.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from game.app.commands.command_line import main
from game.physics import Command, TriangleMesh, Walker
from tests.conftest import SHOWN
from tests.support import gl, virtual_display
from tests.support.fork_server import SCRIPT
from tests.support.until import SECONDS, wait_until

ROOT = Path(__file__).resolve().parents[1]
FLOOR = [[(-9, 0, -9), (-9, 0, 9), (9, 0, 9)], [(-9, 0, -9), (9, 0, 9), (9, 0, -9)]]


@pytest.fixture
def show(record_property):
    def line(text):
        record_property(SHOWN, text)

    return line


@pytest.fixture
def small_level(tmp_path):
    """The level of the README as a file."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    path = tmp_path / "step.yaml"
    path.write_text(text.partition("```yaml\n")[2].partition("```")[0], encoding="utf-8")
    return path


def test_a_walker_steps_ahead_at_its_speed(show):
    mesh, walker = TriangleMesh(FLOOR), Walker()
    state = walker.spawn(mesh, feet=(0, 0, 0))
    for _ in range(60):
        state, _ = walker.step(state, Command(forward=1.0), mesh)
    assert state.grounded
    assert -4.0 < state.feet[2] < -3.8  # a second at 4 m/s, less the start
    show(f"walked: one second, {-state.feet[2]:.2f} m ahead")


def test_the_demo_level_is_walked_to_its_goal(show, tmp_path, capsys):
    commands = ROOT / "levels" / "demo.commands"
    assert main(["sim", "demo", "--commands", str(commands), "-o", str(tmp_path / "walk.npz")]) == 0
    reached = re.search(r"goal: reached at tick (\d+)", capsys.readouterr().out)
    assert reached
    show(f"played: the demo level without a window; the goal is reached at tick {reached[1]}")


def test_a_picture_is_drawn(show, small_level, tmp_path):
    context = gl.context()
    name = context.info["GL_RENDERER"]
    context.release()
    file = tmp_path / "picture.png"
    assert main(["shot", str(small_level), "-o", str(file), "--size", "320x180"]) == 0
    picture = np.asarray(Image.open(file))
    assert picture.shape == (180, 320, 3)
    assert picture.std() > 20.0
    show(f"drawn: a picture of the README's level by {name}")


def test_a_window_opens_and_closes(show, small_level, tmp_path):
    report, said = tmp_path / "report.json", tmp_path / "said.txt"
    environment = {**os.environ, "WALKER_CONFIG": str(tmp_path / "config"), "PYTHONPATH": str(ROOT)}
    environment.pop("WAYLAND_DISPLAY", None)
    with virtual_display.any_display() as display, open(said, "wb") as output:
        game = subprocess.Popen(
            [sys.executable, SCRIPT, "play", small_level, "--size", "320x180", "--quality", "low", "--report", report],
            env={**environment, "DISPLAY": display}, cwd=tmp_path, stdout=output, stderr=output,
        )  # fmt: skip
        try:
            wait_until(lambda: game.poll() is not None or "first playable frame" in said.read_text())
            game.send_signal(signal.SIGTERM)
            game.wait(SECONDS)
        finally:
            game.kill()
            game.wait()
    assert json.loads(report.read_text())["tick"] > 0, said.read_text()
    show(f"opened: a window on display {display}")
