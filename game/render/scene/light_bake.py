"""Sky light and light from wall to wall, gathered once by rays into the unfolded level.

Each texel sends cosine-weighted rays; a ray that leaves brings sky, one that meets a surface brings what sun
and an earlier, coarser gathering have left there (radiosity by gathering, two bounces). The GPU walks the tree
of boxes; every texel of a ninth sends the same ray at once, so that neighbours walk much the same path.
"""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from ..gl.context import unbind_framebuffer
from ..gl.programs import ShaderCache, set_uniforms
from ..gl.quality import Quality
from .lightmap import (
    BakeInput,
    Bytes,
    Floats32,
    Lightmap,
    TextureTable,
    decode_lightmap,
    encode_lightmap,
    encode_stain_and_occlusion,
)
from .lightmap_cache import LightmapCache
from .point_lights import BULB_RADIUS
from .render_mesh import Floats

PASS_FRACTIONS = (0.25, 1.0)  # part of the rays that each gathering sends; each reads what the one before has found
# The first reads this part of an open sky's light everywhere. That is a painter's lie: with no more than what
# truly gets in, a room with one door is black.
FIRST_PASS_WEIGHT = 0.6
OCCLUSION_DISTANCE = 0.9  # metres: how far off a wall still darkens the floor before it
MAX_BACKFACE_FRACTION = 0.6  # part of rays that meet backs, above which a texel lies inside something solid
ADAPTATION_LEVEL = 0.28  # light below which the eye adapts
SHADOW_GAIN, SHADOW_OFFSET = 3.0, 0.018  # how much: times the light, and added to it
LAMP_PASS = -1  # the turn before the others: the light that comes straight from lamps
SAMPLES_PER_LAMP = 8  # rays for every look at each lamp: 16 rays look twice, and nine neighbours elsewhere each


def hammersley_points(count: int) -> Floats:
    """Points (count, 2) of the unit square, even for any count (Hammersley's); the shader bends them to a
    cosine around the normal."""
    index = np.arange(count)
    bits = np.zeros(count)
    rest, weight = index.copy(), 0.5
    while rest.any():
        bits += weight * (rest & 1)
        rest >>= 1
        weight /= 2
    return np.column_stack(((index + 0.5) / count, bits))


def apply_eye_adaptation(light: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Brighten (..., 3) dark corners as an eye does that has got used to them, and pale their colours a little
    (later bounces, which are not followed, lose the first one's colour)."""
    grey = light @ np.array((0.25, 0.5, 0.25), np.float32)
    dark = np.exp(-grey / np.float32(ADAPTATION_LEVEL))[..., None]
    paler = light + (grey[..., None] - light) * (0.6 * dark)
    return np.asarray(paler * (1.0 + SHADOW_GAIN * dark) + SHADOW_OFFSET * dark, dtype=np.float32)


class LightBaker:
    """The atlas of baked light: what the lightmap brings, until `gather` has made it true, some rays at a time."""

    def __init__(
        self,
        ctx: Any,
        lightmap: Lightmap,
        quality: Quality,
        programs: ShaderCache,
        sun_map: Any,
        cache: LightmapCache | None = None,
    ) -> None:
        self.ctx = ctx
        self.programs = programs
        self.cache = cache
        self.sun_map = sun_map
        self.lightmap = lightmap
        self._rays_per_pass: list[tuple[int, Floats]] = []  # turn and ray, last first
        self._total_rays = 1
        self._work_textures: list[Any] = []
        self.texture = self._texture(lightmap.pixels)
        if lightmap.bake_input is not None:
            self._upload_bake_input(lightmap.bake_input, quality.light_rays)

    @property
    def progress(self) -> float:
        """Part of the rays that have been sent, 0..1; at 1 the atlas holds the result, or none can be had here."""
        return 1.0 - len(self._rays_per_pass) / self._total_rays

    def trace_rays(self, count: int | None = None) -> float:
        """Send `count` more rays from every texel (None: all that are left); returns `progress`."""
        if self._rays_per_pass:
            todo = len(self._rays_per_pass) if count is None else min(count, len(self._rays_per_pass))
            while todo > 0:
                turn = self._rays_per_pass[-1][0]
                todo -= self._trace_pass(turn, todo)
                if not self._rays_per_pass or self._rays_per_pass[-1][0] != turn:
                    self._finish_pass(turn)
        return self.progress

    def release(self) -> None:
        self._release_work_textures()
        self.texture.release()

    def _texture(self, pixels: Bytes) -> Any:
        texture = self.ctx.texture((pixels.shape[1], pixels.shape[0]), 4, pixels.tobytes())
        texture.filter = (moderngl.LINEAR, moderngl.LINEAR)
        texture.repeat_x = texture.repeat_y = False
        return texture

    def _upload_bake_input(self, walk: BakeInput, count: int) -> None:
        """Textures that the rays need: where texels are, the tree and the triangles."""
        height, width = walk.chart_of_texel.shape
        self._bake_input = walk
        self._rows = (
            int(np.flatnonzero((walk.chart_of_texel >= 0).any(axis=1)).max()) + 1
        )  # the rest of the atlas is empty

        def floats(table: TextureTable) -> Any:
            return self.ctx.texture(table.size, 4, table.data, dtype="f4")

        self._positions = floats(TextureTable((width, height), walk.positions.tobytes()))
        self._normals = floats(TextureTable((width, height), walk.normals.tobytes()))
        self._nodes, self._corners = floats(walk.nodes), floats(walk.corners)
        self._accumulator = self.ctx.texture((width, height), 4, dtype="f4")
        self._occlusion = self.ctx.texture((width, height), 1, dtype="f4")
        self._target = self.ctx.framebuffer([self._accumulator, self._occlusion])
        self._previous_bounce = self.texture  # what the rays read; the picture keeps the first light until the end
        self._lamps: Floats32 | None = None  # sums over all looks
        self._work_textures = [
            self._positions,
            self._normals,
            self._nodes,
            self._corners,
            self._accumulator,
            self._occlusion,
            self._target,
        ]
        turns = [hammersley_points(max(1, round(count * share))) for share in PASS_FRACTIONS]
        self._rays_per_pass = [(turn, ray) for turn, sent in reversed(list(enumerate(turns))) for ray in sent[::-1]]
        looks = hammersley_points(max(1, count // SAMPLES_PER_LAMP))
        self._rays_per_pass += [
            (LAMP_PASS, np.array((k, *look))) for k in range(len(walk.lamps))[::-1] for look in looks[::-1]
        ]
        self._lamp_samples = len(looks)
        self._total_rays = len(self._rays_per_pass)
        self._rays_traced = 0

    def _trace_pass(self, turn: int, most: int) -> int:
        """Send up to `most` rays of this turn; returns how many."""
        if turn == LAMP_PASS:
            program = self.programs.get("post/fullscreen_triangle.vert.glsl", "bake/bake_point_light.frag.glsl")
            set_uniforms(program, bulb_radius=BULB_RADIUS)
        else:
            program = self.programs.get(
                "post/fullscreen_triangle.vert.glsl", "bake/bake_indirect_light.frag.glsl", SHADOW_TAPS=1
            )
            set_uniforms(
                program, bounce_weight=1.0 if turn else FIRST_PASS_WEIGHT, occlusion_distance=OCCLUSION_DISTANCE
            )
        set_uniforms(
            program,
            positions=0,
            normals=1,
            bvh_nodes=2,
            bvh_triangles=3,
            previous_bounce=4,
            shadow_map=5,
            bvh_node_count=self._bake_input.node_count,
        )
        for unit, texture in enumerate(
            (self._positions, self._normals, self._nodes, self._corners, self._previous_bounce, self.sun_map)
        ):
            texture.use(unit)
        target = self._target
        target.use()
        target.viewport = (0, 0, self._accumulator.width, self._rows)
        target.scissor = None
        if self._rays_traced == 0:
            target.clear()
        self.ctx.enable_only(moderngl.BLEND)
        self.ctx.blend_func = moderngl.ONE, moderngl.ONE
        self.ctx.blend_equation = moderngl.FUNC_ADD
        self.ctx.wireframe = False
        array = self.ctx.vertex_array(program, [])
        count = 0
        while count < most and self._rays_per_pass and self._rays_per_pass[-1][0] == turn:
            ray = self._rays_per_pass.pop()[1]
            if turn == LAMP_PASS:
                lamp = self._bake_input.lamps[int(ray[0])]
                set_uniforms(
                    program,
                    lamp_position_reach=tuple(lamp[:4]),
                    lamp_radiance=tuple(lamp[4:7]),
                    bulb_sample=(ray[1], ray[2], ray[1] + ray[2]),
                )
            else:
                set_uniforms(program, ray_sample=tuple(ray))
            array.render(moderngl.TRIANGLES, vertices=3)
            count += 1
        array.release()
        self._rays_traced += count
        return count

    def _finish_pass(self, turn: int) -> None:
        """Turn the sums into light, mend texels inside solids, and let the atlas show it."""
        walk = self._bake_input
        raw = np.frombuffer(self._accumulator.read(), np.float32).reshape(*walk.chart_of_texel.shape, 4)
        if turn == LAMP_PASS:
            self._lamps = raw[..., :3] / np.float32(self._lamp_samples)
            self._rays_traced = 0
            assert walk.open_sky_pixels is not None, "lamps come with the light without them"
            self._upload_previous_bounce(
                decode_lightmap(walk.open_sky_pixels)
                + self._direct_lamp_light(walk.chart_of_texel >= 0) / FIRST_PASS_WEIGHT
            )
            return
        sent = max(self._rays_traced, 1)
        mean = raw / np.float32(sent)
        good = (walk.chart_of_texel >= 0) & (mean[..., 3] < MAX_BACKFACE_FRACTION)
        light = fill_invalid_texels(mean[..., :3], good, walk.chart_of_texel)
        self._rays_traced = 0
        if turn < len(PASS_FRACTIONS) - 1:
            self._upload_previous_bounce(light + self._direct_lamp_light(good))
            return
        close = np.frombuffer(self._occlusion.read(), np.float32).reshape(*walk.chart_of_texel.shape, 1) / np.float32(
            sent
        )
        shade = encode_stain_and_occlusion(
            walk.stain_map, fill_invalid_texels(close, good, walk.chart_of_texel)[..., 0]
        )
        atlas = encode_lightmap(apply_eye_adaptation(light) + self._direct_lamp_light(good), shade)
        self.texture.write(atlas.tobytes())
        self._release_work_textures()
        if self.cache is not None:
            self.cache.put(self.lightmap.cache_key, atlas, self.lightmap.corner_uv)

    def _direct_lamp_light(self, good: npt.NDArray[np.bool_]) -> Floats32:
        """Light (height, width, 3) that comes straight from lamps."""
        if self._lamps is None:
            return np.zeros((1, 1, 3), np.float32)
        return fill_invalid_texels(self._lamps, good, self._bake_input.chart_of_texel)

    def _upload_previous_bounce(self, light: Floats32) -> None:
        """What the next turn's rays read."""
        self._previous_bounce = self._texture(encode_lightmap(light, self._bake_input.stain_map))
        self._work_textures.append(self._previous_bounce)

    def _release_work_textures(self) -> None:
        unbind_framebuffer(self.ctx)
        for thing in self._work_textures:
            thing.release()
        self._work_textures = []
        self._rays_per_pass = []


def fill_invalid_texels(
    light: npt.NDArray[np.float32], good: npt.NDArray[np.bool_], chart: npt.NDArray[np.int32], rounds: int = 6
) -> npt.NDArray[np.float32]:
    """Give texels (H, W, C) that are not good the mean of good neighbours, spreading `rounds` texels, and give the
    rest the mean over the three by three that have sent different rays (twice, for a soft weight)."""
    result = np.where(good[..., None], light, 0.0).astype(np.float32)
    known = good.copy()
    for _ in range(rounds):
        if known.all():
            break
        total, weight = neighbour_sum(result, known, chart)
        fresh = ~known & (weight > 0)
        result[fresh] = total[fresh] / weight[fresh, None]
        known |= fresh
    for _ in range(2):
        total, weight = neighbour_sum(result, good, chart)
        result[good] = (result[good] + total[good]) / (1.0 + weight[good, None])
    return result


def neighbour_sum(
    values: npt.NDArray[np.float32], known: npt.NDArray[np.bool_], chart: npt.NDArray[np.int32]
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Sum and weight of those of the eight neighbours that are known and of the same chart."""
    total, weight = np.zeros_like(values), np.zeros(values.shape[:2], np.float32)
    height, width = known.shape
    for dj in (-1, 0, 1):
        for di in (-1, 0, 1):
            if dj == di == 0:
                continue
            here = (slice(max(dj, 0), height + min(dj, 0)), slice(max(di, 0), width + min(di, 0)))
            there = (slice(max(-dj, 0), height + min(-dj, 0)), slice(max(-di, 0), width + min(-di, 0)))
            take = known[there].astype(np.float32)
            take *= chart[here] == chart[there]
            total[here] += values[there] * take[..., None]
            weight[here] += take
    return total, weight
