"""Child processes and threads of the game: each is waited for when it ends, and none outlives what started it."""

from __future__ import annotations

import threading

import pytest

from game.app.menus.thumbnail_worker import ThumbnailWorker
from game.core import user_folders
from game.core.jobs import Jobs, start_resource_tracker
from tests.support.child_processes import child_processes, needs_proc
from tests.support.player import Player
from tests.support.until import wait_until

pytestmark = needs_proc


@pytest.fixture
def new_children():
    """The children since the start of the test, without the process in which Python tracks semaphores."""
    start_resource_tracker()
    before = child_processes()
    return lambda: child_processes() - before


@pytest.fixture
def player(level_file, tmp_path, monkeypatch, floor_level):
    """A player with a level of their own that has no thumbnail yet."""
    own = user_folders.data_folder() / "levels" / "own.yaml"
    own.parent.mkdir(parents=True)
    own.write_text(f"# {tmp_path}\n{level_file.read_text()}")
    player = Player.in_level(floor_level)
    yield player
    player.game.close()


def open_page(player, name):
    player.game.pause()
    menu = player.game.menu
    menu.open(player.game.menus.page_openers[name](menu))
    player.wait(0.1)


def test_thumbnails_end_when_their_page_is_left(player, new_children):
    open_page(player, "levels")
    assert new_children()
    player.game.key_pressed("F1")  # a page over it
    assert new_children()
    player.game.key_pressed("ESCAPE")
    assert new_children()
    player.game.key_pressed("ESCAPE")
    assert player.game.menu.page.name == "pause"
    assert not new_children()


def test_nothing_outlives_the_game(player, new_children):
    threads = set(threading.enumerate())
    player.hold("W", 1.0)
    open_page(player, "runs")
    player.game.menu.open(player.game.menus.page_openers["levels"](player.game.menu))
    assert new_children()
    player.game.close()
    assert not new_children()
    wait_until(lambda: set(threading.enumerate()) <= threads)


def test_all_thumbnails_come_from_one_process_each_once(level_file, new_children):
    """A second page that asks while the first one waits starts no other, and nothing is rendered twice."""
    paths = [level_file.with_name(f"own{number}.yaml") for number in range(3)]
    for path in paths:
        path.write_text(f"# {path}\n{level_file.read_text()}")  # no picture of this text is kept
    with Jobs() as jobs:
        worker = ThumbnailWorker(jobs)
        worker.request(paths[:2])
        children = new_children()
        assert len(children) == 1
        worker.request([*paths[1:], paths[0]])
        assert new_children() == children
        assert worker._missing == paths
        wait_until(lambda: jobs.update() or all(map(worker.thumbnail_of, paths)))
        assert not worker.thumbnail_of(paths[2]).finding
        wait_until(lambda: not new_children())
