"""Levels as GLB and OBJ: their triangles, layers, names and colours, read back by trimesh and by the model piece."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
import trimesh

from game.core.vectors import Floats
from game.level import Level, LevelBuilder, SaveError, load

ROOT = Path(__file__).resolve().parents[3]
FORMATS = ("glb", "obj")


def export(level: Level, folder: Path, ending: str) -> Path:
    path = folder / f"out.{ending}"
    (level.to_glb if ending == "glb" else level.to_obj)(path)
    return path


def reload(path: Path) -> Level:
    """The level of a model piece with that file."""
    text = f"format: 1\nspawn: {{at: [0, 0, 0]}}\npieces: [model: {{file: {path.name}, at: [0, 0, 0]}}]\n"
    return load(text=text, base=path.parent)


def canonical(triangles: Floats) -> Floats:
    """Triangles (N,9) in float32 from their least corner, sorted: equal for the same triangles with the same front."""
    corners = triangles.astype(np.float32)
    rotations = np.stack([np.roll(corners, -k, axis=1).reshape(-1, 9) for k in range(3)], axis=1)
    rows = np.array([min(map(tuple, three)) for three in rotations.tolist()], np.float32).reshape(-1, 9)
    return rows[np.lexsort(rows.T[::-1])]


def corner_sets(level: Level) -> set[tuple[object, ...]]:
    """The colliding faces, each by its corners in float32."""
    faces = level.faces.corners[np.unique(level.quad_index)].astype(np.float32)
    return {tuple(sorted(set(map(tuple, face)))) for face in faces.tolist()}


def quads_only() -> Level:
    """Boxes turned, scaled and far away, on several surfaces and layers."""
    builder = LevelBuilder(
        spawn={"at": (0, 0, 6)},
        surfaces={
            "a wood": {"colour": "#804020"},
            "a_wood": {"colour": "#0000ff"},
            "x-col": {"colour": "#00ff00"},
            "Ä#\\": {"colour": "#123456"},
        },
    )
    builder.add("floor", from_=(-8, -8), to=(8, 8), surface="a wood")
    for k in range(9):
        box = {"box": {"from": [0, 0, 0], "to": [0.7 + k / 3, 1, 2], "surface": ["a_wood", "x-col", "Ä#\\"][k % 3]}}
        builder.add("group", at=(30 * k, k, 500 * k), facing=17 * k, of=[box])
    builder.add("box", from_=(100, 0, 0), to=(101, 1, 1), surface="x-col", visible=False)
    builder.add("box", from_=(200, 0, 0), to=(201, 1, 1), surface="x-col", collide=False)
    return builder.build()


@pytest.mark.full
@pytest.mark.each_once
@pytest.mark.parametrize("ending", FORMATS)
@pytest.mark.parametrize("name", ["surfaces", "waters", "lifts"])
def test_the_file_has_the_triangles_of_the_level(name: str, ending: str, tmp_path: Path) -> None:
    level = load(ROOT / "levels" / f"{name}.yaml")
    scene = trimesh.load_scene(export(level, tmp_path, ending), process=False)
    written = np.concatenate([mesh.triangles for mesh in scene.geometry.values()])
    drawn_only = level.drawn[~np.isin(level.drawn_quad, level.quad_index)]
    assert np.array_equal(canonical(written), canonical(np.concatenate([level.triangles, drawn_only])))
    if ending == "glb":
        solid = np.concatenate([mesh.triangles for name, mesh in scene.geometry.items() if "-col" in name])
        assert np.array_equal(canonical(solid), canonical(level.triangles))


@pytest.mark.full
@pytest.mark.each_once
@pytest.mark.parametrize("ending", FORMATS)
@pytest.mark.parametrize("name", ["surfaces", "waters", "lifts", "lab"])
def test_an_import_has_the_same_surface(name: str, ending: str, tmp_path: Path) -> None:
    """An import merges coplanar triangles; the area of each material and layer stays."""
    level = load(ROOT / "levels" / f"{name}.yaml")
    again = reload(export(level, tmp_path, ending))
    assert again.findings == ()
    assert (len(again.triangles), len(again.drawn)) == (len(level.triangles), len(level.drawn))
    for before, after in (
        ((level.triangles, level.surface_index), (again.triangles, again.surface_index)),
        ((level.drawn, level.drawn_surface), (again.drawn, again.drawn_surface)),
    ):
        assert areas(level, *before) == pytest.approx(areas(again, *after), abs=1e-3)


def areas(level: Level, triangles: Floats, surface: np.ndarray) -> dict[tuple[int, ...], float]:
    """Area by colour in 8 bits."""
    size = np.linalg.norm(np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]), axis=1) / 2
    found: dict[tuple[int, ...], float] = {}
    for index, one in enumerate(level.surfaces):
        if (surface == index).any():
            colour = tuple(round(255 * channel) for channel in one.colour)
            found[colour] = found.get(colour, 0.0) + float(size[surface == index].sum())
    return found


@pytest.mark.parametrize("ending", FORMATS)
def test_quads_layers_names_and_colours_come_back(ending: str, tmp_path: Path) -> None:
    level = quads_only()
    again = reload(export(level, tmp_path, ending))
    assert corner_sets(again) == corner_sets(level)
    assert (len(again.triangles), len(again.drawn)) == (len(level.triangles), len(level.drawn))
    only_solid = again.triangles[~np.isin(again.quad_index, again.drawn_quad)]
    assert (only_solid[..., 0].min(), only_solid[..., 0].max()) == (100, 101)
    only_drawn = again.drawn[~np.isin(again.drawn_quad, again.quad_index)]
    assert (only_drawn[..., 0].min(), only_drawn[..., 0].max()) == (200, 201)
    names = {surface.name.removeprefix("out: "): surface.colour for surface in again.surfaces}
    expected = {"glb": ("a wood", "a_wood", "x-col", "Ä#\\"), "obj": ("a_wood", "a_wood_2", "x-col", "Ä__")}[ending]
    for name, surface in zip(expected, level.surfaces[1:], strict=True):
        assert names[name] == pytest.approx(surface.colour, abs=1e-6)


def test_an_obj_has_the_exact_triangles(tmp_path: Path) -> None:
    level = quads_only()
    path = export(level, tmp_path, "obj")
    again = reload(path)
    key = np.sort(level.triangles.reshape(-1, 9), axis=0).tobytes()
    assert np.sort(again.triangles.reshape(-1, 9), axis=0).tobytes() == key
    assert sum(line.startswith("f ") for line in path.read_text("utf-8").splitlines()) == len(level.triangles) // 2 + 6
    assert path.with_suffix(".mtl").read_text("utf-8").count("newmtl") == len(level.surfaces)


@pytest.mark.parametrize("ending", FORMATS)
def test_coordinates_at_the_limit_of_the_format(ending: str, tmp_path: Path) -> None:
    builder = LevelBuilder(spawn={"at": (0, 0, 0)})
    builder.add("box", from_=(99_990, -99_990, -99_999.3), to=(99_999.9, -99_980, -99_990))
    level = builder.build()
    again = reload(export(level, tmp_path, ending))
    tolerance = 0.004 if ending == "glb" else 0.0
    low, high = (level.triangles.reshape(-1, 3).min(axis=0), level.triangles.reshape(-1, 3).max(axis=0))
    points = again.triangles.reshape(-1, 3)
    assert np.abs(points.min(axis=0) - low).max() <= tolerance
    assert np.abs(points.max(axis=0) - high).max() <= tolerance


def test_halves_of_quads_stay_neighbours_with_triangles_between(tmp_path: Path) -> None:
    """Odd numbers of single triangles on many surfaces: an import still merges the halves that belong together."""
    names = [f"s{k}" for k in range(5)]
    builder = LevelBuilder(spawn={"at": (0, 0, 0)}, surfaces={name: {"colour": "red"} for name in names})
    for k, name in enumerate(names):
        for j in range(k + 1):
            builder.add("triangle", corners=[[20 * k, j, 30], [20 * k + 1, j, 30], [20 * k, j, 31]], surface=name)
        for j in range(3):  # a row of squares side by side, which could be merged in two ways
            x = 20 * k + j
            builder.add("quad", corners=[[x, 0, 0], [x, 0, 1], [x + 1, 0, 1], [x + 1, 0, 0]], surface=name)
    level = builder.build()
    assert corner_sets(reload(export(level, tmp_path, "glb"))) == corner_sets(level)


def test_movers_only_is_refused(tmp_path: Path) -> None:
    box = {"box": {"from": [0, 0, 0], "to": [1, 1, 1]}}
    level = LevelBuilder(
        spawn={"at": (0, 1, 0)}, pieces=[{"mover": {"at": [0, 0, 0], "spin": 9, "seconds": 1, "of": [box]}}]
    ).build()
    for ending in FORMATS:
        with pytest.raises(SaveError, match="no triangle to export; pieces of movers are left out"):
            export(level, tmp_path, ending)
    assert os.listdir(tmp_path) == []


def test_files_are_replaced_only_on_request(tmp_path: Path) -> None:
    level = quads_only()
    (tmp_path / "out.mtl").write_text("precious")
    with pytest.raises(SaveError, match=r"out\.mtl exists already"):
        level.to_obj(tmp_path / "out.obj")
    assert os.listdir(tmp_path) == ["out.mtl"]
    level.to_obj(tmp_path / "out.obj", overwrite=True)
    level.to_obj(tmp_path / "out.obj")  # the same contents
    (tmp_path / "other.obj").write_text("precious")
    with pytest.raises(SaveError, match=r"other\.obj exists already"):
        level.to_obj(tmp_path / "other.obj")
    assert not (tmp_path / "other.mtl").exists()  # refused before the first file is written
    (tmp_path / "out.GLB").write_bytes(b"precious")
    with pytest.raises(SaveError, match=r"out\.GLB exists already"):
        level.to_glb(tmp_path / "out.GLB")
    level.to_glb(tmp_path / "out.GLB", overwrite=True)


def test_the_export_refuses_a_wrong_extension() -> None:
    level = quads_only()
    with pytest.raises(ValueError, match=r"path: expected a name that ends in \.glb, got 'level\.gltf'"):
        level.to_glb("level.gltf")
    with pytest.raises(ValueError, match=r"ends in \.obj, got 'level\.glb'"):
        level.to_obj("level.glb")
    with pytest.raises(ValueError, match="path must be a path, not None"):
        level.to_obj(None)  # type: ignore[arg-type]


def test_an_export_is_the_same_each_time(tmp_path: Path) -> None:
    level = quads_only()
    first = [export(level, tmp_path, ending).read_bytes() for ending in FORMATS]
    (tmp_path / "again").mkdir()
    assert [export(quads_only(), tmp_path / "again", ending).read_bytes() for ending in FORMATS] == first
