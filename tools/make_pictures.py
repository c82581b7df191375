"""Takes the pictures of the demo level in docs/pictures: `python -m tools.make_pictures [NAME...]`.

Drawn three times as large and brought down, so that edges and far surfaces are smooth; JPEG, each under 400 kB.
"""

from __future__ import annotations

import argparse
import math
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from PIL import Image

from game.app.view import near_plane, vertical_fov
from game.level import Level, load
from game.physics import WalkerSettings
from game.render import QUALITIES, Hud, Quality, Renderer, Scene, Snapshot, View, offscreen_context

ROOT = Path(__file__).resolve().parents[1]
SIZE = (1280, 720)
MOST_BYTES = 400_000
LARGER = 3


@dataclass(frozen=True, slots=True)
class Stand:
    """Feet (m), where one looks (degrees; heading counter-clockwise from north), field of view across."""

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
    "terrace": Stand(13.6, 1.5, 8.2, 14, 6, 90),
    "roof": Stand(7.4, 7, -13.2, 104, -3, 76),
}


def main() -> int:
    parser = argparse.ArgumentParser(description="take the pictures of the demo level in docs/pictures")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(PICTURES)} (all)")
    parser.add_argument("--quality", default="high", choices=("low", "medium", "high"))
    parser.add_argument("--folder", type=Path, default=ROOT / "docs" / "pictures")
    options = parser.parse_args()
    unknown = sorted(set(options.names) - set(PICTURES))
    if unknown:
        parser.error(f"no picture is called {', '.join(unknown)}; there are {', '.join(PICTURES)}")
    level = load(ROOT / "levels" / "demo.yaml")
    renderer = Renderer(offscreen_context(), Scene.from_level(level), finest(options.quality))
    for name in options.names or PICTURES:
        keep(take(level, renderer, PICTURES[name]), options.folder / f"{name}.jpg")
    return 0


def finest(name: str) -> Quality:
    """The quality of that name; without samples, which the larger picture stands for."""
    return replace(QUALITIES[name], samples=0)


def take(level: Level, renderer: Renderer, stand: Stand, size: tuple[int, int] = SIZE) -> Image.Image:
    """What a player who stands there sees, smoothed."""
    walker = WalkerSettings()
    eye = (stand.x, stand.y + walker.eye * 2 * walker.radii[1], stand.z)
    fov = vertical_fov(stand.fov)
    near = near_plane(level.mesh, eye, fov, size[0] / size[1])
    view = View(eye, math.radians(stand.heading), math.radians(stand.pitch), fov, near)
    renderer.render(Snapshot(view, Hud(crosshair=False)), (LARGER * size[0], LARGER * size[1]))
    return Image.fromarray(renderer.image()).resize(size, Image.Resampling.LANCZOS)


def keep(picture: Image.Image, path: Path, most_bytes: int = MOST_BYTES) -> None:
    """Write a JPEG of no more bytes than that, and say so."""
    path.parent.mkdir(parents=True, exist_ok=True)
    for quality in (90, 84, 78, 70):
        picture.save(path, quality=quality, optimize=True, progressive=True)
        if path.stat().st_size < most_bytes:
            break
    print(f"{path}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    sys.exit(main())
