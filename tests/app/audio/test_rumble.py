"""Rumble: which sounds are felt, how strongly, and a gamepad that cannot."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from game.app.audio.sounds import SOUNDS, Rumble, SoundCue, strongest_effect

EFFECTS = {name: sound.rumble for name, sound in SOUNDS.items() if sound.rumble is not None}


class Pad:
    def __init__(self, error=None):
        self.played, self.error = [], error

    def rumble_play_strong(self, strength, seconds):
        if self.error is not None:
            raise self.error
        self.played.append(("strong", strength, seconds))

    def rumble_play_weak(self, strength, seconds):
        self.played.append(("weak", strength, seconds))


@pytest.mark.parametrize("name", list(EFFECTS))
def test_a_sound_is_felt_in_proportion_to_its_loudness_and_to_the_setting(name):
    effect = strongest_effect([SoundCue(name, 0.5)], 0.5)
    assert effect.strong == pytest.approx(0.25 * EFFECTS[name].strong)
    assert effect.weak == pytest.approx(0.25 * EFFECTS[name].weak)
    assert strongest_effect([SoundCue(name, 0.5)], 0.0) is None
    assert 0.0 < effect.seconds < 0.5


def test_footsteps_and_balls_that_collide_are_not_felt_but_a_stroke_is():
    assert strongest_effect([SoundCue("step_stone_1", 1.0), SoundCue("ball", 1.0, 1.0)], 1.0) is None
    assert strongest_effect([SoundCue("stroke", 1.0)], 1.0) == EFFECTS["stroke"]


def test_a_gamepad_that_fails_is_left_alone_and_the_others_go_on():
    good, bad = Pad(), Pad(OSError("no force feedback"))
    rumble = Rumble()
    for _ in range(3):
        rumble.play([bad, good], EFFECTS["land"])
    assert len(good.played) == 6
    bad.error = None
    rumble.play([bad], EFFECTS["land"])
    assert bad.played == []
    rumble.play([good], None)
    rumble.play([SimpleNamespace()], EFFECTS["land"])  # no such method
