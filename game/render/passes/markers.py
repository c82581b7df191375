"""Marker pass: billboards for targets (gem), lamps (glow) and exits (arch)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from ...core.vectors import Floats
from ..carried.transforms import carry_points
from ..colour_palettes import DEFAULT_PALETTE, marker_colours
from ..gl.context import enable_blending, release_resources
from ..gl.programs import ShaderCache
from ..gl.quality import shader_defines
from ..scene.scene import Scene

TARGET_KIND, LAMP_KIND, EXIT_KIND = 0.0, 1.0, 2.0
MIN_TARGET_SIZE, MAX_TARGET_SIZE = 0.35, 1.5  # metres: half the size of a target marker
GLOW_RADIUS, MAX_GLOW_RADIUS = 0.6, 1.2  # metres: glow of a lamp of brightness 1; maximum
GOLDEN_RATIO_FRACTION = 0.6180339887  # phase step between markers, turns: no two animate in sync

# One row per marker; the names are the attributes of markers/marker.vert.glsl
MARKER_INSTANCE = np.dtype([("in_centre", "f4", 4), ("in_colour_and_kind", "f4", 4), ("in_state", "f4", 2)])


def pack_markers(scene: Scene, palette: str = DEFAULT_PALETTE) -> npt.NDArray[np.void]:
    """Instance rows of a scene: targets first, in their order, then lamps and exits. palette: of their colours."""
    colours = marker_colours(palette)
    markers: list[tuple[tuple[float, ...], tuple[float, ...]]] = []
    for target in scene.targets:
        size = min(max(target.radius, MIN_TARGET_SIZE), MAX_TARGET_SIZE) if target.visible else 0.0
        markers.append(((*target.at, size), (*colours["target"], TARGET_KIND)))
    for lamp in scene.lamps:
        if lamp.visible:
            size = min(GLOW_RADIUS * math.sqrt(math.sqrt(lamp.brightness)), MAX_GLOW_RADIUS)
            markers.append(((*lamp.at, size), (*lamp.colour, LAMP_KIND)))
    for exit_ in scene.exits:
        markers.append(((*exit_.at, exit_.radius), (*colours["exit"], EXIT_KIND)))
    rows = np.zeros(len(markers), MARKER_INSTANCE)
    for row, (position, colour_and_kind) in zip(rows, markers, strict=True):
        row["in_centre"], row["in_colour_and_kind"] = position, colour_and_kind
    rows["in_state"][:, 1] = np.arange(len(markers)) * GOLDEN_RATIO_FRACTION % 1.0
    return rows


class MarkerPass:
    """Draws all markers of a scene in one call, with premultiplied blending and depth test."""

    def __init__(self, ctx: Any, scene: Scene, programs: ShaderCache, reversed_depth: bool) -> None:
        self.ctx = ctx
        self.programs = programs
        self.defines = shader_defines(reversed_depth)
        self._scene, self._palette = scene, DEFAULT_PALETTE
        self._instances = pack_markers(scene)
        self._targets = len(scene.targets)
        carriers = np.array([lamp.mover for lamp in scene.lamps if lamp.visible], dtype=np.int32)
        self._carried = carriers if (carriers >= 0).any() else carriers[:0]  # mover of each glow, if any has one
        self._poses: Floats | None = None
        self._buffer = ctx.buffer(self._instances.tobytes()) if len(self._instances) else None
        self._array: Any = None
        self.rebuild()

    def rebuild(self) -> None:
        """Bind the current program to the buffer."""
        if self._buffer is None:
            return
        release_resources(self._array)
        program = self.programs.get("markers/marker.vert.glsl", "markers/marker.frag.glsl", **self.defines)
        self._array = self.ctx.vertex_array(program, [(self._buffer, "4f 4f 2f /i", *(MARKER_INSTANCE.names or ()))])

    def draw(
        self,
        target: Any,
        reached: Sequence[float] = (),
        palette: str = DEFAULT_PALETTE,
        poses: Floats | None = None,
    ) -> None:
        """Draw the markers. reached: 0 waiting to 1 reached for each target; missing values are 0. poses: (K, 3, 4) of
        the movers, which carry lamps."""
        if self._array is None or self._buffer is None:
            return
        state = np.zeros(self._targets, np.float32)
        values = np.asarray(reached, dtype=np.float32)[: self._targets]
        state[: len(values)] = values
        if palette != self._palette:
            self._palette = palette
            self._instances = pack_markers(self._scene, palette)
            self._poses = None
            self._buffer.write(self._instances.tobytes())
        if len(self._carried) and not np.array_equal(poses, self._poses):  # type: ignore[arg-type]
            self._poses = None if poses is None else np.array(poses)
            first = self._targets
            glowing = [lamp for lamp in self._scene.lamps if lamp.visible]
            at = np.array([lamp.at for lamp in glowing])
            self._instances["in_centre"][first : first + len(glowing), :3] = carry_points(
                at, self._carried, self._scene.movers, poses
            )
            self._buffer.write(self._instances.tobytes())
        if not np.array_equal(state, self._instances["in_state"][: self._targets, 0]):
            self._instances["in_state"][: self._targets, 0] = state
            self._buffer.write(self._instances.tobytes())
        enable_blending(self.ctx, moderngl.DEPTH_TEST, premultiplied=True)
        self.ctx.depth_func = ">="
        target.depth_mask = False
        self._array.render(moderngl.TRIANGLE_STRIP, vertices=4, instances=len(self._instances))
        target.depth_mask = True

    def release(self) -> None:
        release_resources(self._array, self._buffer)
