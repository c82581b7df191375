"""Everything that a level brings to a picture, as plain data: made without GL, off the frame loop, in any process."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ..gl.programs import default_folder
from ..gl.quality import Quality, named
from ..passes.level import vertices
from ..passes.signs import Inscriptions, inscriptions
from .daylight import Daylight, daylight
from .lightmap import Lightmap, lightmap
from .lightmap_cache import LightCache, key
from .lightmap_reuse import Known, keys, relit
from .mover_meshes import corners_of
from .render_mesh import Floats, Model
from .scene import Scene
from .sun_map import SunFit, fit_sun

WIDE = 0.25  # part of the sun's map beyond which it is drawn anew, in bands, and not mended in its place


@dataclass(frozen=True, slots=True)
class Mend:
    """How the sun's map of another level becomes this one's: nothing differs outside `box` (least x and y, greatest;
    0..1 in the map). `of` is that other Prepared's `shape`."""

    of: str
    box: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """A scene, ready to be shown at one quality. `shape` tells what its sun's map shows; `settled`: its light is all
    that can be had without gathering, not an estimate from another level's."""

    scene: Scene
    quality: Quality
    daylight: Daylight
    fit: SunFit
    vertices: npt.NDArray[np.uint8]
    closed: int  # of the vertices: so many come first whose backs need not be drawn
    textures: tuple[str, ...]
    lightmap: Lightmap
    inscriptions: Inscriptions
    shape: str
    moving: tuple[npt.NDArray[np.float32], ...] = ()  # each mover's corners: see moving.py
    mend: Mend | None = None
    settled: bool = True


def prepare(
    scene: Scene,
    quality: str | Quality,
    *,
    cache: LightCache | None = None,
    shaders: Path | None = None,
    walk: bool = True,
) -> Prepared:
    """A scene by itself; with what gathering its light needs, if `walk`."""
    quality = named(quality) if isinstance(quality, str) else quality
    model, light = Model.from_scene(scene), daylight(scene.sky)
    found = lightmap(model, light, quality, shaders or default_folder(), cache, walk, scene.lamps)
    return _assembled(scene, quality, model, light, found)


class Preparer:
    """Prepares one version of a level after another, and lets each have what it can of the light of those before.

    `cache` as of `prepare`.
    """

    def __init__(self, quality: str | Quality, cache: LightCache | None = None, shaders: Path | None = None) -> None:
        self.quality = named(quality) if isinstance(quality, str) else quality
        self.cache = cache
        self.shaders = shaders or default_folder()
        self._known: Known | None = None
        self._awaited: tuple[Model, Daylight, str] | None = None  # what somebody gathers the light of
        self._last: tuple[Model, Prepared] | None = None

    def quickly(self, scene: Scene) -> Prepared:
        """The scene with the light that is known of it, and an estimate of the rest; as `settled` where nothing is."""
        if self._known is None:
            return self.settled(scene, walk=False)
        self._gathered_meanwhile()
        model, light = Model.from_scene(scene), daylight(scene.sky)
        found = relit(self._known, model, light, self.quality)
        return self._told_apart(scene, model, light, found, False)

    def settled(self, scene: Scene, walk: bool = True) -> Prepared:
        """The scene with its light from the cache, or an open sky's and, if `walk`, what gathering it needs; gathered
        light is what later versions are lit by."""
        model, light = Model.from_scene(scene), daylight(scene.sky)
        found = lightmap(model, light, self.quality, self.shaders, self.cache, walk, scene.lamps)
        if found.gathered or self._known is None:
            self._known = Known(model, light, found)
        self._awaited = None if found.gathered else (model, light, found.name)
        return self._told_apart(scene, model, light, found, True)

    def _gathered_meanwhile(self) -> None:
        """Know the light that somebody else has gathered and left in the cache."""
        if self._awaited is None or self.cache is None:
            return
        model, light, name = self._awaited
        kept = self.cache.get(name, self.quality.light_size, len(model.triangles))
        if kept is not None:
            self._known, self._awaited = Known(model, light, Lightmap(*kept, name, gathered=True)), None

    def ahead(self) -> None:
        """Do what the next version will need, while there is time."""
        self._gathered_meanwhile()
        if self._known is not None:
            _ = self._known.samples, self._known.coplanar(np.zeros(3, np.float32), np.zeros(3, np.float32))

    def _told_apart(self, scene: Scene, model: Model, light: Daylight, found: Lightmap, settled: bool) -> Prepared:
        made, last = _assembled(scene, self.quality, model, light, found), self._last
        mend = None
        if last is not None and np.array_equal(last[1].fit.world_to_map, made.fit.world_to_map):
            mend = Mend(last[1].shape, difference(last[0].triangles, model.triangles, made.fit))
        self._last = (model, made)
        return replace(made, mend=mend, settled=settled)


def _assembled(scene: Scene, quality: Quality, model: Model, light: Daylight, found: Lightmap) -> Prepared:
    fit = fit_sun(model.triangles, light.to_sun)
    rows, words = vertices(model, found.uv), inscriptions(scene.signs)
    shape = key(model.triangles, fit.world_to_map)
    moving = [corners_of(scene, k) for k in range(len(scene.movers))]
    textures = tuple(dict.fromkeys((*model.textures, *(name for _, names in moving for name in names))))
    corners = tuple(one for one, _ in moving)
    closed = 3 * int(np.count_nonzero(model.closed))
    return Prepared(scene, quality, light, fit, rows, closed, textures, found, words, shape, corners)


def difference(before: Floats, after: Floats, fit: SunFit) -> tuple[float, float, float, float]:
    """The box in the sun's map, 0..1, outside which these triangles (N, 3, 3) and (M, 3, 3) look the same."""
    shorter = min(len(before), len(after))
    alike = (before[:shorter] == after[:shorter]).all(axis=(1, 2))
    first = shorter if alike.all() else int(alike.argmin())  # most of a level stays, before and after what is changed
    before, after = before[first:], after[first:]
    old, new = keys(before), keys(after)
    gone, come = set(old), set(new)
    changed = [before[[k for k, name in enumerate(old) if name not in come]]]
    changed.append(after[[k for k, name in enumerate(new) if name not in gone]])
    corners = np.concatenate(changed).reshape(-1, 3)
    if not len(corners):
        return (0.0, 0.0, 0.0, 0.0)
    spots = np.column_stack((corners, np.ones(len(corners)))) @ fit.world_to_map
    low, high = spots[:, :2].min(axis=0), spots[:, :2].max(axis=0)
    return (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
