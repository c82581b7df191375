"""Continue: place, view, time and run come back after the end of the program; no broken file does harm."""

from __future__ import annotations

import json
import os
import random
import signal
import time
import tracemalloc

import pytest

from game.app.game import Game
from game.app.menus import level_library
from game.app.runs import progress
from game.app.runs.library import run_library
from game.app.runs.saved_places import (
    CHANGED_REASON,
    CHANGED_TEXT,
    PlaceSaver,
    carry_over_place,
    find_place,
    place_file,
    restore_place,
)
from game.app.runs.time_trial import RESULT_DELAY
from game.app.settings.settings_file import Settings
from game.level import Exit, load
from game.sim import World
from game.sim.replay import replay_file
from game.sim.replay.verifier import verify
from tests.support import full_disk
from tests.support.player import Player

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


def playing(level, spawn=None):
    player = Player(Game(level, Settings(), "low"), World(level, spawn=spawn))
    player.game.place_saver = PlaceSaver(player.game)
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
    return player, restore_place(player.game)


def file_of(player):
    world = player.game.world
    return place_file(progress.file_key(world.level.path), world.start.name)


def finish(player):
    """Walk ahead to the goal, and wait for the result."""
    player.game.key_pressed("W")
    player.wait_for(lambda: player.game.runs.time_trial.run.is_finished, 8.0)
    player.wait(RESULT_DELAY + 0.1)


def everything(player):
    game = player.game
    trial = game.runs.time_trial
    view = game.input.view.yaw, game.input.view.pitch
    run = trial.run.to_fields(), trial.void_reason, trial.finishes, trial._path(trial.run).tobytes()
    return game.world.state(), view, *run


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
    trial = player.game.runs.time_trial
    finish(player)
    assert trial.result.state == ""
    record = run_library.read_run(progress.runs_folder() / trial.result.file)
    assert verify(record, lambda part: level).divergence is None
    assert progress.level_record(level).best.seconds == trial.run.seconds
    assert [split.name for split in trial.run.splits] == ["The bell", "Half way"]


@pytest.mark.full
def test_every_second_of_play_is_in_the_file_and_a_pause_changes_nothing(left, level):
    for _ in range(4):
        left.hold("S", 0.45)
        replay = replay_file.read_replay(file_of(left))
        assert 0 <= left.game.session.history.end - replay.ticks <= 60
        assert replay.play_fields["ticks"] == replay.ticks
    first = file_of(left).read_bytes()
    left.game.key_pressed("ESCAPE")
    left.wait(3.0)
    assert file_of(left).read_bytes() == first
    ends = replay_file.read_replay(file_of(left)).parts[-1].blocks[-1].hash
    player, problem = continued(level)  # as after a kill
    assert (problem, player.game.world.hash()) == ("", ends)
    assert player.game.runs.time_trial.void_reason == ""


@pytest.mark.full
def test_a_kill_anywhere_in_a_write_costs_at_most_that_second(left, level):
    left.hold("W", 1.2)
    left.game.leave_session()
    data = file_of(left).read_bytes()
    blocks = replay_file.read_blocks(data)[0]
    plays = [block for block in blocks if block.kind == "PLAY"]
    fields = [json.loads(block.payload) for block in plays]
    assert len(plays) >= 3
    last_ticks = max(block.offset for block in blocks if block.kind == "TICK")
    for length in (len(data) - 1, plays[-1].offset, plays[-1].offset - 1, last_ticks + 5):
        file_of(left).write_bytes(data[:length])
        player, problem = continued(level)
        assert (problem, player.game.session.history.end) == ("", fields[-2]["ticks"]), length
        assert player.game.runs.time_trial.run.to_fields() == fields[-2]["run"]


CHANGES = {  # of the level file, and whether the place can be kept
    "the goal": ("-10]", "-11]"), "a wall": ("pieces:\n", "pieces:\n  - box: {from: [8, 0, 8], to: [9, 1, 9]}\n"),
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.sample(1)
def test_in_a_changed_level_the_place_is_kept_and_the_finish_has_no_time(left, level, name):
    left.game.leave_session()
    level.path.write_text(LEVEL.replace(*CHANGES[name]), encoding="utf-8")
    player, problem = continued(level)
    trial = player.game.runs.time_trial
    assert problem == CHANGED_TEXT
    assert player.tick == left.tick
    assert player.feet == pytest.approx(left.feet, abs=0.01)
    assert (trial.void_reason, trial.finishes) == (CHANGED_REASON, True)
    player.game.input.view.yaw = 0.0
    finish(player)
    assert progress.level_record(player.game.level).finished == 1
    assert progress.level_record(player.game.level).best is None


def test_a_level_that_the_state_does_not_fit_starts_anew(left, level):
    left.game.leave_session()
    changed = LEVEL.replace("  - target: {at: [0, 1, -2], name: The bell}\n", "")
    level.path.write_text(changed, encoding="utf-8")
    player, problem = continued(level)
    assert "the level or the game has changed since" in problem
    assert player.tick == 0


def test_a_place_whose_spawn_is_gone_is_told_once(left, level):
    left.game.leave_session()
    level.path.write_text(LEVEL.replace("name: start", "name: begin"), encoding="utf-8")
    player, problem = continued(level)
    assert 'the spawn "start", which is gone' in problem
    assert player.tick == 0
    player = playing(load(level.path))
    player.hold("W", 1.5)
    player.game.leave_session()
    assert continued(level)[1] == ""


def test_after_a_restart_nothing_is_left_to_continue(left, level):
    left.game.leave_session()
    left.game.key_pressed("R")
    left.game.leave_session()
    assert not file_of(left).exists()
    player, problem = continued(level)
    assert (problem, player.tick) == ("", 0)


@pytest.mark.full
def test_the_end_of_the_run_leaves_nothing_to_continue(left, level):
    left.hold("W", 1.0)
    assert file_of(left).exists()
    left.game.input.view.yaw = 0.0
    finish(left)
    assert not file_of(left).exists()
    left.wait(2.5)
    left.game.leave_session()
    assert not file_of(left).exists()
    left.game.push_mode("title")
    rows = [(row.name, row.label, row.value) for row in left.game.menu.rows]
    assert rows[0] == ("restart", "Play again", "Lift and balls")
    left.choose("restart")
    assert (left.game.mode, left.tick) == ("playing", 0)
    assert left.game.runs.restart_undo is None, "nothing is lost"


def travel(player, path, spawn=""):
    """Go to the level of a file, as from the list of levels; with a spawn, as through a door."""
    player.game.push_mode("leaving", Exit((0.0, 0.0, 0.0), 0.0, path.name, path, path.stem, spawn))
    player.wait_for(lambda: player.game.mode == "playing")


def test_each_level_keeps_its_place(left, level, monkeypatch):
    other = level.path.with_name("other.yaml")
    other.write_text(LEVEL.replace("Lift and balls", "Other"), encoding="utf-8")
    before = everything(left)
    travel(left, other)
    assert find_place(level.path).spawn == "start"
    left.hold("W", 1.5)
    elsewhere = everything(left)
    found = tuple(level_library.LevelEntry(path, path.stem, "Your levels") for path in (level.path, other))
    monkeypatch.setattr(level_library, "find_levels", lambda: found)
    left.game.key_pressed("ESCAPE")
    left.choose("levels")
    assert [row.note for row in left.game.menu.rows] == ["", "Continue   0:00.90, Half way", "Playing now"]
    travel(left, level.path)
    assert everything(left)[1:] == before[1:], "without the ticks of the frame that arrives"
    assert left.game.feedback.message.text == "Continued where you left off"
    travel(left, other)
    assert everything(left)[1:] == elsewhere[1:]


def test_a_door_to_a_spawn_begins_there_and_the_other_place_stays(left, level):
    before = everything(left)
    travel(left, level.path, "side")
    assert left.game.runs.time_trial.run.seconds == 0.0
    left.hold("W", 1.2)
    left.game.leave_session()
    assert find_place(level.path).spawn == "side"
    travel(left, level.path)
    assert left.game.world.start.name == "side"
    assert left.game.runs.time_trial.run.seconds > 1.0
    file_of(left).unlink()
    assert find_place(level.path).spawn == "start"
    assert everything(continued(level)[0]) == before


def test_the_list_of_levels_reads_no_ticks_of_a_place(left, level):
    left.game.leave_session()
    data = file_of(left).read_bytes()
    play = [block for block in replay_file.read_blocks(data)[0] if block.kind == "PLAY"][-1]
    ticks = replay_file.encode_block("TICK", bytes(replay_file.MAX_BLOCK_PAYLOAD))
    file_of(left).write_bytes(data[: play.offset] + ticks + data[play.offset :])
    tracemalloc.start()
    found = find_place(level.path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (found.spawn, found.reached) == ("start", "0:00.90, Half way")
    assert peak < len(ticks) / 100


def test_who_only_looks_around_replaces_no_place(left, level):
    left.game.leave_session()
    place = file_of(left).read_bytes()
    player = playing(level)
    player.wait(1.5)
    player.game.leave_session()
    assert file_of(left).read_bytes() == place


def test_the_place_of_earlier_versions_is_carried_over(left, level):
    left.game.leave_session()
    old = file_of(left).parents[1] / "continue.session"
    file_of(left).rename(old)
    assert carry_over_place() == ""
    assert not old.exists()
    player, problem = continued(level)
    assert (problem, everything(player)) == ("", everything(left))


def test_an_earlier_place_that_cannot_be_read_is_named_and_stays(left):
    left.game.leave_session()
    old = file_of(left).parents[1] / "continue.session"
    place = file_of(left).read_bytes()
    for unusable in (b"pickled", place[: place.index(replay_file.BLOCK_MARK)]):
        old.write_bytes(unusable)
        assert old.name in carry_over_place()
        assert old.read_bytes() == unusable


def test_a_newer_place_is_not_replaced_by_an_earlier_one(left, level):
    left.game.leave_session()
    new = file_of(left).read_bytes()
    old = file_of(left).parents[1] / "continue.session"
    old.write_bytes(new)
    file_of(left).write_bytes(b"newer")
    assert carry_over_place() == ""
    assert (file_of(left).read_bytes(), old.read_bytes()) == (b"newer", new)


@pytest.mark.full
def test_a_full_disk_is_named_and_the_old_file_stays(left):
    left.game.leave_session()
    old = file_of(left).read_bytes()
    with full_disk.full_disk():
        left.hold("W", 1.2)
        assert left.shown.hud.message == "Your place is not saved"
        detail = left.shown.hud.message_detail
        assert detail.startswith(file_of(left).name)
        assert detail.endswith(full_disk.MESSAGE)
        assert left.game.leave_session() == full_disk.MESSAGE
        assert file_of(left).read_bytes() == old
        left.game.key_pressed("ESCAPE")
        left.game.menu.selected = len(left.game.menu.rows) - 1
        left.game.key_pressed("RETURN")
    lost = f"Your place in Lift and balls is lost: it cannot be saved ({full_disk.MESSAGE})."
    assert left.game.menu.page.text == lost


# Files that cannot be used


def rewritten(data, kind, change):
    """The file with the JSON of the last block of a kind changed, its checks intact."""
    blocks = replay_file.read_blocks(data)[0]
    last = max(k for k, block in enumerate(blocks) if block.kind == kind)
    fields = json.loads(blocks[last].payload)
    change(fields)
    payloads = [json.dumps(fields).encode() if k == last else block.payload for k, block in enumerate(blocks)]
    return replay_file.MAGIC + b"".join(
        replay_file.encode_block(block.kind, payload) for block, payload in zip(blocks, payloads, strict=True)
    )


def played(**changes):
    return lambda data: rewritten(data, "PLAY", lambda fields: fields.update(changes))


def without(kind):
    return lambda data: (
        replay_file.MAGIC
        + b"".join(
            replay_file.encode_block(block.kind, block.payload)
            for block in replay_file.read_blocks(data)[0]
            if block.kind != kind
        )
    )


BROKEN = {
    "empty": lambda data: b"",
    "text": lambda data: b"format: 1\nname: a level\n",
    "noise in the middle": lambda data: data[:2000] + random.Random(2).randbytes(40) + data[2040:],
    "of an earlier version": lambda data: replay_file.MAGIC + replay_file.encode_block("SESS", b"{}"),
    "newer format": lambda data: rewritten(data, "HEAD", lambda head: head.update(format=2)),
    "another spawn": lambda data: rewritten(data, "HEAD", lambda head: head.update(spawn="side")),
    "no ticks": without("TICK"),
    "no session": without("PLAY"),
    "a view that is not finite": played(view=[1e400, 0.0]),
    "no run": played(run={}),
    "a state that is none": played(state="AAAA"),
    "deep json": lambda data: replay_file.MAGIC + replay_file.encode_block("HEAD", b"[" * 100_000),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.sample(1)
def test_a_file_that_cannot_be_used_is_kept_aside(left, level, name):
    left.game.leave_session()
    broken = BROKEN[name](file_of(left).read_bytes())
    file_of(left).write_bytes(broken)
    player, problem = continued(level)
    assert problem.startswith("Your saved place cannot be used: ")
    aside = file_of(left).with_name(f"{file_of(left).name}.unusable")
    kept = f"{aside.name}, in the folder places"
    assert problem.endswith(f"You start at the beginning; the file is kept as {kept}.")
    assert len(problem) < 220
    assert aside.read_bytes() == broken
    assert not file_of(left).exists()
    assert player.game.world.state() == World(level).state()
    player.hold("W", 0.5)
    assert player.game.runs.time_trial.void_reason == "", "the run from the spawn counts"


def test_a_folder_in_its_place(level):
    place_file(progress.file_key(level.path), "start").mkdir(parents=True)
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
    assert [path.name for path in file_of(left).parent.glob(".*.part")] == []
