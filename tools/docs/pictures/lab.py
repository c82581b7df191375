"""Render the pictures of docs/lab.md: `python -m tools.docs.pictures.lab [--quality Q] [NAME...]`.

Each picture is a game without a window, played by key presses in the collision lab with all ghosts on and seen from the
side.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from game.app.game import Game
from game.app.settings.settings_file import Settings
from game.level import load
from game.render import Renderer, Scene, Snapshot, offscreen_context
from game.render.snapshot import EllipsoidInstance
from game.sim import command_script
from tools.docs.pictures.shared import DOCS, SIZE, asked_for, drawn, keep

UNIT = 2.0 * math.pi / 65536
FRAME = 1 / 60 + 1e-9  # s
OURS = (0.96, 0.94, 0.89)
Point = tuple[float, float, float]


@dataclass(frozen=True)
class Shot:
    """A picture: feet and heading (degrees) at the start, the walk as lines of a commands file, and the camera."""

    feet: Point
    heading: float
    walk: str
    eye: Point
    at: Point


SHOTS = {
    "stairs": Shot((0, 0, -6), 0, "45 forward 1", (5.2, 1.7, -6.0), (0.4, 0.8, -8.4)),
    "corner": Shot((-7, 0, -9), 0, "90 forward 1 turn 8", (-7.0, 4.2, -8.0), (-7, 0.6, -13)),
}


def take(shot: Shot, quality: str) -> tuple[Game, Snapshot]:
    """Play the walk and render it, with the player's own body."""
    game = Game(load("lab"), Settings(), quality)
    world = game.make_world()
    heading = round(shot.heading * 65536 / 360) % 65536
    world.walker_state = world.walker.spawn(world.mesh, shot.feet, heading=heading)
    game.start(world)
    game.input.view.face_heading(heading)
    now, aspect = 0.0, SIZE[0] / SIZE[1]
    game.advance_frame(now, aspect)
    for number in range(1, 7):
        game.key_pressed(f"_{number}")
    script = command_script.parse_script(shot.walk)
    for command in islice(script.commands(heading), script.ticks):
        game.input.view.yaw = float(command.heading)
        game.input.held.press("W")
        now += FRAME
        game.advance_frame(now, aspect)
    game.feedback.message = None
    now += FRAME / 4
    seen = game.advance_frame(now, aspect)
    assert game.session is not None
    pose = game.session.pose()
    away = np.subtract(shot.at, shot.eye)
    away = away / np.linalg.norm(away)
    view = replace(seen.view, eye=shot.eye, yaw=math.atan2(-away[0], -away[2]), pitch=math.asin(away[1]), near=0.02)
    own = EllipsoidInstance(pose.centre, pose.radii, OURS, pose.heading * UNIT, 1.0)
    hud = replace(seen.hud, hint="", crosshair=False, counter="")
    return game, replace(seen, view=view, hud=hud, ellipsoids=(*seen.ellipsoids, own))


def main() -> int:
    options = asked_for("docs/lab.md", SHOTS, DOCS / "lab", quality="medium")
    context = offscreen_context()
    renderer = None
    for name in options.names:
        game, seen = take(SHOTS[name], options.quality)
        if renderer is None:
            scene = Scene.from_level(game.level)
            renderer = Renderer(context, scene, options.quality, eager=options.quality != "low")
        keep(drawn(renderer, seen), options.folder / f"{name}.jpg")
    return 0


if __name__ == "__main__":
    sys.exit(main())
