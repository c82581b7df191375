"""Mover pass: moving platforms, placed by the shaders, and the poses that signs and lamps on them share."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np

from ...core.vectors import Floats
from ..gl.context import set_state
from ..gl.programs import set_uniforms
from ..gl.quality import shader_defines, shadow_defines
from ..gl.render_pass import FRAME_UNITS, PassContext, RenderPass
from ..scene.mover_lamps import LAMP_DEFINES, LampsOnMovers, SceneLamps
from ..scene.mover_meshes import MOVER_VERTEX, MoverMeshes
from ..scene.scene import MoverAppearance
from .frame import Frame
from .pictured import PicturedPass


class MoverPass(RenderPass):
    """Draws the movers of a level, whose poses are rows of a texture (shaders/include/mover.glsl).

    pictured: pass of the triangles with pictures, which is released with this one; None without any. lamps: those of
    the scene, or None for a scene without.
    """

    def __init__(
        self, context: PassContext, movers: tuple[MoverAppearance, ...], meshes: MoverMeshes,
        pictured: PicturedPass | None = None, lamps: SceneLamps | None = None,
    ) -> None:  # fmt: skip
        quality = context.quality
        super().__init__(context, shader_defines(context.reversed_depth, quality) | shadow_defines(quality))
        self.defines |= {"MOVER": 1, **({} if lamps is None else LAMP_DEFINES)}
        if quality.relief:
            self.defines["RELIEF"] = 1
        self._meshes, self._scene_lamps = meshes, lamps
        self.pictured = None if pictured is None else self.own(pictured)
        self._buffer = self.own(self.ctx.buffer(meshes.vertices.tobytes())) if len(meshes.vertices) else None
        self._lamps = None if lamps is None else LampsOnMovers(lamps)
        lamp_texels = 0 if self._lamps is None else 2 * self._lamps.rows.shape[1]
        self._rows = np.zeros((1 + len(movers), 3 + lamp_texels, 4), np.float32)
        self._rows[0, :3] = np.eye(3, 4)
        self._homes = np.tile(np.eye(3, 4), (len(movers), 1, 1))
        self._homes[:, :, 3] = np.array([mover.at for mover in movers]).reshape(-1, 3)
        self._poses: Floats | None = None
        self._texture = self.own(self.ctx.texture((self._rows.shape[1], len(self._rows)), 4, dtype="f4"))
        self._texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
        self.is_shown = False  # whether there are poses of movers
        self.corners = meshes.corners  # in the world, m

    def use_light_probes(self) -> None:
        """Renew the light of lamps: from now on light probes have a part of it."""
        if self._scene_lamps is not None and not self._scene_lamps.has_probes:
            self._scene_lamps.has_probes = True
            self._poses = None

    def rebuild(self) -> None:
        """Forget the vertex arrays; they are made again with the current programs."""
        super().rebuild()
        if self.pictured is not None:
            self.pictured.rebuild()

    def upload_poses(self, poses: Any) -> None:
        """Bind the texture of the poses (K, 3, 4) of physics.environment.movers. None: at home, and not shown."""
        self._texture.use(FRAME_UNITS["movers"])
        self.is_shown = bool(len(self._homes)) and poses is not None and len(poses) == len(self._homes)
        poses = np.asarray(poses, dtype=np.float64) if self.is_shown else self._homes
        is_lit = self._lamps is None or self._lamps.is_current
        if self._poses is not None and np.array_equal(self._poses, poses) and is_lit:
            return
        self._poses = poses.copy()
        self._rows[1:, :3] = poses
        if self._lamps is not None:
            self._lamps.update(poses)
            self._rows[1:, 3:] = self._lamps.rows.reshape(len(poses), -1, 4)
        self._texture.write(self._rows.tobytes())
        pose = poses[self._meshes.carriers]
        self.corners = np.einsum("nij,nj->ni", pose[:, :, :3], self._meshes.corners) + pose[:, :, 3]
        if self.pictured is not None:
            self.pictured.move_blended(poses)

    def draw_shadow(self, world_to_light_clip: Any) -> None:
        """Draw the movers at the uploaded poses into a shadow map."""
        if self._buffer is not None:
            rows = self._buffer, MOVER_VERTEX
            array = self.array("shadow_map/mover_shadow_map", rows, fragment="shadow_map/shadow_map")
            set_uniforms(array.program, world_to_light_clip=world_to_light_clip)
            array.render(moderngl.TRIANGLES)
        if self.pictured is not None:
            self.pictured.draw_shadow(world_to_light_clip)

    def draw(self, frame: Frame) -> None:
        """Draw the movers at the uploaded poses."""
        if not self.is_shown:
            return
        set_state(self.ctx, frame.target, ">")
        if self._buffer is not None:
            self.array("level/mover", (self._buffer, MOVER_VERTEX)).render(moderngl.TRIANGLES)
        if self.pictured is not None:
            self.pictured.draw(frame)
