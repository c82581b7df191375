"""The game as a process in a real window, with real key and mouse events: where the player got to."""

from __future__ import annotations

import json
import math

import pytest

from game.level import load
from game.sim import verify
from game.sim.replay import replay_file
from tests.support import compiled_kernels

WALK = 4.0 / 60  # m a tick


def ahead(metres):
    """Condition of a state: so far north of the start."""
    return lambda state: -state["feet"][2] > metres


def speed(first, last):
    """m a tick, between two states."""
    return math.dist(first["feet"], last["feet"]) / (last["tick"] - first["tick"])


def test_keys_walk_the_mouse_turns_and_a_missing_sound_device_is_said_once(play):
    with play(size=(160, 90)) as game:
        game.ready()
        game.key_down("w")
        first, last = game.wait_for_state(ahead(1.0)), game.wait_for_state(ahead(2.5))
        game.key_up("w")
        assert speed(first, last) == pytest.approx(WALK, rel=0.02)
        assert game.at_rest()["feet"][0] == 0.0
        began = game.state()["view_heading"]
        game.mouse((60, 0))  # not out of the window, which keeps the pointer
        turned = game.wait_for_state(lambda state: state["view_heading"] != began)["view_heading"]
        assert (began - turned) % 65536 / 65536 * 360 == pytest.approx(60 * 0.12, abs=0.2)
        start, heading = game.state()["feet"], math.radians(turned / 65536 * 360)
        _, end = game.hold("Left", lambda state: math.dist(state["feet"], start) > 1.0)
        x, y, z = (b - a for a, b in zip(start, end["feet"], strict=True))
        assert math.hypot(x, z) > 1.0
        left = -math.cos(heading), math.sin(heading)
        assert (x, z) == pytest.approx([math.hypot(x, z) * part for part in left], abs=0.001)
        assert game.wait_for_state(lambda state: state["unheard"])["unheard"] == 1, "no sound device, said once"
        assert y == pytest.approx(0.0, abs=0.02)
        report = game.quit_by_menu()
    assert report["grounded"]
    assert report["held"] == []


@pytest.mark.full
def test_losing_the_focus_pauses_and_leaves_no_key_stuck(play):
    with play() as game:
        game.ready()
        game.key_down("w")
        game.wait_for_state(ahead(0.5))
        game.take_focus_away()
        paused = game.wait_for_state(lambda state: state["mode"] == "paused")
        game.key_up("w")
        assert game.turns(10)["tick"] == paused["tick"]
        game.focus()
        game.press("Escape")
        stopped = game.at_rest()
        assert -stopped["feet"][2] < -paused["feet"][2] + 0.5  # no key is held any more
        game.hold("a", lambda state: state["feet"][0] < -0.3)
        # the key whose release went elsewhere works at its first press
        game.hold("w", ahead(1.0 - stopped["feet"][2]))
        end = game.quit_by_menu()
    assert end["velocity"] == [0.0, 0.0, 0.0]
    assert end["held"] == []


@pytest.mark.full
def test_a_first_start_shows_progress_and_compiles_in_a_child(play, tmp_path):
    compiled_kernels.without_some_kernels(tmp_path / "cache")
    with play(env={"WALKER_CACHE": str(tmp_path / "cache")}) as game:
        game.wait_for("Setup")
        game.xdotool("search", "--sync", "--onlyvisible", "--name", "^Walker$")
        assert "first playable frame" not in game.said()
        game.ready()
        game.hold("w", ahead(0.8))  # the child goes on compiling what the next start has
        end = game.quit_by_menu()
    assert end["frames"] > 5
    with play(env={"WALKER_CACHE": str(tmp_path / "cache")}) as game:
        game.ready()
        assert "Preparing" not in game.said()
        game.quit_by_menu()


def test_a_broken_level_opens_no_window(play, tmp_path):
    broken = tmp_path / "broken.yaml"
    broken.write_text("format: 1\npieces: 7\n")
    with play(level=broken) as game:
        game.ended(status=2, report=False)
        assert "broken.yaml:2:" in game.said()


@pytest.mark.full
def test_a_game_that_is_killed_is_continued_and_the_run_counts(play, level_file, tmp_path):
    with play() as window:
        window.ready()
        window.key_down("w")
        window.wait_for_state(ahead(5.0))
        window.process.kill()
        window.process.wait(60)
        window.key_up("w")
        killed = window.state()
    with play(level=None) as window:
        window.wait_for_state(lambda state: state["mode"] == "title")
        window.press("Return")
        state = window.wait_for_state(lambda state: state["mode"] == "playing")
        assert 0 <= killed["tick"] - state["tick"] <= 75
        window.turns(10)
        window.key_down("w")
        window.wait_for_state(lambda state: state["mode"] == "paused")
    (run,) = (tmp_path / "config" / "runs").iterdir()
    result = verify(replay_file.read_replay(run), lambda part: load(level_file))
    assert (result.divergence, result.ticks > killed["tick"]) == (None, True)
    records = json.loads((tmp_path / "config" / "progress.json").read_text())["records"]
    assert [record["finished"] for record in records.values()] == [1]
    assert [record["best"] is not None for record in records.values()] == [True]


@pytest.mark.full
def test_a_game_that_is_killed_while_it_records_loses_a_second_at_most(play, level_file, tmp_path):
    level_file.write_text(level_file.read_text().replace("goal:", "# no end of the walk:"))
    with play() as window:
        window.ready()
        window.press("F5")
        began = window.turns(2)["tick"]
        window.key_down("w")
        window.wait_for_state(lambda state: state["tick"] > began + 180)
        window.process.kill()
        window.process.wait(60)
        ticks = window.state()["tick"]
    (file,) = (tmp_path / "config" / "replays").iterdir()
    record = replay_file.read_replay(file)
    assert not record.is_complete
    verified = verify(record, lambda part: load(level_file))
    assert ticks - began - 60 <= verified.ticks <= ticks + 60
