"""Pictures, texture coordinates and transparency of OBJ models and their MTL files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from game.level import Level, check, load
from game.level.materials import AlphaMode, PbrMaterial, Wrap
from game.level.models.mtl import read_mtl
from tests.level.models.test_gltf_textures import PICTURE, model_surface, model_triangles
from tests.support.model_files import Place, findings_of, model_faces

SQUARE = (
    "mtllib a.mtl\nv 0 0 0\nv 2 0 0\nv 2 0 -2\nv 0 0 -2\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n"
    "usemtl Brick\nf 1/1 2/2 3/3 4/4\n"
)


def square(place: Place, mtl: str, text: str = SQUARE, piece: str = "{file: a.obj}") -> Path:
    return place(piece, a_obj=text, a_mtl="newmtl Brick\n" + mtl, brick_png=PICTURE, tex__brick_png=PICTURE)


def test_texture_coordinates_of_obj_are_turned_to_point_down(place: Place) -> None:
    level = load(square(place, "Kd 0.5 0.5 0.5\nmap_Kd tex/brick.png\n", piece="{file: a.obj, scale: 2}"))
    assert level.drawn_uv is not None
    mine = model_triangles(level)
    assert level.drawn_uv[mine][..., 0] == pytest.approx(level.drawn[mine][..., 0] / 4)
    assert level.drawn_uv[mine][..., 1] == pytest.approx(1 + level.drawn[mine][..., 2] / 4), "up in the file is north"
    pbr = model_surface(level)
    assert pbr.base_colour_map is not None
    assert pbr.base_colour_map.picture.path.name == "brick.png"
    assert pbr.base_colour[:3] == pytest.approx((0.2140,) * 3, abs=1e-4), "it multiplies the picture"
    assert [file.name for file in level.files] == ["level.yaml", "a.obj", "a.mtl", "brick.png"]


@pytest.mark.parametrize("corners", ["5/1 6/2 7/3 8/4 9/5", "-5/-5 -4/-4 -3/-3 -2/-2 -1/-1"])
def test_polygons_that_are_cut_keep_their_coordinates(place: Place, corners: str) -> None:
    outline = [(0, 0), (4, 0), (4, 3), (2, 1), (0, 3)]  # not convex
    rows = "".join(f"v {x} 0 {-y}\n" for x, y in [(9, 9)] * 4 + outline)
    rows += "".join(f"vt {x / 4} {y / 4}\n" for x, y in outline)
    level = load(square(place, "map_Kd brick.png\n", "mtllib a.mtl\nusemtl Brick\n" + rows + f"f {corners}\n"))
    assert level.drawn_uv is not None
    mine = model_triangles(level)
    assert level.drawn_uv[mine][..., 0] == pytest.approx(level.drawn[mine][..., 0] / 4)
    assert level.drawn_uv[mine][..., 1] == pytest.approx(1 + level.drawn[mine][..., 2] / 4)


def test_obj_corners_without_coordinates_are_reported_at_their_line(place: Place) -> None:
    path = square(place, "map_Kd brick.png\n", SQUARE.replace("f 1/1 2/2 3/3 4/4", "f 1 2//1 3/99 4/4"))
    assert findings_of(path) == []
    (found,) = findings_of(path, "warning")
    assert "the texture coordinates `99` do not exist: the file has 4" in found.message
    assert (found.line, found.file.endswith("a.obj")) == (SQUARE.count("\n"), True)
    level = load(path)
    assert level.drawn_uv is not None
    assert np.isfinite(level.drawn_uv[model_triangles(level)]).all()
    (found,) = findings_of(square(place, "map_Kd brick.png\n", SQUARE.replace("3/3", "3/0")), "warning")
    assert "texture coordinates `0` do not exist" in found.message
    assert found.file.endswith("a.obj")
    assert found.line == SQUARE.count("\n")


@pytest.mark.parametrize("mtl", ["map_Kd brick.png\n", "Kd 1 0 0\n"])
@pytest.mark.parametrize(
    "corner", ["x", "3/x", "3//x", "3/3/x", "3/3/3/3", "3.0", "/3", "1_0", "3/3.5", "٣", "3/\u00b2"]
)
def test_a_corner_that_is_no_index_is_refused_with_and_without_pictures(place: Place, mtl: str, corner: str) -> None:
    (found,) = findings_of(square(place, mtl, SQUARE.replace("3/3", corner)))
    assert f"`{corner}` is not a vertex index" in found.message
    assert (found.file.endswith("a.obj"), found.line) == (True, SQUARE.count("\n"))


@pytest.mark.parametrize("corner", ["3", "3/", "3//", "3/3", "3/3/", "3//7", "3/3/7", "+3/+3", "-2/-2", "03/03"])
def test_each_form_of_a_corner_is_read(place: Place, corner: str) -> None:
    path = square(place, "map_Kd brick.png\n", SQUARE.replace("3/3", corner))
    assert findings_of(path) == findings_of(path, "warning") == []


def test_statements_before_the_first_material(place: Place) -> None:
    (problem,) = read_mtl(b"map_Kd brick.png\nNs 20\nnewmtl a\nKd 1 0 0\nnewmtl b\n", "a.mtl")["a"].problems
    assert problem == "`map_Kd brick.png` in line 1 of `a.mtl` is before any `newmtl`"


def test_the_options_of_a_picture_in_mtl_are_read(place: Place) -> None:
    pbr = model_surface(load(square(place, "map_Kd -s 2 3 1 -o 0.5 0.25 -clamp on -bm 1 tex/brick.png\n")))
    assert pbr.base_colour_map is not None
    assert pbr.base_colour_map.transform == ((2.0, 0.0, 0.5), (0.0, 3.0, 1 - 3 - 0.25))
    assert pbr.base_colour_map.wrap_u is Wrap.CLAMP
    (texture,) = read_mtl(b"newmtl a\nmap_Kd -s 2 my wall.png\n")["a"].textures.values()
    assert (texture.name, texture.scale) == ("my wall.png", (2.0, 1.0))


def test_light_transparency_and_normal_maps(place: Place) -> None:
    pbr = model_surface(load(square(place, "Kd 0 0 0\nmap_Kd brick.png\nmap_d brick.png\nKe 2 1 0\nnorm brick.png\n")))
    assert (pbr.alpha_mode, pbr.emission, pbr.base_colour[:3]) == (AlphaMode.MASK, (2.0, 1.0, 0.0), (1.0, 1.0, 1.0))
    assert pbr.normal_map is not None
    glass = model_surface(load(square(place, "Kd 1 1 1\nd 0.25\n")))
    assert (glass.alpha_mode, glass.base_colour) == (AlphaMode.BLEND, (1.0, 1.0, 1.0, 0.25))
    plain = load(square(place, "Kd 1 0 0\nNs 20\nillum 2\n"))
    assert all(surface.pbr is None for surface in plain.surfaces)
    assert plain.drawn_uv is None


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("mtl", "words", "cure"),
    [
        ("map_Kd brock.png\n", "picture file `brock.png` does not exist", "did you mean `brick.png`?"),
        ("map_Kd a.obj\n", "is not a picture file", "the name must end in"),
        ("map_Kd ../../../x.png\n", "outside the levels folder", "use a file in this folder"),
        ("map_Kd C:\\art\\brock.png\n", "picture file `brock.png` does not exist", "did you mean `brick.png`?"),
        ("map_Bump brick.png\n", "the bump map of material `Brick` is left out", "write `norm`"),
        (
            "Kd 1 0 x\n",
            "`Kd 1 0 x` in line 2 of `a.mtl` needs three numbers; material `Brick` has the default",
            "export",
        ),
        ("Kd 1 0\n", "`Kd 1 0` in line 2 of `a.mtl` needs three numbers", "export it again"),
        ("Ke nan 0 0\n", "`Ke nan 0 0` in line 2", "export it again"),
        ("Kd 1 1 1\nd half\n", "`d half` in line 3 of `a.mtl` needs a number", "export it again"),
        ("Pr\n", "`Pr` in line 2 of `a.mtl` needs a number", "export it again"),
        ("map_Kd brick.png\nmap_d tex/brick.png\n", "map_d of material `Brick` is left out", "transparency"),
    ],
)
def test_what_cannot_be_drawn_is_told_at_its_library(place: Place, mtl: str, words: str, cure: str) -> None:
    path = square(place, mtl)
    assert findings_of(path) == []
    (found,) = findings_of(path, "warning")
    assert words in found.message
    assert cure in found.cure
    assert (found.line, found.file.endswith("a.obj")) == (1, True)
    assert load(path)


def test_mtl_reads_a_halo_and_ignores_a_spectrum() -> None:
    material = read_mtl(b"newmtl a\nKd 0.5\nd -halo 0.25\nKe spectral a.rfl 1\n")["a"]
    assert (material.colours, material.numbers, material.problems) == ({"Kd": (0.5, 0.5, 0.5)}, {"d": 0.25}, [])


def test_paths_as_programs_write_them(place: Place) -> None:
    for name in ("tex\\brick.png", "C:\\art\\brick.png", "/home/me/brick.png"):
        path = square(place, f"map_Kd {name}\n")
        assert check(path) == []
        assert model_surface(load(path)).base_colour_map is not None
    for name in (".\\a.mtl", "C:\\my art\\a.mtl", "/home/me/a.mtl", '"a.mtl"', "no/../a.mtl"):
        path = square(place, "map_Kd brick.png\n", SQUARE.replace("a.mtl", name))
        assert check(path) == []
        assert model_surface(load(path)).base_colour_map is not None


UNREAD = {  # lines of an OBJ file and of its MTL file, what the remark names, and its line
    "lines, points and a surface": ("l 1 2\nsurf 0 1 0 1 1 2 3\np 1\n", "", "`l`, `surf`, `p`", SQUARE.count("\n") + 1),
    "another file": ("call b.obj\n", "", "`call`", SQUARE.count("\n") + 1),
    "vertex colours": ("v 9 9 9 1 0 0\n", "", "vertex colours", SQUARE.count("\n") + 1),
    "a weight": ("v 9 9 9 1\n", "", "", 0),
    "maps": ("", "disp a.png\nmap_Pr a.png\nrefl -type sphere a.png\nmap_Pr b.png\n", "`disp`, `map_Pr`, `refl`", 1),
    "a map of another material": ("", "newmtl Other\ndisp a.png\n", "", 0),
    "highlights": ("", "Ks 1 1 1\nmap_Ks a.png\nmap_Ka a.png\nNs 9\nillum 2\n", "", 0),
}


@pytest.mark.parametrize("name", UNREAD)
def test_what_may_change_the_look_and_is_not_read_is_named_once(place: Place, name: str) -> None:
    obj, mtl, words, line = UNREAD[name]
    found = check(square(place, mtl, SQUARE + obj))
    expected = [(f"not read, though it may change what is seen or solid: {words}", line)] if words else []
    assert [(finding.message, finding.line) for finding in found] == expected


def test_the_older_word_for_a_face_is_read(place: Place) -> None:
    path = square(place, "Kd 1 0 0\n", SQUARE.replace("\nf ", "\nfo "))
    assert check(path) == []
    assert len(model_faces(load(path))) == 1


NOISE = {  # a statement as another program writes it
    "plain": lambda line: line,
    "comment": lambda line: f"{line} # the floor 1",
    "comment without a blank after it": lambda line: f"{line} #floor",
    "white space before it": lambda line: f" \t{line}",
    "continued after each word": lambda line: line.replace(" ", " \\\n\t"),
    "continued, between comments": lambda line: "# C:\\art\\\n" + line.replace(" ", " \\\n", 1) + f"\t# {line}",
    "tabs": lambda line: line.replace(" ", "\t"),
    "a backslash at the end": lambda line: line + "\\" if line[:2] in ("f ", "Ke") else line,
}


def comparable(level: Level) -> PbrMaterial:
    """The shading, without the file and its time."""
    pbr = model_surface(level)
    assert pbr.base_colour_map is not None
    return replace(pbr, base_colour_map=replace(pbr.base_colour_map, picture=None))  # type: ignore[arg-type]


@pytest.mark.parametrize("noise", NOISE)
def test_each_way_to_write_a_statement_gives_the_same_model(place: Place, noise: str) -> None:
    def rewritten(text: str) -> str:
        return "".join(NOISE[noise](line) + "\n" for line in text.splitlines())

    mtl = "Kd 0.5 0.25 0.125\nmap_Kd -s 2 2 1 -clamp on tex/brick.png\nd 0.5\nKe 0.5\n"
    plain = load(square(place, mtl))
    files = {"a_obj": rewritten(SQUARE), "a_mtl": rewritten("newmtl Brick\n" + mtl), "tex__brick_png": PICTURE}
    path = place("{file: a.obj}", **files)
    assert check(path) == []
    noisy = load(path)
    np.testing.assert_array_equal(noisy.drawn, plain.drawn)
    np.testing.assert_array_equal(noisy.drawn_uv, plain.drawn_uv)
    assert comparable(noisy) == comparable(plain)


@pytest.mark.parametrize("name", ["red", "My Red Stone", "Material #25", "a#b", "wall # 1"])
def test_names_may_have_blanks_and_numbers(place: Place, name: str) -> None:
    obj = SQUARE.replace("usemtl Brick", f"usemtl {name} # used")
    level = load(place(a_obj=obj, a_mtl=f"newmtl other\nKd 0 1 0\nnewmtl {name}\nKd 1 0 0\n"))
    assert [surface.colour for surface in level.surfaces if surface.name.startswith("a: ")] == [(1.0, 0.0, 0.0)]


def test_one_statement_may_name_several_libraries_and_groups(place: Place) -> None:
    obj = SQUARE.replace("mtllib a.mtl", "mtllib my stones.mtl b.mtl").replace(
        "f 1/1", "g house wall-colonly west\nf 1/1"
    )
    files = {"my stones_mtl": "newmtl Stone\nKd 0 1 0\n", "b_mtl": "newmtl Brick\nKd 1 0 0\n"}
    path = place(a_obj=obj, **files)
    assert [finding.message for finding in check(path)] == []
    level = load(path)
    assert [surface.colour for surface in level.surfaces if surface.name.startswith("a: ")] == [(1.0, 0.0, 0.0)]
    assert not model_triangles(level).any(), "it only collides"
