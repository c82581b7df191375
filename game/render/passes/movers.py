"""Mover pass: meshes of moving platforms, transformed on the CPU when their poses change."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from ..gl.context import set_state
from ..gl.programs import set_uniforms
from ..gl.quality import shader_defines, shadow_defines
from ..gl.render_pass import PassContext, RenderPass
from ..materials.pictured_movers import PicturedMovers
from ..scene.mover_lamps import MoverLight, SceneLamps
from ..scene.mover_meshes import FLOATS_PER_VERTEX, MOVER_VERTEX
from .frame import Frame
from .pictured import PicturedPass


def transform_vertices(vertices: npt.NDArray[np.float32], pose: npt.NDArray[np.float64]) -> npt.NDArray[np.float32]:
    """Vertices with positions and normals transformed by a pose (3, 4)."""
    transformed = vertices.copy()
    rotation = pose[:, :3].T.astype(np.float64)
    transformed[:, :3] = vertices[:, :3].astype(np.float64) @ rotation + pose[:, 3]
    transformed[:, 3:6] = vertices[:, 3:6] @ rotation
    return transformed


class MoverPass(RenderPass):
    """Draws the movers of a level. vertices: (n, FLOATS_PER_VERTEX) for each mover, in its own frame.

    pictured: pass and vertices of the triangles with pictures; None without any. The pass is released with this one.
    lamps: those of the scene, or None for a scene without; the vertices then have their light in a second buffer.
    """

    def __init__(
        self, context: PassContext, vertices: tuple[npt.NDArray[np.float32], ...],
        pictured: tuple[PicturedPass, PicturedMovers] | None = None, lamps: SceneLamps | None = None,
    ) -> None:  # fmt: skip
        quality = context.quality
        super().__init__(context, shader_defines(context.reversed_depth, quality) | shadow_defines(quality))
        if quality.relief:
            self.defines["RELIEF"] = 1
        self._lamps = lamps
        self._mover_light, self._pictured_light = (None if lamps is None else MoverLight(lamps) for _ in range(2))
        if lamps is not None:
            self.defines["LAMPS"] = 1
        self._vertices = vertices
        self._count = sum(map(len, vertices))
        self.pictured = None if pictured is None else self.own(pictured[0])
        self._pictured_vertices = None if pictured is None else pictured[1]
        self._buffer = self.own(self.ctx.buffer(reserve=4 * FLOATS_PER_VERTEX * max(self._count, 1)))
        self._light_buffer = None if lamps is None else self.own(self.ctx.buffer(reserve=12 * max(self._count, 1)))
        self._poses: npt.NDArray[np.float64] | None = None
        self.caster_positions = np.zeros((0, 3))  # current positions of all vertices, metres

    def use_light_probes(self) -> None:
        """Renew the light of lamps: from now on light probes have a part of it."""
        if self._lamps is not None and not self._lamps.has_probes:
            self._lamps.has_probes = True
            self._poses = None

    def rebuild(self) -> None:
        """Forget the vertex arrays; they are made again with the current programs."""
        super().rebuild()
        if self.pictured is not None:
            self.pictured.rebuild()

    def upload_poses(self, poses: Any) -> bool:
        """Transform all movers by poses (K, 3, 4) and upload them. Returns whether there is anything to draw.

        Poses: physics.environment.movers.
        """
        if not (self._count or self.pictured) or poses is None or len(poses) != len(self._vertices):
            return False
        poses = np.asarray(poses, dtype=np.float64)
        is_lit = all(light is None or light.is_current for light in (self._mover_light, self._pictured_light))
        if self._poses is not None and np.array_equal(self._poses, poses) and is_lit:
            return True
        self._poses = poses.copy()
        casters = []
        if self._count:
            placed = [transform_vertices(vertices, pose) for vertices, pose in zip(self._vertices, poses, strict=True)]
            rows = np.concatenate(placed)
            self._buffer.write(rows.tobytes())
            if self._mover_light is not None and self._light_buffer is not None:
                self._light_buffer.write(self._mover_light.update(poses, placed).tobytes())
            casters.append(rows[:, :3].astype(np.float64))
        if self.pictured is not None and self._pictured_vertices is not None:
            vertices = self._pictured_vertices
            posed, at = vertices.posed(poses)
            blended = at[vertices.order.blended_first :, :3].reshape(-1, 3, 3)
            light = None
            if self._pictured_light is not None:
                own = [vertices.mover == k for k in range(len(poses))]
                found = self._pictured_light.update(poses, [at[mask].astype(np.float32) for mask in own])
                light = np.empty((len(at), 3), np.float32)
                light[np.concatenate([np.flatnonzero(mask) for mask in own])] = found
            self.pictured.write_vertices(posed, blended.mean(axis=1), light)
            casters.append(at[:, :3])
        self.caster_positions = np.concatenate(casters)
        return True

    def draw_shadow(self, world_to_light_clip: Any) -> None:
        """Draw the movers at the uploaded poses into a shadow map."""
        if self._count:
            array = self.array("shadow_map/shadow_map", (self._buffer, MOVER_VERTEX))
            set_uniforms(array.program, world_to_light_clip=world_to_light_clip)
            array.render(moderngl.TRIANGLES)
        if self.pictured is not None:
            self.pictured.draw_shadow(world_to_light_clip)

    def draw(self, frame: Frame) -> None:
        """Draw the movers at the poses of the snapshot."""
        if not self.upload_poses(frame.snapshot.movers):
            return
        set_state(self.ctx, frame.target, ">")
        if self._count:
            light = [] if self._light_buffer is None else [(self._light_buffer, "3f", "in_lamp_light")]
            self.array("level/mover", (self._buffer, MOVER_VERTEX), *light).render(moderngl.TRIANGLES)
        if self.pictured is not None:
            self.pictured.draw(frame)
