"""`doctor`: what it says where something is old, missing or locked; `prepare`, which compiles what is missing."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import tomllib
from pathlib import Path

import pytest

import game
from game.app.audio import sound_player
from game.app.commands import doctor
from game.app.commands.command_line import main
from game.app.launch import crash_report, kernel_compilation
from game.app.launch.requirements import parse_requirement
from game.physics import prepare
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
    assert [line.name for line in doctor.check_crashes()] == []
    crash_report.write_crash_report(ValueError("one"))
    crash_report.write_crash_report(ValueError("two"))
    (reported,) = doctor.check_crashes()
    assert reported.result.startswith("2 reported, the last in ")
    assert any(reported.result.endswith(name) for name in os.listdir(crash_report.crash_folder()))


def test_a_look_that_fails_is_a_line_and_not_the_end(monkeypatch, capsys):
    def broken():
        raise RuntimeError("no such thing")
        yield

    monkeypatch.setattr(doctor, "CHECKS", (broken, doctor.check_python))
    assert main(["doctor"]) == 1
    output = capsys.readouterr().out
    assert "FAIL broken: the check failed (RuntimeError: no such thing)" in output
    assert "ok   python" in output


def test_shipped_kernels_are_a_line_without_a_failure(monkeypatch):
    (line,) = doctor.check_kernel_compiler()
    assert str(line) == "ok   shipped kernels: none"  # a checkout
    monkeypatch.setattr(kernel_cache, "shipped_status", lambda: "not used, because")
    (line,) = doctor.check_kernel_compiler()
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
    assert list(doctor.check_sound_files()) == []
    monkeypatch.setattr(sound_player, "SOUND_FOLDER", tmp_path)
    (line,) = doctor.check_sound_files()
    assert line.result == f"{tmp_path} has no sounds"
    for name in ("ball", "goal"):
        (tmp_path / f"{name}.wav").write_bytes(b"RIFF")
    (line,) = doctor.check_sound_files()
    assert line.result.count("cannot be played") == 2
    assert line.advice


@pytest.mark.jit
def test_prepare_compiles_what_is_missing_and_says_where_it_is(monkeypatch, capsys):
    missing, started = ["whole"], []

    class Compilation:
        def __init__(self, steps):
            started.append(list(steps))

        def wait_with_progress(self, print_line):
            missing.clear()

    monkeypatch.setattr(prepare, "missing_steps", lambda steps: list(missing))
    monkeypatch.setattr(kernel_compilation, "KernelCompilation", Compilation)
    for _ in range(2):
        assert main(["prepare"]) == 0
        assert capsys.readouterr().out == f"all kernels are compiled: {prepare.CACHE_FOLDER}\n"
    assert started == [list(prepare.EXPECTED_STEPS)]


@pytest.mark.jit
def test_prepare_fails_where_kernels_are_still_missing(monkeypatch):
    monkeypatch.setattr(prepare, "missing_steps", lambda steps: ["whole"])
    monkeypatch.setattr(kernel_compilation.KernelCompilation, "wait_with_progress", lambda self, print_line: None)
    monkeypatch.setattr(kernel_compilation, "COMPILE_COMMAND", ["true"])
    assert main(["prepare"]) == 1
