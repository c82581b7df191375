"""What a level brings to the driver: buffers, textures, its sun map. Made in small steps beside the running picture."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .gl.programs import Programs
from .passes.goal import Goal
from .passes.golf_flags import Flags
from .passes.level import POSITION_ONLY, VERTEX
from .passes.markers import Marks
from .passes.movers import Movers
from .passes.signs import Signs
from .passes.zones import Zones
from .scene.light_bake import BakedLight
from .scene.lightmap_cache import LightCache
from .scene.scene_data import WIDE, Prepared
from .scene.sun_map import SunMap
from .scene.surface_textures import Surfaces

BANDS = 2  # of a sun map that is drawn beside the running picture: a half costs two processors some 5 to 12 ms
RAYS = 8  # of inner light sent in a step


@dataclass(frozen=True, slots=True)
class Lasting:
    """What stays from level to level and is needed to load one."""

    ctx: Any
    programs: Programs
    surfaces: Surfaces
    has_depth: bool
    cache: LightCache | None


class Loaded:
    """A level on the driver's side. After all `steps` and then `finish` it can be drawn; until `finish` nothing of the
    level that is shown has changed."""

    def __init__(self, lasting: Lasting, prepared: Prepared, sun_map: SunMap) -> None:
        self.lasting, self.prepared, self.sun_map = lasting, prepared, sun_map
        self._mends = False
        self._parts: list[Any] = []
        self.vertices: Any = None
        self.light: BakedLight
        self.signs: Signs
        self.goal: Goal | None = None
        self.marks: Marks
        self.flags: Flags
        self.zones: Zones
        self.movers: Movers

    def steps(self, shown: Loaded | None, gather: bool, bands: int = BANDS) -> Iterator[None]:
        """`shown`: the level that is drawn now; with `gather` the inner light is gathered before this one is shown."""
        ctx, programs, prepared = self.lasting.ctx, self.lasting.programs, self.prepared
        self.vertices = self._own(ctx.buffer(prepared.vertices.tobytes() or bytes(VERTEX.itemsize)))
        self.light = self._own(
            BakedLight(ctx, prepared.lightmap, prepared.quality, programs, self.sun_map.texture, self.lasting.cache)
        )
        self.signs = self._own(Signs(ctx, prepared.inscriptions, programs, self.lasting.has_depth))
        if prepared.scene.goal is not None:
            self.goal = self._own(Goal(ctx, prepared.scene.goal, programs, self.lasting.has_depth))
        self.marks = self._own(Marks(ctx, prepared.scene, programs, self.lasting.has_depth))
        self.flags = self._own(Flags(ctx, prepared.scene.flags, programs, self.lasting.has_depth))
        self.zones = self._own(Zones(ctx, prepared.scene, programs, self.lasting.has_depth))
        self.movers = self._own(Movers(ctx, prepared.moving, prepared.quality, programs, self.lasting.has_depth))
        surfaces = self.lasting.surfaces
        missing = surfaces.missing(prepared.textures)
        for name in missing:
            yield
            surfaces.draw((name,))
        if missing:
            yield
            surfaces.finish()
        self._mends = shown is not None and shown.sun_map is self.sun_map
        if not self._mends:
            for _ in self.sun_map.bands(self.vertices, POSITION_ONLY, prepared.closed, prepared.fit, bands):
                yield
        if gather:
            while self.light.gather(RAYS) < 1.0:
                yield

    def finish(self) -> None:
        """Take the shown level's sun map over, where it was lent."""
        ready = self.prepared
        if self._mends and ready.mend is not None:
            self.sun_map.mend(self.vertices, POSITION_ONLY, ready.closed, ready.fit, ready.mend.box)
        self._mends = False

    def _own(self, part: Any) -> Any:
        self._parts.append(part)
        return part

    def rebuild(self) -> None:
        """Use the present programs."""
        self.signs.rebuild()
        self.marks.rebuild()
        self.flags.rebuild()
        self.zones.rebuild()
        self.movers.rebuild()
        if self.goal is not None:
            self.goal.rebuild()

    def draw_sun_map(self) -> None:
        """Draw the sun map anew."""
        self.sun_map.draw(self.vertices, POSITION_ONLY, self.prepared.closed, self.prepared.fit)

    def release(self) -> None:
        """Give everything back but the sun map, which is lent."""
        for part in self._parts:
            part.release()
        self._parts = []


def can_mend(prepared: Prepared, shown: Prepared) -> bool:
    """Whether a shown level's sun map becomes this one's by drawing a small part of it."""
    mend = prepared.mend
    if mend is None or mend.of != shown.shape or prepared.quality != shown.quality:
        return False
    x0, y0, x1, y1 = (min(max(edge, 0.0), 1.0) for edge in mend.box)
    return (x1 - x0) * (y1 - y0) <= WIDE
