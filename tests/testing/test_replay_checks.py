"""`check` of levels whose tests walk replays."""

from __future__ import annotations

from pathlib import Path

import pytest

from game.app.commands.command_line import main
from game.level import load
from tests.testing.conftest import YARD, level_with
from tests.testing.test_runner import recorded

TEST = "tests:\n  - {name: it, walk: walk.replay, expect: {deaths: 0}}\n"
PLACE = f"yard.yaml:{YARD.count(chr(10)) + 2}:22: tests.walk: "


def test_a_replay_of_the_level_is_right(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded(load(level_with(tmp_path, "")), tmp_path / "walk.replay", ticks=20)
    level_with(tmp_path, TEST)
    monkeypatch.chdir(tmp_path)
    assert main(["check", "yard.yaml"]) == 0
    assert "tests.walk" not in capsys.readouterr().out


def test_replays_of_another_level_and_damaged_ones_are_findings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    other = load(level_with(tmp_path, "", name="other", text=YARD.replace("Yard", "Other").replace("-18]", "-19]")))
    recorded(other, tmp_path / "walk.replay", ticks=20)
    level_with(tmp_path, TEST)
    monkeypatch.chdir(tmp_path)
    assert main(["check", "yard.yaml"]) == 1
    shown = capsys.readouterr().out
    assert PLACE in shown
    assert "the replay is of the level 'Other' [dropped]" in shown
    assert "choose a replay of this level" in shown
    (tmp_path / "walk.replay").write_bytes(b"noise" * 40)
    assert main(["check", "yard.yaml"]) == 1
    assert PLACE in capsys.readouterr().out


def test_a_replay_in_a_file_of_tests_names_that_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    level_with(tmp_path, "")
    (tmp_path / "walk.replay").write_bytes(b"noise" * 40)
    (tmp_path / "yard.tests.yaml").write_text("format: 1\n" + TEST)
    monkeypatch.chdir(tmp_path)
    assert main(["check", "yard.yaml"]) == 1
    assert "yard.tests.yaml:3:22: tests.walk: " in capsys.readouterr().out
