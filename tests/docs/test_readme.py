"""The commands of the README exist, and its examples run."""

from __future__ import annotations

import re
import shlex
import warnings
from pathlib import Path

import pytest

from game.app.commands.command_line import main
from game.level import check
from tests.support.page_code import code_blocks, importable

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_level_checks_clean(tmp_path):
    path = tmp_path / "step.yaml"
    path.write_text(code_blocks(README, "yaml")[0], encoding="utf-8")
    assert check(path) == []


def test_the_python_example_runs(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        exec(compile(importable(code_blocks(README, "python")[0]), "README.md", "exec"), {})
    *feet, grounded, events = re.findall(r"-?\d+\.\d+|True|\[\]", capsys.readouterr().out)
    assert float(feet[2]) == pytest.approx(-6.25, abs=0.01)  # not through the door
    assert (grounded, events) == ("True", "[]")


@pytest.mark.parametrize(
    "line", [line for block in code_blocks(README, "sh") for line in block.splitlines() if "run_game" in line]
)
def test_the_verbs_of_the_readme_are_accepted(line, capsys):
    words = shlex.split(line.partition("#")[0].rpartition("&&")[2])
    verb = words[words.index("run_game.py") + 1 :][:1] if not words[-1].endswith("run_game.py") else []
    with pytest.raises(SystemExit) as done:
        main([*verb, "--help"])
    assert done.value.code == 0
