"""Levels of several files: the contents of an include, the files that it may read, and its limits."""

# ruff: noqa: E501 (tables)
from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from game.level import Finding, LevelError, check, load
from game.level.format.includes import MAX_INCLUDED_FILES
from game.level.format.source import MAX_LEVEL_BYTES
from game.level.format.yaml_nodes import MAX_NODES

FLOOR = "format: 1\nspawn: {at: [0, 0, 5]}\npieces:\n  - floor: {from: [-9, -9], to: [9, 9]}\n"
PART = "format: 1\npieces:\n  - box: {from: [0, 0, 0], to: [1, 1, 1]}\n"

House = Callable[..., Path]


@pytest.fixture
def house(tmp_path: Path) -> House:
    """Function that writes levels/rooms/here.yaml: the pieces after a floor on line 4; other files by name."""

    def build(*pieces: str, **files: str | bytes) -> Path:
        folder = tmp_path / "levels" / "rooms"
        for name, text in {"tower": PART, "../beside": PART, "inner/deep": PART, "../../secret": PART, **files}.items():
            path = folder / f"{name}.yaml"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode() if isinstance(text, str) else text)
        path = folder / "here.yaml"
        path.write_text(FLOOR + "".join(f"  - {piece}\n" for piece in pieces))
        return path

    return build


def one(path: Path) -> Finding:
    (finding,) = check(path)
    return finding


def test_pieces_of_another_file_are_placed_and_know_where_they_are_written(house: House) -> None:
    path = house("include: {file: inner/deep.yaml, at: [2, 0, -3], facing: west, scale: 2}")
    assert check(path) == []
    level = load(path)
    box = level.faces.corners[1:].reshape(-1, 3)
    assert np.allclose((box.min(axis=0), box.max(axis=0)), [(2, 0, -5), (4, 2, -3)])
    deep = path.parent / "inner" / "deep.yaml"
    assert level.quad_origin(1) == ("box", str(deep), 3, 5)
    made = level.quad_piece(1)
    assert (made.kind, made.place.file, made.place.line) == ("box", str(deep), 3)
    assert [(kind, place.file, place.line) for kind, place in made.within] == [("include", "", 5)]
    assert (made.turn, made.scale) == (90, (2, 2, 2))
    assert level.files == (path, deep)


def test_a_part_has_surfaces_by_its_own_names(house: House) -> None:
    part = (
        "format: 1\nsurfaces:\n  stone: {texture: brick}\n  ice: {friction: 0.02}\n  default: {texture: grass}\n"
        "pieces:\n  - box: {from: [0, 0, 0], to: [1, 1, 1], surface: stone}\n"
        "  - box: {from: [2, 0, 0], to: [3, 1, 1], surface: ice}\n  - box: {from: [4, 0, 0], to: [5, 1, 1]}\n"
    )
    path = house("include: {file: tower.yaml}", "box: {from: [0, 0, 4], to: [1, 1, 5], surface: stone}", tower=part)
    path.write_text(path.read_text() + "surfaces: {stone: {texture: tiles}, ice: {friction: 0.02}, used: {}}\n")
    level = load(path)
    assert [(surface.name, surface.texture) for surface in level.surfaces] == [
        ("default", "plain"), ("stone", "tiles"), ("ice", "plain"), ("used", "plain"), ("stone", "brick"),
        ("default", "grass"),
    ]  # fmt: skip
    made = {level.quad_piece(quad).place.line: int(level.faces.surface[quad]) for quad in range(1, len(level.faces))}
    assert made == {7: 4, 8: 2, 9: 5, 6: 1}, "the same name and look is the same surface"


def test_signs_lights_and_targets_come_too_but_no_spawn_goal_or_sky(house: House) -> None:
    part = (
        "format: 1\nspawn: {at: [7, 0, 7]}\ngoal: {at: [3, 0, 3]}\nsky: {palette: night}\nkill_height: -3\n"
        "exits: [{at: [0, 0, 0], to: here.yaml}]\npieces:\n  - sign: {text: Hi, at: [1, 2, 0], facing: west}\n"
        "  - light: {at: [0, 2, 0], reach: 4}\n  - target: {at: [0, 1, 1]}\n"
    )
    level = load(house("include: {file: tower.yaml, at: [1, 0, 0], facing: west, scale: 0.5}", tower=part))
    (sign,), (light,), (target,) = level.signs, level.lights, level.targets
    assert (sign.at, sign.heading) == ((1.0, 1.0, -0.5), 32768)
    assert (light.at, light.reach) == ((1.0, 1.0, 0.0), 2.0)
    assert (target.at, target.radius) == ((1.5, 0.5, 0.0), 0.3)
    assert (len(level.spawns), level.goal, level.exits, level.sky.palette) == (1, None, (), "day")


def test_a_part_is_read_once_and_counted_each_time(house: House) -> None:
    path = house("array: {count: 5, step: [1.5, 0, 0], of: [include: {file: tower.yaml}]}",
                 "include: {file: ./tower.yaml, at: [0, 3, 0]}", "include: {file: inner/../tower.yaml, at: [4, 3, 0]}")  # fmt: skip
    level = load(path)
    assert len(level.origins) == 2
    assert len(level.files) == 2
    assert len(level.faces) == 1 + 5 * 5 + 2 * 6, "with feet on the floor left out"


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="no links here")
def test_a_link_leads_no_further(house: House) -> None:
    path = house("include: {file: linked.yaml}")
    (path.parent / "linked.yaml").symlink_to(path.parents[2] / "secret.yaml")
    assert one(path).message == "`linked.yaml` is outside the levels folder"


def test_a_part_of_a_part_leads_no_further_than_the_level(house: House) -> None:
    climbing = PART + "  - include: {file: ../secret.yaml}\n"
    path = house("include: {file: ../beside.yaml}", **{"../beside": climbing})
    finding = one(path)
    assert (finding.file, finding.line) == (str(path.parents[1] / "beside.yaml"), 4)
    assert finding.message == "`../secret.yaml` is outside the levels folder"


def test_findings_stand_in_the_order_of_the_files(house: House) -> None:
    broken = "format: 1\npieces:\n  - bix: {}\n  - include: {file: inner/deep.yaml}\n"
    path = house(
        "include: {file: tower.yaml}", "bax: {}", tower=broken, **{"inner/deep": "format: 1\npieces: [bux: 1]"}
    )
    told = [(Path(finding.file).name, finding.line) for finding in check(path)]
    assert told == [("here.yaml", 6), ("tower.yaml", 3), ("deep.yaml", 2)]


def test_the_number_of_files_is_bounded(house: House) -> None:
    most = MAX_INCLUDED_FILES
    pieces = [f"include: {{file: p{k}.yaml, at: [{k % 9 - 4}, {2 * k}, 0]}}" for k in range(most + 3)]
    found = check(house(*pieces, **{f"p{k}": PART for k in range(most + 3)}))
    assert [(finding.line, finding.message) for finding in found] == [
        (4 + most + k, f"the level includes more than {most} files") for k in (1, 2, 3)
    ]


@pytest.mark.full
def test_the_size_of_all_files_together_is_bounded(house: House) -> None:
    padding = b"#" * 99 + b"\n"
    big = PART.encode() + padding * (MAX_LEVEL_BYTES // 200)
    finding = check(house("include: {file: a.yaml}", "include: {file: b.yaml, at: [3, 0, 0]}", a=big, b=big))[-1]
    assert str(finding).endswith("b.yaml: with this file the level is larger than the limit, 8 MiB")


@pytest.mark.full
def test_the_values_of_all_files_together_are_bounded(house: House) -> None:
    many = f"format: 1\nabout: x\npieces:\n  - x: [{'1,' * (MAX_NODES // 2)}]\n"
    found = check(house("include: {file: a.yaml}", "include: {file: b.yaml}", a=many, b=many))
    assert any(finding.message == f"the level has more than {MAX_NODES} values" for finding in found)


@pytest.mark.full
def test_quads_of_included_files_count_for_the_limit_of_the_level(house: House) -> None:
    part = "format: 1\npieces:\n  - array: {count: 20000, step: [0.1, 0, 0], of: [box: {from: [0, 0, 0], to: [1, 1, 1]}]}\n"
    path = house("include: {file: tower.yaml}", "include: {file: tower.yaml, at: [0, 9, 0]}", tower=part)
    level = load(path)
    (finding,) = level.findings
    assert (finding.line, finding.message) == (6, "this needs 120000 quads; 79999 of the level's 200000 are left")


def test_a_broken_level_says_which_files_it_was_read_from(house: House) -> None:
    path = house("include: {file: tower.yaml}", "include: {file: nowhere.yaml}")
    assert load(path).files == (path, path.parent / "tower.yaml", path.parent / "nowhere.yaml"), (
        "a missing one is watched"
    )
    path.write_text(path.read_text().replace("spawn", "spwn"))
    with pytest.raises(LevelError) as caught:
        load(path)
    assert caught.value.files == (path, path.parent / "tower.yaml", path.parent / "nowhere.yaml")


def test_what_a_part_lacks_says_nothing_about_a_definition_of_the_level(house: House) -> None:
    part = PART + "  - place: {what: lamp, at: [3, 0, 0]}\n  - place: {what: lamp, at: [6, 0, 0]}\n"
    path = house("include: {file: tower.yaml}", tower=part)
    path.write_text(path.read_text() + "define: {post: [box: {from: [0, 0, 0], to: [1, 1, 1]}]}\n")
    assert [(Path(found.file).name, found.line) for found in check(path)] == [("tower.yaml", 4), ("tower.yaml", 5)]
