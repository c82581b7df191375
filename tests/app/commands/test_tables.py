"""Tables of walks: all formats hold the same columns, and a replay is exported without simulating."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from game.app.commands.command_line import main
from game.app.commands.frame import TABLE_SUFFIXES
from game.sim import headless_run, read_replay
from game.sim.replay.walk_table import WalkTable, join_tables
from tests.support import full_disk
from tools.docs.json_pages import FILES

COLUMNS = ("tick", "position", "velocity", "heading", "grounded")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A level, a walk, and its replay."""
    folder = tmp_path_factory.mktemp("walks")
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    words = ["record", folder / "yard.yaml", "--commands", folder / "walk.commands", "-o", folder / "walk.replay"]
    assert main([str(word) for word in words]) == 0
    return folder


@pytest.fixture
def walker(folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)

    def run(*words: object) -> tuple[int, str, str]:
        status = main([str(word) for word in words])
        output = capsys.readouterr()
        return status, output.out, output.err

    return run


def read_rows(path: Path) -> np.ndarray:
    """(T,9): the columns of a file in the order of a `.csv`."""
    if path.suffix == ".npz":
        with np.load(path) as arrays:
            return np.column_stack([arrays[name] for name in COLUMNS])
    if path.suffix == ".jsonl":
        rows = [json.loads(line) for line in path.read_text().splitlines()]
        return np.column_stack([np.array([row[name] for row in rows], np.float64) for name in COLUMNS])
    return np.genfromtxt(path, delimiter=",", skip_header=1)


@pytest.mark.parametrize("suffix", TABLE_SUFFIXES)
def test_sim_and_replay_write_the_same_walk(suffix, walker, folder):
    assert walker("sim", "yard.yaml", "--commands", "walk.commands", "-o", f"sim{suffix}")[0] == 0
    status, out, _ = walker("replay", "walk.replay", "-o", f"replay{suffix}")
    assert (status, "written: 120 ticks" in out) == (0, True)
    assert Path(f"sim{suffix}").read_bytes() == Path(f"replay{suffix}").read_bytes()
    table = join_tables([block.table for part in read_replay(folder / "walk.replay").parts for block in part.blocks])
    assert (read_rows(Path(f"replay{suffix}")) == np.column_stack([getattr(table, name) for name in COLUMNS])).all()
    assert table.tick.tolist() == list(range(1, 121))


def test_a_replay_is_exported_without_its_level_and_says_what_is_missing(walker, folder):
    data = (folder / "walk.replay").read_bytes()
    (folder / "cut.replay").write_bytes(data[:-30])
    status, out, _ = walker("replay", "cut.replay", "--level", "nowhere.yaml", "-o", "cut.csv")
    assert (status, "the file has no end" in out) == (3, True)


@full_disk.needs_device
def test_a_full_disk_is_no_difference_of_a_replay(walker, tmp_path):
    path = tmp_path / "full.csv"
    path.symlink_to(full_disk.DEVICE)
    status, _, err = walker("replay", "walk.replay", "-o", path)
    assert (status, err) == (2, f"{path}: no space left on device\n")


@pytest.mark.parametrize("verb", [("sim", "yard.yaml", "--commands", "walk.commands"), ("replay", "walk.replay")])
@pytest.mark.parametrize(
    ("output", "part"),
    [("walk.xlsx", "must be one of .npz, .csv, .jsonl"), ("no/walk.csv", "no"), ("walk", "must be one of")],
)
def test_outputs_that_cannot_be_written(verb, output, part, walker):
    status, out, err = walker(*verb, "-o", output)
    assert (status, out) == (2, "")
    assert part in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("words", "output"),
    [
        (("sim", "yard.yaml", "--commands", "walk.csv"), "walk.csv"),
        (("sim", "yard.yaml", "--commands", "walk.commands"), "link.csv"),
        (("replay", "replay.csv"), "replay.csv"),
        (("plot", "yard.yaml", "--commands", "walk.png"), "walk.png"),
        (("plot", "replay.png.replay"), "link.png"),
        (("diff", "yard.yaml", "higher.yaml", "--commands", "walk.png"), "walk.png"),
        (("diff", "yard.yaml", "higher.yaml", "--commands", "walk.commands"), "level.png"),
        (("shot", "yard.yaml"), "level.png"),
        (("shot", "pictured.yaml"), "brick.png"),
        (("plot", "pictured.yaml", "--commands", "walk.commands"), "brick.png"),
    ],
)
def test_an_output_never_replaces_an_input(words, output, walker, folder):
    copies = {"walk.csv": "walk.commands", "walk.png": "walk.commands", "replay.csv": "walk.replay"}
    copies["replay.png.replay"] = "walk.replay"
    for name, source in copies.items():
        Path(name).write_bytes((folder / source).read_bytes())
    for name, target in (("link.csv", "walk.commands"), ("link.png", "replay.png.replay"), ("level.png", "yard.yaml")):
        if not Path(name).is_symlink():
            Path(name).symlink_to(target)
    Image.new("RGB", (8, 8)).save("brick.png")
    surfaces = "surfaces: {brick: {picture: brick.png}}\n"
    Path("pictured.yaml").write_text(FILES["yard.yaml"].replace("8]}", "8], surface: brick}") + surfaces)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    message = f"{output}: -o is also an input of this command; choose another file\n"
    assert walker(*words, "-o", output) == (2, "", message)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize("words", [("play", "yard.yaml"), ("replay", "yard.yaml", "--show")])
def test_a_report_never_replaces_an_input(words, walker):
    message = "yard.yaml: --report is also an input of this command; choose another file\n"
    assert walker(*words, "--report", "yard.yaml") == (2, "", message)
    assert Path("yard.yaml").read_text() == FILES["yard.yaml"]


def test_an_output_never_replaces_a_file_of_the_level(walker, folder):
    Image.new("RGB", (4, 4)).save("grid.png")
    Path("pictured.yaml").write_text(FILES["yard.yaml"] + "surfaces: {stone: {picture: grid.png}}\n")
    before = Path("grid.png").read_bytes()
    message = "grid.png: -o is also an input of this command; choose another file\n"
    words = "plot", "pictured.yaml", "--commands", "walk.commands", "-o", "grid.png"
    assert walker(*words)[::2] == (2, message)
    status, _, err = walker("check", "pictured.yaml", "--sarif", "grid.png")
    assert (status, err) == (2, message.replace("-o", "--sarif"))
    assert Path("grid.png").read_bytes() == before


def test_a_failed_write_keeps_the_old_file(tmp_path):
    path = tmp_path / "walk.csv"
    path.write_text("old")
    zeros = np.zeros((1, 3))
    table = WalkTable(zeros, zeros, np.zeros(1, np.int32), np.zeros(1, bool), np.ones(1, np.int64), zeros)
    with full_disk.full_disk(10), pytest.raises(OSError, match="File too large"):
        headless_run.save_walk(table, path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
