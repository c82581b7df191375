"""The window's renderer without a window: what is drawn after a save, at once and when its light has been gathered."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from game.app.display import level_renderer as drawing_module
from game.app.display.level_renderer import BAKE_DELAY, LevelRenderer
from game.level import load
from game.render import Camera, Renderer, Scene, Snapshot
from game.render.gl.quality import QUALITIES
from tests.app.hot_reload.test_level_reload import LEVEL, Author
from tests.support import gl

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


class Child:
    """Stands for the process that gathers light: does it here and now."""

    made: list[str]

    def __init__(self, path, quality):
        self.path, self.quality, self.is_finished = path, quality, False
        self.made.append(load(path).name)

    def work(self):
        ctx = gl.context()
        folder = drawing_module.lighting_worker.lightmap_folder()
        Renderer(ctx, Scene.from_level(load(self.path)), self.quality, light_cache=folder)
        ctx.release()
        self.is_finished = True

    def stop(self):
        pass


class Painter(Author):
    """An author with a renderer."""

    def __init__(self, path, monkeypatch, ctx, software):
        path.write_text(ROOF)
        monkeypatch.setattr(Child, "made", [], raising=False)
        monkeypatch.setattr(drawing_module.lighting_worker, "LightingWorker", Child)
        self.drawn = None
        super().__init__(path, monkeypatch)
        self.reloading._light_cache = drawing_module.lighting_worker.lightmap_folder()
        self.drawn = self.reloading.level_renderer = LevelRenderer(ctx, self.game, software)
        self.reloading._shader_reloader._file_watcher.start = lambda: None
        self.reloading._quality = ""  # as in the game, where there is a window from the beginning
        self.frames(3)
        self.settle()

    def frames(self, count):
        for _ in range(count):
            self.player.wait(1 / 60)
            self.drawn.update("low")
            self.drawn.bake_step(self.player.shown.view, self.player.now)

    def settle(self, max_frames=40):
        if self.drawn is None:
            super().settle()
            return
        for _ in range(max_frames):
            self.reloading._file_watcher.check()
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
    painter.drawn.renderer.release()
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
        child = painter.drawn._lighting_worker
        if child is not None and not child.is_finished:
            child.work()
            painter.drawn.ctx.__enter__()
        if (
            painter.drawn._bake_progress == 1.0
            and painter.drawn._relit_data is None
            and not painter.reloading._bake_number
        ):
            return
    raise AssertionError("the light does not come")


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
    assert painter.drawn._lighting_worker is None
    painter.frames(round(BAKE_DELAY * 60) + 2)
    lit(painter)
    assert np.abs(painter.picture() - final).max() <= 2
    assert painter.drawn.renderer is renderer


def test_no_process_bakes_while_a_level_is_loaded(painter, monkeypatch):
    worker = painter.reloading._level_worker
    take_answers = worker.take_answers
    monkeypatch.setattr(worker, "take_answers", list)  # the process that loads levels is slow
    painter.frames(1)
    painter.reloading._change_number = worker.submit("warm", painter.path, "low")
    Child.made.clear()
    painter.frames(3)
    assert (painter.drawn._lighting_worker, Child.made) == (None, [])
    monkeypatch.setattr(worker, "take_answers", take_answers)
    painter.frames(3)
    assert (painter.drawn._lighting_worker is not None) == painter.drawn.software


def test_light_waits_while_the_file_is_broken(painter):
    painter.save(ROOF.replace("box", "bx"))
    assert painter.reloading.findings
    Child.made.clear()
    painter.frames(200)
    assert Child.made == []
    assert painter.reloading._bake_number == 0
    painter.save(ROOF.replace("Yard", "Court"))
    lit(painter)
    assert Child.made in ([], ["Court"])
    assert painter.game.level.name == "Court"


def test_another_quality_is_another_renderer_and_goes_on_with_the_same_files(painter):
    renderer = painter.drawn.renderer
    painter.drawn.update("medium")
    assert painter.drawn.renderer is not renderer
    assert painter.game.quality == "medium"
    for _ in range(3):
        painter.player.wait(1 / 60)
        painter.drawn.update("medium")
    painter.path.write_text(ROOF.replace("Yard", "Park"))
    for _ in range(20):
        painter.reloading._file_watcher.check()
        painter.player.wait(1 / 60)
        painter.drawn.update("medium")
    assert painter.drawn.level.name == "Park"
