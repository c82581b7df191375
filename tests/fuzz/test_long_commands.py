"""The commands `fuzz` and `sweep`: results, JSON, folders, exit statuses and wrong input."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import jsonschema
import numpy as np
import pytest

from game import COMMAND
from game.app.commands import test as test_command
from game.app.commands.long_checks import fuzz, sharded_command, worker_options
from game.app.commands.long_checks.failure_lines import describe_place
from game.app.commands.long_checks.worker_options import ShardProgress, check_address
from game.fuzz import fuzz_shard
from game.fuzz.failure_kinds import KINDS
from game.fuzz.fuzz_shard import report_arrays
from game.fuzz.random_walks import Failure, FuzzReport
from game.cluster.level_files import collect_level_files
from game.cluster.shard_files import encode_shard
from game.cluster.sweep_plan import parse_variation
from game.cluster.sweep_walks import OUTCOMES
from game.level import load
from game.physics import Command
from game.reports.json_documents import load_schema
from game.sim import World, verify
from game.sim.replay.replay_file import decode_replay
from tests.cluster.conftest import NOOK, ROOM, TOWER
from tests.cluster.sweeps import folder_bytes
from tests.support.page_code import run_python_blocks
from tests.support.until import wait_until

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "cluster.md"
FUZZ = ("fuzz", "room.yaml", "--ticks", "300", "--shard-ticks", "100", "--seed", "3", "-n", "1")
SWEEP = ("sweep", "room.yaml", "--commands", "walk.commands", "-n", "1")
SPEEDS = ("--vary", "walk_speed=1:4:3")


def validated(text: str, kind: str) -> dict:
    document = json.loads(text)
    schema = load_schema(kind)
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(document, schema)
    return document


def test_fuzz_walks_whole_shards_and_keeps_them(room, walker, tmp_path):
    status, out, err = walker(*FUZZ, "--json", "-o", "run")
    document = validated(out, "fuzz")
    assert (status, document["failures"]) == (0, 0)
    assert document["ticks"] == document["walks"][0]["ticks"] == 300
    assert document["walks"][0]["shards"] == 3
    assert "room.yaml" in out
    assert str(tmp_path) not in out
    kept = folder_bytes(tmp_path / "run")
    assert kept["result.json"].decode() == out
    assert len(kept) == 2 + 3
    assert walker(*FUZZ, "--json", "-o", "run") == (0, out, err + "already done: 3 of 3 shards\n")
    assert folder_bytes(tmp_path / "run") == kept
    status, out, _ = walker(*FUZZ[:3], "250", *FUZZ[4:], "--body", "slim", "--body", "level")
    assert (status, out.splitlines()[-1]) == (0, "400 ticks: all checks held")


@pytest.mark.full
def test_fuzz_fails_for_a_level_with_parts_left_out(room, walker):
    room.write_text(ROOM + "  - flor: {from: [0, 0], to: [1, 1]}\n")
    status, out, err = walker(*FUZZ, "--json")
    document = validated(out, "fuzz")
    assert (status, document["status"], document["failures"], document["levels"][0]["left_out"]) == (1, 1, 0, 1)
    assert err.startswith(
        f"failed: parts of room.yaml are left out (1 error); see `{COMMAND} check room.yaml`; "
        "the first: room.yaml:9:5: "
    )
    status, out, _ = walker(*FUZZ)
    assert (status, out.splitlines()[-1]) == (1, "300 ticks: all checks held; parts of 1 level are left out")


def test_fuzz_names_the_levels_of_a_folder_by_their_path_and_leaves_out_prefabs(room, walker, tmp_path):
    for name in ("all/one.yaml", "all/golf/one.yaml", "all/prefabs/bench.yaml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(ROOM.replace("Room", name))
    status, out, err = walker("fuzz", "all", "--ticks", "100", "--shard-ticks", "100", "-n", "1", "-o", "run")
    assert (status, err) == (0, "")
    assert [line.split()[0] for line in out.splitlines()] == ["golf/one.yaml", "one.yaml", "200"]
    assert "golf/one.yaml" in (tmp_path / "run" / "manifest.json").read_text()
    both = "all/one.yaml", "all/golf/one.yaml", "all/prefabs/bench.yaml"
    out, err = walker("fuzz", *both, "--ticks", "50", "--shard-ticks", "100", "-n", "1")[1:]
    assert [line.split()[0] for line in out.splitlines()] == ["all/one.yaml", "all/golf/one.yaml", "bench.yaml", "300"]
    assert err == (
        "at least 100 ticks for each of 3 levels and bodies: 300 ticks; a smaller --shard-ticks makes them fewer\n"
    )
    limit = r"  least gap \d\.\d{3} % of the radii \(must be over 0\.500 %\)  "
    assert re.search(limit, out)
    (tmp_path / "all" / "prefabs").rename(tmp_path / "prefabs")
    (tmp_path / "other" / "prefabs").mkdir(parents=True)
    (tmp_path / "prefabs" / "bench.yaml").rename(tmp_path / "other" / "prefabs" / "bench.yaml")
    assert walker("fuzz", "other")[::2] == (2, "other: no level in this folder\n")


@pytest.mark.full
def test_sweep_writes_the_table_of_each_shard_as_parquet(room, walker, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed (extra [parquet])")
    assert walker(*SWEEP, *SPEEDS, "-o", "run", "--format", "parquet")[0] == 0
    paths = sorted((tmp_path / "run" / "shards").glob("*.parquet"))
    values = {row["name"]: row["values"] for row in parquet.read_table(paths[2]).to_pylist()}
    assert len(paths) == 3
    assert values["goal_time"] == [1.45]
    row = next(row for row in parquet.read_table(paths[2]).to_pylist() if row["name"] == "goal_time")
    assert np.frombuffer(row["data"], row["dtype"]).tolist() == [1.45]
    status, _, err = walker(*SWEEP, *SPEEDS, "-o", "run")
    assert (status, "(--format was parquet, now npz)" in err) == (2, True)


def test_fuzz_accepts_a_model_file(room, walker, tmp_path):
    (tmp_path / "plate.obj").write_text("v -9 0 -9\nv -9 0 9\nv 9 0 9\nv 9 0 -9\nf 1 2 3 4\n")
    status, out, _ = walker("fuzz", "plate.obj", *FUZZ[2:])
    assert status == 0
    assert out.startswith("plate.obj   ")


def test_a_level_without_a_place_to_begin(room, walker, tmp_path):
    (tmp_path / "steep.obj").write_text("v -1 0 0\nv 1 0 0\nv 1 5 -1\nv -1 5 -1\nf 1 2 3 4\n")
    status, _, err = walker("fuzz", "steep.obj", *FUZZ[2:])
    assert (status, err) == (
        2,
        "steep.obj.yaml: the body 'level': found no place to begin a walk; choose another --body, or leave this level "
        "out\n",
    )


def test_sweep_measures_each_value(room, walker):
    status, out, _ = walker(*SWEEP, *SPEEDS, "--metric", "goal_time", "--metric", "distance")
    assert status == 0
    assert [line.split() for line in out.splitlines()] == [
        ["walk_speed", "goal_time", "(s)", "distance", "(m)"],
        ["1", "-", "1.99167"],
        ["2.5", "-", "4.94792"],
        ["4", "1.45", "7.86667"],
    ]
    _, out, _ = walker(*SWEEP, *SPEEDS, "--vary", "jump_height=1,2", "--json")
    rows = validated(out, "sweep")["rows"]
    assert [list(row["settings"].values()) for row in rows[:3]] == [[1.0, 1.0], [1.0, 2.0], [2.5, 1.0]]
    assert [row["metrics"]["reached"] for row in rows] == [0, 0, 0, 0, 1, 1]
    assert rows[0]["metrics"]["goal_time"] is None


@pytest.mark.full
def test_sweep_with_a_bot_tells_which_bodies_reach_the_goal(room, walker):
    vary = "--vary", "step_height=0.1,0.4", "--vary", "jump_height=0.1"
    command = "sweep", "room.yaml", "--bot", "goal", "--ticks", "20000", *vary, "-n", "1", "-o", "run"
    status, out, _ = walker(*command, "--json")
    low, high = validated(out, "sweep")["rows"]
    assert (low["outcome"], high["outcome"]) == ("gave up", "reached")
    assert low["search_ticks"] >= 20000 > high["search_ticks"] > 0
    paths = sorted(Path("run/walks").iterdir())
    assert [path.name for path in paths] == ["0000000-room.commands", "0000001-room.commands"]
    assert [path.read_text() for path in paths] == [low["walk"], high["walk"]]
    assert walker("sim", "room.yaml", "--commands", str(paths[1]))[0] == 0  # the level's own body can do the walk too
    assert [line.split()[-1] for line in walker(*command)[1].splitlines()] == ["outcome", "up", "reached"]
    assert status == 0
    assert (low["metrics"]["reached"], high["metrics"]["reached"]) == (0, 1)  # the ground before the goal is 0.3 m high


@pytest.mark.parametrize(
    ("vary", "message"),
    [
        ("step_hight=0.1:0.5:9", "--vary: there is no setting 'step_hight'; did you mean `step_height`?"),
        ("colour=1", "--vary: there is no setting 'colour'; the settings are crouch_height, eye, walk_speed, "),
        ("radii=1", "radii has three numbers and cannot be varied; vary another setting"),
        ("eye", "--vary eye: write the values, such as eye=0.1:0.5:9 or eye=0.1,0.3"),
        ("eye=0.2:0.4", "--vary eye=0.2:0.4: write LOW:HIGH:COUNT, such as 0.1:0.5:9"),
        ("eye=0.2:0.4:", "--vary eye=0.2:0.4:: write LOW:HIGH:COUNT, such as 0.1:0.5:9"),
        ("eye=a", "--vary eye: 'a' is not a number"),
        ("eye=inf", "--vary eye: 'inf' is not a number"),
        ("eye=0.2,0.2", "--vary eye: the value 0.2 stands twice; remove one"),
        ("eye=0.2:0.4:1", "--vary eye=0.2:0.4:1: one value cannot go from 0.2 to 0.4; use a larger count"),
        ("eye=2", "--vary: eye must be within 0.1..0.95, not 2.0"),
        ("step_height=0.1:5:3", "--vary: step_height must be within 0..0.9, not 2.55"),
        (
            "gravity=-1.7e308:1.7e308:3",
            "--vary gravity=-1.7e308:1.7e308:3: a range needs two numbers that are not so far apart",
        ),
        ("eye=0.1:0.9:1000001", "--vary eye=0.1:0.9:1000001: the count is at most 1000000"),
        ("gravity=1:2:1000000000", "--vary gravity=1:2:1000000000: the count is at most 1000000"),
        ("eye=0.1:0.9:0", "--vary eye=0.1:0.9:0: the COUNT must be at least 1, and 2 for a range of values"),
        ("gravity=1_0", "--vary gravity: '1_0' is not a number"),
    ],
)
def test_values_that_cannot_be_swept(room, walker, vary, message):
    status, out, err = walker(*SWEEP, "--vary", vary)
    assert (status, out) == (2, "")
    assert err.startswith(message)
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        ((*SWEEP, *SPEEDS, *SPEEDS), 2, "--vary walk_speed is given twice; write all its values in one --vary"),
        (
            (*SWEEP, *SPEEDS, "--metric", "goal_tim"),
            2,
            "--metric: there is no metric 'goal_tim'; did you mean `goal_time`",
        ),
        ((*FUZZ, "--body", "fat"), 2, "--body: 'fat' is not one of level, slim, round, heavy, moon, quake"),
        ((*FUZZ, "--any-processor"), 2, "--any-processor needs --scheduler"),
        (("fuzz", "nowhere.glb"), 2, "nowhere.glb: no such file"),
        ((*FUZZ, "-o", "room.yaml"), 2, "room.yaml: this is a file, not a folder; choose another folder with -o"),
        ((*FUZZ, "-o", "link"), 2, "link: this is a link to a folder that does not exist; choose"),
        ((*FUZZ, "-o", "."), 2, ".: the folder holds other files and no manifest.json; choose another folder with -o"),
        *(
            (
                (*FUZZ[:-2], "--scheduler", address),
                2,
                f"--scheduler '{address}': this is no address of a scheduler; write",
            )
            for address in ("", " ", "foo", "tcp://", "tcp://127.0.0.1:abc", "tcp://[::1", "tcp://a", "tcp://a:65536")
        ),
        *(
            (
                (*FUZZ[:-2], "--scheduler", address),
                2,
                f"--scheduler '{address}': the scheme must be one of tcp, tls, ws",
            )
            for address in ("udp://x:1", "http://127.0.0.1:8786", "inproc://x", "://x:1")
        ),
        (
            ("fuzz", "room.yaml", "--ticks", "1000000000000", "--shard-ticks", "1"),
            2,
            "--ticks 1000000000000: more than",
        ),
    ],
)
def test_wrong_input_is_one_sentence(room, walker, arguments, status, message):
    Path("link").symlink_to("nowhere")
    found, out, err = walker(*arguments)
    assert (found, out) == (status, "")
    assert err.startswith(message)
    assert err.count("\n") == 1


def test_a_large_sweep_says_that_it_prepares(room, walker):
    many = "--vary", "step_height=5:6:100", "--vary", "walk_speed=1:2:100"
    status, _, err = walker(*SWEEP, *many)
    assert (status, err.splitlines()[0]) == (2, "preparing 10000 walks")
    assert err.splitlines()[1].startswith("--vary: step_height must be within 0..0.9, not 5")


def test_a_closed_standard_output_refuses_only_json(room, walker, monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    message = "standard output is closed, and --json prints there; redirect it to a file\n"
    assert walker(*FUZZ, "--json") == walker("check", "room.yaml", "--json") == (74, "", message)
    assert walker("check", "room.yaml")[0] == 0


CHECK = ("check", "room.yaml")
NEEDS_A_FULL_DEVICE = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
WITH_KERNELS = (FUZZ, (*FUZZ, "--json"), (*SWEEP, *SPEEDS, "--json"))


@NEEDS_A_FULL_DEVICE
@pytest.mark.parametrize("command", [CHECK, *(pytest.param(one, marks=pytest.mark.full) for one in WITH_KERNELS)])
@pytest.mark.parametrize("unbuffered", ["", pytest.param("1", marks=pytest.mark.full)])
def test_a_full_standard_output_has_its_own_status(room, tmp_path, command, unbuffered):
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with open("/dev/full", "w") as full:
        ended = subprocess.run(
            [sys.executable, str(ROOT / "run_game.py"), *command],
            cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True, env=environment,
        )  # fmt: skip
    message = "standard output: no space left on device; redirect it to another place\n"
    assert (ended.returncode, ended.stderr) == (74, message)


@pytest.mark.full
@NEEDS_A_FULL_DEVICE
@pytest.mark.parametrize("command", [CHECK, pytest.param((*SWEEP, *SPEEDS), marks=pytest.mark.full)])
def test_a_full_standard_error_costs_no_document(room, walker, tmp_path, command):
    status, document, _ = walker(*command, "--json")
    with open("/dev/full", "w") as full:
        ended = subprocess.run(
            [sys.executable, str(ROOT / "run_game.py"), *command, "--json"],
            cwd=tmp_path, stdout=subprocess.PIPE, stderr=full, text=True,
        )  # fmt: skip
    assert (ended.returncode, ended.stdout) == (status, document)
    assert json.loads(document)["status"] == status == 0


def test_the_addresses_of_schedulers_are_accepted():
    for address in ("tcp://10.0.0.5:8786", "10.0.0.5:8786", "tls://[::1]:1", "ws://a-b.c:65535/"):
        check_address(address)


def test_a_sweep_of_bots_says_at_once_that_they_cannot_open_the_goal(room, walker):
    text = room.read_text().splitlines()
    room.write_text("\n".join(line[:-1] + ", after: targets}" if line.startswith("goal") else line for line in text))
    status, _, err = walker("sweep", "room.yaml", "--bot", "goal", *SPEEDS)
    assert status == 2
    assert err.rstrip().endswith(
        "room.yaml: the goal waits for all targets, which bots do not collect; use --commands in place of --bot goal"
    )


def test_a_metric_of_a_goal_needs_one(room, walker):
    room.write_text("\n".join(line for line in room.read_text().splitlines() if not line.startswith("goal")))
    status, _, err = walker(*SWEEP, *SPEEDS)
    assert status == 2
    assert "--metric goal_time needs a goal, and this level has none; add `goal` to the level, or choose" in err
    assert walker(*SWEEP, *SPEEDS, "--metric", "distance")[0] == 0


def test_a_scheduler_without_dask_distributed_names_the_package_to_install(room, walker, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    status, _, err = walker(*FUZZ[:-2], "--scheduler", "tcp://127.0.0.1:9")
    assert status == 4
    assert err == ("--scheduler needs the package distributed; install it: pip install 'ellipsoid-walker[cluster]'\n")


@pytest.mark.full
def test_other_seeds_do_not_go_on_in_a_folder(room, walker):
    assert walker(*FUZZ, "-o", "run")[0] == 0
    status, _, err = walker(*FUZZ[:-4], "--seed", "4", "-n", "1", "-o", "run")
    assert status == 2
    assert "the folder belongs to other inputs (--seed was 3, now 4); choose another folder with -o" in err
    room.write_text(ROOM.replace("Room", "Hall"))
    assert "(other contents of room.yaml; --seed was 3, now 1)" in walker(*FUZZ[:-4], *FUZZ[-2:], "-o", "run")[2]
    room.rename("hall.yaml")
    err = walker("fuzz", "hall.yaml", *FUZZ[2:], "-o", "run")[2]
    assert "(the levels were room.yaml, now hall.yaml)" in err


def test_an_interrupted_run_goes_on(room, walker, monkeypatch, tmp_path):
    walker(*FUZZ, "-o", "whole")
    shown = ShardProgress.__call__

    def interrupt(self, done, total, found):
        if done == 2:
            raise KeyboardInterrupt
        shown(self, done, total, found)

    monkeypatch.setattr(worker_options.ShardProgress, "__call__", interrupt)
    status, _, err = walker(*FUZZ, "-o", "run")
    assert (status, err) == (130, "interrupted; the same command goes on with run\n")
    assert len(folder_bytes(tmp_path / "run")) == 3
    monkeypatch.undo()
    monkeypatch.chdir(tmp_path)
    assert walker(*FUZZ, "-o", "run")[0] == 0
    assert folder_bytes(tmp_path / "run") == folder_bytes(tmp_path / "whole")


@pytest.mark.full
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL on this system")
def test_a_killed_client_leaves_a_folder_that_goes_on_and_no_process(room, walker, tmp_path):
    shards = "--ticks", "12000", "--shard-ticks", "1000"
    command = [sys.executable, str(ROOT / "run_game.py"), "fuzz", "room.yaml", *shards, "-o", "run", "-n", "2"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as client:
        wait_until(lambda: any((tmp_path / "run").glob("shards/*.npz")))
        client.kill()
        assert client.stdout is not None
        assert client.stderr is not None
        assert client.stdout.read() == b""  # it ends when each process that has inherited it has ended
        assert b"resource_tracker" not in client.stderr.read()
    assert client.returncode == -signal.SIGKILL
    assert len(list((tmp_path / "run").glob("shards/[!.]*"))) < 12
    assert walker("fuzz", "room.yaml", *shards, "-o", "run", "-n", "1")[0] == 0
    assert walker("fuzz", "room.yaml", *shards, "-o", "whole", "-n", "2")[0] == 0
    assert folder_bytes(tmp_path / "run") == folder_bytes(tmp_path / "whole")


@pytest.mark.full
def test_a_cut_file_is_reported(room, walker, tmp_path):
    walker(*FUZZ, "-o", "run")
    path = next(iter(Path("run/shards").iterdir()))
    path.write_bytes(path.read_bytes()[:50])
    told = "already done: 2 of 3 shards\n1 file was cut off or damaged, and made again\n"
    assert walker(*FUZZ, "-o", "run")[2] == told


@pytest.mark.full
def test_check_finds_the_same_in_processes(room, walker, tmp_path):
    names = "nook.yaml", "tower.yaml"
    (tmp_path / "nook.yaml").write_text(NOOK.replace("parts/", ""))
    (tmp_path / "tower.yaml").write_text(TOWER)
    assert walker("check", "--walk", *names, "-n", "2")[:2] == walker("check", "--walk", *names)[:2]
    assert walker("check", *names, "-n", "2")[2] == "-n and --scheduler need --walk\n"
    assert "run --fix first" in walker("check", "--walk", "--fix", *names, "-n", "2")[2]


@pytest.mark.full
def test_the_page_has_the_kinds_and_outcomes_and_its_lines_make_replays(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = PAGE.read_text(encoding="utf-8")
    assert f"`KINDS` are {', '.join(KINDS)}." in text
    assert all(f"| `{name}` | {meaning} |" in text for name, meaning in OUTCOMES.items())
    assert all(f"`{name}`" in text for name in report_arrays(FuzzReport()))
    (tmp_path / "swept").mkdir()
    rows = [{"settings": {"walk_speed": 1.5}, "walk": "30 forward 1\n"}]
    (tmp_path / "swept" / "result.json").write_text(json.dumps({"rows": rows}))
    digest = collect_level_files(load(ROOT / "levels" / "golf" / "one.yaml")).digest
    assert f"/one-slim-tremble-{digest[:8]}.replay" in text
    (tmp_path / "fuzzed" / "shards").mkdir(parents=True)
    (tmp_path / "fuzzed" / "shards" / "0.npz").write_bytes(encode_shard(report_arrays(FuzzReport()), "ab" * 32))
    assert run_python_blocks(PAGE)[0] == 2
    with np.load("fuzzed/shards/0.npz") as arrays:
        assert all(f"`{name}`" in text for name in arrays)
    assert decode_replay(Path("row.replay").read_bytes(), Path("row.replay")).ticks == 30


def test_each_kind_of_failure_gets_a_replay(room, walker, monkeypatch):
    """The walk of a shard claims two failures; the replay of the first one begins at its state, with its command."""
    level = load("room.yaml")
    world = World(level)
    for _ in range(30):
        world.step(Command(forward=1.0))
    row, press = world.walker_state.row(), world.walker.commands([Command(strafe=1.0, heading=-16384, sprint=True)])
    cases = [Failure("drift", 5, 1.0, 0.0, 40, row, press), Failure("drift", 9, 1.0, 0.0, 44, row, press)]
    report = FuzzReport(ticks=20, cases=cases)
    report.failing["drift"] = [5, 9]
    monkeypatch.setattr(fuzz_shard, "walk_shard", lambda *_: report)
    status, out, _ = walker("fuzz", "room.yaml", "--ticks", "40", "--shard-ticks", "20", "-n", "1", "-o", "run")
    (path,) = Path("run/failures").iterdir()
    assert (status, out.splitlines()[-1]) == (1, f"watch the first: walker replay {path} --show")
    replay = decode_replay(path.read_bytes(), path)
    assert (replay.ticks, verify(replay, lambda part: level).divergence) == (300, None)
    assert replay.parts[0].head["note"] == "failure: drift"
    assert replay.parts[0].chunks[0].states[0].tobytes() == row.tobytes()
    assert replay.parts[0].chunks[0].commands[0].tobytes() == press.tobytes()
    first = json.loads(Path("run/result.json").read_text())["walks"][0]["first"]
    place = {"position": list(world.walker_state.position), "value": 1.0, "bound": 0.0, "unit": ""}
    place["command"] = {"forward": 0.0, "strafe": 1.0, "heading": 270.0, "pitch": 0.0, "keys": ["sprint"]}
    assert first == {"drift": {"shard": 0, "tick": 5, **place, "replay": f"failures/{path.name}"}}
    where = f"at {describe_place(place['position'])}; strafe 1 heading 270.00° sprint"
    assert f"  room.yaml level, drift; {where}; first of 4; {path.name}\n" in out
    status, out, _ = walker("fuzz", "room.yaml", "--ticks", "40", "--shard-ticks", "20", "-n", "1", "--json")
    assert json.loads(out)["walks"][0]["first"]["drift"]["replay"] is None


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("step_height=0.1:0.5:5", (0.1, 0.2, 0.3, 0.4, 0.5)),
        ("jump_height=-0.0,1", (0.0, 1.0)),
        ("jump_height=1:1:1", (1.0,)),
        ("gravity=1:1.000000000000001:3", (1.0, 1.0000000000000004, 1.000000000000001)),
        ("gravity=0.12345678901234:1:2", (0.12345678901234, 1.0)),
    ],
)
def test_values_of_a_range_are_as_a_person_writes_them(text, values):
    found = parse_variation(text).values
    assert found == values
    assert "-" not in str(found)


def test_progress_names_throughput_and_time_left():
    assert ShardProgress(20_000).describe(3, 10, 1, 4.0) == "3 of 10 shards; 10,000 ticks a second; 14 s left"
    assert ShardProgress().describe(5, 905, 0, 10.0) == "5 of 905 shards; 0.5 shards a second; 30 min left"
    assert ShardProgress(1).describe(3, 10, 3, 4.0) == "3 of 10 shards"
    assert ShardProgress(1).describe(3, 10, 1, 0.1) == "3 of 10 shards"


def test_the_help_states_each_exit_status(capsys):
    for verb in ("fuzz", "sweep"):
        with pytest.raises(SystemExit):
            sharded_command_main(verb)
        text = capsys.readouterr().out
        assert "exit status: 0 " in text
        for status in (sharded_command.WRONG_INPUT_STATUS, worker_options.STOPPED_STATUS, 74, 130):
            assert f"             {status} " in text


def test_the_help_of_fuzz_lists_its_inputs_once(capsys):
    with pytest.raises(SystemExit):
        sharded_command_main("fuzz")
    text = " ".join(capsys.readouterr().out.split())
    listed = text.partition("LEVEL a level file, ")[2].partition(" options:")[0]
    assert listed.split(", ")[-1] == "or a folder of levels"
    assert listed.count(" or ") == 1


def sharded_command_main(verb: str) -> int:
    from game.app.commands.command_line import main

    return main([verb, "--help"])


@pytest.mark.skipif(sys.platform == "win32", reason="no control characters in names on this system")
@pytest.mark.parametrize("name", ["ctl\x1b[31m", "new\nline"])
def test_control_characters_of_a_name_reach_neither_terminal_nor_folder(name, room, walker, tmp_path):
    (tmp_path / "levels" / "a").mkdir(parents=True)
    level, copy, other = (tmp_path / "levels" / path for path in (f"{name}.yaml", f"a/{name}.yaml", "plain.yaml"))
    level.write_text(ROOM + "  - flor: {from: [0, 0], to: [1, 1]}\n")
    copy.write_text(level.read_text())
    other.write_text(ROOM)
    for command in (
        ("fuzz", "levels", "--ticks", "1", "--shard-ticks", "1"),
        (SWEEP[0], "levels", *SWEEP[2:4], *SPEEDS),
    ):
        folder = f"{command[0]}ed"
        _, out, err = walker(*command, "-n", "1", "-o", folder)
        shown = name.replace("\x1b", "?").replace("\n", "?")
        assert "the same level as" in err
        assert f"{shown}.yaml" in out
        for text in (*out.splitlines(), *err.splitlines()):
            assert text.isprintable()
            assert "line.yaml" not in text or "new?line.yaml" in text
        names = [path.name for path in (tmp_path / folder / "shards").iterdir()]
        assert sum("-plain" in one for one in names) == sum(shown.replace("?", "_") in one for one in names) > 0
        assert all(one.isprintable() for one in names)
        level.write_text(level.read_text() + "\n")
        copy.write_text(level.read_text())
        status, _, err = walker(*command, "-n", "1", "-o", folder)
        assert (status, err.splitlines()[-1].isprintable()) == (2, True)
        assert f"contents of {shown}.yaml" in err or f"contents of a/{shown}.yaml" in err


def test_one_tick_is_not_plural(room, walker):
    status, out, err = walker("fuzz", "room.yaml", "--ticks", "1", "--shard-ticks", "1", "-n", "1")
    assert (status, out.splitlines()[-1], err) == (0, "1 tick: all checks held", "")
    assert "1 tick " in out
    assert fuzz.describe_rounding(1, 3, 1, 1).startswith("at least 1 tick for each of 3 levels and bodies: 3 ticks; ")


def test_a_folder_with_the_name_of_a_level_is_searched(room, walker, tmp_path):
    (tmp_path / "levels" / "x.yaml").mkdir(parents=True)
    (tmp_path / "levels" / "x.yaml" / "room.yaml").write_text(ROOM)
    (tmp_path / "levels" / "y.yaml").mkdir()
    status, out, err = walker("fuzz", "levels", "--ticks", "100", "--shard-ticks", "100", "-n", "1")
    assert (status, out.split()[0], err) == (0, "x.yaml/room.yaml", "")
    assert walker("check", "levels")[0] == 0


@pytest.mark.full
def test_copies_of_a_level_are_walked_once(room, walker, tmp_path):
    for name in ("a", "b"):
        (tmp_path / "levels" / name).mkdir(parents=True)
        (tmp_path / "levels" / name / "room.yaml").write_text(ROOM)
    status, out, err = walker("fuzz", "levels", "--ticks", "100", "--shard-ticks", "100", "-n", "1", "--json")
    assert [row["level"] for row in validated(out, "fuzz")["walks"]] == ["a/room.yaml"]
    assert (status, err) == (0, "b/room.yaml: the same level as a/room.yaml, which is walked once\n")


@pytest.mark.full
@pytest.mark.skipif(sys.platform == "win32", reason="the shell closes no standard error")
@pytest.mark.parametrize(
    ("command", "status", "out"),
    [
        (("check", "nowhere.yaml"), 2, ""),  # the sentence is lost, the status is not
        pytest.param((*FUZZ, "--json"), 0, '"ticks": 300', marks=pytest.mark.full),
    ],
)
def test_a_closed_standard_error_is_no_crash(room, tmp_path, command, status, out):
    command = f"exec {shlex.join((sys.executable, str(ROOT / 'run_game.py'), *command))} 2>&-"
    ended = subprocess.run(["sh", "-c", command], cwd=tmp_path, capture_output=True, text=True)
    assert ended.returncode == status
    assert out in ended.stdout


def test_tests_of_workers_are_reported_in_their_order():
    ended = [(2, "c"), (0, "a"), (1, "b"), (3, "d")]
    assert list(test_command.in_order(ended)) == sorted(ended)
