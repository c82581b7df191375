"""Exits: into another level and back, by a clock that the test turns."""

from __future__ import annotations

import threading

import pytest

from game.app.game import Game
from game.app.launch.level_lookup import UserError, entrance_file, load_level
from game.app.modes.travel import LevelTransition
from game.app.settings.mode_names import ARRIVING, LEAVING, NOTICE, PAUSED, PLAYING
from game.app.settings.settings_file import Settings
from game.app.visuals import thumbnails
from game.app.visuals.screen import FADE_SECONDS
from game.core.jobs import Jobs
from game.sim import World
from tests.support.player import Player
from tests.support.until import repeat_until, wait_until

HALL = """\
format: 1
name: Hall
spawns:
  - {at: [0, 0, 0], facing: north}
  - {at: [0, 0, 9], facing: south, name: back}
pieces:
  - floor: {from: [-20, -20], to: [20, 20]}
exits:
  - {at: [0, 0, -3], radius: 0.8, to: room.yaml, name: Room}
  - {at: [4, 0, 0], radius: 0.8, to: broken.yaml, name: Broken}
  - {at: [-4, 0, 0], radius: 0.8, to: nowhere.yaml, name: Nowhere}
kill_height: -10
"""
ROOM = """\
format: 1
name: A room of its own
spawn: {at: [2, 0, 0], facing: east}
pieces:
  - floor: {from: [-20, -20], to: [20, 20]}
exits:
  - {at: [2, 0, 0], radius: 1, to: hall.yaml, name: Hall, spawn: back}
kill_height: -10
"""


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "levels"
    place.mkdir()
    (place / "hall.yaml").write_text(HALL)
    (place / "room.yaml").write_text(ROOM)
    (place / "broken.yaml").write_text("format: 1\nname: Broken\npieces: 7\n")
    return place


@pytest.fixture
def player(folder):
    return Player(Game(load_level(str(folder)), Settings(), "low"))


def travel(player, key):
    """Hold a key until one is on the way, then wait for what comes of it."""
    player.game.key_pressed(key)
    repeat_until(lambda: player.game.mode == LEAVING, lambda: player.wait(1 / 60), 300)
    player.game.key_released(key)
    wait_until(lambda: player.game.modes["leaving"].transition.is_loaded)
    player.arrive()


def test_through_an_exit_into_another_level_and_back(player):
    travel(player, "W")
    game = player.game
    assert game.mode == PLAYING
    assert game.level.name == "A room of its own"
    assert player.wait(2 / 60).hud.title_card.name == "A room of its own"
    assert player.shown.hud.veil > 0.0
    assert game.input.view.yaw == 49152
    assert game.session.world.tick <= 2
    assert player.wait(1.0).hud.veil == 0.0
    player.hold("W", 1.0)
    game.key_pressed("R")
    player.wait(0.1)
    assert game.session.world.walker_state.feet[0] == pytest.approx(2.0, abs=0.05)
    player.hold("W", 1.0)
    travel(player, "S")
    assert game.level.name == "Hall"
    assert game.session.world.walker_state.feet[2] == pytest.approx(9.0, abs=0.05)
    assert game.input.view.yaw == 32768


def test_the_name_of_a_slow_level_stays_until_it_is_drawn(folder, monkeypatch):
    load = LevelTransition._make_world
    monkeypatch.setattr(thumbnails, "thumbnail_file", lambda path: f"{path.stem}.jpg")
    monkeypatch.setattr(LevelTransition, "_make_world", lambda transition: None)
    player = Player(Game(load_level(str(folder)), Settings(), "low"))
    player.game.key_pressed("W")
    repeat_until(lambda: player.game.mode == LEAVING, lambda: player.wait(1 / 60), 300)
    hud = player.wait(1 / 60).hud
    assert (hud.picture, hud.progress_label, hud.hint, hud.crosshair) == ("room.jpg", "Loading Room", "", False)
    player.wait(FADE_SECONDS + 0.1)
    load(player.game.modes[LEAVING].transition)
    for _ in range(3):  # the first frames of the new level, which take long to draw
        hud = player.wait(1 / 60).hud
        assert (player.game.mode, player.game.level.name, player.tick) == (ARRIVING, "A room of its own", 0)
        assert (hud.veil, hud.progress_label, hud.crosshair, hud.picture) == (1.0, "Loading Room", False, "room.jpg")
    hero_camera = player.game.cameras.hero_camera
    assert hero_camera.shows_start
    hero_camera.stop()
    hud = player.wait(1 / 60).hud
    assert (player.game.mode, hud.veil, hud.progress_label) == (PLAYING, 1.0, "Loading Room"), "the first of play"
    hud = player.wait(1 / 60).hud
    assert (hud.veil < 1.0, hud.progress_label, hud.crosshair) == (True, "", True)


def test_who_leaves_the_window_while_a_level_arrives_finds_it_paused(folder):
    player = Player(Game(load_level(str(folder)), Settings(), "low"))
    player.game.key_pressed("W")
    player.wait_for(lambda: player.game.mode == ARRIVING)
    player.game.pause("The window lost the focus.")
    player.arrive()
    assert (player.game.mode, player.game.level.name, player.tick) == (PAUSED, "A room of its own", 0)


def test_a_key_that_is_tapped_in_the_dark_acts_nowhere(folder):
    player = Player(Game(load_level(str(folder)), Settings(), "low"))
    player.game.key_pressed("W")
    player.wait_for(lambda: player.game.mode == ARRIVING)
    player.game.key_released("W")
    for key in ("W", "SPACE"):
        player.game.key_pressed(key)
        player.game.key_released(key)
    player.arrive()
    player.game.cameras.hero_camera.stop()
    player.wait(0.5)
    state = player.game.world.walker_state
    assert (player.game.mode, player.game.level.name, state.grounded) == (PLAYING, "A room of its own", True)
    assert state.feet[::2] == player.game.world.start.feet[::2]


@pytest.mark.parametrize(("key", "part"), [("D", "broken.yaml:3:"), ("A", "does not exist")])
@pytest.mark.sample(1)
def test_a_broken_or_missing_level_is_reported_and_play_stays(player, key, part):
    travel(player, key)
    game = player.game
    assert game.mode == NOTICE
    assert game.level.name == "Hall"
    panel = player.wait(0.1).hud.panel
    assert part in panel.text
    assert not game.wants_mouse
    tick = game.session.world.tick
    player.wait(1.0)
    assert game.session.world.tick == tick
    game.key_pressed("ESCAPE")
    assert game.mode == PLAYING
    player.wait(1.0)
    assert game.mode == PLAYING
    assert player.shown.hud.veil == 0.0


@pytest.mark.parametrize(("failure", "text"), [(OSError("no disk"), "no disk"), (MemoryError(), "not enough memory")])
def test_a_world_that_cannot_be_made_ends_the_journey(folder, monkeypatch, failure, text):
    level = load_level(str(folder))

    def fail(*arguments, **options):
        raise failure

    monkeypatch.setattr("game.app.modes.travel.World", fail)
    with Jobs() as jobs:
        transition = LevelTransition(level.exits[0], jobs, lambda level_exit, receive: receive(level))
        jobs.finish(30.0)
    assert transition.is_loaded
    assert transition.error == f"room.yaml: {text}"


def test_a_folder_is_its_hall_or_its_only_level(folder, tmp_path):
    assert load_level(str(folder)).name == "Hall"
    one = tmp_path / "one"
    one.mkdir()
    with pytest.raises(UserError, match="no level in this folder"):
        load_level(str(one))
    (one / "only.yaml").write_text(ROOM)
    assert load_level(str(one)).name == "A room of its own"
    (one / "other.yaml").write_text(ROOM)
    with pytest.raises(UserError, match=r"several levels; name one of them: only\.yaml, other\.yaml"):
        load_level(str(one))
    assert entrance_file("demo") == "demo"
    assert entrance_file("nowhere") == "nowhere"
    assert entrance_file("a\0b") == "a\0b"


def test_the_world_of_a_level_from_another_process_is_made_beside_the_frames(folder, monkeypatch):
    level, makers = load_level(str(folder)), []

    class OtherWorld(World):
        def __init__(self, *arguments, **options):
            makers.append(threading.current_thread())
            super().__init__(*arguments, **options)

        def mover_poses(self, tick=None):
            makers.append(threading.current_thread())
            return super().mover_poses(tick)

    monkeypatch.setattr("game.app.modes.travel.World", OtherWorld)
    with Jobs() as jobs:
        transition = LevelTransition(level.exits[0], jobs, lambda level_exit, receive: receive(level))
        jobs.finish(30.0)
    assert isinstance(transition.world, World)
    assert len(makers) == 2, "the world, and its kernel of movers"
    assert threading.main_thread() not in makers
