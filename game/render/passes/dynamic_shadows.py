"""Dynamic shadow map of movers and balls, redrawn whenever one of them has moved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from ...core.vectors import Floats
from ..gl.context import depth_map_texture, release_resources, unbind_framebuffer
from ..gl.programs import set_uniforms
from ..scene.sun_map import PENUMBRA_RADIUS, ShadowProjection
from .shadows import ShadowCaster

GROWTH_MARGIN = 0.12  # of the box size, added on each side when it grows, so that it grows rarely
MIN_EXTENT = 0.5  # metres: minimum size of the box
MAX_CASTER_DISTANCE = 20.0  # metres outside the level; bodies farther away, such as fallen balls, cast no shadow


class ShadowBounds:
    """Box in the shadow map of the level (x, y in 0..1, and depth) that contains everything that has moved so far.

    It only grows. A box that shrank would change the texel grid and make shadow edges crawl.
    """

    def __init__(self, fit: ShadowProjection, low: Floats, high: Floats) -> None:
        """low, high: corners (3,) of the level, metres."""
        self.fit = fit
        self._caster_limits = low - MAX_CASTER_DISTANCE, high + MAX_CASTER_DISTANCE
        self.low = self.high = np.zeros(3)
        self.empty = True
        # map units per metre; x and y are equal, depth differs
        self._map_units_per_metre = np.linalg.norm(fit.world_to_map[:3, :3], axis=0)

    def expand_to_include(self, positions: Floats, radii: Floats | float = 0.0) -> None:
        """Include spheres at positions (n, 3) with radii (n,), metres. Positions far outside the level are ignored."""
        if not len(positions):
            return
        map_positions = positions @ self.fit.world_to_map[:3, :3] + self.fit.world_to_map[3, :3]
        map_radii = np.multiply.outer(np.broadcast_to(radii, len(positions)), self._map_units_per_metre)
        in_limits = ((positions >= self._caster_limits[0]) & (positions <= self._caster_limits[1])).all(axis=1)
        if not in_limits.any():
            return
        low, high = (
            (map_positions - map_radii)[in_limits].min(axis=0),
            (map_positions + map_radii)[in_limits].max(axis=0),
        )
        if not self.empty:
            if (low >= self.low).all() and (high <= self.high).all():
                return
            low, high = np.minimum(low, self.low), np.maximum(high, self.high)
        middle = (low + high) / 2
        half = np.maximum((0.5 + GROWTH_MARGIN) * (high - low), 0.5 * MIN_EXTENT * self._map_units_per_metre)
        half[:2] = half[:2].max()
        self.low = middle - half
        self.high = middle + half
        self.empty = False

    def scale_and_offset(self) -> tuple[Floats, Floats]:
        """Scale and offset (3,) from the shadow map of the level to this box as 0..1."""
        scale = 1.0 / (self.high - self.low)
        return scale, -self.low * scale

    def world_to_clip(self) -> Floats:
        """World to clip space of the dynamic shadow map, (4, 4) for row vectors."""
        return self.fit.part_to_clip(*self.scale_and_offset())


class DynamicShadowMap:
    """Depth texture with hardware comparison. Everything beyond its edge is lit."""

    def __init__(self, ctx: Any, size: int) -> None:
        self.ctx = ctx
        self.size = max(size, 4)
        self.texture = depth_map_texture(ctx, (self.size, self.size))
        self.target = ctx.framebuffer(depth_attachment=self.texture)
        self.bounds: ShadowBounds | None = None
        self._drawn_state: tuple[bytes, ...] | None = None

    def reset_for_level(self, fit: ShadowProjection, low: Floats, high: Floats) -> None:
        """Start with empty bounds for another level. low, high: its corners, metres."""
        self.bounds = ShadowBounds(fit, low, high)
        self._drawn_state = None

    def uniforms(self, has_content: bool) -> tuple[Floats, Floats]:
        """Scale and offset (4,) for the frame block; w: 1 if the map has content, and the penumbra radius."""
        scale, offset = np.zeros(4), np.zeros(4)
        if has_content and self.bounds is not None and not self.bounds.empty:
            scale[:3], offset[:3] = self.bounds.scale_and_offset()
            scale[3], offset[3] = 1.0, PENUMBRA_RADIUS / self.bounds.fit.map_width * scale[0]
        return scale, offset

    def draw(
        self,
        mover_array: Any,
        ball_array: Any,
        ball_count: int,
        drawn_state: Sequence[npt.NDArray[Any]],
        pictured: ShadowCaster | None = None,
    ) -> None:
        """Redraw the map if `drawn_state`, arrays that change when anything moves, or the bounds have changed.

        mover_array: vertex array or None. ball_array: vertex array with an instance for each of `ball_count` balls, or
        None. pictured: pass of the movers' triangles with pictures, or None.
        """
        bounds = self.bounds
        if bounds is None or bounds.empty:
            return
        state = (
            bounds.low.tobytes(),
            bounds.high.tobytes(),
            *(np.ascontiguousarray(values).tobytes() for values in drawn_state),
        )
        if state == self._drawn_state:
            return
        self._drawn_state = state
        target = self.target
        matrix = bounds.world_to_clip().astype("f4").ravel()
        target.use()
        target.viewport = (0, 0, self.size, self.size)
        target.scissor = None
        target.depth_mask = True
        target.clear(depth=1.0)
        # The outermost texels stay lit: the texture repeats its edge.
        target.scissor = (1, 1, self.size - 2, self.size - 2)
        self.ctx.enable_only(moderngl.DEPTH_TEST)
        self.ctx.depth_func = "<"
        self.ctx.polygon_offset = 2.0, 2.0
        for array, instances in ((mover_array, 1), (ball_array, ball_count)):
            if array is not None and instances:
                set_uniforms(array.program, world_to_light_clip=matrix)
                array.render(moderngl.TRIANGLES, instances=instances)
        if pictured is not None:
            pictured.draw_shadow(matrix)
        target.scissor = None
        self.ctx.polygon_offset = 0.0, 0.0

    def invalidate(self) -> None:
        """Force a redraw in the next frame."""
        self._drawn_state = None

    def release(self) -> None:
        unbind_framebuffer(self.ctx)
        release_resources(self.target, self.texture)
