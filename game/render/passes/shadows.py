"""Shadow map of the static level: depth texture seen from the sun, drawn when a level is loaded.

One map covers the whole level. At quality high, wide levels have a second cascade: a near map in the right half of the
texture, which follows the eye. scene/sun_map.py fits the orthographic projections.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np

from ...core.vectors import Floats
from ..gl.context import depth_map_texture, draw_culling_closed, release_resources, unbind_framebuffer
from ..gl.programs import ShaderCache, set_uniforms
from ..scene.sun_map import NEAR_WIDTH, ShadowProjection, near_map_offset

GUTTER = 8  # lit texels between the two maps; the filter at the edge of the map of the level reaches 4 texels


class ShadowCaster(Protocol):
    """Geometry that is drawn into a shadow map in addition to the textured triangles of a level or of movers."""

    def draw_shadow(self, world_to_light_clip: Any) -> None: ...


class SunShadowMap:
    """Depth texture with hardware comparison. Everything beyond its edge is lit.

    near_offset: place of the near map (near_map_offset), None until it is drawn.

    In all methods `pictured` is the pass of the triangles with pictures, or None.
    """

    def __init__(self, ctx: Any, size: int, programs: ShaderCache) -> None:
        self.ctx = ctx
        self.size = size
        self.programs = programs
        self.near_offset: Floats | None = None
        self._allocate(size)

    def _allocate(self, width: int) -> None:
        self.texture = depth_map_texture(self.ctx, (width, self.size))
        self.target = self.ctx.framebuffer(depth_attachment=self.texture)

    def set_near(self, has_near: bool) -> None:
        """Allocate or free the half of the near map. A changed texture is a new one and has to be drawn."""
        width = self.size * (2 if has_near else 1)
        if self.texture.width != width:
            self.release()
            self._allocate(width)

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
        self.near_offset = None
        # The outermost texels stay lit: a texture without a border colour repeats its edge.
        edges = [1 + (self.size - 2) * k // count for k in range(count + 1)]
        for low, high in itertools.pairwise(edges):
            if low > 1:
                yield
            self._draw(vertices, layout, closed, fit.world_to_clip, (1, low, self.size - 2, high - low), pictured)

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
        self.near_offset = None
        self._redraw(vertices, layout, closed, fit.world_to_clip, (x0, y0, x1 - x0, y1 - y0), pictured)

    def draw_near(
        self,
        vertices: Any,
        layout: str,
        closed: int,
        fit: ShadowProjection,
        focus: Floats,
        pictured: ShadowCaster | None = None,
    ) -> None:
        """Draw the near map, if the texture has one and `focus` (3,) has left the middle of what it shows."""
        if self.texture.width == self.size:
            return
        offset = near_map_offset(fit, self.size, focus, self.near_offset)
        if offset is self.near_offset:
            return
        self.near_offset = offset
        scale = fit.map_width / NEAR_WIDTH
        matrix = fit.part_to_clip(np.array((scale, scale, 1.0)), np.array((*offset, 0.0)))
        box = (self.size + GUTTER, 1, self.size - GUTTER - 1, self.size - 2)
        self._redraw(vertices, layout, closed, matrix, box, pictured, self.size)

    def _redraw(
        self,
        vertices: Any,
        layout: str,
        closed: int,
        world_to_clip: Floats,
        box: tuple[int, int, int, int],
        pictured: ShadowCaster | None,
        left: int = 0,
    ) -> None:
        self.target.use()
        self.target.depth_mask = True
        self.target.scissor = box
        self.target.clear(depth=1.0, viewport=box)
        self._draw(vertices, layout, closed, world_to_clip, box, pictured, left)

    def _draw(
        self,
        vertices: Any,
        layout: str,
        closed: int,
        world_to_clip: Floats,
        scissor: tuple[int, int, int, int],
        pictured: ShadowCaster | None,
        left: int = 0,
    ) -> None:
        """left: first column of texels of the map in the texture."""
        program = self.programs.get("shadow_map/shadow_map.vert.glsl", "shadow_map/shadow_map.frag.glsl")
        matrix = world_to_clip.astype("f4").ravel()
        set_uniforms(program, world_to_light_clip=matrix)
        target = self.target
        target.use()
        target.viewport = (left, 0, self.size, self.size)
        target.depth_mask = True
        self.ctx.depth_func = "<"
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
