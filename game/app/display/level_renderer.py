"""Level renderer of the window: recreated for another quality, kept from level to level, and its light bake.

The indirect light of a level is baked between the frames; with software rendering by a child process, because there
each step takes as long as many frames. That process leaves it in the cache of lightmaps, where the next scene data of
the same level and quality finds it. A reloaded level first reuses the light of its previous version.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from ...core.jobs import Worker
from ...render import Camera, Renderer, Scene, SceneData, ShaderDiagnostic, build_scene_data
from ...render.scene.lightmap import LightmapCache, lightmap_folder

if TYPE_CHECKING:
    from concurrent.futures import Future

    from ...level import Level
    from ..game import Game

LIGHT = Worker("light", niceness=5)  # with this niceness the light is still ready within about a minute
RAYS_PER_FRAME = 16  # of the light bake, so that the first picture is not late
BAKE_DELAY = 3.0  # s from a change to its light bake, so that saving twice bakes once
TARGET_FRAME_SECONDS = 1 / 30
SCALE_STEP = 0.04
WINDOW_FRAMES = 24  # frames per change; the median ignores single late frames
HEADROOM = 0.85  # of the target: expected frame time below which the scale grows, so that it does not oscillate


class DynamicResolution:
    """`scale`: factor of width and height for the next frame, from `least` to `most`."""

    def __init__(self, max_scale: float, min_scale: float) -> None:
        self.max_scale = self.scale = max_scale
        self.min_scale = min_scale
        self._frame_times: list[float] = []

    def update(self, seconds: float) -> None:
        """Record the time of a frame (s); after WINDOW_FRAMES of them, adjust the scale."""
        self._frame_times.append(seconds)
        if len(self._frame_times) < WINDOW_FRAMES:
            return
        typical = median(self._frame_times)
        self._frame_times.clear()
        sharper = min(self.scale + SCALE_STEP, self.max_scale)
        if typical > TARGET_FRAME_SECONDS:
            self.scale = max(self.scale - SCALE_STEP, self.min_scale)
        elif typical * (sharper / self.scale) ** 2 < HEADROOM * TARGET_FRAME_SECONDS:
            self.scale = sharper


class LevelRenderer:
    """Draws the level of a game. software: the CPU renders."""

    def __init__(self, ctx: Any, game: Game, software: bool) -> None:
        self.ctx = ctx
        self.game = game
        self.software = software
        self.level: Level = game.level
        self.renderer: Renderer | None = None
        self._light_bake: Future[None] | None = None  # of the child process
        self._bake_progress = 0.0  # fraction of the light that is baked
        self._bake_start_time: float | None = None  # clock at which the bake of a changed level starts
        self._relit_data: SceneData | None = None  # the present level with new light
        self._previous_view: Camera | None = None
        self._dynamic_resolution = DynamicResolution(1.0, 1.0)

    def update(self, quality: str) -> Renderer:
        """A renderer of this quality that shows the game's level."""
        if self.renderer is None or quality != self.game.screen.quality:
            self._stop_bake()
            if self.renderer is not None:
                self.renderer.release()
            self.level = self.game.level
            self.game.screen.quality = quality
            self.renderer = Renderer(
                self.ctx,
                Scene.from_level(self.level),
                quality,
                eager=False,
                bakes=not self.software,
                light_cache=lightmap_folder(),
                clock=time.perf_counter,
            )
            self._dynamic_resolution = DynamicResolution(self.renderer.quality.scale, self.renderer.quality.min_scale)
            if self.game.hot_reload is not None:
                self.renderer.preallocate()
            self._reset_bake_progress(self.renderer)
        elif self.game.level is not self.level:
            self._stop_bake()
            self.level = self.game.level
            hot_reload = self.game.hot_reload
            scene_data = None if hot_reload is None else hot_reload.fetched(self.level)
            if scene_data is None or scene_data.quality != self.renderer.quality:
                scene_data = self._scene_data_of(self.level)
            self.renderer.change_scene(scene_data)
            self._reset_bake_progress(self.renderer)
        self.game.screen.picture_figures = self.renderer.pictures.figures
        return self.renderer

    @property
    def is_loading_pictures(self) -> bool:
        """Whether pictures of the level are not yet shown."""
        return self.renderer is not None and not self.renderer.pictures.is_complete

    def record_frame_time(self, seconds: float) -> None:
        """Record the time of the last frame; with software rendering it sets the resolution of the next ones."""
        if self.software and self.renderer is not None:
            self._dynamic_resolution.update(seconds)
            self.renderer.scale = self._dynamic_resolution.scale

    # Interface of the hot reload (hot_reload/level_reload.py)

    def load_step(self, scene_data: SceneData) -> bool:
        """Do one step of loading this scene; True once nothing can be loaded ahead."""
        if self.renderer is None or self.renderer.quality != scene_data.quality:
            return True
        self._relit_data = None
        return self.renderer.load_step(scene_data, complete=not self.software)

    def delay_bake(self, now: float) -> None:
        """Stop the bake for a while: another level is being loaded."""
        self._stop_bake()
        self._bake_start_time = now + BAKE_DELAY

    def show_level(self, level: Level, scene_data: SceneData | None, now: float) -> None:
        self._stop_bake()
        self.level = level
        if self.renderer is None:
            return
        if scene_data is None or self.renderer.quality != scene_data.quality:
            scene_data = self._scene_data_of(level)
        self.renderer.change_scene(scene_data)
        self._bake_progress = 1.0 if scene_data.lightmap.is_baked else 0.0
        self._bake_start_time = now + BAKE_DELAY

    def replace_light(self, scene_data: SceneData) -> None:
        """Take over the baked light of the present level, or bake it from its input, in small steps."""
        light = scene_data.lightmap
        if (
            self.renderer is not None
            and self.renderer.quality == scene_data.quality
            and (light.is_baked or light.bake_input)
        ):
            self._relit_data = scene_data

    def reload_pictures(self, changed: Sequence[tuple[Path, tuple[int, int]]]) -> None:
        """Show changed pictures again: (path, time of change in ns and size). Other files are ignored."""
        if self.renderer is not None:
            self.renderer.pictures.reload(changed)

    @property
    def unreadable_pictures(self) -> tuple[Path, ...]:
        """Files of the level's pictures that cannot be read, as far as they are loaded."""
        return () if self.renderer is None else self.renderer.pictures.unreadable

    def reload_shaders(self) -> tuple[ShaderDiagnostic, ...]:
        return () if self.renderer is None else self.renderer.rebuild()

    def shader_folder(self) -> Any:
        """The folder of the shaders; None before there is a renderer."""
        return None if self.renderer is None else self.renderer.programs.folder

    # Light

    def bake_step(self, view: Camera, now: float) -> None:
        """Do one step of the light bake; called between frames."""
        still = view == self._previous_view and not self.game.input.held.pressed
        self._previous_view = view
        renderer = self.renderer
        hot_reload = self.game.hot_reload
        if renderer is None or self.game.session is None or self.game.screen.is_compiling:
            return
        if self._relit_data is not None:
            if renderer.load_step(self._relit_data, bake=self._relit_data.lightmap.bake_input is not None):
                renderer.change_scene(self._relit_data)
                self._relit_data = None
                self._bake_progress = 1.0
            return
        if (
            self._bake_progress == 1.0
            or (self._bake_start_time is not None and now < self._bake_start_time)
            or (hot_reload and hot_reload.findings)
        ):
            return
        if self.software and hot_reload is not None and hot_reload.is_waiting:
            self._stop_light_bake()  # it would take the processor from the process that loads the level
            return
        if not self.software:
            if self._bake_start_time is None:
                self._bake_progress = renderer.bake_light(RAYS_PER_FRAME)
            else:
                self._request_final_light()
        elif self._light_bake is None:
            self._light_bake = self.game.jobs.process(
                LIGHT, bake_light_of_file, self.level.path.absolute(), self.game.screen.quality
            )
        elif self._light_bake.done() and hot_reload is not None:
            self._request_final_light()
        elif self._light_bake.done() and still:
            renderer.change_scene(self._scene_data_of(self.level))
            self._bake_progress = 1.0  # no further bake, even if the cache has no light

    def _request_final_light(self) -> None:
        self._bake_progress = 1.0
        if self.game.hot_reload is not None:
            self.game.hot_reload.request_final_light(with_bake_input=not self.software)

    def _scene_data_of(self, level: Level) -> SceneData:
        assert self.renderer is not None
        cache = LightmapCache(lightmap_folder())
        return build_scene_data(Scene.from_level(level), self.renderer.quality, cache=cache, bakes=not self.software)

    def _reset_bake_progress(self, renderer: Renderer) -> None:
        self._bake_progress = 1.0 if renderer.is_light_baked else 0.0

    def _stop_light_bake(self, waits: bool = False) -> None:
        self._light_bake = None
        self.game.jobs.stop(LIGHT, waits)

    def _stop_bake(self) -> None:
        self._stop_light_bake()
        self._bake_start_time = self._relit_data = None

    def close(self) -> None:
        """Stop the light bake and the loading of pictures, and release the renderer."""
        self._stop_light_bake(waits=True)
        self._stop_bake()
        renderer, self.renderer = self.renderer, None
        if renderer is not None:
            renderer.release()


def bake_light_of_file(path: Path, quality: str) -> None:
    """Bake the light of a level file into the cache, with an OpenGL context of this process."""
    from ...level import load
    from ...render import offscreen_context

    scene, context = Scene.from_level(load(path)), offscreen_context()
    try:
        Renderer(context, scene, quality, eager=True, light_cache=lightmap_folder()).release()
    finally:
        context.release()
