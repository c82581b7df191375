"""Putting the walker down where one has flown to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...sim.placement import place_walker_near
from .picking import Vector

if TYPE_CHECKING:
    from ..game import Game


def eye_height(game: Game) -> float:
    """Metres from the feet to the eye of a walker that stands upright."""
    assert game.session is not None
    settings = game.session.world.settings
    return settings.eye * 2.0 * settings.radii[1]


def place_walker(game: Game, eye: Vector) -> str:
    """Stand under `eye`, pushed clear of walls; words where that cannot be, and the walker stays."""
    session = game.session
    assert session is not None
    if game.recording is not None:
        return f"Cannot move the player while recording ({game.held_actions.describe('record')}: stop)"
    state = place_walker_near(session.world, eye, round(game.view_angles.yaw) % 65536, beside=False)
    if state is None:
        return "No room to stand here"
    game.free_camera.set_walker_state(state)
    return ""
