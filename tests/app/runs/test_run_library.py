"""The run library: what is kept and what is deleted, names, a damaged index, and files that the player puts there."""

from __future__ import annotations

import json
import os
import threading
from dataclasses import replace

import pytest

from game.app.game import Game
from game.app.menus.runs_page import unreadable_note
from game.app.runs import progress, run_verifier
from game.app.runs.library import run_import, run_library
from game.app.runs.library.run_library import RunEntry, RunOrigin, RunStatus
from game.app.runs.progress import BestRun
from game.app.settings.settings_file import Settings
from game.core import user_folders
from game.level import load
from game.sim import World
from tests.app.modes.test_replay import WALLS, recorded
from tests.support import full_disk
from tests.support.player import Player
from tests.support.until import wait_for_other_threads


@pytest.fixture(autouse=True)
def data(tmp_path, monkeypatch):
    monkeypatch.setenv(user_folders.DATA_VARIABLE, str(tmp_path / "data"))
    threads = set(threading.enumerate())
    yield tmp_path / "data"
    wait_for_other_threads(threads)


@pytest.fixture
def level(tmp_path):
    path = tmp_path / "corner.yaml"
    path.write_text(WALLS, encoding="utf-8")
    return load(path)


def entry(number, **fields):
    when = f"2026-01-01T{number // 60:02d}:{number % 60:02d}:00+00:00"
    made = RunEntry(
        f"run-{number}.replay", "Corner", "/levels/corner.yaml", "0" * 16, "start", 10.0 + number, when=when
    )
    return replace(made, **{"status": RunStatus.VERIFIED, **fields})


def keep(*entries, size=10):
    progress.runs_folder().mkdir(parents=True, exist_ok=True)
    for one in entries:
        assert run_library.add_entry(one) == ""
        one.path.write_bytes(b"x" * size)


def files():
    return {path.name for path in progress.runs_folder().iterdir() if path.is_file()}


def set_best(name):
    record = progress.LevelRecord(best=BestRun(1.0, run=name))
    progress.update_progress(lambda known: replace(known, records={"x:start": record}))


def test_only_so_many_runs_are_kept_and_never_a_best_named_friends_or_pending_one():
    count = run_library.MAX_RUNS_PER_LEVEL + 5
    keep(*(entry(k) for k in range(count)))
    keep(entry(200, level_file="/levels/other.yaml"))
    run_library.change_entry("run-0.replay", name="My first")
    run_library.change_entry("run-1.replay", origin=RunOrigin.FRIEND)
    run_library.change_entry("run-2.replay", status=RunStatus.PENDING)
    set_best("run-3.replay")
    assert sorted(run_library.remove_old_runs()) == ["run-4.replay"]
    kept = {f"run-{k}.replay" for k in (*range(count), 200) if k != 4}
    assert files() == kept == set(run_library.read_library())
    assert run_library.remove_old_runs() == []


def test_the_bytes_are_limited_too_and_the_oldest_go(monkeypatch):
    monkeypatch.setattr(run_library, "MAX_LIBRARY_BYTES", 3500)
    keep(*(entry(k) for k in range(6)), size=1000)
    run_library.change_entry("run-0.replay", name="Kept")
    run_library.remove_old_runs()
    assert files() == {"run-0.replay", "run-4.replay", "run-5.replay"}


@pytest.mark.full
def test_a_deleted_run_comes_back_and_only_so_many_stay_deleted():
    count = run_library.MAX_DELETED_FILES
    runs = [entry(k, name="Nice") for k in range(count + 2)]
    keep(*runs)
    assert run_library.delete_run("run-0.replay") == ""
    assert "run-0.replay" not in run_library.read_library()
    assert "run-0.replay" not in files()
    assert run_library.restore_run(runs[0]) == ""
    assert run_library.read_library()["run-0.replay"].name == "Nice"
    assert runs[0].path.is_file()
    deleted = progress.runs_folder() / run_library.DELETED_FOLDER
    for number, run in enumerate(runs):
        run_library.delete_run(run.file)
        os.utime(deleted / run.file, (number, number))
    run_library.restore_run(runs[-1])
    run_library.delete_run(runs[-1].file)
    assert len(list(deleted.iterdir())) == count
    assert "cannot be deleted" in run_library.delete_run("gone.replay")
    assert "cannot be restored" in run_library.restore_run(entry(77))


@pytest.mark.parametrize(
    "damage",
    [b"", b"{", b"[]", b"\xff\xfe", b'{"format": 9, "runs": []}', b'{"format": 1, "runs": 3}',
     b'{"format": 1, "runs": [3, {}]}', b'{"format": 1, "runs": [{"file": "../x.replay"}]}'],
)  # fmt: skip
@pytest.mark.sample(3)
def test_a_damaged_index_is_kept_aside_and_made_anew_from_the_files(level, data, damage):
    write(recorded(level), "anna.replay", level)
    (data / run_library.INDEX_NAME).write_bytes(damage)
    assert run_library.read_library() == {}
    run_library.scan_folder(run_verifier.read_run)
    (found,) = run_library.read_library().values()
    assert (found.file, found.level, found.spawn) == ("anna.replay", "Corner", level.spawns[0].name)
    assert (data / "runs.json.damaged").read_bytes() == damage


def write(record, name, level):
    """A recorded run as a file in the runs folder."""
    from game.app.runs.recording import RunRecorder
    from game.physics import Command
    from game.sim import World

    world = World(level)
    recorder = RunRecorder(world)
    for _ in range(150):
        world.step(Command(forward=1.0))
        recorder.stepped(Command(forward=1.0))
        if world.goal_tick >= 0:
            break
    progress.runs_folder().mkdir(parents=True, exist_ok=True)
    (progress.runs_folder() / name).write_bytes(recorder.file_bytes("the end"))


def test_a_file_that_the_player_puts_there_is_a_friends_run(level):
    keep(entry(1))
    write(None, "Anna's run.replay", level)
    (progress.runs_folder() / "broken.replay").write_bytes(b"no replay")
    (progress.runs_folder() / "notes.txt").write_text("mine")
    bad = run_library.scan_folder(run_verifier.read_run)
    assert unreadable_note(bad) == run_import.import_file(bad[0], None).sentence
    assert unreadable_note(bad).startswith("broken.replay")
    assert unreadable_note(bad * 3).startswith("3 files here are no runs. broken.replay")
    assert unreadable_note([]) == ""
    library = run_library.read_library()
    assert set(library) == {"run-1.replay", "Anna's run.replay"}
    friend = library["Anna's run.replay"]
    assert (friend.origin, friend.status, friend.name) == (RunOrigin.FRIEND, RunStatus.PENDING, "Anna's run")
    assert friend.level_hash == progress.cached_level_hash(level)
    assert 1.5 < friend.seconds < 2.5
    assert files() == {"run-1.replay", "Anna's run.replay", "broken.replay", "notes.txt"}


def test_a_run_whose_file_is_damaged_does_not_count(level):
    write(None, "Anna.replay", level)
    whole = (progress.runs_folder() / "Anna.replay").read_bytes()
    (progress.runs_folder() / "Cut.replay").write_bytes(whole[: len(whole) - 40])
    (progress.runs_folder() / "Twisted.replay").write_bytes(whole[:-300] + bytes([whole[-300] ^ 1]) + whole[-299:])
    run_library.scan_folder(run_verifier.read_run)
    library = run_library.read_library()
    assert library["Anna.replay"].status == RunStatus.PENDING
    for name in ("Cut.replay", "Twisted.replay"):
        assert (library[name].status, library[name].reason) == (RunStatus.PRACTICE, "its file is damaged"), name


def test_a_run_that_two_verifiers_verify_counts_once(level):
    """A level that is opened again has another verifier, which may verify the same run at the same time."""
    write(None, "run.replay", level)
    hash_ = progress.cached_level_hash(level)
    mine = entry(1, file="run.replay", level_hash=hash_, spawn=level.spawns[0].name, status=RunStatus.PENDING)
    assert run_library.add_entry(mine) == ""
    verifiers = [run_verifier.RunVerifier(level, level.spawns[0].name, 0.0) for _ in range(2)]
    for verifier in verifiers:
        verifier.submit("run.replay")
    for verifier in verifiers:
        verifier.join(300.0)
    verdicts = [verdict for verifier in verifiers for verdict in verifier.take_verdicts()]
    assert [verdict.reason for verdict in verdicts] == ["", ""]
    assert sum(verdict.is_new_best for verdict in verdicts) == 1
    assert progress.level_record(level).finished == 1


def test_two_games_that_finish_in_one_second_take_two_names(level, monkeypatch):
    name = run_verifier.run_file_name(level)
    assert run_library.OWN_NAME.fullmatch(name)
    monkeypatch.setattr(os, "getpid", lambda: 7)
    assert name != run_verifier.run_file_name(level)
    assert run_verifier.write_run(run_verifier.run_file_name(level), b"first") == ""
    assert run_verifier.write_run(run_verifier.run_file_name(level), b"second") == ""
    assert sorted(path.read_bytes() for path in progress.runs_folder().iterdir()) == [b"first", b"second"]


def test_the_runs_of_older_versions_stay_the_players(level):
    own = f"{progress.cached_level_hash(level)}-20260101-120000.replay"
    write(None, own, level)
    write(None, own.replace("120000", "130000"), level)
    set_best(own)
    run_library.scan_folder(run_verifier.read_run)
    library = run_library.read_library()
    assert {(run.origin, run.status) for run in library.values()} == {("own", "verified"), ("own", "pending")}
    assert library[own].status == RunStatus.VERIFIED


def test_a_run_of_a_changed_level_is_of_an_earlier_version(level):
    progress.record_visit(level, level.spawns[0].name)
    made = replace(entry(1), level_file=progress.file_key(level.path), level_hash=progress.cached_level_hash(level))
    assert not made.is_earlier_version
    level.path.write_text(WALLS.replace("height: 4", "height: 3"), encoding="utf-8")
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
    run_library.scan_folder(run_verifier.read_run)
    assert {name for name in files() if name.endswith(".part")} == {f".y.replay.{os.getpid()}.part"}


@pytest.mark.parametrize(
    ("typed", "kept"),
    [("  Anna  ", "Anna"), ("a\x00b\nc", "abc"), ("x" * 99, "x" * 40), ("", ""), (" \t", ""), ("Zoë 🙂", "Zoë 🙂")],
)  # fmt: skip
def test_the_typed_name_of_a_run_is_cleaned(typed, kept):
    assert run_library.clean_name(typed) == kept


def test_a_full_disk_is_a_sentence_and_the_index_stays():
    keep(entry(1))
    with full_disk.full_disk():
        assert full_disk.MESSAGE in run_library.add_entry(entry(2))
    assert set(run_library.read_library()) == {"run-1.replay"}


ODD_NAMES = ("..", "deleted", "", "run", "a\0.replay", "\ud800.replay", "x/y.replay")


@pytest.mark.parametrize(
    "fields",
    [*({"file": name} for name in ODD_NAMES), {"strokes": float("inf")}, {"seconds": "12"}, {"seconds": 10**400},
     {"seconds": float("nan")}, {"seconds": True}, {"status": []}, {"level": 3}, {"novel": 1}],
)  # fmt: skip
def test_an_entry_that_no_game_writes_is_left_out_and_the_others_stay(data, fields):
    keep(entry(1))
    text = json.loads(run_library.index_path().read_bytes())
    text["runs"].append(text["runs"][0] | {"file": "run-2.replay"} | fields)
    run_library.index_path().write_text(json.dumps(text))
    assert set(run_library.read_library()) == {"run-1.replay"}
    run_library.scan_folder(run_verifier.read_run)
    run_library.remove_old_runs()
    assert (data / "runs.json.damaged").is_file()


def test_numbers_of_an_entry_have_their_types(data):
    keep(entry(1, seconds=7, strokes=10**400))
    (found,) = run_library.read_library().values()
    assert repr(found.seconds) == "7.0"
    assert float(found.strokes) == progress.MAX_STROKES


@pytest.mark.parametrize("damage", [None, b"{", b'{"format": 1, "runs": [3]}'])
@pytest.mark.full
def test_a_practice_run_stays_one_without_its_index(level, data, damage):
    """A slow-motion run repeats bit for bit, so that only its own remark tells it from one that counts."""
    player = Player(Game(level, replace(Settings(), game_speed=0.5), "low"), World(level))
    player.wait(0.1)
    player.hold("W", 6.0)
    player.wait(0.2)
    assert player.game.runs.time_trial.run.is_finished
    (made,) = run_library.read_library().values()
    assert (made.status, made.reason) == (RunStatus.PRACTICE, "slow motion used")
    run_library.index_path().unlink()
    if damage is not None:
        run_library.index_path().write_bytes(damage)
    later = Player.in_level(level)
    later.game.runs.time_trial.run_verifier.join(300.0)
    later.wait(0.1)
    (found,) = run_library.read_library().values()
    assert (found.origin, found.status, found.reason) == (RunOrigin.OWN, RunStatus.PRACTICE, "slow motion used")
    assert progress.best_seconds(level) is None


@pytest.mark.full
def test_a_friends_run_with_the_name_of_an_own_one_stays_a_friends(level, tmp_path):
    own = f"{progress.cached_level_hash(level)}-20260101-120000.replay"
    write(None, own, level)
    os.replace(progress.runs_folder() / own, tmp_path / own)
    entry = run_import.import_file(tmp_path / own, level).entry
    assert (entry.name, entry.origin) == ("Friend", RunOrigin.FRIEND)
    run_library.index_path().unlink()
    player = Player.in_level(level)
    player.game.runs.time_trial.run_verifier.join(300.0)
    player.wait(0.1)
    (found,) = run_library.read_library().values()
    assert (found.name, found.origin) == ("Friend", RunOrigin.FRIEND)
    assert progress.best_seconds(level) is None
