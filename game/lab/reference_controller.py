"""Base class of the published controllers: `step` has the signature of `Walker.step`. A world that one moves in.

The publications do not say how a fall accelerates, so all share one rule. Gravity accelerates the fall until less than
half of its displacement is granted in a tick, which is a landing. The wished velocity applies at once. The body turns
with the view at once, or never where the method has no turn. A crouched body is lower with the same feet; it stands up
without a test for head room.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, SupportsIndex

import numpy as np

from ..core.angles import HEADING_UNITS_PER_TURN
from ..core.vectors import Floats
from ..physics import Command, Trace, TriangleMesh, Walker, WalkerSettings, WalkerState
from ..physics.character.command import command_of_row
from ..physics.character.rows import record_kind, state_row
from ..physics.character.state import STATE_ROW
from ..physics.character.trace import TracedTick
from ..physics.environment.environment import Clock
from ..physics.numerics.trigonometry import heading_sin_cos
from ..sim.world import World
from .triangle_arrays import TriangleArrays

if TYPE_CHECKING:
    from ..level import Level

LANDED_FRACTION = 0.5  # of its displacement: a fall that gets less has landed
MAX_POSITION = 1e6  # m: a body beyond it stays at its previous position


@dataclass(frozen=True, slots=True)
class MoveRequest:
    """Input of one tick: centre (3,), wished and gravity displacement (3,), radii (3,), all in m; sine and cosine of
    the body's heading."""

    centre: Floats
    wish_displacement: Floats
    gravity_displacement: Floats
    radii: tuple[float, float, float]
    sine: float
    cosine: float


class ReferenceController(Walker):
    """A published controller with the commands and states of `Walker`.

    `defects` can be fixed one by one. Deterministic; no mesh makes it raise. `run` calls `step`.
    """

    name: ClassVar[str]
    title: ClassVar[str]  # label in menus and cards
    source: ClassVar[str]  # publication
    known_defects: ClassVar[dict[str, str]] = {}  # defects that can be fixed: name, effect
    body_turns: ClassVar[bool] = True  # whether the body turns with the view

    def __init__(self, settings: WalkerSettings | None = None, fixed: Iterable[str] = ()) -> None:
        """fixed: names of `known_defects` that are fixed. ValueError for another name."""
        super().__init__(settings)
        self.warns = False  # movers and zones have no effect
        fixed = frozenset(fixed)
        for defect in sorted(fixed - set(self.known_defects)):
            known = ", ".join(self.known_defects) or "none"
            raise ValueError(f"'{defect}' is not a defect of '{self.name}' that can be fixed (known: {known})")
        self.defects = frozenset(self.known_defects) - fixed
        self._faces: tuple[TriangleMesh, TriangleArrays] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.settings, tuple(sorted(set(self.known_defects) - self.defects))))

    @abstractmethod
    def resolve_move(self, faces: TriangleArrays, request: MoveRequest) -> Floats:
        """The centre (3,) after the move by the method's rules, m."""

    @property
    def body(self) -> tuple[float, float, float]:
        """Radii of the method's standing body, m."""
        return self.settings.radii

    def faces(self, mesh: TriangleMesh) -> TriangleArrays:
        """The triangles of a mesh as arrays, cached for the last mesh."""
        if self._faces is None or self._faces[0] is not mesh:
            self._faces = mesh, TriangleArrays(mesh.triangles12)
        return self._faces[1]

    def spawn(
        self, mesh: TriangleMesh, feet: Any, heading: SupportsIndex = 0, up: Any = (0.0, 1.0, 0.0),
        north: Any = (0.0, 0.0, -1.0), around: Any = None, clock: Clock = 0,
    ) -> WalkerState:  # fmt: skip
        """The walker's spawn state with this method's body."""
        return self.adopt_state(super().spawn(mesh, feet, heading, up, north))

    def adopt_state(self, state: WalkerState) -> WalkerState:
        """A state at rest with the same feet and this method's body."""
        x, y, z = state.feet
        row = np.zeros(1, STATE_ROW)
        row["position"] = x, y + self.body[1], z
        row["radii"] = self.body
        row["safe"] = row["position"]
        row["up"], row["north"] = row["safe_up"], row["safe_north"] = (0.0, 1.0, 0.0), (0.0, 0.0, -1.0)
        row["heading"] = row["safe_heading"] = state.heading if self.body_turns else 0
        row["tick"] = state.tick
        row["grounded"] = state.grounded
        row["ground_normal"] = (0.0, 1.0 if state.grounded else 0.0, 0.0)
        return WalkerState(row)

    def step(
        self, state: WalkerState, command: Command, mesh: TriangleMesh, around: Any = None, clock: Clock = 0
    ) -> tuple[WalkerState, Trace]:
        """One tick; the trace is empty. Moving platforms and zones (`around`) have no effect."""
        if not isinstance(command, Command):
            raise ValueError(f"command must be a Command, not {type(command).__name__}")
        before = state.row()
        after = before.copy()
        settings = self.settings
        heading = int(command.heading) % HEADING_UNITS_PER_TURN
        body_heading = heading if self.body_turns else 0
        across, high, deep = self.body
        radii = across, min(high, settings.crouch_height / 2.0) if command.crouch else high, deep
        after["radii"] = radii
        start = before["position"][0].copy()
        start[1] += radii[1] - float(before["radii"][0, 1])
        grounded = state.grounded
        vertical_velocity = float(before["velocity"][0, 1])
        if command.jump and grounded and not bool(before["jump_held"][0]):
            vertical_velocity = math.sqrt(2.0 * settings.gravity * settings.jump_height)
        vertical_velocity = max(vertical_velocity - settings.gravity * settings.dt, -settings.fall_limit)
        sine, cosine = heading_sin_cos(body_heading)
        fall = np.array((0.0, vertical_velocity * settings.dt, 0.0))
        request = MoveRequest(start, wish_move(command, settings), fall, radii, float(sine), float(cosine))
        with np.errstate(all="ignore"):
            end = np.asarray(self.resolve_move(self.faces(mesh), request), dtype=np.float64)
        if not (np.isfinite(end).all() and np.abs(end).max() < MAX_POSITION):
            end = start
        drop = float(end[1] - start[1])
        stopped = abs(drop) < LANDED_FRACTION * abs(fall[1]) or drop * vertical_velocity < 0.0
        grounded = vertical_velocity <= 0.0 and stopped
        if stopped:
            vertical_velocity = 0.0
        after["position"] = end
        after["velocity"] = (end - start) / settings.dt
        after["velocity"][0, 1] = after["falling"] = vertical_velocity
        after["heading"] = body_heading
        after["tick"] = before["tick"] + 1
        after["grounded"] = grounded
        after["jump_held"] = command.jump
        after["crouched"] = command.crouch
        after["ground_normal"] = (0.0, 1.0 if grounded else 0.0, 0.0)
        if grounded:
            after["safe"] = end
            after["safe_heading"] = body_heading
            after["safe_crouched"] = command.crouch
        floats = before.view(np.float64).reshape(1, state_row.WIDTH)
        return WalkerState(after), Trace(self._run_again, floats, command._row, mesh, None, 0, 0)

    @staticmethod
    def _run_again(*arguments: Any) -> TracedTick:
        """Nothing: these methods leave no records."""
        return TracedTick(np.empty((0, record_kind.WIDTH)), np.zeros(10), np.empty((0, 9)))

    def run(
        self,
        state: WalkerState,
        rows: Any,
        mesh: TriangleMesh,
        trace: bool = False,
        around: Any = None,
        clock: Clock = 0,
    ) -> Any:
        """All commands in order; result and errors as of `Walker.run`."""
        table = self.commands(rows)
        states = np.zeros(len(table), STATE_ROW)
        traces = []
        for k, row in enumerate(table):
            state, tick_trace = self.step(state, command_of_row(row), mesh)
            states[k] = state.row()[0]
            traces.append(tick_trace)
        return (states, traces) if trace else states


class ControllerWorld(World):
    """A `World` whose body is moved by `walker`; fall, goal, targets and exits are the same."""

    def __init__(
        self, level: Level, walker: Walker, settings: WalkerSettings | None = None, spawn: str | None = None
    ) -> None:
        """ValueError as of `World`."""
        super().__init__(level, settings, spawn)
        self.walker = walker
        self._at_spawn = walker.spawn(self.mesh, feet=self.start.feet, heading=self.start.heading)
        self._begin()


def wish_move(command: Command, settings: WalkerSettings) -> Floats:
    """(3,) horizontal displacement that a command asks for in a tick, m."""
    speed = settings.sprint_speed if command.sprint else settings.walk_speed
    if command.crouch:
        speed = settings.crouch_speed
    sine, cosine = heading_sin_cos(int(command.heading) % HEADING_UNITS_PER_TURN)
    ahead, aside = float(command.forward), float(command.strafe)
    length = math.sqrt(ahead * ahead + aside * aside)
    scale = speed * settings.dt / max(length, 1.0)
    x = (-sine * ahead + cosine * aside) * scale
    z = (-cosine * ahead - sine * aside) * scale
    return np.array((x, 0.0, z))
