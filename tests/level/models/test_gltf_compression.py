"""glTF files that are compressed with Draco or meshopt."""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np
import pytest

from game.level import load
from tests.level.models.test_gltf_textures import INDICES, UV, model_triangles, textured
from tests.support.model_files import Glb, Place, findings_of

DRACO = "KHR_draco_mesh_compression"


def compressed(change: Callable[[bytes], bytes] = bytes) -> Glb:
    """A textured square whose positions and coordinates are in a Draco buffer."""
    draco = pytest.importorskip("DracoPy")
    glb = textured()
    document = glb.document
    points = np.array([[0, 0, 0], [2, 0, 0], [2, 0, -2], [0, 0, -2]], np.float32)
    faces = np.array(INDICES, np.uint32).reshape(-1, 3)
    encoded = draco.encode(points, faces, quantization_bits=14, tex_coord=UV.astype(float))
    made, data = draco.decode(encoded), change(encoded)
    kinds = {"POSITION": draco.AttributeType.POSITION, "TEXCOORD_0": draco.AttributeType.TEX_COORD}
    numbers = {name: made.get_attribute_by_type(kind)["unique_id"] for name, kind in kinds.items()}
    view = glb.image(data)["bufferView"]
    primitive = document["meshes"][0]["primitives"][0]
    for index in (primitive["indices"], *primitive["attributes"].values()):
        del document["accessors"][index]["bufferView"]
    colours = glb.accessor(np.full((4, 4), 99, np.uint8), 5121, "VEC4")  # an attribute that is not compressed
    document["accessors"][colours]["normalized"] = True
    primitive["attributes"]["COLOR_0"] = colours
    primitive["extensions"] = {DRACO: {"bufferView": view, "attributes": numbers}}
    document["extensionsUsed"] = document["extensionsRequired"] = [DRACO]
    return glb


def test_draco_holds_what_was_compressed(place: Place) -> None:
    path = place(a_glb=compressed().glb())
    assert findings_of(path) == []
    level = load(path)
    mine = model_triangles(level)
    assert level.drawn_uv is not None
    assert level.drawn_colours is not None
    assert (level.drawn_colours[mine] == 99).all()
    assert level.drawn[mine].max(axis=(0, 1)) == pytest.approx([2, 0, 0], abs=1e-3)
    assert level.drawn[mine].min(axis=(0, 1)) == pytest.approx([0, 0, -2], abs=1e-3)
    assert level.drawn_uv[mine][..., 0] == pytest.approx(level.drawn[mine][..., 0] / 2, abs=2e-3)
    assert level.drawn_uv[mine][..., 1] == pytest.approx(1 + level.drawn[mine][..., 2] / 2, abs=2e-3)


def test_damaged_draco_data_is_a_finding(place: Place) -> None:
    for change in (lambda data: data[:20], lambda data: b"DRACO" + bytes(90), lambda data: b"text " * 9):
        (found,) = findings_of(place(a_glb=compressed(change).glb()))
        assert "Draco data is damaged" in found.message
    glb = compressed()
    glb.document["meshes"][0]["primitives"][0]["extensions"][DRACO]["bufferView"] = 99
    (found,) = findings_of(place(a_glb=glb))
    assert "number 99 of its `bufferViews`" in found.message


def test_without_the_package_the_finding_says_what_to_install(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    data = compressed().glb()
    monkeypatch.setitem(sys.modules, "DracoPy", None)
    (found,) = findings_of(place(a_glb=data))
    assert "compressed with Draco, and the package DracoPy is not there" in found.message
    assert "[models]" in found.cure


def test_meshopt_is_a_finding_with_a_command(place: Place) -> None:
    glb = textured()
    glb.document["extensionsRequired"] = ["EXT_meshopt_compression"]
    (found,) = findings_of(place(a_glb=glb))
    assert "EXT_meshopt_compression" in found.message
    assert "npx @gltf-transform/cli copy IN.glb OUT.glb" in found.cure
