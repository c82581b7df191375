"""The samples: dull under water, with a tail in rooms, and loops without a gap."""

from __future__ import annotations

import numpy as np
import pytest

from game.app.audio.sound_bank import REVERBERATION, under_water, with_echo

RATE = 22050


def tone(hertz, seconds=0.5):
    return 8000.0 * np.sin(2.0 * np.pi * hertz * np.arange(round(seconds * RATE)) / RATE)


def decibels(after, before):
    return 10.0 * np.log10((after**2).sum() / (before**2).sum())


def test_water_takes_high_tones_and_leaves_low_ones():
    assert decibels(under_water(tone(100), RATE), tone(100)) > -1.5
    assert decibels(under_water(tone(1000), RATE), tone(1000)) < -15.0
    assert decibels(under_water(tone(4000), RATE), tone(4000)) < -38.0


@pytest.mark.parametrize(("room", "seconds"), [("room", 0.4), ("hall", 1.8)])
def test_an_echo_loses_60_decibels_in_its_time(room, seconds):
    click = np.zeros(100)
    click[0] = 10000.0
    heard = with_echo(click, RATE, *REVERBERATION[room])
    assert heard[0] == pytest.approx(10000.0), "the sound itself is as loud as before"
    echo = heard[200:]
    early, late = echo[: RATE // 20], echo[round(0.5 * seconds * RATE) :][: RATE // 20]
    assert decibels(late, early) == pytest.approx(-30.0, abs=3.0)
    assert np.array_equal(heard, with_echo(click, RATE, *REVERBERATION[room])), "the same in every run"
