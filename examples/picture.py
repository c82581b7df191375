"""Picture without a display: a view of a level as a PNG file, drawn off screen."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from PIL import Image

from ellipsoid_walker.level import load
from ellipsoid_walker.render import Camera, ContextError, Hud, Renderer, Scene, Snapshot, offscreen_context

SIZE = (960, 540)


def main(path: Path, bakes: bool = True) -> None:
    """Draw a view over the demo level; exit with a reason where OpenGL is missing. bakes: with indirect light."""
    level = load("demo")
    try:
        context = offscreen_context()  # EGL on Linux: neither a window nor a display is needed
    except ContextError as error:
        sys.exit(f"no picture: {error}")
    try:
        renderer = Renderer(context, Scene.from_level(level), "low", eager=bakes, bakes=bakes)
        camera = Camera(eye=(14.0, 9.0, 12.0), yaw=0.8, pitch=-0.35, fov_degrees=55.0)
        renderer.load_pictures()
        renderer.render(Snapshot(camera, Hud(crosshair=False)), SIZE)
        Image.fromarray(renderer.image()).save(path)
    finally:
        context.release()
    print(f"{path}: {SIZE[0]} x {SIZE[1]} pixels")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else Path(tempfile.mkdtemp()) / "picture.png"))
