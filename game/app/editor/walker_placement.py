"""Putting the walker down where one has flown to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...sim.placement import landing
from .picking import Vector

if TYPE_CHECKING:
    from ..game import Game


def eye_height(game: Game) -> float:
    """Metres from the feet to the eye of a walker that stands upright."""
    assert game.session is not None
    settings = game.session.world.settings
    return settings.eye * 2.0 * settings.radii[1]


def put_down(game: Game, eye: Vector) -> str:
    """Stand under `eye`, pushed clear of walls; words where that cannot be, and the walker stays."""
    session = game.session
    assert session is not None
    if game.recording is not None:
        return f"while the game records, the walker stays where it is: {game.held.told('record')} stops"
    state = landing(session.world, eye, round(game.look.yaw) % 65536, beside=False)
    if state is None:
        return "there is no room to stand here"
    game.flying.arrive(state)
    return ""
