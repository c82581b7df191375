"""Levels that are saved while they are played: by a clock that the test turns, and mostly without another process."""

from __future__ import annotations

import os
import signal
import time
from concurrent.futures import Future
from itertools import pairwise
from pathlib import Path

import pytest

from game.app.game import Game
from game.app.hot_reload import file_watcher, level_loading
from game.app.hot_reload.level_loading import (
    CHANGE_REQUEST,
    LEVELS,
    TRAVEL_REQUEST,
    LevelLoader,
    WorkRequest,
    answer_request,
)
from game.app.hot_reload.level_reload import LevelReloader
from game.app.settings.mode_names import EDITING, LEAVING, PAUSED, PLAYING, REWIND
from game.app.settings.settings_file import Settings
from game.core.jobs import Jobs
from game.level import load
from tests.support.child_processes import child_processes, needs_proc
from tests.support.player import Player
from tests.support.until import wait_until

LEVEL = """\
format: 1
name: Yard
spawn: {at: [0, 0, 0], facing: north}
surfaces:
  stone: {colour: "#8d8a83"}
pieces:
  - floor: {from: [-20, -20], to: [20, 20], surface: stone}
  - box: {from: [6, 0, -2], to: [8, 2, 0]}
kill_height: -10
"""
BROKEN = LEVEL.replace("box:", "bocks:").replace("pieces:", "pieces: 7 #")


class InlineJobs(Jobs):
    """Jobs without a process: a level is loaded when the next frame asks for results, unless they are `slow`."""

    def __init__(self):
        super().__init__()
        self.loader, self.waiting, self.kinds, self.slow = LevelLoader(), [], [], False

    @property
    def is_busy(self):
        return bool(self.waiting)

    def process(self, worker, function, *arguments, done=None, progress=None):
        future = Future()
        if function is answer_request:
            self.kinds.append(arguments[0].kind)
            self.waiting.append((arguments[0], future, done))
        return future

    def update(self):
        while self.waiting and not self.slow:
            request, future, done = self.waiting.pop(0)
            future.set_result(self.loader.answer(request))
            done(future)
        super().update()

    def stop(self, worker, waits=True):
        if worker == LEVELS:
            self.waiting.clear()


class WatcherByHand(file_watcher.FileWatcher):
    """A file watcher without a thread: it looks when `check` is called."""

    def start(self):
        pass


class Author:
    """A player who also edits: saves, and waits until the game has seen it."""

    jobs_type = InlineJobs

    def __init__(self, path, monkeypatch, quality="low", **more):
        monkeypatch.setattr(level_loading, "SETTLE_SECONDS", 0.01)
        self.path, self.worker, self.watcher = path, self.jobs_type(), WatcherByHand()
        self.game = Game(load(path), Settings(), quality, self.worker)
        self.reloading = self.game.hot_reload = LevelReloader(self.game, file_watcher=self.watcher, **more)
        self.player = Player(self.game)
        self.open_window()
        self.settle()

    def open_window(self):
        """For subclasses that draw."""

    def save(self, text, path=None):
        (path or self.path).write_text(text, encoding="utf-8")
        self.settle()

    def settle(self, most=20):
        for _ in range(most):
            self.watcher.check()
            self.player.wait(1 / 60)
            if self.reloading.is_idle:
                return
        raise AssertionError("the game does not come to rest")

    @property
    def cards(self):
        return [(card.title, card.subtitle, card.note) for card in self.player.shown.hud.cards]

    @property
    def world(self):
        return self.game.session.world


@pytest.fixture
def path(tmp_path):
    folder = tmp_path / "levels"
    folder.mkdir()
    file = folder / "yard.yaml"
    file.write_text(LEVEL)
    return file


@pytest.fixture
def author(path, monkeypatch):
    author = Author(path, monkeypatch)
    yield author
    author.reloading.stop()


def test_a_save_changes_the_level_and_keeps_place_view_and_clock(author):
    game, player = author.game, author.player
    game.mouse_moved(1, 1)
    game.mouse_moved(300, 40)
    game.key_pressed("W")
    player.wait(1.0)
    before, look, tick = author.world.walker_state, game.current_mode.view_direction(), player.tick
    author.save(LEVEL.replace("to: [8, 2, 0]", "to: [8, 3, 0]") + "# more\n")
    after = author.world.walker_state
    assert author.reloading.reload_count == 1
    assert game.level.triangles[..., 1].max() == 3.0
    assert author.world.level is game.level
    assert game.cameras.first_person.mesh is game.level.mesh
    assert game.current_mode.view_direction() == look
    assert 0 < player.tick - tick <= 20
    moved = [b - a for a, b in zip(before.feet, after.feet, strict=True)]
    assert sum(step * step for step in moved) ** 0.5 <= 4.0 * (player.tick - tick + 1) / 60
    assert after.velocity == pytest.approx(before.velocity, abs=0.05)
    assert game.input.held.active == {"forward"}
    ((title, below, _),) = author.cards
    assert title.startswith("Level reloaded, 0.")
    assert below == "", "nothing moved the player"
    player.wait(6.0)
    assert author.cards == []


def test_a_raised_floor_lifts_the_walker_and_a_removed_one_lets_it_fall(author):
    author.save(LEVEL.replace("20], surf", "20], y: 1.5, surf").replace("at: [0, 0, 0]", "at: [0, 1.5, 0]"))
    assert author.player.feet[1] == pytest.approx(1.5, abs=0.05)
    assert "you were in the way" in author.cards[0][1]
    author.player.wait(0.5)
    assert author.world.walker_state.grounded
    corner = LEVEL.replace("from: [-20, -20], to: [20, 20]", "from: [3, 3], to: [20, 20]")
    author.save(corner.replace("0, 0, 0", "9, 0, 9"))
    author.player.wait(0.5)
    assert author.player.feet[1] < 0.8
    assert not author.world.walker_state.grounded


def test_a_broken_save_is_reported_and_the_last_good_level_stays(author):
    level = author.game.level
    author.save(BROKEN)
    assert author.game.level is level
    (head, first, *_) = author.cards
    assert head[0].startswith("Level not reloaded: ")
    assert first[0].startswith("yard.yaml:7:")
    assert "does not continue the block above" in first[1]
    assert first[2]
    _, _, z = author.player.feet
    author.player.hold("W", 0.5)
    assert author.player.feet[2] < z - 1.0
    assert author.game.mode == PLAYING
    author.save(LEVEL)
    assert author.game.level is level
    assert author.reloading.findings == ()
    assert author.cards[0][:2] == ("Error fixed", "No change")
    author.save(BROKEN)
    author.save(LEVEL + "goal: {at: [0, 0, 9], radius: 1}\n")
    assert author.game.level is not level
    assert (author.reloading.findings, author.game.level.goal is None) == ((), False)


def test_included_files_are_watched(author, path):
    part = path.parent / "part.yaml"
    part.write_text("format: 1\npieces:\n  - box: {from: [0, 0, 9], to: [1, 1, 10]}\n")
    author.save(LEVEL.replace("kill", "  - include: {file: part.yaml, at: [0, 0, 0]}\nkill"))
    assert author.reloading.reload_count == 1
    author.save("format: 1\npieces:\n  - box: {from: [0, 0, 9], to: [1, 5, 10]}\n", part)
    assert author.reloading.reload_count == 2
    assert author.game.level.triangles[..., 1].max() == 5.0
    author.save("format: 1\npieces:\n  - box: {frm: [0, 0, 9], to: [1, 5, 10]}\n", part)
    assert author.reloading.reload_count == 2  # it could be played without that box, but one might fall
    assert author.cards[0][0].startswith("Level not reloaded: ")
    assert any(title.startswith("part.yaml:3:") for title, _, _ in author.cards)
    level = author.game.level
    part.unlink()
    author.settle()
    assert author.game.level is level
    assert author.cards[0][0].startswith("Level not reloaded")
    assert any("part.yaml" in below for _, below, _ in author.cards)
    author.save("format: 1\npieces:\n  - box: {from: [0, 0, 9], to: [1, 6, 10]}\n", part)
    assert author.game.level.triangles[..., 1].max() == 6.0
    assert author.reloading.findings == ()


def test_a_level_with_a_lost_piece_is_not_loaded_until_the_piece_is_back(author):
    stairs = "  - stairs: {at: [-3, 0, -3], facing: north, steps: 8, rise: 0.18, run: 0.3, width: 2}\n"
    whole, good = LEVEL.replace("kill", stairs + "kill"), author.game.level
    author.save(whole.replace("width: 2}", "widht: 2}"))
    assert author.game.level is good
    assert [card[0] for card in author.cards] == ["Level not reloaded: 1 finding", "yard.yaml:9:78"]
    assert author.cards[1][1:] == ("stairs: there is no field `widht`", "did you mean `width`?")
    author.save(whole)
    assert author.reloading.findings == ()
    assert any(origin.kind == "stairs" for origin in author.game.level.origins)


def test_a_level_in_which_one_piece_is_mended_and_another_one_lost_is_not_loaded(path, monkeypatch):
    path.write_text(LEVEL.replace("kill", "  - box: {from: [-6, 0, -2], to: [-4, 2, 0], surface: stoen}\nkill"))
    author = Author(path, monkeypatch)
    before = author.game.level
    author.save(LEVEL.replace("to: [8, 2, 0]", "to: [8, 2, 0], surface: metla"))
    assert author.game.level is before
    assert [finding.message for finding in author.reloading.findings] == ["there is no surface `metla`"]
    author.reloading.stop()


def test_touching_a_file_changes_nothing_and_replacing_it_does(author, path):
    level = author.game.level
    for seconds in (1, 2, 3):
        os.utime(path, (time.time() + seconds,) * 2)
        author.settle()
    assert author.worker.kinds.count(CHANGE_REQUEST) >= 3, "each was looked into"
    assert author.reloading.reload_count == 0
    assert author.game.level is level
    assert author.cards == []
    other = path.with_suffix(".new")
    other.write_text(LEVEL.replace("Yard", "Moor"))
    os.replace(other, path)
    author.settle()
    assert author.game.level.name == "Moor"


def test_a_good_beginning_of_a_file_that_is_still_written_is_no_level(path, monkeypatch):
    """The part up to a line's end may well be a level; what counts is what is there when it has been made ready."""
    half = LEVEL[: LEVEL.index("  - box")]
    path.write_text(half)
    real = level_loading.level_digest

    def slowly(level):
        if path.read_text() == half:
            path.write_text(LEVEL)
        return real(level)

    monkeypatch.setattr(level_loading, "level_digest", slowly)
    answer = LevelLoader().answer(WorkRequest(CHANGE_REQUEST, path, ""))
    assert len(answer.level.triangles) > 2


def test_a_new_level_is_taken_over_in_the_menu_and_in_the_editor_too(author):
    author.game.pause()
    author.save(LEVEL.replace("Yard", "Paused"))
    assert (author.game.mode, author.game.level.name) == (PAUSED, "Paused")
    assert author.cards == []
    author.game.resume()
    author.game.key_pressed("F2")
    assert author.game.mode == EDITING
    author.save(LEVEL.replace("Yard", "Edited"))
    assert (author.game.mode, author.game.level.name) == (EDITING, "Edited")


def test_a_level_that_changes_during_a_rewind_is_taken_over_after_it_and_ends_the_way_back(author, path):
    level = author.game.level
    author.player.wait(1.0)
    author.player.press("BACKSPACE")
    path.write_text(LEVEL.replace("Yard", "Moor"))
    author.watcher.check()
    author.player.wait(0.5)
    assert (author.game.mode, author.game.level) == (REWIND, level)
    author.player.press("ESCAPE")
    author.settle()
    assert author.game.level.name == "Moor"
    tick = author.player.tick
    author.player.wait(0.5)
    author.player.press("BACKSPACE", "HOME")
    assert author.player.tick > tick


def test_a_busy_process_loads_the_level_behind_an_exit_all_the_same(author, path):
    """A frame that waits for it would stand still. The bar moves, and the line counts."""
    (path.parent / "room.yaml").write_text(LEVEL.replace("Yard", "Room"))
    door = load(text=LEVEL + "exits: [{at: [0, 0, -5], to: room.yaml, name: Room}]\n", base=path).exits[0]
    author.worker.slow = True
    author.path.write_text(LEVEL.replace("[8, 2, 0]", "[8, 3, 0]"))
    author.watcher.check()
    author.player.wait(1 / 60)
    assert [request.kind for request, *_ in author.worker.waiting] == [CHANGE_REQUEST]
    author.game.push_mode(LEAVING, door)
    assert [request.kind for request, *_ in author.worker.waiting] == [TRAVEL_REQUEST]
    fractions = [author.player.wait(10.0, 0.25).hud.progress for _ in range(5)]
    assert all(later > before + 0.02 for before, later in pairwise(fractions))
    assert fractions[-1] < 1.0
    assert author.player.shown.hud.progress_label == "Loading Room   ·   50 s so far"
    author.worker.slow = False
    wait_until(lambda: author.player.wait(1 / 60) and author.game.level.name == "Room")


class SlowRenderer:
    """A renderer that needs some frames to load a level."""

    software, unreadable_pictures, steps = True, (), 90

    def load_step(self, scene_data):
        self.steps -= 1
        return self.steps <= 0

    def shader_folder(self):
        return None


def test_a_journey_lasts_until_the_renderer_has_loaded_the_level(author, path):
    (path.parent / "room.yaml").write_text(LEVEL.replace("Yard", "Room"))
    door = load(text=LEVEL + "exits: [{at: [0, 0, -5], to: room.yaml, name: Room}]\n", base=path).exits[0]
    author.reloading.level_renderer = SlowRenderer()
    author.game.push_mode(LEAVING, door)
    transition = author.game.current_mode.transition
    wait_until(lambda: author.player.wait(1 / 60, 1 / 60) and transition.is_finished)
    assert (author.game.level.name, author.reloading.level_renderer.steps > 0) == ("Yard", True)
    wait_until(lambda: author.player.wait(1 / 60) and author.game.level.name == "Room")
    assert author.reloading.level_renderer.steps == 0
    author.player.arrive()
    assert author.reloading.level_renderer.steps == 0, "the level that is shown is not loaded again"


@pytest.mark.full
@needs_proc
def test_the_process_makes_levels_ready_and_an_end_of_it_is_a_finding(path, tmp_path):
    others = child_processes()
    game = Game(load(path), Settings(), "low")
    reloader = game.hot_reload = LevelReloader(game, light_cache=tmp_path / "light", file_watcher=WatcherByHand())
    player = Player(game)

    def saved(text):
        path.write_text(text)
        reloader.check_now()
        wait_until(lambda: player.wait(1 / 60) and reloader.is_idle)

    wait_until(lambda: player.wait(1 / 60) and reloader.is_idle)
    saved(LEVEL.replace("[8, 2, 0]", "[8, 3, 0]"))
    here = load(path)
    assert (game.level.triangles == here.triangles).all()
    assert (game.level.mesh.triangles12 == here.mesh.triangles12).all()
    assert not game.level.mesh.triangles12.flags.writeable
    saved(BROKEN)
    assert [finding.line for finding in reloader.findings] == [7]
    for process in child_processes() - others:
        if b"resource_tracker" not in Path(f"/proc/{process}/cmdline").read_bytes():
            os.kill(process, signal.SIGKILL)
    wait_until(lambda: player.wait(1 / 60) and not reloader.is_waiting)
    saved(LEVEL)
    if reloader.findings:  # the process had ended, but that was not known yet
        assert "save the level again" in str(reloader.findings[0])
        saved(LEVEL + "# again")
    assert (reloader.findings, game.level.triangles[..., 1].max()) == ((), 2.0)
    game.close()
    assert len(child_processes() - others) <= 1, "the resource tracker of Python stays"
