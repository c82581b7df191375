"""What the player has done is kept: by level, whole at any moment, and as much of a damaged file as can be read."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from game.app.guidance import hints
from game.app.runs import progress
from game.app.runs.library import run_library
from game.app.runs.progress import BestRun
from game.level import load
from game.level.format.file_access import SHIPPED_LEVELS, is_tests_file
from tests.support.kill_while_writing import ENOUGH, FLOOR

ROOT = Path(__file__).resolve().parents[3]
KILLS, SEED = 20, 11


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "floor.yaml"
    path.write_text(FLOOR, encoding="utf-8")
    return path


def test_the_best_run_is_known_by_level_and_by_file(file):
    level = load(file)
    assert progress.record_visit(level, "start") == ""
    assert progress.last_played() == (file, "start")
    before, problem = progress.record_finish(level, "start", BestRun(9.5), ("no_jump",))
    assert (before.best, before.challenges, problem) == (None, (), "")
    before, problem = progress.record_finish(level, "start", BestRun(9.25, splits=(("a", 1.5),)), ("no_jump", "crouch"))
    assert before.best is not None
    assert (before.best.seconds, before.challenges, problem) == (9.5, ("no_jump",), "")
    progress.record_finish(level, "start", BestRun(30.0))  # slower: it counts, and changes nothing
    mine = progress.level_record(file)
    assert mine.best is not None
    assert mine.best.splits == (("a", 1.5),)
    assert (mine.name, mine.finished, mine.challenges) == ("Floor", 3, ("no_jump", "crouch"))
    assert {progress.level_record(one).best.seconds for one in (level, file, str(file))} == {9.25}
    assert progress.level_record(level, "elsewhere").best is None


def test_another_level_under_the_same_name_has_no_best_yet(file):
    progress.record_visit(load(file), "start")
    progress.record_finish(load(file), "start", BestRun(9.5))
    file.write_text(FLOOR.replace("Floor", "Plain"), encoding="utf-8")  # a name: the same walk
    assert progress.level_record(load(file)).best.seconds == 9.5
    assert progress.level_record(file).best is None  # by the file alone that cannot be known before it is played again
    progress.record_visit(load(file), "start")
    assert progress.level_record(file).best.seconds == 9.5
    file.write_text(FLOOR.replace("-8]", "-4]"), encoding="utf-8")
    assert progress.level_record(file).best is None
    assert progress.level_record(load(file)).best is None


def test_two_games_do_not_forget_each_others_runs(file, data):
    level = load(file)
    progress.record_finish(level, "start", BestRun(9.5))
    text = (data / progress.FILE_NAME).read_text()
    other = json.loads(text)
    (key,) = other["records"]
    other["records"]["0123:start"] = other["records"][key]
    (data / progress.FILE_NAME).write_text(json.dumps(other))
    progress.record_finish(level, "start", BestRun(8.5))
    assert set(progress.read_progress().records) == {key, "0123:start"}


@pytest.mark.parametrize("where", ["cut", "letters", "kinds"])
def test_valid_entries_of_a_damaged_file_are_used_and_the_file_is_kept(file, data, where):
    level = load(file)
    progress.record_visit(level, "start")
    progress.record_finish(level, "start", BestRun(9.5))
    path = data / progress.FILE_NAME
    if where == "cut":
        path.write_bytes(path.read_bytes()[:-40])
    elif where == "letters":
        path.write_bytes(b"\xff\xfe" + path.read_bytes())
    else:
        values = json.loads(path.read_text())
        values["last"] = [3, None]
        for bad in ({"best": 3}, 7, {"best": {"seconds": float("nan")}}, {"best": {"seconds": -1}}):
            values["records"][f"bad{len(values['records'])}"] = bad
        values["visits"] = []
        path.write_text(json.dumps(values))
    broken = path.read_bytes()
    assert progress.last_played() is None
    best = progress.level_record(level).best
    assert (best and best.seconds) == (9.5 if where == "kinds" else None)
    assert path.with_name(progress.FILE_NAME + ".damaged").read_bytes() == broken
    (note,) = progress.take_notes()
    assert "damaged" in note
    assert f"saved as {progress.FILE_NAME}.damaged, in the folder {data.name}." in note
    assert progress.take_notes() == []
    progress.record_visit(level, "start")
    assert progress.last_played() == (file, "start")
    assert progress.take_notes() == []


@pytest.mark.parametrize(
    ("name", "change", "sentence"),
    [
        (progress.FILE_NAME, lambda: progress.update_progress(lambda old: old), "Your progress cannot be saved"),
        (run_library.INDEX_NAME, lambda: run_library.update_library({}), "The list of runs cannot be saved"),
        (hints.FILE_NAME, lambda: use_a_hint(), "The hints that you have used cannot be saved"),
    ],
)
def test_a_file_that_cannot_be_read_is_left_and_a_sentence_says_so(data, name, change, sentence):
    (data / name).mkdir(parents=True)  # nobody can read a folder as a file, not even root
    (data / name / "mine").write_text("kept")
    problem = change()
    assert problem.startswith(sentence)
    assert problem.endswith("is a directory.")
    assert progress.read_progress() == progress.PlayerProgress()
    assert run_library.read_library() == {}
    assert (data / name / "mine").read_text() == "kept"


def use_a_hint():
    memory = hints.HintMemory()
    memory.add("jump")
    return memory.take_problem()


def test_partly_written_files_of_killed_games_are_removed(file, data):
    data.mkdir()
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as running:
        old, new = data / f".settings.json.{running.pid}.part", data / f".progress.json.{running.pid}.part"
        old.write_text("{")
        new.write_text("{")
        os.utime(old, (1e9, 1e9))
        progress.record_visit(load(file), "start")
        assert (old.exists(), new.exists()) == (False, True)
        running.communicate(b"\n")
    progress.record_visit(load(file), "start")
    assert not new.exists()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the killed processes are forked, and this system cannot fork")
@pytest.mark.full
def test_twenty_kills_lose_nothing(tmp_path):
    """Of progress, hints and the list of runs, while a game writes them."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.kill_while_writing", str(tmp_path), str(KILLS), str(SEED)],
        capture_output=True, text=True, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["wrong"] == []
    assert min(found["told"].values()) >= ENOUGH  # some were killed in the middle of their work, not before it
    assert found["last"] >= ENOUGH


@pytest.mark.parametrize("name", sorted(progress.SHIPPED_HASHES))
@pytest.mark.sample(3)
def test_a_best_run_of_a_shipped_level_outlives_new_texts_in_its_file(name, data):
    """The table has each level's hash as it is, so that a visit is valid whatever the digest of its files was then."""
    path = SHIPPED_LEVELS / name
    level = load(path)
    assert progress.cached_level_hash(level) == progress.SHIPPED_HASHES[name]
    level_hash = progress.cached_level_hash(level)
    known = progress.PlayerProgress(
        visits={f"shipped/{name}": progress.LevelVisit(level_hash, (), "old", "a")},
        records={f"{level_hash}:a": progress.LevelRecord(best=BestRun(9.5))},
    )
    data.mkdir()
    (data / progress.FILE_NAME).write_bytes(progress.encode_progress(known))
    assert progress.level_record(path).best.seconds == 9.5


def test_each_shipped_level_is_in_the_table():
    files = [path for path in SHIPPED_LEVELS.rglob("*.yaml") if not is_tests_file(path)]
    levels = [path for path in files if path.parent.name != "prefabs"]
    assert {path.relative_to(SHIPPED_LEVELS).as_posix() for path in levels} == set(progress.SHIPPED_HASHES)
