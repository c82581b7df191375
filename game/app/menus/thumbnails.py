"""Thumbnails of the level list: the game's levels come with theirs, others are rendered once, by a child process."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterable
from concurrent.futures import Future
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ... import shipped
from ...core import user_folders
from ...core.errors import error_reason
from ...core.jobs import Jobs, Worker
from ...level.format.file_access import SHIPPED_LEVELS, is_shipped

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

    from ...level import Level

THUMBNAIL_SIZE = (480, 270)
SUPERSAMPLING = 2  # drawn at so many times the size
THUMBNAIL_FOLDER = "portraits"
SHIPPED_FOLDER = shipped("assets") / "pictures"
THUMBNAILS = Worker("thumbnails", niceness=10)
THUMBNAIL_VERSION = 2  # of the rendering


@dataclass(frozen=True, slots=True)
class Thumbnail:
    """Name and picture file of a level, and its first finding if it cannot be played."""

    name: str = ""
    picture: str = ""
    finding: str = ""


def thumbnail_folder() -> Path:
    """Cache folder of the thumbnails of the user's levels."""
    return user_folders.cache_folder() / THUMBNAIL_FOLDER


def shipped_thumbnail(level: Path) -> str:
    """Picture file of a level of the game; empty for another level, and if there is none."""
    if not is_shipped(level):
        return ""
    name = "-".join(level.resolve().relative_to(SHIPPED_LEVELS.resolve()).with_suffix("").parts)
    path = SHIPPED_FOLDER / f"{name}.jpg"
    return str(path) if path.is_file() else ""


def thumbnail_key(level: Path) -> str:
    """Cache key of a level file: path, time stamp and size. OSError if the file does not exist."""
    status = os.stat(level)
    text = f"{THUMBNAIL_VERSION} {os.path.abspath(level)} {status.st_mtime_ns} {status.st_size}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def cached_thumbnail(level: Path) -> Thumbnail | None:
    """Cached thumbnail of the present level file; None if there is none."""
    try:
        text = (thumbnail_folder() / f"{thumbnail_key(level)}.json").read_text(encoding="utf-8")
        values = json.loads(text)
        thumbnail = Thumbnail(*(str(values[name])[:2000] for name in ("name", "picture", "finding")))
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return thumbnail if not thumbnail.picture or Path(thumbnail.picture).is_file() else None


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
    from ...sim.level_rules import up_and_north_at
    from ..cameras import title_camera

    viewpoint = title_camera.thumbnail_view(level)
    moving = level.environment.movers
    poses = None if moving is None else moving.poses(0)
    up, north = up_and_north_at(level.zones, level.spawns[0].feet, level.player.radii[1])
    axes = (up, north) if viewpoint.is_panning else ((0.0, 1.0, 0.0), (0.0, 0.0, -1.0))
    renderer = Renderer(context, Scene.from_level(level), quality, eager=light)
    try:
        world = World(level) if level.balls else None
        view = world_view.WorldView(
            viewpoint.eye, viewpoint.yaw, viewpoint.pitch, up=axes[0], north=axes[1], world=world, movers=poses
        )
        shot = view.snapshot(level, THUMBNAIL_SIZE, world_view.vertical_fov(viewpoint.fov))
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
