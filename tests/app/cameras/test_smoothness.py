"""The eye's smoothness in figures: on the demo's own stairs, at many frame rates; lifts, landings, bob, and rest."""

from __future__ import annotations

import math
import random
from itertools import islice

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
from game.sim.command_script import read_script
from tests.support.level_builder import build_level, level_mover, quad

FRAME = 1 / 60
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


def changes(rows):
    """How much the eye's pace (m/s) changes from frame to frame."""
    return np.abs(np.diff(np.diff(rows[:, 1]) / rows[1:, 0]))


def lags(rows):
    return np.abs(rows[:, 1] - rows[:, 2] - 1.44)


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
        assert lags(rows).max() <= 0.30
        assert np.abs(np.diff(np.diff(rows[:, 2]))).max() > 0.07  # the feet's own: it is the eye that is smooth


RATES = [(240, 0.0, 0.010), (75, 0.5, 0.010), (60, 0.1, 0.010), (30, 0.3, 0.015)]  # frames a second, how uneven, m


@pytest.mark.parametrize(("rate", "jitter", "most"), RATES)
@pytest.mark.full
def test_whatever_the_frame_rate_the_pace_changes_as_little(demo, rate, jitter, most):
    """Uneven frames move unevenly, so it is the pace that counts: metres in a sixtieth of a second."""
    for (feet, heading), seed in zip(STAIRS.values(), (1, 2), strict=True):
        rows = Walk(demo, feet, heading).go(2.8, rate, jitter, seed, forward=1.0)
        assert changes(rows).max() / 60 <= most
        assert lags(rows).max() <= 0.30


@pytest.mark.parametrize("way", STAIRS)
def test_the_eye_is_smooth_in_a_sprint_and_stays_in_reach(demo, way):
    feet, heading = STAIRS[way]
    walk = Walk(demo, feet, heading)
    rows = walk.go(2.0, forward=1.0, sprint=True)
    assert changes(rows).max() / 60 <= 0.016
    assert lags(rows).max() < 0.40
    assert (rows[:, 1] < rows[:, 2] + rows[:, 3] + 0.041).all()


@pytest.mark.full
def test_on_the_whole_walk_through_the_demo_the_eye_stays_in_reach_and_near(demo):
    """What a ray from the body's middle to the eye meets would be a ceiling or a wall between them: there is none."""
    script = read_script(SHIPPED_LEVELS / "demo.commands")
    commands = islice(script.commands(demo.spawns[0].heading), script.ticks)
    walk = Walk(demo, settings=Settings(reduce_motion=True))
    rows, centres, eyes = [], [], []
    for command in commands:
        walk.session.tick(command)
        pose = walk.session.pose()
        at = walk.eye.update_from_session(walk.session, FRAME, walk.settings)
        centres.append(pose.centre)
        eyes.append(at)
        rows.append((FRAME, at[1], pose.feet[1], 2.0 * pose.radii[1], float(pose.grounded)))
    assert walk.world.goal_tick >= 0
    way = np.array(eyes) - centres
    size = np.linalg.norm(way, axis=1)
    assert (demo.mesh.raycast_many(np.array(centres), way, size).triangle < 0).all()
    table = np.array(rows)
    off = np.abs(table[:, 1] - table[:, 2] - 0.8 * table[:, 3])
    upright = np.array([(table[max(0, k - 40) : k + 1, 3] > 1.7).all() for k in range(len(table))])
    assert off[upright].max() <= 0.40
    on_ground = (table[1:-1, 4] * table[2:, 4] * table[:-2, 4]) > 0
    stances = table[:, 3]
    same_stance = (stances[2:] == stances[1:-1]) & (stances[1:-1] == stances[:-2])  # without motion the eye cuts
    assert changes(table)[on_ground & same_stance].max() / 60 <= 0.036


def flat(size=30.0):
    corners = ((-size, 0, size), (size, 0, size), (size, 0, -size), (-size, 0, -size))
    a, b, c, d = corners
    return [[a, b, c], [a, c, d]]


def floor_level(**more):
    return build_level(flat(), **({"kill_height": -50.0} | more))


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


def test_switching_smoothing_off_on_the_stairs_leaves_nothing_behind(demo):
    (feet, heading) = STAIRS["up"]
    walk = Walk(demo, feet, heading)
    walk.go(1.2, forward=1.0)
    walk.settings = Settings(step_smoothing=False)
    rows = walk.go(0.3, forward=1.0)
    assert rows[:, 1] == pytest.approx(rows[:, 2] + 1.44, abs=1e-12)


def test_a_lift_takes_the_eye_along_at_once():
    """Up 6 m in 3 s: the lift's rise is no step; walking about on it changes nothing."""
    slab = quad((-2, 0, 2), (2, 0, 2), (2, 0, -2), (-2, 0, -2))
    lift = level_mover(slab, (0.0, 0.05, 0.0), Motion(path=((0, 0, 0), (0, 6, 0)), seconds=3.0), "lift")
    walk = Walk(floor_level(movers=(lift,)))
    walk.go(0.5)
    rows = walk.go(2.0)
    assert rows[-1, 2] > 3.0
    assert rows[:, 1] == pytest.approx(rows[:, 2] + 1.44, abs=2e-3)
    rows = walk.go(0.4, forward=0.3)
    assert rows[:, 1] == pytest.approx(rows[:, 2] + 1.44, abs=2e-3)


def dip(settings, height):
    """How far below its place the eye comes as it lands after a fall from so high."""
    walk = Walk(floor_level(), (0.0, height, 0.0), settings=settings)
    rows = walk.go(math.sqrt(2.0 * height / 9.81) + 1.2)
    below = rows[:, 2] + 1.44 - rows[:, 1]
    return below[rows[:, 4] > 0].max()


@pytest.mark.full
def test_a_landing_dips_a_little_the_more_the_deeper_and_never_much():
    depths = [dip(STILL, height) for height in (0.1, 1.0, 2.0, 8.0)]
    assert depths[0] == pytest.approx(0.0, abs=1e-9)
    assert 0.01 < depths[1] < depths[2] < depths[3] <= 0.061


@pytest.mark.sample(1)
@pytest.mark.parametrize("bob", [0.0, 0.5, 1.0])
def test_the_bob_is_as_much_as_is_set_and_in_step_with_the_footsteps(bob):
    walk = Walk(floor_level())
    walk.go(0.7, forward=1.0)  # in the middle of a step
    walk.settings = Settings(head_bob=bob)
    walk.go(1.5, forward=1.0)
    low = []
    for _ in range(120):
        row = walk.go(FRAME, forward=1.0)[0]
        low.append((row[1], walk.hearing.step_phase))
    heights = np.array(low)
    assert np.ptp(heights[:, 0]) == pytest.approx(2 * 0.022 * bob, abs=0.002)
    if bob:
        lowest, highest = heights[heights[:, 0].argmin(), 1], heights[heights[:, 0].argmax(), 1]
        assert min(lowest, 1.0 - lowest) < 0.06
        assert abs(highest - 0.5) < 0.06
    else:
        assert len(set(heights[:, 0])) == 1


def test_the_camera_does_not_change_the_walk(demo):
    """The same commands, the same states, whatever the eye does."""
    ends = []
    for settings in (STILL, Settings(head_bob=1.0, reduce_motion=False, step_smoothing=False)):
        walk = Walk(demo, *STAIRS["up"], settings)
        walk.go(2.0, forward=1.0, sprint=True)
        ends.append(walk.world.hash())
    assert ends[0] == ends[1]
