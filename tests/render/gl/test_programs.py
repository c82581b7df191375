"""Shader programs: includes, diagnostics, and a broken file that leaves all programs as they were."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from game.render import ShaderError
from game.render.gl.programs import ShaderCache, default_folder, parse_compiler_log, read_shader
from game.render.gl.quality import QUALITIES, shader_defines
from game.render.scene.daylight import SKY_PALETTES
from tests.render.conftest import shown_colour

VERTEX = "void main() { gl_Position = vec4(0.0, 0.0, 0.0, 1.0); }\n"
FRAGMENT = '#include "colour.glsl"\nout vec4 c;\n\nvoid main() { c = colour(); }\n'
COLOUR = "vec4 colour() {\n    return vec4(1.0);\n}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (("v.glsl", VERTEX), ("f.glsl", FRAGMENT), ("colour.glsl", COLOUR)):
        (tmp_path / name).write_text(text)
    return tmp_path


def test_each_file_is_included_once_and_lines_keep_their_origin(folder: Path) -> None:
    (folder / "f.glsl").write_text('#include "colour.glsl"\n#include "colour.glsl"\nout vec4 c;\n')
    source = read_shader(folder, "f.glsl", (("X", "1"),))
    lines = source.text.splitlines()
    assert lines[:2] == ["#version 330 core", "#define X 1"]
    assert len(lines) == len(source.origins)
    assert source.text.count("vec4 colour()") == 1
    assert source.origins[lines.index("out vec4 c;")] == ("f.glsl", 3)
    assert source.origins[lines.index("    return vec4(1.0);")] == ("colour.glsl", 2)


def test_include_errors_name_the_including_line(folder: Path) -> None:
    (folder / "f.glsl").write_text('\n#include "gone.glsl"\n')
    with pytest.raises(ShaderError) as caught:
        read_shader(folder, "f.glsl")
    assert str(caught.value).startswith("f.glsl:2: cannot read gone.glsl")
    (folder / "a.glsl").write_text('#include "b.glsl"\nint a;\n')
    (folder / "b.glsl").write_text('#include "a.glsl"\nint b;\n')
    assert read_shader(folder, "a.glsl").text.endswith("int b;\nint a;\n")


@pytest.mark.parametrize(
    "log",
    [
        "GLSL Compiler failed\n\nfragment_shader\n0:{n}(26): error: `foo' undeclared",
        "ERROR: 0:{n}: 'foo' : undeclared identifier",
        "0({n}) : error C1503: undefined variable foo",
    ],
)
def test_compiler_logs_of_all_drivers_are_parsed(folder: Path, log: str) -> None:
    source = read_shader(folder, "f.glsl")
    (problem,) = parse_compiler_log(log.format(n=source.origins.index(("colour.glsl", 2)) + 1), source)
    assert (problem.file, problem.line) == ("colour.glsl", 2)
    assert "foo" in problem.message
    assert parse_compiler_log("linking failed", source)[0].message == "linking failed"


def test_an_error_in_an_include_names_file_and_line(ctx: Any, folder: Path) -> None:
    (folder / "colour.glsl").write_text("vec4 colour() {\n    return vec4(missing);\n}\n")
    programs = ShaderCache(ctx, folder)
    with pytest.raises(ShaderError) as caught:
        programs.get("v.glsl", "f.glsl")
    assert (caught.value.diagnostics[0].file, caught.value.diagnostics[0].line) == ("colour.glsl", 2)
    (folder / "v.glsl").write_text("void main() {\n\n  oops }\n")
    with pytest.raises(ShaderError) as caught:
        programs.get("v.glsl", "f.glsl")
    assert (caught.value.diagnostics[0].file, caught.value.diagnostics[0].line) == ("v.glsl", 3)


@pytest.mark.parametrize("quality", ["low", "high"])
def test_every_program_compiles(ctx: Any, quality: str) -> None:
    """Also those of levels that no other test draws."""
    programs, folder = ShaderCache(ctx), default_folder()
    chosen = QUALITIES[quality]
    defines: dict[str, object] = {"CLOUDS": 1, "SHADOW_TAPS": 4, "TILE_SIZE": 1.0, "LENS_DISTANCE": 0.1}
    defines |= shader_defines(chosen.exact_tone_mapping, chosen)
    if chosen.exact_tone_mapping:
        defines |= {"RELIEF": 1, "DYNAMIC_SHADOWS": 1}
    for fragment in folder.rglob("*.frag.glsl"):
        vertex = fragment.with_name(fragment.name.replace(".frag.", ".vert."))
        if not vertex.exists():
            vertex = folder / "post/fullscreen_triangle.vert.glsl"
        programs.get(*(path.relative_to(folder).as_posix() for path in (vertex, fragment)), **defines)
    programs.get("shadow_map/ball_shadow_map.vert.glsl", "shadow_map/shadow_map.frag.glsl")
    programs.release()


def test_shaders_use_no_feature_beyond_opengl_4_1() -> None:
    for path in default_folder().rglob("*.glsl"):
        text = path.read_text()
        for forbidden in ("#version", "binding", "std430", "imageStore", "local_size", "#extension"):
            assert forbidden not in text, f"{path.name} uses {forbidden}"


def test_one_broken_program_keeps_all_programs(ctx: Any, folder: Path) -> None:
    (folder / "g.glsl").write_text("out vec4 c;\nvoid main() { c = vec4(0.2); }\n")
    programs = ShaderCache(ctx, folder)
    first, second = programs.get("v.glsl", "f.glsl"), programs.get("v.glsl", "g.glsl")
    (folder / "g.glsl").write_text("out vec4 c;\nvoid main() { c = vec4(0.3); }\n")
    (folder / "f.glsl").write_text("void main() { broken }\n")
    assert programs.rebuild() == ()
    assert programs.get("v.glsl", "f.glsl") is first
    assert programs.get("v.glsl", "g.glsl") is second
    (folder / "f.glsl").write_text(FRAGMENT)
    assert [recipe.fragment for recipe in programs.rebuild()] == ["g.glsl"]
    programs.release()


def test_the_tone_curve_is_that_of_its_python_copy_and_the_fast_one_within_two_steps(ctx: Any, tmp_path: Path) -> None:
    for name in ("include/tone_mapping.glsl", "post/fullscreen_triangle.vert.glsl"):
        (tmp_path / name).parent.mkdir()
        shutil.copy(default_folder() / name, tmp_path / name)
    exposure = 1.25
    (tmp_path / "f.glsl").write_text(
        f"const vec4 up = vec4({exposure});\n"
        '#include "include/tone_mapping.glsl"\nout vec4 c;\nvoid main() { float x = gl_FragCoord.x / 512.0;'
        " c = vec4(tone_map(vec3(8.0 * x * x, 16.0 + 1e3 * x, 0.0)), 1.0); }\n"
    )
    programs, rows = ShaderCache(ctx, tmp_path), []
    for defines in ({}, {"FAST_TONE_MAPPING": 1}):
        target = ctx.framebuffer([ctx.texture((512, 1), 4, dtype="f4")])
        target.use()
        ctx.vertex_array(programs.get("post/fullscreen_triangle.vert.glsl", "f.glsl", **defines), []).render(vertices=3)
        rows.append(np.frombuffer(target.read(components=3, dtype="f4"), np.float32).reshape(-1, 3).clip(0.0, 1.0))
    exact, quick = rows
    x = (np.arange(512) + 0.5) / 512
    copy = shown_colour(np.stack((8.0 * x * x, 16.0 + 1e3 * x, 0.0 * x), axis=1), exposure)
    assert 255.0 * np.abs(exact - copy).max() < 0.1
    assert 255.0 * np.abs(exact - quick).max() < 2.05
    assert not np.array_equal(exact, quick)


@pytest.mark.parametrize("palette", ["day", "morning"])
def test_daylight_is_bright_and_never_white(palette: str) -> None:
    """What a person sees at noon: white in the sun has room above it, shade is dark and not black."""
    exposure = SKY_PALETTES[palette].exposure
    shades = {name: shown_colour(np.full(3, light), exposure)[0]
              for name, light in (("sunlit", 1.37), ("white", 2.5), ("grey in shade", 0.16))}  # fmt: skip
    assert 0.75 < shades["sunlit"] < 0.83
    assert shades["white"] < 0.93
    assert 0.30 < shades["grey in shade"] < 0.40
