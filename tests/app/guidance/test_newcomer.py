"""Levels that are finished with what the screen shows: markers, lines of the HUD, the bar of a stroke and its tick."""

from __future__ import annotations

import math

import numpy as np
import pytest

from game.core.angles import HEADING_UNITS_PER_TURN
from game.level import load
from game.level.format.file_access import SHIPPED_LEVELS
from game.sim.bots.explored_graph import known_graph
from game.sim.golf import BALL_MOVING
from tests.support.player import Player
from tests.support.until import repeat_until

FRAME = 1 / 60
LATE = 3  # frames that a key is released after the bar has passed its tick
STEP = 0.2  # s between two looks at the marker


class Newcomer(Player):
    """Turns to markers, walks ahead, and does what the line at the bottom says."""

    _drift = 0.0  # m to the right in the last steps

    @classmethod
    def of(cls, name):
        return cls.in_level(load(SHIPPED_LEVELS / f"{name}.yaml"))

    def wait(self, seconds, frame=FRAME):
        """The way is found in a thread: it has its answer after each frame."""
        for _ in range(max(1, round(seconds / frame))):
            super().wait(frame, frame)
            while (job := self.game.guide.routes._job) is not None and not job.done():
                self.game.jobs.wait(0.1)
                self.game.jobs.update()
        return self.shown

    @property
    def world(self):
        return self.game.session.world

    def turn(self, degrees):
        """To the left."""
        view = self.game.input.view
        view.yaw = (view.yaw + degrees * HEADING_UNITS_PER_TURN / 360.0) % HEADING_UNITS_PER_TURN

    def look(self, degrees):
        self.game.input.view.pitch = degrees * HEADING_UNITS_PER_TURN / 360.0

    def face(self, *kinds):
        """Turn until the marker is in the middle, or right above or below it; False where none is shown."""
        for _ in range(60):
            marker = next((one for one in self.wait(FRAME).hud.markers if one.kind in kinds), None)
            if marker is None:
                return False
            aside = marker.x - 0.5 if marker.arrow is None else marker.arrow[0]
            below = marker.y - 0.5 if marker.arrow is None else marker.arrow[1]
            if self.world.walker_state.swimming:  # where one looks
                pitch = self.game.input.view.pitch * 360.0 / HEADING_UNITS_PER_TURN
                self.look(max(-80.0, min(80.0, pitch - 30.0 * below)))
            if abs(aside) < 0.004:
                break
            self.turn(-max(-40.0, min(40.0, 80.0 * aside)))
        return True

    def walk_a_step(self, key="W", jump=False):
        """Ahead (or back), and against a wind that has pushed the body aside."""
        before, also = np.array(self.feet), {"A": self._drift > 0.1, "SPACE": jump}
        keys = [key, *(one for one, is_held in also.items() if is_held)]
        for one in keys:
            self.game.key_pressed(one)
        self.wait(STEP)
        for one in keys:
            self.game.key_released(one)
        yaw = self.game.input.view.yaw / HEADING_UNITS_PER_TURN * math.tau
        moved = np.array(self.feet) - before
        right = moved @ (math.cos(yaw), 0.0, -math.sin(yaw))
        self._drift = 0.8 * self._drift + right if self.world.walker_state.grounded else 0.0

    def walk_on(self, is_there, *kinds, seconds=90.0):
        """Walk towards the marker; straight on where it has faded, for it is near."""
        for _ in range(round(seconds / STEP)):
            if is_there():
                return
            self.face(*kinds)
            self.walk_a_step()
        raise AssertionError(f"at {self.feet} after {seconds} s")

    def cross(self):
        """To the goal: wait for lifts and on them, as the line at the bottom says."""
        while self.world.goal_tick < 0:
            assert self.tick < 9000, self.feet
            line = self.shown.hud.hint
            clear, leaves = "Stand clear" in line, "Step on" in line and line.endswith(" in 1 s")
            if ("comes in" in line and not clear) or "Stay on" in line or leaves:
                self.wait(STEP)
                continue
            self.face("way", "goal", "target")
            self.walk_a_step("S" if clear else "W", jump=line.endswith(": jump"))


@pytest.mark.full
@pytest.mark.parametrize("name", ["demo", "lifts", "escher", "waters"])
def test_a_level_is_finished_by_its_marker_and_the_clocks_of_its_lifts(name):
    """Up spiral stairs, through turned gravity and under water too."""
    known_graph(load(SHIPPED_LEVELS / f"{name}.yaml"))
    player = Newcomer.of(name)
    player.cross()
    assert player.world.goal_tick > 0


class Golfer(Newcomer):
    @property
    def golf(self):
        return self.world.golf

    @property
    def is_at_ball(self):
        return "to hit" in self.shown.hud.hint

    def aim(self):
        """The prediction of the view, which threads answer."""
        view, aim = self.game.input.view, self.game.feedback.golf_hud.aim
        aim.update(self.world, round(view.yaw), round(view.pitch), jobs=None)
        return aim

    def stroke(self):
        """Look at the marker, as high as the line at the bottom says, and hold until the bar is at its tick, crouched:
        it is slower."""
        (x, _, z), target = self.golf.at, self.golf.target
        yaw = math.atan2(x - target[0], z - target[2]) / math.tau * HEADING_UNITS_PER_TURN
        self.game.input.view.yaw = yaw % HEADING_UNITS_PER_TURN
        for loft in range(0, 61, 5):
            self.look(loft)
            self.aim()
            if "too low: look up" not in self.wait(FRAME).hud.hint:
                break
        self.game.key_pressed("LCTRL")
        self.game.key_pressed("E")
        repeat_until(self._is_at_tick, lambda: self.wait(FRAME), 1200)
        self.wait(LATE * FRAME)
        self.game.key_released("E")
        self.game.key_released("LCTRL")
        self.wait(STEP)
        repeat_until(lambda: self.golf.phase != BALL_MOVING, lambda: self.wait(STEP), 200)

    def _is_at_tick(self):
        progress, tick = self.shown.hud.progress, self.aim().target_strength
        return progress is not None and tick is not None and progress >= tick


@pytest.mark.full
@pytest.mark.parametrize("name", ["golf/one", "golf/two", "golf/three"])
def test_golf_is_finished_by_the_marker_the_line_and_the_tick(name):
    """At most two strokes over par, though the key is released late."""
    player = Golfer.of(name)
    repeat_until(lambda: not player.golf.holes_left, lambda: play_ball(player), 12)
    assert player.golf.card[0] <= player.world.level.golf.holes[0].par + 2
    player.look(0)
    player.walk_on(lambda: player.world.goal_tick >= 0, "way", "goal")


def play_ball(player):
    player.look(0)
    player.walk_on(lambda: player.is_at_ball, "way", "ball")
    player.stroke()
