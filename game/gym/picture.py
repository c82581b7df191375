"""Pictures of a walker in an environment: drawn off screen, and shown in a window of their own on request."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium.error import DependencyNotInstalled
from numpy.typing import NDArray

from ..core import user_folders
from ..core.angles import RADIANS_PER_HEADING_UNIT
from ..core.arguments import as_integer, describe_value
from ..physics.character.state import STATE_ROW, WalkerState

if TYPE_CHECKING:
    from ..core.vectors import Floats, Indices
    from ..level import Level
    from ..render import Snapshot
    from ..sim import World
    from .course import Course

RENDER_MODES = ["human", "rgb_array"]
RENDER_FPS = 15  # decisions a second at four ticks each
VIEWS = ("eye", "behind")
FIELD_OF_VIEW = 59.0  # degrees, vertical
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
        self._renderers: dict[Level, Any] = {}
        self._window: Any = None

    def __reduce__(self) -> tuple[object, ...]:
        return (WalkerPicture, (self.mode, *self.size, self.view))

    def draw(
        self, course: Course, state: Floats, clock: int, movers: Indices, reached: NDArray[np.uint8],
        world: World | None = None,
    ) -> Image | None:  # fmt: skip
        """The picture (height, width, 3) u1, top row first; None for "human", which shows it in the window.

        state (state_row.WIDTH,); movers (M or more,): their clocks; reached (T,): flags of the targets; world: whose
        balls are drawn. DependencyNotInstalled where OpenGL is missing, for "human" also where there is no display.
        """
        if self.mode is None:
            raise ValueError('pass render_mode="rgb_array" or "human" to make, to render pictures')
        snapshot = self._snapshot(course, WalkerState(state.view(STATE_ROW)), clock, movers, reached, world)
        with self._current_context():
            renderer = self._renderer(course.level)
            renderer.render(snapshot, self.size)
            image: Image = renderer.image()
        if self.mode == "rgb_array":
            return image
        if self._window is None:
            from .viewer import Viewer  # a window needs a display; pictures off screen do not

            self._window = Viewer(*self.size, RENDER_FPS)
        self._window.show(image)
        return None

    def _snapshot(
        self, course: Course, state: WalkerState, clock: int, movers: Indices, reached: NDArray[np.uint8],
        world: World | None,
    ) -> Snapshot:  # fmt: skip
        from ..render.snapshot import EllipsoidInstance
        from ..render.world_view import walker_view

        level, yaw = course.level, state.heading * RADIANS_PER_HEADING_UNIT
        poses = None if course.movers is None else course.movers.poses(movers[: len(course.movers)])
        view = walker_view(
            level.mesh, state, level.player.eye, yaw, 0.0, seconds=clock / course.rate, world=world,
            targets=tuple(map(float, reached[: len(level.targets)])), movers=poses,
        )  # fmt: skip
        if self.view == "eye":
            return view.snapshot(level, self.size, FIELD_OF_VIEW)
        up, north = state.up, state.north
        ahead = math.cos(yaw) * np.array(north) - math.sin(yaw) * np.cross(north, up)
        x, y, z = (np.array(view.eye) - BEHIND * ahead + ABOVE * np.array(up)).tolist()
        view = replace(view, eye=(x, y, z), pitch=-LOOK_DOWN)
        body = EllipsoidInstance(state.position, state.radii, BODY_COLOUR, yaw, 1.0, up, north, True)
        return replace(view.snapshot(level, self.size, FIELD_OF_VIEW), ellipsoids=(body,))

    @contextmanager
    def _current_context(self) -> Iterator[None]:
        """The context of this picture, current in this thread; none is afterwards."""
        from ..render import ContextError, offscreen_context
        from ..render.gl.context import leave_offscreen_context

        if self._context is None:
            try:
                self._context = offscreen_context()
            except ContextError as error:
                raise DependencyNotInstalled(f"cannot draw a picture: {error}") from error
        try:
            with self._context:
                yield
        finally:
            leave_offscreen_context()

    def _renderer(self, level: Level) -> Any:
        """The renderer of a level; one of each is kept."""
        from ..render import Renderer, Scene

        if level not in self._renderers:
            folder = user_folders.cache_folder() / "light"
            self._renderers[level] = Renderer(self._context, Scene.from_level(level), "low", light_cache=folder)
        return self._renderers[level]

    def close(self) -> None:
        if self._window is not None:
            self._window.close()
        if self._context is not None:
            self._context.release()
        self._context = self._window = None
        self._renderers.clear()
