"""Broken, hostile and huge models: one finding each, no file outside the folder is read, no traceback, no hang."""

from __future__ import annotations

import ast
import json
import os
import random
import struct
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from game.level import check, load
from game.level.models import obj, triangle_soup
from game.level.models.gltf import gltf_reader
from game.level.models.quake import entities, map_reader
from game.level.models.quake.map_parser import parse_map
from game.level.models.triangle_soup import ModelError, TriangleSoup
from tests.support import quake_maps
from tests.support.model_files import (
    BOX_CORNERS,
    Glb,
    Place,
    box_obj,
    findings_of,
    model_faces,
    mutated,
    nested,
    packed,
)
from tests.support.until import SECONDS

ROOT = Path(__file__).resolve().parents[3]
ROUNDS = int(os.environ.get("MODEL_FUZZ", "300"))
LONGEST = 20.0  # s of processor time: a hang, not a timing
TOKENS = (b"1e999", b"-1", b"9" * 30, b"[", b"}", b'"', b"null", b"\n", b"f 1 2 3\n", b"nan", b"\\")
MAP_TOKENS = (b"{", b"}", b"(", b")", b'"', b"//", b"\n", b"1e300", b"1000000", b"-64", b"1e-7", b"patchDef2", b"nan")


def _changed(path: tuple[Any, ...], value: Any) -> bytes:
    glb = Glb()
    glb.node(name="Box", mesh=glb.mesh())
    here: Any = glb.document
    for key in path[:-1]:
        here = here[key]
    if value is _GONE:
        del here[path[-1]]
    else:
        here[path[-1]] = value
    return glb.glb()


_GONE = object()
_DEEP = b"[" * 200_000
_BOMB = b'{"asset": {"version": "2.0"}, "nodes": [' + b"{}," * 600_000 + b"{}]}"

BROKEN: list[tuple[str, bytes, str]] = [
    ("glb", b"", "the file is empty"),
    ("glb", b"glTF", "cut off"),
    ("glb", b"glTF" + struct.pack("<III4s", 2, 2**31, 4, b"JSON"), "cut off"),
    ("glb", b"glTF" + struct.pack("<III4s", 2, 20, 400, b"JSON"), "longer than the file"),
    ("glb", b"glTF" + struct.pack("<III4s", 1, 20, 0, b"JSON"), "glTF 1"),
    ("glb", b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "neither GLB nor UTF-8 JSON"),
    ("glb", packed(b"{" * 400, b""), "broken"),
    ("glb", packed(_DEEP, b""), "nested too deeply"),
    ("glb", packed(_BOMB, b""), "too many values for a model"),
    ("glb", packed(b"[]", b""), "no object at the top"),
    ("glb", packed(b"{}", b""), "does not say that it is glTF 2"),
    ("glb", packed(b'{"asset": {"version": "2x"}}', b""), "does not say that it is glTF 2"),
    ("glb", packed(b'{"asset": {"version": "20.0"}}', b""), "does not say that it is glTF 2"),
    ("glb", packed(b'{"asset": {"version": "2.1", "minVersion": "2.1"}}', b""), "glTF `2.1` (`asset.minVersion`)"),
    ("glb", packed(b'{"asset": {"version": "2.0", "minVersion": "3.0"}}', b""), "only glTF 2.0 is supported"),
    ("glb", packed(b'{"asset": {"version": "2.0", "minVersion": 7}}', b""), "needs glTF `7`"),
    ("glb", packed(b'{"asset": {"version": "2.1", "minVersion": "2.0"}}', b""), "no mesh of triangles"),
    ("glb", packed(b'{"asset": {"version": "2.0"}, "x": NaN}', b""), "NaN"),
    ("glb", packed(b'{"asset": {"version": "2.0"}, "x": ' + b"9" * 5000 + b"}", b""), "digits"),
    ("glb", packed(b'{"asset": {"version": "2.0"}}', b""), "no mesh of triangles"),
    ("glb", _changed(("nodes", 0, "mesh"), 7), "number 7 of its `meshes`"),
    ("glb", _changed(("nodes", 0, "mesh"), True), "of its `meshes`"),
    ("glb", _changed(("nodes", 0, "mesh"), 1e300), "of its `meshes`"),
    ("glb", _changed(("nodes", 0, "mesh"), {}), "of its `meshes`"),
    ("glb", _changed(("nodes", 0, "children"), [0]), "has two parents"),
    ("glb", _changed(("scenes", 0, "nodes"), [0, 0]), "has two parents"),
    ("glb", _changed(("scenes", 0, "nodes"), [-1]), "of its `nodes`"),
    ("glb", _changed(("nodes", 0, "scale"), [1, 1]), "`scale` of node `Box`"),
    ("glb", _changed(("nodes", 0, "matrix"), [1e300] * 16), "`matrix` of node `Box`"),
    ("glb", _changed(("nodes", 0, "translation"), [1e9, 1e9, 1e9]), "is not finite or too large"),
    ("glb", _changed(("nodes", 0, "scale"), [0, 0, 0]), "no triangle with an area"),
    ("glb", _changed(("accessors", 0, "count"), 9), "beyond their part"),
    ("glb", _changed(("accessors", 0, "count"), 2**40), "beyond their part"),
    ("glb", _changed(("accessors", 0, "count"), -1), "are not in a buffer"),
    ("glb", _changed(("accessors", 0, "count"), 4.5), "are not in a buffer"),
    ("glb", _changed(("accessors", 0, "count"), 4), "is not there"),
    ("glb", _changed(("accessors", 0, "byteOffset"), 2**52), "beyond their part"),
    ("glb", _changed(("accessors", 0, "type"), "VEC2"), "type"),
    ("glb", _changed(("accessors", 0, "componentType"), 5125), "of a type that is not supported"),
    ("glb", _changed(("accessors", 0, "sparse"), {"count": 1}), "sparse"),
    ("glb", _changed(("accessors", 0, "bufferView"), _GONE), "compressed"),
    ("glb", _changed(("accessors", 1, "count"), 35), "whole number of triangles"),
    ("glb", _changed(("bufferViews", 0, "byteOffset"), 2**30), "cut off at the end of a buffer"),
    ("glb", _changed(("bufferViews", 0, "byteStride"), 0), "an invalid byte stride"),
    ("glb", _changed(("bufferViews", 0, "buffer"), 3), "not in a buffer"),
    ("glb", _changed(("meshes", 0, "primitives"), {}), "no primitives"),
    ("glb", _changed(("meshes", 0, "primitives", 0, "attributes"), {}), "no positions"),
    ("glb", _changed(("meshes", 0, "primitives", 0, "material"), 5), "of its `materials`"),
    ("glb", _changed(("meshes", 0, "primitives", 0, "mode"), 1), "no mesh of triangles"),
    ("glb", _changed(("extensionsRequired",), ["KHR_draco_mesh_compression"]), "KHR_draco_mesh_compression"),
    ("glb", _changed(("meshes", 0, "primitives", 0, "extensions"), {"KHR_draco_mesh_compression": {}}), "draco"),
    ("glb", _changed(("materials",), 4), "`materials` is not a list"),
    ("glb", _changed(("scene",), 4), "of its `scenes`"),
    ("obj", b"", "the file is empty"),
    ("obj", b"\0" * 100, "not text"),
    ("obj", "v 0 0 0\n".encode("utf-16"), "UTF-16"),
    ("obj", b"hello world\n" * 200, "not an OBJ file"),
    ("obj", b"v 0 0 0\nv 1 0 0\n", "no face"),
    ("obj", b"v 0 0\n", "3:three numbers"),
    ("obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", "4:vertex 4 does not exist"),
    ("obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 0\n", "4:vertex 0 does not exist"),
    ("obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf -1 -2 -4\n", "4:vertex -4"),
    ("obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2\n", "4:a face has 2 corners"),
    ("obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 x\n", "4:`x` is not a vertex"),
    ("obj", b"v 0 0 0\nv 1 0 nan\nv 0 1 0\nf 1 2 3\n", "2:is not finite or too large"),
    ("obj", b"v 0 0 0\nv 1 0 1e39\nv 0 1 0\nf 1 2 3\n", "2:is not finite or too large"),
    ("obj", b"v 0 0 0\nv 0 0 0\nv 0 0 0\nf 1 2 3\n", "no triangle with an area"),
]  # fmt: skip


@pytest.mark.sample(16)
@pytest.mark.parametrize(("ending", "data", "words"), BROKEN, ids=[f"{row[0]} {row[2]}" for row in BROKEN])
def test_what_is_broken_is_one_finding(place: Place, ending: str, data: bytes, words: str) -> None:
    path = place(f"{{file: a.{ending}}}", **{f"a_{ending}": data})
    (found,) = findings_of(path)
    line, _, message = words.partition(":") if ":" in words else ("", "", words)
    assert message in found.message
    assert found.where == "model.file"
    if line:
        assert Path(found.file).name == "a.obj"
        assert found.line == (1 if line == "3" else int(line))
        assert found.excerpt
    assert len(load(path).triangles) == 2, "the rest of the level is there"


OUTSIDE = ["../../secret", "/etc/passwd", "~/.bashrc", "http://localhost:9/a", "file:///etc/passwd", "..\\..\\secret",
           "C:secret", "link", "folder", "pipe", "a\nb", "absent"]  # fmt: skip


@pytest.mark.each_once
@pytest.mark.parametrize("name", OUTSIDE)
@pytest.mark.parametrize("kind", ["piece", "mtl", "buffer"])
def test_nothing_outside_is_read(place: Place, tmp_path: Path, name: str, kind: str) -> None:
    glb = Glb()
    glb.node(mesh=glb.mesh())
    ending = {"piece": ".glb", "mtl": ".mtl", "buffer": ".bin"}[kind]
    named = name + ending
    (tmp_path / f"secret{ending}").write_bytes(glb.glb() if kind == "piece" else bytes(glb.binary))
    if kind == "piece":
        path = place(f"{{file: {json.dumps(named)}}}")
    elif kind == "mtl":
        path = place(a_obj=f"mtllib {named}\n" + box_obj())
    else:
        path = place(a_gltf=glb.gltf(named))
    (path.parent / f"link{ending}").symlink_to(tmp_path / f"secret{ending}")
    (path.parent / f"folder{ending}").mkdir()
    os.mkfifo(path.parent / f"pipe{ending}")
    found = [finding for finding in check(path) if "flicker" not in finding.message]
    if kind == "mtl":
        assert {finding.severity for finding in found} == {"warning"}
        assert len(model_faces(load(path))) == 6
    else:
        assert [finding.severity for finding in found] == ["dropped"]
    assert not any("secret" in file.name for file in load(path).files)


def test_a_model_above_a_limit_is_refused_in_words(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    path = place(a_glb=b"glTF")
    with open(path.parent / "a.glb", "r+b") as file:
        file.truncate(200 * 2**20)
    (found,) = findings_of(path)
    assert "larger than the limit for a model" in found.message
    glb = Glb()
    mesh = glb.mesh(glb.primitive(np.tile(BOX_CORNERS[:3], (2000, 1)), None))
    for _ in range(300):
        glb.node(mesh=mesh)
    (found,) = findings_of(place(a_glb=glb))
    assert "the limit is 400 000" in found.message
    monkeypatch.setattr(obj, "MAX_TRIANGLES", 11)
    (found,) = findings_of(place(a_obj=box_obj()))
    assert "the limit is" in found.message


def test_more_faces_than_a_level_may_have(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    from game.level.build.pieces import piece_builder

    monkeypatch.setitem(piece_builder.LEVEL_LIMITS, "quad", 5)
    (found,) = findings_of(place(a_obj=box_obj()))
    assert "this needs 6 quads" in found.message


@pytest.mark.full
def test_a_model_opens_no_file_but_its_own(place: Place) -> None:
    glb = Glb()
    glb.document["images"] = [{"uri": "/etc/passwd"}, {"uri": "../../secret.png"}]
    glb.document["textures"] = [{"source": 0}]
    glb.document["materials"] = [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]
    glb.node(mesh=glb.mesh(glb.primitive(material=0)))
    path = place(a_glb=glb)
    code = (
        "import sys\n"
        "from game.level import check\n"
        "opened = []\n"
        "sys.addaudithook(lambda event, rest: opened.append(str(rest[0])) if event == 'open' else None)\n"
        "print([finding.severity for finding in check(sys.argv[1])])\n"
        "print(sorted({name.rpartition('/')[2] for name in opened if '.py' not in name}))\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, str(path)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=SECONDS,
    )
    found, opened = run.stdout.strip().split("\n")
    assert found == "['warning']", run.stderr
    names = {name for name in ast.literal_eval(opened) if not name.isdecimal()}  # a descriptor, opened anew
    assert names == {"a.glb", path.name}


ORIGINALS = {
    "glb": [nested(k).glb() for k in range(3)],
    "gltf": [nested(k).gltf() for k in range(3)],
    "obj": [b"mtllib a.mtl\no a-col\n" + box_obj().encode() + b"usemtl b\ng c\nf 1 2 3 4 5\n" * 9],
    "map": [quake_maps.hall(), quake_maps.hall(True)],
}


def read_model(kind: str, data: bytes) -> TriangleSoup | ModelError:
    try:
        if kind == "map":
            parsed = parse_map(data)
            entities.collect_map_entities(parsed)
            return map_reader.build_map_soup(parsed)
        reader = obj.read_obj if kind == "obj" else gltf_reader.read_gltf
        return reader(data, lambda *_: b"newmtl b\nKd 1 0 x\n")
    except ModelError as error:
        return error


@pytest.mark.each_once
@pytest.mark.parametrize("kind", ORIGINALS)
@pytest.mark.parametrize("seed", range(2))
def test_mutated_models_are_read_or_reported(seed: int, kind: str) -> None:
    rng = random.Random(f"models {kind} {seed}")
    for _ in range(ROUNDS // 6):
        data = mutated(rng, rng.choice(ORIGINALS[kind]), MAP_TOKENS if kind == "map" else TOKENS) or b"{"
        begin = time.process_time()
        made = read_model(kind, data)
        assert time.process_time() - begin < LONGEST, data
        if isinstance(made, ModelError):
            assert made.message
            assert 0 <= made.line <= data.count(b"\n") + data.count(b"\r") + 1, data
        else:
            assert np.isfinite(made.corners).all(), data
            assert len(made.corners) == len(made.part) == len(made.material)
            assert (made.part < len(made.parts)).all()
            assert (made.material < len(made.materials)).all()
            assert len(made) <= 2 * triangle_soup.MAX_TRIANGLES
