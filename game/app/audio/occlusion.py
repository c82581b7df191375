"""Occlusion: how far walls hide the sounds of a world from the ear, by rays that are spread over frames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ...core.springs import fade
from ...core.vectors import Point

if TYPE_CHECKING:
    from ...physics import TriangleMesh
    from .sound_cue import SoundCue

MAX_CUE_RAYS = 3  # a frame, beside that to a looped source
OWN_BODY = 0.6  # m around a source, within which a triangle is taken for its lamp or basin
RAY_INTERVAL = 0.05  # s between two rays to the looped sources
HIDE_RATE = 4.0  # 1/s
Key = tuple[str, int]  # of a source


class Occlusion:
    """Rays from the ear to the sounds of one world, in its mesh: what moves hides nothing."""

    def __init__(self, mesh: TriangleMesh) -> None:
        self._mesh = mesh
        self._blocked: dict[Key, bool] = {}
        self._hidden: dict[Key, float] = {}
        self._turn = 0
        self._wait = 0.0  # s until the next ray

    def are_blocked(self, ear: Point, places: Sequence[Point]) -> list[bool]:
        """Whether a wall is between the ear and each place (m)."""
        ways = np.array(places) - np.array(ear)
        far = np.linalg.norm(ways, axis=1)
        ways[far < OWN_BODY] = (0.0, 1.0, 0.0)  # nothing is between: of any direction but zero, 0 m
        blocked: list[bool] = self._mesh.raycast_any(ear, ways, np.maximum(far - OWN_BODY, 0.0)).tolist()
        return blocked

    def of_sources(self, ear: Point, places: Mapping[Key, Point], seconds: float) -> Mapping[Key, float]:
        """How far (0..1) looped sources are hidden, by key, `seconds` after the last call. places: of all, by key.

        It casts one ray or none. The sources take turns; one that is new does not wait.
        """
        self._blocked = {key: self._blocked[key] for key in places if key in self._blocked}
        self._wait -= seconds
        new = [key for key in places if key not in self._blocked]
        if new or (places and self._wait <= 0.0):
            self._wait = RAY_INTERVAL
            self._turn += 1
            key = new[0] if new else list(places)[self._turn % len(places)]
            (self._blocked[key],) = self.are_blocked(ear, [places[key]])
        hidden = {}
        for key in places:
            wanted = float(self._blocked.get(key, False))
            hidden[key] = fade(self._hidden.get(key, wanted), wanted, HIDE_RATE * seconds)
        self._hidden = hidden
        return hidden

    def of_cues(self, ear: Point, cues: Iterable[SoundCue]) -> list[SoundCue]:
        """The cues with `hidden`. The first ones with a place get a ray each."""
        found = list(cues)
        placed = [(k, cue.place) for k, cue in enumerate(found) if cue.place is not None][:MAX_CUE_RAYS]
        if placed:
            for (k, _), blocked in zip(placed, self.are_blocked(ear, [place for _, place in placed]), strict=True):
                found[k] = replace(found[k], hidden=float(blocked))
        return found
