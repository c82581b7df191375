"""`doctor`: what it says where something is old or has failed; `prepare`, which compiles what is missing."""

from __future__ import annotations

import os

import pytest

from game.app.commands import doctor
from game.app.commands.command_line import main
from game.app.launch import crash_report, kernel_compilation
from game.physics import prepare


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


def test_a_gamepad_or_sound_that_cannot_be_looked_for_is_not_missing(monkeypatch):
    def fail(function):
        raise FileNotFoundError("/dev/input")

    monkeypatch.setattr(doctor, "missing_display_reason", lambda: None)
    monkeypatch.setattr(doctor, "_probe", fail)
    gamepad, sound = doctor.check_devices()
    assert (gamepad.name, gamepad.result[:5], gamepad.advice) == ("gamepad", "none ", "")
    assert (sound.name, sound.result[:6], sound.advice) == ("sound", "no dev", "")
    monkeypatch.setattr(doctor, "missing_display_reason", lambda: "no display")
    assert list(doctor.check_devices()) == []


def test_a_driver_that_ends_its_process_is_no_opengl(monkeypatch):
    monkeypatch.setattr(doctor, "find_opengl", os.abort)
    (line,) = doctor.check_opengl()
    assert (line.result, line.advice) == ("not available without a window", "its process crashed or was killed")


def test_the_advice_is_one_line(monkeypatch):
    def fail(function):
        raise RuntimeError("\nno library\nTraceback")

    monkeypatch.setattr(doctor, "_probe", fail)
    (line,) = doctor.check_opengl()
    assert line.advice == "no library"


@pytest.mark.jit
def test_prepare_compiles_what_is_missing_and_says_where_it_is(monkeypatch, capsys):
    missing, started = ["whole"], []

    def compile_steps(steps, print_line):
        started.append(steps)
        missing.clear()

    monkeypatch.setattr(prepare, "missing_steps", lambda steps: list(missing))
    monkeypatch.setattr(kernel_compilation, "compile_steps", compile_steps)
    for _ in range(2):
        assert main(["prepare"]) == 0
        assert capsys.readouterr().out == f"all kernels are compiled: {prepare.CACHE_FOLDER}\n"
    assert started == [list(prepare.EXPECTED_STEPS)]
