"""Occlusion: how far walls hide the sounds of a world from the ear, by rays that are spread over frames."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ...core.springs import fade
from ...core.vectors import Point

if TYPE_CHECKING:
    from ...physics import Mesh
    from .sound_cue import SoundCue
    from .sound_sources import SoundSource

MAX_CUE_RAYS = 3  # a frame, beside one for the looped sources
OWN_BODY = 0.6  # m around a source, within which a triangle is taken for its lamp or basin
HIDE_RATE = 4.0  # 1/s


class Occlusion:
    """Rays from the ear to the sounds of one world, in its mesh: what moves hides nothing."""

    def __init__(self, mesh: Mesh) -> None:
        self._mesh = mesh
        self._blocked: dict[tuple[str, int], bool] = {}
        self._hidden: dict[tuple[str, int], float] = {}
        self._turn = 0

    def is_blocked(self, ear: Point, place: Point) -> bool:
        """Whether a wall is between the ear and a place (m)."""
        far = math.dist(ear, place)
        way = tuple(b - a for a, b in zip(ear, place, strict=True))
        return far > OWN_BODY and self._mesh.raycast_any(ear, way, far - OWN_BODY)

    def of_sources(self, ear: Point, sources: Sequence[SoundSource], seconds: float) -> tuple[SoundSource, ...]:
        """The sources with `hidden`, `seconds` after the last call. One ray: the sources take turns; new ones first."""
        keys = [source.key for source in sources]
        self._blocked = {key: self._blocked[key] for key in keys if key in self._blocked}
        if sources:
            self._turn += 1
            new = [k for k, key in enumerate(keys) if key not in self._blocked]
            k = new[0] if new else self._turn % len(keys)
            self._blocked[keys[k]] = self.is_blocked(ear, sources[k].place)
        found = {}
        for key in keys:
            wanted = float(self._blocked.get(key, False))
            found[key] = fade(self._hidden.get(key, wanted), wanted, HIDE_RATE * seconds)
        self._hidden = found
        return tuple(replace(source, hidden=found[source.key]) for source in sources)

    def of_cues(self, ear: Point, cues: Iterable[SoundCue]) -> list[SoundCue]:
        """The cues with `hidden`. The first ones with a place get a ray each."""
        rays, found = MAX_CUE_RAYS, []
        for cue in cues:
            if cue.place is not None and rays > 0:
                rays -= 1
                cue = replace(cue, hidden=float(self.is_blocked(ear, cue.place)))
            found.append(cue)
        return found
