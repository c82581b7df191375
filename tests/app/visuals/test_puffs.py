"""Puffs: dust of steps on sand and drops of a splash, as long as they live."""

from __future__ import annotations

import pytest

from game.app.audio.sounds import SoundCue
from game.app.visuals.puffs import DUST_PER_LANDING, DUST_PER_STEP, MAX_SECONDS, SPLASHES, Puffs

FEET, MIDDLE = (1.0, 0.0, 2.0), (1.0, 0.9, 2.0)


def test_a_step_on_sand_raises_dust_and_one_on_stone_does_not() -> None:
    puffs = Puffs()
    assert not len(puffs.update([SoundCue("step_stone_1")], FEET, MIDDLE, 1.0))
    rows = puffs.update([SoundCue("step_sand_2", 0.5)], FEET, MIDDLE, 1.0)
    assert len(rows) == DUST_PER_STEP
    assert (abs(rows["in_origin"][:, 1]) < 0.1).all(), "at the feet"
    landed = Puffs().update([SoundCue("land", 0.9), SoundCue("step_sand_1", 0.6)], FEET, MIDDLE, 1.0)
    assert len(landed) == DUST_PER_LANDING > DUST_PER_STEP


@pytest.mark.parametrize("name", SPLASHES)
def test_water_splashes_by_loudness_at_the_player_alone(name: str) -> None:
    loud, quiet = (Puffs().update([SoundCue(name, value)], FEET, MIDDLE, 1.0) for value in (1.0, 0.3))
    assert len(loud) == SPLASHES[name][1] > len(quiet) > 0
    assert loud["in_velocity"][:, 1].max() > quiet["in_velocity"][:, 1].max()
    assert not len(Puffs().update([SoundCue(name, 1.0, place=(9.0, 0.0, 0.0))], FEET, MIDDLE, 1.0)), "a ball's"


def test_particles_end_and_are_gone_when_the_clock_goes_back() -> None:
    puffs = Puffs()
    puffs.update([SoundCue("splash")], FEET, MIDDLE, 10.0)
    assert len(puffs.update([], FEET, MIDDLE, 10.0 + 0.5 * MAX_SECONDS))
    assert not len(puffs.update([], FEET, MIDDLE, 10.0 + 1.01 * MAX_SECONDS))
    puffs.update([SoundCue("splash")], FEET, MIDDLE, 20.0)
    assert not len(puffs.update([], FEET, MIDDLE, 5.0))
