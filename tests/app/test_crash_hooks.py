"""Crash hooks: a failing thread, an unraisable error and a segmentation fault each leave a report; Ctrl-C does not."""

from __future__ import annotations

import faulthandler
import json
import os
import subprocess
import sys
import threading
import zipfile
from pathlib import Path

import pytest

from game.app.commands import command_line
from game.app.launch import crash_hooks, crash_report

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def tests_own_trace():
    """What the tests themselves have faulthandler for goes on afterwards."""
    yield
    faulthandler.enable(sys.__stderr__)


@pytest.fixture
def crash_folder(data):
    return data / "crashes"


def fail_in_a_thread(error):
    def work():
        raise error

    thread = threading.Thread(target=work, name="ghost")
    thread.start()
    thread.join()


class Unraisable:
    def __init__(self, error):
        self.error = error

    def __del__(self):
        raise self.error


def fail_in_del(error):
    Unraisable(error)


def during(monkeypatch, what):
    """Run a command that does this and then prints a line."""

    def run(arguments):
        what()
        print("done")
        return 0

    monkeypatch.setattr(command_line, "_parse_and_run", run)
    return command_line.main(["check", "demo"])


@pytest.mark.parametrize(
    ("fail", "named"), [(fail_in_a_thread, "The thread 'ghost' failed"), (fail_in_del, "Unraisable.__del__ failed")]
)
def test_the_error_is_reported_and_the_command_goes_on(fail, named, crash_folder, monkeypatch, capsys):
    assert during(monkeypatch, lambda: fail(ZeroDivisionError("the made mistake"))) == 0
    out, output = capsys.readouterr()
    assert out == "done\n"
    (file,) = crash_folder.iterdir()
    assert output.startswith(f"{named}; the game goes on (ZeroDivisionError: the made mistake")
    assert str(file) in output
    with zipfile.ZipFile(file) as held:
        assert "ZeroDivisionError: the made mistake" in held.read("trace.txt").decode()
        assert json.loads(held.read("about.json"))["arguments"] == ["check", "demo"]


@pytest.mark.parametrize("fail", [fail_in_a_thread, fail_in_del])
@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(3)])
def test_a_way_to_stop_is_no_error(fail, error, crash_folder, monkeypatch, capsys):
    assert during(monkeypatch, lambda: fail(error)) == 0
    assert capsys.readouterr() == ("done\n", "")
    assert not crash_folder.exists()


def test_the_same_error_is_reported_once(crash_folder, monkeypatch, capsys):
    assert during(monkeypatch, lambda: [fail_in_del(ValueError("again")) for _ in range(5)]) == 0
    assert len(list(crash_folder.iterdir())) == 1
    assert capsys.readouterr().err.count("\n") == 1


FAULT = """
import faulthandler, sys
from game.app.launch import crash_hooks
faulthandler.disable()
with crash_hooks.watch(["play", "x"]), crash_hooks.fatal_trace(["play", "x"], print):
    def the_made_mistake():
        faulthandler._sigsegv()
    the_made_mistake()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no POSIX signals")
def test_a_segmentation_fault_leaves_a_trace_that_the_next_start_reports(crash_folder):
    call = [sys.executable, "-c", FAULT]
    done = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode < 0
    (trace,) = crash_folder.iterdir()
    assert trace.name.startswith("fatal-")
    assert "the_made_mistake" in trace.read_text()
    (output,) = crash_hooks.collect()
    (report,) = crash_folder.iterdir()
    assert str(report) in output
    with zipfile.ZipFile(report) as held:
        text = held.read(trace.name).decode()
        assert json.loads(held.read("about.json"))["fatal_trace"] == trace.name
    assert "arguments ['play', 'x']" in text.splitlines()[0]
    assert "Segmentation fault" in text
    assert "the_made_mistake" in text
    assert crash_hooks.collect() == []


def test_only_the_newest_traces_of_killed_games_are_kept(crash_folder):
    crash_folder.mkdir(parents=True)
    names = [f"fatal-2026-12-01-0000{second:02}-7.txt" for second in range(crash_report.MAX_REPORTS + 3)]
    for name in names:
        (crash_folder / name).write_text("the first line of a game that was killed\n")
    assert crash_hooks.collect() == []
    assert sorted(path.name for path in crash_folder.iterdir()) == names[3:]


@pytest.mark.skipif(sys.platform == "win32", reason="no POSIX signals")
def test_a_segmentation_fault_without_a_window_is_traced_on_stderr(tmp_path):
    code = (
        "import faulthandler; from game.app.commands import command_line; "
        "command_line._parse_and_run = lambda _: faulthandler._sigsegv(); command_line.main(['x'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False,
        env={**os.environ, "WALKER_DATA": str(tmp_path)},
    )  # fmt: skip
    assert "Segmentation fault" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_start_that_ends_well_leaves_no_trace(crash_folder):
    output = []
    with crash_hooks.fatal_trace([], output.append):
        (running,) = crash_folder.iterdir()
        assert crash_hooks.collect() == []  # of another game that starts meanwhile
        assert running.exists()
    with pytest.raises(ValueError, match="made"), crash_hooks.fatal_trace([], output.append):
        raise ValueError("made")
    assert list(crash_folder.iterdir()) == []
    assert output == []


def test_where_nothing_can_be_written_the_game_still_runs(monkeypatch):
    monkeypatch.setenv("WALKER_DATA", "/dev/null/x")
    ran = []
    with crash_hooks.fatal_trace([], ran.append):
        ran.append("ran")
    assert ran == ["ran"]
