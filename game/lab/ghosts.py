"""Walkers of the published methods beside the player's, on the same commands. They touch nothing and nobody."""

from __future__ import annotations

import math
from collections import deque

from ..physics import Command, TriangleMesh, WalkerSettings, WalkerState
from .fauerby_slide import FauerbyController
from .reference_controller import ReferenceController
from .triangle_arrays import TriangleArrays
from .walk_metrics import WalkMetrics

GHOST_NAMES = ("guide", "article", "sliding", "probes", "repair", "mended")  # by their keys 1 to 6
PACE_WINDOW_TICKS = 60  # ticks over which the present pace is counted
MAX_GHOST_DISTANCE = 30.0  # m from the player: a ghost that got further is brought back
TELEPORT_DISTANCE = 2.0  # m in a tick: more is being put elsewhere
TRAIL_TICKS = 180  # ticks of way that are kept


class ControllerGhost:
    """One of them: its method, state and measures. `lost`: how often it fell out of the level, or got too far."""

    def __init__(self, technique: ReferenceController, state: WalkerState) -> None:
        self.technique = technique
        self.loss_count = 0
        self.restart_at(state)

    def restart_at(self, state: WalkerState) -> None:
        """Stand where this state stands, and count anew."""
        self.before = self.state = self.technique.adopt_state(state)
        self.measure = WalkMetrics()
        self.recent: deque[tuple[float, float]] = deque(maxlen=PACE_WINDOW_TICKS)
        self.trail: deque[tuple[float, float, float]] = deque(maxlen=TRAIL_TICKS)

    @property
    def pace(self) -> float:
        """The part of the wish that was made in the last second; nan where nothing was wished."""
        wished = sum(part for part, _ in self.recent)
        return sum(part for _, part in self.recent) / wished if wished > 0.0 else math.nan


class GhostGroup:
    """Those that go along, by their numbers (1 to 6), and how the player fares by the same measures."""

    def __init__(self, mesh: TriangleMesh, settings: WalkerSettings, kill_height: float) -> None:
        self.settings, self.kill_height = settings, kill_height
        self.active: dict[int, ControllerGhost] = {}
        self.mended: set[str] = set()  # of the guide's defects
        self.player_metrics = WalkMetrics()
        self._recent: deque[tuple[float, float]] = deque(maxlen=PACE_WINDOW_TICKS)
        self.change_mesh(mesh)

    def change_mesh(self, mesh: TriangleMesh) -> None:
        """The level is another from the next tick on."""
        self.mesh, self.faces = mesh, TriangleArrays(mesh.triangles12)

    def toggle(self, number: int, player: WalkerState) -> bool:
        """Let one come, from where the player stands, or go; whether it is there now. Others count on."""
        if number in self.active:
            del self.active[number]
            return False
        self.active[number] = ControllerGhost(self._technique(GHOST_NAMES[number - 1]), player)
        self.active = dict(sorted(self.active.items()))
        return True

    def restart_all(self, player: WalkerState) -> None:
        """All begin again where the player stands."""
        for ghost in self.active.values():
            ghost.loss_count = 0
            ghost.restart_at(player)
        self.player_metrics = WalkMetrics()
        self._recent.clear()

    def toggle_defect(self, defect: str) -> bool:
        """Switch a defect of the guide; whether it is mended now."""
        self.mended ^= {defect}
        if 1 in self.active:
            self.active[1].technique = self._technique("guide")
        return defect in self.mended

    def step(self, command: Command, before: WalkerState, after: WalkerState) -> None:
        """A tick of all of them; `before` and `after`: the player's own."""
        if math.dist(before.position, after.position) < TELEPORT_DISTANCE:
            _note(self.player_metrics, self._recent, before, command, after, self)
        for ghost in self.active.values():
            was = ghost.state
            now, _ = ghost.technique.step(was, command, self.mesh)
            _note(ghost.measure, ghost.recent, was, command, now, self)
            if now.feet[1] < self.kill_height or math.dist(now.feet, after.feet) > MAX_GHOST_DISTANCE:
                ghost.loss_count += 1
                now = was = ghost.technique.adopt_state(after)
                ghost.trail.clear()
            ghost.before, ghost.state = was, now
            ghost.trail.append(now.feet)

    @property
    def pace(self) -> float:
        """The player's own in the last second."""
        wished = sum(part for part, _ in self._recent)
        return sum(part for _, part in self._recent) / wished if wished > 0.0 else math.nan

    def _technique(self, name: str) -> ReferenceController:
        from . import REFERENCE_CONTROLLERS

        kind = REFERENCE_CONTROLLERS[name]
        return kind(self.settings, self.mended if kind is FauerbyController else ())


def _note(
    measure: WalkMetrics,
    recent: deque[tuple[float, float]],
    before: WalkerState,
    command: Command,
    after: WalkerState,
    ghosts: GhostGroup,
) -> None:
    wished, made = measure.wished, measure.progress
    measure.add_tick(before, command, after, ghosts.settings, ghosts.mesh, ghosts.faces)
    recent.append((measure.wished - wished, measure.progress - made))
