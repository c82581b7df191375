"""The figure from its front: at the start of a level until a key, and at the goal; it changes no tick."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from game.app.cameras.hero_camera import SKIP_SECONDS, START_SECONDS, SWING_SECONDS
from game.app.game import Game
from game.app.settings.settings_file import Settings
from game.level import load
from tests.support.player import Player
from tests.support.until import RUN_THREADS, wait_for_threads

FIELD = """
format: 1
name: Field
goal: {at: [0, 0, -6], radius: 1}
spawn: {at: [0, 0, 0], facing: north}
surfaces: {ground: {colour: "#7d9a58"}}
pieces:
  - floor: {from: [-12, -12], to: [12, 12], surface: ground}
"""
CORRIDOR = FIELD + "".join(
    f"  - box: {{from: [{x}, 0, -12], to: [{x + 0.2}, 4, 12], surface: ground}}\n" for x in (-0.7, 0.5)
)


@pytest.fixture(autouse=True)
def _runs_are_written() -> Iterator[None]:
    yield
    wait_for_threads(*RUN_THREADS)


def started(text: str, **settings: bool) -> Player:
    player = Player(Game(load(text=text), Settings(**settings), "low"))
    player.game.cameras.hero_camera.show_start()
    return player


def facing(shot) -> float:
    """Cosine between the view and the direction of the body: -1 looks it in the face."""
    body = [one for one in shot.ellipsoids if one.visor]
    return float(shot.view.basis()[2] @ np.array(body[0].north)) if body else 1.0


def test_markers_messages_and_crosshair_wait_until_the_face_has_gone() -> None:
    player = started(FIELD)
    player.game.feedback.show_message("No sound", "", 2.0)
    hud = player.wait(START_SECONDS).hud
    assert (hud.message, hud.markers, hud.crosshair) == ("", (), False)
    hud = player.wait(SWING_SECONDS + 0.2).hud
    assert (hud.message, hud.crosshair) == ("No sound", True)
    assert hud.markers
    assert player.wait(1.5).hud.message == "No sound"
    assert player.wait(0.5).hud.message == ""


def test_a_level_begins_with_the_face_and_ends_at_the_eye() -> None:
    player = started(FIELD)
    player.wait(3.0, frame=3.0)  # the frame in which the level was loaded
    assert facing(player.wait(0.1)) < -0.7
    shot = player.wait(START_SECONDS + SWING_SECONDS + 0.2)
    assert not shot.ellipsoids
    assert shot.view.eye == pytest.approx((0.0, 1.44, 0.0), abs=0.05)


@pytest.mark.parametrize("act", ["key", "mouse", "action"])
def test_a_key_or_the_mouse_ends_it(act: str) -> None:
    player = started(FIELD)
    player.wait(0.2)
    if act == "mouse":
        player.game.input.view.yaw += 200.0
    else:
        player.game.key_pressed("W" if act == "key" else "TAB")
    assert not player.wait(SKIP_SECONDS + 0.1).ellipsoids


def test_the_ticks_and_commands_are_those_without_it() -> None:
    states = []
    for shown in (True, False):
        player = started(FIELD)
        if not shown:
            player.game.cameras.hero_camera.stop()
        player.wait(0.3)
        player.hold("W", 0.5)
        states.append((player.tick, player.game.session.world.state()))
    assert states[0] == states[1]


@pytest.mark.parametrize(("text", "settings"), [(FIELD, {"reduce_motion": True}), (CORRIDOR, {})])
def test_none_with_reduced_motion_or_without_room(text: str, settings: dict[str, bool]) -> None:
    assert not started(text, **settings).wait(0.1).ellipsoids


def test_at_the_goal_it_comes_out_and_stays_on_the_result_page() -> None:
    player = started(FIELD)
    player.hold("W", 1.4)
    assert player.game.session.world.goal_tick >= 0
    player.wait(0.8)
    assert facing(player.shown) < -0.5
    assert max(player.game.cameras.hero.pose.hop for _ in range(20) if player.wait(1 / 60)) > 0.05
    player.wait(2.0)
    assert player.game.menu is not None
    assert facing(player.shown) < -0.5
    player.game.key_pressed("ESCAPE")
    assert not player.wait(2.0).ellipsoids
