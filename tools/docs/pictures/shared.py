"""Shared parts of the picture tools: command line, supersampled rendering, and JPEG files of limited size."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from PIL import Image

from game.render import QUALITIES, Quality, Renderer, Snapshot

ROOT = Path(__file__).resolve().parents[3]
DOCS = ROOT / "docs" / "pictures"
SIZE = (1280, 720)
LARGER = 2  # supersampling factor
MOST_BYTES = 400_000


def asked_for(of: str, known: Iterable[str], folder: Path, quality: str = "high") -> argparse.Namespace:
    """The parsed command line: `names` (default: all known), `quality` and `folder`."""
    known = tuple(known)
    parser = argparse.ArgumentParser(description=f"take the pictures of {of}")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(known)} (all)")
    parser.add_argument("--quality", default=quality, choices=tuple(QUALITIES))
    parser.add_argument("--folder", type=Path, default=folder)
    options = parser.parse_args()
    unknown = sorted(set(options.names) - set(known))
    if unknown:
        parser.error(f"no picture is called {', '.join(unknown)}; there are {', '.join(known)}")
    options.names = options.names or known
    return options


def finest(name: str) -> Quality:
    """The quality of that name without multisampling, which the supersampling replaces."""
    return replace(QUALITIES[name], samples=0)


def drawn(renderer: Renderer, seen: Snapshot, size: tuple[int, int] = SIZE, larger: int = LARGER) -> Image.Image:
    """A frame, rendered larger and scaled down."""
    renderer.render(seen, (larger * size[0], larger * size[1]))
    return Image.fromarray(renderer.image()).resize(size, Image.Resampling.LANCZOS)


def keep(picture: Image.Image, path: Path, most_bytes: int = MOST_BYTES) -> None:
    """Write a JPEG of at most so many bytes, and print its size."""
    path.parent.mkdir(parents=True, exist_ok=True)
    for quality in (90, 84, 78, 70):
        picture.save(path, quality=quality, optimize=True, progressive=True)
        if path.stat().st_size < most_bytes:
            break
    print(f"{path}: {path.stat().st_size / 1000:.0f} kB")
