"""The scripts in examples/: each runs from another folder, has the right types, a picture and a place on the page."""

from __future__ import annotations

import ast
import csv
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from game.level import load
from game.render import ContextError, offscreen_context
from game.sim.replay.fingerprint import level_hash
from tests.support.until import SECONDS

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted(path.stem for path in (ROOT / "examples").glob("*.py"))
PAGE = ROOT / "docs" / "examples.md"
MAX_LINES = 60


def run(name: str, *arguments: Any) -> Any:
    """What `main` of an example returns."""
    return runpy.run_path(str(ROOT / "examples" / f"{name}.py"))["main"](*arguments)


def test_a_walker_goes_up_the_own_mesh(capsys: pytest.CaptureFixture[str]) -> None:
    mesh, states = run("own_mesh")
    assert len(mesh) == 5
    assert states["grounded"].all()
    assert states["position"][-1, 1] - 0.9 == pytest.approx(1.2, abs=0.02)
    assert [line.split("on the ")[1].split(",")[0] for line in capsys.readouterr().out.splitlines()] == [
        "floor", "ramp", "platform",
    ]  # fmt: skip


def test_ice_of_trimesh_is_slippery() -> None:
    mesh, walks = run("trimesh_scene")
    assert mesh.surface_names == ("stone", "ice", "dome")
    ends = {name: states["position"][-1, 2] - states["position"][64, 2] for name, states in walks.items()}
    assert abs(ends["friction 1.0"]) < 0.3
    assert ends["friction 0.1"] > 0.5


@pytest.mark.full
def test_the_depth_image_is_that_of_single_rays() -> None:
    scope = runpy.run_path(str(ROOT / "examples" / "batch_of_rays.py"))
    depth, ways, mesh = scope["main"](), scope["pixel_directions"](), load("demo").mesh
    for pixel in range(0, depth.size, 997):
        hit = mesh.raycast(scope["EYE"], ways[pixel], 60.0)
        assert np.array_equal(depth.ravel()[pixel], np.nan if hit is None else hit.distance, equal_nan=True)


def test_the_crowd_leaves_its_start() -> None:
    _, history = run("crowd")
    way = np.linalg.norm((history[-1]["position"] - history[0]["position"])[:, [0, 2]], axis=1)
    assert way[::2].min() > way[1::2].max()  # every second one sprints
    assert history[-1]["grounded"].all()


def test_a_walker_climbs_steps_up_to_the_setting() -> None:
    for height, row in run("parameter_sweep").items():
        assert row == [0.05 * k <= height + 1e-9 for k in range(2, 13)]


def test_the_table_has_a_row_for_each_tick(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with run("replay_to_table", tmp_path).open() as file:
        rows = list(csv.DictReader(file))
    assert [int(row["tick"]) for row in rows] == list(range(1, 301))
    assert sum(int(row["jump"]) for row in rows) == 5
    assert "the same again" in capsys.readouterr().out


@pytest.mark.full
def test_one_level_test_passes_and_one_fails_with_a_picture(tmp_path: Path) -> None:
    runs = run("level_test", tmp_path)
    assert [str(run.status) for run in runs] == ["passed", "failed"]
    assert runs[1].failures[0].actual.startswith("1 (fell")
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".png", ".replay"]


def test_the_lift_and_the_pad_lead_to_the_goal(capsys: pytest.CaptureFixture[str]) -> None:
    world, feet = run("zones_and_movers")
    assert world.goal_tick == world.tick == len(feet)
    assert re.findall("checkpoint|goal", capsys.readouterr().out) == ["checkpoint", "goal"]


def test_the_built_level_has_no_findings_and_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    level = run("built_level", tmp_path)
    assert level_hash(load(tmp_path / "tower.yaml")) == level_hash(level)
    assert (tmp_path / "tower.glb").read_bytes()[:4] == b"glTF"
    assert capsys.readouterr().out.count("\n") == 1


@pytest.mark.full
def test_the_picture_shows_something(tmp_path: Path) -> None:
    from PIL import Image

    try:
        offscreen_context().release()
    except ContextError:
        with pytest.raises(SystemExit, match="no picture: "):
            run("picture", tmp_path / "picture.png", False)
        return
    run("picture", tmp_path / "picture.png", False)
    with Image.open(tmp_path / "picture.png") as image:
        assert image.size == (960, 540)
        assert np.asarray(image.convert("RGB")).std() > 20


@pytest.mark.full
@pytest.mark.parametrize("name", ["own_mesh", pytest.param("built_level", marks=pytest.mark.full)])
def test_an_example_runs_from_another_folder(name: str, tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-W", "error::RuntimeWarning", str(ROOT / "examples" / f"{name}.py")]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 0, done.stderr
    assert done.stdout
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_short_and_on_the_page(name: str) -> None:
    text = (ROOT / "examples" / f"{name}.py").read_text("utf-8")
    assert 20 <= len(text.splitlines()) <= MAX_LINES
    imported = {
        (node.module or "").partition(".")[0] for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom)
    }
    assert "ellipsoid_walker" in imported
    assert "game" not in imported
    page = PAGE.read_text("utf-8")
    assert f"](../examples/{name}.py)" in page
    assert f"](pictures/examples/{name}.jpg)" in page
    assert (PAGE.parent / "pictures" / "examples" / f"{name}.jpg").is_file()


def test_every_picture_belongs_to_an_example() -> None:
    pictures = (PAGE.parent / "pictures" / "examples").iterdir()
    assert sorted(path.stem for path in pictures) == EXAMPLES


@pytest.mark.full
def test_mypy_accepts_the_examples() -> None:
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", str(ROOT / "examples")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=2 * SECONDS)
    assert done.stdout == "", done.stdout


def test_the_code_of_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.S)
    assert blocks
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), {})
