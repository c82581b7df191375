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

from ..gl.context import leave
from ..gl.programs import Programs, put
from ..gl.quality import Quality
from .lightmap import Bytes, Floats32, Lightmap, Table, Walk, decoded, encoded, tones
from .lightmap_cache import LightCache
from .point_lights import BULB
from .render_mesh import Floats

TURNS = (0.25, 1.0)  # part of the rays that each gathering sends; each reads what the one before has found
# The first reads this part of an open sky's light everywhere. That is a painter's lie: with no more than what
# truly gets in, a room with one door is black.
GUESS = 0.6
CREVICE = 0.9  # metres: how far off a wall still darkens the floor before it
BACKS = 0.6  # part of rays that meet backs, above which a texel lies inside something solid
DARK = 0.28  # light below which the eye adapts
LIFT, FLOOR = 3.0, 0.018  # how much: times the light, and added to it
LAMPS = -1  # the turn before the others: the light that comes straight from lamps
LOOKS = 8  # rays for every look at each lamp: 16 rays look twice, and nine neighbours elsewhere each


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


def adapted(light: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Brighten (..., 3) dark corners as an eye does that has got used to them, and pale their colours a little
    (later bounces, which are not followed, lose the first one's colour)."""
    grey = light @ np.array((0.25, 0.5, 0.25), np.float32)
    dark = np.exp(-grey / np.float32(DARK))[..., None]
    paler = light + (grey[..., None] - light) * (0.6 * dark)
    return np.asarray(paler * (1.0 + LIFT * dark) + FLOOR * dark, dtype=np.float32)


class BakedLight:
    """The atlas of baked light: what the lightmap brings, until `gather` has made it true, some rays at a time."""

    def __init__(
        self,
        ctx: Any,
        lightmap: Lightmap,
        quality: Quality,
        programs: Programs,
        sun_map: Any,
        cache: LightCache | None = None,
    ) -> None:
        self.ctx = ctx
        self.programs = programs
        self.cache = cache
        self.sun_map = sun_map
        self.lightmap = lightmap
        self._plan: list[tuple[int, Floats]] = []  # turn and ray, last first
        self._total = 1
        self._work: list[Any] = []
        self.texture = self._texture(lightmap.pixels)
        if lightmap.walk is not None:
            self._set_out(lightmap.walk, quality.light_rays)

    @property
    def progress(self) -> float:
        """Part of the rays that have been sent, 0..1; at 1 the atlas holds the result, or none can be had here."""
        return 1.0 - len(self._plan) / self._total

    def gather(self, count: int | None = None) -> float:
        """Send `count` more rays from every texel (None: all that are left); returns `progress`."""
        if self._plan:
            todo = len(self._plan) if count is None else min(count, len(self._plan))
            while todo > 0:
                turn = self._plan[-1][0]
                todo -= self._send(turn, todo)
                if not self._plan or self._plan[-1][0] != turn:
                    self._finish(turn)
        return self.progress

    def release(self) -> None:
        self._drop_work()
        self.texture.release()

    def _texture(self, pixels: Bytes) -> Any:
        texture = self.ctx.texture((pixels.shape[1], pixels.shape[0]), 4, pixels.tobytes())
        texture.filter = (moderngl.LINEAR, moderngl.LINEAR)
        texture.repeat_x = texture.repeat_y = False
        return texture

    def _set_out(self, walk: Walk, count: int) -> None:
        """Textures that the rays need: where texels are, the tree and the triangles."""
        height, width = walk.chart.shape
        self._walk = walk
        self._rows = int(np.flatnonzero((walk.chart >= 0).any(axis=1)).max()) + 1  # the rest of the atlas is empty

        def floats(table: Table) -> Any:
            return self.ctx.texture(table.size, 4, table.data, dtype="f4")

        self._positions = floats(Table((width, height), walk.positions.tobytes()))
        self._normals = floats(Table((width, height), walk.normals.tobytes()))
        self._nodes, self._corners = floats(walk.nodes), floats(walk.corners)
        self._sum = self.ctx.texture((width, height), 4, dtype="f4")
        self._close = self.ctx.texture((width, height), 1, dtype="f4")
        self._target = self.ctx.framebuffer([self._sum, self._close])
        self._before = self.texture  # what the rays read; the picture keeps the first light until the end
        self._lamps: Floats32 | None = None  # sums over all looks
        self._work = [self._positions, self._normals, self._nodes, self._corners, self._sum, self._close, self._target]
        turns = [rays(max(1, round(count * share))) for share in TURNS]
        self._plan = [(turn, ray) for turn, sent in reversed(list(enumerate(turns))) for ray in sent[::-1]]
        looks = rays(max(1, count // LOOKS))
        self._plan += [(LAMPS, np.array((k, *look))) for k in range(len(walk.lamps))[::-1] for look in looks[::-1]]
        self._looks = len(looks)
        self._total = len(self._plan)
        self._sent = 0

    def _send(self, turn: int, most: int) -> int:
        """Send up to `most` rays of this turn; returns how many."""
        if turn == LAMPS:
            program = self.programs.get("screen.vert.glsl", "lamp.frag.glsl")
            put(program, bulb=BULB)
        else:
            program = self.programs.get("screen.vert.glsl", "light.frag.glsl", SHADOW_TAPS=1)
            put(program, trust=1.0 if turn else GUESS, crevice=CREVICE)
        put(program, positions=0, normals=1, nodes=2, corners=3, bounced=4, sun_map=5, node_count=self._walk.node_count)
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
            ray = self._plan.pop()[1]
            if turn == LAMPS:
                lamp = self._walk.lamps[int(ray[0])]
                put(program, lamp=tuple(lamp[:4]), shine=tuple(lamp[4:7]), pick=(ray[1], ray[2], ray[1] + ray[2]))
            else:
                put(program, ray=tuple(ray))
            array.render(moderngl.TRIANGLES, vertices=3)
            count += 1
        array.release()
        self._sent += count
        return count

    def _finish(self, turn: int) -> None:
        """Turn the sums into light, mend texels inside solids, and let the atlas show it."""
        walk = self._walk
        raw = np.frombuffer(self._sum.read(), np.float32).reshape(*walk.chart.shape, 4)
        if turn == LAMPS:
            self._lamps = raw[..., :3] / np.float32(self._looks)
            self._sent = 0
            assert walk.sky is not None, "lamps come with the light without them"
            self._read_next(decoded(walk.sky) + self._straight(walk.chart >= 0) / GUESS)
            return
        sent = max(self._sent, 1)
        mean = raw / np.float32(sent)
        good = (walk.chart >= 0) & (mean[..., 3] < BACKS)
        light = mend(mean[..., :3], good, walk.chart)
        self._sent = 0
        if turn < len(TURNS) - 1:
            self._read_next(light + self._straight(good))
            return
        close = np.frombuffer(self._close.read(), np.float32).reshape(*walk.chart.shape, 1) / np.float32(sent)
        shade = tones(walk.stain, mend(close, good, walk.chart)[..., 0])
        atlas = encoded(adapted(light) + self._straight(good), shade)
        self.texture.write(atlas.tobytes())
        self._drop_work()
        if self.cache is not None:
            self.cache.put(self.lightmap.name, atlas, self.lightmap.uv)

    def _straight(self, good: npt.NDArray[np.bool_]) -> Floats32:
        """Light (height, width, 3) that comes straight from lamps."""
        if self._lamps is None:
            return np.zeros((1, 1, 3), np.float32)
        return mend(self._lamps, good, self._walk.chart)

    def _read_next(self, light: Floats32) -> None:
        """What the next turn's rays read."""
        self._before = self._texture(encoded(light, self._walk.stain))
        self._work.append(self._before)

    def _drop_work(self) -> None:
        leave(self.ctx)
        for thing in self._work:
            thing.release()
        self._work = []
        self._plan = []


def mend(
    light: npt.NDArray[np.float32], good: npt.NDArray[np.bool_], chart: npt.NDArray[np.int32], rounds: int = 6
) -> npt.NDArray[np.float32]:
    """Give texels (H, W, C) that are not good the mean of good neighbours, spreading `rounds` texels, and give the
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
