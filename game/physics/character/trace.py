"""Trace of one tick: contacts, sweeps and events, decoded from its records when they are read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, NamedTuple

from ...core.vectors import Floats, Indices, Vector
from .rows import record_kind, state_row, surface_class, tick_event

if TYPE_CHECKING:
    from ..environment.environment import Environment
    from ..environment.movers import Movers
    from ..triangle_mesh import TriangleMesh

    RunAgain = Callable[[Floats, bytes, TriangleMesh, Environment | None, int, Indices | None], "TracedTick"]

SURFACE_CLASS_NAMES = {surface_class.WALKABLE: "walkable", surface_class.WALL: "wall", surface_class.CEILING: "ceiling"}
CONTACT_FEATURE_NAMES = {0: "face", 1: "edge", 2: "edge", 3: "edge", 4: "vertex", 5: "vertex", 6: "vertex"}
TICK_EVENT_NAMES = {bit: name.lower().replace("_", " ") for name, bit in vars(tick_event).items() if name.isupper()}


def event_names(bits: int) -> list[str]:
    """Words for the events of a tick (bits of rows.tick_event), in a fixed order."""
    return [name for bit, name in TICK_EVENT_NAMES.items() if bits & bit]


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


class StopKind(Enum):
    """Reason that the walker did not move as commanded."""

    WALL = auto()
    STEEP_SLOPE = auto()
    CEILING = auto()
    GROUND = auto()
    NO_SOLUTION = auto()
    NO_ROOM_TO_ROTATE = auto()
    NO_HEAD_ROOM = auto()
    CRUSHED = auto()
    INSIDE_GEOMETRY = auto()


_STOP_PHRASES = {
    StopKind.WALL: "a wall",
    StopKind.STEEP_SLOPE: "a slope too steep to walk",
    StopKind.CEILING: "a ceiling",
    StopKind.GROUND: "the ground",
    StopKind.NO_SOLUTION: "surfaces that leave no way at all",
    StopKind.NO_ROOM_TO_ROTATE: "no room to turn the body further",
    StopKind.NO_HEAD_ROOM: "no head room to stand up",
    StopKind.CRUSHED: "a mover that left it no room: back to the last safe place",
    StopKind.INSIDE_GEOMETRY: "geometry it was inside of: back to the last safe place",
}
_STOPPING_EVENTS = {
    tick_event.SQUEEZED: StopKind.NO_SOLUTION,
    tick_event.TURN_CUT: StopKind.NO_ROOM_TO_ROTATE,
    tick_event.NO_ROOM_TO_STAND: StopKind.NO_HEAD_ROOM,
    tick_event.CRUSHED: StopKind.CRUSHED,
    tick_event.LOST: StopKind.INSIDE_GEOMETRY,
}
VERTICAL_WALL_NORMAL_Y = 0.05  # |upward component of the normal| below which a wall is no slope


@dataclass(frozen=True, slots=True)
class StopReason:
    """One reason why the walker did not move as commanded, with its contact plane if it is a surface."""

    kind: StopKind
    contact: Contact | None = None


def _describe_stop_reasons(reasons: tuple[StopReason, ...], movers: Movers | None) -> str:
    """The reasons in one sentence for `Trace.why`; surfaces that give the same words occur once."""
    phrases = []
    for reason in reasons:
        phrase, contact = _STOP_PHRASES[reason.kind], reason.contact
        if contact is not None:
            x, y, z = contact.normal
            mover = ""
            if movers is not None and contact.mover >= 0:
                mover = f" of {movers[contact.mover].name or f'mover {contact.mover}'}"
            phrase += f" (triangle {contact.triangle}{mover}, {contact.feature}, normal {x:.2f} {y:.2f} {z:.2f})"
        phrases.append(phrase)
    return "stopped by " + ", ".join(dict.fromkeys(phrases)) if phrases else "nothing stopped it"


@dataclass(frozen=True, slots=True)
class Slide:
    """One swept displacement (m), the part of it that was free, and the centre of the body (m) afterwards."""

    displacement: Vector
    fraction: float
    end: Vector = (0.0, 0.0, 0.0)


class TracedTick(NamedTuple):
    """What the memory of a tick holds after it.

    records     rows (n, record_kind.WIDTH) f8
    frame       (10,) f8: body.FRAME and body.FRAME_IS_ROTATED, the frame of the records
    candidates  (m, 9) f8, corners of the triangles that the broad phase collected
    """

    records: Floats
    frame: Floats
    candidates: Floats


class Trace:
    """Trace of one tick.

    contacts   contact planes at its end
    stops      planes that held the walker back
    slides     swept displacements
    events     words such as "stepped", "snapped", "landed"
    stop_reasons  why the walker did not move as commanded; `why`: the same in words
    candidates    corners (N, 3, 3) (m) of the triangles that the broad phase collected; those of movers at the end

    It keeps what the tick was made of, and makes the tick again when its records are first read: a tick is pure.
    """

    __slots__ = ("_around", "_before", "_clock", "_command", "_events", "_mesh", "_run_again", "_starts", "_tick")

    def __init__(
        self,
        run_again: RunAgain,
        before: Floats,
        command: bytes,
        mesh: TriangleMesh,
        around: Environment | None,
        clock: int,
        events: int,
        starts: Indices | None = None,
    ) -> None:
        """before: state row (1, WIDTH) at the start of the tick, which nobody changes; command: `Command._row`; clock,
        starts: of `read_clock`."""
        self._run_again = run_again
        self._before = before
        self._command = command
        self._mesh = mesh
        self._around = around
        self._clock = clock
        self._starts = starts
        self._events = events
        self._tick: TracedTick | None = None

    def _traced(self) -> TracedTick:
        """The tick, made again once."""
        tick = self._tick
        if tick is None:
            self._tick = tick = self._run_again(
                self._before, self._command, self._mesh, self._around, self._clock, self._starts
            )
        return tick

    def __repr__(self) -> str:
        return f"<Trace: {', '.join(self.events) or 'no events'}; {self.why}>"

    @property
    def movers(self) -> Movers | None:
        """Movers of the tick. In a `World` the last one can be the walls at balls that stopped the walker."""
        return None if self._around is None else self._around.movers

    @property
    def candidates(self) -> Floats:
        """Corners (N, 3, 3) (m) of the triangles that the broad phase collected; those of movers at the end."""
        tick = self._traced()
        corners: Floats = tick.candidates.reshape(-1, 3, 3)
        if tick.frame[9] != 0.0:
            corners = corners @ tick.frame[:9].reshape(3, 3)
        moved: Floats = corners + self._before[0, state_row.POSITION : state_row.POSITION + 3]
        return moved

    def _contact(self, records: Floats, n: int) -> Contact:
        triangle, kind, feature = (int(v) for v in records[n, 1:4])
        mover, source = -1, self._mesh.source
        movers = self.movers
        if movers and triangle >= len(self._mesh):
            mover, triangle = movers.of(triangle, self._mesh)
            source = movers[mover].mesh.source
        return Contact(
            int(source[triangle]),
            SURFACE_CLASS_NAMES[kind],
            CONTACT_FEATURE_NAMES[feature],
            self._to_world_vector(records[n, 4:7]),
            float(records[n, 7]),
            self._to_world_point(records[n, 8:]),
            mover,
        )

    def _to_world_point(self, vector: Floats) -> Vector:
        """A point of a record, in the world (m)."""
        x, y, z = self._to_world_vector(vector)
        bx, by, bz = self._before[0, state_row.POSITION : state_row.POSITION + 3].tolist()
        return bx + x, by + y, bz + z

    def _to_world_vector(self, vector: Floats) -> Vector:
        """A vector of a record, in world directions."""
        frame = self._traced().frame
        if frame[9] != 0.0:
            vector = vector @ frame[:9].reshape(3, 3)
        x, y, z = vector.tolist()
        return x, y, z

    def _contacts(self, kind: float) -> list[Contact]:
        records = self._traced().records
        return [self._contact(records, n) for n in range(len(records)) if records[n, 0] == kind]

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
            for r in self._traced().records
            if r[0] == record_kind.SLIDE
        ]

    @property
    def events(self) -> list[str]:
        """Words for what happened, in a fixed order."""
        return event_names(self._events)

    @property
    def bits(self) -> int:
        """The events as bits (rows.tick_event)."""
        return self._events

    @property
    def held(self) -> bool:
        """True if a wall or a ceiling held the walker back."""
        records = self._traced().records
        return bool(((records[:, 0] == record_kind.STOP) & (records[:, 2] != surface_class.WALKABLE)).any())

    @property
    def stepped(self) -> bool:
        """True if the body was lifted onto an edge."""
        return bool(self._events & tick_event.STEPPED)

    @property
    def snapped(self) -> bool:
        """True if the body was moved down to ground that dropped."""
        return bool(self._events & tick_event.SNAPPED)

    @property
    def stop_reasons(self) -> tuple[StopReason, ...]:
        """Why the walker did not move as commanded: the planes that stopped it in order, then events; empty: it did."""
        kinds = {"wall": StopKind.STEEP_SLOPE, "ceiling": StopKind.CEILING}
        reasons = [
            StopReason(
                StopKind.WALL
                if stop.kind == "wall" and abs(stop.normal[1]) < VERTICAL_WALL_NORMAL_Y
                else kinds.get(stop.kind, StopKind.GROUND),
                stop,
            )
            for stop in self.stops
        ]
        events = self._events
        if events & tick_event.CRUSHED:
            events &= ~tick_event.LOST
        reasons += [StopReason(kind) for bit, kind in _STOPPING_EVENTS.items() if events & bit]
        return tuple(reasons)

    @property
    def why(self) -> str:
        """`stop_reasons` in words; "nothing stopped it" without any."""
        return _describe_stop_reasons(self.stop_reasons, self.movers)
