"""What a tick did and why, decoded only when asked for: one record for debug view, tests and headless report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import scratch as wk
from .state import POSITION

if TYPE_CHECKING:
    from ..environment.moving_platforms import Movers
    from ..triangle_mesh import TriangleMesh

Vector = tuple[float, float, float]

CLASSES = {wk.WALKABLE: "walkable", wk.WALL: "wall", wk.CEILING: "ceiling"}
FEATURES = {0: "face", 1: "edge", 2: "edge", 3: "edge", 4: "vertex", 5: "vertex", 6: "vertex"}
EVENTS = {
    wk.SQUEEZED: "squeezed",
    wk.CROWDED: "crowded",
    wk.PUSHED: "pushed",
    wk.LOST: "lost",
    wk.TURN_CUT: "turn cut",
    wk.STEPPED: "stepped",
    wk.SNAPPED: "snapped",
    wk.LANDED: "landed",
    wk.JUMPED: "jumped",
    wk.HEAD: "head",
    wk.NO_ROOM: "no room to stand",
    wk.FUNNEL: "funnel",
    wk.BOUNCED: "bounced",
    wk.CRUSHED: "crushed",
    wk.UPENDED: "gravity turned",
    wk.LAUNCHED: "launched",
    wk.SWAM: "swims",
    wk.CLIMBED: "climbs",
}


@dataclass(frozen=True, slots=True)
class Contact:
    """A plane that the body touched: triangle (index as passed in), class ("walkable", "wall", "ceiling"), feature
    ("face", "edge", "vertex"), unit normal towards the body, gap (ellipsoid space), contact point (m), mover (whose
    triangle it is; -1: the level's)."""

    triangle: int
    kind: str
    feature: str
    normal: Vector
    gap: float
    point: Vector
    mover: int = -1


@dataclass(frozen=True, slots=True)
class Slide:
    """One swept move: what was tried (m), the part of it that was free, and where it brought the body's centre (m)."""

    displacement: Vector
    fraction: float
    end: Vector = (0.0, 0.0, 0.0)


class Trace:
    """One tick. `contacts`: the planes touched at its end; `stops`: those that held the walker back; `slides`: each
    swept move; `events`: words such as "stepped", "snapped", "landed", "pushed"; `why`: in words why it stopped."""

    __slots__ = ("_before", "_events", "_frame", "_mesh", "_movers", "_records", "candidates")

    def __init__(
        self,
        mesh: TriangleMesh,
        events: int,
        candidates: int,
        before: Any,
        records: Any,
        frame: Any,
        movers: Movers | None = None,
    ) -> None:
        """before: the state row (1, WIDTH) at the start of the tick, to whose position all points are relative;
        frame (10,): what they are counted along, and whether that is not the world's (work.FRAME)."""
        self._mesh, self._events, self._before, self._frame = mesh, events, before, frame
        self._records, self._movers = records, movers
        self.candidates = candidates

    def _contact(self, n: int) -> Contact:
        triangle, kind, feature = (int(v) for v in self._records[n, 1:4])
        gap = float(self._records[n, 7])
        nx, ny, nz = self._world(self._records[n, 4:7])
        x, y, z = self._world(self._records[n, 8:])
        bx, by, bz = self._before[0, POSITION : POSITION + 3].tolist()
        mover, source = -1, self._mesh.source
        if self._movers and triangle >= len(self._mesh):
            mover, triangle = self._movers.of(triangle, self._mesh)
            source = self._movers[mover].mesh.source
        return Contact(
            int(source[triangle]),
            CLASSES[kind],
            FEATURES[feature],
            (nx, ny, nz),
            gap,
            (bx + x, by + y, bz + z),
            mover,
        )

    def _place(self, vector: Any) -> Vector:
        """A place of a record in the world."""
        (x, y, z), (bx, by, bz) = self._world(vector), self._before[0, POSITION : POSITION + 3].tolist()
        return bx + x, by + y, bz + z

    def _world(self, vector: Any) -> Vector:
        """A vector of a record in the world."""
        if self._frame[9] != 0.0:
            vector = vector @ self._frame[:9].reshape(3, 3)
        x, y, z = vector.tolist()
        return x, y, z

    def _contacts(self, kind: float) -> list[Contact]:
        return [self._contact(n) for n in range(len(self._records)) if self._records[n, 0] == kind]

    @property
    def contacts(self) -> list[Contact]:
        """The planes touched at the end of the tick."""
        return self._contacts(wk.REC_TOUCH)

    @property
    def stops(self) -> list[Contact]:
        """The planes that held the walker back, in the order met."""
        return self._contacts(wk.REC_STOP)

    @property
    def slides(self) -> list[Slide]:
        """Each swept move of the tick, in order."""
        return [
            Slide(self._world(r[4:7]), float(r[7]), self._place(r[8:]))
            for r in self._records
            if r[0] == wk.REC_SLIDE
        ]

    @property
    def events(self) -> list[str]:
        """What happened, in a fixed order of words."""
        return [word for bit, word in EVENTS.items() if self._events & bit]

    @property
    def bits(self) -> int:
        """The same as bits (game.physics.character.scratch)."""
        return self._events

    @property
    def held(self) -> bool:
        """Whether a wall or a ceiling kept the walker back."""
        records = self._records
        return bool(((records[:, 0] == wk.REC_STOP) & (records[:, 2] != wk.WALKABLE)).any())

    @property
    def stepped(self) -> bool:
        """Whether the body was lifted over an edge in this tick."""
        return bool(self._events & wk.STEPPED)

    @property
    def snapped(self) -> bool:
        """Whether the body was brought down to ground that fell away."""
        return bool(self._events & wk.SNAPPED)

    @property
    def why(self) -> str:
        """Why the walker did not get all it asked for; "nothing stopped it" where it did."""
        reasons = []
        for stop in self.stops:
            x, y, z = stop.normal
            lean = "a wall" if stop.kind == "wall" and abs(y) < 0.05 else ""
            what = lean or {"wall": "a slope too steep to walk", "ceiling": "a ceiling"}.get(stop.kind, "the ground")
            of = f" of mover {stop.mover}" if stop.mover >= 0 else ""
            words = f"{what} (triangle {stop.triangle}{of}, {stop.feature}, normal {x:.2f} {y:.2f} {z:.2f})"
            if words not in reasons:
                reasons.append(words)
        if self._events & wk.SQUEEZED:
            reasons.append("surfaces that leave no way at all")
        if self._events & wk.TURN_CUT:
            reasons.append("no room to turn the body further")
        if self._events & wk.NO_ROOM:
            reasons.append("no head room to stand up")
        if self._events & wk.CRUSHED:
            reasons.append("a mover that left it no room: back to the last safe place")
        elif self._events & wk.LOST:
            reasons.append("geometry it was inside of: back to the last safe place")
        return "stopped by " + ", ".join(reasons) if reasons else "nothing stopped it"
