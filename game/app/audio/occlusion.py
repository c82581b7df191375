"""Occlusion: how far walls hide the sounds of a world from the ear, by rays that are spread over frames."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from ...core.springs import fade
from ...core.vectors import Point

if TYPE_CHECKING:
    from ...physics import Mesh
    from .sound_cue import SoundCue

MAX_CUE_RAYS = 3  # a frame, beside one for the looped sources
OWN_BODY = 0.6  # m around a source, within which a triangle is taken for its lamp or basin
HIDE_RATE = 4.0  # 1/s
Key = tuple[str, int]  # of a source


class Occlusion:
    """Rays from the ear to the sounds of one world, in its mesh: what moves hides nothing."""

    def __init__(self, mesh: Mesh) -> None:
        self._mesh = mesh
        self._blocked: dict[Key, bool] = {}
        self._hidden: dict[Key, float] = {}
        self._turn = 0

    def is_blocked(self, ear: Point, place: Point) -> bool:
        """Whether a wall is between the ear and a place (m)."""
        far = math.dist(ear, place)
        way = tuple(b - a for a, b in zip(ear, place, strict=True))
        return far > OWN_BODY and self._mesh.raycast_any(ear, way, far - OWN_BODY)

    def of_sources(self, ear: Point, places: Mapping[Key, Point], seconds: float) -> Mapping[Key, float]:
        """How far (0..1) looped sources are hidden, by key, `seconds` after the last call. places: of all, by key.

        It casts one ray. The sources take turns, new ones first.
        """
        self._blocked = {key: self._blocked[key] for key in places if key in self._blocked}
        if places:
            self._turn += 1
            new = [key for key in places if key not in self._blocked]
            key = new[0] if new else list(places)[self._turn % len(places)]
            self._blocked[key] = self.is_blocked(ear, places[key])
        hidden = {}
        for key in places:
            wanted = float(self._blocked.get(key, False))
            hidden[key] = fade(self._hidden.get(key, wanted), wanted, HIDE_RATE * seconds)
        self._hidden = hidden
        return hidden

    def of_cues(self, ear: Point, cues: Iterable[SoundCue]) -> list[SoundCue]:
        """The cues with `hidden`. The first ones with a place get a ray each."""
        rays, found = MAX_CUE_RAYS, []
        for cue in cues:
            if cue.place is not None and rays > 0:
                rays -= 1
                cue = replace(cue, hidden=float(self.is_blocked(ear, cue.place)))
            found.append(cue)
        return found
