"""The command `fuzz`: results, JSON, replays and lines of failures, exit statuses and wrong input."""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path

import jsonschema
import pytest

from game import COMMAND
from game.app.commands.fuzz import row_lines
from game.fuzz import shards
from game.fuzz.failures import Failure, FuzzReport, describe_failure_measure
from game.fuzz.shards import FuzzError, LevelCopy, copy_level, load_copy
from game.level import load
from game.physics import Command
from game.reports.documents import load_schema
from game.sim import World, verify
from game.sim.replay.replay_file import decode_replay
from tests.fuzz.conftest import ROOM

ROOT = Path(__file__).resolve().parents[2]
FUZZ = ("fuzz", "room.yaml", "--ticks", "300", "--seed", "3", "-n", "1")
BROKEN_PART = "  - flor: {from: [0, 0], to: [1, 1]}\n"
PLATE = "v -9 0 -9\nv -9 0 9\nv 9 0 9\nv 9 0 -9\nf 1 2 3 4\n"
STEEP = "v -1 0 0\nv 1 0 0\nv 1 5 -1\nv -1 5 -1\nf 1 2 3 4\n"


def validated(text: str) -> dict:
    document = json.loads(text)
    schema = load_schema("fuzz")
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(document, schema)
    return document


def folder_bytes(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_result_is_one_file_and_the_same_for_1_and_2_processes(room, walker, tmp_path, monkeypatch):
    monkeypatch.setattr(shards, "SHARD_TICKS", 100)
    status, out, _ = walker(*FUZZ, "--json", "-o", "one")
    document = validated(out)
    assert (status, document["failures"], document["walks"][0]["ticks"]) == (0, 0, 300)
    assert folder_bytes(tmp_path / "one") == {"fuzz.json": out.encode()}
    assert walker(*FUZZ[:-1], "2", "--json", "-o", "two")[:2] == (0, out)
    assert folder_bytes(tmp_path / "two") == folder_bytes(tmp_path / "one")
    assert walker(*FUZZ, "--body", "slim", "--body", "level")[1].splitlines()[-1] == "300 ticks: all checks held"


def test_a_folder_with_other_files_is_refused_and_kept(room, walker, tmp_path):
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "mine.txt").write_text("mine")
    assert walker(*FUZZ, "-o", "run") == (2, "", "run: the folder is not empty; name a new one\n")
    assert folder_bytes(tmp_path / "run") == {"mine.txt": b"mine"}
    assert walker(*FUZZ, "-o", "room.yaml")[2].endswith("room.yaml: is a file, not a folder; choose another folder\n")
    assert walker(*FUZZ, "-o", "none/run")[2].endswith("none: no such folder; create it first\n")


def test_parts_that_are_left_out_count_as_a_failure(room, walker):
    room.write_text(ROOM + BROKEN_PART)
    status, out, err = walker(*FUZZ, "--json")
    document = validated(out)
    assert (status, document["status"], document["failures"], document["levels"][0]["left_out"]) == (1, 1, 0, 1)
    start = f"failed: parts of room.yaml are left out (1 error); see `{COMMAND} check room.yaml`; the first: "
    assert err.startswith(start + "room.yaml:9:5: ")
    status, out, _ = walker(*FUZZ)
    assert (status, out.splitlines()[-1]) == (1, "300 ticks: all checks held; parts of 1 level are left out")


def test_a_folder_stands_for_its_levels_without_prefabs(room, walker, tmp_path):
    for name in ("all/one.yaml", "all/golf/one.yaml", "all/prefabs/bench.yaml", "all/two.yaml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(ROOM.replace("Room", name))
    status, out, err = walker("fuzz", "all", "--ticks", "30", "-n", "1")
    assert (status, err) == (0, "")
    assert [line.split()[0] for line in out.splitlines()] == ["all/golf/one.yaml", "all/one.yaml", "two.yaml", "30"]
    (tmp_path / "empty").mkdir()
    assert walker("fuzz", "empty")[::2] == (2, "empty: no level in this folder\n")


def test_a_model_is_walked_and_one_without_ground_is_refused(room, walker, tmp_path):
    (tmp_path / "plate.obj").write_text(PLATE)
    status, out, _ = walker("fuzz", "plate.obj", *FUZZ[2:])
    assert (status, out.split()[0]) == (0, "plate.obj")
    (tmp_path / "steep.obj").write_text(STEEP)
    status, _, err = walker("fuzz", "steep.obj", *FUZZ[2:])
    reason = (
        "steep.obj: the body 'level': found no place to begin a walk; choose another --body, or leave this level out"
    )
    assert (status, err) == (4, reason + "\n")
    assert walker("fuzz", "none.obj")[::2] == (2, "none.obj: no such file\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("fuzz", "nowhere.yaml"), "nowhere.yaml"),
        (
            ("fuzz", "room.yaml", "--body", "giant"),
            "--body is one of level, slim, round, heavy, moon, quake, not giant",
        ),
        (("fuzz", "room.yaml", "-n", "2", "--scheduler", "tcp://127.0.0.1:9"), "-n is for this machine"),
    ],
)
def test_wrong_input_is_one_sentence(room, walker, arguments, message):
    status, out, err = walker(*arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert message in err


def kill_this_process(shard: shards.Shard) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
def test_a_killed_process_is_one_sentence(room, monkeypatch):
    work = shards.make_shards({copy_level(level := load("room.yaml"), "room.yaml"): level}, ["level"], 1, 10)
    monkeypatch.setattr(shards, "run_shard", kill_this_process)
    with pytest.raises(FuzzError, match="a process was killed; is there enough memory"):
        shards.run_in_processes(work, 2, lambda done: None)


def test_a_process_of_another_version_is_refused(room):
    (shard,) = shards.make_shards({copy_level(level := load("room.yaml"), "room.yaml"): level}, ["level"], 1, 10)
    shard.conditions["numba"] = "0.1"
    with pytest.raises(FuzzError, match=r"a worker has numba .*, not 0\.1; install the same versions on it"):
        shards.run_shard(shard)


def test_a_copy_has_all_files_of_a_level_and_makes_the_same_one(room, tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "plate.obj").write_text(PLATE)
    (tmp_path / "part.yaml").write_text(ROOM + "  - model: {file: parts/plate.obj}\n")
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "room.yaml").write_text(ROOM + "  - include: {file: ../part.yaml}\n")
    level = load("deep/room.yaml")
    copy = copy_level(level, "room")
    assert set(copy.files) == {"room.yaml", "../part.yaml", "../parts/plate.obj"}
    assert load_copy(copy).triangles.tobytes() == level.triangles.tobytes()
    (tmp_path / "parts" / "plate.obj").write_text(PLATE.replace("9", "8"))
    assert copy_level(load("deep/room.yaml"), "room").digest != copy.digest
    assert LevelCopy("other", "room.yaml", copy.files).digest == copy.digest


def test_the_first_failure_of_a_kind_gets_a_replay(room, walker, monkeypatch):
    """The walk of a shard claims two failures; the replay of the first one begins at its state, with its command."""
    level = load("room.yaml")
    world = World(level)
    for _ in range(30):
        world.step(Command(forward=1.0))
    row, press = world.walker_state.row(), world.walker.commands([Command(strafe=1.0, heading=-16384, sprint=True)])
    cases = [Failure("drift", 5, 1.0, 0.0, 40, row, press), Failure("drift", 9, 1.0, 0.0, 44, row, press)]
    report = FuzzReport(ticks=20, cases=cases)
    report.failing["drift"] = [5, 9]
    monkeypatch.setattr(shards, "SHARD_TICKS", 20)
    monkeypatch.setattr(shards, "walk_shard", lambda *_: report)
    status, out, _ = walker("fuzz", "room.yaml", "--ticks", "40", "-n", "1", "-o", "run")
    (path,) = Path("run/failures").iterdir()
    assert (status, out.splitlines()[-1]) == (1, f"watch the first: walker replay {path} --show")
    replay = decode_replay(path.read_bytes(), path)
    assert (replay.ticks, verify(replay, lambda part: level).divergence) == (300, None)
    assert replay.parts[0].head["note"] == "failure: drift"
    assert replay.parts[0].blocks[0].states[0].tobytes() == row.tobytes()
    assert replay.parts[0].blocks[0].commands[0].tobytes() == press.tobytes()
    first = validated(Path("run/fuzz.json").read_text())["walks"][0]["first"]
    place = {"position": list(world.walker_state.position), "value": 1.0, "bound": 0.0, "unit": ""}
    place["command"] = {"forward": 0.0, "strafe": 1.0, "heading": 270.0, "pitch": 0.0, "keys": ["sprint"]}
    assert first == {"drift": {"shard": 0, "tick": 5, **place, "replay": f"failures/{path.name}"}}
    x, y, z = place["position"]
    where = f"at ({x:.2f}, {y:.2f}, {z:.2f}); strafe 1 heading 270.00° sprint"
    assert f"  room.yaml level, drift; {where}; first of 4; {path.name}\n" in out
    document = validated(walker("fuzz", "room.yaml", "--ticks", "40", "-n", "1", "--json")[1])
    assert document["walks"][0]["first"]["drift"]["replay"] is None


def test_a_closed_standard_output_refuses_only_json(room, walker, monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    message = "standard output is closed, and --json prints there; redirect it to a file\n"
    assert walker(*FUZZ, "--json") == walker("check", "room.yaml", "--json") == (74, "", message)
    assert walker("check", "room.yaml")[0] == 0


@pytest.mark.skipif(sys.platform == "win32", reason="no control characters in names on this system")
@pytest.mark.parametrize("name", ["ctl\x1b[31m", "new\nline"])
def test_control_characters_of_a_name_do_not_reach_the_terminal(name, room, walker, tmp_path):
    (tmp_path / f"{name}.yaml").write_text(ROOM + BROKEN_PART)
    _, out, err = walker("fuzz", f"{name}.yaml", "--ticks", "1", "-n", "1")
    assert name.replace("\x1b", "?").replace("\n", "?") in out
    assert all(text.isprintable() for text in (*out.splitlines(), *err.splitlines()))


# Lines of failures


@pytest.mark.parametrize(
    ("value", "bound", "unit", "text"),
    [
        (0.0213, 0.01, "m", "0.021 m in one tick, at most 0.010 m"),
        (0.08134, 0.08129, "m", "0.08134 m in one tick, at most 0.08129 m"),
        (2.5, 0.0, "m/s", "2.500 m/s upwards, at most 0.000 m/s"),
        (-0.0041, -0.005, "radii", "0.410 % of the radii, at least 0.500 %"),
        (20.0, 0.0, "ticks", "stands for 20 ticks"),
        (30.0, 30.0, "ticks", "inside a surface for 30 ticks"),
        (16384.0, 0.0, "1/65536 turn", "90.000° off, at most 0.000°"),
        (1.0, 0.0, "", ""),
    ],
)
def test_a_measure_is_written_with_bound_and_unit(value, bound, unit, text):
    assert describe_failure_measure(value, bound, unit) == text


def test_a_failure_has_one_short_line():
    first = {
        "position": [10.69, 1.14, -27.861],
        "value": 0.0213,
        "bound": 0.01,
        "unit": "m",
        "command": {"forward": 1.0, "strafe": -1.0, "heading": 90.0, "pitch": 0.0, "keys": ["jump", "sprint"]},
        "replay": "failures/0-one-slim-air_step-26975d4c.replay",
    }
    row = {
        "level": "golf/one.yaml", "body": "slim", "ticks": 100, "worst_gap": 0.0052, "gap_limit": 0.005, "lost": 0,
        "left": 3, "failures": {"gap": 0, "air step": 5}, "first": {"air step": first},
    }  # fmt: skip
    line, failure = row_lines(row)
    assert line.endswith(
        "  least gap 0.520 % of the radii (must be over 0.500 %)  5 failed; 0 put back, 3 left the level"
    )
    assert failure == (
        "  golf/one.yaml slim, air step: 0.021 m in one tick, at most 0.010 m; at (10.69, 1.14, -27.86); forward 1 "
        "strafe -1 heading 90.00° jump sprint; first of 5; 0-one-slim-air_step-26975d4c.replay"
    )
    row["first"] = {"air step": {**first, "unit": "", "replay": None}}
    row["failures"] = {"air step": 1}
    assert (
        row_lines(row)[1]
        == "  golf/one.yaml slim, air step; at (10.69, 1.14, -27.86); forward 1 strafe -1 heading 90.00° jump sprint"
    )
