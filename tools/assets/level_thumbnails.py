"""Render the thumbnails of the shipped levels and prefabs: `python -m tools.assets.level_thumbnails [NAME...]`.

Writes assets/pictures: 480 x 270 pixels, JPEG, under 40 kB each. Bakes a coarse lightmap for each level, which takes
some seconds with a software renderer.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
from PIL import Image

from game.app.editor.pieces.palette import GROUND, PREFAB_FOLDER
from game.app.menus.thumbnail_worker import SUPERSAMPLING, THUMBNAIL_SIZE, render_thumbnail
from game.app.visuals.thumbnails import SHIPPED_FOLDER
from game.level import Level, load
from game.level.format.file_access import SHIPPED_LEVELS, is_tests_file
from game.render import QUALITIES, Camera, Hud, Renderer, Scene, Snapshot, offscreen_context
from tools.docs.pictures.shared import asked_for, keep

MOST_BYTES = 40_000
QUALITY = replace(QUALITIES["high"], name="list", samples=4, light_size=512, light_rays=10, shadow_size=2048)
FOV = 40.0  # degrees, vertical, of prefabs
YAW, PITCH = math.radians(32.0), math.radians(-20.0)  # from the front, right and above
MARGIN = 1.12  # of the distance at which the prefab fills the picture


def names() -> list[str]:
    """Names of all shipped levels and prefabs, such as `demo`, `museum/hall` and `prefabs/bench`."""
    levels = (path for path in SHIPPED_LEVELS.glob("**/*.yaml") if not is_tests_file(path))
    return sorted("/".join(path.relative_to(SHIPPED_LEVELS).with_suffix("").parts) for path in levels)


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


def prefab_picture(level: Level, context: Any) -> Image.Image:
    renderer = Renderer(context, Scene.from_level(level), QUALITY, eager=True)
    moving = level.environment.movers
    shot = Snapshot(camera_for(level), Hud(crosshair=False), movers=None if moving is None else moving.poses(0))
    renderer.render(shot, (SUPERSAMPLING * THUMBNAIL_SIZE[0], SUPERSAMPLING * THUMBNAIL_SIZE[1]))
    picture = Image.fromarray(renderer.image()).resize(THUMBNAIL_SIZE, Image.Resampling.LANCZOS)
    renderer.release()
    return picture


def main() -> None:
    options = asked_for("the shipped levels and prefabs", names(), SHIPPED_FOLDER)
    context = offscreen_context()
    for name in options.names:
        path = SHIPPED_LEVELS / f"{name}.yaml"
        level = load(path)
        is_prefab = path.parent == PREFAB_FOLDER
        picture = prefab_picture(level, context) if is_prefab else render_thumbnail(level, context, QUALITY, light=True)
        keep(picture, options.folder / f"{name.replace('/', '-')}.jpg", MOST_BYTES)


if __name__ == "__main__":
    main()
