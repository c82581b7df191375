"""Thumbnails of the level list: the game's levels come with theirs, others are rendered once, by a child process."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable
from concurrent.futures import Future
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core.errors import error_reason
from ...core.jobs import Jobs, Worker
from ..visuals.thumbnails import Thumbnail, cached_thumbnail, thumbnail_folder, thumbnail_key

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

    from ...level import Level

THUMBNAIL_SIZE = (480, 270)
SUPERSAMPLING = 2  # drawn at so many times the size
THUMBNAILS = Worker("thumbnails", niceness=10)


class ThumbnailWorker:
    """Renders missing thumbnails in one child process, each level once. A request starts the process; it ends when all
    are there, and at the latest with the game."""

    def __init__(self, jobs: Jobs) -> None:
        self._jobs = jobs
        self._known: dict[Path, Thumbnail] = {}
        self._missing: list[Path] = []  # in the order in which they are rendered; the first one is in work

    def request(self, levels: Iterable[Path]) -> None:
        """Load the thumbnails of these levels, and have the missing ones rendered after those that are in work."""
        is_idle = not self._missing
        for level in levels:
            if level in self._known or level in self._missing:
                continue
            thumbnail = cached_thumbnail(level)
            if thumbnail is not None:
                self._known[level] = thumbnail
            else:
                self._missing.append(level)
        if is_idle:
            self._render_first()

    def thumbnail_of(self, level: Path) -> Thumbnail | None:
        """Thumbnail of a level; None until it is there."""
        return self._known.get(level)

    def invalidate(self) -> None:
        """Forget all thumbnails: files may have changed."""
        self._known.clear()

    def stop(self) -> None:
        """Stop the process if it still runs. What it has not rendered is missing until a request."""
        self._missing.clear()
        self._jobs.stop(THUMBNAILS)

    def _render_first(self) -> None:
        if self._missing:
            path = self._missing[0].absolute()
            self._jobs.process(THUMBNAILS, make_thumbnail, path, thumbnail_folder(), done=self._receive)
        else:
            self._jobs.stop(THUMBNAILS, waits=False)

    def _receive(self, future: Future[Thumbnail]) -> None:
        """Take the thumbnail of the first missing level. A level that ends the process is not asked for again."""
        is_made = future.exception() is None
        self._known[self._missing.pop(0)] = future.result() if is_made else Thumbnail()
        self._render_first()


# In the child process


def render_thumbnail(level: Level, context: Any, quality: Any = "low", light: bool = False) -> Picture:
    """Thumbnail of a level from its title camera or its spawn. light: bake its indoor light."""
    from PIL import Image

    from ...render import Renderer, Scene, world_view
    from ...sim import World
    from ..cameras import title_camera

    camera = title_camera.thumbnail_view(level)
    moving = level.environment.movers
    poses = None if moving is None else moving.poses(0)
    renderer = Renderer(context, Scene.from_level(level), quality, eager=light)
    try:
        world = World(level) if level.balls else None
        view = world_view.WorldView(
            camera.eye, camera.yaw, camera.pitch, up=camera.up, north=camera.north, world=world, movers=poses
        )
        shot = view.snapshot(level, THUMBNAIL_SIZE, camera.fov_degrees)
        renderer.load_pictures()
        renderer.render(shot, (SUPERSAMPLING * THUMBNAIL_SIZE[0], SUPERSAMPLING * THUMBNAIL_SIZE[1]))
        return Image.fromarray(renderer.image()).resize(THUMBNAIL_SIZE, Image.Resampling.LANCZOS)
    finally:
        renderer.release()


@cache
def _context() -> Any:
    """The OpenGL context of this process; None without one."""
    with contextlib.suppress(Exception):  # any error of a driver: the list works without pictures
        from ...render import offscreen_context

        return offscreen_context()
    return None


def make_thumbnail(path: Path, folder: Path) -> Thumbnail:
    """Render and cache the thumbnail of a level file."""
    from ...core import atomic_files
    from ...level import LevelError, load

    picture = ""
    try:
        key = thumbnail_key(path)
        folder.mkdir(parents=True, exist_ok=True)
        level = load(path)
        if _context() is not None:
            import io

            written = io.BytesIO()
            render_thumbnail(level, _context()).save(written, "JPEG", quality=84)
            picture = str(folder / f"{key}.jpg")
            atomic_files.write_atomic(Path(picture), written.getvalue())
        thumbnail = Thumbnail(level.name, picture)
    except LevelError as error:
        worst = [finding for finding in error.findings if finding.severity == "fatal"] or list(error.findings)
        reason = str(worst[0]) if worst else "this is no level"
        thumbnail = Thumbnail(finding=reason.removeprefix(f"{path.parent}{os.sep}"))
    except OSError as error:
        return Thumbnail(finding=error_reason(error))
    except (ValueError, MemoryError) as error:
        thumbnail = Thumbnail(finding=str(error) or type(error).__name__)
    with contextlib.suppress(OSError):
        atomic_files.write_atomic(folder / f"{key}.json", json.dumps(asdict(thumbnail)).encode())
    return thumbnail
