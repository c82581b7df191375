"""Shards, keys, files, folders that resume, and executors on one machine."""

from __future__ import annotations

import dataclasses
import errno
import io
import os
import random
import signal
import sys
from pathlib import Path

import numpy as np
import pytest

from game.cluster import results_folder, shard_files
from game.cluster.errors import ClusterError
from game.cluster.executors import ProcessExecutor
from game.cluster.level_files import LocalLevels, UnpackedLevels, collect_level_files
from game.cluster.results_folder import ResultsFolder
from game.cluster.sharded_run import run_shards
from game.cluster.shards import Shard, first_difference, run_conditions, worker_conditions
from game.level import load
from game.sim.replay.fingerprint import level_hash
from tests.cluster.conftest import ROOM
from tests.cluster.killed_processes import kill_always, kill_once
from tests.cluster.sweeps import folder_bytes, make_sweep, run_sweep, serial

CONDITIONS = run_conditions()
ARRAYS = {
    "b": np.array([0.0, np.nan, 2.0]),
    "a": np.array([True]),
    "none": np.zeros((0, 2), np.int32),
    "rows": np.zeros(2, [("x", "<f8"), ("n", "<i4", (3,))]),
}
KEY = "ab" * 32


class ShuffledWorkers:
    """Sixteen workers that end their tasks in random order."""

    def __init__(self, levels: LocalLevels, seed: int) -> None:
        self.levels, self.random = levels, random.Random(seed)

    def run(self, function, tasks):
        left, running = list(range(len(tasks))), []
        while left or running:
            while left and len(running) < 16:
                running.append(left.pop(0))
            number = running.pop(self.random.randrange(len(running)))
            yield number, function(tasks[number], self.levels)


@pytest.mark.full
def test_the_bytes_are_the_same_for_2_processes(room, tmp_path):
    files, shards = make_sweep(room, 20)
    one = run_sweep(tmp_path / "one", shards, serial(files))
    assert run_sweep(tmp_path / "two", shards, ProcessExecutor(LocalLevels.of([files]), 2)) == one


@pytest.mark.full
def test_the_bytes_are_the_same_for_1_and_16_workers(room, tmp_path):
    files, shards = make_sweep(room, 20)
    levels = LocalLevels.of([files])
    one = run_sweep(tmp_path / "one", shards, serial(files))
    assert len(one) == 21
    assert run_sweep(tmp_path / "sixteen", shards, ShuffledWorkers(levels, 1)) == one
    assert run_sweep(tmp_path / "again", shards, ShuffledWorkers(levels, 2)) == one


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL on this system")
def test_a_killed_process_loses_nothing(tmp_path):
    tasks = [str(tmp_path / name) for name in ("a", "killer", "b", "c")]
    done = dict(ProcessExecutor(None, 2).run(kill_once, tasks))
    assert done == {0: "a", 1: "killer", 2: "b", 3: "c"}
    with pytest.raises(ClusterError, match="a process was killed 4 times in a row; is there enough memory"):
        list(ProcessExecutor(None, 1).run(kill_always, tasks[:1]))


class Interrupted(Exception):
    """In place of the end of the client."""


def test_a_folder_interrupted_three_times_equals_an_uninterrupted_one(room, tmp_path):
    files, shards = make_sweep(room, 12)
    whole = run_sweep(tmp_path / "whole", shards, serial(files))
    kept: list[int] = []
    for stop in (2, 5, 9):

        def progress(done: int, total: int, found: int, stop: int = stop) -> None:
            if done == found:
                kept.append(found)
            if done == stop:
                raise Interrupted

        with pytest.raises(Interrupted):
            run_sweep(tmp_path / "parts", shards, serial(files), progress)
    assert kept == [0, 2, 5]
    assert run_sweep(tmp_path / "parts", shards, serial(files)) == whole


@pytest.mark.sample(2)
@pytest.mark.parametrize("damage", ["cut", "flipped", "empty", "other"])
def test_a_damaged_shard_is_found_and_run_again(room, tmp_path, damage):
    files, shards = make_sweep(room, 4)
    whole = run_sweep(tmp_path / "run", shards, serial(files))
    paths = sorted((tmp_path / "run" / "shards").iterdir())
    data = paths[1].read_bytes()
    flipped = data[:200] + bytes([data[200] ^ 1]) + data[201:]
    paths[1].write_bytes({"cut": data[:-40], "flipped": flipped, "empty": b"", "other": paths[2].read_bytes()}[damage])
    folder = ResultsFolder(tmp_path / "run", {"command": "test"}, shards, "npz")
    folder.open()
    assert folder.missing() == [1]
    assert folder.damaged == 1
    with pytest.raises(ClusterError, match="this file is damaged; start again with the same command"):
        list(folder.results())
    assert run_sweep(tmp_path / "run", shards, serial(files)) == whole


def test_a_folder_of_other_inputs_is_refused_and_kept(room, tmp_path):
    files, shards = make_sweep(room, 2)
    kept = run_sweep(tmp_path / "run", shards, serial(files))

    def open_folder(inputs=None, shards=shards, file_format="npz") -> str:
        with pytest.raises(ClusterError) as error:
            ResultsFolder(tmp_path / "run", inputs or {"command": "test"}, shards, file_format).open()
        return str(error.value).removeprefix(f"{tmp_path / 'run'}: the folder belongs to other inputs ")

    cure = "; choose another folder with -o, or delete it"
    assert open_folder({"command": "fuzz"}) == f"(the command was test, now fuzz){cure}"
    assert open_folder({"command": "test", "seed": 3}) == f"(--seed was none, now 3){cure}"
    assert open_folder(shards=make_sweep(room, 2, seed=2)[1]) == f"(its manifest differs){cure}"
    other = [dataclasses.replace(one, conditions={**CONDITIONS, "numpy": "1.0"}) for one in shards]
    assert open_folder(shards=other) == f"(NumPy was {np.__version__}, now 1.0){cure}"
    for text in ("{}", "[" * 100_000, ""):
        (tmp_path / "run" / "manifest.json").write_text(text)
        assert "this is no manifest of a run" in open_folder(shards=make_sweep(room, 2, seed=2)[1])
    (tmp_path / "run" / "manifest.json").unlink()
    assert "the folder holds other files and no manifest.json; choose another" in open_folder()
    assert len(folder_bytes(tmp_path / "run")) == len(kept) - 1


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[:60],
        lambda data: data[:-2],
        lambda data: data + b" ",
        lambda data: b"[" * 100_000,
        lambda data: data[:9] + b"\xff" + data[10:],
        lambda data: data.replace(b'"inputs"', b'"inpuus"'),
        lambda data: data.replace(b"shards/0000001", b"shards/0000007"),
    ],
)
def test_a_damaged_manifest_is_written_anew(room, tmp_path, damage):
    files, shards = make_sweep(room, 2)
    whole = run_sweep(tmp_path / "run", shards, serial(files))
    path = tmp_path / "run" / "manifest.json"
    path.write_bytes(damage(path.read_bytes()))
    assert path.read_bytes() != whole["manifest.json"]
    folder = ResultsFolder(tmp_path / "run", {"command": "test"}, shards, "npz")
    folder.open()
    assert (folder.missing(), folder.damaged) == ([], 1)
    assert folder_bytes(tmp_path / "run") == whole


def test_a_manifest_of_another_program_is_kept(room, tmp_path):
    _, shards = make_sweep(room, 2)
    path = tmp_path / "run" / "manifest.json"
    path.parent.mkdir()
    path.write_text('{"name": "app"}')
    with pytest.raises(ClusterError, match="this is no manifest of a run"):
        ResultsFolder(tmp_path / "run", {"command": "test"}, shards, "npz").open()
    assert path.read_text() == '{"name": "app"}'


def test_a_link_in_the_place_of_a_shard_is_replaced_and_a_folder_refused(room, tmp_path):
    files, shards = make_sweep(room, 2)
    whole = run_sweep(tmp_path / "run", shards, serial(files))
    path = sorted((tmp_path / "run" / "shards").iterdir())[0]
    (tmp_path / "other").write_text("kept")
    path.unlink()
    path.symlink_to(tmp_path / "other")
    assert run_sweep(tmp_path / "run", shards, serial(files)) == whole
    assert ((tmp_path / "other").read_text(), path.is_symlink()) == ("kept", False)
    path.unlink()
    path.mkdir()
    with pytest.raises(ClusterError, match=f"^{path}: this is not a file; delete it, or choose another folder"):
        ResultsFolder(tmp_path / "run", {"command": "test"}, shards, "npz").open()


LINKS = {
    "folder": lambda path: path.mkdir(),
    "pipe": lambda path: os.mkfifo(path),
    "dangling": lambda path: path.symlink_to("nowhere"),
    "loop": lambda path: path.symlink_to(path.name),
    "link to a folder": lambda path: path.symlink_to(path.parent),
    "link to a device": lambda path: path.symlink_to("/dev/zero"),
    "other": lambda path: path.symlink_to(f"{str(path).partition('/run/')[0]}/other"),
}


@pytest.mark.skipif(sys.platform == "win32", reason="no pipes in folders on this system")
@pytest.mark.sample(3)
@pytest.mark.parametrize("kind", LINKS)
@pytest.mark.parametrize("name", ["result.json", "failures/a.replay", "shards"])
def test_what_is_no_file_is_named_and_a_link_replaced(room, tmp_path, name, kind):
    files, shards = make_sweep(room, 2)
    run_sweep(tmp_path / "run", shards, serial(files))
    others = {"failures/a.replay": b"replay"}
    name = results_folder.shard_path(0, shards[0], "npz") if name == "shards" else name
    path = tmp_path / "run" / name
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    (tmp_path / "other").write_text("kept")
    LINKS[kind](path)

    def run() -> None:
        folder = ResultsFolder(tmp_path / "run", {"command": "test"}, shards, "npz")
        folder.open()
        list(run_shards(shards, serial(files), folder, lambda *_: None))
        folder.finish("{}", others)

    if kind in ("folder", "pipe"):
        with pytest.raises(ClusterError, match=f"^{path}: this is not a file; delete it, or choose another folder"):
            run()
        path.rmdir() if kind == "folder" else path.unlink()
    run()
    assert (path.is_file(), path.is_symlink()) == (True, False)
    assert (tmp_path / "other").read_text() == "kept"


@pytest.mark.parametrize("name", ["shards", "failures"])
def test_a_file_in_the_place_of_a_folder_is_named(room, tmp_path, name):
    _, shards = make_sweep(room, 1)
    folder = ResultsFolder(tmp_path / "run", {"command": "test"}, shards, "npz")
    folder.open()
    path = tmp_path / "run" / name
    if path.exists():
        path.rmdir()
    path.write_text("")
    with pytest.raises(ClusterError, match=f"^{path}: this is not a folder; delete it, or choose another folder"):
        folder.open() if name == "shards" else folder.finish("{}", {"failures/a.replay": b""})


def test_folders_that_cannot_be_used(room, tmp_path, monkeypatch):
    files, shards = make_sweep(room, 3)

    def refusal(folder: Path) -> str:
        with pytest.raises(ClusterError) as error:
            run_sweep(folder, shards, serial(files))
        assert "\n" not in str(error.value)
        return str(error.value)

    assert refusal(room) == f"{room}: this is a file, not a folder; choose another folder with -o"
    assert "no such folder; create it first" in refusal(tmp_path / "a" / "b")
    replace, number = os.replace, 0

    def fail_for_shards(source, target):
        if number and Path(target).suffix == ".npz":
            raise OSError(number, os.strerror(number), str(target))
        replace(source, target)

    monkeypatch.setattr(os, "replace", fail_for_shards)
    for number, words in (  # noqa: B007 (read by the function)
        (errno.ENOSPC, "no space left on device; make room and start again with the same command"),
        (errno.EROFS, "read-only file system; choose another folder with -o"),
    ):
        assert words in refusal(tmp_path / words[:4])
    number = 0
    assert len(run_sweep(tmp_path / "no s", shards, serial(files))) == 4  # nothing was lost
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert "permission denied; choose another folder with -o" in refusal(tmp_path / "forbidden")


def test_the_cost_of_a_file_does_not_grow_with_the_folder(room, tmp_path, monkeypatch):
    """The files of killed processes are removed once; after that no file lists the folder."""
    _, shards = make_sweep(room, 3)
    (tmp_path / "run" / "shards").mkdir(parents=True)
    left = (
        tmp_path / "run" / "shards" / f".{Path(results_folder.shard_path(0, shards[0], 'npz')).name[:40]}.4194305.part"
    )
    left.write_text("half")  # no process has this number
    results = ResultsFolder(tmp_path / "run", {"command": "test"}, shards, "npz")
    (tmp_path / "run" / "manifest.json").write_text("")
    results.open()
    assert not left.exists()
    monkeypatch.setattr(os, "listdir", lambda path: pytest.fail(f"lists {path}"))
    monkeypatch.setattr(os, "scandir", lambda path: pytest.fail(f"lists {path}"))
    results.save(0, ARRAYS)
    assert results.missing() == [1, 2]


@pytest.mark.parametrize("file_format", shard_files.FORMATS)
def test_files_are_canonical_and_checked(file_format):
    if file_format == "parquet":
        pytest.importorskip("pyarrow", reason="pyarrow is not installed (extra [parquet])")
    data = shard_files.encode_shard(ARRAYS, KEY, file_format)
    assert data == shard_files.encode_shard(dict(reversed(ARRAYS.items())), KEY, file_format)
    found = shard_files.decode_shard(data, KEY, file_format)
    assert found is not None
    for name, array in ARRAYS.items():
        assert found[name].dtype == array.dtype
        np.testing.assert_array_equal(found[name], array)
    assert shard_files.decode_shard(data, "cd" * 32, file_format) is None
    for size in range(0, len(data), 37):
        assert shard_files.decode_shard(data[:size], KEY, file_format) is None


def test_each_changed_byte_is_found():
    data = shard_files.encode_shard(ARRAYS, KEY)
    for place in (*range(64), *range(64, len(data) - 400, 23), *range(len(data) - 400, len(data))):
        changed = data[:place] + bytes([data[place] ^ 1 << place % 8]) + data[place + 1 :]
        assert shard_files.decode_shard(changed, KEY) is None
    central = data.index(b"PK\x01\x02")
    for place, value in ((8, 1), (10, 99), (10, 8), (12, 7)):  # encrypted, unknown method, deflated, another time
        changed = data[: central + place] + bytes([value]) + data[central + place + 1 :]
        assert shard_files.decode_shard(changed, KEY) is None


def test_each_changed_value_of_a_parquet_file_is_found():
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed (extra [parquet])")
    data = shard_files.encode_shard(ARRAYS, KEY, "parquet")
    table = parquet.read_table(io.BytesIO(data))
    values = table.column("values").to_pylist()
    other = table.set_column(3, table.schema.field("values"), [[[9.0], *values[1:]]])
    assert table.column_names[3] == "values"
    for changed, found in ((table, True), (other, False), (table.replace_schema_metadata({}), False)):
        buffer = io.BytesIO()
        parquet.write_table(changed, buffer, compression="zstd")
        assert (shard_files.decode_shard(buffer.getvalue(), KEY, "parquet") is not None) == found


def test_parquet_without_pyarrow_names_the_package_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(ClusterError, match=r"Parquet needs the package pyarrow; install pyarrow: pip install"):
        shard_files.check_format("parquet")


def test_a_key_depends_on_each_input_and_on_nothing_else():
    shard = Shard("fuzz", {"level": "ab", "seed": 1, "ticks": 20}, CONDITIONS, "one")
    assert dataclasses.replace(shard, name="two", fields={"ticks": 20, "seed": 1, "level": "ab"}).key == shard.key
    others = [dataclasses.replace(shard, kind="sweep")]
    others += [dataclasses.replace(shard, fields={**shard.fields, name: 2}) for name in shard.fields]
    others += [dataclasses.replace(shard, conditions={**CONDITIONS, name: "x"}) for name in CONDITIONS]
    assert len({one.key for one in (shard, *others)}) == 1 + len(others)
    assert set(CONDITIONS) == {"package", "rules", "numpy", "numba", "machine"}
    assert run_conditions(any_machine=True)["machine"] == "any"


def test_differences_of_workers_in_words():
    mine = worker_conditions()
    assert first_difference(mine, mine) == ""
    assert first_difference(mine, {**mine, "rules": "99"}) == f"rules 99, not {mine['rules']}"
    assert (
        first_difference(mine, {**mine, "machine": "Linux aarch64"}) == f"machine Linux aarch64, not {mine['machine']}"
    )
    assert first_difference(mine, {**mine, "python": "3.9"}).startswith("Python 3.9, not 3.")


def test_the_digest_covers_all_files_and_copies_make_the_same_level(room, tmp_path):
    (tmp_path / "part.yaml").write_text("format: 1\npieces:\n  - box: {from: [1, 0, 1], to: [2, 1, 2]}\n")
    room.write_text(ROOM + "  - include: {file: part.yaml}\n")
    level = load("room.yaml")
    files = collect_level_files(level)
    assert set(files.files) == {"room.yaml", "part.yaml"}
    store = UnpackedLevels([files], tmp_path / "copy")
    store.unpack()
    copy = store.load(files.digest)
    assert level_hash(copy) == level_hash(level)
    assert store.original_name(files.digest, f"{copy.path}:3") == "room.yaml:3"
    assert LocalLevels.of([files]).load(files.digest).name == "Room"
    (tmp_path / "part.yaml").write_text("format: 1\npieces:\n  - box: {from: [1, 0, 1], to: [2, 1, 3]}\n")
    assert collect_level_files(load("room.yaml")).digest != files.digest
    with pytest.raises(ClusterError, match="the level is not on this worker"):
        UnpackedLevels([files], tmp_path / "nowhere").load(files.digest)


def test_a_level_that_changes_during_the_run_is_refused(room):
    room.write_text(ROOM.replace("height: 3", "height: 5"))
    files = collect_level_files(load("room.yaml"))
    room.write_text(ROOM.replace("height: 3", "height: 4"))
    with pytest.raises(ClusterError, match=r"room.yaml: the level was changed during the run; start again"):
        LocalLevels.of([files]).load(files.digest)


def test_a_shard_of_the_manifest_names_its_file(room):
    shards = make_sweep(room, 2)[1]
    assert results_folder.shard_path(1, shards[1], "npz") == f"shards/0000001-room-{shards[1].key[:12]}.npz"
