"""Keys and mouse to commands: no tap lost, no key stuck, no jump of the view."""

from __future__ import annotations

import random

import pytest

from game.app.input.actions import LEFT_RIGHT_KEYS, PlayAction
from game.app.input.player_input import MAX_PITCH, HeldActions, ViewAngles, build_command
from game.app.settings.settings_table import Settings
from game.level import load
from game.physics import Command
from game.sim import Session, World
from tests.support.player import Player

FLOOR = "format: 1\nspawn: {at: [0, 0, 0]}\npieces: [floor: {from: [-5, -5], to: [5, 5]}]\n"
KEYS = {
    key: action
    for action in PlayAction
    if action.is_held
    for name in action.default_keys
    if name
    for key in LEFT_RIGHT_KEYS.get(name, (name,))
}


def test_every_key_does_what_the_help_says():
    look = ViewAngles()
    for keys, wanted in {
        "W UP": Command(forward=1.0),
        "S DOWN": Command(forward=-1.0),
        "A LEFT": Command(strafe=-1.0),
        "D RIGHT": Command(strafe=1.0),
        "SPACE": Command(jump=True),
        "LCTRL RCTRL C": Command(crouch=True),
        "LSHIFT RSHIFT": Command(sprint=True),
        "MOUSE_LEFT E": Command(use=True),
    }.items():
        for key in keys.split():
            held = HeldActions()
            assert held.press(key)
            assert build_command(held.consume(), look) == wanted, key
            held.release(key)
            assert build_command(held.consume(), look) == Command()


def test_a_tap_between_two_ticks_counts_for_exactly_one():
    held = HeldActions()
    held.press("SPACE")
    held.release("SPACE")
    assert held.consume() == {"jump"}
    assert held.consume() == frozenset()


@pytest.mark.parametrize("frame_seconds", [0.016, 0.1, 0.2])
def test_a_key_counts_in_the_ticks_of_its_time_at_any_frame_rate(frame_seconds):
    """Pressed at 0.505 s, released at 1.195 s, tapped at 1.505 s; the events come with the next frame."""
    held, session, used = HeldActions(), Session(World(load(text=FLOOR))), []
    down, up = held.press, held.release
    events = [(0.505, down, "E"), (1.195, up, "E"), (1.505, down, "E"), (1.507, up, "E")]

    def command():
        used.append("use" in held.consume(session.next_tick_end))
        return Command()

    for frame in range(round(2.0 / frame_seconds) + 1):
        now = frame * frame_seconds
        while events and events[0][0] <= now:
            held.event_time, act, key = events.pop(0)
            act(key)
            held.event_time = None
        session.advance(now, command)
    assert [number + 1 for number, use in enumerate(used) if use] == [*range(31, 72), 91]


def test_random_keys_never_stick():
    rng = random.Random(11)
    held, down = HeldActions(), set()
    for _ in range(5000):
        key = rng.choice(list(KEYS))
        if key in down:
            down.discard(key)
            held.release(key)
        else:
            down.add(key)
            held.press(key)
        if rng.random() < 0.3:
            held.consume()
            assert held.consume() == {KEYS[k] for k in down}


@pytest.mark.parametrize(("action", "key", "other"), [("crouch", "C", "LCTRL"), ("sprint", "LSHIFT", "RSHIFT")])
def test_a_toggle_action_lasts_until_the_next_press(action, key, other):
    held = HeldActions()
    held.update(Settings(**{action: "toggle"}))
    for pressed, on in ((key, True), (other, False), (key, True), (key, False)):
        held.press(pressed)
        assert held.consume() == ({action} if on else frozenset())
        held.press(pressed)  # a key that repeats is pressed once
        held.release(pressed)
        assert held.consume() == ({action} if on else frozenset())
        assert held.pressed == frozenset()


def test_a_stick_walks_as_far_as_it_leans_and_adds_to_the_keys_up_to_one():
    assert build_command(frozenset(), ViewAngles(), (0.25, -0.5)) == Command(strafe=0.25, forward=-0.5)
    assert build_command(frozenset({"forward", "left"}), ViewAngles(), (0.25, 0.5)) == Command(
        strafe=-0.75, forward=1.0
    )
    held = HeldActions()
    held.stick = (1.0, 0.0)
    held.clear()
    assert held.stick == (0.0, 0.0)


def test_the_pitch_stops_short_of_straight_up_and_the_heading_wraps():
    look = ViewAngles()
    look.rotate_by_pixels(0, 1e9, 1.0)
    assert look.pitch == MAX_PITCH
    look.rotate_by_pixels(0, -1e9, 1.0)
    assert build_command(frozenset(), look).pitch == -round(MAX_PITCH)
    look.face_heading(65535.7)
    assert build_command(frozenset(), look).heading == 0
    look.rotate_by_pixels(-1e7, 0, 1.0)
    assert 0 <= look.yaw < 65536


def test_the_jump_of_the_pointer_after_a_capture_is_dropped():
    look = ViewAngles()
    look.skip_pointer_jump()
    look.rotate_by_pixels(500, 300, 0.1)
    assert (look.yaw, look.pitch) == (0.0, 0.0)
    look.rotate_by_pixels(-10, 0, 0.1)
    assert look.yaw == pytest.approx(65536 / 360)


@pytest.mark.parametrize("frames_a_second", [10, 27, 60, 240])
def test_no_part_of_a_flick_is_lost_at_any_frame_rate(floor_level, frames_a_second):
    """750 pixels in 0.2 s, in movements of 3 ms, from the first frame after a pause on."""
    player = Player.in_level(floor_level)
    player.game.push_mode("paused")
    player.wait(0.2)
    player.game.resume()
    before, moved = player.game.input.view.yaw, 0
    for number in range(1, 67):
        dx = round(750 * number / 66) - moved
        moved += dx
        player.game.mouse_moved(dx, 0)
        if number % max(1, round(1000 / 3 / frames_a_second)) == 0:
            player.wait(1 / frames_a_second, 1 / frames_a_second)
    turned = (before - player.game.input.view.yaw) % 65536 / 65536 * 360
    assert turned == pytest.approx(750 * player.game.settings.sensitivity, abs=1e-6)
