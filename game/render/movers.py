"""What moves, drawn where it is: each mover's triangles in its own frame, placed anew for every picture."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from .model import TEXTURES, Model, linear
from .programs import Programs, put
from .quality import Quality
from .scene import Scene
from .surfaces import TILE

NAMES = ("in_position", "in_normal", "in_tile", "in_colour")
WIDTH = 12  # floats a corner


def corners_of(scene: Scene, number: int) -> tuple[npt.NDArray[np.float32], tuple[str, ...]]:
    """(corners, WIDTH) of a mover in its own frame; and the textures that it needs."""
    look = scene.movers[number]
    model = Model.from_scene(Scene(look.triangles, look.surface_index, scene.surfaces))
    count = len(model.triangles)
    rows = np.zeros((count, 3, WIDTH), np.float32)
    rows[..., :3] = model.triangles
    rows[..., 3:6] = model.normals[:, None]
    size = np.array([TILE[name] for name in TEXTURES])[model.layers]
    rows[..., 6:8] = model.metres / size[:, None, None]
    rows[..., 8] = model.layers[:, None]
    rows[..., 9:] = linear(model.colours)[:, None]
    return rows.reshape(-1, WIDTH), model.textures


def placed(corners: npt.NDArray[np.float32], pose: npt.NDArray[np.float64]) -> npt.NDArray[np.float32]:
    """The same corners by a pose (3, 4)."""
    out = corners.copy()
    turn = pose[:, :3].T.astype(np.float64)
    out[:, :3] = corners[:, :3].astype(np.float64) @ turn + pose[:, 3]
    out[:, 3:6] = corners[:, 3:6] @ turn
    return out


class Movers:
    """Draws the movers of one level into the bound framebuffer."""

    def __init__(self, ctx: Any, scene: Scene, quality: Quality, programs: Programs, reversed_depth: bool) -> None:
        self.ctx, self.programs = ctx, programs
        self.defines: dict[str, object] = {"SHADOW_TAPS": quality.shadow_taps}
        if not quality.exact:
            self.defines |= {"QUICK_SRGB": 1, "PLAIN_VEIL": 1}
        if reversed_depth:
            self.defines["REVERSED"] = 1
        self._corners = [corners_of(scene, k)[0] for k in range(len(scene.movers))]
        self._count = sum(map(len, self._corners))
        self._buffer: Any = None
        self._array: Any = None
        self._poses: Any = None

    def rebuild(self) -> None:
        if self._array is not None:
            self._array.release()
        self._array = None

    def draw(self, target: Any, poses: Any, sun_map: Any, tints: Any) -> None:
        """poses (K, 3, 4): see game.physics.movers."""
        if not self._count or len(poses) != len(self._corners):
            return
        if self._buffer is None:
            self._buffer = self.ctx.buffer(reserve=4 * WIDTH * self._count)
        if self._array is None:
            program = self.programs.get("mover.vert.glsl", "mover.frag.glsl", **self.defines)
            put(program, sun_map=0, tints=1)
            self._array = self.ctx.vertex_array(program, [(self._buffer, "3f 3f 3f 3f", *NAMES)])
        poses = np.asarray(poses, dtype=np.float64)
        if self._poses is None or not np.array_equal(self._poses, poses):
            parts = [placed(corners, pose) for corners, pose in zip(self._corners, poses, strict=True)]
            self._buffer.write(np.concatenate(parts).tobytes())
            self._poses = poses
        self.ctx.enable_only(moderngl.DEPTH_TEST)
        self.ctx.depth_func = ">"
        self.ctx.front_face = "ccw"
        self.ctx.wireframe = False
        sun_map.use(0)
        tints.use(1)
        self._array.render(moderngl.TRIANGLES)

    def release(self) -> None:
        self.rebuild()
        if self._buffer is not None:
            self._buffer.release()
        self._buffer = None
