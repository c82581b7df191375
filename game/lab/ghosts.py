"""Ghosts: bodies of the published controllers that walk beside the player on the same commands, without collision."""

from __future__ import annotations

import math
from collections import deque

from ..physics import Command, TriangleMesh, WalkerSettings, WalkerState
from . import REFERENCE_CONTROLLERS
from .fauerby_slide import FauerbyController
from .reference_controller import ReferenceController
from .triangle_arrays import TriangleArrays
from .walk_metrics import WalkMetrics

GHOST_NAMES = tuple(REFERENCE_CONTROLLERS)  # by their keys 1 to 6
MAX_GHOST_DISTANCE = 30.0  # m from the player: a ghost further away is reset to it
TELEPORT_DISTANCE = 2.0  # m in a tick: longer moves of the player are respawns
TRAIL_TICKS = 180  # ticks of the path that are kept


class ControllerGhost:
    """One ghost: controller, state and metrics. `loss_count`: resets after a fall or too great a distance."""

    def __init__(self, controller: ReferenceController, state: WalkerState) -> None:
        self.controller = controller
        self.loss_count = 0
        self.restart_at(state)

    def restart_at(self, state: WalkerState) -> None:
        """Take the place of a state and reset the metrics."""
        self.before = self.state = self.controller.adopt_state(state)
        self.metrics = WalkMetrics()
        self.trail: deque[tuple[float, float, float]] = deque(maxlen=TRAIL_TICKS)


class GhostGroup:
    """The active ghosts by number (1 to 6), and the same metrics of the player."""

    def __init__(self, mesh: TriangleMesh, settings: WalkerSettings, kill_height: float) -> None:
        self.settings = settings
        self.kill_height = kill_height
        self.active: dict[int, ControllerGhost] = {}
        self.fixed_defects: set[str] = set()  # fixed defects of the forum guide's method
        self.player_metrics = WalkMetrics()
        self.change_mesh(mesh)

    def change_mesh(self, mesh: TriangleMesh) -> None:
        """Use another mesh from the next tick on."""
        self.mesh = mesh
        self.faces = TriangleArrays(mesh.triangles12)

    def toggle(self, number: int, player: WalkerState) -> bool:
        """Add a ghost at the player's place, or remove it; whether it is active now."""
        if number in self.active:
            del self.active[number]
            return False
        self.active[number] = ControllerGhost(self._make_controller(GHOST_NAMES[number - 1]), player)
        self.active = dict(sorted(self.active.items()))
        return True

    def restart_all(self, player: WalkerState) -> None:
        """Reset all ghosts to the player's place, and all metrics."""
        for ghost in self.active.values():
            ghost.loss_count = 0
            ghost.restart_at(player)
        self.player_metrics = WalkMetrics()

    def toggle_defect(self, defect: str) -> bool:
        """Switch a defect of the forum guide's method; whether it is fixed now."""
        self.fixed_defects ^= {defect}
        if 1 in self.active:
            self.active[1].controller = self._make_controller(FauerbyController.name)
        return defect in self.fixed_defects

    def step(self, command: Command, before: WalkerState, after: WalkerState) -> None:
        """Step all ghosts; before, after: states of the player."""
        if math.dist(before.position, after.position) < TELEPORT_DISTANCE:
            self.player_metrics.add_tick(before, command, after, self.settings, self.mesh, self.faces)
        for ghost in self.active.values():
            previous = ghost.state
            current, _ = ghost.controller.step(previous, command, self.mesh)
            ghost.metrics.add_tick(previous, command, current, self.settings, self.mesh, self.faces)
            if current.feet[1] < self.kill_height or math.dist(current.feet, after.feet) > MAX_GHOST_DISTANCE:
                ghost.loss_count += 1
                current = previous = ghost.controller.adopt_state(after)
                ghost.trail.clear()
            ghost.before = previous
            ghost.state = current
            ghost.trail.append(current.feet)

    def _make_controller(self, name: str) -> ReferenceController:
        kind = REFERENCE_CONTROLLERS[name]
        return kind(self.settings, self.fixed_defects if kind is FauerbyController else ())
