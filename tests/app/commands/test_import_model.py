"""The verb `import`: levels around models, which can be walked; what cannot be is told, and nothing written."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from game.app.commands import command_line, model_to_level
from game.app.commands.model_to_level import level_title, suggest_import_options
from game.app.commands.spawn_finder import find_spawn
from game.level import check, load, severity_exit_code
from game.physics import TriangleMesh, Walker
from game.sim import World
from tests.support import quake_maps as maps
from tests.support.model_files import BOX_CORNERS, BOX_QUADS, BOX_TRIANGLES, Glb, box_obj

Run = Callable[..., tuple[int, str]]

ROOM = (8.0, 3.0, 6.0)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Types the verb; the status and what was said."""

    def typed(*arguments: object) -> tuple[int, str]:
        status = command_line.main(["import", *map(str, arguments)])
        output = capsys.readouterr()
        return status, output.out + output.err

    return typed


def room_obj(scale: float = 1.0) -> str:
    """A hollow box seen from inside, with a crate in it."""
    inside = [tuple(k + 1 for k in reversed(quad)) for quad in BOX_QUADS]
    rows = [f"v {x:g} {y:g} {z:g}" for x, y, z in BOX_CORNERS * np.array(ROOM) * scale]
    rows += ["f " + " ".join(map(str, quad)) for quad in inside]
    crate = (BOX_CORNERS * (1.0, 0.8, 1.0) + np.array([1.0, 0.0, 1.0])) * scale
    return "o Room\n" + "\n".join(rows) + "\no Crate\n" + box_obj(crate, 9)


def glb_file(path: Path, **fields: object) -> Path:
    glb = Glb()
    glb.document["materials"] = [{"name": "Stone", "pbrMetallicRoughness": {"baseColorFactor": [0.5, 0.4, 0.3, 1]}}]
    glb.node(name="Block", mesh=glb.mesh(glb.primitive(BOX_CORNERS * (12.0, 1.0, 9.0), material=0)), **fields)
    path.write_bytes(glb.glb())
    return path


def clean(level: Path) -> bool:
    return severity_exit_code(check(level)) == 0


def test_a_level_around_an_obj(tmp_path: Path, run: Run) -> None:
    (tmp_path / "room.obj").write_text(room_obj())
    status, output = run(tmp_path / "room.obj", "-o", tmp_path / "room.yaml")
    assert status == 0
    assert "room.obj: 2 parts, 24 triangles as 12 faces, 0 materials; 8 by 6 m, 3 m high" in output
    assert clean(tmp_path / "room.yaml")
    level = load(tmp_path / "room.yaml")
    assert level.name == "room"
    x, y, z = level.spawns[0].feet
    assert 0.5 < x < 7.5
    assert 0.5 < z < 5.5
    assert y == pytest.approx(0.0, abs=1e-3), "on the floor: neither on the crate nor on the roof"
    assert level.kill_height <= -15
    assert World(level).walker_state.grounded
    assert sorted(path.name for path in tmp_path.iterdir()) == ["room.obj", "room.yaml"]


def test_the_axis_that_points_up_can_be_said(tmp_path: Path, run: Run) -> None:
    corners = np.array([[x, y, z] for x in (0.0, 30.0) for y in (0.0, 20.0) for z in (0.0, 1.0)])
    (tmp_path / "slab.obj").write_text(box_obj(corners))
    status, output = run(tmp_path / "slab.obj", "-o", tmp_path / "b.yaml", "--up", "z")
    assert status == 0, output
    level = load(tmp_path / "b.yaml")
    assert np.ptp(level.triangles[..., 1]) == pytest.approx(1.0)
    assert level.spawns[0].feet[1] == pytest.approx(1.0, abs=1e-3)


@pytest.mark.parametrize(("metres", "hints"), [("50", 0), ("1500", 1), ("123000", 1), ("0.02", 1)])
def test_a_size_that_no_level_has_is_told(metres: str, hints: int) -> None:
    flat = np.array([[[0.0, 0, 0], [1, 0, 0], [1, 0, -1], [0, 0, -1]]])
    assert [f"it is {metres} m long: see --units and --scale"] * hints == suggest_import_options(flat * float(metres))


def test_a_map_keeps_its_places_and_lamps(tmp_path: Path, run: Run) -> None:
    (tmp_path / "hall.map").write_bytes(maps.hall())
    status, output = run(tmp_path / "hall.map", "-o", tmp_path / "hall.yaml")
    assert status == 0, output
    assert "left out: 2 monster_army, 1 trigger_teleport" in output
    assert "spawns: 2 of 2 in the map" in output
    level = load(tmp_path / "hall.yaml")
    assert level.name == "The hall"
    begun = [(spawn.feet, spawn.heading) for spawn in level.spawns]
    assert begun == [((2.0, 0.0, -2.0), 0), ((4.0, 0.0, -6.25), 49152)]
    (light,) = level.lights
    assert light.at == (4.0, 3.0, -4.0)
    assert light.colour == pytest.approx((1.0, 0.5, 0.25), abs=0.01)
    assert clean(tmp_path / "hall.yaml")
    moved = maps.hall().replace(b'"64 64 24"', b'"-900 64 24"').replace(b'"128 200 24"', b'"128 -900 24"')
    (tmp_path / "lost.map").write_bytes(moved)
    status, output = run(tmp_path / "lost.map", "-o", tmp_path / "lost.yaml")
    assert status == 0, output
    assert "0 of 2 in the map (2 without room" in output
    assert World(load(tmp_path / "lost.yaml")).walker_state.grounded


@pytest.mark.parametrize("name", ['odd "name" #1: {x}.glb', "日本.glb", "- a.glb", "it's.glb"])
@pytest.mark.sample(1)
def test_a_model_with_any_file_name_becomes_a_clean_level_of_this_name(tmp_path: Path, run: Run, name: str) -> None:
    glb_file(tmp_path / name)
    status, output = run(tmp_path / name, "-o", tmp_path / "level.yaml")
    assert status == 0, output
    assert load(tmp_path / "level.yaml").name == Path(name).stem
    assert clean(tmp_path / "level.yaml")
    assert level_title("a\nb\x1b[2J") == "a b [2J"


def test_nothing_is_written_over_or_left_behind(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    model = glb_file(tmp_path / "block.glb")
    level = tmp_path / "level.yaml"
    level.write_text("mine")
    status, output = run(model, "-o", level)
    assert (status, level.read_text()) == (2, "mine")
    assert "not overwritten" in output
    (tmp_path / "broken.glb").write_bytes(b"glTF")
    (tmp_path / "wall.obj").write_text("v 0 0 0\nv 4 0 0\nv 4 9 0\nv 0 9 0\nf 1 2 3 4\n")
    (tmp_path / "unseen.obj").write_text("o a-col\nv 0 0 0\nv 9 0 0\nv 9 0 9\no b\nf 1 3 2\n")
    for arguments, part in (
        ((tmp_path / "absent.glb", "-o", tmp_path / "new.yaml"), "does not exist"),
        ((tmp_path / "broken.glb", "-o", tmp_path / "new.yaml"), "broken.glb: the file is cut off"),
        ((tmp_path / "wall.obj", "-o", tmp_path / "new.yaml"), "no place to stand"),
        ((tmp_path / "level.yaml", "-o", tmp_path / "new.yaml"), "a model file must end in .glb"),
        ((model, "-o", tmp_path / "new.txt"), "-o must be one of .yaml, .yml"),
        ((model, "-o", tmp_path / "no" / "new.yaml"), "no such folder"),
        *(
            ((model, "-o", tmp_path / "new.yaml", "--scale", scale), "is not ")
            for scale in ("0", "nan", "-1", "x", "1e9")
        ),
        ((model, "-o", tmp_path / "new.yaml", "--scale", "1e6"), "extends more than"),
        ((tmp_path, "-o", tmp_path / "new.yaml"), "end in .glb"),
    ):
        try:
            status, output = run(*arguments)
        except SystemExit as left:  # argparse
            status, output = int(str(left.code)), part
        assert status == 2
        assert part in output
        assert "Traceback" not in output
    broken = "format: 1\npieces: [{]}\n"
    monkeypatch.setattr(model_to_level.LevelBuilder, "text", broken)
    status, output = run(model, "-o", tmp_path / "new.yaml")
    assert status == 2
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["block.glb", "broken.glb", "level.yaml", "unseen.obj", "wall.obj"]


def test_the_ground_that_is_chosen() -> None:
    """The larger of two floors; not the roof over it, whose inside is solid, nor the table on it."""

    def slab(x0: float, x1: float, y0: float, y1: float, z0: float, z1: float) -> np.ndarray:
        corners = np.array((x0, y0, z0)) + BOX_CORNERS * (x1 - x0, y1 - y0, z1 - z0)
        return corners[BOX_TRIANGLES].reshape(-1, 3, 3)

    triangles = np.concatenate([
        slab(0, 30, -1, 0, 0, 30), slab(0, 30, 4, 5, 0, 12), slab(14, 16, 0, 0.9, 14, 16), slab(50, 60, 2, 3, 0, 10)
    ])  # fmt: skip
    found = find_spawn(TriangleMesh(triangles), triangles, Walker())
    assert found is not None
    x, y, z = found.feet
    assert y == pytest.approx(0.0, abs=1e-6)
    assert 1 < x < 29
    assert 1 < z < 29
    assert found.ground_area == pytest.approx(900, rel=0.05)
    assert find_spawn(TriangleMesh(triangles[2:4]), triangles[2:4], Walker()) is None


def textured_map(folder: Path) -> Path:
    """A map in a folder of its own, and pictures of two of its textures in another."""
    (folder / "maps").mkdir(parents=True)
    (folder / "maps" / "hall.map").write_bytes(maps.hall())
    for name in ("ground1_6", "wall/City2_5"):
        path = folder / "pics" / f"{name}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.new("RGB", (64, 64), (90, 80, 70)).save(path)
    return folder / "maps" / "hall.map"


def pictured(level: Path) -> set[str]:
    found = (surface.pbr.base_colour_map for surface in load(level).surfaces if surface.pbr)
    return {texture.picture.path.name for texture in found if texture}


def test_a_map_with_its_textures(tmp_path: Path, run: Run) -> None:
    map_file = textured_map(tmp_path)
    level = tmp_path / "maps" / "hall.yaml"
    status, output = run(map_file, "-o", level, "--textures", tmp_path / "pics")
    assert status == 0, output
    assert re.search(r"textures: 2 of \d+ found in ", output), output
    assert "copied" not in output
    assert 'textures: "../pics"' in level.read_text()
    assert pictured(level) == {"ground1_6.png", "City2_5.png"}


def test_pictures_of_a_copied_model_come_along(tmp_path: Path, run: Run) -> None:
    far, folder = tmp_path / "far", tmp_path / "game" / "levels" / "mine"
    (far / "tex").mkdir(parents=True)
    folder.mkdir(parents=True)
    Image.new("RGB", (8, 8)).save(far / "tex" / "wood.png")
    (far / "room.obj").write_text("mtllib room.mtl\nusemtl Wood\n" + room_obj())
    (far / "room.mtl").write_text("newmtl Wood\nmap_Kd tex/wood.png\n")
    status, output = run(far / "room.obj", "-o", folder / "room.yaml")
    assert status == 0, output
    assert "1 picture" in output
    assert (folder / "tex" / "wood.png").is_file()
    shutil.rmtree(far)
    assert pictured(folder / "room.yaml") == {"wood.png"}
