"""Pictures of a walker in an environment: drawn off screen, and shown in a window of their own on request."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium.error import DependencyNotInstalled
from numpy.typing import NDArray

from ..core import user_folders
from ..core.angles import RADIANS_PER_HEADING_UNIT
from ..core.arguments import as_integer, describe_value
from ..physics.character.state import STATE_ROW

if TYPE_CHECKING:
    from ..core.vectors import Floats
    from ..level import Level

RENDER_MODES = ["human", "rgb_array"]
RENDER_FPS = 15  # decisions a second at four ticks each
VIEWS = ("eye", "behind")
FIELD_OF_VIEW = 59.0  # degrees, vertical
NEAR = 0.02  # m
BEHIND, ABOVE = 3.0, 1.2  # m from the eye to the camera behind the walker
BODY_COLOUR = (0.9, 0.55, 0.2)
LOOK_DOWN = 0.25  # rad, of the camera behind

Image = NDArray[np.uint8]


class WalkerPicture:
    """The picture of a walker. A pickled one draws anew: its graphics context and its window are not kept."""

    def __init__(self, mode: str | None, width: int, height: int, view: str) -> None:
        if mode not in (None, *RENDER_MODES):
            known = ", ".join(RENDER_MODES)
            raise ValueError(f"render_mode must be one of {known}, or None, not {describe_value(mode)}")
        if view not in VIEWS:
            raise ValueError(f"view must be one of {', '.join(VIEWS)}, not {describe_value(view)}")
        self.mode, self.view = mode, view
        self.size = as_integer(width, "width", 16, 8192), as_integer(height, "height", 16, 8192)
        self._context: Any = None
        self._renderers: dict[int, tuple[Level, Any]] = {}
        self._window: Any = None

    def __reduce__(self) -> tuple[object, ...]:
        return (WalkerPicture, (self.mode, *self.size, self.view))

    def draw(self, level: Level, state: Floats, clock: int, reached: NDArray[np.uint8]) -> Image | None:
        """The picture (height, width, 3) u1, top row first; None for "human", which shows it in the window.

        state (1, state_row.WIDTH); reached (T,): flags of the targets. DependencyNotInstalled where OpenGL is missing.
        """
        if self.mode is None:
            raise ValueError('pass render_mode="rgb_array" or "human" to make, to render pictures')
        image = self._draw(level, state, clock, reached)
        if self.mode == "rgb_array":
            return image
        from .viewer import Viewer  # a window needs a display; pictures off screen do not

        if self._window is None:
            self._window = Viewer(*self.size, RENDER_FPS)
        self._window.show(image)
        return None

    def _draw(self, level: Level, state: Floats, clock: int, reached: NDArray[np.uint8]) -> Image:
        from ..render import Camera, EllipsoidInstance, Hud, Snapshot

        row = state.view(STATE_ROW)[0]
        up, north = row[0]["up"], row[0]["north"]
        yaw = float(row[0]["heading"]) * RADIANS_PER_HEADING_UNIT
        radii = row[0]["radii"]
        eye = row[0]["position"] + (2.0 * level.player.eye - 1.0) * radii[1] * up
        pitch = 0.0
        bodies: tuple[EllipsoidInstance, ...] = ()
        if self.view == "behind":
            ahead = math.cos(yaw) * north - math.sin(yaw) * np.cross(north, up)
            eye = eye - BEHIND * ahead + ABOVE * up
            pitch = -LOOK_DOWN
            bodies = (
                EllipsoidInstance(
                    tuple(row[0]["position"].tolist()), tuple(radii.tolist()), BODY_COLOUR, yaw, 1.0,
                    tuple(up.tolist()), tuple(north.tolist()), True,
                ),
            )  # fmt: skip
        movers = level.environment.movers
        camera = Camera(tuple(eye.tolist()), yaw, pitch, FIELD_OF_VIEW, NEAR, tuple(up.tolist()), tuple(north.tolist()))
        shot = Snapshot(
            camera,
            Hud(crosshair=False),
            ellipsoids=bodies,
            time=clock / level.player.ticks_per_second,
            targets=tuple(map(float, reached[: len(level.targets)])),
            movers=None if movers is None else movers.poses(clock),
        )
        renderer = self._renderer(level)
        renderer.render(shot, self.size)
        image: Image = renderer.image()
        return image

    def _renderer(self, level: Level) -> Any:
        """The renderer of a level; one of each is kept."""
        from ..render import ContextError, Renderer, Scene, offscreen_context

        if self._context is None:
            try:
                self._context = offscreen_context()
            except ContextError as error:
                raise DependencyNotInstalled(f"cannot draw a picture: {error}") from error
        kept = self._renderers.get(id(level))
        if kept is None:
            folder = user_folders.cache_folder() / "light"
            kept = level, Renderer(self._context, Scene.from_level(level), "low", light_cache=folder)
            self._renderers[id(level)] = kept
        return kept[1]

    def close(self) -> None:
        """Release the context and the window."""
        if self._window is not None:
            self._window.close()
        if self._context is not None:
            self._context.release()
        self._context = self._window = None
        self._renderers.clear()
