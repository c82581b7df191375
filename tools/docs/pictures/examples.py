"""Render the pictures of docs/examples.md: `python -m tools.docs.pictures.examples [NAME...]`.

Each picture shows what the script of that name in `examples/` returns.
"""

from __future__ import annotations

import csv
import runpy
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from game.level import Level
from game.render import Camera, EllipsoidInstance, Hud, Renderer, Scene, Snapshot, offscreen_context
from game.render.overlay_layers import Overlay, OverlayLines
from game.sim import World

from .shared import DOCS, ROOT, asked_for, drawn, finest, keep

FOLDER = DOCS / "examples"
SIZE = (760, 420)
RADII = (0.35, 0.9, 0.25)
PAPER, INK, GOOD, GRID = (247, 244, 238), (52, 48, 44), (92, 140, 84), (222, 216, 204)
BLUE, RED = (0.15, 0.42, 0.85), (0.85, 0.3, 0.2)


def run_example(name: str, *arguments: Any) -> Any:
    """What `main` of an example returns."""
    return runpy.run_path(str(ROOT / "examples" / f"{name}.py"))["main"](*arguments)


def render(
    level: Level,
    camera: Camera,
    paths: list[tuple[Any, Any]],
    bodies: list[EllipsoidInstance],
    colours: list[Any] | None = None,
    world: World | None = None,
) -> Image.Image:
    """A view of a level with paths, each (points (T,3), colour), and bodies. colours: of the surfaces."""
    scene = Scene.from_level(level)
    if colours is not None:
        surfaces = [replace(surface, colour=colour) for surface, colour in zip(scene.surfaces, colours, strict=True)]
        scene = replace(scene, surfaces=tuple(surfaces))
    lines = [(np.stack([points[:-1], points[1:]], axis=1), colour) for points, colour in paths]
    overlay = Overlay(lines=tuple(OverlayLines(each, (*colour, 1.0), 5.0, 0.22) for each, colour in lines))
    movers = None if world is None or world.environment is None else world.environment.movers
    poses = None if movers is None else movers.poses(0)
    context = offscreen_context()
    try:
        renderer = Renderer(context, scene, finest("high"))
        shot = Snapshot(camera, Hud(crosshair=False), overlay=overlay, ellipsoids=tuple(bodies), movers=poses)
        return drawn(renderer, shot, SIZE)
    finally:
        context.release()


def body(centre: Any, colour: Any = BLUE, yaw: float = 0.0) -> EllipsoidInstance:
    x, y, z = map(float, centre)
    return EllipsoidInstance((x, y, z), RADII, colour, yaw, opacity=1.0, visor=True)


def own_mesh() -> Image.Image:
    mesh, states = run_example("own_mesh")
    centres = states["position"]
    colours = [(0.72, 0.66, 0.55), (0.55, 0.66, 0.5), (0.6, 0.62, 0.72)]
    bodies = [body(centres[tick]) for tick in (0, 45, 75, 109)]
    level = World(mesh, spawn=(0, 0, 2)).level
    return render(level, Camera((6.5, 3.6, 4.2), 0.78, -0.24, 42.0), [(centres, RED)], bodies, colours)


def trimesh_scene() -> Image.Image:
    mesh, walks = run_example("trimesh_scene")
    paths, bodies = [], []
    for states, colour, shift in zip(walks.values(), (BLUE, RED), (-0.4, 0.4), strict=True):
        centres = states["position"] + (shift, 0, 0)
        paths.append((centres, colour))
        bodies.append(body(centres[-1], colour))
    level = World(mesh, spawn=(0, 0, 3)).level
    colours = [(0.72, 0.66, 0.55), (0.65, 0.82, 0.9), (0.7, 0.5, 0.42)]
    return render(level, Camera((5.2, 3.0, 5.0), 0.72, -0.26, 42.0), paths, bodies, colours)


def batch_of_rays() -> Image.Image:
    depth = run_example("batch_of_rays")
    near = np.nan_to_num(1.0 - (np.log(depth) - np.log(2.0)) / np.log(20.0), nan=-1.0)[..., None]
    colour = np.clip(near, 0, 1) * (250, 214, 120) + np.clip(1 - near, 0, 1) * (44, 52, 92)
    pixels = np.where(near < -0.5, (228, 232, 238), colour).astype(np.uint8)
    return Image.fromarray(pixels).resize((760, 428), Image.Resampling.NEAREST)


def crowd() -> Image.Image:
    mesh, history = run_example("crowd")
    centres = np.array([states["position"] for states in history])
    yaws = history[-1]["heading"] * (2 * np.pi / 65536)
    hues = np.linspace(0, 2 * np.pi, centres.shape[1], endpoint=False)
    colours = [tuple(0.55 + 0.4 * np.cos(hue + k * 2.1) for k in range(3)) for hue in hues]
    bodies = [body(centre, colour, yaw) for centre, colour, yaw in zip(centres[-1], colours, yaws, strict=True)]
    paths = [(centres[:, k], colour) for k, colour in enumerate(colours)]
    level = World(mesh, spawn=(0, 0.2, 0)).level
    return render(level, Camera((0.0, 18.0, 23.0), 0.0, -0.67, 42.0), paths, bodies, [(0.62, 0.68, 0.5)])


def parameter_sweep() -> Image.Image:
    table = run_example("parameter_sweep")
    rises = runpy.run_path(str(ROOT / "examples" / "parameter_sweep.py"))["RISES"]
    image = Image.new("RGB", (760, 300), PAPER)
    pen, font = ImageDraw.Draw(image), ImageFont.load_default(17)
    pen.text((40, 22), "setting step_height", INK, font, "lm")
    pen.text((430, 272), "rise of a step of the stairs (m)", INK, font, "mm")
    for row, (height, climbed) in enumerate(table.items()):
        y = 48 + 46 * row
        pen.text((150, y + 20), f"{height:.2f} m", INK, font, "rm")
        for column, (rise, done) in enumerate(zip(rises, climbed, strict=True)):
            x = 170 + 50 * column
            pen.rectangle((x, y, x + 46, y + 42), GOOD if done else GRID)
            pen.text((x + 23, y + 21), "climbs" if done else "", PAPER, ImageFont.load_default(13), "mm")
            pen.text((x + 23, 245), f"{rise:.2f}", INK, font, "mm")
    return image


def replay_to_table() -> Image.Image:
    with tempfile.TemporaryDirectory() as folder, run_example("replay_to_table", Path(folder)).open() as file:
        rows = list(csv.DictReader(file))
    image = Image.new("RGB", (760, 300), PAPER)
    pen, font = ImageDraw.Draw(image), ImageFont.load_default(17)
    for name, unit, top, colour in (
        ("y", "m", 0, (38, 104, 184)),
        ("speed", "m/s", 140, (200, 80, 50)),
    ):
        values = np.array([float(row[name]) for row in rows])
        low, high = min(0.0, values.min()), values.max()
        points = [
            (90 + 640 * k / len(rows), top + 140 - 100 * (value - low) / (high - low)) for k, value in enumerate(values)
        ]
        for value in (low, high):
            y = top + 140 - 100 * (value - low) / (high - low)
            pen.line((90, y, 730, y), GRID, 2)
            pen.text((80, y), f"{value:.1f}", INK, font, "rm")
        pen.line(points, colour, 3, joint="curve")
        pen.text((92, top + 26), f"{name} ({unit})", colour, font, "lm")
    pen.text((730, 285), f"{float(rows[-1]['seconds']):.0f} s", INK, font, "rm")
    return image


def zones_and_movers() -> Image.Image:
    world, feet = run_example("zones_and_movers")
    centres = np.array(feet) + np.array((0, 0.9, 0))
    bodies = [body(centres[tick]) for tick in (0, len(centres) - 1)]
    camera = Camera((17.0, 7.5, -2.5), 1.35, -0.24, 50.0)
    return render(world.level, camera, [(centres, RED)], bodies, world=world)


def level_test() -> Image.Image:
    with tempfile.TemporaryDirectory() as folder:
        run_example("level_test", Path(folder))
        (path,) = Path(folder).glob("*.png")
        with Image.open(path) as image:
            return image.convert("RGB")


def built_level() -> Image.Image:
    with tempfile.TemporaryDirectory() as folder:
        level = run_example("built_level", Path(folder))
    return render(level, Camera((7.5, 6.0, 8.0), 0.76, -0.42, 45.0), [], [body((0, 0.9, 8))])


def picture() -> Image.Image:
    with tempfile.TemporaryDirectory() as folder:
        run_example("picture", Path(folder) / "picture.png")
        with Image.open(Path(folder) / "picture.png") as image:
            return image.resize((760, 428), Image.Resampling.LANCZOS)


PICTURES: dict[str, Callable[[], Image.Image]] = {
    function.__name__: function
    for function in (
        own_mesh, trimesh_scene, batch_of_rays, crowd, parameter_sweep, replay_to_table, zones_and_movers, built_level,
        level_test, picture,
    )
}  # fmt: skip


def main() -> None:
    options = asked_for("docs/examples.md", PICTURES, FOLDER)
    for name in options.names:
        keep(PICTURES[name](), options.folder / f"{name}.jpg", 120_000)


if __name__ == "__main__":
    main()
