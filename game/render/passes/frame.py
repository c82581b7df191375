"""A frame of the world: what its passes draw, and the uniform block that all programs share."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core.vectors import Floats, gravity_axes
from ...level.build.entities.zones import LevelZone
from ..camera import Camera
from ..gl.programs import BLOCK_BINDINGS
from ..gl.quality import Quality
from ..gl.render_pass import FRAME_UNITS
from ..scene.daylight import Daylight
from ..scene.light_probes import LightProbes
from ..scene.sun_map import NEAR_WIDTH, PENUMBRA_RADIUS, ShadowProjection
from ..snapshot import Body, Snapshot

LOG_DEPTH_FAR = 1e5  # metres: far end of the logarithmic depth

# Mirrors shaders/include/frame_block.glsl; std140 adds no padding between vec4 and mat4
FRAME_BLOCK_DTYPE = np.dtype(
    [
        ("world_to_clip", "f4", (4, 4)),
        ("world_to_shadow", "f4", (4, 4)),
        *(
            (name, "f4", 4)
            for name in (
                "eye", "right", "up", "forward", "to_sun", "sunlight", "zenith", "horizon",
                "ground", "halo", "body_x", "body_y", "body_z", "body_sun", "water", "viewport", "depth_parameters",
                "dynamic_shadow_scale", "dynamic_shadow_offset", "probe_origin", "probe_counts",
                "near_shadow",
            )
        ),
    ]
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame, as the passes of the world draw it: the snapshot, the target and the textures.

    target: framebuffer with a depth buffer. textures: by the names in FRAME_UNITS. zones: where movers carry them now.
    moving_lamps: two vec4 for each lamp that a mover carries, as in shaders/include/point_lamp.glsl.
    has_dynamic_shadows: whether the dynamic shadow map has content. is_lens_in_water: whether the lens can be below a
    surface; is_eye_in_water: whether the eye is. overlay_scale: pixels of the target per pixel of an overlay's lines,
    which grow with the window as the HUD does.
    """

    snapshot: Snapshot
    target: Any
    textures: dict[str, Any]
    zones: tuple[LevelZone, ...]
    moving_lamps: list[tuple[float, ...]]
    has_dynamic_shadows: bool
    is_lens_in_water: bool
    is_eye_in_water: bool
    overlay_scale: float

    def bind_textures(self) -> None:
        """Bind the textures to their units."""
        for name, texture in self.textures.items():
            texture.use(FRAME_UNITS[name])


class FrameBlock:
    """Uniform buffer in std140 layout: camera, daylight, shadow maps and the player's body.

    Daylight and shadow projection are written per level, the rest per frame.
    """

    def __init__(self, ctx: Any) -> None:
        self.data = np.zeros((), FRAME_BLOCK_DTYPE)
        self.buffer = ctx.buffer(reserve=FRAME_BLOCK_DTYPE.itemsize)
        self.data["depth_parameters"][1] = 1.0 / math.log2(1.0 + LOG_DEPTH_FAR)
        self.write_body(None)

    def write_daylight(self, daylight: Daylight) -> None:
        """Write radiances, exposure, haze, cloud cover and sun disc of a level."""
        for name in ("to_sun", "sunlight", "zenith", "horizon", "ground", "halo"):
            self.data[name][:3] = getattr(daylight, name)
        self.data["sunlight"][3] = daylight.haze
        self.data["ground"][3] = daylight.cloud_cover
        self.data["halo"][3] = daylight.disc_strength
        self.data["up"][3] = daylight.exposure
        self.data["forward"][3] = daylight.stars
        self.data["right"][3] = daylight.disc_cosine

    def write_shadow_map(self, fit: ShadowProjection, quality: Quality) -> None:
        """Write the projection of the shadow map."""
        size = quality.shadow_size
        self.data["world_to_shadow"] = fit.world_to_map
        self.data["to_sun"][3] = fit.map_width / size
        self.data["zenith"][3] = 1.0 / size
        self.data["horizon"][3] = max(PENUMBRA_RADIUS / fit.map_width, quality.min_penumbra / size)

    def write_near_shadow(self, fit: ShadowProjection, size: int, offset: Floats | None) -> None:
        """Write the place of the near map of `size` texels per side. offset: near_map_offset, or None without a map."""
        self.data["near_shadow"] = 0.0 if offset is None else (*offset, fit.map_width / NEAR_WIDTH, NEAR_WIDTH / size)

    def write_dynamic_shadows(self, scale: Any, offset: Any) -> None:
        """Write scale and offset (4,) from the shadow map to the dynamic one: DynamicShadowMap.uniforms."""
        self.data["dynamic_shadow_scale"], self.data["dynamic_shadow_offset"] = scale, offset

    def write_light_probes(self, probes: LightProbes | None) -> None:
        """Write the grid of the light probes; None: no light is baked."""
        if probes is None:
            self.data["probe_counts"] = 0.0
            return
        self.data["probe_origin"] = (*probes.grid.origin, probes.grid.spacing)
        self.data["probe_counts"] = (*probes.grid.counts, probes.cubes.shape[1])

    def write_camera(self, view: Camera, size: tuple[int, int], time: float, calm: bool = False) -> None:
        """Write camera matrices, viewport in pixels and time in seconds. calm: plants stand still."""
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
        data["depth_parameters"][2] = 0.0 if calm else 1.0

    def write_water(self, radiance: Floats, surface: float) -> None:
        """Write the radiance (3,) of the water around the eye and the height (m) of its surface."""
        self.data["water"] = (*radiance, surface)

    def write_body(self, body: Body | None) -> None:
        """Write the rows that map world space to the unit sphere of the player's ellipsoid; None: far away."""
        if body is None:
            rows = np.zeros((3, 4))
            rows[:, 3] = 1e3
        else:
            s, c = math.sin(body.yaw), math.cos(body.yaw)
            (rx, ry, rz), centre = body.radii, np.asarray(body.centre)
            world_to_body = np.array(((c / rx, 0.0, -s / rx), (0.0, 1.0 / ry, 0.0), (s / rz, 0.0, c / rz)))
            if body.up != (0.0, 1.0, 0.0) or body.north != (0.0, 0.0, -1.0):
                world_to_body = world_to_body @ gravity_axes(body.up, body.north)
            rows = np.column_stack((world_to_body, -world_to_body @ centre))
        self.data["depth_parameters"][3] = 0.0 if body is None else min(0.15 + 0.4 * body.speed, 1.0)
        to_sun = rows[:, :3] @ self.data["to_sun"][:3]
        self.data["body_x"], self.data["body_y"], self.data["body_z"] = rows
        self.data["body_sun"] = (*to_sun, 1.0 / max(float(to_sun @ to_sun), 1e-9))

    def upload(self) -> None:
        """Copy the block to the GPU and bind it."""
        self.buffer.write(self.data.tobytes())
        self.buffer.bind_to_uniform_block(BLOCK_BINDINGS["Frame"])

    def release(self) -> None:
        self.buffer.release()
