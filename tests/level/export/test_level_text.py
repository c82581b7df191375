"""Saving of levels: the text with its comments, to a place where it loads to the same level, over nothing unasked."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from game.core import atomic_files
from game.level import Level, LevelBuilder, SaveError, load
from game.sim.replay.fingerprint import level_hash

TEXT = "# my level\r\nformat: 1\r\nspawn: {at: [0, 0, 0]}  # here\r\npieces: [floor: {from: [-4, -4], to: [4, 4]}]\r\n"
ROOT = Path(__file__).resolve().parents[3]


def level_with_files(folder: Path) -> Level:
    """A level that includes a file and a model beside it."""
    folder.mkdir(exist_ok=True)
    (folder / "part.yaml").write_text("format: 1\npieces: [box: {from: [0, 0, 0], to: [1, 1, 1]}]\n")
    (folder / "model.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 3 2\n")
    (folder / "level.yaml").write_text(
        "format: 1\nspawn: {at: [0, 0, 3]}\npieces:\n  - include: {file: part.yaml, at: [0, 0, 0]}\n"
        "  - model: {file: model.obj, at: [3, 0, 0]}\n"
    )
    return load(folder / "level.yaml")


@pytest.mark.full
@pytest.mark.parametrize("name", ["surfaces", "lifts", "museum/corners"])
def test_a_shipped_level_saves_to_the_same_level(name: str, tmp_path: Path) -> None:
    level = load(ROOT / "levels" / f"{name}.yaml")
    level.save(tmp_path / "copy.yaml")
    copy = load(tmp_path / "copy.yaml")
    assert copy.triangles.tobytes() == level.triangles.tobytes()
    assert copy.drawn.tobytes() == level.drawn.tobytes()
    assert level_hash(copy) == level_hash(level)
    assert (tmp_path / "copy.yaml").read_bytes() == (ROOT / "levels" / f"{name}.yaml").read_bytes()


def test_a_built_level_is_saved_as_its_text(tmp_path: Path) -> None:
    builder = LevelBuilder(spawn={"at": (0, 0, 0)}, name="Ä")
    builder.add("floor", from_=(-4, -4), to=(4, 4))
    level = builder.build()
    level.save(str(tmp_path / "level.yaml"))
    assert (tmp_path / "level.yaml").read_text("utf-8") == builder.text
    assert level_hash(load(tmp_path / "level.yaml")) == level_hash(level)


def test_a_file_is_replaced_only_on_request(tmp_path: Path) -> None:
    path = tmp_path / "level.yaml"
    path.write_text("precious")
    level = load(text=TEXT)
    with pytest.raises(SaveError, match="exists already; choose another name, or pass overwrite=True"):
        level.save(path)
    assert path.read_text() == "precious"
    level.save(path, overwrite=True)
    assert path.read_bytes() == TEXT.encode()
    level.save(path)  # the same contents: nothing to replace
    path.write_text(TEXT + "# changed since")
    with pytest.raises(SaveError, match="exists already"):
        load(text=TEXT, base=path).save(path)
    (tmp_path / "link.yaml").symlink_to(tmp_path / "nowhere")
    with pytest.raises(SaveError, match="exists already"):
        level.save(tmp_path / "link.yaml")
    assert sorted(os.listdir(tmp_path)) == ["level.yaml", "link.yaml"]


def test_a_file_that_appears_meanwhile_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "level.yaml"
    synced = os.fsync

    def appear(handle: int) -> None:
        synced(handle)
        path.write_text("of another program")

    monkeypatch.setattr(atomic_files.os, "fsync", appear)
    with pytest.raises(SaveError, match="exists already"):
        load(text=TEXT).save(path)
    assert path.read_text() == "of another program"
    assert os.listdir(tmp_path) == ["level.yaml"]


def test_files_that_the_level_reads_must_be_at_the_new_place(tmp_path: Path) -> None:
    level = level_with_files(tmp_path / "old")
    level.save(tmp_path / "old" / "other.yaml")
    new = tmp_path / "new"
    new.mkdir()
    with pytest.raises(
        SaveError, match=r"the level reads part\.yaml, and .*new has no such file.*; copy it there first"
    ):
        level.save(new / "level.yaml")
    assert os.listdir(new) == []
    (new / "part.yaml").write_text("another")
    with pytest.raises(SaveError, match=r"reads part\.yaml"):
        level.save(new / "level.yaml")
    (new / "part.yaml").write_bytes((tmp_path / "old" / "part.yaml").read_bytes())
    with pytest.raises(SaveError, match=r"reads model\.obj"):
        level.save(new / "level.yaml")
    (new / "model.obj").write_bytes((tmp_path / "old" / "model.obj").read_bytes())
    level.save(new / "level.yaml")
    assert level_hash(load(new / "level.yaml")) == level_hash(level)


def test_a_changed_level_has_no_text(tmp_path: Path) -> None:
    level = load(text=TEXT)
    with pytest.raises(SaveError, match=r"no text.*to_glb or to_obj"):
        replace(level, kill_height=-3.0).save(tmp_path / "level.yaml")
    assert os.listdir(tmp_path) == []


def test_paths_that_cannot_be_written(tmp_path: Path) -> None:
    level = load(text=TEXT)
    (tmp_path / "folder.yaml").mkdir()
    with pytest.raises(SaveError, match=r"missing cannot be written: no such folder; create it first"):
        level.save(tmp_path / "missing" / "level.yaml")
    for overwrite in (False, True):
        with pytest.raises(SaveError, match=r"folder\.yaml"):
            level.save(tmp_path / "folder.yaml", overwrite=overwrite)
    for path, words in (
        ("level.txt", r"path: expected a name that ends in \.yaml or \.yml, got 'level\.txt'"),
        (".yaml", "path: expected a name"),
        ("", "path: expected a name"),
        ("a\n.yaml", "path: expected a name"),
        (3, "path must be a path, not 3"),
        (b"level.yaml", "path must be a path"),
    ):
        with pytest.raises(ValueError, match=words):
            level.save(path)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="overwrite must be True or False"):
        level.save(tmp_path / "level.yaml", overwrite="yes")  # type: ignore[arg-type]
    assert os.listdir(tmp_path) == ["folder.yaml"]
