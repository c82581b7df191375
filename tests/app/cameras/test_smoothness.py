"""The eye's smoothness in figures: on the demo's own stairs, on a lift, and at rest."""

from __future__ import annotations

import random

import numpy as np
import pytest

from game.app.audio.sound_events import SoundEvents
from game.app.cameras.first_person import FirstPersonCamera
from game.app.settings.settings_file import Settings
from game.level import load
from game.level.format.file_access import SHIPPED_LEVELS
from game.physics import Command
from game.physics.environment.motion import Motion
from game.sim import Session, World
from tests.support.level_builder import build_level, level_mover, quad

STILL = Settings()
STAIRS = {"up": ((-8.0, 0.0, -17.9), 49152), "down": ((4.0, 3.6, -17.9), 16384)}


@pytest.fixture(scope="module")
def demo():
    return load(SHIPPED_LEVELS / "demo.yaml")


class Walk:
    """A walk through a level, looked at frame by frame: seconds, eye's height, feet, on ground."""

    def __init__(self, level, feet=None, heading=0, settings=STILL):
        self.world = World(level)
        if feet is not None:
            self.world.walker_state = self.world.walker.spawn(self.world.mesh, feet, heading)
        self.session = Session(self.world)
        self.settings, self.heading = settings, heading
        self.eye = FirstPersonCamera(self.world.mesh, self.world.settings.eye, self.session.pose())
        self.hearing = SoundEvents(self.world)
        self.now = 50.0
        self.session.advance(self.now, Command)

    def go(self, seconds, rate=60.0, jitter=0.0, seed=0, **keys):
        rng, rows = random.Random(seed), []
        for _ in range(round(seconds * rate)):
            step = (1.0 + jitter * rng.uniform(-1.0, 1.0)) / rate
            self.now += step
            events = self.session.advance(self.now, lambda: Command(heading=self.heading, **keys))
            self.hearing.update(events, step)
            pose = self.session.pose()
            at = self.eye.update_from_session(self.session, step, self.settings, self.hearing)
            rows.append((step, at[1], pose.feet[1], 2.0 * pose.radii[1], float(pose.grounded), at[0], at[2]))
        return np.array(rows)


@pytest.mark.parametrize("way", STAIRS)
@pytest.mark.sample(1)
def test_on_the_demos_stairs_a_step_changes_by_10_mm_at_most_and_the_eye_lags_30_cm_at_most(demo, way):
    """The eye's vertical step from one frame to the next, walking at 4 m/s, 60 frames a second, from 6 beginnings."""
    (x, y, z), heading = STAIRS[way]
    for shift in range(6):
        rows = Walk(demo, (x - 0.05 * shift, y, z), heading).go(2.9, forward=1.0)
        assert abs(rows[-1, 2] - rows[0, 2]) == pytest.approx(3.6, abs=0.02)
        assert rows[:, 4].all()
        steps = np.diff(rows[:, 1])
        assert np.abs(np.diff(steps)).max() <= 0.010
        assert np.abs(rows[:, 1] - rows[:, 2] - 1.44).max() <= 0.30
        assert np.abs(np.diff(np.diff(rows[:, 2]))).max() > 0.07  # the feet's own: it is the eye that is smooth


def test_the_eye_at_rest_does_not_move_by_a_bit(demo):
    """After a walk, a jump and a crouch, with every movement of the eye switched on."""
    settings = Settings(head_bob=1.0)
    walk = Walk(demo, settings=settings)
    walk.go(0.8, forward=1.0)
    walk.go(0.3, jump=True)
    walk.go(0.3, crouch=True)
    walk.go(1.5)
    rows = walk.go(1.0, jitter=0.4)
    assert len(set(map(tuple, rows[:, [1, 5, 6]].tolist()))) == 1
    assert rows[-1, 1] == rows[-1, 2] + 0.8 * rows[-1, 3]


def test_a_lift_takes_the_eye_along_at_once():
    """Up 6 m in 3 s: the lift's rise is no step; walking about on it changes nothing."""
    slab = quad((-2, 0, 2), (2, 0, 2), (2, 0, -2), (-2, 0, -2))
    lift = level_mover(slab, (0.0, 0.05, 0.0), Motion(path=((0, 0, 0), (0, 6, 0)), seconds=3.0), "lift")
    floor = quad((-30, 0, 30), (30, 0, 30), (30, 0, -30), (-30, 0, -30))
    walk = Walk(build_level(floor, kill_height=-50.0, movers=(lift,)))
    walk.go(0.5)
    rows = walk.go(2.0)
    assert rows[-1, 2] > 3.0
    assert rows[:, 1] == pytest.approx(rows[:, 2] + 1.44, abs=2e-3)
    rows = walk.go(0.4, forward=0.3)
    assert rows[:, 1] == pytest.approx(rows[:, 2] + 1.44, abs=2e-3)


def test_the_camera_does_not_change_the_walk(demo):
    """The same commands, the same states, whatever the eye does."""
    ends = []
    for settings in (STILL, Settings(head_bob=1.0, reduce_motion=False, step_smoothing=False)):
        walk = Walk(demo, *STAIRS["up"], settings)
        walk.go(2.0, forward=1.0, sprint=True)
        ends.append(walk.world.hash())
    assert ends[0] == ends[1]
