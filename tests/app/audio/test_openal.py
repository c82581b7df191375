"""What OpenAL Soft makes of the game's sounds, as its wave driver writes it: sides, distance, water, halls and walls.

Each test is run with the effects of EFX and without them."""

from __future__ import annotations

import ctypes.util
import sys

import pytest

from tests.support import sound_recording

pytestmark = [
    pytest.mark.full,  # it records in real time
    pytest.mark.skipif(
        sys.platform != "linux" or ctypes.util.find_library("openal") is None, reason="OpenAL Soft is not installed"
    ),
]


@pytest.fixture(scope="module", params=[True, False], ids=["effects", "filtered before"])
def has_effects(request):
    return request.param


@pytest.fixture(scope="module")
def parts(tmp_path_factory, has_effects):
    target = tmp_path_factory.mktemp("openal") / "scene.wav"
    sound_recording.record(target, has_effects)
    return sound_recording.measure(target)


def side(part):
    """dB by which the left is louder."""
    return part.left - part.right


def test_a_source_is_louder_on_its_side(parts):
    assert abs(side(parts["ahead"])) < 1.0
    assert side(parts["left"]) > 6.0
    assert side(parts["right"]) < -6.0
    assert side(parts["left, hanging"]) < -6.0, "gravity is turned"
    assert side(parts["bell left"]) > 6.0


def test_far_is_quieter_than_near(parts):
    assert parts["ahead"].left - parts["far ahead"].left == pytest.approx(18.1, abs=2.0)  # 20 m and 2.5 m


def test_water_takes_the_high_tones(parts):
    assert parts["ahead"].high - parts["under water"].high > 15.0


def test_a_loop_has_no_gap(parts):
    assert parts["a loop for longer than it is"].quietest > -3.0


def test_a_hall_has_a_tail(parts):
    outdoors, room, hall = (parts[f"step {place}"].late for place in ("outdoors", "in a room", "in a hall"))
    assert outdoors < -45.0
    assert room < -45.0, "its echo is over by then"
    assert hall > -30.0
    assert parts["step after the hall"].late < hall - 10.0


def test_a_wall_makes_a_source_quieter_and_with_effects_duller(parts, has_effects):
    free, hidden = parts["ahead"], parts["behind a wall"]
    assert free.left - hidden.left == pytest.approx(8.0 if has_effects else 6.0, abs=1.0)
    assert free.high - hidden.high == pytest.approx(7.8 if has_effects else 0.0, abs=1.0)
