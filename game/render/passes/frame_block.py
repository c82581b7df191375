"""The uniform block that all programs of a picture share, and the framebuffers that it is drawn into."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..camera import Camera
from ..gl.programs import FRAME_BINDING
from ..scene.daylight import Daylight
from ..scene.sun_map import PENUMBRA_RADIUS, SunProjection
from ..snapshot import Body

LOG_DEPTH_FAR = 1e5  # metres that a logarithmic depth still tells apart

# shaders/include/frame_block.glsl, field by field; std140 keeps vec4s and mat4s as they are
FRAME_BLOCK_DTYPE = np.dtype(
    [
        ("world_to_clip", "f4", (4, 4)),
        ("world_to_shadow", "f4", (4, 4)),
        *(
            (name, "f4", 4)
            for name in (
                "eye", "right", "up", "forward", "to_sun", "sunlight", "zenith", "horizon",
                "ground", "halo", "body_x", "body_y", "body_z", "body_sun", "viewport", "depth_parameters",
                "dynamic_shadow_scale", "dynamic_shadow_offset",
            )
        ),
    ]
)  # fmt: skip


class FrameBlock:
    """The block's bytes and its buffer: what is fixed is written once, the rest with every picture."""

    def __init__(self, ctx: Any) -> None:
        self.data = np.zeros((), FRAME_BLOCK_DTYPE)
        self.buffer = ctx.buffer(reserve=FRAME_BLOCK_DTYPE.itemsize)
        self.data["depth_parameters"][1] = 1.0 / math.log2(1.0 + LOG_DEPTH_FAR)
        self.write_body(None)

    def write_daylight(self, light: Daylight) -> None:
        for name in ("to_sun", "sunlight", "zenith", "horizon", "ground", "halo"):
            self.data[name][:3] = getattr(light, name)
        self.data["sunlight"][3] = light.haze
        self.data["ground"][3] = light.cloud_cover
        self.data["halo"][3] = light.disc_strength
        self.data["forward"][3] = light.stars
        self.data["right"][3] = light.disc_cosine

    def write_sun_map(self, fit: SunProjection, size: int) -> None:
        """The sun's map of `size` texels along a side."""
        self.data["world_to_shadow"] = fit.world_to_map
        self.data["to_sun"][3] = fit.map_width / size
        self.data["zenith"][3] = 1.0 / size
        self.data["horizon"][3] = PENUMBRA_RADIUS / fit.map_width

    def write_dynamic_shadows(self, scale: Any, offset: Any) -> None:
        """Where the sun's map of what moves lies in the level's: see `Casting.uniforms`."""
        self.data["dynamic_shadow_scale"], self.data["dynamic_shadow_offset"] = scale, offset

    def write_camera(self, view: Camera, size: tuple[int, int], time: float) -> None:
        aspect = size[0] / size[1]
        right, up, forward = view.basis()
        horizontal, vertical = view.half_fov_tangents(aspect)
        data = self.data
        data["world_to_clip"] = view.view_projection_matrix(aspect)
        data["eye"] = (*view.eye, time)
        data["right"][:3] = right * horizontal
        data["up"][:3] = up * vertical
        data["forward"][:3] = forward
        data["viewport"] = (size[0], size[1], 1.0 / size[0], 1.0 / size[1])
        data["depth_parameters"][0] = view.near

    def write_body(self, body: Body | None) -> None:
        """Rows that take a world point into the ellipsoid's unit sphere; far away where there is none."""
        if body is None:
            rows = np.zeros((3, 4))
            rows[:, 3] = 1e3
        else:
            s, c = math.sin(body.yaw), math.cos(body.yaw)
            (rx, ry, rz), centre = body.radii, np.asarray(body.centre)
            turn = np.array(((c / rx, 0.0, -s / rx), (0.0, 1.0 / ry, 0.0), (s / rz, 0.0, c / rz)))
            if body.up != (0.0, 1.0, 0.0) or body.north != (0.0, 0.0, -1.0):
                turn = turn @ np.array((np.cross(body.north, body.up), body.up, np.negative(body.north)))
            rows = np.column_stack((turn, -turn @ centre))
        sun = rows[:, :3] @ self.data["to_sun"][:3]
        self.data["body_x"], self.data["body_y"], self.data["body_z"] = rows
        self.data["body_sun"] = (*sun, 1.0 / max(float(sun @ sun), 1e-9))

    def upload(self) -> None:
        self.buffer.write(self.data.tobytes())
        self.buffer.bind_to_uniform_block(FRAME_BINDING)

    def release(self) -> None:
        self.buffer.release()
