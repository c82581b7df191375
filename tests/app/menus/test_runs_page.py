"""The page of runs: groups, states, watch, delete."""

from __future__ import annotations

from dataclasses import replace

import pytest

from game.app.runs import progress
from game.app.runs.library import run_library
from game.app.runs.library.run_library import RunEntry
from game.sim.replay import fingerprint
from tests.app.runs.test_dropped_files import LEVEL, make_level, run_bytes
from tests.support.player import Player
from tests.support.until import wait_for_run_threads


@pytest.fixture
def level(tmp_path):
    return make_level(tmp_path / "levels")


def keep(level, file, **fields):
    made = RunEntry(file, level.name, progress.file_key(level.path), progress.cached_level_hash(level), "start", 2.0)
    made = replace(made, **{"when": "2026-01-02T03:04:05+00:00", "rules": fingerprint.RULES_VERSION, **fields})
    progress.runs_folder().mkdir(parents=True, exist_ok=True)
    made.path.write_bytes(run_bytes(level, spawn=made.spawn))
    run_library.update_library({file: made})
    return made


@pytest.fixture
def runs(level, tmp_path):
    other = make_level(tmp_path / "levels", LEVEL.replace("Bells", "Other").replace("-8]", "-6]"), "other.yaml")
    return [
        keep(level, "slow.replay", seconds=3.0, reason="flying used"),
        keep(level, "fast.replay", seconds=1.5),
        keep(level, "old.replay", seconds=1.0, level_hash="0123456789abcdef"),
        keep(level, "second.replay", seconds=2.0),
        keep(other, "other.replay", seconds=2.5, when="2027-01-01T00:00:00+00:00"),
    ]


@pytest.fixture
def player(level, runs):
    made = Player.in_level(level)
    made.wait(0.1)
    made.game.key_pressed("ESCAPE")
    made.choose("runs")
    made.wait(0.1)
    return made


def rows(player):
    return {row.name: row for row in player.game.menu.rows}


def test_runs_are_grouped_by_level_the_present_one_first_and_sorted_by_time(player):
    assert [row.name for row in player.game.menu.rows if row.kind == "action"] == [
        "fast.replay", "second.replay", "slow.replay", "old.replay", "other.replay", "folder",
    ]  # fmt: skip
    assert [row.label for row in player.game.menu.rows if row.kind == "heading"] == ["Bells", "Other", "Folder"]
    labels = {name: row.label.rpartition("   ·   ")[0] for name, row in rows(player).items()}
    assert {name: labels[name] for name in labels if name.endswith("replay")} == {
        "fast.replay": "Run",
        "second.replay": "Run",
        "slow.replay": "Run   ·   No time, no medal: flying used",
        "old.replay": "Run   ·   Earlier version of this level",
        "other.replay": "Run",
    }
    assert rows(player)["fast.replay"].value == "0:01.50"
    assert "2026-01-0" in rows(player)["fast.replay"].label


def test_without_a_run_the_page_says_so(level):
    player = Player.in_level(level)
    player.game.push_mode("title")
    player.choose("runs")
    assert rows(player)["none"].label == "No runs yet"
    assert player.game.menu.selected_row.name == "none"  # else large text scrolls it out of reach of the keys
    player.game.key_pressed("RETURN")
    assert player.game.menu.page.name == "runs"


@pytest.mark.full
def test_a_run_is_watched_beside_the_best_one_and_esc_comes_back_to_its_page(player, level):
    best = progress.BestRun(1.5, run="fast.replay")
    record = progress.LevelRecord(best=best)
    key = progress.record_key(level, "start")
    progress.update_progress(lambda known: replace(known, records={key: record}))
    player.choose("slow.replay", "watch")
    wait_for_run_threads()
    player.wait(0.05)
    mode = player.game.current_mode
    assert player.game.mode == "replay"
    assert mode.request.ghost.path == progress.runs_folder() / "fast.replay"
    player.game.key_pressed("_3")  # from outside: the ghost is in the same place
    player.wait(0.5)
    assert [body.ghost for body in player.shown.ellipsoids if body.visor] == [False, True]
    player.game.key_pressed("ESCAPE")
    assert (player.game.mode, player.game.menu.page.name) == ("paused", "run")
    player.game.key_pressed("ESCAPE")
    assert player.game.menu.page.name == "runs"


def test_a_run_is_deleted_after_a_question(player, runs):
    player.choose("fast.replay", "delete", "keep")
    assert player.game.menu.page.name == "run"
    assert runs[1].path.is_file()
    player.choose("delete")
    assert player.game.menu.selected_row.name == "keep"
    player.choose("delete")
    assert player.game.menu.page.name == "runs"
    menu = player.game.menu
    menu.select([row.name for row in menu.rows].index("slow.replay"))
    player.game.key_pressed("DELETE")
    player.choose("delete")
    assert player.game.menu.page.name == "runs"
    assert {"fast.replay", "slow.replay"}.isdisjoint(rows(player))
    assert not any(run.path.exists() for run in runs[:2])
    assert runs[3].path.is_file()
