"""State report: mode, view, settings and walker state of a running game as JSON, for `--report` and crash reports."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..game import Game


def state_report(game: Game) -> str:
    """JSON text with mode, level, view and settings, and the walker's state where a world is played."""
    fields: dict[str, Any] = {
        "mode": game.mode,
        "level": game.level.name,
        "frames": game.clock.frame_count,
        "view_heading": game.input.view.yaw,
        "view_pitch": game.input.view.pitch,
        "settings": asdict(game.settings),
        "held": sorted(game.input.held.active),
    }
    if game.session is not None:
        world = game.session.world
        state = game.session.world.walker_state
        fields |= {
            "tick": world.tick,
            "goal_tick": world.goal_tick,
            "feet": state.feet,
            "velocity": state.velocity,
            "heading": state.heading,
            "radii": state.radii,
            "grounded": state.grounded,
            "dropped_seconds": game.session.dropped_seconds,
        }
    return json.dumps(fields, indent=1) + "\n"
