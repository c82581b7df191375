"""What a tick did and why, decoded only when asked for: one record for debug view, tests and headless report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .layout import record_kind, state_row, surface_class, tick_event

if TYPE_CHECKING:
    from ..environment.moving_platforms import Movers
    from ..triangle_mesh import TriangleMesh

Vector = tuple[float, float, float]

SURFACE_CLASS_NAMES = {surface_class.WALKABLE: "walkable", surface_class.WALL: "wall", surface_class.CEILING: "ceiling"}
CONTACT_FEATURE_NAMES = {0: "face", 1: "edge", 2: "edge", 3: "edge", 4: "vertex", 5: "vertex", 6: "vertex"}
TICK_EVENT_NAMES = {
    tick_event.NO_SOLUTION: "squeezed",
    tick_event.TOO_MANY_CONTACTS: "crowded",
    tick_event.RECOVERED_PENETRATION: "pushed",
    tick_event.RETURNED_TO_SAFE: "lost",
    tick_event.ROTATION_BLOCKED: "turn cut",
    tick_event.STEPPED_UP: "stepped",
    tick_event.SNAPPED_DOWN: "snapped",
    tick_event.LANDED: "landed",
    tick_event.JUMPED: "jumped",
    tick_event.HIT_CEILING: "head",
    tick_event.STAND_BLOCKED: "no room to stand",
    tick_event.WEDGED: "funnel",
    tick_event.BOUNCED: "bounced",
    tick_event.CRUSHED: "crushed",
    tick_event.GRAVITY_TURNED: "gravity turned",
    tick_event.LAUNCHED: "launched",
    tick_event.SWIMMING: "swims",
    tick_event.CLIMBING: "climbs",
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
        nx, ny, nz = self._to_world_vector(self._records[n, 4:7])
        x, y, z = self._to_world_vector(self._records[n, 8:])
        bx, by, bz = self._before[0, state_row.POSITION : state_row.POSITION + 3].tolist()
        mover, source = -1, self._mesh.source
        if self._movers and triangle >= len(self._mesh):
            mover, triangle = self._movers.of(triangle, self._mesh)
            source = self._movers[mover].mesh.source
        return Contact(
            int(source[triangle]),
            SURFACE_CLASS_NAMES[kind],
            CONTACT_FEATURE_NAMES[feature],
            (nx, ny, nz),
            gap,
            (bx + x, by + y, bz + z),
            mover,
        )

    def _to_world_point(self, vector: Any) -> Vector:
        """A place of a record in the world."""
        (x, y, z), (bx, by, bz) = (
            self._to_world_vector(vector),
            self._before[0, state_row.POSITION : state_row.POSITION + 3].tolist(),
        )
        return bx + x, by + y, bz + z

    def _to_world_vector(self, vector: Any) -> Vector:
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
        return self._contacts(record_kind.CONTACT)

    @property
    def stops(self) -> list[Contact]:
        """The planes that held the walker back, in the order met."""
        return self._contacts(record_kind.STOP)

    @property
    def slides(self) -> list[Slide]:
        """Each swept move of the tick, in order."""
        return [
            Slide(self._to_world_vector(r[4:7]), float(r[7]), self._to_world_point(r[8:]))
            for r in self._records
            if r[0] == record_kind.SLIDE
        ]

    @property
    def events(self) -> list[str]:
        """What happened, in a fixed order of words."""
        return [word for bit, word in TICK_EVENT_NAMES.items() if self._events & bit]

    @property
    def bits(self) -> int:
        """The same as bits (game.physics.character.scratch)."""
        return self._events

    @property
    def held(self) -> bool:
        """Whether a wall or a ceiling kept the walker back."""
        records = self._records
        return bool(((records[:, 0] == record_kind.STOP) & (records[:, 2] != surface_class.WALKABLE)).any())

    @property
    def stepped(self) -> bool:
        """Whether the body was lifted over an edge in this tick."""
        return bool(self._events & tick_event.STEPPED_UP)

    @property
    def snapped(self) -> bool:
        """Whether the body was brought down to ground that fell away."""
        return bool(self._events & tick_event.SNAPPED_DOWN)

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
        if self._events & tick_event.NO_SOLUTION:
            reasons.append("surfaces that leave no way at all")
        if self._events & tick_event.ROTATION_BLOCKED:
            reasons.append("no room to turn the body further")
        if self._events & tick_event.STAND_BLOCKED:
            reasons.append("no head room to stand up")
        if self._events & tick_event.CRUSHED:
            reasons.append("a mover that left it no room: back to the last safe place")
        elif self._events & tick_event.RETURNED_TO_SAFE:
            reasons.append("geometry it was inside of: back to the last safe place")
        return "stopped by " + ", ".join(reasons) if reasons else "nothing stopped it"
