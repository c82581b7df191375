"""docs/level_tests.md: its level fails and passes as shown, its picture is current, its examples run."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
import yaml
from PIL import Image

from game.app.commands.command_line import main
from game.level.format.level_tests.level_test import BotKind, CountKind, MeasureKind
from game.level.format.level_tests.records import Expectations
from tests.support import inner_pytest
from tests.support.inner_pytest import run_inside
from tests.support.page_code import code_blocks

pytest_plugins = ["pytester"]
modules_stay = inner_pytest.modules_stay

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "level_tests.md"
TEXT = PAGE.read_text(encoding="utf-8")
PICTURE = ROOT / "docs" / "pictures" / "level_tests" / "steps.png"
FIX = "  - box: {name: second step, from: [-2, 0, -2], to: [2, 0.8, -1]}\n"


def without_times(text: str) -> str:
    text = re.sub(r"=* (.*) in [\d.]+s( \(.*\))? =*", r"\1", text)  # the line is filled up to the width
    return re.sub(r"(^[=_]+ | [=_]+$)", "", text, flags=re.M)


@pytest.fixture
def steps(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "steps.yaml"
    path.write_text(code_blocks(TEXT, "yaml")[0], encoding="utf-8")
    return path


@pytest.mark.full
@pytest.mark.jit
def test_the_tutorial_fails_and_passes_as_shown(steps, capsys):
    (failed,) = code_blocks(TEXT, "text")
    assert main(["test", "steps.yaml"]) == 1
    assert without_times(capsys.readouterr().out) == without_times(failed)
    drawn = np.asarray(Image.open("walker-tests/steps-the-steps-lead-to-the-stage.png").convert("RGB"), np.int64)
    kept = np.asarray(Image.open(PICTURE).convert("RGB"), np.int64)
    assert drawn.shape == kept.shape
    assert np.abs(drawn - kept).mean() < 3.0
    assert FIX in code_blocks(TEXT, "yaml")
    lines = [FIX.rstrip("\n") if "second step" in line else line for line in steps.read_text().splitlines()]
    steps.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert main(["test", "steps.yaml"]) == 0
    assert main(["check", "steps.yaml"]) == 0


@pytest.mark.full
def test_the_python_example_and_the_node_id_run(modules_stay, pytester, steps, monkeypatch):
    (code,) = code_blocks(TEXT, "python")
    (pytester.path / "steps.yaml").write_text(code_blocks(TEXT, "yaml")[0], encoding="utf-8")
    pytester.makepyfile(test_own=code)
    monkeypatch.chdir(pytester.path)
    names = ("no:ellipsoid-walker", "ellipsoid_walker.testing.pytest_plugin", "no:xdist", "no:cacheprovider")
    plugin = [word for name in names for word in ("-p", name)]
    run_inside(pytester, *plugin, "test_own.py").assert_outcomes(passed=1)
    run_inside(pytester, *plugin, "steps.yaml::the steps lead to the stage").assert_outcomes(failed=1)


@pytest.mark.parametrize(
    "line", [line for line in "".join(code_blocks(TEXT, "sh")).splitlines() if line.startswith("walker")]
)
def test_the_command_lines_of_the_page_are_accepted(line, capsys):
    words = line.partition("#")[0].split()[1:]
    with pytest.raises(SystemExit) as done:
        main([*words, "--help"])
    assert done.value.code == 0


def test_the_tables_name_every_player_and_expectation():
    for name in Expectations.fields:
        assert f"`{name}" in TEXT, name
    for word in (*BotKind, *CountKind, *MeasureKind):
        assert f"`{word}" in TEXT or f"bot: {word}`" in TEXT, word


def test_the_workflow_keeps_the_kernels():
    workflow = yaml.safe_load(code_blocks(TEXT, "yaml")[-1])
    job = workflow["jobs"]["test"]
    cache = next(step for step in job["steps"] if step.get("uses", "").startswith("actions/cache@"))
    assert job["env"]["WALKER_CACHE"].endswith(cache["with"]["path"])
    (command,) = [step["run"] for step in job["steps"] if "walker" in step.get("run", "") and "pip" not in step["run"]]
    assert command.split()[:2] == ["walker", "test"]
    with pytest.raises(SystemExit) as done:
        main([*command.split()[1:], "--help"])
    assert done.value.code == 0
