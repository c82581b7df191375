"""The collision lab in play: keys for ghosts and defects, their read-out, and the stations that are not walked on."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ..render import Card, CardRow, Snapshot
from ..render.overlay_layers import Lines, Overlay
from ..render.passes.ellipsoids import EllipsoidLook
from .exhibits import stations_of, together

if TYPE_CHECKING:
    from ..level import Level
    from ..physics import Command, WalkerState
    from ..sim import Session
    from .ghosts import Ghosts
    from .walk_metrics import Measure

UNIT = 2.0 * math.pi / 65536
TURN = 65536
COLOURS = (
    (0.95, 0.36, 0.32),  # red, orange, yellow, green, cyan, violet: as far apart as they go
    (0.98, 0.62, 0.22),
    (0.95, 0.88, 0.30),
    (0.45, 0.85, 0.42),
    (0.35, 0.78, 0.95),
    (0.72, 0.52, 0.98),
)
OURS = (0.96, 0.94, 0.89)
SEEN = 16.0  # m from which a station is drawn
NUMBERS = {f"{before}{n}": n for n in range(1, 7) for before in ("_", "NUM_")}
DEFECTS = {"_7": "turn", "_8": "inside", "_9": "margin", "_0": "slide", "P": "single"}
DEFECTS |= {"NUM_7": "turn", "NUM_8": "inside", "NUM_9": "margin", "NUM_0": "slide"}
SHORT = {
    "turn": "7  body does not turn",
    "inside": "8  areas without sign",
    "margin": "9  stops short wrongly",
    "slide": "0  slides in its own space",
    "single": "P  single precision",
}
HINT = "1 to 6: ghosts   ·   G: all to me   ·   7 8 9 0 P: the guide's defects"
TRAIL_EVERY = 4  # ticks between two drawings of the trails


class Lab:
    """What a level with `ghosts` or exhibits has beside the walk. One for each level that is played."""

    def __init__(self, level: Level, session: Session) -> None:
        self.session = session
        self._show(level)
        self.ghosts: Ghosts | None = None
        if getattr(level, "ghosts", False):
            from .ghosts import Ghosts

            world = session.world
            self.ghosts = Ghosts(world.mesh, world.settings, level.kill_height)
        self._due: tuple[Command, WalkerState] | None = None
        self._trails: tuple[Lines, ...] = ()
        self._drawn_at = -TRAIL_EVERY

    def _show(self, level: Level) -> None:
        self.level = level
        self.triangles, self.rests = stations_of(tuple(getattr(level, "exhibits", ())))

    @property
    def idle(self) -> bool:
        """Whether it has nothing to do."""
        return self.ghosts is None and not self.triangles and not self.rests

    def follow(self, level: Level) -> None:
        """The level was read again."""
        if level is not self.level:
            self._show(level)

    def key(self, key: str) -> str:
        """A key went down; what to say about it, nothing where it is none of ours."""
        if self.ghosts is None:
            return ""
        state = self.session.world.walker_state
        if key in NUMBERS:
            from . import TECHNIQUES
            from .ghosts import NAMES

            number = NUMBERS[key]
            here = self.ghosts.toggle(number, state)
            title = TECHNIQUES[NAMES[number - 1]].title
            return f"{title}: {'walks along' if here else 'gone'}"
        if key in DEFECTS:
            word = DEFECTS[key]
            return f"Guide, {SHORT[word][3:]}: {'mended' if self.ghosts.mend(word) else 'as published'}"
        if key == "G" and self.ghosts.on:
            self.gather()
            return "All ghosts begin again from here"
        return ""

    def gather(self) -> None:
        """All ghosts begin again where the player stands."""
        self._due = None
        if self.ghosts is not None:
            self.ghosts.gather(self.session.world.walker_state)

    # Ticks

    def sampled(self, command: Command) -> None:
        """The player's command of the coming tick; the tick before it is over."""
        if self.ghosts is not None and self.ghosts.on:
            self.settle()
            self._due = command, self.session.world.walker_state

    def settle(self) -> None:
        """Let the ghosts make the tick that the player has made."""
        if self._due is None or self.ghosts is None:
            return
        (command, before), self._due = self._due, None
        world = self.session.world
        if world.mesh is not self.ghosts.mesh:
            self.ghosts.change_mesh(world.mesh)
        self.ghosts.step(command, before, world.walker_state)

    # Frames

    def over(self, shot: Snapshot, pulling: bool, quiet: bool) -> Snapshot:
        """The snapshot with all of this in it. `quiet`: a panel is up, so no cards."""
        eye = shot.view.eye
        ahead = np.asarray(shot.view.axes()[2], dtype=np.float64)
        layers: list[Overlay] = [] if shot.overlay is None else [shot.overlay]
        bodies: list[EllipsoidLook] = []
        cards = list(shot.hud.cards)
        for triangle in self.triangles:
            triangle.frame(eye, ahead, pulling)
            if math.dist(eye, triangle.exhibit.at) > SEEN:
                continue
            layers.append(triangle.layers())
            if triangle.looked_at:
                cards.append(triangle.card())
        for rest in self.rests:
            if math.dist(eye, rest.exhibit.at) > SEEN:
                continue
            layers.append(rest.layers(shot.time))
            bodies += rest.balls(shot.time)
        hud = shot.hud
        if self.ghosts is not None:
            bodies += self._bodies()
            if self.ghosts.on:
                cards.append(readout(self.ghosts))
                layers.append(Overlay(lines=self._lines()))
            elif not hud.hint:
                hud = replace(hud, hint=HINT)
        if quiet:
            return replace(shot, ellipsoids=(*shot.ellipsoids, *bodies), overlay=together(layers))
        hud = replace(hud, cards=tuple(cards))
        return replace(shot, hud=hud, ellipsoids=(*shot.ellipsoids, *bodies), overlay=together(layers))

    def _bodies(self) -> list[EllipsoidLook]:
        assert self.ghosts is not None
        part = self.session.alpha
        found = []
        for number, ghost in self.ghosts.on.items():
            a, b = ghost.before, ghost.state
            x, y, z = (p + (q - p) * part for p, q in zip(a.position, b.position, strict=True))
            turn = (b.heading - a.heading + TURN // 2) % TURN - TURN // 2
            yaw = (a.heading + turn * part) * UNIT
            found.append(EllipsoidLook((x, y, z), b.radii, COLOURS[number - 1], yaw, 0.34))
        return found

    def _lines(self) -> tuple[Lines, ...]:
        """The ways of the last seconds; uploaded now and then only."""
        assert self.ghosts is not None
        tick = self.session.world.tick
        if abs(tick - self._drawn_at) >= TRAIL_EVERY:
            self._drawn_at = tick
            made = []
            for number, ghost in self.ghosts.on.items():
                trail = np.array(ghost.trail)
                if len(trail) > 1:
                    trail[:, 1] += 0.02
                    segments = np.stack((trail[:-1], trail[1:]), axis=1)
                    made.append(Lines(segments, (*COLOURS[number - 1], 0.85), 2.5, 0.3))
            self._trails = tuple(made)
        return self._trails


def readout(ghosts: Ghosts) -> Card:
    """How each fares since it came, and the player by the same measures."""
    from .fauerby_slide import Guide

    ours = replace(ghosts.ours, backward=0)  # you have inertia: turning back is no defect
    rows = [*_rows("you", OURS, ours, ghosts.pace, 0)]
    for number, ghost in ghosts.on.items():
        label = f"{number}  {ghost.technique.title}"
        rows += _rows(label, COLOURS[number - 1], ghost.measure, ghost.pace, ghost.lost)
    if 1 in ghosts.on:
        for word in Guide.known:
            rows.append(CardRow(SHORT[word], "mended" if word in ghosts.mended else "as published"))
    note = "pace: of the wish, last second; gap: the least so far"
    return Card("Beside you", rows=tuple(rows), note=note)


def _rows(
    label: str, colour: tuple[float, float, float], measure: Measure, pace: float, lost: int
) -> tuple[CardRow, ...]:
    """A line with pace and gap, and one with what went wrong, where anything has."""
    speed = "-" if math.isnan(pace) else f"{100 * pace:.0f} %"
    gap = "-" if math.isinf(measure.least) else f"{1e3 * measure.least:.1f} mm"
    counts = (
        ("stuck", measure.stuck),
        ("backward", measure.backward),
        ("inside", measure.embedded),
        ("through", measure.tunnelled),
        ("lost", lost),
    )
    wrong = ", ".join(f"{word} {count}" for word, count in counts if count)
    first = CardRow(label, f"{speed}   {gap}", colour)
    return (first, CardRow("", wrong)) if wrong else (first,)
