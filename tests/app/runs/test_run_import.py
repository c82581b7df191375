"""Files dropped on the window: a friend's run becomes a ghost, everything else is one sentence, and nothing is lost."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from game.app.commands import play
from game.app.game import Game
from game.app.launch.level_lookup import UserError
from game.app.runs import progress
from game.app.runs.library import run_import, run_library
from game.app.runs.library.run_import import ImportKind
from game.app.runs.library.run_library import RunOrigin, RunStatus
from game.app.runs.recording import RunRecorder
from game.app.settings.settings_file import Settings
from game.core import user_folders
from game.level import load
from game.physics import Command
from game.sim import World
from game.sim.replay import replay_file
from tests.support import full_disk
from tests.support.player import Player, make_walks_differ
from tests.support.until import RUN_THREADS, repeat_until, wait_for_threads

ROOT = Path(__file__).resolve().parents[3]
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


@pytest.fixture(autouse=True)
def data(tmp_path, monkeypatch):
    monkeypatch.setenv(user_folders.DATA_VARIABLE, str(tmp_path / "data"))
    monkeypatch.setenv("WALKER_CACHE", os.environ.get("WALKER_CACHE", str(tmp_path / "cache")))
    yield tmp_path / "data"
    wait_for_threads(*RUN_THREADS)


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
    world = World(level, spawn=spawn)
    recorder = RunRecorder(world)
    for _ in range(ticks):
        command = Command(forward=1.0, sprint=sprint)
        world.step(command)
        recorder.stepped(command)
        if world.goal_tick >= 0:
            break
    return recorder.file_bytes("the end of the level")


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


def choose(player, name):
    menu = player.game.menu
    menu.select([row.name for row in menu.rows].index(name))
    player.game.key_pressed("RETURN")


# A friend's run


def test_a_run_of_this_level_is_verified_and_its_ghost_walks_with_its_name(player, anna, data):
    before = anna.read_bytes()
    drop(player, anna)
    until(player, lambda: player.game.runs.time_trial.rival is not None)
    player.wait(1 / 60)
    assert (player.shown.hud.message, player.shown.hud.message_detail) == ("Ghost: Anna", "Run verified")
    player.hold("W", 0.6)
    ghost = player.shown.ellipsoids[0]
    assert ghost.centre[2] < player.feet[2] - 0.4  # it sprints
    assert player.shown.hud.timer_caption.endswith("   to   Anna")
    (entry,) = run_library.read_library().values()
    assert (entry.status, entry.origin, entry.name) == (RunStatus.VERIFIED, RunOrigin.FRIEND, "Anna")
    assert progress.best_seconds(player.game.level) is None  # it is no best time of the player's
    assert anna.read_bytes() == before == entry.path.read_bytes()
    player.game.key_pressed("R")
    player.hold("W", 0.6)
    assert len(player.shown.ellipsoids) == 4


def test_one_that_this_machine_does_not_repeat_is_an_unverified_ghost_and_never_a_best_time(player, anna, monkeypatch):
    make_walks_differ(monkeypatch)
    drop(player, anna)
    until(player, lambda: player.game.runs.time_trial.rival is not None)
    player.wait(1 / 60)
    assert player.shown.hud.message_detail == "Unverified: this machine does not repeat it"
    (entry,) = run_library.read_library().values()
    assert entry.status == RunStatus.UNVERIFIED
    player.hold("W", 0.6)
    ghost = player.shown.ellipsoids[0]
    states = replay_file.read_replay(anna).parts[0].chunks[0].states
    assert (
        abs(ghost.centre[0] - float(states["position"][20][0])) < 1e-9
    )  # the recorded positions, not the present ones
    assert "Anna (unverified)" in player.shown.hud.timer_caption
    assert progress.best_seconds(player.game.level) is None


@pytest.mark.full
def test_the_same_file_twice_is_one_run(player, anna, tmp_path):
    drop(player, anna)
    until(player, lambda: player.game.runs.time_trial.rival is not None)
    other = tmp_path / "Again.replay"
    other.write_bytes(anna.read_bytes())
    player.wait(5.0, 0.1)
    drop(player, other)
    until(player, lambda: player.shown.hud.message == "Ghost: Anna")
    assert len(run_library.read_library()) == 1


def test_a_run_of_another_level_is_offered_and_watched_and_raced(player, tmp_path):
    other = make_level(tmp_path / "levels", LEVEL.replace("Bells", "The ballroom").replace("-8]", "-6]"), "other.yaml")
    path = tmp_path / "Ben.replay"
    path.write_bytes(run_bytes(other))
    drop(player, path)
    menu = offer(player)
    assert menu.page.text == "This run is of The ballroom. Watch it?"
    assert [row.label for row in menu.rows] == ["Watch", "Race its ghost", "Not now"]
    choose(player, "watch")
    assert player.game.mode == "replaying"
    until(player, lambda: player.game.level.name == "The ballroom")
    player.game.key_pressed("ESCAPE")
    assert (player.game.mode, player.game.level.name) == ("playing", "Bells")
    drop(player, path)
    offer(player)
    choose(player, "race")
    until(player, lambda: player.game.mode == "playing" and player.game.level.name == "The ballroom")
    player.hold("W", 0.5)
    until(player, lambda: len(player.shown.ellipsoids) == 4)


@pytest.mark.full
def test_a_run_of_an_earlier_version_plays_in_the_level_that_it_carries(player, anna, tmp_path):
    wall = LEVEL.replace("pieces:", "pieces:\n  - box: {from: [-9, 0, -4], to: [9, 1, -3]}")
    player.game.start(World(make_level(tmp_path / "levels", wall)))
    player.wait(0.1)
    drop(player, anna)
    menu = offer(player)
    assert menu.page.text == "This run is of an earlier version of Bells. Watch it?"
    assert [row.name for row in menu.rows] == ["watch", "close"]
    choose(player, "watch")
    until(player, lambda: player.game.current_mode.player is not None)
    mode = player.game.current_mode
    mode.seek(99.0)
    assert not mode.player.is_diverged
    assert mode.player.session.world.walker_state.feet[2] < -7.0  # no wall stood there then


def test_a_run_from_another_spawn_is_offered(player, level, tmp_path):
    path = tmp_path / "Side.replay"
    path.write_bytes(run_bytes(level, 100, spawn="side"))
    drop(player, path)
    assert "Watch it?" in offer(player).page.text


@pytest.mark.full
def test_a_dropped_level_is_offered_to_be_played(player, tmp_path):
    other = make_level(tmp_path / "more", LEVEL.replace("Bells", "Mine"))
    drop(player, other.path)
    assert offer(player).page.text == "bells.yaml is a level. Play it?"
    choose(player, "play")
    until(player, lambda: player.game.level.name == "Mine" and player.game.mode == "playing")


@pytest.mark.full
def test_several_files_are_offered_one_after_the_other_and_not_over_a_replay(player, anna, tmp_path):
    bad = [tmp_path / f"bad-{k}.replay" for k in range(2)]
    for path in bad:
        path.write_bytes(b"nothing")
    record = replay_file.read_replay(anna)
    player.game.menus.run_actions.watch_replay(record, [])
    player.wait(0.1)
    drop(player, *bad)
    player.wait(0.5)
    assert player.game.mode == "replaying"
    player.game.key_pressed("ESCAPE")
    for path in bad:
        assert offer(player).page.text.startswith(path.name)
        choose(player, "close")
    player.wait(0.1)
    assert player.game.mode == "playing"


def test_a_drop_on_the_main_menu_is_offered_there(player, anna):
    player.game.push_mode("title")
    drop(player, anna)
    assert "Watch it?" in offer(player).page.text
    choose(player, "close")
    assert player.game.menu.page.name == "title"


# Bad files


def cut(data, at):
    return data[: round(len(data) * at)]


def flip(data, at):
    out = bytearray(data)
    first = round(len(out) * at)
    for k in range(first, first + 200):
        out[k] ^= 0xFF
    return bytes(out)


BAD_CONTENT = {
    "empty": lambda data: b"",
    "one byte": lambda data: b"\x89",
    "magic only": lambda data: data[:8],
    "text": lambda data: b"format: 1\nname: x\n",
    "zeros": lambda data: bytes(5000),
    "picture": lambda data: b"\x89PNG\r\n\x1a\n" + bytes(100),
    "zip": lambda data: b"PK\x03\x04" + bytes(300),
    "cut at a quarter": lambda data: cut(data, 0.25),
    "cut in the middle": lambda data: cut(data, 0.5),
    "cut near the end": lambda data: cut(data, 0.97),
    "last byte gone": lambda data: data[:-1],
    "damaged block": lambda data: flip(data, 0.5),
    "damaged start": lambda data: flip(data, 0.0),
    "bytes after the end": lambda data: data + b"more" * 10,
    "sent as text": lambda data: data.replace(b"\n", b"\r\n"),
    "twice": lambda data: data + data,
    "no ticks": None,
    "newer": None,
}


@pytest.mark.sample(9)
@pytest.mark.parametrize("name", BAD_CONTENT)
def test_a_bad_file_is_one_sentence_and_leaves_nothing(name, level, anna, tmp_path):
    data = anna.read_bytes()
    path = tmp_path / f"{name}.replay"
    if name == "no ticks":
        path.write_bytes(RunRecorder(World(level)).file_bytes("nothing"))
    elif name == "newer":
        world, blocks = World(level), bytearray()
        replay_format, replay_file.REPLAY_FORMAT = replay_file.REPLAY_FORMAT, 2
        try:
            from game.sim import Recorder

            recorder = Recorder(world, blocks.extend)
            world.step(Command())
            recorder.stepped(Command())
            recorder.close()
        finally:
            replay_file.REPLAY_FORMAT = replay_format
        path.write_bytes(bytes(blocks))
    else:
        path.write_bytes(BAD_CONTENT[name](data))
    before = path.read_bytes()
    result = run_import.import_file(path, level)
    assert result.kind == ImportKind.SENTENCE
    assert result.sentence.startswith(path.name)
    assert result.sentence.endswith(".")
    assert "\n" not in result.sentence
    assert len(result.sentence) < 320
    assert path.read_bytes() == before
    assert run_library.read_library() == {}
    assert not progress.runs_folder().exists() or list(progress.runs_folder().iterdir()) == []
    if "cut" in name or "last" in name:
        assert "cut off" in result.sentence
    if name == "newer":
        assert "version" in result.sentence


def test_what_is_no_file_is_one_sentence(level, anna, tmp_path, monkeypatch):
    (tmp_path / "folder.replay").mkdir()
    os.mkfifo(tmp_path / "pipe.replay")
    (tmp_path / "loop.replay").symlink_to(tmp_path / "loop.replay")
    huge = tmp_path / "huge.replay"
    with open(huge, "wb") as file:
        file.truncate(run_import.MAX_IMPORT_BYTES + 1)
    cases = {
        tmp_path / "folder.replay": "is a folder",
        tmp_path / "pipe.replay": "is not a file",
        tmp_path / "loop.replay": "cannot be read",
        tmp_path / "gone.replay": "no such file",
        tmp_path / ("long" * 200): "cannot be read",
        Path("nul\0byte.replay"): "cannot be read",
        huge: "too large (128 MB); a run can have up to 128 MB",
    }
    for path, words in cases.items():
        result = run_import.import_file(path, level)
        assert result.kind == ImportKind.SENTENCE, path
        assert words in result.sentence
        assert "\0" not in result.sentence
    monkeypatch.setattr(
        "builtins.open", lambda *args, **fields: (_ for _ in ()).throw(PermissionError(13, "Permission denied"))
    )
    assert "permission denied" in run_import.import_file(anna, level).sentence
    monkeypatch.undo()


def test_a_full_disk_leaves_no_copy(level, anna):
    with full_disk.full_disk():
        result = run_import.import_file(anna, level)
    assert full_disk.MESSAGE in result.sentence
    assert list(progress.runs_folder().iterdir()) == []
    assert run_import.import_file(anna, level).kind == ImportKind.SAME_LEVEL


@pytest.mark.full
@pytest.mark.skipif(not hasattr(os, "fork"), reason="the killed process is forked")
def test_a_kill_while_copying_leaves_no_half_file(level, anna, tmp_path):
    script = (
        "import os, sys\nfrom pathlib import Path\nfrom game.app.runs.library import run_import\n"
        "os.fsync = lambda handle: os.kill(os.getpid(), 9)\n"
        "run_import.import_file(Path(sys.argv[1]), None)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(anna)], cwd=ROOT, env={**os.environ}, check=False, timeout=120
    )
    assert done.returncode == -9
    folder = progress.runs_folder()
    assert [path.name for path in folder.glob("*.replay") if not path.name.startswith(".")] == []
    assert len(list(folder.iterdir())) == 1
    run_library.scan_folder(lambda path: None)
    assert list(folder.iterdir()) == []
    assert run_import.import_file(anna, level).kind == ImportKind.SAME_LEVEL
    assert [path.read_bytes() for path in folder.iterdir()] == [anna.read_bytes()]


@pytest.mark.parametrize(
    "name", ["../../evil.replay", "a/b.replay", "\x1b[31m.replay", "CON.replay", ".replay", "x" * 250]
)
def test_names_of_files_are_made_harmless(name):
    made = run_library.free_file_name(name.removesuffix(".replay"))
    assert Path(made).name == made
    assert made.endswith(".replay")
    assert not made.startswith(".")
    assert "\x1b" not in made
    assert len(made) < 80


# The command line


def test_the_command_line_takes_a_ghost_or_says_why_not(level, anna, tmp_path):
    entry = play.ghost_run(anna, level)
    assert (entry.name, entry.spawn) == ("Anna", "start")
    other = make_level(tmp_path / "levels", LEVEL.replace("Bells", "Other").replace("-8]", "-6]"), "other.yaml")
    with pytest.raises(UserError, match=r"a run of Bells, not of Other; `replay FILE --show`"):
        play.ghost_run(anna, other)
    with pytest.raises(UserError, match="is a level, not a run"):
        play.ghost_run(level.path, level)
    with pytest.raises(UserError, match=r"no\.replay cannot be read: no such file"):
        play.ghost_run(tmp_path / "no.replay", level)


@pytest.mark.full
def test_the_ghost_of_the_command_line_is_there_from_the_first_frame_on(player, level, anna):
    entry = play.ghost_run(anna, level)
    fresh = Game(level, Settings(), "low")
    fresh.menus.run_actions.import_run(entry)
    made = Player(fresh)
    until(made, lambda: fresh.runs.time_trial.rival is not None)
    assert fresh.runs.time_trial.rival.name == "Anna"
    again = replace(run_library.read_library()[entry.file])
    assert again.status == RunStatus.VERIFIED
    fresh.menus.run_actions.import_run(again)
    until(made, lambda: made.shown.hud.message_detail == "It starts with your first step")
