"""Render the pictures of the demo level in docs/pictures: `python -m tools.docs.pictures.demo [NAME...]`.

Rendered at three times the size and scaled down (supersampling); JPEG, under 400 kB each.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass

from PIL import Image

from game.app.display.door_panels import panels_of
from game.level import Level, load
from game.physics import WalkerSettings
from game.render import Camera, Hud, Renderer, Scene, Snapshot, offscreen_context
from game.render.world_view import near_distance, vertical_fov
from tools.docs.pictures.shared import DOCS, ROOT, SIZE, asked_for, drawn, finest, keep

LARGER = 3


@dataclass(frozen=True, slots=True)
class Stand:
    """A view: feet (m), heading and pitch (degrees, counter-clockwise from north), and field of view."""

    x: float
    y: float
    z: float
    heading: float
    pitch: float = 0.0
    fov: float = 90.0


PICTURES = {
    "courtyard": Stand(-3.4, 0, 10.2, -22, 5, 86),
    "ramps": Stand(2.6, 0, -5.6, -148, 0, 84),
    "loggia": Stand(-11.0, 0, -10.4, -86, 0, 84),
    "gallery": Stand(10.2, 3.6, -13.6, 74, -2, 84),
    "hall": Stand(2.3, 0, -13.3, 12, 2, 90),
    "terrace": Stand(13.6, 1.5, 8.2, 14, 6, 90),
    "roof": Stand(7.4, 7, -13.2, 104, -3, 76),
}


def main() -> int:
    options = asked_for("the demo level", PICTURES, DOCS)
    level = load(ROOT / "levels" / "demo.yaml")
    renderer = Renderer(offscreen_context(), Scene.from_level(level), finest(options.quality))
    for name in options.names:
        keep(take(level, renderer, PICTURES[name]), options.folder / f"{name}.jpg")
    return 0


def take(level: Level, renderer: Renderer, stand: Stand, size: tuple[int, int] = SIZE) -> Image.Image:
    """The supersampled view of a player who stands there."""
    walker = WalkerSettings()
    eye = (stand.x, stand.y + walker.eye * 2 * walker.radii[1], stand.z)
    fov = vertical_fov(stand.fov)
    near = near_distance(level.mesh, eye, fov, size[0] / size[1])
    view = Camera(eye, math.radians(stand.heading), math.radians(stand.pitch), fov, near)
    return drawn(renderer, Snapshot(view, Hud(crosshair=False), decals=panels_of(level, eye)), size, LARGER)


if __name__ == "__main__":
    sys.exit(main())
