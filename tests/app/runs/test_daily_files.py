"""Course of the day as files: made once, kept as somebody changed it, with the run of a bot as its ghost."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from game.app.commands.command_line import main
from game.app.menus import level_library
from game.app.runs.ghost import GhostReplay
from game.app.runs.library import daily_files
from game.core import user_folders
from game.core.jobs import Jobs
from game.level import load
from game.sim.generator.daily import daily_course
from game.sim.replay.replay_file import decode_replay
from game.sim.replay.verifier import verify
from tests.support.player import Player

DAY = date(2026, 11, 23)


@pytest.fixture(autouse=True)
def _folders(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(user_folders.CACHE_VARIABLE, str(tmp_path / "cache"))
    monkeypatch.setattr(daily_files, "today", lambda: DAY)


def test_the_files_of_a_day_are_made_once_and_its_ghost_is_a_valid_run() -> None:
    path = daily_files.make_files(DAY)
    assert path == daily_files.level_file(DAY)
    assert load(path).name == "Course of 2026-11-23"
    ghost = daily_files.ghost_file(path)
    assert ghost is not None
    with Jobs() as jobs:
        shown = GhostReplay.read(jobs, ghost)
        jobs.finish()
    assert shown.track is not None
    assert verify(decode_replay(ghost.read_bytes(), ghost), lambda part: load(path)).divergence is None
    path.write_text(path.read_text() + "# mine\n")
    assert daily_files.make_files(DAY).read_text().endswith("# mine\n")


def test_the_list_has_today_first_and_days_that_were_made_before() -> None:
    folder = daily_files.level_file(DAY).parent
    folder.mkdir(parents=True)
    for name in ("2026-11-20.yaml", "2026-11-22.yaml", "2026-12-01.yaml", "notes.yaml"):
        (folder / name).write_text("")
    entries = [entry for entry in level_library.find_levels() if entry.group == level_library.DAILY_GROUP]
    assert [entry.name for entry in entries] == ["Today, Monday", "Sunday, 2026-11-22", "Friday, 2026-11-20"]


def test_commands_know_the_days(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["check", "daily"]) == 0
    assert "daily/2026-11-23.yaml: nothing wrong" in capsys.readouterr().out
    for name in ("2026-02-30", "2026-2-29", "christmas", "10000-01-01"):
        with pytest.raises(SystemExit):
            main(["check", f"daily/{name}"])
        assert f"daily/{name}: there is no such day; write daily/2026-12-24" in capsys.readouterr().err


@pytest.mark.parametrize("day", [DAY, *(pytest.param(date(2026, 11, day), marks=pytest.mark.full) for day in (27, 29))])
def test_a_day_is_played_to_its_end_by_keys(day: date) -> None:
    """The keys of the bot's commands, a frame for each tick, with its ghost: the result page says gold."""
    course = daily_course(day.year, day.month, day.day)
    player = Player.in_level(load(daily_files.make_files(day)))
    held: set[str] = set()
    for command in course.commands:
        wanted = {"W"} if command.forward else set()
        wanted |= {"LSHIFT"} if command.sprint else set()
        wanted |= {"SPACE"} if command.jump else set()
        for key in held - wanted:
            player.game.key_released(key)
        for key in wanted - held:
            player.game.key_pressed(key)
        held = wanted
        player.game.input.view.face_heading(command.heading)
        player.wait(1 / 60)
    assert player.game.session is not None
    assert player.game.session.world.goal_tick >= 0
    player.wait(2.0)
    trial = player.game.runs.time_trial
    assert trial.result is not None
    assert trial.ghost.track is not None
    summary = trial.result.summary()
    assert (summary.medal, summary.refused) == ("gold", False)
    assert [text for _, text in summary.legend] == ["This run", "Ghost"]


def test_a_folder_that_cannot_be_written_is_said_by_the_command_and_not_by_the_list(
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = daily_files.level_file(DAY).parent
    folder.parent.mkdir(parents=True)
    folder.write_text("a file in its place")
    daily_files.make_today()
    with pytest.raises(SystemExit):
        main(["check", "daily"])
    assert "the course of the day cannot be written" in capsys.readouterr().err
