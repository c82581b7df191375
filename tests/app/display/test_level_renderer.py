"""The window's renderer without a window: what is drawn after a save, at once and when its light has been gathered."""

from __future__ import annotations

import os
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from game.app.display.level_renderer import (
    BAKE_DELAY,
    LIGHT,
    WINDOW_FRAMES,
    DynamicResolution,
    LevelRenderer,
    bake_light_of_file,
)
from game.app.hot_reload.file_watcher import ShaderReloader
from game.level import load
from game.render import Camera, Renderer, Scene, Snapshot
from game.render.gl.quality import QUALITIES
from game.render.scene.lightmap import lightmap_folder
from tests.app.hot_reload.test_level_reload import LEVEL, Author, InlineJobs, WatcherByHand
from tests.support import gl
from tests.support.until import repeat_until

SIZE = (96, 54)
ROOF = LEVEL.replace("kill", "  - box: {from: [-4, 2.5, -9], to: [4, 3, -1]}\nkill")
ABOVE = Camera((0.0, 1.5, 2.0), 0.0, 0.0, 70.0, 0.1)


@pytest.fixture(scope="module")
def context():
    ctx = gl.context()
    yield ctx
    ctx.release()


@pytest.fixture
def small(monkeypatch):
    tiny = replace(QUALITIES["low"], light_size=96, shadow_size=512, tile_size=32, scale=1.0)
    monkeypatch.setitem(QUALITIES, "low", tiny)


class BakingJobs(InlineJobs):
    """Jobs without a process, where light is baked when the test calls `bake`."""

    def __init__(self):
        super().__init__()
        self.running, self.made = None, []  # path, quality and future of a bake; names of the levels

    def process(self, worker, function, *arguments, done=None, progress=None):
        future = super().process(worker, function, *arguments, done=done, progress=progress)
        if worker == LIGHT:
            self.made.append(load(arguments[0]).name)
            self.running = (*arguments, future)
        return future

    def bake(self):
        path, quality, future = self.running
        if not future.done():
            bake_light_of_file(path, quality)
            future.set_result(None)

    def stop(self, worker, waits=True):
        super().stop(worker, waits)
        if worker == LIGHT:
            self.running = None


class Painter(Author):
    """An author with a renderer."""

    jobs_type = BakingJobs

    def __init__(self, path, monkeypatch, ctx, software):
        path.write_text(ROOF)
        self.context, self.software, self.lines = ctx, software, []
        super().__init__(
            path,
            monkeypatch,
            quality="",  # until there is a renderer
            light_cache=lightmap_folder(),
            print_line=self.lines.append,
            shader_reloader=ShaderReloader(WatcherByHand(pattern="*.glsl")),
        )

    def open_window(self):
        self.drawn = self.reloading.level_renderer = LevelRenderer(self.context, self.game, self.software)
        self.frames(3)

    def frames(self, count):
        for _ in range(count):
            self.player.wait(1 / 60)
            self.drawn.update("low")
            self.drawn.bake_step(self.player.shown.view, self.player.now)

    def settle(self, max_frames=40):
        for _ in range(max_frames):
            self.watcher.check()
            self.frames(1)
            if self.reloading.is_idle:
                return
        raise AssertionError("the game does not come to rest")

    def picture(self):
        renderer = self.drawn.renderer
        renderer.ctx.__enter__()
        renderer.render(Snapshot(ABOVE), SIZE)
        return renderer.image().astype(int)


@pytest.fixture(params=[False, True], ids=["hardware", "processor"])
def painter(request, context, tmp_path, monkeypatch, small):
    monkeypatch.setenv("WALKER_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "levels"
    folder.mkdir()
    painter = Painter(folder / "yard.yaml", monkeypatch, context, request.param)
    yield painter
    painter.drawn.close()
    painter.reloading.stop()


def truth(context, path):
    renderer = Renderer(context, Scene.from_level(load(path)), "low")
    renderer.render(Snapshot(ABOVE), SIZE)
    image = renderer.image().astype(int)
    renderer.release()
    return image


def lit(painter):
    """Frames until the light is there."""
    for _ in range(400):
        painter.frames(1)
        if painter.worker.running is not None:
            painter.worker.bake()
            painter.drawn.ctx.__enter__()
        renderer = painter.drawn.renderer
        is_baked = renderer.is_light_baked or (not painter.software and renderer.bake_light(0) == 1.0)
        if is_baked and not painter.worker.is_busy:
            return
    raise AssertionError("the light does not come")


@pytest.mark.sample(1)
def test_light_comes_after_the_level_and_is_mended_at_once_when_it_changes(painter, context):
    lit(painter)
    before = painter.picture()
    assert np.abs(before - truth(context, painter.path)).max() <= 2
    renderer = painter.drawn.renderer
    more = ROOF.replace("kill", "  - box: {from: [-1, 0, -5], to: [1, 1, -3]}\nkill")
    painter.save(more)
    assert painter.drawn.renderer is renderer
    at_once, final = painter.picture(), truth(context, painter.path)
    assert np.abs(at_once - before).max() > 20
    assert np.abs(at_once - final).mean() < 1.0
    # how dark the new corners are is known only once their light is gathered
    assert np.abs(at_once - final).mean() < 0.75 * np.abs(before - final).mean()
    assert painter.worker.running is None
    painter.frames(round(BAKE_DELAY * 60) + 2)
    lit(painter)
    repeat_until(lambda: np.abs(painter.picture() - final).max() <= 2, lambda: painter.frames(1), 400)
    assert painter.drawn.renderer is renderer


POSTER = """\
format: 1
name: Yard
spawn: {at: [0, 0, 0], facing: north}
surfaces:
  poster: {picture: poster.png, size: 4}
pieces:
  - floor: {from: [-20, -20], to: [20, 20], surface: poster}
kill_height: -10
"""


def paint(path, colour):
    """Save a picture of one colour, as an editor does: in one step."""
    Image.new("RGB", (32, 32), colour).save(path.with_suffix(".new.png"))
    os.replace(path.with_suffix(".new.png"), path)


@pytest.fixture
def poster(painter):
    path = painter.path.parent / "poster.png"
    paint(path, "red")
    painter.save(POSTER)
    painter.drawn.renderer.load_pictures()
    return path


def middle(painter):
    return painter.picture()[30:60, 30:60].reshape(-1, 3).mean(axis=0)


@pytest.mark.sample(1)
def test_a_saved_picture_shows_before_its_level_is_read_again(painter, poster):
    red = middle(painter)
    assert red[0] > 2 * red[2]
    paint(poster, (0, 0, 255))
    before = painter.reloading.reload_count
    painter.worker.slow = True  # the level is still loading
    painter.watcher.check()
    painter.player.wait(1 / 60)
    painter.drawn.renderer.load_pictures()
    blue = middle(painter)
    assert blue[2] > 2 * blue[0]
    assert painter.reloading.reload_count == before
    painter.worker.slow = False
    painter.settle()
    assert painter.reloading.reload_count == before + 1
    assert painter.drawn.renderer.pictures.is_complete, "the level names the version that is shown"
    assert np.abs(middle(painter) - blue).max() <= 3


# The sharpness of the picture


LEAST = 0.5


def drawn(whole: float, frames: int, sharpness: DynamicResolution, fixed: float = 0.008) -> list[float]:
    """The scales of so many frames, which at scale 1 take `whole` seconds, `fixed` of them whatever the scale."""
    chance, scales = np.random.default_rng(3), []
    for _ in range(frames):
        late = chance.random() < 0.2  # other work on the machine
        sharpness.update((fixed + (whole - fixed) * sharpness.scale**2) * (3.0 if late else chance.uniform(0.95, 1.05)))
        scales.append(sharpness.scale)
    return scales


@pytest.mark.parametrize("whole", [0.010, 0.03, 0.06, 0.08, 0.1, 0.5])
def test_the_resolution_settles_where_the_frame_rate_holds(whole: float) -> None:
    sharpness = DynamicResolution(0.8, LEAST)
    settled = drawn(whole, 1500, sharpness)[-600:]
    assert len(set(settled)) == 1
    seconds = 0.008 + (whole - 0.008) * settled[0] ** 2
    assert seconds <= 1.06 / 30 or settled[0] == LEAST
    wider = 0.008 + (whole - 0.008) * (settled[0] + 0.08) ** 2
    assert settled[0] == 0.8 or wider > 0.85 / 30, "it could have been sharper"


def test_a_single_late_frame_changes_nothing() -> None:
    sharpness = DynamicResolution(0.68, LEAST)
    for frame in range(10 * WINDOW_FRAMES):
        sharpness.update(0.9 if frame % WINDOW_FRAMES == 5 else 0.02)
    assert sharpness.scale == 0.68
