"""Sky light and light from wall to wall, gathered once by rays into the unfolded level.

Each texel sends cosine-weighted rays; a ray that leaves brings sky, one that meets a surface brings what sun
and an earlier, coarser gathering have left there (radiosity by gathering, two bounces). The GPU walks the tree
of boxes; every texel of a ninth sends the same ray at once, so that neighbours walk much the same path.
"""

from __future__ import annotations

import math
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from . import light_cache
from .boxtree import as_texture, box_tree
from .charts import Charts, unfold
from .context import leave
from .daylight import Daylight
from .light_cache import LightCache
from .model import Floats, Model, linear
from .programs import Programs, put, read_source
from .quality import Quality

VERSION = 5  # of the gathering outside the shaders: kept atlases of other versions are not used
BRIGHTEST = 4.0  # of baked light; the atlas keeps the root of light / BRIGHTEST in 8 bits
TURNS = (0.25, 1.0)  # part of the rays that each gathering sends; each reads what the one before has found
# The first reads this part of an open sky's light everywhere. That is a painter's lie: with no more than what
# truly gets in, a room with one door is black.
GUESS = 0.6
BACKS = 0.6  # part of rays that meet backs, above which a texel lies inside something solid
DARK = 0.28  # light below which the eye adapts
LIFT, FLOOR = 3.0, 0.018  # how much: times the light, and added to it
BALL = 64  # texels along the fallback, which is indexed by the normal alone

Bytes = npt.NDArray[np.uint8]


def rays(count: int) -> Floats:
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


def stains(places: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Large, soft differences in how dark a surface is (..., 3) -> (...) 0..1: what breaks up repeating tiles."""
    x, y, z = np.moveaxis(places, -1, 0)
    sum_ = np.zeros(x.shape, np.float32)
    generator = np.random.default_rng(20)
    for wave in (7.0, 4.1, 2.3, 1.3):
        for _ in range(3):
            k = generator.normal(size=3)
            k *= 2 * math.pi / wave / np.linalg.norm(k)
            sum_ += np.sin(k[0] * x + k[1] * y + k[2] * z + generator.uniform(0, 6.28))
    return np.asarray(np.clip(0.5 + sum_ * 0.07, 0.0, 1.0), dtype=np.float32)


def sky_on(normals: Floats, light: Daylight) -> Floats:
    """Light (N, 3) that surfaces of unit normals (N, 3) get from an open sky and open ground."""
    up = normals[:, 1:2]
    sky = 0.45 * light.zenith + 0.55 * light.horizon
    ground = light.ground + 0.12 * light.sunlight * max(light.to_sun[1], 0.0)
    return sky * (0.5 + 0.5 * up) + ground * (0.5 - 0.5 * up)


def adapted(light: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Brighten (..., 3) dark corners as an eye does that has got used to them, and pale their colours a little
    (later bounces, which are not followed, lose the first one's colour)."""
    grey = light @ np.array((0.25, 0.5, 0.25), np.float32)
    dark = np.exp(-grey / np.float32(DARK))[..., None]
    paler = light + (grey[..., None] - light) * (0.6 * dark)
    return np.asarray(paler * (1.0 + LIFT * dark) + FLOOR * dark, dtype=np.float32)


def encoded(light: npt.NDArray[Any], stain: npt.NDArray[np.float32]) -> Bytes:
    root = np.sqrt(np.clip(light / BRIGHTEST, 0.0, 1.0))
    return np.asarray(np.rint(np.concatenate((root, stain[..., None]), axis=-1) * 255), dtype=np.uint8)


class BakedLight:
    """The atlas of baked light. `uv` tells where each corner of the model lies in it.

    At once there is an open sky's light; `gather` makes it true, some rays at a time.
    """

    def __init__(
        self,
        ctx: Any,
        model: Model,
        light: Daylight,
        quality: Quality,
        programs: Programs,
        sun_map: Any,
        cache: LightCache | None = None,
    ) -> None:
        self.ctx = ctx
        self.programs = programs
        self.quality = quality
        self.cache = cache
        self.light = light
        self.sun_map = sun_map
        self.charts: Charts | None = None
        self._model = model
        self._plan: list[tuple[int, Floats]] = []  # turn and ray, last first
        self._total = 1
        self._work: list[Any] = []
        self._name = self._key()
        kept = None if cache is None else cache.get(self._name, quality.light_size, len(model.triangles))
        if kept is not None:
            pixels, self.uv = kept
            self.texture = self._texture(pixels)
            return
        self.charts = unfold(model, quality.light_size)
        if self.charts is None:
            self.uv = self._by_normal()
            return
        self.uv = self.charts.uv
        self._stain = stains(self.charts.position)
        flat = sky_on(self.charts.normal.reshape(-1, 3).astype(np.float64), light)
        self.texture = self._texture(encoded(flat.reshape(self.charts.normal.shape), self._stain))
        self._set_out(quality.light_rays)

    @property
    def progress(self) -> float:
        """Part of the rays that have been sent, 0..1; at 1 the atlas holds the result."""
        return 1.0 - len(self._plan) / self._total

    def gather(self, count: int | None = None) -> float:
        """Send `count` more rays from every texel (None: all that are left); returns `progress`."""
        if self._plan and self.charts is not None:
            todo = len(self._plan) if count is None else min(count, len(self._plan))
            while todo > 0:
                turn = self._plan[-1][0]
                todo -= self._send(turn, todo)
                if not self._plan or self._plan[-1][0] != turn:
                    self._finish(turn)
        return self.progress

    def _key(self) -> str:
        model, light = self._model, self.light
        sources = [
            read_source(self.programs.folder, name, (("SHADOW_TAPS", "1"),)).text
            for name in ("light.frag.glsl", "shadow.vert.glsl")
        ]
        return light_cache.key(
            VERSION, model.triangles, model.colours, light, self.quality.light_size, self.quality.light_rays,
            self.quality.shadow_size, sources,
        )  # fmt: skip

    def release(self) -> None:
        self._drop_work()
        self.texture.release()

    def _by_normal(self) -> Floats:
        """An atlas that knows only the normal (folded octahedron), for levels with too many triangles."""
        grid = (np.arange(BALL) + 0.5) / BALL * 2 - 1
        x, y = np.meshgrid(grid, grid)
        z = 1 - np.abs(x) - np.abs(y)
        fold = np.maximum(-z, 0)
        normals = np.stack((x - np.sign(x) * fold, z, y - np.sign(y) * fold), axis=-1).reshape(-1, 3)
        normals /= np.linalg.norm(normals, axis=1, keepdims=True)
        colours = sky_on(normals, self.light).reshape(BALL, BALL, 3)
        self.texture = self._texture(encoded(colours, np.full((BALL, BALL), 0.5, np.float32)))
        n = self._model.normals / np.abs(self._model.normals).sum(axis=1, keepdims=True)
        fold = np.maximum(-n[:, 1], 0)
        flat = n[:, ::2] + np.where(n[:, ::2] < 0, -1.0, 1.0) * fold[:, None]
        return np.repeat((flat * 0.5 + 0.5)[:, None], 3, axis=1)

    def _texture(self, pixels: Bytes) -> Any:
        texture = self.ctx.texture((pixels.shape[1], pixels.shape[0]), 4, pixels.tobytes())
        texture.filter = (moderngl.LINEAR, moderngl.LINEAR)
        texture.repeat_x = texture.repeat_y = False
        return texture

    def _set_out(self, count: int) -> None:
        """Textures that the rays need: where texels are, the tree and the triangles."""
        charts, model = self.charts, self._model
        assert charts is not None
        size = (charts.size, charts.size)
        there = (charts.chart >= 0).astype(np.float32)[..., None]
        tree = box_tree(model.triangles)
        triangles, uv, albedo = model.triangles[tree.order], self.uv[tree.order], linear(model.colours)[tree.order]
        table = np.zeros((len(triangles), 5, 4), np.float32)
        table[:, 0, :3] = triangles[:, 0]
        table[:, 1, :3] = triangles[:, 1] - triangles[:, 0]
        table[:, 2, :3] = triangles[:, 2] - triangles[:, 0]
        table[:, :3, 3] = albedo
        table[:, 3, :2], table[:, 3, 2:], table[:, 4, :2] = uv[:, 0], uv[:, 1], uv[:, 2]
        self._node_count = len(tree.nodes)
        self._rows = int(np.flatnonzero(there.any(axis=(1, 2))).max()) + 1  # the rest of the atlas is empty
        self._positions = self.ctx.texture(
            size, 4, np.concatenate((charts.position, there), axis=2).tobytes(), dtype="f4"
        )
        self._normals = self.ctx.texture(size, 4, np.concatenate((charts.normal, there), axis=2).tobytes(), dtype="f4")
        (node_size, nodes), (corner_size, corners) = as_texture(tree.nodes), as_texture(table)
        self._nodes = self.ctx.texture(node_size, 4, nodes, dtype="f4")
        self._corners = self.ctx.texture(corner_size, 4, corners, dtype="f4")
        self._sum = self.ctx.texture(size, 4, dtype="f4")
        self._target = self.ctx.framebuffer([self._sum])
        self._before = self.texture  # what the rays read; the picture keeps an open sky's light until the end
        self._work = [self._positions, self._normals, self._nodes, self._corners, self._sum, self._target]
        turns = [rays(max(1, round(count * share))) for share in TURNS]
        self._plan = [(turn, ray) for turn, sent in reversed(list(enumerate(turns))) for ray in sent[::-1]]
        self._total = len(self._plan)
        self._sent = 0

    def _send(self, turn: int, most: int) -> int:
        """Send up to `most` rays of this turn; returns how many."""
        program = self.programs.get("screen.vert.glsl", "light.frag.glsl", SHADOW_TAPS=1)
        put(program, trust=1.0 if turn else GUESS)
        put(program, positions=0, normals=1, nodes=2, corners=3, bounced=4, sun_map=5, node_count=self._node_count)
        for unit, texture in enumerate(
            (self._positions, self._normals, self._nodes, self._corners, self._before, self.sun_map)
        ):
            texture.use(unit)
        target = self._target
        target.use()
        target.viewport = (0, 0, self._sum.width, self._rows)
        target.scissor = None
        if self._sent == 0:
            target.clear()
        self.ctx.enable_only(moderngl.BLEND)
        self.ctx.blend_func = moderngl.ONE, moderngl.ONE
        self.ctx.blend_equation = moderngl.FUNC_ADD
        self.ctx.wireframe = False
        array = self.ctx.vertex_array(program, [])
        count = 0
        while count < most and self._plan and self._plan[-1][0] == turn:
            put(program, ray=tuple(self._plan.pop()[1]))
            array.render(moderngl.TRIANGLES, vertices=3)
            count += 1
        array.release()
        self._sent += count
        return count

    def _finish(self, turn: int) -> None:
        """Turn the sums into light, mend texels inside solids, and let the atlas show it."""
        charts = self.charts
        assert charts is not None
        raw = np.frombuffer(self._sum.read(), np.float32).reshape(charts.size, charts.size, 4)
        mean = raw / np.float32(max(self._sent, 1))
        good = (charts.chart >= 0) & (mean[..., 3] < BACKS)
        light = mend(mean[..., :3], good, charts.chart)
        self._sent = 0
        if turn < len(TURNS) - 1:
            self._before = self._texture(encoded(light, self._stain))
            self._work.append(self._before)
            return
        atlas = encoded(adapted(light), self._stain)
        self.texture.write(atlas.tobytes())
        self._drop_work()
        if self.cache is not None:
            self.cache.put(self._name, atlas, self.uv)

    def _drop_work(self) -> None:
        leave(self.ctx)
        for thing in self._work:
            thing.release()
        self._work = []
        self._plan = []


def mend(
    light: npt.NDArray[np.float32], good: npt.NDArray[np.bool_], chart: npt.NDArray[np.int32], rounds: int = 6
) -> npt.NDArray[np.float32]:
    """Give texels (H, W, 3) that are not good the mean of good neighbours, spreading `rounds` texels, and give the
    rest the mean over the three by three that have sent different rays (twice, for a soft weight)."""
    result = np.where(good[..., None], light, 0.0).astype(np.float32)
    known = good.copy()
    for _ in range(rounds):
        if known.all():
            break
        total, weight = around(result, known, chart)
        fresh = ~known & (weight > 0)
        result[fresh] = total[fresh] / weight[fresh, None]
        known |= fresh
    for _ in range(2):
        total, weight = around(result, good, chart)
        result[good] = (result[good] + total[good]) / (1.0 + weight[good, None])
    return result


def around(
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
