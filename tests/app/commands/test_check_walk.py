"""`check --walk` and `check --map` as a user types them, and outputs that cannot be."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.support import fork_server

pytestmark = pytest.mark.jit
ROOT = Path(__file__).resolve().parents[3]
BROKEN = ROOT / "tests" / "sim" / "bots" / "walked"


@pytest.fixture(scope="module")
def pit(tmp_path_factory):
    """A level with a pit, walked once with everything kept: (folder, result)."""
    folder = tmp_path_factory.mktemp("walked")
    shutil.copy(BROKEN / "pit.yaml", folder / "pit.yaml")
    words = ["check", "pit.yaml", "--walk", "-o", "found", "--map", "map.png", "--strict"]
    result = fork_server.fork_command(words, {**os.environ, "PYTHONPATH": str(ROOT)}, folder, 300)
    return folder, result


@pytest.mark.full
def test_check_walk_prints_the_finding_its_files_and_the_share_that_was_walked(pit):
    folder, result = pit
    assert result.returncode == 1, result.stderr  # --strict
    assert "Traceback" not in result.stderr
    lines = result.stdout.splitlines()
    assert lines[0].startswith('pit.yaml:7:5: room "pit": a player cannot get out at (')
    assert lines[0].endswith("[warning]")
    assert lines[2].strip() == "| " + " " * 4 + "^^^^"
    assert lines[4].strip() == "see found/01-pit.commands and found/01-pit.png"
    assert "the bots reached 100 % of" in result.stdout
    assert lines[-1] == "pit.yaml: 1 warning"
    assert sorted(path.name for path in (folder / "found").iterdir()) == ["01-pit.commands", "01-pit.png"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["check", "pit.yaml", "-o", "found"], "-o needs --walk"),
        (["check", "pit.yaml", "--map", "map.jpg"], "must be a .png"),
        (["check", "pit.yaml", "demo", "--map", "map.png"], "--map takes one level"),
    ],
)
def test_what_does_not_go_together_is_said(game, tmp_path, arguments, words):
    folder = tmp_path / "here"
    shutil.copy(BROKEN / "pit.yaml", folder / "pit.yaml")
    result = game(*arguments, cwd=folder)
    assert result.returncode == 2
    assert words in result.stderr
    assert result.stderr.count("\n") == 1
    assert list(folder.iterdir()) == [folder / "pit.yaml"]


@pytest.mark.parametrize(("arguments", "words"), [
    (["--walk", "-o", "missing/found"], "missing: no such folder; create it first"),
    (["--walk", "-o", "pit.yaml"], "pit.yaml: is a file, not a folder; choose another folder"),
    (["--walk", "-o", "pit.yaml/found"], "pit.yaml: is a file, not a folder; choose another folder"),
    (["--walk", "--map", "missing/map.png"], "missing: no such folder; create it first"),
    (["--walk", "--map", "folder.png"], "folder.png: is a directory"),
])  # fmt: skip
@pytest.mark.sample(1)
def test_an_output_that_cannot_be_written_is_refused_before_the_walk(game, tmp_path, arguments, words):
    shutil.copy(BROKEN / "pit.yaml", tmp_path / "pit.yaml")
    (tmp_path / "folder.png").mkdir()
    result = game("check", "pit.yaml", *arguments, cwd=tmp_path)
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.endswith(f"{words}\n")
    assert result.stderr.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder.png", "here", "pit.yaml"]
