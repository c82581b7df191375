"""What is to be heard of a frame of play: footsteps, landings, what happened. Plain data; `speaker` sounds it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ...sim import CheckpointReached, GoalReached, Left, Respawned, TargetReached
from .ball_sounds import BallSounds
from .sound_cue import Cue

if TYPE_CHECKING:
    from ...physics import WalkerState
    from ...sim import World

__all__ = ["LOOPS", "STRIDE", "STRIDE_TIME", "Cue", "Hearing"]

TAKES = 4  # sounds of each kind of footstep: assets/sounds/step_KIND_1..4
STRIDE, STRIDE_TIME = 0.75, 0.28  # metres, and seconds of the pace on top: 1.9 m at 4 m/s, 2.6 m at 6.5 m/s
SLOWEST = 0.4  # m/s: who moves less makes no step
SOFT, HARD = 1.5, 12.0  # m/s of a landing: below the one nothing is heard, at the other it is loudest
LEAP = 1.0  # m/s upwards that leaving the ground by will takes
FLUNG = 1.3  # times the speed of a jump: more was not the legs
LOOK_UP = 0.25  # s between two looks at whether the sky is open
NEAR_SKY = 60.0  # metres
FADE = 1.5  # 1/s at which what lies over a level fades in and out
LOOPS = ("outdoors", "indoors", "underwater", "slide")

_EVENTS: dict[type, str] = {GoalReached: "goal", TargetReached: "target", CheckpointReached: "checkpoint", Left: "door"}
_BACK = {"fell": "fell", "killed": "fell", "stuck": "fell", "teleported": "door"}


class Hearing:
    """Listens to one world. `loops` tells how loud each sound that goes on is, 0..1."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.loops = dict.fromkeys(LOOPS, 0.0)
        self.balls = BallSounds(world)
        self._before = world.walker_state
        self._gone = 0.0  # metres since the last step
        self._take = 0
        self._falling = 0.0
        self._open = 1.0
        self._until_look = 0.0

    @property
    def stride(self) -> float:
        """Where in a step the walker is: 0 as a foot comes down, nearly 1 before the next does."""
        return min(self._gone / (STRIDE + STRIDE_TIME * math.hypot(*self._before.velocity)), 1.0)

    def follow(self, events: Iterable[Any], seconds: float) -> list[Cue]:
        """What a frame of so many seconds of play brings."""
        events = tuple(events)
        before, now = self._before, self.world.walker_state
        self._before = now
        cues = self.balls.follow(events, seconds)
        moved = False
        for event in events:
            if isinstance(event, Respawned):
                moved = True
                name = _BACK.get(event.reason, "")
            else:
                name = _EVENTS.get(type(event), "")
            if name:
                cues.append(Cue(name))
        if moved:
            self._gone, self._falling, before = 0.0, 0.0, now
        cues += self._water(before, now, seconds)
        if not now.swimming:
            cues += self._legs(before, now, seconds)
        self._around(now, seconds)
        return cues

    def _legs(self, before: WalkerState, now: WalkerState, seconds: float) -> list[Cue]:
        rising = _along(now.velocity, now.up)
        cues = []
        if before.grounded and not now.grounded and rising > LEAP:
            legs = math.sqrt(2.0 * self.world.settings.gravity * self.world.settings.jump_height)
            flung = rising > FLUNG * legs
            cues.append(Cue("launch" if flung else "jump", 0.8 if flung else 0.35))
        if now.grounded and not before.grounded and self._falling > SOFT:
            loud = min((self._falling - SOFT) / (HARD - SOFT), 1.0)
            cues.append(Cue("land", 0.25 + 0.75 * loud, 1.1 - 0.2 * loud))
            cues.append(self._step(now, 0.6))
            self._gone = 0.0
        self._falling = 0.0 if now.grounded else -rising
        speed = math.hypot(*now.velocity)
        self._fade("slide", min(speed / 8.0, 1.0) * 0.6 if now.sliding and speed > SLOWEST else 0.0, seconds * 4.0)
        if now.grounded and not now.sliding and speed > SLOWEST:
            self._gone += speed * seconds
            stride = STRIDE + STRIDE_TIME * speed
            if self._gone > stride:
                self._gone %= stride
                cues.append(self._step(now, min(0.2 + speed / 9.0, 0.9) * (0.5 if now.crouched else 1.0)))
        elif not now.grounded:
            self._gone = 0.0
        return cues

    def _water(self, before: WalkerState, now: WalkerState, seconds: float) -> list[Cue]:
        if now.swimming and not before.swimming:
            self._gone = 0.0
            return [Cue("splash", min(0.3 + math.hypot(*before.velocity) / 12.0, 1.0))]
        if now.swimming:
            self._gone += math.hypot(*now.velocity) * seconds
            if self._gone > 1.6:
                self._gone = 0.0
                return [Cue("swim", 0.5, self._turn())]
        return []

    def _step(self, now: WalkerState, loud: float) -> Cue:
        """A footstep on what lies below."""
        level, mesh = self.world.level, self.world.mesh
        down = tuple(-part for part in now.up)
        hit = mesh.raycast(now.position, down, now.radii[1] + 0.6)
        surfaces = getattr(level, "surfaces", ())
        known = hit is not None and surfaces
        kind = surfaces[int(level.surface_index[hit.triangle])].footstep if known else "stone"
        if kind == "none":
            return Cue("step_carpet_1", 0.0)
        self._take = self._take % TAKES + 1
        return Cue(f"step_{kind}_{self._take}", loud, self._turn())

    def _turn(self) -> float:
        """A pitch a little off, another one each time, the same from run to run."""
        return 0.94 + 0.12 * ((self.world.tick * 0.6180339887) % 1.0)

    def _around(self, now: WalkerState, seconds: float) -> None:
        self._until_look -= seconds
        if self._until_look <= 0.0:
            self._until_look = LOOK_UP
            x, y, z = now.position
            hit = self.world.mesh.raycast((x, y + 0.5, z), (0.0, 1.0, 0.0), NEAR_SKY)
            self._open = 1.0 if hit is None else 0.0
        under = 1.0 if now.swimming else 0.0
        self._fade("underwater", under, FADE * seconds)
        self._fade("outdoors", (1.0 - 0.8 * under) * (0.25 + 0.75 * self._open), FADE * seconds)
        self._fade("indoors", (1.0 - under) * (1.0 - self._open), FADE * seconds)

    def _fade(self, name: str, to: float, most: float) -> None:
        now = self.loops[name]
        self.loops[name] = now + min(max(to - now, -most), most)


def _along(velocity: tuple[float, float, float], up: tuple[float, float, float]) -> float:
    return sum(a * b for a, b in zip(velocity, up, strict=True))
