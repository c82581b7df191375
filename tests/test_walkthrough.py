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
def without_display(tmp_path):
    """The environment of a process that finds no display, and writes no settings of a player."""
    unset = ("DISPLAY", "WAYLAND_DISPLAY")
    return {key: value for key, value in os.environ.items() if key not in unset} | {
        "WALKER_CONFIG": str(tmp_path / "config"),
        "PYTHONPATH": str(ROOT),
    }


def test_the_walker_steps(show):
    mesh, walker = TriangleMesh(FLOOR), Walker()
    state = walker.spawn(mesh, feet=(0, 0, 0))
    for _ in range(60):
        state, _ = walker.step(state, Command(forward=1.0), mesh)
    assert state.grounded
    assert -4.0 < state.feet[2] < -3.8  # a second at 4 m/s, less the start
    show(f"walked: one second, {-state.feet[2]:.2f} m ahead")


def test_the_demo_level_is_played_to_its_goal_without_a_display(show, without_display, tmp_path):
    played = subprocess.run(
        [sys.executable, SCRIPT, "play", "demo", "--out", str(tmp_path), "--quality", "low"],
        env=without_display, cwd=tmp_path, capture_output=True, text=True, timeout=SECONDS, check=False,
    )  # fmt: skip
    assert played.returncode == 0, played.stderr
    report = (tmp_path / "demo.txt").read_text(encoding="utf-8")
    reached = re.search(r"reached at tick (\d+)", report)
    assert reached, report
    picture = np.asarray(Image.open(tmp_path / "demo.png").convert("RGB"))  # a map where OpenGL is missing
    assert picture.std() > 10.0
    show(f"played: the demo level without a display; the goal is reached at tick {reached[1]}")


def test_a_picture_of_the_demo_level_is_drawn(show, tmp_path):
    context = gl.context()
    name = context.info["GL_RENDERER"]
    context.release()
    file = tmp_path / "demo.png"
    assert main(["shot", "demo", "-o", str(file), "--size", "320x180", "--quality", "low"]) == 0
    picture = np.asarray(Image.open(file))
    assert picture.shape == (180, 320, 3)
    assert picture.std() > 20.0
    show(f"drawn: a picture of the demo level by {name}")


def test_a_window_opens_and_closes(show, without_display, tmp_path):
    with virtual_display.any_display() as display:
        report = tmp_path / "report.json"
        with open(tmp_path / "said.txt", "wb") as said:
            game = subprocess.Popen(
                [sys.executable, SCRIPT, "play", "demo", "--size", "320x180", "--quality", "low", "--report", report],
                env={**without_display, "DISPLAY": display}, cwd=tmp_path, stdout=said, stderr=said,
            )  # fmt: skip
        try:
            wait_until(lambda: game.poll() is not None or b"first playable frame" in Path(said.name).read_bytes())
            game.send_signal(signal.SIGTERM)
            game.wait(SECONDS)
        finally:
            game.kill()
            game.wait()
    assert json.loads(report.read_text())["tick"] > 0, Path(said.name).read_text()
    show(f"opened: a window on display {display}")
