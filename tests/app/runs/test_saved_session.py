"""Continue: place, view, time and run come back after the end of the program; no broken file does harm."""

from __future__ import annotations

import json
import os
import random
import signal
import threading
import time

import pytest

from game.app.game import Game
from game.app.runs import progress, saved_session
from game.app.runs.library import run_library
from game.app.runs.saved_session import NO_RECORDING_REASON, SAVE_SECONDS, SessionSaver, restore_session, session_file
from game.app.runs.time_trial import RESULT_DELAY
from game.app.settings.settings_file import Settings
from game.level import load
from game.sim import World
from game.sim.replay import chunk_file, fingerprint
from game.sim.replay.verifier import verify
from tests.support import full_disk
from tests.support.player import Player
from tests.support.until import wait_until

LEVEL = """\
format: 1
name: Lift and balls
spawns:
  - {name: start, at: [0, 0, 0], facing: north}
  - {name: side, at: [9, 0, 9], facing: north}
pieces:
  - floor: {from: [-20, -20], to: [20, 20]}
  - target: {at: [0, 1, -2], name: The bell}
  - checkpoint: {name: Half way, from: [-3, 0, -4], to: [3, 2.2, -2]}
  - mover: {path: [[6, 0, -4], [6, 2, -4]], seconds: 3, of: [{box: {from: [-1, 0, -1], to: [1, 0.5, 1]}}]}
  - balls: {from: [-3, 3, -3], to: [-1, 4, -1], count: 3}
goal: {at: [0, 0, -10], radius: 0.5}
kill_height: -10
"""


@pytest.fixture
def level(tmp_path, monkeypatch):
    monkeypatch.setenv("WALKER_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "level.yaml"
    path.write_text(LEVEL, encoding="utf-8")
    return load(path)


def playing(level, spawn=None):
    player = Player(Game(level, Settings(), "low"), World(level, spawn=spawn))
    player.game.session_saver = SessionSaver(player.game)
    return player


@pytest.fixture
def left(level):
    """A player in the middle of a run."""
    player = playing(level)
    player.wait(0.2)
    player.game.mouse_moved(2, -12)
    player.hold("W", 0.8)
    player.hold("D", 0.1)
    return player


def continued(level, spawn=None):
    player = Player(Game(load(level.path), Settings(), "low"), World(load(level.path), spawn=spawn))
    return player, restore_session(player.game)


def everything(player):
    game = player.game
    trial = game.runs.time_trial
    view = game.input.view.yaw, game.input.view.pitch
    return game.world.state(), view, trial.run.to_fields(), trial.void_reason, trial._path, trial._split_positions


def test_place_view_time_and_run_come_back_with_the_same_bits(left, level):
    left.game.cameras.third_person.toggle()
    assert left.game.leave_session() == ""
    player, problem = continued(level)
    assert problem == ""
    assert everything(player) == everything(left)
    assert player.game.cameras.third_person.is_active
    assert player.game.world.hash() == left.game.world.hash()
    for each in (left, player):
        each.game.session.reset_interpolation()
        each.hold("W", 0.5)
    assert player.game.world.state() == left.game.world.state()


@pytest.mark.full
def test_the_continued_run_counts(left, level):
    left.game.leave_session()
    player, _ = continued(level)
    player.game.input.view.yaw = 0.0
    player.hold("A", 0.1)
    player.game.key_pressed("W")
    trial = player.game.runs.time_trial
    for _ in range(400):
        player.wait(1 / 60)
        if trial.run.is_finished:
            break
    player.wait(RESULT_DELAY + 0.1)
    assert trial.result.void_reason == ""
    record = run_library.read_run(progress.runs_folder() / trial.result.file)
    assert verify(record, lambda part: level).divergence is None
    assert progress.level_record(level).best.seconds == trial.run.seconds
    assert [split.name for split in trial.run.splits] == ["The bell", "Half way"]


@pytest.mark.full
def test_a_saved_session_can_be_continued_twice(left, level):
    left.game.leave_session()
    player, _ = continued(level)
    player.game.session_saver = SessionSaver(player.game)
    player.wait(0.5)
    player.game.leave_session()
    again, problem = continued(level)
    assert problem == ""
    assert everything(again) == everything(player)


@pytest.mark.full
def test_a_practice_run_stays_one(left, level):
    left.game.runs.time_trial.void("rewind used")
    left.game.leave_session()
    player, problem = continued(level)
    assert (problem, player.game.runs.time_trial.void_reason) == ("", "rewind used")


@pytest.mark.full
def test_a_run_whose_recording_cannot_be_continued_is_a_practice_run(left, level, monkeypatch):
    monkeypatch.setattr(
        saved_session, "_encode_run", lambda kept: (kept.run.to_fields() | {"void": "", "split_positions": []}, b"")
    )
    left.game.leave_session()
    player, problem = continued(level)
    assert problem == ""
    assert player.game.runs.time_trial.void_reason == NO_RECORDING_REASON
    assert player.game.world.state() == left.game.world.state()
    assert player.game.runs.time_trial.run.seconds == left.game.runs.time_trial.run.seconds


@pytest.mark.full
def test_the_session_is_saved_every_ten_seconds_of_play(left):
    assert not session_file().exists()
    threads = threading.active_count()
    left.wait(SAVE_SECONDS)
    wait_until(lambda: threading.active_count() == threads)
    first = session_file().read_bytes()
    left.game.key_pressed("ESCAPE")
    left.wait(2 * SAVE_SECONDS)
    wait_until(lambda: threading.active_count() == threads)
    assert session_file().read_bytes() == first, "a pause changes nothing"


@pytest.mark.full
def test_the_main_menu_saves_and_the_world_of_the_title_is_not_saved(left, level):
    before = everything(left)
    left.game.key_pressed("ESCAPE")
    menu = left.game.menu
    menu.selected = next(k for k, row in enumerate(menu.rows) if row.name == "title")
    left.game.key_pressed("RETURN")
    left.game.key_pressed("RETURN")
    assert left.game.mode == "title"
    assert left.game.menu.rows[0].value.startswith("Lift and balls   0:0")
    left.wait(2.0)
    left.game.leave_session()
    player, problem = continued(level)
    assert problem == ""
    assert everything(player) == before


@pytest.mark.full
def test_leaving_while_rewinding_keeps_the_present(left, level):
    before = everything(left)[0]
    left.game.key_pressed("BACKSPACE")
    left.wait(0.3)
    assert left.game.world.state() != before
    left.game.leave_session()
    player, problem = continued(level)
    assert problem == ""
    assert player.game.world.state() == before


@pytest.mark.full
def test_a_finished_level_is_continued_as_finished(level):
    player = playing(level)
    player.game.key_pressed("W")
    player.wait(3.2)
    player.game.key_released("W")
    assert player.game.world.goal_tick > 0
    player.game.leave_session()
    again, problem = continued(level)
    assert problem == ""
    assert again.game.runs.time_trial.run.is_finished
    assert again.game.runs.time_trial.void_reason == ""
    again.wait(3.0)
    assert again.game.mode == "playing"


def test_after_a_restart_nothing_is_left_to_continue(left, level):
    left.game.leave_session()
    left.game.key_pressed("R")
    left.game.leave_session()
    assert not session_file().exists()
    player, problem = continued(level)
    assert (problem, player.tick) == ("", 0)


@pytest.mark.full
def test_a_full_disk_is_named_and_the_old_file_stays(left):
    left.game.leave_session()
    old = session_file().read_bytes()
    with full_disk.full_disk():
        left.hold("W", 0.2)
        assert left.game.leave_session() == full_disk.MESSAGE
        assert session_file().read_bytes() == old
        left.game.key_pressed("ESCAPE")
        left.game.menu.selected = len(left.game.menu.rows) - 1
        left.game.key_pressed("RETURN")
    assert left.game.menu.page.text.endswith(f"It is lost: your place cannot be saved ({full_disk.MESSAGE}).")


# Files that cannot be used


def changed_fields(data, **changes):
    """The file with other values in its header, its checks intact."""
    saved = saved_session.decode_session(data)
    fields = {**saved.fields, **changes}
    blocks = [
        chunk_file.encode_chunk("SESS", json.dumps(fields).encode()),
        chunk_file.encode_chunk("WRLD", saved.state),
    ]
    return chunk_file.MAGIC + b"".join(blocks) + chunk_file.encode_chunk("RUNR", saved.recorded)


def world_block(data):
    return chunk_file.encode_chunk("WRLD", saved_session.decode_session(data).state)


BROKEN = {
    "empty": lambda data: b"",
    "one byte": lambda data: data[:1],
    "half": lambda data: data[: len(data) // 2],
    "last byte missing": lambda data: data[:-1],
    "only the header": lambda data: data[:60],
    "text": lambda data: b"format: 1\nname: a level\n",
    "zeros": lambda data: bytes(len(data)),
    "noise": lambda data: random.Random(1).randbytes(5000),
    "noise in the middle": lambda data: data[:2000] + random.Random(2).randbytes(40) + data[2040:],
    "two files in one": lambda data: data + data,
    "no magic": lambda data: data[8:],
    "newer format": lambda data: changed_fields(data, format=2),
    "format of a wrong type": lambda data: changed_fields(data, format="1"),
    "another spawn": lambda data: changed_fields(data, spawn="side"),
    "a changed level": lambda data: changed_fields(data, hash="0" * 16),
    "older rules": lambda data: changed_fields(data, made=fingerprint.component_versions() | {"rules": "1"}),
    "other settings": lambda data: changed_fields(data, settings_hash="0" * 16),
    "no view": lambda data: changed_fields(data, view=None),
    "a view that is not finite": lambda data: changed_fields(data, view=[float("nan"), 0.0]),
    "no run": lambda data: changed_fields(data, run={}),
    "a run of wrong types": lambda data: changed_fields(data, run={"ticks": "many"}),
    "a json list": lambda data: chunk_file.MAGIC + chunk_file.encode_chunk("SESS", b"[1, 2]"),
    "deep json": lambda data: chunk_file.MAGIC + chunk_file.encode_chunk("SESS", b"[" * 100_000),
    "another world's state": lambda data: data.replace(world_block(data), b""),
    "a replay": lambda data: chunk_file.MAGIC + saved_session.decode_session(data).recorded[8:],
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.sample(1)
def test_a_file_that_cannot_be_used_is_kept_aside(left, level, name):
    left.game.leave_session()
    broken = BROKEN[name](session_file().read_bytes())
    session_file().write_bytes(broken)
    player, problem = continued(level)
    assert problem.startswith("Your saved place cannot be used: ")
    assert problem.endswith("You start at the beginning; the file is kept as continue.session.unusable.")
    assert len(problem) < 180
    assert session_file().with_name("continue.session.unusable").read_bytes() == broken
    assert not session_file().exists()
    assert player.game.world.state() == World(level).state()
    player.hold("W", 0.5)
    assert player.game.runs.time_trial.void_reason == "", "the run from the spawn counts"


def test_a_changed_level_is_noticed(left, level):
    left.game.leave_session()
    level.path.write_text(LEVEL.replace("-10]", "-11]"), encoding="utf-8")
    player, problem = continued(level)
    assert "the level has changed since" in problem
    assert player.tick == 0


@pytest.mark.full
def test_a_level_whose_start_has_another_name_has_changed(left, level):
    left.game.leave_session()
    level.path.write_text(LEVEL.replace("-10]", "-11]").replace("name: ", "name: new "), encoding="utf-8")
    assert "the level has changed since" in continued(level)[1]


@pytest.mark.full
def test_the_place_in_a_level_that_was_left_is_no_problem(left, level, tmp_path):
    left.game.leave_session()
    other = tmp_path / "other.yaml"
    other.write_text(LEVEL, encoding="utf-8")
    playing(load(other)).wait(0.1)  # and the program is killed before it has saved this
    player, problem = continued(load(other))
    assert (player.tick, problem) == (0, "")
    assert session_file().exists()


@pytest.mark.full
def test_the_place_in_a_level_that_cannot_be_loaded_is_kept_aside(left, level, tmp_path):
    left.game.leave_session()
    other = tmp_path / "other.yaml"  # as the demo level, which is played instead
    other.write_text(LEVEL, encoding="utf-8")
    game = Game(load(other), Settings(), "low")
    game.start(World(game.level))
    problem = restore_session(game)
    assert f"its level, {level.name}, cannot be loaded" in problem
    assert session_file().with_name("continue.session.unusable").exists()


def test_a_folder_in_its_place(level):
    session_file().mkdir(parents=True)
    player, problem = continued(level)
    assert problem.startswith("Your saved place cannot be read")
    assert player.tick == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the killed process is forked")
@pytest.mark.full
def test_a_kill_while_saving_leaves_a_whole_file(left, level):
    left.game.leave_session()
    expected = everything(left)
    for attempt in range(12):
        child = os.fork()
        if child == 0:
            while True:
                left.game.leave_session()
        time.sleep(0.004 * attempt)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        player, problem = continued(level)
        assert problem == ""
        assert everything(player) == expected
    left.game.leave_session()
    assert [path.name for path in session_file().parent.glob(".*.part")] == []
