"""What the game shows and says of golf: where the ball would go, how strong the stroke is, and the card."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from game.render.overlay import Overlay, Points
from game.sim.events import BallLost, HoledOut
from game.sim.golf import CHARGING, DONE, READY, ROLLING_ON

if TYPE_CHECKING:
    from game.sim import World
    from game.sim.golf import Round

PREVIEW_SECONDS = 2.0  # of the ball's way that are shown: far enough to aim, short enough to leave the rest to skill
DOT_SECONDS = 0.05  # from dot to dot
DOTS = (1.0, 0.96, 0.82)  # sRGB
DOT_SIZE = 7.0  # pixels
FAR = 3.0  # m from which on the ball is marked
BALL_MARK = ((1.0, 1.0, 1.0, 0.95),)
NOTHING = Overlay()
SCORES = {-3: "Albatross", -2: "Eagle", -1: "Birdie", 0: "Par", 1: "Bogey", 2: "Double bogey"}
LOST = {"water": "Into the water", "out": "Out of bounds"}


class Golfing:
    """Keeps the card from level to level, and the preview from frame to frame."""

    def __init__(self) -> None:
        self.card: dict[tuple[str, int], tuple[int, int]] = {}  # by level and hole: par, strokes
        self._key: tuple[object, ...] = ()
        self._overlay = NOTHING

    def overlay(self, world: World, heading: int, pitch: int) -> Overlay | None:
        """The dots of the way that the ball would take now, or a mark where it lies; None where there is no golf."""
        golf = world.golf
        if golf is None:
            return None
        key = (id(golf), world.tick if golf.phase != READY else golf.at, heading, pitch, golf.near(world.walker_state))
        if key != self._key:
            self._key, self._overlay = key, _layers(golf, world, heading, pitch)
        return self._overlay

    def happened(self, event: HoledOut | BallLost, world: World) -> tuple[str, str]:
        """What is said of it; a hole that is done goes onto the card."""
        if isinstance(event, BallLost):
            return LOST.get(event.reason, "Lost"), f"a stroke more: {_strokes(event.strokes)}, from where you struck it"
        self.card[str(world.level.path), event.hole] = event.par, event.strokes
        name = "Hole in one!" if event.strokes == 1 else SCORES.get(event.strokes - event.par, "In the hole")
        below = f"{event.name}: {_strokes(event.strokes)}, par {event.par}"
        if len(self.card) > 1:
            below += f"   ·   {len(self.card)} holes: {self.total}"
        if not event.left and world.holes_wanted == 0 and world.level.goal is not None and world.goal_tick < 0:
            below += "   ·   now to the flag"
        return name, below

    @property
    def total(self) -> str:
        """`9 strokes, 2 over par`, of all holes on the card."""
        par, strokes = (sum(entry[k] for entry in self.card.values()) for k in (0, 1))
        over = strokes - par
        against = "par" if not over else f"{abs(over)} {'over' if over > 0 else 'under'} par"
        return f"{_strokes(strokes)}, {against}"


def tally(world: World) -> str:
    """`Par 4   ·   stroke 2`; with several holes their numbers too; nothing without golf."""
    golf = world.golf
    hole = golf.playing if golf is not None else None
    if golf is None or hole is None:
        return ""
    number = f"Hole {golf.hole + 1} of {len(golf.course.holes)}   ·   " if len(golf.course.holes) > 1 else ""
    return f"{number}par {hole.par}   ·   {_strokes(golf.strokes)}"


def strength(world: World) -> tuple[float | None, str]:
    """The bar of the stroke's strength, 0..1, and its label; None while nothing is held."""
    golf = world.golf
    if golf is None or golf.phase != CHARGING:
        return None, ""
    return golf.strength, f"let go to strike: {golf.strength * golf.course.speed:.1f} m/s"


def hint(world: World) -> str:
    """What there is to do with the ball; nothing without golf, or while it rolls."""
    golf = world.golf
    if golf is None or golf.phase in (CHARGING, DONE, ROLLING_ON):
        return ""
    if golf.near(world.walker_state):
        return "hold the left mouse button, let go to strike   ·   look up to loft the ball"
    away = math.dist(golf.at, world.walker_state.feet)
    return f"your ball lies {away:.0f} m away: walk to it"


def _layers(golf: Round, world: World, heading: int, pitch: int) -> Overlay:
    if golf.phase == CHARGING:
        second = world.settings.ticks_per_second
        way = golf.preview(heading, pitch, golf.strength, round(PREVIEW_SECONDS * second))
        every = max(1, round(DOT_SECONDS * second))
        dots = way[every - 1 :: every]
        fade = 1.0 - 0.75 * np.arange(len(dots)) / max(1.0, PREVIEW_SECONDS / DOT_SECONDS)
        colours = np.column_stack((np.tile(DOTS, (len(dots), 1)), fade))
        return Overlay(points=(Points(dots, colours, DOT_SIZE, 0.15),)) if len(dots) else NOTHING
    if golf.phase != DONE and math.dist(golf.at, world.walker_state.feet) > FAR:
        return Overlay(points=(Points([golf.at], BALL_MARK, 6.0, 0.6),))
    return NOTHING


def _strokes(count: int) -> str:
    return f"{count} stroke{'' if count == 1 else 's'}"
