"""The command `test`: statuses, reports, folders, processes, hashes that it writes, and wrong input."""

from __future__ import annotations

import contextlib
import errno
import importlib.util
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from game.app.commands.command_line import main
from game.level import load
from game.sim import verify
from game.sim.replay import replay_file
from game.testing import level_files
from tests.support import full_disk
from tests.support.fork_server import IN_CHILD
from tests.support.until import SECONDS, wait_until
from tests.testing.conftest import WALK, YARD, level_with

ROOT = Path(__file__).resolve().parents[2]
GOOD = f'  - {{name: the goal is near, walk: ["{WALK}"], expect: {{goal: {{within: 5}}}}}}\n'
BAD = f'  - {{name: nobody meets the belt, walk: ["{WALK}"], expect: {{never: {{touches: belt}}}}}}\n'
SLEEPY = "  - {name: later, skip: not today, bot: random, expect: {deaths: 0}}\n"
LINE = YARD.count("\n") + 2  # of the first test


def test_passed_and_skipped_tests_exit_with_0_and_leave_no_files(tmp_path, walker_test):
    level_with(tmp_path, "tests:\n" + GOOD + SLEEPY)
    status, out, err = walker_test("yard.yaml")
    assert status == 0
    assert "yard.yaml::the goal is near PASSED" in out
    assert "yard.yaml::later SKIPPED (not today)" in out
    assert "= 1 passed, 1 skipped in " in out.splitlines()[-1]
    assert "\r" not in out + err
    assert not (tmp_path / "walker-tests").exists()


def test_a_failure_names_place_tick_and_what_was_and_leaves_replay_and_picture(tmp_path, walker_test):
    level_with(tmp_path, "tests:\n" + GOOD + BAD)
    status, out, _ = walker_test("yard.yaml", "-o", "kept")
    assert status == 1
    lines = out.splitlines()
    at = next(k for k, line in enumerate(lines) if line.startswith(f"yard.yaml:{LINE + 1}: failed at tick "))
    tick = int(lines[at].split("tick ")[1].split()[0])
    assert lines[at] == f"yard.yaml:{LINE + 1}: failed at tick {tick} ({tick / 60:.2f} s)"
    assert lines[at + 1] == "  expected: never touching 'belt'"
    assert "and touches floor (belt)" in lines[at + 2]
    stem = tmp_path / "kept" / "yard-nobody-meets-the-belt"
    assert f"see kept/{stem.name}.replay" in lines
    replay = replay_file.read_replay(stem.with_suffix(".replay"))
    assert replay.is_complete
    assert replay.ticks == tick + 30
    feet = []
    verdict = verify(replay, lambda part: load(tmp_path / "yard.yaml"), observer=lambda w, c, e: feet.append(w))
    assert (verdict.ticks, verdict.divergence) == (tick + 30, None)
    with Image.open(stem.with_suffix(".png")) as picture:
        assert picture.size[0] == 960
        assert len(picture.getcolors(1 << 24)) > 50
    assert main(["replay", str(stem.with_suffix(".replay"))]) == 0


@pytest.mark.full
def test_a_folder_stands_for_all_its_levels(tmp_path, walker_test):
    level_with(tmp_path / "a", "tests:\n" + GOOD)
    level_with(tmp_path / "b" / "deep", "tests:\n" + BAD)
    (tmp_path / "b" / "config.yaml").write_text("jobs: {format: 1}\n")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "x.yaml").write_text("format: [\n")
    status, out, _ = walker_test(".")
    assert status == 1
    assert "1 other YAML file skipped: it has no `format:`" in out
    assert "a/yard.yaml::the goal is near PASSED" in out
    assert f"b/deep/yard.yaml:{LINE}: failed" in out
    assert walker_test("a", "a/yard.yaml", "./a/../a")[1].count("PASSED") == 1


def test_a_shipped_level_is_tested_by_its_name(walker_test):
    status, out, _ = walker_test("museum/jump")
    assert (status, "museum/jump.yaml::" in out, "= 1 passed in " in out) == (0, True, True)


@pytest.mark.full
def test_a_file_of_tests_stands_for_its_level(tmp_path, walker_test):
    level_with(tmp_path, "")
    (tmp_path / "yard.tests.yaml").write_text("format: 1\ntests:\n" + GOOD)
    for name in ("yard.yaml", "yard.tests.yaml", "."):
        status, out, _ = walker_test(name)
        assert (status, "::the goal is near PASSED" in out) == (0, True)


@pytest.mark.full
def test_json_is_the_only_output_and_says_everything(tmp_path, walker_test):
    level_with(tmp_path, "tests:\n" + GOOD + BAD + SLEEPY + "  - {name: odd, wolk: x, expect: {deaths: 0}}\n")
    status, out, _ = walker_test("yard.yaml", "--json")
    document = json.loads(out)
    assert (status, document["status"]) == (1, 1)
    assert document["counts"] == {"passed": 1, "failed": 1, "skipped": 1}
    passed, failed, _ = document["tests"]
    assert passed["expectations"][0]["held"] is True
    assert (failed["file"], failed["line"], failed["status"]) == ("yard.yaml", LINE + 1, "failed")
    assert [Path(name).suffix for name in failed["files"]] == [".replay", ".png"]
    assert "no field `wolk`" in document["findings"][0]


@pytest.mark.parametrize(("package", "options"), [("pytest", ()), ("xdist", ("-n", "2"))])
def test_without_pytest_a_sentence_says_what_to_install(tmp_path, walker_test, monkeypatch, package, options):
    level_with(tmp_path, "tests:\n" + GOOD)
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == package else found(name))
    status, out, err = walker_test("yard.yaml", *options)
    assert (status, out) == (2, "")
    assert err.strip().endswith("; install it with: pip install 'ellipsoid-walker[levels]'")
    assert err.count("\n") == 1


@pytest.mark.full
@pytest.mark.parametrize("processes", ["2", "auto"])
def test_several_processes_give_the_same_report(processes, tmp_path, walker_test):
    for name in ("one", "two"):
        level_with(tmp_path / name, "tests:\n" + GOOD + BAD)

    def report(*options: str):
        status, out, _ = walker_test(".", "--json", *options)
        tests = json.loads(out)["tests"]
        for test in tests:
            test.pop("wall_seconds")
        return status, tests

    alone, several = report(), report("-n", processes)
    assert alone == several
    files = [name for test in several[1] for name in test["files"]]
    assert len(set(files)) == 4  # two levels of one name
    assert all(Path(name).is_file() for name in files)


@pytest.mark.full
def test_ctrl_c_ends_every_process(tmp_path):
    walks = "".join(
        f'  - {{name: w{k}, walk: ["900000 forward 1"], expect: {{deaths: {{at_most: 9999999}}}}}}\n' for k in range(6)
    )
    level_with(tmp_path, "tests:\n" + walks)
    command = [sys.executable, "-u", str(ROOT / "run_game.py"), "test", "yard.yaml", "-n", "2"]
    running = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        preexec_fn=IN_CHILD,
    )  # fmt: skip
    assert running.stdout is not None
    assert any("created: 2/2 workers" in line for line in running.stdout)
    os.killpg(running.pid, signal.SIGINT)
    out, err = running.communicate(timeout=SECONDS)
    assert running.returncode == 130
    assert "Traceback" not in out + err
    wait_until(lambda: not _processes_in(tmp_path))


def _processes_in(folder: Path) -> list[int]:
    """The processes that run in a folder; those of pytest-xdist may have a session of their own."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if (process / "cwd").readlink() == folder:
                found.append(int(process.name))
    return found


@pytest.mark.full
def test_wrong_input_is_answered_in_a_sentence(tmp_path, walker_test):
    (tmp_path / "broken.yaml").write_text("format: 1\npieces: [\n")
    (tmp_path / "none").mkdir()
    level_with(tmp_path / "plain", "")
    level_with(tmp_path / "lost", "tests:\n  - {name: it, walk: gone.commands, expect: {deaths: 0}}\n")
    goalless = YARD.replace("goal: {at: [0, 0.3, -15], radius: 0.5}\n", "")
    level_with(tmp_path / "goalless", "tests:\n" + GOOD, text=goalless)
    (tmp_path / "orphan.tests.yaml").write_text("format: 1\ntests:\n" + GOOD)
    (tmp_path / "blocked").write_text("")
    level_with(tmp_path / "fine", "tests:\n" + GOOD + BAD)
    cases = [
        (["broken.yaml"], 2, "broken.yaml:"),
        (["gone.yaml"], 2, "gone.yaml"),
        (["no_such_level"], 2, "no_such_level"),
        (["none"], 5, "none: no level in this folder"),
        (["plain/yard.yaml"], 5, "no tests ran"),
        (["lost/yard.yaml"], 1, "gone.commands"),
        (["goalless/yard.yaml"], 1, "goal"),
        (["orphan.tests.yaml"], 2, "orphan.yaml"),
        (["fine/yard.yaml", "broken.yaml"], 2, "PASSED"),
        (["fine/yard.yaml", "-n", "0"], 2, "'0' is not a number of processes"),
        (["fine/yard.yaml", "-n", "many"], 2, "'many' is not a number"),
        (["fine/yard.yaml", "-o", "blocked"], 2, "blocked"),
        (["fine/yard.yaml", "-o", "blocked/deep"], 2, "is a file, not a folder"),
        ([], 2, "LEVEL"),
        ([""], 2, ""),
        (["\0"], 2, ""),
        (["fine/yard.yaml", "-q"], 2, "-q"),
    ]
    for arguments, wanted, words in cases:
        status, out, err = walker_test(*arguments)
        assert (arguments, status) == (arguments, wanted)
        assert words in out + err
        assert "Traceback" not in out + err
        assert out + err


@pytest.mark.full
@full_disk.needs_device
@pytest.mark.parametrize("suffix", ["replay", "png"])
def test_files_that_cannot_be_written_are_named(tmp_path, walker_test, suffix):
    level_with(tmp_path, "tests:\n" + BAD)
    (tmp_path / "full").mkdir()
    (tmp_path / f"full/yard-nobody-meets-the-belt.{suffix}").symlink_to(full_disk.DEVICE)
    status, out, _ = walker_test("yard.yaml", "-o", "full")
    assert status == 2
    assert f"full/yard-nobody-meets-the-belt.{suffix}: not written: no space left on device" in out


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission_is_named_before_the_tests_run(tmp_path, walker_test):
    level_with(tmp_path, "tests:\n" + BAD)
    (tmp_path / "locked").mkdir(mode=0o500)
    status, out, err = walker_test("yard.yaml", "-o", "locked")
    assert status == 2
    assert "locked" in err
    assert "FAILED" not in out


@pytest.mark.full
def test_two_tests_of_one_name_are_reported_and_the_others_run(tmp_path, walker_test):
    level_with(tmp_path, "tests:\n" + GOOD + GOOD)
    status, out, _ = walker_test("yard.yaml")
    assert status == 1
    assert "the goal is near" in out
    assert f"yard.yaml:{LINE + 1}" in out
    assert out.count("PASSED") == 1


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_in_a_folder_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    assert level_files.levels_below(tmp_path) == ([tmp_path / "pipe.yaml"], 0)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_a_level_in_utf_16_is_found_so_that_it_is_reported(tmp_path, encoding):
    (tmp_path / "a.yaml").write_bytes("\ufeffformat: 1\n".encode(encoding))
    assert level_files.levels_below(tmp_path) == ([tmp_path / "a.yaml"], 0)


def test_a_folder_that_cannot_be_read_is_an_error(tmp_path, monkeypatch):
    def refuse(folder):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(folder))

    monkeypatch.setattr(os, "listdir", refuse)  # root reads every folder
    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(PermissionError):
        level_files.levels_below(tmp_path)


@pytest.mark.sample(1)
@pytest.mark.parametrize("command", ["check", "test"])
def test_tests_of_a_missing_level_in_a_folder_are_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    (tmp_path / "gone.tests.yaml").write_text("format: 1\ntests: []\n", "utf-8")
    assert main([command, str(tmp_path)]) == 2
    output = capsys.readouterr()
    assert "the level of these tests, `gone.yaml`, does not exist [fatal]" in output.out + output.err
