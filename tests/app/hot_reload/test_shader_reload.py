"""Shaders that are edited while one plays: reloaded, and told where they fail."""

from __future__ import annotations

import shutil
from types import SimpleNamespace

import numpy as np
import pytest

from game.app.game import Game
from game.app.hot_reload.file_watcher import ShaderReloader
from game.app.hot_reload.level_reload import LevelReloader
from game.app.settings.settings_file import Settings
from game.level import load
from game.render import Camera, Renderer, Scene, Snapshot
from game.render.gl.programs import default_folder
from tests.app.hot_reload.test_level_reload import InlineJobs, WatcherByHand
from tests.support import gl
from tests.support.player import Player


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "shaders"
    shutil.copytree(default_folder(), place)
    return place


def test_an_edited_shader_is_reloaded_and_a_broken_one_reported_with_its_line(folder, level_file):
    ctx = gl.context()
    level = load(level_file)
    renderer = Renderer(ctx, Scene.from_level(level), "low", eager=False, shaders=folder)
    game, watcher = Game(level, Settings(), "low", InlineJobs()), WatcherByHand(pattern="*.glsl")
    reloading = game.hot_reload = LevelReloader(game, shader_reloader=ShaderReloader(watcher))
    reloading.level_renderer = SimpleNamespace(
        shader_folder=lambda: folder,
        unreadable_pictures=(),
        reload_shaders=renderer.rebuild,
        delay_bake=lambda now: None,
        software=True,
        load_step=lambda made: True,
    )
    player = Player(game)

    def picture():
        renderer.render(Snapshot(Camera((0, 3, 5), 0.0, 0.2, 60.0, 0.1)), (64, 36))
        return renderer.image().astype(int)

    def watched():
        for _ in range(20):
            watcher.check()
            player.wait(1 / 30)

    def edited(text):
        file.write_text(text)
        watched()

    watched()
    before = picture()
    file = folder / "include/tone_mapping.glsl"
    good = file.read_text()
    edited(good + "\nvec3 nonsense() { return brightness; }\n")
    assert np.array_equal(picture(), before)
    cards = [(card.title, card.subtitle) for card in player.shown.hud.cards]
    assert cards[0][0].startswith("Shaders not reloaded")
    assert cards[1][0].startswith(f"tone_mapping.glsl:{len(good.splitlines()) + 2}")
    assert "brightness" in cards[1][1]
    file.write_text(good)
    file = folder / "level/sky.frag.glsl"
    edited(file.read_text().replace("picture_colour = shown", "radiance = radiance.bgr;\n    picture_colour = shown"))
    assert [card.title.partition(",")[0] for card in player.shown.hud.cards] == ["Shaders reloaded"]
    assert np.abs(picture() - before).max() > 50
    renderer.release()
    ctx.release()
