"""`doctor` in this process: what it says where something is old, missing or locked."""

from __future__ import annotations

import importlib.metadata
import os
import re
import tomllib
from pathlib import Path

import pytest

import game
from game.app.commands import doctor
from game.app.launch import crash_report

ROOT = Path(__file__).resolve().parents[3]


def test_the_versions_asked_for_are_those_of_the_project():
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    listed = {re.split("[<>=]", line)[0]: line for line in wanted}
    assert listed == {
        name: f"{name}>={least}" + (f",<{below}" if below else "") for name, (least, below) in doctor.PACKAGES.items()
    }
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"] == game.__version__


@pytest.mark.parametrize(
    ("version", "good"), [("2.1.14", False), ("2.1.15", True), ("2.1.20rc1", True), ("2.9", True), ("3.0", False)]
)
def test_an_old_or_too_new_library_is_named_with_its_cure(monkeypatch, version, good):
    real = importlib.metadata.version
    monkeypatch.setattr(importlib.metadata, "version", lambda name: version if name == "pyglet" else real(name))
    lines = {line.name: line for line in doctor.packages()}
    assert lines["pyglet"].cure == ("" if good else 'python -m pip install "pyglet>=2.1.15,<3"')
    assert not any(line.cure for name, line in lines.items() if name != "pyglet")


def test_folders_that_come_with_the_game_and_are_not_there(monkeypatch, tmp_path):
    (line,) = doctor.files()
    assert (line.cure, line.found) == ("", f"{game.__version__}, {ROOT}")
    (tmp_path / "levels").mkdir()
    (tmp_path / "levels" / "demo.yaml").write_text("")
    monkeypatch.setattr(game, "shipped", lambda name: tmp_path / name)
    (line,) = doctor.files()
    assert line.found == f"{tmp_path} lacks assets and shaders"
    assert line.cure


def test_reports_of_crashes_are_counted(monkeypatch, tmp_path):
    monkeypatch.setenv("WALKER_DATA", str(tmp_path))
    assert [line.name for line in doctor.kept()] == ["progress"]
    crash_report.leave(ValueError("one"))
    crash_report.leave(ValueError("two"))
    _, told = doctor.kept()
    assert told.found.startswith("2 told, the last in ")
    assert any(told.found.endswith(name) for name in os.listdir(crash_report.folder()))


def test_a_look_that_fails_is_a_line_and_not_the_end(monkeypatch, capsys):
    def broken():
        raise RuntimeError("no such thing")
        yield

    monkeypatch.setattr(doctor, "LOOKS", (broken, doctor.python))
    assert doctor.doctor() == 1
    said = capsys.readouterr().out
    assert "LACK broken: looking failed (RuntimeError: no such thing)" in said
    assert "ok   python" in said
