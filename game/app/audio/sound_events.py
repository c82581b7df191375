"""Sound events of a frame of play: footsteps, jumps, landings, water, balls, world events, and the volumes of loops."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.springs import fade
from ...physics.character.rows import tick_event
from ...sim import CheckpointReached, ExitReached, GoalReached, Respawned, TargetReached
from ...sim.events import BallLost, BallStruck, HoledOut, RespawnReason
from .sound_bank import DRY, HALL, ROOM, WATER
from .sound_sources import SoundSources
from .sounds import SoundCue

if TYPE_CHECKING:
    from ...physics import WalkerState
    from ...physics.balls.balls import BallRows
    from ...sim import World

FOOTSTEP_VARIANTS = 4  # sounds of each kind of footstep: assets/sounds/step_KIND_1..4
STEP_LENGTH = 0.75  # m, plus the next number times the speed: 1.9 m at 4 m/s, 2.6 m at 6.5 m/s
STEP_LENGTH_PER_SPEED = 0.28  # m per m/s
MIN_STEP_SPEED = 0.4  # m/s: slower walkers make no steps
MIN_LANDING_SPEED = 1.5  # m/s; a slower landing is silent
FULL_LANDING_SPEED = 12.0  # m/s; a landing from here on is loudest
JUMP_LOUDNESS = 0.35
LAUNCH_LOUDNESS = 0.8
SKY_CHECK_INTERVAL = 0.25  # s between two ray casts towards the sky; those at walls and ground lie between
SKY_CHECK_HEIGHT = 0.5  # m above the middle of the body, where they start
SKY_CHECK_DISTANCE = 60.0  # m
WALL_DISTANCE = 30.0  # m within which walls give an echo
OPEN_SIDES = 2  # of four: a roof with as many sides without a wall gives no echo
HALL_SIZE = 4.0  # m, mean distance of walls and ceiling from which on a room sounds as a hall
GROUND_DISTANCES = (
    6.0,
    20.0,
)  # m along a ray that falls by 45 degrees: nearer there is no more wind, farther it is full
GRAVITY_COSINE = 0.9  # of a turn of gravity; a smaller one is silent
MIN_BUMP_SPEED = 3.0  # m/s into a wall; a slower bump is silent
FULL_BUMP_SPEED = 12.0  # m/s
FADE_RATE = 1.5  # 1/s at which ambience loops fade
LOOPS = ("outdoors", "indoors", "underwater", "slide", "wind")

_EVENT_SOUNDS: dict[type, str] = {
    GoalReached: "goal",
    TargetReached: "target",
    CheckpointReached: "checkpoint",
    ExitReached: "door",
}
_RESPAWN_SOUNDS = {
    RespawnReason.FELL: "fell",
    RespawnReason.STUCK: "fell",
    RespawnReason.CRUSHED: "fell",
    RespawnReason.KILLED: "fell",
    RespawnReason.TELEPORTED: "door",
}


class SoundEvents:
    """Observes one world.

    loops          loudness 0..1 of each looped sound at the ear
    sources        looped sounds with a place
    surroundings   of the walker, one of `sound_bank`
    room_size      m, mean distance of walls and ceiling
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.loops = dict.fromkeys(LOOPS, 0.0)
        self.balls = BallSounds(world)
        self.sources = SoundSources(world)
        self.surroundings = DRY
        self.room_size = 0.0
        self._previous = world.walker_state
        self._step_distance = 0.0  # metres since the last step
        self._variant = 0
        self._fall_speed = 0.0
        self._tick_events = 0  # bits of layout.tick_event, of all ticks since the last frame
        self._tick_velocity = self._previous.velocity
        self._bump_speed = 0.0  # m/s, of the hardest since the last frame
        self._sky_openness = 1.0
        self._wind = 0.0
        self._room = DRY
        self._distances = [WALL_DISTANCE] * 4 + [0.0] * 4 + [SKY_CHECK_DISTANCE]  # m, along the rays around the walker
        self._next_ray = 8
        self._sky_check_in = 0.0

    @property
    def step_phase(self) -> float:
        """Phase of the step cycle: 0 when a foot comes down, nearly 1 before the next one does."""
        return min(
            self._step_distance / (STEP_LENGTH + STEP_LENGTH_PER_SPEED * math.hypot(*self._previous.velocity)), 1.0
        )

    def after_tick(self) -> None:
        """Take what the last tick of the world did. Call it after each tick: a frame may have several, or none."""
        trace = self.world.trace
        before, now = self._tick_velocity, self.world.walker_state
        self._tick_velocity = now.velocity
        if trace is None:
            return
        self._tick_events |= trace.bits
        if math.dist(before, now.velocity) > MIN_BUMP_SPEED:
            for stop in trace.stops:
                if abs(_along_up(stop.normal, now.up)) < 0.5:  # a wall, as seen from this gravity
                    self._bump_speed = max(self._bump_speed, -_along_up(before, stop.normal))

    def update(self, events: Iterable[Any], seconds: float) -> list[SoundCue]:
        """The sounds that begin in a frame of `seconds` of play; also updates `loops`."""
        events = tuple(events)
        before, now = self._previous, self.world.walker_state
        self._previous = now
        cues = self.balls.update(events, seconds)
        respawned = False
        for event in events:
            if isinstance(event, Respawned):
                respawned = True
                name = _RESPAWN_SOUNDS.get(event.reason, "")
            else:
                name = _EVENT_SOUNDS.get(type(event), "")
            if name:
                place = event.target.at if isinstance(event, TargetReached) else None
                cues.append(SoundCue(name, place=place))
        if respawned:
            self._step_distance = 0.0
            self._fall_speed = 0.0
            before = now
            self._tick_events = 0
            self._bump_speed = 0.0
        if _along_up(before.up, now.up) < GRAVITY_COSINE:
            cues.append(SoundCue("gravity", 0.7))
        if self._bump_speed > MIN_BUMP_SPEED:
            loud = min((self._bump_speed - MIN_BUMP_SPEED) / (FULL_BUMP_SPEED - MIN_BUMP_SPEED), 1.0)
            cues.append(SoundCue("bump", 0.2 + 0.8 * loud, self._pitch_variation()))
        self._bump_speed = 0.0
        cues += self._water_sounds(before, now, seconds)
        if not now.swimming:
            cues += self._footsteps_and_landings(before, now, seconds)
        self._tick_events = 0
        self._update_ambience(now, seconds)
        return cues

    def _footsteps_and_landings(self, before: WalkerState, now: WalkerState, seconds: float) -> list[SoundCue]:
        rising = _along_up(now.velocity, now.up)
        cues: list[SoundCue] = []
        if self._tick_events & tick_event.LAUNCHED:
            cues.append(SoundCue("launch", LAUNCH_LOUDNESS))
        elif self._tick_events & tick_event.JUMPED:
            cues.append(SoundCue("jump", JUMP_LOUDNESS))
        if now.grounded and not before.grounded and self._fall_speed > MIN_LANDING_SPEED:
            loud = min((self._fall_speed - MIN_LANDING_SPEED) / (FULL_LANDING_SPEED - MIN_LANDING_SPEED), 1.0)
            cues.append(SoundCue("land", 0.25 + 0.75 * loud, 1.1 - 0.2 * loud))
            cues += self._footstep_cues(now, 0.6)
            self._step_distance = 0.0
        self._fall_speed = 0.0 if now.grounded else -rising
        speed = math.hypot(*now.velocity)
        self._fade_loop(
            "slide", min(speed / 8.0, 1.0) * 0.6 if now.sliding and speed > MIN_STEP_SPEED else 0.0, seconds * 4.0
        )
        if now.grounded and not now.sliding and speed > MIN_STEP_SPEED:
            self._step_distance += speed * seconds
            stride = STEP_LENGTH + STEP_LENGTH_PER_SPEED * speed
            if self._step_distance > stride:
                self._step_distance %= stride
                cues += self._footstep_cues(now, min(0.2 + speed / 9.0, 0.9) * (0.5 if now.crouched else 1.0))
        elif not now.grounded:
            self._step_distance = 0.0
        return cues

    def _water_sounds(self, before: WalkerState, now: WalkerState, seconds: float) -> list[SoundCue]:
        if now.swimming and not before.swimming:
            self._step_distance = 0.0
            return [SoundCue("splash", min(0.3 + math.hypot(*before.velocity) / 12.0, 1.0))]
        if now.swimming:
            self._step_distance += math.hypot(*now.velocity) * seconds
            if self._step_distance > 1.6:
                self._step_distance = 0.0
                return [SoundCue("swim", 0.5, self._pitch_variation())]
        return []

    def _footstep_cues(self, now: WalkerState, loud: float) -> list[SoundCue]:
        """A footstep on the surface below the walker; none on a silent one."""
        level = self.world.level
        mesh = self.world.mesh
        down = tuple(-fraction for fraction in now.up)
        hit = mesh.raycast(now.position, down, now.radii[1] + 0.6)
        kind = "stone" if hit is None else level.surfaces[int(level.surface_index[hit.triangle])].footstep
        if kind == "none":
            return []
        self._variant = self._variant % FOOTSTEP_VARIANTS + 1
        return [SoundCue(f"step_{kind}_{self._variant}", loud, self._pitch_variation())]

    def _pitch_variation(self) -> float:
        """A pitch of 0.94 to 1.06 that varies with the tick and is the same in every run."""
        return 0.94 + 0.12 * ((self.world.tick * 0.6180339887) % 1.0)

    def _update_ambience(self, now: WalkerState, seconds: float) -> None:
        self._sky_check_in -= seconds
        if self._sky_check_in <= 0.0:
            self._sky_check_in = SKY_CHECK_INTERVAL / len(self._distances)
            self._look_around(now)
        under = 1.0 if now.swimming and not now.climbing else 0.0
        self._fade_loop("underwater", under, FADE_RATE * seconds)
        self._fade_loop("outdoors", (1.0 - 0.8 * under) * (0.25 + 0.75 * self._sky_openness), FADE_RATE * seconds)
        self._fade_loop("indoors", (1.0 - under) * (1.0 - self._sky_openness), FADE_RATE * seconds)
        self._fade_loop("wind", (1.0 - under) * self._sky_openness * self._wind, FADE_RATE * seconds)
        self.surroundings = WATER if under else self._room

    def _look_around(self, now: WalkerState) -> None:
        """Cast the next of nine rays, at the walls, the ground and the sky: openness, wind and the size of the room."""
        up, north = np.array(now.up), np.array(now.north)
        start = np.array(now.position) + SKY_CHECK_HEIGHT * up
        near, far = GROUND_DISTANCES
        k, self._next_ray = self._next_ray, (self._next_ray + 1) % len(self._distances)
        side = (1 - (k & 2)) * (np.cross(north, up) if k & 1 else north)
        direction, most = (up, SKY_CHECK_DISTANCE) if k == 8 else (side, WALL_DISTANCE) if k < 4 else (side - up, far)
        hit = self.world.mesh.raycast(start.tolist(), direction.tolist(), most)
        self._distances[k] = most if hit is None else float(hit.distance)
        walls, falls, roof = self._distances[:4], self._distances[4:8], self._distances[8]
        self._sky_openness = float(roof >= SKY_CHECK_DISTANCE)
        self._wind = sum(min(max((fall - near) / (far - near), 0.0), 1.0) for fall in falls) / len(falls)
        is_open = self._sky_openness or sum(wall >= WALL_DISTANCE for wall in walls) >= OPEN_SIDES
        self.room_size = (sum(walls) + roof) / 5
        self._room = DRY if is_open else HALL if self.room_size >= HALL_SIZE else ROOM

    def _fade_loop(self, name: str, target: float, max_change: float) -> None:
        self.loops[name] = fade(self.loops[name], target, max_change)


def _along_up(velocity: tuple[float, float, float], up: tuple[float, float, float]) -> float:
    return sum(a * b for a, b in zip(velocity, up, strict=True))


# Balls

MIN_IMPACT_SPEED = 0.7  # m/s; a smaller change of velocity is silent
FULL_IMPACT_SPEED = 9.0  # m/s; a change of velocity from here on is loudest
HALF_LOUDNESS_DISTANCE = 5.0  # m at which a ball is half as loud
MIN_LOUDNESS = 0.02  # quieter impacts have no sound
STROKE_PITCH = 1.25  # of the sound of a stroke at golf
MAX_SOUNDS = 3.0  # at once
MAX_SOUNDS_PER_SECOND = 14.0  # many balls must not become a roar
MAX_GAP_TICKS = 15  # after a longer gap (restart, reload) the velocities cannot be compared
REFERENCE_RADIUS = 0.12  # m, radius at which the sound has its recorded pitch; smaller balls sound higher


class BallSounds:
    """Compares the balls of one world, the golf ball included, from frame to frame."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._sound_budget = MAX_SOUNDS
        self._previous = self._rows()
        self._previous_tick = world.tick
        self._thrown = world.balls.thrown

    def update(self, events: Iterable[Any], seconds: float) -> list[SoundCue]:
        """The sounds of a frame of `seconds` of play, the loudest first."""
        before, now = self._previous, self._rows()
        ticks = self.world.tick - self._previous_tick
        thrown = self.world.balls.thrown - self._thrown
        self._previous = now
        self._previous_tick = self.world.tick
        self._thrown = self.world.balls.thrown
        self._sound_budget = min(self._sound_budget + MAX_SOUNDS_PER_SECOND * seconds, MAX_SOUNDS)
        cues = _golf_cues(events)
        if not 0 < ticks <= MAX_GAP_TICKS:
            return cues
        if thrown > 0:
            cues.append(SoundCue("throw", 0.5))
        if cues or not len(before) or not len(now):
            return cues
        loud, rows = self._impact_loudness(before, now, ticks)
        for k in np.argsort(-loud, kind="stable")[: int(self._sound_budget)].tolist():
            if loud[k] <= MIN_LOUDNESS:
                break
            self._sound_budget -= 1.0
            vary = (self.world.tick + k) * 0.6180339887 % 1.0  # golden-ratio sequence, the same in every run
            pitch = min(max(math.sqrt(REFERENCE_RADIUS / float(rows["radius"][k])), 0.6), 1.7) * (0.94 + 0.12 * vary)
            x, y, z = rows["position"][k].tolist()
            cues.append(SoundCue("ball", float(loud[k]), pitch, (x, y, z)))
        return cues

    def _rows(self) -> BallRows:
        golf = self.world.golf
        return self.world.balls.rows if golf is None else golf.ball.copy()

    def _impact_loudness(self, before: BallRows, now: BallRows, ticks: int) -> tuple[Any, Any]:
        """Impact loudness (n,) 0..1 and row (n,) of each ball that exists in both states.

        Loudness is sqrt((dv - MIN) / (FULL - MIN)) / (1 + (d / HALF_LOUDNESS_DISTANCE)^2); dv: change of velocity
        without gravity, d: distance from the walker.
        """
        _, old, new = np.intersect1d(before["number"], now["number"], assume_unique=True, return_indices=True)
        rows = now[new]
        rules = self.world.balls.solver.settings
        fallen = ticks / rules.ticks_per_second * np.array(rules.gravity)
        change = rows["velocity"] - before["velocity"][old]
        change[~rows["asleep"]] -= fallen
        impact_speed = np.minimum(np.linalg.norm(change, axis=1), np.linalg.norm(change + fallen, axis=1))
        distance = np.linalg.norm(rows["position"] - np.array(self.world.walker_state.position), axis=1)
        impact = np.clip((impact_speed - MIN_IMPACT_SPEED) / (FULL_IMPACT_SPEED - MIN_IMPACT_SPEED), 0.0, 1.0)
        return np.sqrt(impact) / (1.0 + (distance / HALF_LOUDNESS_DISTANCE) ** 2), rows


def _golf_cues(events: Iterable[Any]) -> list[SoundCue]:
    cues = []
    for event in events:
        if isinstance(event, BallStruck):
            cues.append(SoundCue("stroke", 0.3 + 0.7 * event.strength, STROKE_PITCH))
        elif isinstance(event, HoledOut):
            cues.append(SoundCue("target"))
        elif isinstance(event, BallLost):
            cues.append(SoundCue("splash", 0.6) if event.reason == "water" else SoundCue("fell", 0.6))
    return cues
