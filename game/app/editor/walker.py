"""Putting the walker down where one has flown to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from game.app.editor.picking import Vector

if TYPE_CHECKING:
    from game.app.playing import Game
    from game.level import Level

TRIES = (0.0, 0.3, 0.6, 1.0, 1.5, 2.2)  # m above or below the place, in turn, where there is no room


def eye_height(game: Game) -> float:
    """Metres from the feet to the eye of a walker that stands upright."""
    assert game.session is not None
    settings = game.session.world.settings
    return settings.eye * 2.0 * settings.radii[1]


def enclosed(level: Level, at: Vector) -> bool:
    """Whether a place is inside a solid: every wall around it on the level shows its back."""
    for way in ((1.0, 0.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, -1.0)):
        hit = level.mesh.raycast(at, way)
        if hit is None:
            return False
        a, b, c = level.triangles[hit.triangle]
        if float(np.cross(b - a, c - a) @ np.asarray(way)) <= 0.0:
            return False
    return True


def put_down(game: Game, eye: Vector) -> str:
    """Stand under `eye`, pushed clear of walls; words where that cannot be, and the walker stays."""
    session = game.session
    assert session is not None
    if game.recording is not None:
        return "while the game records, the walker stays where it is: F5 stops"
    world = session.world
    x, y, z = eye
    feet = y - eye_height(game)
    for rise in TRIES:
        for height in dict.fromkeys((feet + rise, feet - rise)):
            try:
                state = world.walker.spawn(world.mesh, feet=(x, height, z), heading=round(game.look.yaw) % 65536)
            except ValueError:
                continue
            if enclosed(game.level, state.position):
                continue
            world.walker_state = state
            session.jumped()
            game.eye.jump(session.pose())
            return ""
    return "there is no room to stand here"
