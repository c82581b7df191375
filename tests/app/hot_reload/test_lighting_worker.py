"""The level's inner light, gathered by a child and found by the next renderer."""

from __future__ import annotations

import os
import sys

import pytest

from game.app.hot_reload import lighting_worker
from game.level import load
from game.render import Renderer, Scene
from tests.support import gl
from tests.support.until import wait_until


@pytest.mark.full
def test_a_child_leaves_the_light_where_the_game_finds_it(level_file, tmp_path, monkeypatch):
    monkeypatch.setenv("WALKER_CACHE", str(tmp_path / "cache"))
    child = lighting_worker.LightingWorker(level_file, "low")
    wait_until(lambda: child.is_finished)
    assert os.listdir(lighting_worker.lightmap_folder())
    context = gl.context()
    scene = Scene.from_level(load(level_file))
    assert (
        Renderer(context, scene, "low", eager=False, light_cache=lighting_worker.lightmap_folder()).bake_light(0) == 1.0
    )
    assert Renderer(context, scene, "low", eager=False, light_cache=tmp_path / "none").bake_light(0) < 1.0
    context.release()


def test_a_child_that_is_not_wanted_any_more_ends(level_file, tmp_path, monkeypatch):
    sleeper = tmp_path / "sleeper"
    sleeper.write_text("#!/bin/sh\nexec sleep 100000\n")
    sleeper.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(sleeper))
    child = lighting_worker.LightingWorker(level_file, "low")
    assert not child.is_finished
    child.stop()
    wait_until(lambda: child.is_finished)


def test_no_child_is_no_light(level_file, monkeypatch):
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    child = lighting_worker.LightingWorker(level_file, "low")
    assert child.is_finished
    child.stop()
