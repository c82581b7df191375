"""Collision lab in play: ghosts and their defects, their card, and the exhibits."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ..core.angles import RADIANS_PER_HEADING_UNIT, wrap_heading
from ..render import Card, CardRow, Snapshot
from ..render.overlay_layers import Overlay, OverlayLines, concatenate_layers
from ..render.snapshot import EllipsoidInstance
from .exhibits import build_stations

if TYPE_CHECKING:
    from ..level import Level
    from ..physics import Command, WalkerState
    from ..sim import Session
    from .ghosts import GhostGroup
    from .walk_metrics import WalkMetrics

GHOST_COLOURS = (
    (0.95, 0.36, 0.32),  # red, orange, yellow, green, cyan, violet
    (0.98, 0.62, 0.22),
    (0.95, 0.88, 0.30),
    (0.45, 0.85, 0.42),
    (0.35, 0.78, 0.95),
    (0.72, 0.52, 0.98),
)
PLAYER_COLOUR = (0.96, 0.94, 0.89)
STATION_DRAW_DISTANCE = 16.0  # m within which a station is drawn
DEFECT_LABELS = {
    "turn": "7  body does not turn",
    "inside": "8  hits beside a face count",
    "margin": "9  stops at a wrong distance",
    "slide": "0  slides in scaled space",
    "single": "P  single precision",
}
LAB_HINT = "1 to 6: ghosts   ·   G: bring all ghosts here   ·   7 8 9 0 P: faults of ghost 1"
TRAIL_EVERY = 4  # ticks between two updates of the trails


class LabSession:
    """Ghosts and exhibits of one level in play."""

    def __init__(self, level: Level, session: Session) -> None:
        self.session = session
        self._build_stations(level)
        self.reference_walkers: GhostGroup | None = None
        if level.ghosts:
            from .ghosts import GhostGroup

            world = session.world
            self.reference_walkers = GhostGroup(world.mesh, world.settings, level.kill_height)
        self._pending_command: tuple[Command, WalkerState] | None = None
        self._trail_layers: tuple[OverlayLines, ...] = ()
        self._trails_tick = -TRAIL_EVERY

    def _build_stations(self, level: Level) -> None:
        self.level = level
        self.triangle_stations, self.resting_stations = build_stations(level.exhibits)

    @property
    def is_idle(self) -> bool:
        """Whether the level has neither ghosts nor exhibits."""
        return self.reference_walkers is None and not self.triangle_stations and not self.resting_stations

    def update(self, level: Level) -> None:
        """Rebuild the exhibits after a reload of the level."""
        if level is not self.level:
            self._build_stations(level)

    def toggle_ghost(self, number: int) -> str:
        """Add or remove a ghost, by its number from 1; the message for the player."""
        from . import REFERENCE_CONTROLLERS
        from .ghosts import GHOST_NAMES

        assert self.reference_walkers is not None
        is_active = self.reference_walkers.toggle(number, self.session.world.walker_state)
        title = REFERENCE_CONTROLLERS[GHOST_NAMES[number - 1]].title
        return f"Ghost {number} ({title}) {'added' if is_active else 'removed'}"

    def toggle_defect(self, defect: str) -> str:
        """Fix a defect of the first ghost, or bring it back; the message for the player."""
        assert self.reference_walkers is not None
        status = "fixed" if self.reference_walkers.toggle_defect(defect) else "as published"
        return f"Ghost 1, {DEFECT_LABELS[defect][3:]}: {status}"

    def bring_ghosts(self) -> str:
        """Bring all ghosts to the player; the message, empty without ghosts."""
        if self.reference_walkers is None or not self.reference_walkers.active:
            return ""
        self.reset_ghosts()
        return "All ghosts brought here"

    def reset_ghosts(self) -> None:
        """Reset all ghosts to the player's place."""
        self._pending_command = None
        if self.reference_walkers is not None:
            self.reference_walkers.restart_all(self.session.world.walker_state)

    # Ticks

    def record_command(self, command: Command) -> None:
        """Keep the player's command of the coming tick; step the ghosts through the tick before."""
        if self.reference_walkers is not None and self.reference_walkers.active:
            self.step_ghosts()
            self._pending_command = command, self.session.world.walker_state

    def step_ghosts(self) -> None:
        """Step the ghosts through the tick that the player has made."""
        if self._pending_command is None or self.reference_walkers is None:
            return
        (command, before), self._pending_command = self._pending_command, None
        world = self.session.world
        if world.mesh is not self.reference_walkers.mesh:
            self.reference_walkers.change_mesh(world.mesh)
        self.reference_walkers.step(command, before, world.walker_state)

    # Frames

    def apply_to_frame(self, shot: Snapshot, grabbing: bool, quiet: bool) -> Snapshot:
        """The snapshot with exhibits, ghosts and cards; quiet: without cards, since a panel is open."""
        eye = shot.view.eye
        ahead = np.asarray(shot.view.basis()[2], dtype=np.float64)
        layers: list[Overlay] = [] if shot.overlay is None else [shot.overlay]
        bodies: list[EllipsoidInstance] = []
        cards = list(shot.hud.cards)
        for triangle in self.triangle_stations:
            triangle.update(eye, ahead, grabbing)
            if math.dist(eye, triangle.exhibit.at) > STATION_DRAW_DISTANCE:
                continue
            layers.append(triangle.layers())
            if triangle.is_aimed:
                cards.append(triangle.card())
        for station in self.resting_stations:
            if math.dist(eye, station.exhibit.at) > STATION_DRAW_DISTANCE:
                continue
            layers.append(station.layers(shot.time))
            bodies += station.balls(shot.time)
        hud = shot.hud
        if self.reference_walkers is not None:
            bodies += self._ghost_ellipsoids()
            if self.reference_walkers.active:
                cards.append(comparison_card(self.reference_walkers))
                layers.append(Overlay(lines=self._trail_lines()))
            elif not hud.hint:
                hud = replace(hud, hint=LAB_HINT)
        hud = shot.hud if quiet else replace(hud, cards=tuple(cards))
        return replace(shot, hud=hud, ellipsoids=(*shot.ellipsoids, *bodies), overlay=concatenate_layers(layers))

    def _ghost_ellipsoids(self) -> list[EllipsoidInstance]:
        assert self.reference_walkers is not None
        alpha = self.session.alpha
        ellipsoids = []
        for number, ghost in self.reference_walkers.active.items():
            a, b = ghost.before, ghost.state
            x, y, z = (p + (q - p) * alpha for p, q in zip(a.position, b.position, strict=True))
            turn = wrap_heading(b.heading - a.heading)
            yaw = (a.heading + turn * alpha) * RADIANS_PER_HEADING_UNIT
            ellipsoids.append(EllipsoidInstance((x, y, z), b.radii, GHOST_COLOURS[number - 1], yaw, 0.34))
        return ellipsoids

    def _trail_lines(self) -> tuple[OverlayLines, ...]:
        """Paths of the last seconds, rebuilt every TRAIL_EVERY ticks."""
        assert self.reference_walkers is not None
        tick = self.session.world.tick
        if abs(tick - self._trails_tick) >= TRAIL_EVERY:
            self._trails_tick = tick
            layers = []
            for number, ghost in self.reference_walkers.active.items():
                trail = np.array(ghost.trail)
                if len(trail) > 1:
                    trail[:, 1] += 0.02
                    segments = np.stack((trail[:-1], trail[1:]), axis=1)
                    layers.append(OverlayLines(segments, (*GHOST_COLOURS[number - 1], 0.85), 2.5, 0.3))
            self._trail_layers = tuple(layers)
        return self._trail_layers


def comparison_card(ghosts: GhostGroup) -> Card:
    """Card with the metrics of the player and each ghost since it was added."""
    from .fauerby_slide import FauerbyController

    player_metrics = replace(ghosts.player_metrics, backward=0)  # you have inertia: turning back is no defect
    rows = [*_comparison_rows("you", PLAYER_COLOUR, player_metrics, 0)]
    for number, ghost in ghosts.active.items():
        label = f"{number}  {ghost.controller.title}"
        rows += _comparison_rows(label, GHOST_COLOURS[number - 1], ghost.metrics, ghost.loss_count)
    if 1 in ghosts.active:
        for defect in FauerbyController.known_defects:
            rows.append(CardRow(DEFECT_LABELS[defect], "fixed" if defect in ghosts.fixed_defects else "as published"))
    note = "Speed: % of intended, last second. Gap: smallest so far"
    return Card("Ghosts", rows=tuple(rows), note=note)


def _comparison_rows(
    label: str, colour: tuple[float, float, float], metrics: WalkMetrics, loss_count: int
) -> tuple[CardRow, ...]:
    """A row with pace and gap, and one with counts of failures where there are any."""
    pace = metrics.recent_pace
    speed = "-" if math.isnan(pace) else f"{100 * pace:.0f} %"
    gap = "-" if math.isinf(metrics.smallest_gap) else f"{1e3 * metrics.smallest_gap:.1f} mm"
    counts = (
        ("stuck", metrics.stuck),
        ("backward", metrics.backward),
        ("inside", metrics.embedded),
        ("through", metrics.tunnelled),
        ("lost", loss_count),
    )
    failures = ", ".join(f"{name} {count}" for name, count in counts if count)
    first = CardRow(label, f"{speed}   {gap}", colour)
    return (first, CardRow("", failures)) if failures else (first,)
