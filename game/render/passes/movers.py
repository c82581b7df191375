"""Mover pass: meshes of moving platforms, transformed on the CPU when their poses change."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from ..gl.context import release_resources
from ..gl.programs import ShaderCache, set_uniforms
from ..gl.quality import Quality, shader_defines
from ..scene.mover_meshes import ATTRIBUTE_NAMES, FLOATS_PER_VERTEX


def transform_vertices(vertices: npt.NDArray[np.float32], pose: npt.NDArray[np.float64]) -> npt.NDArray[np.float32]:
    """Vertices with positions and normals transformed by a pose (3, 4)."""
    transformed = vertices.copy()
    rotation = pose[:, :3].T.astype(np.float64)
    transformed[:, :3] = vertices[:, :3].astype(np.float64) @ rotation + pose[:, 3]
    transformed[:, 3:6] = vertices[:, 3:6] @ rotation
    return transformed


class MoverPass:
    """Draws the movers of a level. vertices: (n, FLOATS_PER_VERTEX) for each mover, in its own frame."""

    def __init__(
        self,
        ctx: Any,
        vertices: tuple[npt.NDArray[np.float32], ...],
        quality: Quality,
        programs: ShaderCache,
        reversed_depth: bool,
    ) -> None:
        self.ctx, self.programs = ctx, programs
        self.defines = shader_defines(reversed_depth, quality) | {"SHADOW_TAPS": quality.shadow_taps}
        self._vertices = vertices
        self._count = sum(map(len, vertices))
        self._buffer: Any = None
        self._array: Any = None
        self._shadow_array: Any = None
        self._poses: npt.NDArray[np.float64] | None = None
        self.caster_positions = np.zeros((0, 3))  # current positions of all vertices, metres

    def rebuild(self) -> None:
        """Forget the vertex arrays; they are created again with the current programs."""
        release_resources(self._array, self._shadow_array)
        self._array = self._shadow_array = None

    def upload_poses(self, poses: Any) -> Any:
        """Transform all movers by poses (K, 3, 4) and upload them.

        Returns the vertex array for the shadow map, or None without movers. Poses:
        physics.environment.moving_platforms.
        """
        if not self._count or poses is None or len(poses) != len(self._vertices):
            return None
        if self._buffer is None:
            self._buffer = self.ctx.buffer(reserve=4 * FLOATS_PER_VERTEX * self._count)
        poses = np.asarray(poses, dtype=np.float64)
        if self._poses is None or not np.array_equal(self._poses, poses):
            rows = np.concatenate(
                [transform_vertices(vertices, pose) for vertices, pose in zip(self._vertices, poses, strict=True)]
            )
            self._buffer.write(rows.tobytes())
            self._poses = poses.copy()
            self.caster_positions = rows[:, :3].astype(np.float64)
        if self._shadow_array is None:
            program = self.programs.get("shadow_map/shadow_map.vert.glsl", "shadow_map/shadow_map.frag.glsl")
            layout = f"3f {4 * (FLOATS_PER_VERTEX - 3)}x"
            self._shadow_array = self.ctx.vertex_array(program, [(self._buffer, layout, "in_position")])
        return self._shadow_array

    def draw(self, target: Any, poses: Any, shadow_map: Any, colour_textures: Any, dynamic_shadow_map: Any) -> None:
        """Draw the movers at these poses."""
        if self.upload_poses(poses) is None:
            return
        if self._array is None:
            program = self.programs.get("level/mover.vert.glsl", "level/mover.frag.glsl", **self.defines)
            set_uniforms(program, shadow_map=0, colour_textures=1, dynamic_shadow_map=2)
            self._array = self.ctx.vertex_array(program, [(self._buffer, "3f 3f 3f 3f 1f", *ATTRIBUTE_NAMES)])
        self.ctx.enable_only(moderngl.DEPTH_TEST)
        self.ctx.depth_func = ">"
        self.ctx.front_face = "ccw"
        self.ctx.wireframe = False
        for unit, texture in enumerate((shadow_map, colour_textures, dynamic_shadow_map)):
            texture.use(unit)
        self._array.render(moderngl.TRIANGLES)

    def release(self) -> None:
        self.rebuild()
        release_resources(self._buffer)
        self._buffer = None
