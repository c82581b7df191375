"""Prefabs, groups and scale: positions of copies, their origins, and what is rejected."""

# ruff: noqa: E501 (tables)
from __future__ import annotations

import math
import pickle
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from game.level import Finding, Level, check, load
from game.level.build import level_assembly, shared_walls
from game.level.build.level_assembly import MAX_NESTING
from game.level.build.pieces.piece_builder import PieceBuilder, Placement
from game.level.build.pieces.stairs import Stairs
from game.level.format.piece_kind import INTENDED_KINDS
from game.level.geometry.faces import FaceArrays, rotate_about_y, unit_normals
from game.level.geometry.instance_transform import PieceInstance
from tests.level.conftest import HEAD

Written = Callable[[str], Path]


@pytest.fixture
def defined(built: Callable[..., Level]) -> Callable[..., Level]:
    """Function that loads a level of the given pieces, from line 5 on, followed by definitions."""

    def load_defined(*pieces: str, define: str = "post: [box: {from: [-1, 0, -2], to: [1, 3, 2]}]") -> Level:
        return built(*pieces, more=f"define: {{{define}}}\n")

    return load_defined


def corners(level: Level) -> np.ndarray:
    """All corners except the floor's."""
    return level.faces.corners[1:].reshape(-1, 3)


def alike(one: Level, other: Level) -> None:
    assert np.allclose(np.sort(corners(one), axis=0), np.sort(corners(other), axis=0), atol=1e-9)


def test_a_prefab_is_a_group_with_a_name(defined: Callable[..., Level]) -> None:
    around = "at: [5, 1, -3], facing: 30, scale: [1, 2, 0.5]"
    placed = defined(f"place: {{what: post, {around}}}")
    group = defined(f"group: {{{around}, of: [box: {{from: [-1, 0, -2], to: [1, 3, 2]}}]}}")
    assert np.array_equal(placed.triangles, group.triangles)


def test_the_surface_of_a_place_is_that_of_its_pieces_that_name_none(built: Callable[..., Level]) -> None:
    level = built(
        "place: {what: bench}",
        "place: {what: bench, at: [5, 0, 0], surface: wood}",
        "group: {at: [10, 0, 0], surface: glass, of: [place: {what: bench}]}",
        "group: {at: [15, 0, 0], surface: glass, of: [place: {what: bench, surface: wood}]}",
        more="surfaces: {wood: {}, iron: {}, glass: {}}\n"
        "define: {bench: [box: {from: [0, 0.4, 0], to: [1, 0.5, 1]}, box: {from: [0, 0, 0], to: [1, 0.4, 1], surface: iron}]}\n",
    )
    names = np.array([surface.name for surface in level.surfaces])[level.faces.surface]
    middles = level.faces.corners.mean(axis=1)
    for at, worn in ((0, "default"), (5, "wood"), (10, "glass"), (15, "wood")):
        here = np.abs(middles[:, 0] - at - 0.5) < 0.6
        assert set(names[here & (middles[:, 1] > 0.41)]) == {worn}
        assert set(names[here & (middles[:, 1] < 0.39)]) == {"iron"}


def test_shared_rooms_of_a_place_wear_its_surface(built: Callable[..., Level]) -> None:
    cells = ", ".join(f"room: {{from: [{x}, 0, 0], to: [{x + 4}, 3, 4], shared: true}}" for x in (0, 4.2))
    level = built(
        "place: {what: cells, surface: brick}", more=f"surfaces: {{brick: {{}}}}\ndefine: {{cells: [{cells}]}}\n"
    )
    assert {level.surfaces[index].name for index in level.faces.surface[1:]} == {"brick"}


def test_scale_comes_first_then_the_turn_then_the_move(defined: Callable[..., Level]) -> None:
    found = corners(defined("place: {what: post, at: [5, 1, -3], facing: west, scale: [1, 2, 3]}"))
    assert np.allclose(found.min(axis=0), (5 - 6, 1, -3 - 1))
    assert np.allclose(found.max(axis=0), (5 + 6, 1 + 6, -3 + 1))


def test_prefabs_place_those_above_them(defined: Callable[..., Level]) -> None:
    define = (
        "post: [box: {from: [0, 0, 0], to: [1, 1, 1]}], pair: [place: {what: post}, place: {what: post, at: [3, 0, 0]}],"
        " square: {of: [place: {what: pair}, place: {what: pair, at: [0, 0, 3]}]}"
    )
    level = defined("place: {what: square, at: [0, 10, 0], scale: 2}", define=define)
    assert len(level.faces) == 1 + 4 * 6
    assert {tuple(box.min(axis=0)) for box in corners(level).reshape(4, 24, 3)} == {
        (0, 10, 0), (6, 10, 0), (0, 10, 6), (6, 10, 6)
    }  # fmt: skip
    assert len(level.origins) == 2, "what is defined once is one piece, wherever it is placed"
    assert [kind for kind, _ in level.quad_piece(1).within] == ["place", "place", "place"]
    lines = {tuple(place.line for _, place in level.quad_piece(quad).within) for quad in range(1, 25)}
    assert lines == {(5, 6, 6)}
    columns = {tuple(place.column for _, place in level.quad_piece(quad).within) for quad in range(1, 25)}
    assert len(columns) == 4, "each copy knows the places that put it there"


@pytest.mark.parametrize(
    "shape", ["box: {from: [-1, 0, -2], to: [1, 3, 2], facing: 20}", "spiral_stairs: {at: [1, 0, 2], steps: 7}"]
)
def test_triangles_keep_their_sense_whatever_the_scale(defined: Callable[..., Level], shape: str) -> None:
    for around in ("scale: [3, 0.5, 0.2], facing: 70", "scale: [0.1, 4, 2]"):
        plain = defined(shape).faces
        scaled = defined(f"group: {{{around}, of: [{shape}]}}").faces
        for faces in (plain, scaled):
            middle = faces.corners[1:].reshape(-1, 3).mean(axis=0)
            assert faces.corners[1:].shape == plain.corners[1:].shape
            outward = np.einsum("md,md->m", unit_normals(faces.corners[1:]), faces.corners[1:].mean(axis=1) - middle)
            if shape.startswith("box"):
                assert (outward > 0).all()
        volume = [
            np.einsum("ij,ij->", np.cross(f.corners[1:, 0], f.corners[1:, 1]), f.corners[1:, 2])
            for f in (plain, scaled)
        ]
        assert np.sign(volume[0]) == np.sign(volume[1])


def test_what_a_copy_knows_of_itself_leads_from_the_world_to_its_numbers(defined: Callable[..., Level]) -> None:
    define = "arm: [box: {from: [2, 0, 0], to: [3, 1, 1]}], star: [array: {count: 3, turn: 120, of: [place: {what: arm, scale: 2}]}]"
    star = "group: {at: [9, 5, 0], facing: 30, of: [place: {what: star, facing: -45, scale: 0.5}]}"
    level = defined(star, define=define)
    for quad in range(1, 1 + 18):
        made = level.quad_piece(quad)
        copy = (quad - 1) // 6
        assert made.turn == pytest.approx((30 - 45 + 120 * copy) % 360, abs=1e-8)
        assert made.scale == (1, 1, 1)
        assert [kind for kind, _ in made.within] == ["group", "place", "array", "place"]
    first, second = level.faces.corners[1, :2]
    own = rotate_about_y(np.array([(second - first)]), -level.quad_piece(1).turn)[0]
    assert np.abs(own).max() == pytest.approx(1), "a way of a metre along an axis of the box"
    assert level.origins[1].turn == 0, "a piece as it is written knows of no copy"


def test_a_turn_inside_an_uneven_scale_is_reported_as_it_is_seen() -> None:
    copy = PieceInstance().nested_in(90, (1, 1, 1)).nested_in(0, (4, 2, 1))
    assert (copy.turn, copy.scale) == (90, (1, 2, 4))
    assert copy.size == pytest.approx(2)
    assert copy.board_orientation(0) == (90, 1, 2)
    slanted = PieceInstance().nested_in(0, (3, 1, 1)).board_orientation(45)
    assert slanted[0] == pytest.approx(math.degrees(math.atan2(1, 3)), abs=1e-9)
    assert slanted[1] == pytest.approx(math.hypot(3, 1) / math.sqrt(2))


def test_signs_lights_and_targets_are_placed_turned_and_scaled(defined: Callable[..., Level]) -> None:
    define = (
        "thing: [sign: {text: Hi, at: [0, 1, -1], facing: east, width: 1, height: 0.5},"
        " light: {at: [1, 2, 0], reach: 6}, target: {at: [0, 1, 1], radius: 0.5}]"
    )
    place = "place: {what: thing, at: [1, 0, 0], scale: 2}"
    array = f"array: {{count: 2, step: [0, 10, 0], turn: 90, around: [1, 0, 0], of: [{place}]}}"
    level = defined(array, define=define)
    first, second = level.signs
    assert (first.at, first.heading, first.width, first.height) == ((1, 2, -2), 49152, 2, 1)
    assert np.allclose((*second.at, second.heading), (-1, 12, 0, 0))
    assert [light.at for light in level.lights] == [(3, 4, 0), pytest.approx((1, 14, -2))]
    assert [light.reach for light in level.lights] == [12, 12]
    assert [target.radius for target in level.targets] == pytest.approx([1, 1])


def bomb(levels: int, each: int, seed: str) -> str:
    rows = [f"  p0: [{seed}]"] + [
        f"  p{k}: [{', '.join(f'place: {{what: p{k - 1}, at: [{j}, 0, 0]}}' for j in range(each))}]"
        for k in range(1, levels)
    ]
    return "define:\n" + "\n".join(rows) + "\n" + HEAD + f"  - place: {{what: p{levels - 1}}}\n"


def said(path: Path) -> list[Finding]:
    return [finding for finding in check(path) if finding.severity != "warning"]


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "seed", ["box: {from: [0, 0, 0], to: [1, 1, 1]}", "light: {at: [0, 0, 0]}", "target: {at: [0, 0, 0]}"]
)
def test_prefabs_of_prefabs_are_counted_before_they_are_made(written: Written, seed: str) -> None:
    found = said(written(bomb(40, 10, seed)))
    assert found
    assert any(finding.message.startswith("this needs ") for finding in found)


def test_prefabs_nest_only_so_deep(written: Written) -> None:
    (finding,) = said(written(bomb(200, 1, "box: {from: [0, 0, 0], to: [1, 1, 1]}")))
    assert finding.message == f"pieces are nested more than {MAX_NESTING} deep"
    assert finding.cure == "nest fewer prefabs inside each other"
    assert finding.where == "place"


def test_pieces_are_counted_however_often_they_are_built_anew(
    written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(level_assembly, "MAX_PIECES", 20)
    boxes = ", ".join(f"box: {{from: [0, {2 * k}, 0], to: [1, {2 * k + 1}, 1]}}" for k in range(10))
    places = "".join(
        f"  - place: {{what: many, at: [{30 * k}, 0, 0], intended: [{word}]}}\n"
        for k, word in enumerate(INTENDED_KINDS)
    )
    found = said(written(f"define: {{many: [{boxes}]}}\n" + HEAD + places))
    assert [finding.message for finding in found] == ["the level has more than 20 pieces"]


def test_copies_survive_the_way_to_another_process(written: Written) -> None:
    level = load(written(bomb(60, 1, "array: {count: 3, turn: 7, of: [box: {from: [0, 0, 0], to: [1, 1, 1]}]}")))
    copy = pickle.loads(pickle.dumps(level))
    assert [copy.quad_piece(quad) for quad in range(19)] == [level.quad_piece(quad) for quad in range(19)]
    assert (copy.quad_piece(18).turn, len(copy.quad_piece(18).within)) == (14, 61)
    frames = [instance.frame for instance in level.faces.instances]
    assert np.allclose(frames, level.faces.instances.frame_rows())
    assert len(frames) == 1 + 3


def test_the_worst_levels_are_checked_without_work_in_vain(written: Written, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two kinds of the slowest hostile files: stairs beyond the limit of quads, and thousands of copies of rooms."""
    built: dict[str, int] = {"stairs": 0, "rooms": 0}
    build_stairs, place_rooms = Stairs.build, shared_walls._place_rooms

    def count_stairs(stairs: Stairs, builder: PieceBuilder) -> Placement:
        built["stairs"] += 1
        return build_stairs(stairs, builder)

    def count_rooms(faces: FaceArrays) -> list[shared_walls.PlacedRoom]:
        built["rooms"] += 1
        return place_rooms(faces)

    monkeypatch.setattr(Stairs, "build", count_stairs)
    monkeypatch.setattr(shared_walls, "_place_rooms", count_rooms)
    monkeypatch.setitem(level_assembly.LEVEL_LIMITS, "quad", 20_000)
    check(written(HEAD + "  - stairs: {at: [0, 0, 0], steps: 100}\n" * 100))
    assert built["stairs"] <= 45  # 28 of them fit
    room = "room: {from: [0, 0, 0], to: [2, 3, 2], doors: [{wall: south}]}"
    check(written(HEAD + f"  - array: {{count: 30, step: [6, 0, 0], of: [{room}]}}\n"))
    assert built["rooms"] <= 4  # for each of: the level as built, with shared walls, and as the checks see it


def test_rooms_in_one_place_share_no_walls(written: Written) -> None:
    room = "room: {shared: true, from: [0, 0, 0], to: [2, 3, 2], doors: [{wall: south}]}"
    array = f"  - array: {{count: 200, step: [0.001, 0, 0], of: [{room}]}}\n"
    (told,) = {found.message for found in load(written(HEAD + array)).findings}
    assert told == "too many rooms overlap; their walls are not shared"


def test_what_is_made_in_vain_is_bounded_and_reported_once(written: Written, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(level_assembly.LEVEL_LIMITS, "quad", 20)
    monkeypatch.setattr(level_assembly, "MAX_DISCARDED_QUADS", 60)
    stairs = "  - stairs: {at: [0, 0, 0], steps: 5}\n" * 9
    first, second, last = said(written(HEAD + stairs))
    assert first.message == second.message == "this needs 36 quads; 19 of the level's 20 are left"
    assert last.message == "the level's 20 quads are used up; this piece and all after it are left out"
    assert (last.line, last.where, last.cure) == (7, "stairs", "use fewer or larger ones")
