"""Shadow maps: of the static level and of what moves, seen from the sun, and of the lamps that movers carry.

One map covers the whole level. At quality high, wide levels have a second cascade: a near map in the right half of the
texture, which follows the eye. scene/sun_map.py fits the orthographic projections.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from ...core.vectors import Floats, Point
from ...level.materials import AlphaMode
from ..gl.context import release_resources, unbind_framebuffer
from ..gl.programs import SHADER_CONSTANTS, ShaderCache, set_uniforms
from ..gl.quality import LAMP_SHADOW_UNIT, MAX_SHADOWED_LAMPS
from ..gl.render_pass import set_state
from ..scene.bake_input import Floats32
from ..scene.lamps import SceneLamps
from ..scene.sun_map import NEAR_WIDTH, PENUMBRA_RADIUS, ShadowProjection, near_map_offset

GUTTER = 8  # lit texels between the two maps; the filter at the edge of the map of the level reaches 4 texels
GROWTH_MARGIN = 0.12  # of the box size, added on each side when it grows, so that it grows rarely
MIN_EXTENT = 0.5  # metres: minimum size of the box
MAX_CASTER_DISTANCE = 20.0  # metres outside the level; bodies farther away, such as fallen balls, cast no shadow
Box = tuple[int, int, int, int]
LAMP_NEAR = SHADER_CONSTANTS["LAMP_SHADOW_NEAR"]


Casters = Callable[[Floats32], None]  # draws what casts shadows, by a matrix from the world to clip space (16,)


class DepthMap:
    """Depth texture with hardware comparison. Everything beyond its edge is lit."""

    def __init__(self, ctx: Any, width: int, height: int) -> None:
        self.ctx = ctx
        self._allocate(width, height)

    def _allocate(self, width: int, height: int) -> None:
        self.texture = self.ctx.depth_texture((width, height))
        self.texture.compare_func = "<="
        self.texture.filter = (moderngl.LINEAR, moderngl.LINEAR)
        self.texture.repeat_x = self.texture.repeat_y = False
        self.target = self.ctx.framebuffer(depth_attachment=self.texture)

    def clear(self, box: Box | None = None) -> None:
        """Clear a box (x, y, width, height) of texels, or the whole map."""
        self.target.use()
        self.target.depth_mask = True
        self.target.scissor = box
        self.target.clear(depth=1.0, viewport=box)

    def draw_part(self, viewport: Box, scissor: Box | None, matrix: Floats, *casters: Casters) -> None:
        """Draw casters by a matrix (4, 4) into a part of the map."""
        self.target.use()
        self.target.viewport, self.target.scissor = viewport, scissor
        set_state(self.ctx, self.target, "<")
        self.ctx.polygon_offset = (2.0, 2.0)
        for cast in casters:
            cast(matrix.astype("f4").ravel())
        self.target.scissor, self.ctx.polygon_offset = None, (0.0, 0.0)

    def release(self) -> None:
        unbind_framebuffer(self.ctx)
        release_resources(self.target, self.texture)


class SunShadowMap(DepthMap):
    """Shadows of the level.

    near_offset: place of the near map (near_map_offset), None until it is drawn.
    """

    def __init__(self, ctx: Any, size: int) -> None:
        super().__init__(ctx, size, size)
        self.size = size
        self.near_offset: Floats | None = None

    def set_near(self, has_near: bool) -> None:
        """Allocate or free the half of the near map. A changed texture is a new one and has to be drawn."""
        width = self.size * (2 if has_near else 1)
        if self.texture.width != width:
            self.release()
            self._allocate(width, self.size)

    def draw_in_bands(self, casters: Casters, fit: ShadowProjection, count: int) -> Iterator[None]:
        """Draw the level as seen from the sun in `count` horizontal bands, with a yield between two of them."""
        self.clear()
        self.near_offset = None
        # The outermost texels stay lit: a texture without a border colour repeats its edge.
        edges = [1 + (self.size - 2) * k // count for k in range(count + 1)]
        for low, high in itertools.pairwise(edges):
            if low > 1:
                yield
            box = (1, low, self.size - 2, high - low)
            self.draw_part((0, 0, self.size, self.size), box, fit.world_to_clip, casters)

    def draw_near(self, casters: Casters, fit: ShadowProjection, focus: Floats) -> None:
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
        self.clear(box)
        self.draw_part((self.size, 0, self.size, self.size), box, matrix, casters)


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


class DynamicShadowMap(DepthMap):
    """Shadows of movers and balls, redrawn when one of them moves."""

    def __init__(self, ctx: Any, size: int) -> None:
        """size: texels along a side; 0 for a map that stays empty."""
        self.size, self._is_used = max(size, 4), size > 0
        super().__init__(ctx, self.size, self.size)
        self._drawn_state: tuple[bytes, ...] | None = None

    def reset_for_level(self, fit: ShadowProjection, low: Floats, high: Floats) -> None:
        """Start with empty bounds for another level. low, high: its corners, metres."""
        self._bounds = ShadowBounds(fit, low, high)
        self._drawn_state = None

    def uniforms(self, has_content: bool) -> tuple[Floats, Floats]:
        """Scale and offset (4,) for the frame block; w: 1 if the map has content, and the penumbra radius."""
        scale, offset = np.zeros(4), np.zeros(4)
        if has_content and not self._bounds.empty:
            scale[:3], offset[:3] = self._bounds.scale_and_offset()
            scale[3], offset[3] = 1.0, PENUMBRA_RADIUS / self._bounds.fit.map_width * scale[0]
        return scale, offset

    def draw(self, moving: Sequence[tuple[Casters, Floats, Floats | float]]) -> bool:
        """Redraw the map if one of these has moved. Returns whether the map has content.

        moving: what draws them, their points (n, 3), and radii (n,) around these, metres.
        """
        if not self._is_used or not moving:
            return False
        bounds = self._bounds
        for _, points, radii in moving:
            bounds.expand_to_include(points, radii)
        arrays = [np.asarray(values) for _, *places in moving for values in places]
        state = tuple(values.tobytes() for values in (bounds.low, bounds.high, *arrays))
        if not bounds.empty and state != self._drawn_state:
            self._drawn_state = state
            self.clear()
            # The outermost texels stay lit: the texture repeats its edge.
            box = (1, 1, self.size - 2, self.size - 2)
            casters = (cast for cast, *_ in moving)
            self.draw_part((0, 0, self.size, self.size), box, bounds.world_to_clip(), *casters)
        return True

    def invalidate(self) -> None:
        """Force a redraw in the next frame."""
        self._drawn_state = None


class LampShadows(DepthMap):
    """Shadows around carried lamps: for each shadowed lamp two rows of three square tiles.

    Tiles look along x, y and z; the first row along the positive axes. The filter needs two texels around them.
    """

    def __init__(self, ctx: Any, lamps: SceneLamps, size: int, programs: ShaderCache) -> None:
        self.size, self.programs = size, programs
        self.slots = min(lamps.moving_count, MAX_SHADOWED_LAMPS)
        super().__init__(ctx, 3 * size, 2 * size * self.slots)
        scene = lamps.scene
        opaque = np.array([one.pbr is None or one.pbr.alpha_mode is AlphaMode.OPAQUE for one in scene.surfaces], bool)
        self._triangles = scene.triangles[opaque[scene.surface_index]].astype(np.float32)
        self._low, self._high = self._triangles.min(axis=1), self._triangles.max(axis=1)
        self._drawn_state: bytes | None = None

    def draw(self, rows: Floats32, poses: Any, eye: Point, cast_movers: Casters) -> None:
        """Redraw the map if a lamp or a mover has moved; write into rows (n, 8) the slot of each lamp, or -1.

        rows: `SceneLamps.moving_rows`. cast_movers: draws the movers at the poses.
        """
        self.texture.use(LAMP_SHADOW_UNIT)
        rows[:, 7] = -1.0
        nearest = np.argsort(np.linalg.norm(rows[:, :3] - eye, axis=1) - rows[:, 3], kind="stable")[: self.slots]
        rows[nearest, 7] = np.arange(len(nearest))
        state = rows[nearest].tobytes() + (b"" if poses is None else np.asarray(poses).tobytes())
        if state == self._drawn_state:
            return
        self._drawn_state = state
        self.clear()
        program = self.programs.get("shadow_map/shadow_map.vert.glsl", "shadow_map/shadow_map.frag.glsl")
        for slot, row in enumerate(rows[nearest]):
            in_reach = ((self._low <= row[:3] + row[3]) & (self._high >= row[:3] - row[3])).all(axis=1)
            self._draw_lamp(program, slot, row, self._triangles[in_reach], cast_movers)

    def _draw_lamp(self, program: Any, slot: int, row: Floats32, triangles: Floats32, cast_movers: Casters) -> None:
        low, high = triangles.min(axis=1), triangles.max(axis=1)
        middle = (low + high) / 2.0 - row[:3]
        radius = np.linalg.norm(high - low, axis=1) / 2.0
        for face in range(6):
            axis, sign = face % 3, 1 - 2 * (face // 3)
            across = np.abs(np.delete(middle, axis, axis=1)).max(axis=1)
            seen = triangles[across - sign * middle[:, axis] < math.sqrt(2.0) * radius]  # spheres that reach in
            buffer = self.ctx.buffer(seen.tobytes() or bytes(36))
            array = self.ctx.vertex_array(program, [(buffer, "3f", "in_position")])
            column, line = face % 3, 2 * slot + face // 3

            def cast(matrix: Floats32, array: Any = array) -> None:
                set_uniforms(program, world_to_light_clip=matrix)
                array.render(moderngl.TRIANGLES)

            part = (self.size * column, self.size * line, self.size, self.size)
            self.draw_part(part, None, world_to_face(row, face, self.size), cast, cast_movers)
            release_resources(array, buffer)


def world_to_face(row: Floats32, face: int, size: int) -> npt.NDArray[np.float64]:
    """World to clip space (4, 4), for row vectors, of a face of the map around a lamp; as in point_lamp.glsl."""
    axis, sign = face % 3, 1.0 - 2.0 * (face // 3)
    at, far = row[:3].astype(np.float64), float(max(row[3], 2.0 * LAMP_NEAR))
    matrix = np.zeros((4, 4))
    scale = (size - 4.0) / size
    matrix[(axis + 1) % 3, 0] = matrix[(axis + 2) % 3, 1] = scale
    matrix[axis, 2] = sign * (far + LAMP_NEAR) / (far - LAMP_NEAR)
    matrix[axis, 3] = sign
    matrix[3] = -at @ matrix[:3]
    matrix[3, 2] -= 2.0 * far * LAMP_NEAR / (far - LAMP_NEAR)
    return matrix
