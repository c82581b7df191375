"""The movie of a part of a replay: marks on the time line, and its messages."""

from __future__ import annotations

import pytest

from game.app.game import Game
from game.app.runs import movies
from game.app.runs.time_line import ReplayRequest
from game.app.settings.settings_file import Settings
from game.level import load
from game.physics import Command
from game.sim import History, World
from game.sim.replay import replay_file
from tests.support.player import Player

YARD = """\
format: 1
name: Yard
spawn: {at: [0, 0, 0], facing: north}
pieces:
  - floor: {from: [-60, -60], to: [60, 60]}
"""
SECONDS = 8.0


class Job:
    """A movie that stays as far as it is set."""

    is_finished = is_cancelled = False
    fraction, path, problem = 0.25, None, ""

    def describe(self) -> str:
        return "Movie 25%"

    def cancel(self, waits: bool = False) -> None:
        self.is_finished = self.is_cancelled = True


class Viewer(Player):
    """A game without window that shows a replay; `jobs`: arguments of the movies that were started."""

    def __init__(self, folder, monkeypatch):
        path = folder / "yard.yaml"
        path.write_text(YARD, encoding="utf-8")
        level, self.file, self.jobs = load(path), path.with_suffix(".replay"), []
        history = History(World(level))
        history.run([Command(forward=1.0)] * round(SECONDS * 60))
        history.save(self.file)
        monkeypatch.setattr(movies, "start_movie_job", lambda *given, **rest: self.jobs.append((given, rest)) or Job())
        super().__init__(Game(level, Settings(), "low"))
        self.game.push_mode("replay", ReplayRequest(replay_file.read_replay(self.file), lambda part: level))
        self.wait_for(lambda: self.shown.hud.timeline)

    def mark(self, key, seconds):
        mode = self.game.modes["replay"]
        mode.is_playing = False
        mode.seek(seconds)
        self.press(key)

    @property
    def marks(self):
        return {text: fraction * SECONDS for fraction, text in self.shown.hud.timeline.marks}

    @property
    def message(self):
        message = self.game.feedback.message
        return message.text, message.detail


@pytest.fixture
def viewer(tmp_path, monkeypatch):
    return Viewer(tmp_path, monkeypatch)


def test_the_marked_part_becomes_a_movie(viewer):
    viewer.mark("S", 1.5)
    viewer.mark("E", 4.0)
    assert viewer.marks == {"movie from": pytest.approx(1.5), "movie to": pytest.approx(4.0)}
    viewer.press("F9")
    ((_, source, span, form, view), named) = viewer.jobs[0]
    assert (source, view, form) == (viewer.file, "first", viewer.game.runs.movies.choice.format)
    assert span == pytest.approx((1.5, 4.0))
    assert (named["level"], named["orbit"]) == ("yard", None)
    assert viewer.message == ("Making the movie", "0:01.50 to 0:04.00")
    assert viewer.shown.hud.counter == "Movie 25%"


def test_a_mark_that_does_not_fit_the_other_one_replaces_it_and_the_same_again_removes_it(viewer):
    viewer.mark("S", 4.0)
    viewer.mark("E", 6.0)
    viewer.mark("S", 7.0)
    assert list(viewer.marks) == ["movie from"]
    viewer.mark("E", 2.0)
    assert viewer.marks == {"movie to": pytest.approx(2.0)}
    viewer.press("E")
    assert viewer.marks == {}
    viewer.mark("S", SECONDS)
    viewer.press("F9")
    assert viewer.jobs == []
    assert viewer.message[0] == "No movie"


def test_the_movie_key_opens_the_page_that_cancels_while_one_is_made(viewer):
    viewer.press("F9")
    viewer.press("F9")
    assert viewer.game.menu.page.name == "movie"
    assert len(viewer.jobs) == 1
    viewer.press("RETURN")
    assert viewer.message[0] == "Movie cancelled"
    assert viewer.game.mode == "replay"
