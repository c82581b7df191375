"""F5, the verbs that record and replay, and watching: by a clock that the test turns."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from game.app.commands import replay
from game.app.commands.replay_game import ReplayGame
from game.app.launch.level_lookup import UserError
from game.app.runs import recording
from game.app.runs.library import replay_levels
from game.app.settings.settings_file import Settings
from game.level import load
from game.sim import verify
from game.sim.replay import replay_file
from tests.support import full_disk
from tests.support.player import Player


@pytest.fixture
def level(level_file):
    return load(level_file)


@pytest.fixture
def kept(data):
    """Where the records go."""
    return data / "replays"


@pytest.fixture
def player(level):
    return Player.in_level(level)


def verdict(path, level):
    record = replay_file.read_replay(path)
    return record, verify(record, lambda part: level)


def test_f5_records_and_says_where_the_file_went(player, kept, level):
    player.hold("W", 0.5)
    player.game.key_pressed("F5")
    assert player.wait(0.1).hud.message == "Recording"
    assert "F5" in player.shown.hud.hint
    player.game.mouse_moved(1, 1)
    player.game.mouse_moved(200, 10)
    player.hold("W", 1.0)
    player.game.key_pressed("R")
    player.hold("D", 0.7)
    player.hold("SPACE", 0.5)
    assert "0:02" in player.shown.hud.hint
    player.game.key_pressed("F5")
    (path,) = kept.iterdir()
    assert player.wait(0.1).hud.message == "Recorded 2 s"
    assert player.shown.hud.message_detail == f"{path.name}, in the folder replays"
    assert path.name.startswith("floor-")
    record, done = verdict(path, level)
    assert record.is_complete
    assert 137 <= done.ticks == record.ticks <= 140
    assert done.divergence is None
    assert sum(int(block.restarts.sum()) for part in record.parts for block in part.blocks) == 1


def test_every_record_has_a_file_of_its_own(player, kept):
    for _ in range(3):
        player.game.key_pressed("F5")
        player.wait(0.1)
        player.game.key_pressed("F5")
    assert len(list(kept.iterdir())) == 3


def test_leaving_the_game_finishes_the_record(player, kept, level):
    assert player.game.close() == ""
    player.game.key_pressed("F5")
    player.hold("W", 0.5)
    assert "Recorded" in player.game.close()
    record, done = verdict(next(kept.iterdir()), level)
    assert record.is_complete
    assert done.divergence is None


@pytest.mark.full
def test_a_full_disk_ends_the_record_and_not_the_game(player, kept, level):
    player.game.key_pressed("F5")
    player.hold("W", 1.2)
    with full_disk.full_disk():
        player.hold("W", 1.2)
    assert player.game.runs.recording is None
    assert player.shown.hud.message == "Recording ended early"
    assert full_disk.MESSAGE in player.shown.hud.message_detail
    player.hold("W", 0.2)
    record, done = verdict(next(kept.iterdir()), level)
    assert done.ticks == 60
    assert not record.is_complete


def test_a_folder_that_cannot_be_made_is_told(player, tmp_path, monkeypatch):
    (tmp_path / "other").write_text("in the way")
    monkeypatch.setenv("WALKER_DATA", str(tmp_path / "other"))
    player.game.key_pressed("F5")
    assert player.wait(0.1).hud.message == "Recording failed"
    assert player.game.runs.recording is None
    player.hold("W", 0.2)


def test_names_of_levels_are_made_harmless(tmp_path):
    path, file = recording.create_replay_file(tmp_path / "deep" / "er", "../b ad/\x1b[31m name")
    os.close(file)
    assert path.parent == tmp_path / "deep" / "er"
    assert path.name.startswith("b-ad-31m-name-")


# Watching


@pytest.fixture
def record(level, kept):
    player = Player.in_level(level)
    player.game.key_pressed("F5")
    player.hold("W", 1.0)
    player.game.mouse_moved(1, 1)
    player.game.mouse_moved(400, 0)
    player.hold("W", 1.0)
    player.game.key_pressed("R")
    player.hold("D", 1.0)
    player.game.key_pressed("F5")
    return replay_file.read_replay(next(kept.iterdir()))


def watching(record, level):
    shelf = replay_levels.ReplayLevels(record, str(level.path), False, Path("unused"))
    player = Player(ReplayGame(record, shelf.level, Settings()))
    player.game.jobs.finish()
    return player


def feet(player):
    return player.game.session.world.walker_state.feet


def test_watching_shows_what_was_recorded(record, level):
    player = watching(record, level)
    states = [row for part in record.parts for block in part.blocks for row in block.states[1:]]
    for _ in range(len(states)):
        player.wait(1 / 60)
        tick = player.game.playback.time_line.tick
        assert player.game.session.world.walker_state.row()[0] == states[tick]
    player.wait(0.5)
    assert player.game.playback.is_finished
    end = feet(player)
    player.wait(0.5)
    assert feet(player) == end
    assert not player.game.wants_mouse
    for key in ("W", "F5", "R"):
        player.game.key_pressed(key)
    player.game.mouse_moved(100, 0)
    assert player.game.runs.recording is None
    assert player.game.playback.time_line.seconds == 0.0


# The command line


def test_record_and_replay_as_commands(command, level_file, walk, tmp_path):
    file = tmp_path / "run.replay"
    done = command("record", level_file, "--commands", walk, "-o", file)
    assert done.returncode == 0, done.stderr
    assert done.stdout == command("sim", level_file, "--commands", walk).stdout
    done = command("replay", file)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (
        0,
        "verified: 130 of 130 ticks match the recording, bit for bit",
    )
    before = file.read_bytes()
    again = command("record", level_file, "--commands", walk, "-o", file)
    assert again.returncode == 2
    assert "not overwritten" in again.stderr
    assert file.read_bytes() == before

    cut = tmp_path / "cut.replay"
    cut.write_bytes(before[:-500])
    done = command("replay", cut)
    assert done.returncode == 3
    assert "cut off" in done.stdout
    text = level_file.read_text()
    level_file.write_text(text.replace("20, -10]", "20, -5]"))
    done = command("replay", file)
    assert done.returncode == 1
    assert "has changed since the recording" in done.stdout
    assert "diverged at tick" in done.stdout
    assert "recorded (" in done.stdout
    assert command("replay", file, "--as-recorded").returncode == 0
    level_file.unlink()
    done = command("replay", file)
    assert done.returncode == 0
    assert "using the level stored in the replay" in done.stdout


@pytest.mark.parametrize("content", [None, b"", b"format: 1\n", b"\x89WALKER\n\x00\x01"])
def test_what_cannot_be_replayed_is_a_sentence_and_status_2(tmp_path, content):
    path = tmp_path / "x.replay"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UserError) as told:
        replay.load_replay(path)
    assert told.value.code == 2
    assert str(path) in str(told.value)
