"""A crash leaves a file to send and a sentence; the file's replay walks into the same mistake."""

from __future__ import annotations

import io
import json
import zipfile

import pytest

from game.app.commands import command_line
from game.app.game import Game
from game.app.launch import crash_report
from game.app.settings.settings_file import Settings
from game.level import load
from game.sim import Session, verify
from game.sim.replay import replay_file
from tests.support.player import Player


@pytest.fixture
def crash_folder(data):
    return data / "crashes"


def failing(after):
    """A tick function that fails at that tick."""
    tick = Session.tick

    def failing_tick(self, command):
        if self.world.tick == after:
            raise ZeroDivisionError("the made mistake")
        return tick(self, command)

    return failing_tick


def crashed(level_file, monkeypatch, after=100, key="W"):
    """A game in which tick `after` fails, played until then; the error."""
    monkeypatch.setattr(Session, "tick", failing(after))
    game = Game(load(level_file), Settings(), "low")
    player = Player(game)
    game.key_pressed(key)
    with pytest.raises(ZeroDivisionError) as caught:
        player.wait(after / 60 + 5.0)
    monkeypatch.undo()
    return game, caught.value


def test_a_crash_report_holds_state_and_a_replay_that_verifies(level_file, monkeypatch, tmp_path):
    game, error = crashed(level_file, monkeypatch)
    assert game.session is not None
    failed = game.session.world.state()
    with zipfile.ZipFile(io.BytesIO(crash_report.build_zip(error, ["play", "x"], game))) as held:
        names = held.namelist()
        assert sorted(names) == sorted(
            ["trace.txt", "about.json", "settings.json", "state.json", "last-seconds.replay", "level/floor.yaml"]
        )
        assert "ZeroDivisionError: the made mistake" in held.read("trace.txt").decode()
        about = json.loads(held.read("about.json"))
        assert about["arguments"] == ["play", "x"]
        assert about["versions"]["numba"][0].isdigit()
        assert json.loads(held.read("state.json"))["tick"] == 100
        assert json.loads(held.read("settings.json"))["fov"] == Settings().fov
        assert held.read("level/floor.yaml") == level_file.read_bytes()
        data = held.read("last-seconds.replay")
    assert game.session.world.state() == failed  # the world that failed is left as it is
    record = replay_file.decode_replay(data, tmp_path / "last.replay")
    assert record.is_complete
    assert record.ticks == 100
    assert verify(record, lambda part: load(level_file)).divergence is None


def test_failed_entries_are_named_and_the_others_exist(level_file, monkeypatch):
    game, error = crashed(level_file, monkeypatch)
    game.session = None
    game.settings = None
    with zipfile.ZipFile(io.BytesIO(crash_report.build_zip(error, [], game))) as held:
        left = held.read("left-out.txt").decode()
        assert "state.json: TypeError" in left
        assert "last-seconds.replay: LookupError: nothing was played yet" in left
        assert "made mistake" in held.read("trace.txt").decode()


def test_a_sentence_names_mistake_place_and_file(crash_folder, monkeypatch, capsys):
    def broken(arguments):
        load(7)

    monkeypatch.setattr(command_line, "_parse_and_run", broken)
    for number in (1, 2):
        assert command_line.main(["check", "demo"]) == crash_report.CRASH_STATUS
        sentence = capsys.readouterr().err
        assert sentence.count("\n") == 1
        assert "The game crashed (" in sentence
        assert ", game/level/" in sentence
        files = sorted(crash_folder.iterdir())
        assert len(files) == number
        assert any(str(file) in sentence for file in files)


def test_only_the_newest_crash_reports_are_kept(crash_folder, monkeypatch):
    for _ in range(crash_report.MAX_REPORTS + 3):
        crash_report.write_crash_report(ValueError("again"))
    assert len(list(crash_folder.iterdir())) == crash_report.MAX_REPORTS == 10


def test_an_unwritable_folder_is_reported(monkeypatch):
    monkeypatch.setenv("WALKER_DATA", "/dev/null/x")
    sentence = crash_report.write_crash_report(ValueError("no\nway"))
    assert sentence.startswith("The game crashed (ValueError: no way). No crash report")


MADE = f"""
import sys
from game.sim import World
step = World.step
def broken(self, command):
    if self.tick == 40:
        raise ZeroDivisionError("the made mistake")
    return step(self, command)
World.step = broken
from {command_line.__name__} import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.full
def test_the_window_says_so_and_a_key_leaves_it(play, tmp_path):
    with play(env={"WALKER_DATA": str(tmp_path / "data")}, program=["-c", MADE]) as game:
        game.wait_for("please send it")
        game.focus()
        assert game.process.poll() is None  # it is still there, to be read
        game.press("space")
        game.ended(status=crash_report.CRASH_STATUS)
    (file,) = (tmp_path / "data" / "crashes").iterdir()
    assert str(file) in game.said()
    with zipfile.ZipFile(file) as held:
        record = replay_file.decode_replay(held.read("last-seconds.replay"), file)
    assert record.ticks == 40
    assert verify(record, lambda part: load(tmp_path / "floor.yaml")).divergence is None
