"""Sound sources of a world: lifts and doors that move, flowing water, wind and lamps, as looped sounds with a place."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.springs import fade
from ...core.vectors import Floats, Point

if TYPE_CHECKING:
    from ...physics import TriangleMesh
    from ...sim import World
    from .sounds import SoundCue

MAX_SOURCES = 6  # heard at once: the loudest at the ear
MIN_HEARD = 0.01  # quieter sources are not heard
HEARD_BEFORE = 1.25  # factor on the loudness of a source heard before, so that two equal ones do not alternate
FULL_MOVER_SPEED = 3.0  # m/s, from which on a mover is loudest
MIN_MOVER_SPEED = 0.03  # m/s; a slower mover is silent
FULL_FLOW_SPEED = 6.0  # m/s
MIN_FLOW_SPEED = 0.2  # m/s
FLOW_REACH = 2.5  # m
TORCH_COLOUR = 2.5  # red over blue from which on a lamp is a fire
WATER_WORD = "water"  # in the names of surfaces that look like water, as in a fountain
WATER_CELL = 4.0  # m: the faces within one cell are one source
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
        blocked: list[bool] = self._mesh.raycast_any_many(ear, ways, np.maximum(far - OWN_BODY, 0.0)).tolist()
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


@dataclass(frozen=True, slots=True)
class SoundSource:
    """A looped sound at a place (m). loudness: 0..1, at the ear. key: of the same source in all frames; it begins with
    the name. hidden: 0 in sight of the ear to 1 behind a wall."""

    key: tuple[str, int]
    name: str
    place: Point
    loudness: float
    hidden: float = 0.0


def loudness_at(distance: Any, loudness: Any, reach: Any) -> Any:
    """Loudness at a distance (m) of a source with this loudness within its reach (m); arrays or numbers."""
    return loudness * reach / np.maximum(distance, reach)


class SoundSources:
    """The sources of one world. Zones sound from their nearest point, all others from their centre."""

    def __init__(self, world: World) -> None:
        self.occlusion = Occlusion(world.mesh)
        level = world.level
        movers = level.movers
        rows: list[tuple[str, Any, Any, Any, float, float, int]] = []
        still, box = np.eye(3), np.zeros(3)
        for light in level.lights:
            if light.visible:
                is_fire = light.colour[0] > TORCH_COLOUR * light.colour[2]
                name, loud, reach = ("torch", 0.35, 1.5) if is_fire else ("lamp", 0.10, 1.0)
                rows.append((name, light.at, box, still, loud, reach, light.mover))
        for zone in level.all_zones:
            speed = math.hypot(*(dict(zone.physics).get("current") or (0.0,)))
            if speed > MIN_FLOW_SPEED:
                loud = 0.3 + 0.7 * min(speed / FULL_FLOW_SPEED, 1.0)
                name = "flow" if zone.facts.is_water else "wind"
                rows.append((name, zone.centre, zone.half, zone.axes, loud, FLOW_REACH, zone.mover))
        rows += [("flow", place, box, still, 0.4, FLOW_REACH, -1) for place in _water_faces(level)]
        self._first_mover = len(rows)
        rows += [("mover", mover.at, box, still, 0.0, 2.5, number) for number, mover in enumerate(movers)]
        self._names = [row[0] for row in rows]
        self._centres, self._halves = (np.array([row[k] for row in rows], float).reshape(-1, 3) for k in (1, 2))
        self._axes = np.array([row[3] for row in rows], float).reshape(-1, 3, 3)
        self._loud, self._reach = (np.array([row[k] for row in rows], float) for k in (4, 5))
        self._mover = np.array([row[6] for row in rows], int)
        self._carried = np.flatnonzero(self._mover >= 0)
        self._mover = self._mover[self._carried]
        homes = np.array([mover.at for mover in movers], float).reshape(-1, 3)
        self._offsets = self._centres[self._carried] - homes[self._mover]
        self._poses: Floats | None = None
        self._heard: list[int] = []

    def update(self, ear: Point, poses: Floats | None, seconds: float) -> tuple[SoundSource, ...]:
        """The sources that are heard at `ear` (m), the loudest first.

        poses: of the movers (K, 3, 4), None for none; seconds: of play since the last update, 0 while it stands still.
        """
        if poses is not None and len(self._carried):
            self._move(poses, seconds)
        local = np.einsum("nij,nj->ni", self._axes, np.array(ear) - self._centres)
        nearest = self._centres + np.einsum("nij,ni->nj", self._axes, np.clip(local, -self._halves, self._halves))
        heard = loudness_at(np.linalg.norm(nearest - np.array(ear), axis=1), self._loud, self._reach)
        rank = heard.copy()
        rank[self._heard] *= HEARD_BEFORE
        order = np.argsort(-rank, kind="stable")[:MAX_SOURCES].tolist()
        self._heard = [k for k in order if heard[k] > MIN_HEARD]
        places = {
            (self._names[k], k): (x, y, z)
            for k, (x, y, z) in zip(self._heard, nearest[self._heard].tolist(), strict=True)
        }
        hidden = self.occlusion.of_sources(ear, places, seconds)
        return tuple(
            SoundSource(key, key[0], place, float(heard[key[1]]), hidden[key]) for key, place in places.items()
        )

    def _move(self, poses: Floats, seconds: float) -> None:
        """Carry the sources to the poses of their movers, and set the loudness of movers by their speed."""
        turned = np.einsum("nij,nj->ni", poses[self._mover, :, :3], self._offsets)
        self._centres[self._carried] = poses[self._mover, :, 3] + turned
        before, self._poses = self._poses, poses.copy()
        if before is not None and seconds > 0.0:
            speed = np.abs(poses - before).max(axis=(1, 2)) / seconds
            loud = np.minimum(0.15 + 0.65 * speed / FULL_MOVER_SPEED, 0.8)
            self._loud[self._first_mover :] = np.where(speed > MIN_MOVER_SPEED, loud, 0.0)


def _water_faces(level: Any) -> list[Point]:
    """Centres (m) of drawn faces whose surface is named after water, one in each cell."""
    wet = np.array([WATER_WORD in surface.name.lower() for surface in level.surfaces])[level.drawn_surface]
    middles = level.drawn[wet].mean(axis=1)
    _, first = np.unique(np.floor(middles / WATER_CELL), axis=0, return_index=True)
    return [(x, y, z) for x, y, z in middles[first].tolist()]
