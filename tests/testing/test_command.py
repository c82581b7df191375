"""The command `test`: statuses, reports, folders, processes, hashes that it writes, and wrong input."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from game.app.commands.command_line import main
from game.level import load
from game.sim import verify
from game.sim.replay import replay_file
from game.testing import artefacts, level_files, pool
from game.testing.reports import TestRecord, junit_xml
from tests.support import small_files
from tests.support.fork_server import IN_CHILD
from tests.support.until import SECONDS, wait_until
from tests.testing.conftest import WALK, YARD, level_with

ROOT = Path(__file__).resolve().parents[2]
GOOD = f'  - {{name: the goal is near, walk: ["{WALK}"], expect: {{goal: {{within: 5}}}}}}\n'
BAD = f'  - {{name: nobody meets the belt, walk: ["{WALK}"], expect: {{never: {{touches: belt}}}}}}\n'
SLEEPY = "  - {name: later, skip: not today, bot: random, expect: {deaths: 0}}\n"
LINE = YARD.count("\n") + 2  # of the first test
HASHED = """\
tests:   # of the yard
  - name: golden    # the whole path
    walk: ["120 forward 1"]
    expect:
      hash:   # written by --update
      deaths: 0
"""


def test_passed_and_skipped_tests_exit_with_0_and_leave_no_files(tmp_path, walker_test):
    level_with(tmp_path, "tests:\n" + GOOD + SLEEPY)
    status, out, err = walker_test("yard.yaml")
    assert status == 0
    assert f"PASSED   yard.yaml:{LINE} the goal is near" in out
    assert f"SKIPPED  yard.yaml:{LINE + 1} later (not today)" in out
    assert out.splitlines()[-1].startswith("1 passed, 1 skipped in ")
    assert "\r" not in out + err
    assert not (tmp_path / "walker-tests").exists()


def test_a_failure_names_place_tick_and_what_was_and_leaves_replay_and_picture(tmp_path, walker_test):
    level_with(tmp_path, "tests:\n" + GOOD + BAD)
    status, out, _ = walker_test("yard.yaml", "-o", "kept")
    assert status == 1
    lines = out.splitlines()
    at = next(k for k, line in enumerate(lines) if line.startswith("FAILED"))
    tick = int(lines[at + 1].split("tick ")[1].split()[0])
    assert lines[at + 1] == f"    yard.yaml:{LINE + 1}: failed at tick {tick} ({tick / 60:.2f} s)"
    assert lines[at + 2] == "      expected: never touching 'belt'"
    assert "and touches floor (belt)" in lines[at + 3]
    stem = tmp_path / "kept" / "yard-nobody-meets-the-belt"
    assert f"    see kept/{stem.name}.replay" in lines
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


def test_junit_leaves_out_what_xml_cannot_hold():
    record = TestRecord("l", "/a.yaml", "a\x07.yaml", 1, "n\x00", "error", message="bell \x07, \ud800")
    (case,) = ElementTree.fromstring(junit_xml([record])).iter("testcase")
    assert case.get("name") == "n?"
    assert case[0].get("message") == "bell ?, ?"


@pytest.mark.full
def test_k_chooses_by_name_and_by_level(tmp_path, walker_test):
    level_with(tmp_path, "tests:\n" + GOOD + BAD)
    assert walker_test("yard.yaml", "-k", "GOAL")[0] == 0
    assert walker_test("yard.yaml", "-k", "belt")[0] == 1
    assert "2" not in walker_test("yard.yaml", "-k", "yard.y")[1].splitlines()[-1].partition("failed")[0].strip("1 ,")
    status, out, _ = walker_test("yard.yaml", "-k", "nothing like it")
    assert status == 5
    assert "no test contains 'nothing like it'" in out


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
    assert f"a/yard.yaml:{LINE}" in out
    assert f"b/deep/yard.yaml:{LINE}" in out
    assert walker_test("a", "a/yard.yaml", "./a/../a")[1].count("PASSED") == 1


def test_a_file_of_tests_stands_for_its_level(tmp_path, walker_test):
    level_with(tmp_path, "")
    (tmp_path / "yard.tests.yaml").write_text("format: 1\ntests:\n" + GOOD)
    for name in ("yard.yaml", "yard.tests.yaml", "."):
        status, out, _ = walker_test(name)
        assert (status, "PASSED   yard.tests.yaml:3 " in out) == (0, True)


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


@pytest.mark.full
def test_junit_has_the_form_that_ci_systems_read(tmp_path, walker_test):
    odd = GOOD.replace("the goal is near", r'"a <b> & \"c\" \U0001F600"')
    level_with(tmp_path, "tests:\n" + GOOD + BAD + SLEEPY + odd + "  - {name: odd, wolk: x, expect: {deaths: 0}}\n")
    status, _, _ = walker_test("yard.yaml", "--junit", "report.xml")
    assert status == 1
    root = ElementTree.parse(tmp_path / "report.xml").getroot()
    (suite,) = root
    cases = list(suite)
    assert (root.tag, suite.tag) == ("testsuites", "testsuite")
    for element in (root, suite):
        assert element.get("failures") == "1"
        assert element.get("errors") == "1"
        assert element.get("skipped") == "1"
        assert element.get("tests") == str(len(cases))
        assert float(element.get("time")) >= 0
    assert {case.tag for case in cases} == {"testcase"}
    assert all(case.get("name") and case.get("classname") and float(case.get("time")) >= 0 for case in cases)
    kinds = [child.tag for case in cases for child in case]
    assert sorted(kinds) == ["error", "failure", "skipped"]
    (failure,) = root.iter("failure")
    assert "never touching 'belt'" in failure.get("message")
    assert f"yard.yaml:{LINE + 1}: failed at tick" in failure.text


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
    command = [sys.executable, str(ROOT / "run_game.py"), "test", "yard.yaml", "-n", "2"]
    running = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        preexec_fn=IN_CHILD,
    )  # fmt: skip
    wait_until(lambda: len(_processes_of(running.pid)) >= 4)  # itself, two workers, a tracker
    os.killpg(running.pid, signal.SIGINT)
    out, err = running.communicate(timeout=SECONDS)
    assert running.returncode == 130
    assert "Traceback" not in out + err
    assert "interrupted after " in err
    wait_until(lambda: not _processes_of(running.pid))


def _processes_of(session: int) -> list[int]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            found.append(int(stat.parent.name))
    return found


@pytest.mark.full
def test_update_writes_the_hash_and_nothing_else(tmp_path, walker_test):
    path = level_with(tmp_path, HASHED)
    status, out, _ = walker_test("yard.yaml")
    assert status == 1
    assert "hash of the path (none yet)" in out
    status, out, _ = walker_test("yard.yaml", "--update")
    assert status == 0
    assert "yard.yaml: hash written: golden" in out
    written = path.read_text()
    before, after = (YARD + HASHED).splitlines(), written.splitlines()
    (changed,) = [k for k, (a, b) in enumerate(zip(before, after, strict=True)) if a != b]
    assert before[changed].strip() == "hash:   # written by --update"
    assert after[changed].strip().startswith('hash: "')
    assert after[changed].endswith("# written by --update")
    assert walker_test("yard.yaml")[0] == 0
    path.write_text(written.replace("120 forward 1", "121 forward 1"))
    assert walker_test("yard.yaml")[0] == 1
    assert walker_test("yard.yaml", "--update")[0] == 0
    assert walker_test("yard.yaml", "--update")[1].count("hash written") == 0
    assert sorted(name for name in os.listdir(tmp_path) if name.startswith(".")) == []


def test_update_of_a_file_that_cannot_be_written_keeps_it(tmp_path, walker_test):
    path = level_with(tmp_path, HASHED)
    with small_files.files_up_to(100):
        status, _, err = walker_test("yard.yaml", "--update")
    assert status == 1
    assert "yard.yaml: the hash was not written: file too large" in err
    assert path.read_text() == YARD + HASHED


@pytest.mark.full
def test_a_kill_during_an_update_leaves_the_old_or_the_new_file(tmp_path):
    path = level_with(tmp_path, HASHED)
    code = """
import os, sys
from game.app.commands import command_line
real = os.replace
def replace(a, b):
    os.kill(os.getpid(), 9)
os.replace = replace
os.chdir(sys.argv[1])
command_line.main(["test", "yard.yaml", "--update"])
"""
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], cwd=ROOT, capture_output=True, timeout=300)
    assert done.returncode == -9
    assert path.read_text() == YARD + HASHED


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
        (["plain/yard.yaml"], 5, "no tests found"),
        (["lost/yard.yaml"], 1, "gone.commands"),
        (["goalless/yard.yaml"], 1, "goal"),
        (["orphan.tests.yaml"], 2, "orphan.yaml"),
        (["fine/yard.yaml", "broken.yaml"], 2, "PASSED"),
        (["fine/yard.yaml", "-n", "0"], 2, "'0' is not a number of processes"),
        (["fine/yard.yaml", "-n", "many"], 2, "'many' is not a number"),
        (["fine/yard.yaml", "--junit", "no/such/folder.xml"], 2, "no such folder"),
        (["fine/yard.yaml", "--junit", "fine/yard.yaml"], 2, "must not have the name of a level"),
        (["fine/yard.yaml", "--junit", "fine"], 2, "directory"),
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


@small_files.needs_full_device
@pytest.mark.parametrize("suffix", ["replay", pytest.param("png", marks=pytest.mark.full)])
def test_files_that_cannot_be_written_are_named(tmp_path, walker_test, suffix):
    level_with(tmp_path, "tests:\n" + BAD)
    (tmp_path / "full").mkdir()
    (tmp_path / f"full/yard-nobody-meets-the-belt.{suffix}").symlink_to(small_files.FULL)
    status, _, err = walker_test("yard.yaml", "-o", "full")
    assert status == 2
    assert f"full/yard-nobody-meets-the-belt.{suffix}: no space left on device" in err


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission_is_named_before_the_tests_run(tmp_path, walker_test):
    level_with(tmp_path, "tests:\n" + BAD)
    (tmp_path / "locked").mkdir(mode=0o500)
    status, out, err = walker_test("yard.yaml", "-o", "locked")
    assert status == 2
    assert "locked" in err
    assert "FAILED" not in out


def test_two_tests_of_one_name_are_reported_and_the_others_run(tmp_path, walker_test):
    level_with(tmp_path, "tests:\n" + GOOD + GOOD)
    status, out, _ = walker_test("yard.yaml")
    assert status == 1
    assert "the goal is near" in out
    assert f"yard.yaml:{LINE + 1}" in out
    assert out.count("PASSED") == 1


SIMILAR = ("b-2", "b", "B", "\u65e5\u672c", "\u6771\u4eac")


def test_stems_of_similar_names_differ():
    taken: dict[str, int] = {}
    stems = [artefacts.unique_stem(artefacts.file_stem("yard", name), taken) for name in SIMILAR]
    assert stems == ["yard-b-2", "yard-b", "yard-b-3", "yard", "yard-2"]


@pytest.mark.full
def test_failures_of_similar_names_have_files_of_their_own(tmp_path, walker_test):
    tests = "".join(f'  - {{name: "{name}", walk: ["10"], expect: {{goal: reached}}}}\n' for name in SIMILAR)
    level_with(tmp_path, f"tests:\n{tests}")
    walker_test("yard.yaml")
    stems = {path.stem for path in (tmp_path / "walker-tests").glob("*.replay")}
    assert stems == {"yard-b", "yard-b-2", "yard-b-3", "yard", "yard-2"}


def test_a_level_whose_tests_change_while_they_run_is_named(tmp_path):
    path = level_with(tmp_path, 'tests:\n  - {name: a, walk: ["10"], expect: {deaths: 0}}\n')
    (task,) = pool.make_tasks([level_files.read_tested_level(str(path))], "", None)
    assert [record.name for record in pool.run_task(task, time.perf_counter)] == ["a"]
    for tests in ("", 'tests:\n  - {name: b, walk: ["10"], expect: {deaths: 0}}\n', "tests: ["):
        level_with(tmp_path, tests)
        with pytest.raises(OSError, match="the level was changed while its tests ran"):
            pool.run_task(task, time.perf_counter)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_in_a_folder_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    assert level_files.levels_below(tmp_path) == ([tmp_path / "pipe.yaml"], 0)


def test_levels_of_a_folder_may_have_their_suffix_in_capitals(tmp_path: Path) -> None:
    for name in ("A.YAML", "b.Yml", "c.YAML.txt"):
        (tmp_path / name).write_text("format: 1\n", "utf-8")
    assert level_files.levels_below(tmp_path) == ([tmp_path / "A.YAML", tmp_path / "b.Yml"], 0)


@pytest.mark.parametrize("command", ["check", "test"])
def test_tests_of_a_missing_level_in_a_folder_are_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    (tmp_path / "gone.tests.yaml").write_text("format: 1\ntests: []\n", "utf-8")
    assert main([command, str(tmp_path)]) == 2
    output = capsys.readouterr()
    assert "the level of these tests, `gone.yaml`, does not exist [fatal]" in output.out + output.err
