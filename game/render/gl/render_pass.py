"""Render passes: the texture units that they share, state and buffers of their draw calls, and their base class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from .context import release_resources
from .programs import ShaderCache, set_uniforms
from .quality import LAMP_SHADOW_UNIT, LIGHT_PROBE_UNIT, Quality, shader_defines

# Texture units of what several passes sample, by the name of the sampler. Those between belong to the maps of a
# material (passes/pictured.py), and OWN_UNIT to each pass alone. passes/level.py binds the poses of movers.
FRAME_UNITS = {
    "shadow_map": 0, "lightmap": 2, "dynamic_shadow_map": 4, "lamp_shadow_map": LAMP_SHADOW_UNIT,
    "light_probes": LIGHT_PROBE_UNIT, "colour_textures": 10, "relief_textures": 11,
    "movers": 13,
}  # fmt: skip
OWN_UNIT = 12


# State and draw calls

BLEND_FACTORS = {
    "alpha": (moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA),
    "premultiplied": (moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA),
    "add": (moderngl.ONE, moderngl.ONE),
}


def set_state(
    ctx: Any, target: Any, depth: str | None = ">=", *, writes_depth: bool = True, blending: str | None = None,
    culls: bool = False,
) -> None:  # fmt: skip
    """Set the state in which a pass draws into the framebuffer `target`.

    depth: test against the depth buffer, where greater is nearer; None: no test. blending: "alpha", "premultiplied" for
    colours that are already multiplied by their opacity, "add", or None. culls: leave out back faces.
    """
    flags = moderngl.NOTHING if depth is None else moderngl.DEPTH_TEST
    flags |= (moderngl.CULL_FACE if culls else 0) | (moderngl.BLEND if blending else 0)
    ctx.enable_only(flags)
    if depth is not None:
        ctx.depth_func = depth
    if blending is not None:
        ctx.blend_func = BLEND_FACTORS[blending]
        ctx.blend_equation = moderngl.FUNC_ADD
    ctx.front_face, ctx.cull_face = "ccw", "back"
    target.depth_mask = writes_depth


def draw_culling_closed(ctx: Any, array: Any, closed: int, first: int = 0, count: int | None = None) -> None:
    """Draw triangles by the depth test that is set: `count` vertices from `first` on (None: all), of which the first
    `closed` with back-face culling and the rest two-sided."""
    count = array.vertices - first if count is None else count
    ctx.front_face, ctx.cull_face = "ccw", "back"
    if closed:
        ctx.enable_only(moderngl.DEPTH_TEST | moderngl.CULL_FACE)
        array.render(moderngl.TRIANGLES, first=first, vertices=closed)
    ctx.enable_only(moderngl.DEPTH_TEST)
    if count > closed:
        array.render(moderngl.TRIANGLES, first=first + closed, vertices=count - closed)


def write_growing(buffer: Any, rows: npt.NDArray[Any]) -> None:
    """Write rows into a buffer, which becomes twice as large as they are where they do not fit."""
    if rows.nbytes > buffer.size:
        buffer.orphan(2 * rows.nbytes)
    if rows.nbytes:
        buffer.write(rows.tobytes())


# Passes


@dataclass(frozen=True, slots=True)
class PassContext:
    """Context, programs and quality of a pass. reversed_depth: else the shaders write a logarithmic depth."""

    ctx: Any
    programs: ShaderCache
    quality: Quality
    reversed_depth: bool


class RenderPass:
    """Vertex arrays, made at their first use and again after `rebuild`, and the GL resources of one pass.

    defines: of all its programs; by default those of the depth.
    """

    def __init__(self, context: PassContext, defines: dict[str, object] | None = None) -> None:
        self.ctx, self.programs = context.ctx, context.programs
        self.defines = shader_defines(context.reversed_depth) if defines is None else defines
        self._arrays: dict[tuple[str, str | None, object], Any] = {}  # by shaders and key
        self._owned: list[Any] = []

    def own(self, resource: Any) -> Any:
        """The resource, which this pass releases."""
        self._owned.append(resource)
        return resource

    def array(
        self, shader: str, *buffers: tuple[Any, ...], fragment: str | None = None, key: object = None,
        indices: Any = None, defines: dict[str, object] | None = None, **uniforms: object,
    ) -> Any:  # fmt: skip
        """Vertex array of a program and these buffers; `.program` is the program.

        shader: path of the vertex shader without ".vert.glsl", and of the fragment shader where `fragment` names no
        other one. buffers: each with the dtype of its rows, whose fields are the attributes, and "/i" for a row to an
        instance; or, as moderngl takes them, with a format and the names of the attributes. key: tells arrays of the
        same shaders apart. defines: more of them. uniforms: set when it is made.
        """
        name = (shader, fragment, key)
        if name not in self._arrays:
            every = self.defines | (defines or {})
            program = self.programs.get(f"{shader}.vert.glsl", f"{fragment or shader}.frag.glsl", **every)
            set_uniforms(program, **FRAME_UNITS, **uniforms)
            content = [content_of(program, *one) if isinstance(one[1], np.dtype) else one for one in buffers]
            self._arrays[name] = self.ctx.vertex_array(
                program, [one for one in content if len(one) > 2], index_buffer=indices
            )
        return self._arrays[name]

    def release_array(self, key: object) -> None:
        """Forget the vertex array with this key, if there is one."""
        for name in [name for name in self._arrays if name[2] == key]:
            self._arrays.pop(name).release()

    def rebuild(self) -> None:
        """Forget the vertex arrays; they are made again with the current programs."""
        release_resources(*self._arrays.values())
        self._arrays.clear()

    def release(self) -> None:
        """Release everything that the pass owns."""
        RenderPass.rebuild(self)
        release_resources(*self._owned)
        self._owned.clear()


def content_of(program: Any, buffer: Any, row: np.dtype[np.void], rate: str = "") -> tuple[Any, ...]:
    """Buffer, format and names, as moderngl takes them, of the fields of `row` that are attributes of a program.

    Unsigned bytes arrive as 0..1; other integers, which moderngl does not normalise, as they are.
    """
    parts, names = [], []
    for name in row.names or ():
        field = row[name]
        if name in program:
            kind = field.base.str[1:]
            parts.append(f"{field.shape[0] if field.shape else 1}{'f1' if kind == 'u1' else kind}")
            names.append(name)
        else:
            parts.append(f"{field.itemsize}x")
    return (buffer, " ".join((*parts, rate)), *names)
