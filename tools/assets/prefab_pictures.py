"""Render the pictures of the editor's prefabs: `python -m tools.assets.prefab_pictures [PREFAB...]`.

Writes assets/pictures/prefabs-NAME.jpg: 480 x 270 pixels, JPEG, under 40 kB each.
"""

from __future__ import annotations

import argparse
import math
import sys

import numpy as np
from PIL import Image

from game.app.editor.pieces.palette_entries import GROUND, PREFAB_FOLDER
from game.app.menus.thumbnails import SHIPPED_FOLDER, SUPERSAMPLING, THUMBNAIL_SIZE
from game.level import Level, load
from game.render import Camera, Hud, Renderer, Scene, Snapshot, offscreen_context
from tools.assets.level_thumbnails import MOST_BYTES, QUALITY
from tools.docs.pictures.shared import keep

FOV = 40.0  # degrees, vertical
YAW, PITCH = math.radians(32.0), math.radians(-20.0)  # from the front, right and above
MARGIN = 1.12  # of the distance at which the prefab fills the picture


def camera_for(level: Level) -> Camera:
    """Camera that has the whole prefab in its picture."""
    own = np.array([f'"{GROUND}"' not in origin.label for origin in level.origins])
    corners = level.faces.corners[own[level.faces.origin]].reshape(-1, 3)
    middle = (corners.min(axis=0) + corners.max(axis=0)) / 2.0
    facing = Camera((0.0, 0.0, 0.0), YAW, PITCH, FOV)
    right, up, forward = facing.basis()
    across, upright = facing.half_fov_tangents(THUMBNAIL_SIZE[0] / THUMBNAIL_SIZE[1])
    away = corners - middle
    needed = np.maximum(np.abs(away @ right) / across, np.abs(away @ up) / upright) - away @ forward
    x, y, z = (middle - forward * float(needed.max()) * MARGIN).tolist()
    return Camera((x, y, z), YAW, PITCH, FOV)


def main() -> int:
    parser = argparse.ArgumentParser(description="render the pictures of the editor's prefabs into assets/pictures")
    stems = sorted(path.stem for path in PREFAB_FOLDER.glob("*.yaml"))
    parser.add_argument("names", nargs="*", metavar="PREFAB", choices=[[], *stems], help="default: all")
    options = parser.parse_args()
    context = offscreen_context()
    for stem in options.names or stems:
        level = load(PREFAB_FOLDER / f"{stem}.yaml")
        renderer = Renderer(context, Scene.from_level(level), QUALITY, eager=True)
        moving = level.environment.movers
        shot = Snapshot(camera_for(level), Hud(crosshair=False), movers=None if moving is None else moving.poses(0))
        renderer.render(shot, (SUPERSAMPLING * THUMBNAIL_SIZE[0], SUPERSAMPLING * THUMBNAIL_SIZE[1]))
        picture = Image.fromarray(renderer.image()).resize(THUMBNAIL_SIZE, Image.Resampling.LANCZOS)
        renderer.release()
        keep(picture, SHIPPED_FOLDER / f"prefabs-{stem}.jpg", MOST_BYTES)
    return 0


if __name__ == "__main__":
    sys.exit(main())
