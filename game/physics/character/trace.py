"""Trace of one tick: contacts, sweeps and events, decoded from its records when they are read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...core.vectors import Vector
from .layout import record_kind, state_row, surface_class, tick_event

if TYPE_CHECKING:
    from ..environment.moving_platforms import Movers
    from ..triangle_mesh import TriangleMesh

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
    """A contact plane: triangle (index as passed in), kind ("walkable", "wall", "ceiling"), feature ("face", "edge",
    "vertex"), unit normal towards the body, gap (ellipsoid space), contact point (m), mover (index; -1: the level).
    """

    triangle: int
    kind: str
    feature: str
    normal: Vector
    gap: float
    point: Vector
    mover: int = -1


@dataclass(frozen=True, slots=True)
class Slide:
    """One swept displacement (m), the part of it that was free, and the centre of the body (m) afterwards."""

    displacement: Vector
    fraction: float
    end: Vector = (0.0, 0.0, 0.0)


class Trace:
    """Trace of one tick.

    contacts   contact planes at its end
    stops      planes that held the walker back
    slides     swept displacements
    events     words such as "stepped", "snapped", "landed"
    why        why the walker stopped, in words
    """

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
        """before: state row (1, WIDTH) at the start of the tick; points of records are relative to its position.

        frame (10,): body.FRAME and body.FRAME_IS_ROTATED, the frame of the records.
        """
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
        """A point of a record, in the world (m)."""
        (x, y, z), (bx, by, bz) = (
            self._to_world_vector(vector),
            self._before[0, state_row.POSITION : state_row.POSITION + 3].tolist(),
        )
        return bx + x, by + y, bz + z

    def _to_world_vector(self, vector: Any) -> Vector:
        """A vector of a record, in world directions."""
        if self._frame[9] != 0.0:
            vector = vector @ self._frame[:9].reshape(3, 3)
        x, y, z = vector.tolist()
        return x, y, z

    def _contacts(self, kind: float) -> list[Contact]:
        return [self._contact(n) for n in range(len(self._records)) if self._records[n, 0] == kind]

    @property
    def contacts(self) -> list[Contact]:
        """Contact planes at the end of the tick."""
        return self._contacts(record_kind.CONTACT)

    @property
    def stops(self) -> list[Contact]:
        """Planes that held the walker back, in the order in which they did."""
        return self._contacts(record_kind.STOP)

    @property
    def slides(self) -> list[Slide]:
        """Swept displacements of the tick, in order."""
        return [
            Slide(self._to_world_vector(r[4:7]), float(r[7]), self._to_world_point(r[8:]))
            for r in self._records
            if r[0] == record_kind.SLIDE
        ]

    @property
    def events(self) -> list[str]:
        """Words for what happened, in a fixed order."""
        return [word for bit, word in TICK_EVENT_NAMES.items() if self._events & bit]

    @property
    def bits(self) -> int:
        """The events as bits (layout.tick_event)."""
        return self._events

    @property
    def held(self) -> bool:
        """True if a wall or a ceiling held the walker back."""
        records = self._records
        return bool(((records[:, 0] == record_kind.STOP) & (records[:, 2] != surface_class.WALKABLE)).any())

    @property
    def stepped(self) -> bool:
        """True if the body was lifted onto an edge."""
        return bool(self._events & tick_event.STEPPED_UP)

    @property
    def snapped(self) -> bool:
        """True if the body was moved down to ground that dropped."""
        return bool(self._events & tick_event.SNAPPED_DOWN)

    @property
    def why(self) -> str:
        """Why the walker did not move as asked; "nothing stopped it" if it did."""
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
