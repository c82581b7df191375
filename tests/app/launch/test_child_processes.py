"""Child processes and threads of the game: each is waited for when it ends, and none outlives what started it."""

from __future__ import annotations

import gc
import os
import sys
import threading

import pytest

from game.app.launch.child_process import ChildProcess
from game.app.menus.thumbnails import ThumbnailWorker
from game.core import user_folders
from tests.support.player import Player
from tests.support.until import wait_until

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the children are listed by /proc")
SLEEP = (sys.executable, "-c", "import time; print(1, flush=True); time.sleep(600)")


def children():
    """Process numbers of the children of this process, zombies included."""
    tasks = f"/proc/{os.getpid()}/task"
    found = set()
    for task in os.listdir(tasks):
        try:
            with open(f"{tasks}/{task}/children") as file:
                found |= {int(number) for number in file.read().split()}
        except OSError:  # this thread has ended
            continue
    return found


@pytest.fixture
def new_children():
    """The children since the start of the test."""
    before = children()
    return lambda: children() - before


@pytest.mark.parametrize("read", [None, lambda child: child.stdout.read()])
def test_a_child_that_ends_by_itself_leaves_no_zombie(new_children, read):
    child = ChildProcess((sys.executable, "-c", ""), read)
    wait_until(lambda: not new_children())
    wait_until(lambda: not child.is_running)  # the thread that has waited for it is about to store its status
    child.stop()


@pytest.mark.parametrize("wait", [True, False])
def test_a_child_that_is_stopped_leaves_no_zombie(new_children, wait):
    child = ChildProcess(SLEEP, lambda child: child.stdout.read())
    assert new_children()
    child.stop(wait)
    if wait:
        assert not new_children()
    wait_until(lambda: not new_children())


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


@pytest.mark.full
def test_thumbnails_end_when_the_menu_is_closed(player, new_children):
    open_page(player, "levels")
    assert new_children()
    player.game.resume()
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


@pytest.mark.full
def test_thumbnails_end_with_a_game_that_is_not_closed(level_file, new_children):
    worker = ThumbnailWorker()
    worker.request([level_file])
    assert new_children()
    del worker
    gc.collect()
    wait_until(lambda: not new_children())


def test_all_thumbnails_come_from_one_child(level_file, new_children):
    """A second page that asks while the first one waits starts no other, and nothing is rendered twice."""
    paths = [level_file.with_name(f"own{number}.yaml") for number in range(3)]
    for path in paths:
        path.write_text(f"# {path}\n{level_file.read_text()}")  # no picture of this text is kept
    worker = ThumbnailWorker()
    worker.request(paths[:2])
    children = new_children()
    assert len(children) == 1
    worker.request([*paths[1:], paths[0]])
    assert new_children() == children
    assert worker._missing == paths
    wait_until(lambda: all(map(worker.thumbnail_of, paths)))
    assert not worker.thumbnail_of(paths[2]).finding
    wait_until(lambda: not new_children())
