"""Files dropped on the window: a run is watched or raced, everything else is one sentence, and nothing is copied."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from game.app.commands import play
from game.app.launch.level_lookup import UserError
from game.app.runs import progress
from game.app.runs.library import run_library
from game.level import load
from game.physics import Command
from game.sim import History, World
from game.sim.replay import fingerprint, replay_file
from game.sim.replay.replay_file import ReplayWriter
from tests.support.player import Player
from tests.support.until import repeat_until

LEVEL = """\
format: 1
name: Bells
spawns:
  - {name: start, at: [0, 0, 0], facing: north}
  - {name: side, at: [2, 0, 0], facing: north}
pieces:
  - floor: {from: [-20, -20], to: [20, 20]}
goal: {at: [0, 0, -8], radius: 0.5}
"""


def make_level(folder, text=LEVEL, name="bells.yaml"):
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return load(path)


@pytest.fixture
def level(tmp_path):
    return make_level(tmp_path / "levels")


def run_bytes(level, ticks=400, sprint=True, spawn=None):
    """A run to the goal."""
    history = History(World(level, spawn=spawn))
    while history.world.goal_tick < 0 and history.end < ticks:
        history.step(Command(forward=1.0, sprint=sprint))
    return history.data(reason="the end of the level")


@pytest.fixture
def anna(level, tmp_path):
    """A friend's run, outside the game's folders."""
    path = tmp_path / "Anna.replay"
    path.write_bytes(run_bytes(level))
    return path


@pytest.fixture
def player(level):
    made = Player.in_level(level)
    made.wait(0.1)
    return made


def until(player, check):
    player.wait(1 / 60)
    repeat_until(check, lambda: (time.sleep(0.01), player.wait(1 / 60)))


def drop(player, *paths):
    player.game.menus.run_actions.drop_files([str(path) for path in paths])


def offer(player):
    until(player, lambda: player.game.menu is not None and player.game.menu.page.name == "offer")
    return player.game.menu


# A run


def test_a_run_of_this_level_is_raced_by_the_one_ghost_with_its_name(player, anna, data):
    before = anna.read_bytes()
    drop(player, anna)
    menu = offer(player)
    assert menu.page.text == "This run is of Bells."
    assert [row.label for row in menu.rows] == ["Watch", "Race its ghost", "Not now"]
    player.wait(0.5)
    player.choose("Race its ghost")
    player.wait(1 / 60)
    assert (player.game.mode, player.tick) == ("playing", 0)
    assert (player.shown.hud.message, player.shown.hud.message_detail) == (
        "Ghost: Anna", "It starts with your first step",
    )  # fmt: skip
    until(player, lambda: player.game.runs.time_trial.ghost.track is not None)
    player.hold("W", 0.6)
    assert player.shown.ellipsoids[0].centre[2] < player.feet[2] - 0.4  # it sprints
    assert player.shown.hud.timer_caption.endswith("   to Anna")
    assert progress.level_record(player.game.level).best is None
    assert anna.read_bytes() == before
    assert not progress.runs_folder().exists()
    assert run_library.read_library() == {}
    player.game.key_pressed("R")
    player.hold("W", 0.6)
    assert len(player.shown.ellipsoids) == 4
    player.hold("W", 2.5)
    result = player.game.runs.time_trial.result
    assert [text for _, text in result.summary().legend] == ["This run", "Ghost"]
    assert progress.level_record(player.game.level).best.seconds == result.run.seconds


def test_a_run_of_another_level_is_watched_and_raced(player, tmp_path):
    other = make_level(tmp_path / "levels", LEVEL.replace("Bells", "The ballroom").replace("-8]", "-6]"), "other.yaml")
    path = tmp_path / "Ben.replay"
    path.write_bytes(run_bytes(other))
    drop(player, path)
    menu = offer(player)
    assert menu.page.text == "This run is of The ballroom."
    assert [row.label for row in menu.rows] == ["Watch", "Race its ghost", "Not now"]
    player.choose("Watch")
    assert player.game.mode == "replay"
    until(player, lambda: player.game.level.name == "The ballroom")
    player.game.key_pressed("ESCAPE")
    assert (player.game.mode, player.game.level.name) == ("playing", "Bells")
    drop(player, path)
    offer(player)
    player.choose("Race its ghost")
    until(player, lambda: player.game.mode == "playing" and player.game.level.name == "The ballroom")
    player.hold("W", 0.5)
    until(player, lambda: len(player.shown.ellipsoids) == 4)
    assert player.game.runs.time_trial.has_chosen_ghost


def test_a_run_of_other_rules_is_watched_and_not_raced(player, level, tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(fingerprint, "RULES_VERSION", fingerprint.RULES_VERSION - 1)
        (tmp_path / "Old.replay").write_bytes(run_bytes(level))
    drop(player, tmp_path / "Old.replay")
    menu = offer(player)
    assert menu.page.text == "This run is of an earlier version of Bells."
    assert [row.label for row in menu.rows] == ["Watch", "Not now"]


# Bad files


def without_ticks(data):
    empty = bytearray()
    ReplayWriter(empty.extend).close("nothing", b"")
    return empty


BAD_CONTENT = {
    "empty": lambda data: b"",
    "text": lambda data: b"format: 1\nname: x\n",
    "zip": lambda data: b"PK\x03\x04" + bytes(300),
    "cut in the middle": lambda data: data[: len(data) // 2],
    "last byte gone": lambda data: data[:-1],
    "damaged block": lambda data: data[: len(data) // 2] + bytes(200) + data[len(data) // 2 + 200 :],
    "bytes after the end": lambda data: data + b"more" * 10,
    "sent as text": lambda data: data.replace(b"\n", b"\r\n"),
    "no ticks": without_ticks,
    "newer": None,
}


def refusal(path):
    with pytest.raises(UserError) as refused:
        run_library.named_run(path)
    return str(refused.value)


@pytest.mark.sample(7)
@pytest.mark.parametrize("name", BAD_CONTENT)
def test_a_bad_file_is_one_sentence(name, level, anna, tmp_path, monkeypatch):
    path = tmp_path / f"{name}.replay"
    if name == "newer":
        monkeypatch.setattr(replay_file, "REPLAY_FORMAT", 2)
        path.write_bytes(run_bytes(level, 1))
        monkeypatch.undo()
    else:
        path.write_bytes(BAD_CONTENT[name](anna.read_bytes()))
    before = path.read_bytes()
    sentence = refusal(path)
    assert sentence.startswith(path.name)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert len(sentence) < 320
    assert path.read_bytes() == before
    if "cut" in name or "last" in name:
        assert "cut off" in sentence
    if name == "newer":
        assert "version" in sentence


def test_what_is_no_file_is_one_sentence(anna, tmp_path, monkeypatch):
    (tmp_path / "folder.replay").mkdir()
    os.mkfifo(tmp_path / "pipe.replay")
    (tmp_path / "loop.replay").symlink_to(tmp_path / "loop.replay")
    huge = tmp_path / "huge.replay"
    with open(huge, "wb") as file:
        file.truncate(run_library.MAX_READ_BYTES + 1)
    cases = {
        tmp_path / "folder.replay": "is not a file",
        tmp_path / "pipe.replay": "is not a file",
        tmp_path / "loop.replay": "cannot be read",
        tmp_path / "gone.replay": "no such file",
        tmp_path / ("long" * 200): "cannot be read",
        Path("nul\0byte.replay"): "cannot be read",
        huge: "too large; a run can have up to 128 MB",
    }
    for path, words in cases.items():
        sentence = refusal(path)
        assert words in sentence
        assert "\0" not in sentence
    monkeypatch.setattr(
        "builtins.open", lambda *args, **fields: (_ for _ in ()).throw(PermissionError(13, "Permission denied"))
    )
    assert "permission denied" in refusal(anna)
    monkeypatch.undo()


# The command line


def test_the_command_line_takes_a_ghost_or_says_why_not(level, anna, tmp_path):
    entry = play.ghost_run(anna, level)
    assert (entry.path, entry.spawn) == (anna, "start")
    other = make_level(tmp_path / "levels", LEVEL.replace("Bells", "Other").replace("-8]", "-6]"), "other.yaml")
    with pytest.raises(UserError, match=r"a run of Bells, not of Other; `replay FILE --show`"):
        play.ghost_run(anna, other)
    (endless := tmp_path / "endless").mkdir()
    open_end = make_level(endless, LEVEL.split("goal")[0])
    (tmp_path / "walk.replay").write_bytes(run_bytes(open_end, 60))
    with pytest.raises(UserError, match="Bells has no end to race to"):
        play.ghost_run(tmp_path / "walk.replay", open_end)
    with pytest.raises(UserError, match="is a level, not a run"):
        play.ghost_run(level.path, level)
    with pytest.raises(UserError, match=r"no\.replay cannot be read: no such file"):
        play.ghost_run(tmp_path / "no.replay", level)
