"""The sun's map of what moves: movers and balls, drawn anew whenever they are elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from ..gl.context import unbind_framebuffer
from ..gl.programs import set_uniforms
from ..scene.sun_map import PENUMBRA_RADIUS, SunProjection

Floats = npt.NDArray[np.float64]

GROWTH_MARGIN = 0.12  # of the box around all that has moved, added when something leaves it, so that it seldom grows
MIN_EXTENT = 0.5  # metres that the box measures at least along each side
MAX_CASTER_DISTANCE = 20.0  # metres outside the level beyond which, as when it has fallen out, nothing throws a shadow


class ShadowBounds:
    """The box in the sun's map of a level, 0..1 and depth, that holds all that has moved so far. It only grows, so
    that shadows do not creep when something else moves."""

    def __init__(self, fit: SunProjection, least: Floats, greatest: Floats) -> None:
        """least, greatest: the level's corners, metres."""
        self.fit = fit
        self._caster_limits = least - MAX_CASTER_DISTANCE, greatest + MAX_CASTER_DISTANCE
        self.low = self.high = np.zeros(3)
        self.empty = True
        # units of the map per metre: the sides are alike, the depth is not
        self._map_units_per_metre = np.linalg.norm(fit.world_to_map[:3, :3], axis=0)

    def expand_to_include(self, places: Floats, radii: Floats | float = 0.0) -> None:
        """Make it hold balls, or corners, at places (n, 3) in metres; what is not finite or far away does not count."""
        if not len(places):
            return
        spots = places @ self.fit.world_to_map[:3, :3] + self.fit.world_to_map[3, :3]
        reach = np.multiply.outer(np.broadcast_to(radii, len(places)), self._map_units_per_metre)
        near = ((places >= self._caster_limits[0]) & (places <= self._caster_limits[1])).all(axis=1)
        if not near.any():
            return
        low, high = (spots - reach)[near].min(axis=0), (spots + reach)[near].max(axis=0)
        if not self.empty:
            if (low >= self.low).all() and (high <= self.high).all():
                return
            low, high = np.minimum(low, self.low), np.maximum(high, self.high)
        middle = (low + high) / 2
        half = np.maximum((0.5 + GROWTH_MARGIN) * (high - low), 0.5 * MIN_EXTENT * self._map_units_per_metre)
        half[:2] = half[:2].max()
        self.low, self.high, self.empty = middle - half, middle + half, False

    def scale_and_offset(self) -> tuple[Floats, Floats]:
        """What brings a place in the level's map, (3,) 0..1, to this one's."""
        scale = 1.0 / (self.high - self.low)
        return scale, -self.low * scale

    def world_to_clip(self) -> Floats:
        """(4, 4), for row vectors."""
        scale, offset = self.scale_and_offset()
        matrix = np.array(self.fit.world_to_map)
        matrix[:, :3] = matrix[:, :3] * scale + np.outer(matrix[:, 3], offset)
        matrix[:, :3] = 2.0 * matrix[:, :3] - matrix[:, 3:]
        return matrix


class DynamicShadowMap:
    """A depth texture that compares when it is read; beyond its edge everything is lit."""

    def __init__(self, ctx: Any, size: int) -> None:
        self.ctx, self.size = ctx, max(size, 4)
        self.texture = ctx.depth_texture((self.size, self.size))
        self.texture.compare_func = "<="
        self.texture.filter = (moderngl.LINEAR, moderngl.LINEAR)
        self.texture.repeat_x = self.texture.repeat_y = False
        self.target = ctx.framebuffer(depth_attachment=self.texture)
        self.bounds: ShadowBounds | None = None
        self._drawn_state: tuple[bytes, ...] | None = None

    def reset_for_level(self, fit: SunProjection, least: Floats, greatest: Floats) -> None:
        """Begin anew for another level's sun, and its corners."""
        self.bounds, self._drawn_state = ShadowBounds(fit, least, greatest), None

    def uniforms(self, anything: bool) -> tuple[Floats, Floats]:
        """Of the frame's block: scale (w: 1 where anything is in the map) and offset (w: radius of the penumbra)."""
        scale, offset = np.zeros(4), np.zeros(4)
        if anything and self.bounds is not None and not self.bounds.empty:
            scale[:3], offset[:3] = self.bounds.scale_and_offset()
            scale[3], offset[3] = 1.0, PENUMBRA_RADIUS / self.bounds.fit.map_width * scale[0]
        return scale, offset

    def draw(self, corners: Any, balls: Any, count: int, where: Sequence[npt.NDArray[Any]]) -> None:
        """Draw movers' corners (a vertex array, or None) and `count` balls; `where`: what tells whether they moved."""
        box = self.bounds
        if box is None or box.empty:
            return
        now = (box.low.tobytes(), box.high.tobytes(), *(np.ascontiguousarray(one).tobytes() for one in where))
        if now == self._drawn_state:
            return
        self._drawn_state = now
        target, matrix = self.target, box.world_to_clip().astype("f4").ravel()
        target.use()
        target.viewport = (0, 0, self.size, self.size)
        target.scissor = None
        target.depth_mask = True
        target.clear(depth=1.0)
        target.scissor = (1, 1, self.size - 2, self.size - 2)  # the rim stays lit: a texture repeats its edge
        self.ctx.enable_only(moderngl.DEPTH_TEST)
        self.ctx.depth_func = "<"
        self.ctx.wireframe = False
        self.ctx.polygon_offset = 2.0, 2.0
        for array, instances in ((corners, 1), (balls, count)):
            if array is not None and instances:
                set_uniforms(array.program, world_to_light_clip=matrix)
                array.render(moderngl.TRIANGLES, instances=instances)
        target.scissor = None
        self.ctx.polygon_offset = 0.0, 0.0

    def invalidate(self) -> None:
        """Draw anew at the next picture, whatever has moved."""
        self._drawn_state = None

    def release(self) -> None:
        unbind_framebuffer(self.ctx)
        self.target.release()
        self.texture.release()
