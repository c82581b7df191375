"""Shadows of the lamps that movers carry: a depth map of six faces around each of the nearest, seen from the lamp."""

from __future__ import annotations

import math
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from ...core.vectors import Floats, Point
from ...level.materials import AlphaMode
from ..gl.context import depth_map_texture, release_resources, unbind_framebuffer
from ..gl.programs import ShaderCache, set_uniforms
from ..gl.quality import LAMP_SHADOW_UNIT, MAX_SHADOWED_LAMPS
from ..gl.shader_constants import SHADER_CONSTANTS
from .lamps import Floats32, SceneLamps

NEAR = SHADER_CONSTANTS["LAMP_SHADOW_NEAR"]


class LampShadows:
    """Depth texture with hardware comparison: for each shadowed lamp two rows of three square tiles.

    Tiles look along x, y and z; the first row along the positive axes. The filter needs two texels around them.
    """

    def __init__(self, ctx: Any, lamps: SceneLamps, size: int, programs: ShaderCache) -> None:
        self.ctx, self.size, self.programs = ctx, size, programs
        self.slots = min(lamps.moving_count, MAX_SHADOWED_LAMPS)
        self.texture = depth_map_texture(ctx, (3 * size, 2 * size * self.slots))
        self._target = ctx.framebuffer(depth_attachment=self.texture)
        scene = lamps.scene
        opaque = np.array([one.pbr is None or one.pbr.alpha_mode is AlphaMode.OPAQUE for one in scene.surfaces], bool)
        self._triangles = scene.triangles[opaque[scene.surface_index]].astype(np.float32)
        self._low, self._high = self._triangles.min(axis=1), self._triangles.max(axis=1)
        self._buffer: Any = None
        self._drawn_state: bytes | None = None

    def draw(self, rows: Floats32, poses: Any, eye: Point, mover_positions: Floats) -> None:
        """Redraw the map if a lamp or a mover has moved; write into rows (n, 8) the slot of each lamp, or -1.

        rows: `SceneLamps.moving_rows`. mover_positions: (m, 3), three for each triangle of the movers, at the poses.
        """
        self.texture.use(LAMP_SHADOW_UNIT)
        rows[:, 7] = -1.0
        nearest = np.argsort(np.linalg.norm(rows[:, :3] - eye, axis=1) - rows[:, 3], kind="stable")[: self.slots]
        rows[nearest, 7] = np.arange(len(nearest))
        state = rows[nearest].tobytes() + (b"" if poses is None else np.asarray(poses).tobytes())
        if state == self._drawn_state:
            return
        self._drawn_state = state
        moving = mover_positions.reshape(-1, 3, 3).astype(np.float32)
        self._target.use()
        self._target.scissor = None
        self._target.depth_mask = True
        self._target.clear(depth=1.0)
        self.ctx.enable_only(moderngl.DEPTH_TEST)
        self.ctx.depth_func = "<"
        self.ctx.polygon_offset = 2.0, 2.0
        program = self.programs.get("shadow_map/shadow_map.vert.glsl", "shadow_map/shadow_map.frag.glsl")
        for slot, row in enumerate(rows[nearest]):
            in_reach = ((self._low <= row[:3] + row[3]) & (self._high >= row[:3] - row[3])).all(axis=1)
            self._draw_lamp(program, slot, row, np.concatenate([self._triangles[in_reach], moving]))
        self.ctx.polygon_offset = 0.0, 0.0

    def _draw_lamp(self, program: Any, slot: int, row: Floats32, triangles: Floats32) -> None:
        low, high = triangles.min(axis=1), triangles.max(axis=1)
        middle = (low + high) / 2.0 - row[:3]
        radius = np.linalg.norm(high - low, axis=1) / 2.0
        for face in range(6):
            axis, sign = face % 3, 1 - 2 * (face // 3)
            across = np.abs(np.delete(middle, axis, axis=1)).max(axis=1)
            seen = triangles[across - sign * middle[:, axis] < math.sqrt(2.0) * radius]  # spheres that reach in
            if not len(seen):
                continue
            release_resources(self._buffer)
            self._buffer = self.ctx.buffer(seen.tobytes())
            array = self.ctx.vertex_array(program, [(self._buffer, "3f", "in_position")])
            column, line = face % 3, 2 * slot + face // 3
            self._target.viewport = (self.size * column, self.size * line, self.size, self.size)
            set_uniforms(program, world_to_light_clip=world_to_face(row, face, self.size).astype("f4").ravel())
            array.render(moderngl.TRIANGLES)
            array.release()

    def release(self) -> None:
        unbind_framebuffer(self.ctx)
        release_resources(self._target, self.texture, self._buffer)


def world_to_face(row: Floats32, face: int, size: int) -> npt.NDArray[np.float64]:
    """World to clip space (4, 4), for row vectors, of a face of the map around a lamp; as in point_lamp.glsl."""
    axis, sign = face % 3, 1.0 - 2.0 * (face // 3)
    at, far = row[:3].astype(np.float64), float(max(row[3], 2.0 * NEAR))
    matrix = np.zeros((4, 4))
    scale = (size - 4.0) / size
    matrix[(axis + 1) % 3, 0] = matrix[(axis + 2) % 3, 1] = scale
    matrix[axis, 2] = sign * (far + NEAR) / (far - NEAR)
    matrix[axis, 3] = sign
    matrix[3] = -at @ matrix[:3]
    matrix[3, 2] -= 2.0 * far * NEAR / (far - NEAR)
    return matrix
