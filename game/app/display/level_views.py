"""Contact sheet of a level: pictures along its recorded walk with their measures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...core.angles import RADIANS_PER_HEADING_UNIT
from ...core.srgb import srgb_to_linear
from ...core.vectors import Floats, Ints
from ...drawing.picture_measures import BLOCK, PictureMeasures, halo_width, luminance, measure_picture
from ...render.world_view import WorldView
from ...sim import headless_run
from ..launch.world_setup import make_world
from . import still_image

if TYPE_CHECKING:
    from PIL.Image import Image

    from ...level import Level
    from ...render import Camera, Renderer
    from ...sim.command_script import CommandScript

LAST_VIEW = 0.9  # fraction of the walk: at its end the goal fills the view
SHEET_COLUMNS, SHEET_GAP = 2, 4
HALO_SIGNS = 3  # signs on walls whose halo is measured
HALO_REACH = 0.9  # m: wall beside a board that is looked at
MIN_HALO_SAMPLES = 20  # of the 60 beside a board: seen, up to what stands before the wall


def walk_poses(level: Level, script: CommandScript | None, count: int) -> list[WorldView]:
    """`count` camera poses along a walk; without one, a turn at the spawn."""
    poses = []
    for k in range(count):
        world = make_world(level)
        yaw, pitch = world.start.heading * RADIANS_PER_HEADING_UNIT + k * math.tau / count, 0.0
        if script is not None:
            ticks = max(1, round(script.ticks * LAST_VIEW * k / max(count - 1, 1)))
            headless_run.run_walk(world, script, ticks)
            yaw, pitch = still_image.view_angles_at_tick(script, world, ticks)
        poses.append(still_image.walker_camera_pose(world, yaw, pitch))
    return poses


def measured_views(
    renderer: Renderer, level: Level, poses: Sequence[WorldView], size: tuple[int, int], fov: float
) -> list[tuple[NDArray[np.uint8], PictureMeasures]]:
    """Picture (h, w, 3) and measures of each pose."""
    views = []
    for pose in poses:
        shot = still_image.still_snapshot(level, pose, size, fov)
        renderer.render(shot, size)
        image = renderer.image()
        views.append((image, measure_picture(image, planes_in_view(level, shot.view, size))))
    return views


def planes_in_view(level: Level, view: Camera, size: tuple[int, int]) -> Ints:
    """Number (rows, columns) of the plane in the middle of each block of a picture; -1 where nothing solid is."""
    columns, rows = size[0] // BLOCK, size[1] // BLOCK
    x, y = np.meshgrid((np.arange(columns) + 0.5) * BLOCK / size[0], (np.arange(rows) + 0.5) * BLOCK / size[1])
    right, up, forward = view.basis()
    horizontal, vertical = view.half_fov_tangents(size[0] / size[1])
    across, along = (2.0 * x - 1.0) * horizontal, (1.0 - 2.0 * y) * vertical
    rays = (forward + across[..., None] * right + along[..., None] * up).reshape(-1, 3)
    hits = level.mesh.raycast(np.broadcast_to(np.asarray(view.eye, np.float64), rays.shape), rays)
    found = hits.triangle >= 0
    normal, point = hits.normal[found], hits.point[found]
    offset = np.einsum("nj,nj->n", normal, point)
    keys = np.column_stack((np.rint(normal * 50), np.rint(offset * 20), level.mesh.surface[hits.triangle[found]]))
    planes = np.full(len(rays), -1)
    planes[found] = np.unique(keys, axis=0, return_inverse=True)[1].reshape(-1)
    return planes.reshape(rows, columns)


def sign_halos(renderer: Renderer, level: Level, size: tuple[int, int], fov: float) -> list[float]:
    """Width (m) of the dark halo beside the first signs that hang on a wall, see `halo_width`."""
    widths: list[float] = []
    start = still_image.walker_camera_pose(make_world(level), 0.0, 0.0)
    for sign in level.signs:
        angle = sign.heading * RADIANS_PER_HEADING_UNIT
        outward = np.array((-math.sin(angle), 0.0, -math.cos(angle)))
        right = np.cross((0.0, 1.0, 0.0), outward)
        away = np.linspace(0.02, HALO_REACH, 60)
        points = np.asarray(sign.at) + (sign.width / 2 + away)[:, None] * right + 0.02 * outward
        walls = level.mesh.raycast(points, -outward, 0.2)
        if sign.mover >= 0 or (walls.triangle < 0).any():
            continue
        eye = np.asarray(sign.at) + 2.2 * outward + 0.5 * sign.width * right
        if level.mesh.raycast(eye, -outward, 2.0) is not None:
            continue
        to_wall = walls.point - eye
        behind = level.mesh.raycast_any(eye, to_wall, np.linalg.norm(to_wall, axis=1) - 0.02)  # a pillar, say
        seen = int(behind.argmax()) if behind.any() else len(away)
        if seen < MIN_HALO_SAMPLES:
            continue
        pose = replace(start, eye=(float(eye[0]), float(eye[1]), float(eye[2])), yaw=angle + math.pi, pitch=0.0)
        shot = still_image.still_snapshot(level, pose, size, fov)
        renderer.render(shot, size)
        light = srgb_to_linear(luminance(renderer.image()))
        rows = [
            _light_at(light, shot.view, walls.point[:seen] + np.array((0.0, height * sign.height, 0.0)))
            for height in np.linspace(-0.35, 0.35, 15)
        ]
        widths.append(halo_width(away[:seen], np.median(rows, axis=0)))
        if len(widths) == HALO_SIGNS:
            break
    return widths


def _light_at(light: Floats, view: Camera, points: Floats) -> Floats:
    """Values (n,) of a picture (h, w) at points (n, 3) in the world."""
    height, width = light.shape
    clip = np.column_stack((points, np.ones(len(points)))) @ view.view_projection_matrix(width / height)
    column = (clip[:, 0] / clip[:, 3] + 1.0) / 2.0 * width
    row = (1.0 - clip[:, 1] / clip[:, 3]) / 2.0 * height
    values: Floats = light[np.clip(row, 0, height - 1).astype(int), np.clip(column, 0, width - 1).astype(int)]
    return values


def contact_sheet(images: Sequence[NDArray[np.uint8]]) -> Image:
    """The pictures (h, w, 3) at half their size, two in a row."""
    from PIL import Image

    height, width = (side // 2 for side in images[0].shape[:2])
    rows = -(-len(images) // SHEET_COLUMNS)
    sheet = Image.new("RGB", (SHEET_COLUMNS * (width + SHEET_GAP), rows * (height + SHEET_GAP)), "white")
    for k, image in enumerate(images):
        small = Image.fromarray(image).resize((width, height), Image.Resampling.LANCZOS)
        row, column = divmod(k, SHEET_COLUMNS)
        sheet.paste(small, (column * (width + SHEET_GAP), row * (height + SHEET_GAP)))
    return sheet


def measures_table(measures: Sequence[PictureMeasures], halos: Sequence[float]) -> str:
    """Lines with the measures of each view, their means, and the halos of signs."""
    lines = ["view  bright   p5    p95  contrast  blurred  plain"]
    means: Any = np.mean([one.values() for one in measures], axis=0)
    for name, values in (*((str(k + 1), one.values()) for k, one in enumerate(measures)), ("mean", means)):
        bright, dark, light, contrast, smooth, plain = values
        lines.append(f"{name:<4} {bright:6.1%}  {dark:5.2f} {light:5.2f}  {contrast:8.3f} {smooth:8.3f} {plain:6.0%}")
    if halos:
        lines.append("halo of signs: " + ", ".join(f"{width:.2f} m" for width in halos))
    return "\n".join(lines)
