"""Shadow map of the static level: depth texture seen from the sun, drawn when a level is loaded.

There is one map for the whole level, without cascades. scene/sun_map.py fits the orthographic projection.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, Protocol

from ..gl.context import depth_map_texture, draw_culling_closed, release_resources, unbind_framebuffer
from ..gl.programs import ShaderCache, set_uniforms
from ..scene.sun_map import ShadowProjection


class ShadowCaster(Protocol):
    """Geometry that is drawn into a shadow map in addition to the textured triangles of a level or of movers."""

    def draw_shadow(self, world_to_light_clip: Any) -> None: ...


class SunShadowMap:
    """Depth texture with hardware comparison. Everything beyond its edge is lit.

    In all methods `pictured` is the pass of the triangles with pictures, or None.
    """

    def __init__(self, ctx: Any, size: int, programs: ShaderCache) -> None:
        self.ctx = ctx
        self.size = size
        self.programs = programs
        self.texture = depth_map_texture(ctx, (size, size))
        self.target = ctx.framebuffer(depth_attachment=self.texture)

    def draw(
        self, vertices: Any, layout: str, closed: int, fit: ShadowProjection, pictured: ShadowCaster | None = None
    ) -> None:
        """Draw the level as seen from the sun.

        layout: moderngl format whose first attribute is the position. closed: number of leading vertices that bound
        solids; of those only front faces are drawn.
        """
        for _ in self.draw_in_bands(vertices, layout, closed, fit, 1, pictured):
            pass

    def draw_in_bands(
        self,
        vertices: Any,
        layout: str,
        closed: int,
        fit: ShadowProjection,
        count: int,
        pictured: ShadowCaster | None = None,
    ) -> Iterator[None]:
        """Draw in `count` horizontal bands, with a yield between two of them."""
        self.target.use()
        self.target.scissor = None
        self.target.depth_mask = True
        self.target.clear(depth=1.0)
        # The outermost texels stay lit: a texture without a border colour repeats its edge.
        edges = [1 + (self.size - 2) * k // count for k in range(count + 1)]
        for low, high in itertools.pairwise(edges):
            if low > 1:
                yield
            self._draw(vertices, layout, closed, fit, (1, low, self.size - 2, high - low), pictured)

    def redraw_region(
        self,
        vertices: Any,
        layout: str,
        closed: int,
        fit: ShadowProjection,
        box: tuple[float, float, float, float],
        pictured: ShadowCaster | None = None,
    ) -> None:
        """Redraw a box of the map (minimum x and y, maximum x and y; 0..1), outside which nothing has changed."""
        x0, y0 = (min(max(int(edge * self.size) - 1, 1), self.size - 1) for edge in box[:2])
        x1, y1 = (min(max(int(edge * self.size) + 2, 1), self.size - 1) for edge in box[2:])
        if x1 <= x0 or y1 <= y0 or box[2] <= box[0]:
            return
        self.target.use()
        self.target.depth_mask = True
        self.target.scissor = (x0, y0, x1 - x0, y1 - y0)
        self.target.clear(depth=1.0, viewport=(x0, y0, x1 - x0, y1 - y0))
        self._draw(vertices, layout, closed, fit, (x0, y0, x1 - x0, y1 - y0), pictured)

    def _draw(
        self,
        vertices: Any,
        layout: str,
        closed: int,
        fit: ShadowProjection,
        scissor: tuple[int, int, int, int],
        pictured: ShadowCaster | None,
    ) -> None:
        program = self.programs.get("shadow_map/shadow_map.vert.glsl", "shadow_map/shadow_map.frag.glsl")
        matrix = fit.world_to_clip.astype("f4").ravel()
        set_uniforms(program, world_to_light_clip=matrix)
        target = self.target
        target.use()
        target.viewport = (0, 0, self.size, self.size)
        target.depth_mask = True
        self.ctx.depth_func = "<"
        self.ctx.wireframe = False
        self.ctx.polygon_offset = 2.0, 2.0
        target.scissor = scissor
        array = self.ctx.vertex_array(program, [(vertices, layout, "in_position")])
        draw_culling_closed(self.ctx, array, closed)
        array.release()
        if pictured is not None:
            pictured.draw_shadow(matrix)
        target.scissor = None
        self.ctx.polygon_offset = 0.0, 0.0

    def release(self) -> None:
        unbind_framebuffer(self.ctx)
        release_resources(self.target, self.texture)
