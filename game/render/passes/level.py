"""Passes of the level: its static triangles after a depth prepass, its movers, and the sky where nothing is drawn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import moderngl
import numpy as np

from ...core.vectors import Floats
from ..gl.programs import set_uniforms
from ..gl.quality import lamp_defines, shader_defines, shadow_defines
from ..gl.render_pass import FRAME_UNITS, OWN_UNIT, PassContext, RenderPass, draw_culling_closed, set_state
from ..materials.pictured_mesh import LIGHTMAPPED_VERTEX
from ..scene.lamps import LAMP_DEFINES, LampsOnMovers, SceneLamps
from ..scene.mover_meshes import MOVER_VERTEX, MoverMeshes
from ..scene.scene import MoverAppearance
from .frame import Frame
from .pictured import PicturedPass
from .zones import LENS_DISTANCE

CLOUD_SIZE = 256  # texels along the cloud noise texture
DETAIL_SIZE = 128  # texels along the noise on surfaces near the eye


class LevelPass(RenderPass):
    """Draws the triangles of a level with procedural textures.

    buffer: LIGHTMAPPED_VERTEX rows, of which the first `closed_count` bound solids: their back faces are culled.
    lamp_count: lamps that movers carry. has_water: whether the eye can be under water. The shader of a level without
    lamps, water or near shadow map has no code for them.
    """

    def __init__(
        self, context: PassContext, buffer: Any, closed_count: int, lamp_count: int = 0, has_water: bool = False
    ) -> None:
        quality = context.quality
        super().__init__(context, shader_defines(context.reversed_depth, quality))
        self._detail: Any = None  # of surfaces near the eye, where relief gives them none
        if quality.relief:
            self.defines["RELIEF"] = 1
        else:
            self._detail = self.own(noise_texture(self.ctx, DETAIL_SIZE, 12.0, 0.7))
            self._detail.filter = (moderngl.LINEAR, moderngl.LINEAR)
        self._buffer, self._closed_count = buffer, closed_count
        self._shading = shadow_defines(quality) | lamp_defines(lamp_count, quality.lamp_shadow_size)
        self._has_water = has_water
        self._is_empty = buffer.size < 3 * LIGHTMAPPED_VERTEX.itemsize

    def compile_steps(self) -> Iterator[None]:
        """Compile the programs, with a yield after each."""
        for has_dynamic_shadows in (False, True):
            for is_under_water in (False, True)[: 1 + self._has_water]:
                self._shading_array(has_dynamic_shadows, is_under_water)
                yield

    def _shading_array(self, has_dynamic_shadows: bool, is_under_water: bool) -> Any:
        defines = dict(self._shading)
        if has_dynamic_shadows:
            defines["DYNAMIC_SHADOWS"] = 1
        if is_under_water:
            defines |= {"UNDER_WATER": 1, "LENS_DISTANCE": LENS_DISTANCE}
        key = has_dynamic_shadows, is_under_water
        return self.array("level/level", (self._buffer, LIGHTMAPPED_VERTEX), key=key, defines=defines, detail=OWN_UNIT)

    def draw_depth(self, frame: Frame) -> None:
        """Depth prepass; the colours stay masked. On a software rasteriser, shading a pixel twice costs more than all
        vertices."""
        set_state(self.ctx, frame.target, ">")
        frame.target.color_mask = False, False, False, False
        if not self._is_empty:
            array = self.array("level/depth_prepass", (self._buffer, LIGHTMAPPED_VERTEX))
            draw_culling_closed(self.ctx, array, self._closed_count)

    def draw_shadow(self, world_to_light_clip: Any) -> None:
        """Draw the level into a shadow map; of what bounds solids only front faces."""
        if not self._is_empty:
            array = self.array("shadow_map/shadow_map", (self._buffer, LIGHTMAPPED_VERTEX))
            set_uniforms(array.program, world_to_light_clip=world_to_light_clip)
            draw_culling_closed(self.ctx, array, self._closed_count)

    def draw(self, frame: Frame) -> None:
        """Shade the level after `draw_depth`."""
        frame.target.color_mask = True, True, True, True
        self.ctx.depth_func = ">="
        if not self._is_empty:
            array = self._shading_array(frame.has_dynamic_shadows, frame.is_lens_in_water and self._has_water)
            if self._detail is not None:
                self._detail.use(OWN_UNIT)
            if frame.moving_lamps:
                set_uniforms(array.program, moving_lamps=frame.moving_lamps)
            draw_culling_closed(self.ctx, array, self._closed_count)


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


def noise_texture(ctx: Any, size: int, longest: float, power: float) -> Any:
    """Tileable noise of one channel, `size` texels a side, grey on average.

    Coarse patterns are stronger than fine ones: the amplitude grows as the wavelength to the power of `power`. From
    `longest` texels on it grows no more.
    """
    spectrum = np.fft.rfft2(np.random.default_rng(4).normal(size=(size, size)))
    frequency = np.hypot(np.fft.fftfreq(size)[:, None], np.fft.rfftfreq(size)[None])
    spectrum *= np.maximum(frequency, 1.0 / longest) ** -power
    spectrum[0, 0] = 0.0
    field = np.fft.irfft2(spectrum, s=(size, size))
    pixels = np.clip(127.5 + 52.0 * field / field.std(), 0, 255).astype(np.uint8)
    texture = ctx.texture((size, size), 1, pixels.tobytes())
    texture.build_mipmaps()
    texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
    return texture


class SkyPass(RenderPass):
    """Draws a full-screen triangle at infinite depth, after the level and movers: only visible sky is shaded."""

    def __init__(self, context: PassContext) -> None:
        quality = context.quality
        super().__init__(context, shader_defines(context.reversed_depth, quality) | {"CLOUDS": quality.clouds})
        self._clouds = self.own(noise_texture(self.ctx, CLOUD_SIZE, CLOUD_SIZE / 1.5, 1.35))
        self.rebuild()

    def rebuild(self) -> None:
        """Bind the current program."""
        super().rebuild()
        self._array = self.array("level/sky", clouds=OWN_UNIT)

    def draw(self, frame: Frame) -> None:
        """Draw behind all geometry."""
        set_state(self.ctx, frame.target)
        self._clouds.use(OWN_UNIT)
        self._array.render(moderngl.TRIANGLES, vertices=3)
