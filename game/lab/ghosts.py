"""Ghosts: bodies of the published controllers that walk beside the player on the same commands, without collision."""

from __future__ import annotations

import math
from collections import deque

from ..physics import Command, TriangleMesh, WalkerSettings, WalkerState
from .fauerby_slide import FauerbyController
from .reference_controller import ReferenceController
from .triangle_arrays import TriangleArrays
from .walk_metrics import WalkMetrics

GHOST_NAMES = ("guide", "article", "sliding", "probes", "repair", "mended")  # by their keys 1 to 6
PACE_WINDOW_TICKS = 60  # ticks over which the pace is averaged
MAX_GHOST_DISTANCE = 30.0  # m from the player: a ghost further away is reset to it
TELEPORT_DISTANCE = 2.0  # m in a tick: longer moves of the player are respawns
TRAIL_TICKS = 180  # ticks of the path that are kept


class ControllerGhost:
    """One ghost: controller, state and metrics. `loss_count`: resets after a fall or too great a distance."""

    def __init__(self, technique: ReferenceController, state: WalkerState) -> None:
        self.technique = technique
        self.loss_count = 0
        self.restart_at(state)

    def restart_at(self, state: WalkerState) -> None:
        """Take the place of a state and reset the metrics."""
        self.before = self.state = self.technique.adopt_state(state)
        self.measure = WalkMetrics()
        self.recent: deque[tuple[float, float]] = deque(maxlen=PACE_WINDOW_TICKS)
        self.trail: deque[tuple[float, float, float]] = deque(maxlen=TRAIL_TICKS)

    @property
    def pace(self) -> float:
        """Fraction of the wished displacement made in the last second; nan where nothing was wished."""
        wished = sum(part for part, _ in self.recent)
        return sum(part for _, part in self.recent) / wished if wished > 0.0 else math.nan


class GhostGroup:
    """The active ghosts by number (1 to 6), and the same metrics of the player."""

    def __init__(self, mesh: TriangleMesh, settings: WalkerSettings, kill_height: float) -> None:
        self.settings, self.kill_height = settings, kill_height
        self.active: dict[int, ControllerGhost] = {}
        self.mended: set[str] = set()  # fixed defects of the forum guide's method
        self.player_metrics = WalkMetrics()
        self._recent: deque[tuple[float, float]] = deque(maxlen=PACE_WINDOW_TICKS)
        self.change_mesh(mesh)

    def change_mesh(self, mesh: TriangleMesh) -> None:
        """Use another mesh from the next tick on."""
        self.mesh, self.faces = mesh, TriangleArrays(mesh.triangles12)

    def toggle(self, number: int, player: WalkerState) -> bool:
        """Add a ghost at the player's place, or remove it; whether it is active now."""
        if number in self.active:
            del self.active[number]
            return False
        self.active[number] = ControllerGhost(self._technique(GHOST_NAMES[number - 1]), player)
        self.active = dict(sorted(self.active.items()))
        return True

    def restart_all(self, player: WalkerState) -> None:
        """Reset all ghosts to the player's place, and all metrics."""
        for ghost in self.active.values():
            ghost.loss_count = 0
            ghost.restart_at(player)
        self.player_metrics = WalkMetrics()
        self._recent.clear()

    def toggle_defect(self, defect: str) -> bool:
        """Switch a defect of the forum guide's method; whether it is fixed now."""
        self.mended ^= {defect}
        if 1 in self.active:
            self.active[1].technique = self._technique("guide")
        return defect in self.mended

    def step(self, command: Command, before: WalkerState, after: WalkerState) -> None:
        """Step all ghosts; before, after: states of the player."""
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
        """The player's pace in the last second."""
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
