"""Walkers of the published methods beside the player's, on the same commands. They touch nothing and nobody."""

from __future__ import annotations

import math
from collections import deque

from ..physics import Command, TriangleMesh, WalkerSettings, WalkerState
from .fauerby_slide import Guide
from .reference_controller import Technique
from .triangle_arrays import Faces
from .walk_metrics import Measure

NAMES = ("guide", "article", "sliding", "probes", "repair", "mended")  # by their keys 1 to 6
RECENT = 60  # ticks over which the present pace is counted
FARTHEST = 30.0  # m from the player: a ghost that got further is brought back
JUMP = 2.0  # m in a tick: more is being put elsewhere
TRAIL = 180  # ticks of way that are kept


class Ghost:
    """One of them: its method, state and measures. `lost`: how often it fell out of the level, or got too far."""

    def __init__(self, technique: Technique, state: WalkerState) -> None:
        self.technique = technique
        self.lost = 0
        self.begin(state)

    def begin(self, state: WalkerState) -> None:
        """Stand where this state stands, and count anew."""
        self.before = self.state = self.technique.takes_over(state)
        self.measure = Measure()
        self.recent: deque[tuple[float, float]] = deque(maxlen=RECENT)
        self.trail: deque[tuple[float, float, float]] = deque(maxlen=TRAIL)

    @property
    def pace(self) -> float:
        """The part of the wish that was made in the last second; nan where nothing was wished."""
        wished = sum(part for part, _ in self.recent)
        return sum(part for _, part in self.recent) / wished if wished > 0.0 else math.nan


class Ghosts:
    """Those that go along, by their numbers (1 to 6), and how the player fares by the same measures."""

    def __init__(self, mesh: TriangleMesh, settings: WalkerSettings, kill_height: float) -> None:
        self.settings, self.kill_height = settings, kill_height
        self.on: dict[int, Ghost] = {}
        self.mended: set[str] = set()  # of the guide's defects
        self.ours = Measure()
        self._recent: deque[tuple[float, float]] = deque(maxlen=RECENT)
        self.change_mesh(mesh)

    def change_mesh(self, mesh: TriangleMesh) -> None:
        """The level is another from the next tick on."""
        self.mesh, self.faces = mesh, Faces(mesh.triangles12)

    def toggle(self, number: int, player: WalkerState) -> bool:
        """Let one come, from where the player stands, or go; whether it is there now. Others count on."""
        if number in self.on:
            del self.on[number]
            return False
        self.on[number] = Ghost(self._technique(NAMES[number - 1]), player)
        self.on = dict(sorted(self.on.items()))
        return True

    def gather(self, player: WalkerState) -> None:
        """All begin again where the player stands."""
        for ghost in self.on.values():
            ghost.lost = 0
            ghost.begin(player)
        self.ours = Measure()
        self._recent.clear()

    def mend(self, defect: str) -> bool:
        """Switch a defect of the guide; whether it is mended now."""
        self.mended ^= {defect}
        if 1 in self.on:
            self.on[1].technique = self._technique("guide")
        return defect in self.mended

    def step(self, command: Command, before: WalkerState, after: WalkerState) -> None:
        """A tick of all of them; `before` and `after`: the player's own."""
        if math.dist(before.position, after.position) < JUMP:
            _note(self.ours, self._recent, before, command, after, self)
        for ghost in self.on.values():
            was = ghost.state
            now, _ = ghost.technique.step(was, command, self.mesh)
            _note(ghost.measure, ghost.recent, was, command, now, self)
            if now.feet[1] < self.kill_height or math.dist(now.feet, after.feet) > FARTHEST:
                ghost.lost += 1
                now = was = ghost.technique.takes_over(after)
                ghost.trail.clear()
            ghost.before, ghost.state = was, now
            ghost.trail.append(now.feet)

    @property
    def pace(self) -> float:
        """The player's own in the last second."""
        wished = sum(part for part, _ in self._recent)
        return sum(part for _, part in self._recent) / wished if wished > 0.0 else math.nan

    def _technique(self, name: str) -> Technique:
        from . import TECHNIQUES

        kind = TECHNIQUES[name]
        return kind(self.settings, self.mended if kind is Guide else ())


def _note(
    measure: Measure,
    recent: deque[tuple[float, float]],
    before: WalkerState,
    command: Command,
    after: WalkerState,
    ghosts: Ghosts,
) -> None:
    wished, made = measure.wished, measure.made
    measure.note(before, command, after, ghosts.settings, ghosts.mesh, ghosts.faces)
    recent.append((measure.wished - wished, measure.made - made))
