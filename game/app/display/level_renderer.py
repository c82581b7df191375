"""The window's renderer: made anew for another quality, kept from level to level, and lit as well as can be.

The inner light of a level is gathered between the frames; where a processor draws, by a child process, since there
each step takes as long as many frames. A level that has just been changed has the light of the one before it, mended,
until its own is there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...render import Prepared, Renderer, Scene, ShaderProblem, View, prepare
from ...render.scene.lightmap_cache import LightCache
from ..hot_reload import lighting_worker
from .dynamic_resolution import Sharpness

if TYPE_CHECKING:
    from ...level import Level
    from ..game import Game

RAYS = 16  # of inner light gathered in a frame, so that the first picture is not late
CALM = 3.0  # s after a change before its light is gathered: one who saves twice does not wait for the first


class Drawing:
    """Draws the level of a game. `software`: a processor draws."""

    def __init__(self, ctx: Any, game: Game, software: bool) -> None:
        self.ctx, self.game, self.software = ctx, game, software
        self.level: Level = game.level
        self.renderer: Renderer | None = None
        self._lighting: lighting_worker.Lighting | None = None
        self._lit = 0.0  # the part of the level's inner light that has been gathered
        self._due: float | None = None  # when the light of a changed level is to be gathered
        self._relit: Prepared | None = None  # the same level, with other light
        self._seen: View | None = None
        self._sharpness = Sharpness(1.0, 1.0)

    def follow(self, quality: str) -> Renderer:
        """A renderer of this quality that shows the game's level."""
        if self.renderer is None or quality != self.game.quality:
            self._forget_light()
            if self.renderer is not None:
                self.renderer.release()
            self.level, self.game.quality = self.game.level, quality
            self.renderer = Renderer(
                self.ctx,
                Scene.from_level(self.level),
                quality,
                eager=False,
                gathers=not self.software,
                light_cache=lighting_worker.folder(),
            )
            self._sharpness = Sharpness(self.renderer.quality.scale, self.renderer.quality.least_scale)
            if self.game.reloading is not None:
                self.renderer.spare()
            self._begin_light(self.renderer)
        elif self.game.level is not self.level:
            self._forget_light()
            self.level = self.game.level
            reloading = self.game.reloading
            fetched = None if reloading is None else reloading.fetched(self.level)
            if fetched is None or fetched.quality != self.renderer.quality:
                fetched = self._prepared(self.level)
            self.renderer.change_scene(fetched)
            self._begin_light(self.renderer)
        return self.renderer

    def paced(self, seconds: float) -> None:
        """The last frame took so long: a processor draws the next ones less sharp, or sharper again."""
        if self.software and self.renderer is not None:
            self._sharpness.follow(seconds)
            self.renderer.scale = self._sharpness.scale

    # What a level that is made elsewhere asks for: see reloading.py

    def stage(self, prepared: Prepared) -> bool:
        """Another small step towards showing this; True when `show` takes but a moment."""
        if self.renderer is None or self.renderer.quality != prepared.quality:
            return self.renderer is None
        self._relit = None
        return self.renderer.stage(prepared, whole=not self.software)

    def hush(self, now: float) -> None:
        """Another level is being made ready: leave the processor to that for a while."""
        self._forget_light()
        self._due = now + CALM

    def show(self, level: Level, prepared: Prepared | None, now: float) -> None:
        """Show a level from this frame on."""
        self._forget_light()
        self.level = level
        if self.renderer is None:
            return
        if prepared is None or self.renderer.quality != prepared.quality:
            prepared = self._prepared(level)
        self.renderer.change_scene(prepared)
        self._lit = 1.0 if prepared.lightmap.gathered else 0.0
        self._due = now + CALM

    def relight(self, prepared: Prepared) -> None:
        """Take over the gathered light of the level that is shown, or gather it, in small steps."""
        light = prepared.lightmap
        if self.renderer is not None and self.renderer.quality == prepared.quality and (light.gathered or light.walk):
            self._relit = prepared

    def rebuild(self) -> tuple[ShaderProblem, ...]:
        """Read the shaders again."""
        return () if self.renderer is None else self.renderer.rebuild()

    def shaders(self) -> Any:
        """The folder that they are in, once there is a renderer."""
        return None if self.renderer is None else self.renderer.programs.folder

    # Light

    def gather(self, view: View, now: float) -> None:
        """Bring the light a little further. Between frames."""
        still = view == self._seen and not self.game.held.down
        self._seen = view
        renderer, reloading = self.renderer, self.game.reloading
        if renderer is None or self.game.session is None:
            return
        if self._relit is not None:
            if renderer.stage(self._relit, gather=self._relit.lightmap.walk is not None):
                renderer.change_scene(self._relit)
                self._relit, self._lit = None, 1.0
            return
        if self._lit == 1.0 or (self._due is not None and now < self._due) or (reloading and reloading.findings):
            return
        if not self.software:
            if self._due is None:
                self._lit = renderer.prepare(RAYS)
            else:
                self._settle()
        elif self._lighting is None:
            self._lighting = lighting_worker.Lighting(self.level.path, self.game.quality)
        elif self._lighting.finished and reloading is not None:
            self._settle()
        elif self._lighting.finished and still:
            renderer.change_scene(self._prepared(self.level))
            self._lit = 1.0  # if there is none even now, it cannot be had

    def _settle(self) -> None:
        self._lit = 1.0
        if self.game.reloading is not None:
            self.game.reloading.settle(walk=not self.software)

    def _prepared(self, level: Level) -> Prepared:
        assert self.renderer is not None
        cache = LightCache(lighting_worker.folder())
        return prepare(Scene.from_level(level), self.renderer.quality, cache=cache, walk=not self.software)

    def _begin_light(self, renderer: Renderer) -> None:
        self._lit = 1.0 if renderer.lit else 0.0

    def _forget_light(self) -> None:
        if self._lighting is not None:
            self._lighting.stop()
            self._lighting = None
        self._due = self._relit = None

    def close(self) -> None:
        """End what still works for it."""
        self._forget_light()
