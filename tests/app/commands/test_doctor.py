"""`doctor` in this process: what it says where something is old, missing or locked."""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import platform
import tomllib
from pathlib import Path

import pytest

import game
from game.app.audio import sound_player
from game.app.commands import doctor
from game.app.launch import crash_report
from game.app.launch.requirements import parse_requirement
from game.physics.numerics import kernel_cache

ROOT = Path(__file__).resolve().parents[3]


def test_every_dependency_of_the_project_is_looked_at():
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    for requirement in wanted:
        name, bounds = parse_requirement(requirement)
        assert requirement == name + ",".join(sign + version for sign, version in bounds)
    names = [parse_requirement(requirement)[0] for requirement in wanted]
    assert [line.name for line in doctor.check_packages()] == names


def test_a_python_that_is_too_old_is_named(monkeypatch):
    (line,) = doctor.check_python()
    assert line.advice == ""
    monkeypatch.setattr(platform, "python_version", lambda: "3.10.9")
    (line,) = doctor.check_python()
    assert line.advice == "Python >=3.11 is needed"


def installed(folder, name, version):
    """A package of this version, as `pip` leaves it in a folder."""
    place = folder / f"{name}-{version}.dist-info"
    place.mkdir()
    (place / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")


@pytest.mark.parametrize(
    ("version", "good"), [("2.1.14", False), ("2.1.15", True), ("2.1.20rc1", True), ("2.9", True), ("3.0", False)]
)
def test_an_old_or_too_new_library_is_named_with_its_cure(monkeypatch, tmp_path, version, good):
    installed(tmp_path, "pyglet", version)
    monkeypatch.syspath_prepend(tmp_path)
    lines = {line.name: line for line in doctor.check_packages()}
    assert lines["pyglet"].advice == ("" if good else 'python -m pip install "pyglet>=2.1.15,<3"')
    assert not any(line.advice for name, line in lines.items() if name != "pyglet")


def test_folders_that_come_with_the_game_and_are_not_there(monkeypatch, tmp_path):
    (line,) = doctor.check_files()
    assert (line.advice, line.result) == ("", f"{game.__version__}, {ROOT}")
    (tmp_path / "levels").mkdir()
    (tmp_path / "levels" / "demo.yaml").write_text("")
    monkeypatch.setattr(doctor, "shipped", lambda name: tmp_path / name)
    (line,) = doctor.check_files()
    assert line.result == f"{tmp_path} lacks assets and shaders"
    assert line.advice


def test_reports_of_crashes_are_counted():
    assert [line.name for line in doctor.check_data_folder()] == ["progress"]
    crash_report.write_crash_report(ValueError("one"))
    crash_report.write_crash_report(ValueError("two"))
    _, reported = doctor.check_data_folder()
    assert reported.result.startswith("2 reported, the last in ")
    assert any(reported.result.endswith(name) for name in os.listdir(crash_report.crash_folder()))


def test_a_look_that_fails_is_a_line_and_not_the_end(monkeypatch, capsys):
    def broken():
        raise RuntimeError("no such thing")
        yield

    monkeypatch.setattr(doctor, "CHECKS", (broken, doctor.check_python))
    assert doctor.run(argparse.Namespace(json=False)) == 1
    output = capsys.readouterr().out
    assert "FAIL broken: the check failed (RuntimeError: no such thing)" in output
    assert "ok   python" in output


def test_shipped_kernels_are_a_line_without_a_failure(monkeypatch):
    compiler, line = doctor.check_kernel_compiler()
    assert str(compiler) == "ok   kernel compiler: of this package"
    assert str(line) == "ok   shipped kernels: none"  # a checkout
    monkeypatch.setattr(kernel_cache, "shipped_status", lambda: "not used, because")
    _, line = doctor.check_kernel_compiler()
    assert (line.result, line.advice) == ("not used, because", "")


def test_optional_packages_have_a_cure_and_are_no_failure(monkeypatch):
    def version(name: str) -> str:
        if name == "plotly":
            raise importlib.metadata.PackageNotFoundError(name)
        return "1.2.3"

    monkeypatch.setattr(importlib.metadata, "version", version)
    lines = {line.name: line for line in doctor.check_optional_packages()}
    assert not any(line.advice for line in lines.values())
    assert str(lines["distributed"]) == "ok   distributed: 1.2.3, for fuzz --scheduler"
    assert lines["plotly"].result == "not installed; for plots as HTML: python -m pip install plotly"


def test_sound_files_that_cannot_be_played_are_all_named(monkeypatch, tmp_path):
    (line,) = doctor.check_sound_files()
    assert (line.advice, line.result.endswith("all can be played")) == ("", True)
    monkeypatch.setattr(sound_player, "SOUND_FOLDER", tmp_path)
    (line,) = doctor.check_sound_files()
    assert line.result == f"{tmp_path} has no sounds"
    for name in ("ball", "goal"):
        (tmp_path / f"{name}.wav").write_bytes(b"RIFF")
    (line,) = doctor.check_sound_files()
    assert line.result.count("cannot be played") == 2
    assert line.advice
