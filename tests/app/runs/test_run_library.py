"""The run library: what is kept and what is deleted, a damaged index, and the index of an earlier version."""

from __future__ import annotations

import json
import os
from dataclasses import replace

import pytest

from game.app.runs import progress
from game.app.runs.library import run_library
from game.app.runs.library.run_library import RunEntry
from game.app.runs.progress import BestRun
from game.level import load
from game.physics import Command
from game.sim import History, World
from game.sim.replay import fingerprint
from tests.app.modes.test_replay import LEVEL
from tests.support import full_disk


def entry(number, **fields):
    when = f"2026-01-01T{number // 60:02d}:{number % 60:02d}:00+00:00"
    made = RunEntry(
        f"run-{number}.replay", "Corner", "/levels/corner.yaml", "0" * 16, "start", 10.0 + number, when=when,
        rules=fingerprint.RULES_VERSION,
    )  # fmt: skip
    return replace(made, **fields)


def keep(*entries, size=10):
    progress.runs_folder().mkdir(parents=True, exist_ok=True)
    for one in entries:
        assert run_library.update_library({one.file: one}) == ""
        one.path.write_bytes(b"x" * size)


def files():
    return {path.name for path in progress.runs_folder().iterdir() if path.is_file()}


def test_only_so_many_runs_are_kept_and_never_a_best_one():
    count = run_library.MAX_RUNS_PER_LEVEL + 3
    keep(*(entry(k) for k in range(1, count + 1)))
    keep(entry(200, level_file="/levels/other.yaml"))
    (progress.runs_folder() / "anna.replay").write_bytes(b"a friend's")
    best = progress.LevelRecord(best=BestRun(1.0, run="run-1.replay"))
    progress.update_progress(lambda known: replace(known, records={"x:start": best}))
    assert run_library.remove_old_runs() == {"run-2.replay", "run-3.replay"}
    kept = {f"run-{k}.replay" for k in (*range(1, count + 1), 200) if k not in (2, 3)}
    assert files() == kept | {"anna.replay"}
    assert set(run_library.read_library()) == kept
    assert run_library.remove_old_runs() == set()


def test_runs_of_the_first_index_stay_and_none_of_a_friend_becomes_the_players(data, monkeypatch):
    """The first index has origin, status and name, and no rules. Its runs are listed as those of an earlier version."""
    monkeypatch.setattr(run_library, "MAX_RUNS_PER_LEVEL", 1)
    run_library.take_notes()  # those of the test before
    keep(*(entry(k) for k in range(4)))
    index = json.loads((data / run_library.INDEX_NAME).read_text())
    for value, origin, name in zip(index["runs"], ("own", "own", "friend"), ("", "My best", "Anna"), strict=False):
        del value["rules"]
        value.update(origin=origin, status="verified", name=name)
    (data / run_library.INDEX_NAME).write_text(json.dumps(index))
    run_library.scan_folder()
    assert run_library.take_notes() == []
    library = run_library.read_library()
    assert [(name, one.is_earlier_version) for name, one in library.items()] == [
        ("run-0.replay", True), ("run-1.replay", True), ("run-3.replay", False),
    ]  # fmt: skip
    keep(entry(4))
    assert run_library.remove_old_runs() == {"run-3.replay"}
    assert files() == {f"run-{k}.replay" for k in (0, 1, 2, 4)}
    run_library.scan_folder()  # of the index as this version has written it
    assert set(run_library.read_library()) == {f"run-{k}.replay" for k in (0, 1, 4)}


def test_a_deleted_run_is_gone_and_a_file_that_cannot_be_removed_is_a_sentence():
    keep(entry(0), entry(1))
    assert run_library.delete_run(entry(0)) == ""
    assert set(run_library.read_library()) == files() == {"run-1.replay"}
    (progress.runs_folder() / "run-2.replay").mkdir()
    assert run_library.delete_run(entry(2)).startswith("run-2.replay cannot be deleted: ")


@pytest.mark.parametrize(
    "damage",
    [b"", b"{", b"[]", b"\xff\xfe", b'{"format": 9, "runs": []}', b'{"format": 1, "runs": 3}',
     b'{"format": 1, "runs": [3, {}]}', b'{"format": 1, "runs": [{"file": "../x.replay"}]}'],
)  # fmt: skip
@pytest.mark.sample(3)
def test_a_damaged_index_is_kept_aside_and_made_anew_from_the_files(level, data, damage):
    own = f"{progress.cached_level_hash(level)}-20260101-120000.replay"
    write(own, level)
    write("anna.replay", level)  # not named by the game
    (data / run_library.INDEX_NAME).write_bytes(damage)
    assert run_library.read_library() == {}
    run_library.scan_folder()
    (found,) = run_library.read_library().values()
    assert (found.file, found.level, found.spawn) == (own, "Corner", level.spawns[0].name)
    assert found.level_hash == progress.cached_level_hash(level)
    assert 1.5 < found.seconds < 2.5
    assert (data / "runs.json.damaged").read_bytes() == damage


def write(name, level):
    """A recorded run as a file in the runs folder."""
    history = History(World(level))
    while history.world.goal_tick < 0 and history.end < 150:
        history.step(Command(forward=1.0))
    progress.runs_folder().mkdir(parents=True, exist_ok=True)
    history.save(progress.runs_folder() / name, reason="the end")


def test_a_file_without_an_entry_is_left_alone(level):
    keep(entry(1))
    own = f"{progress.cached_level_hash(level)}-20260101-120000.replay"
    for name in ("Anna's run.replay", own):
        write(name, level)
    (progress.runs_folder() / "broken.replay").write_bytes(b"no replay")
    run_library.scan_folder()
    assert set(run_library.read_library()) == {"run-1.replay"}
    assert files() == {"run-1.replay", "Anna's run.replay", own, "broken.replay"}


def test_a_run_whose_file_is_damaged_does_not_count(level):
    names = [f"{progress.cached_level_hash(level)}-20260101-12000{k}.replay" for k in range(3)]
    write(names[0], level)
    whole = (progress.runs_folder() / names[0]).read_bytes()
    (progress.runs_folder() / names[1]).write_bytes(whole[: len(whole) - 40])  # cut off
    (progress.runs_folder() / names[2]).write_bytes(whole[:-300] + bytes([whole[-300] ^ 1]) + whole[-299:])
    run_library.scan_folder()
    library = run_library.read_library()
    assert {name: entry.reason for name, entry in library.items()} == {names[0]: "", names[1]: "its file is damaged"}
    assert (progress.runs_folder() / names[2]).exists()  # it is no run, and stays


def test_two_games_that_finish_in_one_second_take_two_names(level, monkeypatch):
    files = []
    for process in (7, 7, 8):
        monkeypatch.setattr(os, "getpid", lambda process=process: process)
        file, problem = run_library.keep_run(level, "start", f"{len(files)}".encode(), 1.0, None, "")
        assert problem == ""
        assert run_library.OWN_NAME.fullmatch(file)
        files.append(file)
    assert [(progress.runs_folder() / file).read_bytes() for file in files] == [b"0", b"1", b"2"]
    assert set(run_library.read_library()) == set(files)


def test_a_run_of_a_changed_level_or_of_other_rules_is_of_an_earlier_version(level):
    progress.record_visit(level, level.spawns[0].name)
    made = replace(entry(1), level_file=progress.file_key(level.path), level_hash=progress.cached_level_hash(level))
    assert not made.is_earlier_version
    assert replace(made, rules=fingerprint.RULES_VERSION - 1).is_earlier_version
    level.path.write_text(LEVEL.replace("height: 4", "height: 3"), encoding="utf-8")
    changed = load(level.path)
    progress.record_visit(changed, changed.spawns[0].name)
    assert made.is_earlier_version
    level.path.unlink()
    assert not made.is_earlier_version  # not known
    shipped = replace(made, level_file="shipped/demo.yaml")
    assert shipped.is_earlier_version
    assert not replace(shipped, level_hash=progress.SHIPPED_HASHES["demo.yaml"]).is_earlier_version


def test_what_a_killed_game_left_is_removed_and_what_a_running_one_writes_stays():
    keep(entry(1))
    folder = progress.runs_folder()
    (folder / ".x.replay.999999999.part").write_bytes(b"half")
    (folder / f".y.replay.{os.getpid()}.part").write_bytes(b"half")
    entry(1).path.unlink()
    run_library.scan_folder()
    assert {name for name in files() if name.endswith(".part")} == {f".y.replay.{os.getpid()}.part"}
    assert run_library.read_library() == {}


def test_a_full_disk_is_a_sentence_and_the_index_stays(level):
    keep(entry(1))
    with full_disk.full_disk():
        assert full_disk.MESSAGE in run_library.update_library({"run-2.replay": entry(2)})
        assert full_disk.MESSAGE in run_library.keep_run(level, "start", b"run", 1.0, None, "")[1]
    assert set(run_library.read_library()) == files() == {"run-1.replay"}


ODD_NAMES = ("..", "deleted", "", "run", "a\0.replay", "\ud800.replay", "x/y.replay")


@pytest.mark.parametrize(
    "fields",
    [*({"file": name} for name in ODD_NAMES), {"strokes": float("inf")}, {"seconds": "12"}, {"seconds": 10**400},
     {"seconds": float("nan")}, {"seconds": True}, {"rules": float("inf")}, {"reason": []}, {"level": 3}],
)  # fmt: skip
def test_an_entry_that_no_game_writes_is_left_out_and_the_others_stay(data, fields):
    keep(entry(1))
    text = json.loads(run_library.index_path().read_bytes())
    text["runs"].append(text["runs"][0] | {"file": "run-2.replay"} | fields)
    run_library.index_path().write_text(json.dumps(text))
    assert set(run_library.read_library()) == {"run-1.replay"}
    run_library.scan_folder()
    run_library.remove_old_runs()
    assert (data / "runs.json.damaged").is_file()
