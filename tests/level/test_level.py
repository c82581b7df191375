"""The level as plain data, its schema, and the reference page made from the schema."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from game.core.angles import heading_from_degrees
from game.level import Goal, Level, Spawn, Surface, check, load
from game.level.build.pieces import PIECES
from game.level.format.file_access import is_tests_file
from game.level.format.findings import SourceSpan
from game.level.format.level_file import PALETTES, LevelFields
from game.level.format.numbers import Ranged
from game.level.format.record import Record
from game.level.format.record_values import PrefabFields
from tests.support.until import SECONDS
from tools.docs import level_format_page

ROOT = Path(__file__).resolve().parents[2]
COURTYARD = Path(__file__).parent / "data" / "courtyard.yaml"
FLOOR = "pieces: [floor: {from: [-9, -9], to: [9, 9]}]\n"

Written = Callable[[str], Path]


def records() -> list[type[Record]]:
    """Every record that the level's record refers to, once."""
    found: list[type[Record]] = []

    def visit(record: type[Record]) -> None:
        if record not in found:
            found.append(record)
            for field in record.fields.values():
                if field.record is not None:
                    visit(field.record)

    for record in (LevelFields, *PIECES.values()):
        visit(record)
    return found


SHIPPED = sorted(
    path
    for folder in ("levels", "examples/levels")
    for path in (ROOT / folder).rglob("*.yaml")
    if not is_tests_file(path)  # read with its level
)


def test_a_level_holds_what_the_file_says() -> None:
    level = load(COURTYARD)
    assert check(COURTYARD) == []
    assert (level.name, level.path) == ("Courtyard", COURTYARD)
    assert level.spawns == (Spawn("spawn 1", (0, 0, 6), 0),)
    assert level.goal == Goal((0, 6, -30), 1.0)
    assert level.kill_height == -20
    assert (level.sky.sun_height, level.sky.sun_from, level.sky.haze, level.sky.palette) == (40, 120, 0.02, "day")
    stone, ice = level.surfaces[1:]
    assert stone == Surface("stone", (0x8D / 255, 0x8A / 255, 0x83 / 255), "flagstone", 1.0, "stone")
    assert (ice.name, ice.friction, ice.texture) == ("ice", 0.02, "plain")
    ramp = [k for k in range(len(level.triangles)) if level.origin(k)[0] == "ramp"]
    assert set(level.surface_index[ramp].tolist()) == {2}
    assert level.findings == ()


def test_arrays_fit_together_and_cannot_be_written() -> None:
    level = load(COURTYARD)
    count, seen = len(level.triangles), len(level.drawn)
    assert seen == count + 22, "the sign is only drawn"
    for array, shape, kind in (
        (level.triangles, (count, 3, 3), np.float64),
        (level.surface_index, (count,), np.int32),
        (level.quad_index, (count,), np.int32),
        (level.drawn, (seen, 3, 3), np.float64),
        (level.drawn_surface, (seen,), np.int32),
        (level.drawn_quad, (seen,), np.int32),
    ):
        assert (array.shape, array.dtype) == (shape, kind)
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    assert level.surface_index.max() < len(level.surfaces)
    assert np.isfinite(level.triangles).all()


def short(fields: str, pieces: str = "floor: {from: [-9, -9], to: [9, 9]}", spawn: str = "at: [0, 0, 0]") -> Level:
    return load(text=f"format: 1\nspawn: {{{spawn}}}\n{fields}\npieces: [{pieces}]\n")


def test_layers_part_where_a_piece_says_so() -> None:
    ghost = "box: {from: [0, 1, 0], to: [1, 2, 1], collide: false}"
    unseen = "box: {from: [3, 1, 0], to: [4, 2, 1], visible: false}"
    level = short("", f"floor: {{from: [-9, -9], to: [9, 9]}}, {ghost}, {unseen}")
    assert (len(level.triangles), len(level.drawn)) == (14, 14)
    solid, seen = ({level.quad_origin(int(quad))[3] for quad in part} for part in (level.quad_index, level.drawn_quad))
    assert len(solid) == len(seen) == 2
    assert len(solid & seen) == 1, "the floor"


def test_what_a_short_file_leaves_out_has_a_default() -> None:
    level = short("")
    assert (level.name, level.goal, level.kill_height) == ("<text>", None, -20)
    assert level.surfaces == (Surface("default", (0x9A / 255, 0x9A / 255, 0x96 / 255), "plain", 1.0, "stone"),)
    assert set(level.surface_index.tolist()) == {0}
    assert level.sky.sun == (1.0, 0.96, 0.88)


def test_several_spawns_are_read_with_names_and_facings() -> None:
    others = "spawns: [{at: [1, 0, 0], facing: -90, name: East gate}, {at: [2, 0, 0], facing: south-east}]"
    spawns = short(others, spawn="at: [0, 0, 0], facing: west").spawns
    assert [(spawn.name, spawn.heading) for spawn in spawns] == [
        ("spawn 1", 16384), ("East gate", 49152), ("spawn 3", 40960)
    ]  # fmt: skip


def test_palettes_and_colours_of_the_level() -> None:
    skies = [short(f"sky: {{palette: {name}}}").sky for name in PALETTES]
    assert len({(s.zenith, s.horizon, s.sun) for s in skies}) == len(PALETTES)
    own = short('sky: {palette: night, zenith: "#ff8000", sun: {colour: white, from: east}}').sky
    assert (own.zenith, own.sun, own.sun_from) == ((1.0, 128 / 255, 0.0), (1.0, 1.0, 1.0), 270.0)
    assert own.horizon == skies[-1].horizon


@pytest.mark.parametrize(
    ("surface", "expected"),
    [
        ("a: {texture: planks}", "wood"), ("a: {texture: earth}", "grass"), ("a: {texture: brick}", "stone"),
        ("a: {texture: sand, footstep: none}", "none"), ("default: {texture: grass}", "grass"),
    ],
)  # fmt: skip
def test_the_footstep_is_that_of_the_texture_if_not_said(surface: str, expected: str) -> None:
    made = short(f"surfaces: {{{surface}}}").surfaces
    assert made[-1].footstep == expected
    assert [one.name for one in made] == list(dict.fromkeys(["default", surface.split(":")[0]]))


@pytest.mark.parametrize(("degrees", "heading"), [(0, 0), (90, 16384), (359.999, 0), (-45, 57344), (720, 0), (1, 182)])
def test_degrees_become_headings(degrees: float, heading: int) -> None:
    assert heading_from_degrees(degrees) == heading


def test_the_mesh_is_made_once_and_a_walker_stands_in_it() -> None:
    physics = pytest.importorskip("game.physics")
    level = load(COURTYARD)
    assert level.mesh is level.mesh
    assert len(level.mesh.source) + len(level.mesh.report) == len(level.triangles)
    hit = level.mesh.raycast((2.0, 5.0, -2.0), (0.0, -1.0, 0.0))
    assert level.origin(hit.triangle)[0] == "quad"
    state = physics.Walker(physics.WalkerSettings()).spawn(level.mesh, feet=level.spawns[0].feet, heading=0)
    assert state.grounded


def test_a_level_can_be_sent_to_another_process_and_is_equal_to_itself_only() -> None:
    level = load(COURTYARD)
    copy = pickle.loads(pickle.dumps(level))
    assert np.array_equal(copy.triangles, level.triangles)
    assert copy.origin(40) == level.origin(40)
    assert level == level != copy


@pytest.mark.full
def test_reading_needs_no_picture_and_no_kernels() -> None:
    code = (
        "import sys; from game.level import check, load; check('demo'); load(sys.argv[1]); check(sys.argv[1]);"
        "print([name for name in ('pyglet', 'moderngl', 'pyrr', 'numba') if name in sys.modules])"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, str(COURTYARD)], capture_output=True, text=True, cwd=ROOT, timeout=SECONDS
    )
    assert run.stdout.strip() == "[]", run.stderr


@pytest.mark.parametrize("record", records(), ids=lambda record: record.__name__)
def test_each_field_of_a_record_is_described_and_has_a_default_that_it_allows(record: type[Record]) -> None:
    assert record.kind
    assert record.describe().endswith(".")
    for name, field in record.fields.items():
        assert name == field.name
        assert getattr(record, field.attribute) is field
        assert field.doc.endswith(".")
        assert field.attribute not in vars(Record.begin(SourceSpan(), "")), "the record has an attribute of that name"
        assert not (field.required and field.default is not None)
        if isinstance(field, Ranged):
            assert field.low < field.high
        if field.choices and field.default is not None:
            assert field.default in field.choices


@pytest.mark.sample(9)
@pytest.mark.parametrize("kind", PIECES)
def test_every_example_loads_without_a_word(written: Written, kind: str) -> None:
    example = PIECES[kind].example.replace("castle.glb", "castle.obj")
    if kind == "decal":
        example += ", wall: {from: [-3, -4.1], to: [3, -4.1]}"
    path = written(
        "format: 1\nspawn: {at: [22, 0, 22]}\nsurfaces: {stone: {}, planks: {}}\n"
        f"define:\n  {PrefabFields.example}\n"
        "pieces:\n  - floor: {from: [-24, -24], to: [24, 24], surface: stone}\n"
        "  - box: {from: [-23, 0, -23], to: [-22, 1, -22], surface: planks}\n"
        f"  - group: {{at: [0, 10, 0], intended: [void, floating, fall, buried], of: [{example}]}}\n"
    )
    (path.parent / "parts").mkdir()
    (path.parent / "parts" / "tower.yaml").write_text("format: 1\npieces: [box: {from: [0, 0, 0], to: [1, 1, 1]}]")
    (path.parent / "textures").mkdir()
    Image.new("RGB", (4, 6)).save(path.parent / "textures" / "poster.png")
    (path.parent / "castle.obj").write_text("v 0 0 0\nv 4 0 0\nv 0 0 -4\nusemtl Wood\nf 1 2 3\n")
    assert check(path) == []
    made = {"group": "group", "array": "array", "place": "pillar", "include": "box"}
    assert made.get(kind, kind) in {origin.kind for origin in load(path).origins} | {"group", "array"}


def test_the_page_is_fresh_and_its_example_a_level(written: Written) -> None:
    assert level_format_page.main(["--check"]) == 0, "run: python tools/docs/level_format_page.py"
    page = (ROOT / "docs" / "level_format.md").read_text(encoding="utf-8")
    example = page.split("```yaml\n")[1].split("```")[0]
    assert check(written(example)) == []
    for kind in PIECES:
        assert f"### {kind}\n" in page


@pytest.mark.sample(1)
@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.relative_to(ROOT).with_suffix("").as_posix())
def test_shipped_levels_check_clean(path: Path) -> None:
    assert [finding.render() for finding in check(path)] == []
