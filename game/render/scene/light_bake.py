"""Light bake: global illumination of the static level, path-traced into its lightmap on the GPU.

Each texel sends cosine-weighted rays. A ray that leaves the level brings sky light; a ray that hits a surface brings
the sun and the light of the previous, coarser pass there (two bounces). Shaders traverse the BVH without a stack. All
texels of one position within 3x3 blocks send the same ray, so that neighbouring threads take similar paths. Light
probes send rays of the last pass in all directions.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from ...core.vectors import Colour, Floats
from ..gl.context import release_resources, unbind_framebuffer
from ..gl.programs import ShaderCache, set_uniforms
from ..gl.quality import Quality
from .bake_input import BAKE, BakeInput, Bytes, Floats32, pack_into_texture
from .lamps import BULB_RADIUS
from .light_probes import (
    FACES,
    FARTHEST_WALL,
    MAX_BACKFACE_FRACTION,
    WALL_TOLERANCE,
    LightProbes,
    pack_cubes,
    smooth_cubes,
)
from .lightmap import Lightmap, LightmapCache, decode_lightmap, encode_lightmap, encode_stains, wall_dirt
from .smooth_normals import neighbour_slices

BURIED_FRACTION = 0.2  # of rays that hit back faces, from which a texel of a wall is taken for one below the ground
LAMP_PASS = -1  # pass number of direct light from point lights, before the others
PROBE_PASS, PROBE_LAMP_PASS = -2, -3  # of light probes, before the last


def hammersley_points(count: int) -> Floats:
    """Hammersley points (count, 2) in the unit square: low discrepancy for any count. The shader maps them to the
    hemisphere.
    """
    index = np.arange(count)
    radical_inverse = np.zeros(count)
    remaining = index.copy()
    weight = 0.5
    while remaining.any():
        radical_inverse += weight * (remaining & 1)
        remaining >>= 1
        weight /= 2
    return np.column_stack(((index + 0.5) / count, radical_inverse))


def apply_eye_adaptation(light: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Brighten and desaturate dark light (..., 3), as an eye adapted to a room sees it. Desaturation also stands for
    later bounces, which are not traced.
    """
    grey = light @ np.array((0.25, 0.5, 0.25), np.float32)
    darkness = np.exp(-grey / np.float32(BAKE.adaptation_level))[..., None]
    desaturated = light + (grey[..., None] - light) * (0.6 * darkness)
    return np.asarray(
        desaturated * (1.0 + BAKE.shadow_gain * darkness) + BAKE.shadow_offset * darkness, dtype=np.float32
    )


class LightBaker:
    """GPU lightmap and light probes of a level. `trace_rays` replaces the initial content of the lightmap by the baked
    light, some rays at a time.

    probes: None until they are baked. probe_texture: their cubes; black until then.
    """

    def __init__(
        self,
        ctx: Any,
        lightmap: Lightmap,
        quality: Quality,
        programs: ShaderCache,
        shadow_map: Any,
        cache: LightmapCache | None = None,
    ) -> None:
        self.ctx = ctx
        self.programs = programs
        self.cache = cache
        self.shadow_map = shadow_map
        self.lightmap = lightmap
        self._rays_per_pass: list[tuple[int, Floats]] = []  # pass number and ray sample, in reverse order
        self._total_rays = 1
        self._work_textures: list[Any] = []
        self._corners: Any = None
        self._bake_input: BakeInput
        self.texture = self._texture(lightmap.pixels)
        self.probe_texture = ctx.texture3d((1, 1, 1), 4, bytes(8), dtype="f2")
        self.probes: LightProbes | None = None
        if lightmap.probes is not None:
            self._use_probes(lightmap.probes)
        if lightmap.bake_input is not None:
            self._upload_bake_input(lightmap.bake_input, quality.light_rays)

    @property
    def progress(self) -> float:
        """Fraction of rays traced, 0..1. 1: the lightmap is final, or cannot be baked here."""
        return 1.0 - len(self._rays_per_pass) / self._total_rays

    def trace_rays(self, count: int | None = None) -> float:
        """Trace `count` more rays per texel (None: all that remain). Returns `progress`."""
        if self._rays_per_pass:
            remaining = len(self._rays_per_pass) if count is None else min(count, len(self._rays_per_pass))
            while remaining > 0:
                pass_number = self._rays_per_pass[-1][0]
                remaining -= self._trace_pass(pass_number, remaining)
                if not self._rays_per_pass or self._rays_per_pass[-1][0] != pass_number:
                    self._finish_pass(pass_number)
        return self.progress

    def set_mean_colours(self, means: Mapping[int, Colour]) -> None:
        """Let surfaces reflect the mean colour (linear) of their picture. Without effect once rays are traced."""
        if self._rays_per_pass and len(self._rays_per_pass) == self._total_rays:
            coloured = self._bake_input.with_mean_colours(means)
            if coloured is not self._bake_input:
                self._bake_input = coloured
                self._corners.write(coloured.corners.data)

    def release(self) -> None:
        self._release_work_textures()
        release_resources(self.texture, self.probe_texture)

    def _use_probes(self, probes: LightProbes) -> None:
        self.probes = probes
        depth, faces, height, width, _ = probes.cubes.shape
        self.probe_texture.release()
        self.probe_texture = self.ctx.texture3d((width, faces * height, depth), 4, probes.cubes.tobytes(), dtype="f2")
        self.probe_texture.filter = (moderngl.LINEAR, moderngl.LINEAR)
        self.probe_texture.repeat_x = self.probe_texture.repeat_y = self.probe_texture.repeat_z = False

    def _texture(self, pixels: Bytes) -> Any:
        texture = self.ctx.texture((pixels.shape[1], pixels.shape[0]), 4, pixels.tobytes())
        texture.filter = (moderngl.LINEAR, moderngl.LINEAR)
        texture.repeat_x = texture.repeat_y = False
        return texture

    def _upload_bake_input(self, bake_input: BakeInput, ray_count: int) -> None:
        """Create the textures of the bake: texel positions and normals, BVH nodes and triangles, accumulators."""
        height, width = bake_input.chart_of_texel.shape
        self._bake_input = bake_input
        self._rows = int(np.flatnonzero((bake_input.chart_of_texel >= 0).any(axis=1)).max()) + 1  # rows below are empty

        def floats(size: tuple[int, int], data: bytes | None = None, components: int = 4) -> Any:
            self._work_textures.append(self.ctx.texture(size, components, data, dtype="f4"))
            return self._work_textures[-1]

        self._positions = floats((width, height), bake_input.positions.tobytes())
        self._normals = floats((width, height), bake_input.normals.tobytes())
        self._nodes = floats(bake_input.nodes.size, bake_input.nodes.data)
        self._corners = floats(bake_input.corners.size, bake_input.corners.data)
        self._accumulator, self._occlusion = floats((width, height)), floats((width, height), components=1)
        self._target = self.ctx.framebuffer([self._accumulator, self._occlusion])
        points = pack_into_texture(bake_input.probe_grid.points)
        self._probe_positions = floats(points.size, points.data)
        self._probe_faces = [floats(points.size) for _ in range(FACES)]
        self._probe_back_faces = floats(points.size, components=1)
        self._probe_target = self.ctx.framebuffer([*self._probe_faces, self._probe_back_faces])
        self._work_textures += [self._target, self._probe_target]
        self._previous_bounce = self.texture  # read by rays; frames show the initial light until the end
        self._lamps: Floats32 | None = None  # sums over all samples
        self._valid_probes: npt.NDArray[np.bool_]
        self._probe_light: tuple[Floats32, Floats32 | None, Floats32]  # indirect, of lamps, distances
        passes = [
            (pass_number, hammersley_points(max(1, round(ray_count * fraction))))
            for pass_number, fraction in enumerate(BAKE.pass_fractions)
        ]
        texel_count = int(np.count_nonzero(bake_input.chart_of_texel >= 0))
        probe_rays = bake_input.probe_grid.ray_count(texel_count * sum(len(samples) for _, samples in passes))
        passes.insert(-1, (PROBE_PASS, np.array([[probe_rays]])))  # all rays at once: fewer than one of each texel
        if len(bake_input.lamps):
            lamp_samples = hammersley_points(max(1, ray_count // BAKE.samples_per_lamp))
            self._lamp_samples = len(lamp_samples)
            rays = np.array([(k, *sample) for k in range(len(bake_input.lamps)) for sample in lamp_samples])
            passes.insert(0, (LAMP_PASS, rays))
            passes.insert(-1, (PROBE_LAMP_PASS, rays))
        self._rays_per_pass = [(number, ray) for number, rays in reversed(passes) for ray in rays[::-1]]
        self._total_rays = len(self._rays_per_pass)
        self._rays_traced = 0

    def _trace_pass(self, pass_number: int, limit: int) -> int:
        """Trace up to `limit` rays of one pass. Returns their number."""
        target, positions, rows = self._target, self._positions, self._rows
        of_probes = pass_number in (PROBE_PASS, PROBE_LAMP_PASS)
        spacing = self._bake_input.probe_grid.spacing
        if of_probes:
            target, positions, rows = self._probe_target, self._probe_positions, self._probe_positions.height
        of_lamps = pass_number in (LAMP_PASS, PROBE_LAMP_PASS)
        fragment = "indirect_light" if pass_number >= 0 else "point_light" if of_lamps else "probe_light"
        defines = {"PROBES": 1} if pass_number == PROBE_LAMP_PASS else {} if of_lamps else {"SHADOW_TAPS": 1}
        program = self.programs.get("post/fullscreen_triangle.vert.glsl", f"bake/bake_{fragment}.frag.glsl", **defines)
        set_uniforms(
            program,
            bulb_radius=BULB_RADIUS,
            blur_radius=spacing / 2.0 if of_probes else BULB_RADIUS,
            bounce_weight=1.0 if pass_number else BAKE.first_pass_weight,
            occlusion_distances=BAKE.occlusion_distances,
            farthest=FARTHEST_WALL * spacing,
            positions=0,
            normals=1,
            bvh_nodes=2,
            bvh_triangles=3,
            previous_bounce=4,
            shadow_map=5,
            bvh_node_count=self._bake_input.node_count,
        )
        for unit, texture in enumerate(
            (positions, self._normals, self._nodes, self._corners, self._previous_bounce, self.shadow_map)
        ):
            texture.use(unit)
        target.use()
        target.viewport = (0, 0, positions.width, rows)
        target.scissor = None
        if self._rays_traced == 0:
            target.clear()
        self.ctx.enable_only(moderngl.BLEND)
        self.ctx.blend_func = moderngl.ONE, moderngl.ONE
        self.ctx.blend_equation = moderngl.FUNC_ADD
        array = self.ctx.vertex_array(program, [])
        count = 0
        while count < limit and self._rays_per_pass and self._rays_per_pass[-1][0] == pass_number:
            ray = self._rays_per_pass.pop()[1]
            if of_lamps:
                lamp = self._bake_input.lamps[int(ray[0])]
                set_uniforms(
                    program,
                    lamp_position_reach=tuple(lamp[:4]),
                    lamp_radiance=tuple(lamp[4:7]),
                    bulb_sample=(ray[1], ray[2], ray[1] + ray[2]),
                )
            else:
                values = {"ray_count": int(ray[0])} if of_probes else {"ray_sample": tuple(ray)}
                set_uniforms(program, **values)
            array.render(moderngl.TRIANGLES, vertices=3)
            count += 1
        array.release()
        self._rays_traced += count
        return count

    def _finish_pass(self, pass_number: int) -> None:
        """Average the rays of a pass, fill texels inside solids, and upload the result."""
        bake_input = self._bake_input
        if pass_number in (PROBE_PASS, PROBE_LAMP_PASS):
            self._finish_probes(pass_number)
            return
        sums = np.frombuffer(self._accumulator.read(), np.float32).reshape(*bake_input.chart_of_texel.shape, 4)
        if pass_number == LAMP_PASS:
            self._lamps = sums[..., :3] / np.float32(self._lamp_samples)
            self._rays_traced = 0
            assert bake_input.open_sky_pixels is not None, "bake input with lamps has the light without lamps"
            self._upload_previous_bounce(
                decode_lightmap(bake_input.open_sky_pixels)
                + self._direct_lamp_light(bake_input.chart_of_texel >= 0) / BAKE.first_pass_weight
            )
            return
        ray_count = max(self._rays_traced, 1)
        mean = sums / np.float32(ray_count)
        is_valid = (bake_input.chart_of_texel >= 0) & (mean[..., 3] < BAKE.max_backface_fraction)
        self._rays_traced = 0
        if pass_number < len(BAKE.pass_fractions) - 1:
            light = fill_invalid_texels(mean[..., :3], is_valid, bake_input.chart_of_texel)
            self._upload_previous_bounce(light + self._direct_lamp_light(is_valid))
            return
        occlusion = np.frombuffer(self._occlusion.read(), np.float32).reshape(*is_valid.shape, 1)
        backfaces = mean[..., 3]
        mean = np.concatenate((mean[..., :3], occlusion / np.float32(ray_count)), axis=2)
        mean = fill_invalid_texels(mean, is_valid, bake_input.chart_of_texel)
        ambient = apply_eye_adaptation(mean[..., :3]) * (1.0 - BAKE.max_occlusion * mean[..., 3:])
        light = ambient + self._direct_lamp_light(is_valid)
        stains = bake_input.stain_map - wall_dirt(bake_input, is_valid & (backfaces < BURIED_FRACTION))
        pixels = encode_lightmap(light, encode_stains(stains), dithered=True)
        self.texture.write(pixels.tobytes())
        self._release_work_textures()
        probes = LightProbes(bake_input.probe_grid, pack_cubes(*self._probe_light))
        self._use_probes(probes)
        if self.cache is not None:
            self.cache.put(self.lightmap.cache_key, pixels, self.lightmap.corner_uv, probes)

    def _finish_probes(self, pass_number: int) -> None:
        """Keep the light of a pass of light probes, and fill those inside solids."""
        grid = self._bake_input.probe_grid
        shape = grid.counts[::-1]
        count = math.prod(shape)

        def grid_values(texture: Any) -> Floats32:
            values = np.frombuffer(texture.read(), np.float32).reshape(-1, texture.components)
            return values[:count].reshape(*shape, -1)

        sums = np.stack([grid_values(face) for face in self._probe_faces], axis=3)
        self._rays_traced = 0
        if pass_number == PROBE_LAMP_PASS:
            light, _, distances = self._probe_light
            lamps = smooth_cubes(
                sums[..., :3] / np.float32(self._lamp_samples), self._valid_probes, distances, smoothing=0.0
            )
            self._probe_light = light, lamps, distances
            return
        distances = sums[..., 3] / np.float32(grid.spacing)
        self._valid_probes = grid_values(self._probe_back_faces)[..., 0] < MAX_BACKFACE_FRACTION
        light = smooth_cubes(sums[..., :3], self._valid_probes, distances)
        distances += np.where(self._valid_probes, WALL_TOLERANCE, -WALL_TOLERANCE)[..., None].astype(np.float32)
        self._probe_light = apply_eye_adaptation(light), None, distances

    def _direct_lamp_light(self, is_valid: npt.NDArray[np.bool_]) -> Floats32:
        """Filtered direct light of point lights (height, width, 3)."""
        if self._lamps is None:
            return np.zeros((1, 1, 3), np.float32)
        return fill_invalid_texels(self._lamps, is_valid, self._bake_input.chart_of_texel)

    def _upload_previous_bounce(self, light: Floats32) -> None:
        """Upload the light that rays of the next pass read."""
        self._previous_bounce = self._texture(encode_lightmap(light, self._bake_input.stain_map))
        self._work_textures.append(self._previous_bounce)

    def _release_work_textures(self) -> None:
        unbind_framebuffer(self.ctx)
        release_resources(*self._work_textures)
        self._work_textures = []
        self._rays_per_pass = []


def fill_invalid_texels(
    light: npt.NDArray[np.float32], is_valid: npt.NDArray[np.bool_], chart: npt.NDArray[np.int32], rounds: int = 6
) -> npt.NDArray[np.float32]:
    """Fill invalid texels of light (H, W, C) with the mean of valid neighbours of the same chart, spreading by up to
    `rounds` texels, and smooth the valid ones.
    """
    result = np.where(is_valid[..., None], light, 0.0).astype(np.float32)
    has_value = is_valid.copy()
    for _ in range(rounds):
        if has_value.all():
            break
        total, weight = neighbour_sum(result, has_value, chart)
        filled = ~has_value & (weight > 0)
        result[filled] = total[filled] / weight[filled, None]
        has_value |= filled
    return smooth_texels(result, is_valid, chart)


def smooth_texels(
    light: npt.NDArray[np.float32], is_valid: npt.NDArray[np.bool_], chart: npt.NDArray[np.int32]
) -> npt.NDArray[np.float32]:
    """Light (H, W, C) in which valid texels are averaged: once over their 3x3 block, whose nine texels traced different
    rays, then over similar neighbours only, so that contact shadows stay narrow.
    """
    result = light.copy()
    for step, contrast in ((1, 0.0), (1, BAKE.edge_contrast), (2, BAKE.edge_contrast)):
        total, weight = neighbour_sum(result, is_valid, chart, step, contrast)
        result[is_valid] = (result[is_valid] + total[is_valid]) / (1.0 + weight[is_valid, None])
    return result


def neighbour_sum(
    values: npt.NDArray[np.float32],
    has_value: npt.NDArray[np.bool_],
    chart: npt.NDArray[np.int32],
    step: int = 1,
    contrast: float = 0.0,
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Weighted sum and sum of weights of the eight neighbours, `step` texels away, that have a value and belong to the
    same chart. contrast: relative difference at which the weight is 0; 0: all weights are 1.
    """
    total = np.zeros_like(values)
    weight = np.zeros(values.shape[:2], np.float32)
    grey = values[..., :3].mean(axis=2) + np.float32(1e-3)
    for dj in (-step, 0, step):
        for di in (-step, 0, step):
            if dj == di == 0:
                continue
            target, source = neighbour_slices(has_value.shape, (dj, di))
            mask = has_value[source].astype(np.float32)
            mask *= chart[target] == chart[source]
            if contrast > 0.0:
                difference = np.abs(grey[source] - grey[target]) / np.maximum(grey[source], grey[target])
                mask *= np.maximum(1.0 - difference / np.float32(contrast), 0.0)
            total[target] += values[source] * mask[..., None]
            weight[target] += mask
    return total, weight
