"""Referee of every tick of a walk: rise, drop, way, speed, turn and gap within the bounds of docs/limits.md.

Poses of movers and normals are the product's; the rest shares nothing with the tick's kernels. The events that explain
a breach (a jump, a respawn, another gravity) come from the trace of the tick, which is made again only where the states
alone do not decide.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.angles import HEADING_UNITS_PER_TURN
from ..core.vectors import gravity_axes
from ..physics import Environment, Movers, TriangleMesh, Walker, WalkerSettings
from ..physics.character.rows import button, tick_event
from ..physics.environment.rows import motion_row
from .carrying import CarryingSpeeds, carrying_contact, carrying_height, climbs_treads, feet_height, touching_reach
from .path_checks import FAR, check_platforms, check_walk

STEP_TOLERANCE = 0.0005  # m: a ledge of the step height and this is stepped on
SUBSTEP = 0.15  # m: a longer way on ground is divided into moves with a snap each
LADDER_SPEED = 3.0  # m/s: upper bound of the speed on a ladder
GAP_TOLERANCE = 1e-6  # ellipsoid space: a gap below half the skin by more is a breach
CROWDED_GAP = 0.4  # of the skin: smallest gap among more than 12 contact planes
STUCK_SECONDS = 0.5  # s without the gap after which a body counts as stuck
PUSH = 2.0  # m: largest recovery from penetration in a tick
# Events after which the body is elsewhere, or its up another.
MOVED = tick_event.LOST | tick_event.CRUSHED | tick_event.GRAVITY_TURNED
TAKES_OFF = tick_event.JUMPED | tick_event.LAUNCHED | tick_event.BOUNCED


@dataclass(frozen=True)
class Breach:
    """A tick beyond a bound: its row in the commands, what it broke, and by how much."""

    tick: int
    kind: str
    value: float
    bound: float

    def __str__(self) -> str:
        return f"tick {self.tick}: {self.kind} {self.value:.4f} > {self.bound:.4f}"


@dataclass(frozen=True)
class TickBounds:
    """Columns of n ticks: the states before and after them in the frame of the body (east, up, south), and limits.

    Displacement, reach, slip, own rise, fall and skin are terms of docs/limits.md.
    """

    settings: WalkerSettings
    before: Any
    after: Any
    rows: Any
    carry: Any  # (n,), m: by the fastest mover, current and conveyor near the body
    steepness: float  # tangent of the steepest walkable face
    speeds: CarryingSpeeds

    @property
    def displacement(self) -> Any:
        """Horizontal distance of each tick, m."""
        return np.hypot(*(self.after["position"] - self.before["position"])[:, [0, 2]].T)

    @property
    def skin(self) -> float:
        """Largest thickness of the skin, m."""
        return float(self.settings.skin * max(self.settings.radii))

    @property
    def fall(self) -> Any:
        """Largest fall of each tick, m."""
        dt = self.settings.dt
        return np.maximum(-self.before["falling"], 0.0) * dt + self.speeds.heavier * self.settings.gravity * dt * dt

    @property
    def own_rise(self) -> Any:
        """Largest rise by its own vertical velocity, m. A jump shows in the velocity after the tick."""
        s = self.settings
        at_take_off = self.after["falling"] + self.speeds.heavier * s.gravity * s.dt
        return np.maximum(np.maximum(self.before["falling"], at_take_off), 0.0) * s.dt

    @property
    def stance_rise(self) -> Any:
        """Largest rise of the feet of a body that crouches around its centre, m."""
        return np.maximum(self.before["radii"][:, 1] - self.after["radii"][:, 1], 0.0)

    @property
    def reach(self) -> Any:
        """Largest displacement that the velocity and the command explain, m."""
        s = self.settings
        pressed = np.where(self.rows["buttons"] & button.SPRINT != 0, max(s.sprint_speed, s.walk_speed), s.walk_speed)
        own = np.hypot(self.before["velocity"][:, 0], self.before["velocity"][:, 2])
        carried = np.linalg.norm(self.before["carried"], axis=1)
        return (np.maximum(own, self.speeds.faster * pressed) + carried) * s.dt + self.carry + self.slip

    @property
    def slip(self) -> Any:
        """Largest displacement by the speed that a slope too steep for its friction adds, m: g sin(a) cos(a) dt²."""
        if self.steepness <= self.speeds.grip:
            return 0.0
        s = self.settings
        tangent = min(self.steepness, 1.0)  # sin(a) cos(a) is largest at 45 degrees
        on_ground = self.before["grounded"] | self.after["grounded"]
        return on_ground * (self.speeds.heavier * s.gravity * tangent / (1.0 + tangent * tangent) * s.dt * s.dt)

    @property
    def moves_freely(self) -> Any:
        """True in water and on ladders."""
        return self.before["swimming"] | self.after["swimming"] | self.before["climbing"] | self.after["climbing"]

    @property
    def free_reach(self) -> Any:
        """Largest displacement by swimming or climbing, m."""
        s = self.settings
        return (np.linalg.norm(self.before["velocity"], axis=1) + max(s.sprint_speed, LADDER_SPEED)) * s.dt + self.fall

    def displacement_bound(self) -> Any:
        """Reach, a skin, and a change of stance past an edge; in the air also what a slope turns aside."""
        air = ~(self.before["grounded"] & self.after["grounded"])
        s = self.settings
        stance = (self.before["crouched"] != self.after["crouched"]) * (1.0 - s.crouch_height / 2.0 / s.radii[1])
        aside = stance * max(s.radii[0], s.radii[2])
        bound = self.reach + aside + air * (self.fall + self.skin)
        return np.where(self.moves_freely, self.free_reach + self.reach, bound) + self.skin

    def drop_bound(self) -> Any:
        """A snap for each move of 0.15 m, the edge that it leaves, and the slope; the fall in the air.

        A move from an edge follows the tangent plane at the contact, which is no steeper than the slope limit even
        where no face is. That is more than a snap if `snap_down` is less than the length of a move times its tangent.
        """
        s = self.settings
        moves = (self.reach / SUBSTEP).astype(int) + 1
        along_edge = np.minimum(self.reach, SUBSTEP) * math.tan(math.radians(s.max_slope))
        snaps = s.snap_down * moves + np.maximum(s.snap_down, along_edge)
        ground = snaps + self.reach * self.steepness + ~self.after["grounded"] * self.fall
        bound = np.where(self.before["grounded"], ground, self.fall + self.reach)
        return np.where(self.moves_freely, self.free_reach + self.reach, bound) + self.skin + self.carry

    def rise_bound(self) -> Any:
        """Slope on ground; without an edge no more. In the air: the rise, and an edge of the step height or a slope."""
        s = self.settings
        slope = self.displacement * self.steepness + self.carry + self.skin
        stance = self.stance_rise
        air = self.own_rise + s.step_height + STEP_TOLERANCE + slope + stance
        takes_off = self.after["falling"] > 0.0
        bound = np.where(self.before["grounded"] & ~takes_off, slope + s.skin * s.radii[1] + stance, air)
        return np.where(self.moves_freely, self.free_reach + self.reach + s.step_height, bound)


def mover_triangles(movers: Movers, tick: float, centre: Any, reach: float) -> Any:
    """Corners (N, 3, 3) at a tick of the world of the movers within `reach` (m) of a point."""
    poses = movers.poses(tick)
    far = np.linalg.norm(poses[:, :, 3] - centre, axis=1) - movers.motions[:, motion_row.RADIUS]
    parts = [np.zeros((0, 3))]
    for mover, pose, distance in zip(movers, poses, far, strict=True):
        if distance <= reach:
            parts.append(mover.mesh.triangles12[:, :9].reshape(-1, 3) @ pose[:, :3].T + pose[:, 3])
    return np.concatenate(parts).reshape(-1, 3, 3)


def _frames(states: Any) -> Iterator[tuple[slice, Any]]:
    """(rows of states with one up and north, rotation (3, 3) into the frame east, up, south)."""
    frame = np.concatenate((states["up"], states["north"]), axis=1)
    cuts = [0, *(np.flatnonzero((frame[1:] != frame[:-1]).any(axis=1)) + 1).tolist(), len(states)]
    for first, end in itertools.pairwise(cuts):
        up, north = states["up"][first], states["north"][first]
        yield slice(first, end), gravity_axes(up, north)


def _turned(states: Any, frame: Any) -> Any:
    """States in the frame of the body; the same array where that is the world's."""
    if (frame == np.eye(3)).all():
        return states
    out = states.copy()
    for name in ("position", "velocity", "carried", "ground_normal", "safe"):
        out[name] = states[name] @ frame.T
    return out


class TickReferee:
    """Bounds of the ticks of one walker on one mesh.

    tread   (rise, run), m: risers and treads of stairs so narrow that a tick covers a whole one; None: there are none
    """

    def __init__(
        self,
        walker: Walker,
        mesh: TriangleMesh,
        environment: Environment | None = None,
        tread: tuple[float, float] | None = None,
    ) -> None:
        self.walker = walker
        self.mesh = mesh
        self.environment = environment
        self.tread = tread
        self.settings = walker.settings
        self.triangles = mesh.triangles12[:, :9].reshape(-1, 3, 3)
        self._boxes = self.triangles.min(axis=1), self.triangles.max(axis=1)
        self.movers = environment.movers if environment is not None and environment.movers else None
        self._any_turns = any(mover.motion.turns for mover in self.movers or ())
        self.speeds = CarryingSpeeds(mesh, environment)
        self.gaps = np.zeros(0)  # of the last `check`, a row for each state

    def steepness(self, frame: Any) -> float:
        """Tangent of the steepest walkable face in a frame; that of the slope limit where movers turn."""
        limit = math.tan(math.radians(self.settings.max_slope))
        if self._any_turns:
            return limit
        meshes = [self.mesh, *(mover.mesh for mover in self.movers or ())]
        up = np.abs(np.concatenate([mesh.triangles12[:, 9:12] for mesh in meshes]) @ frame[1])
        walkable = up[up >= math.cos(math.radians(self.settings.max_slope)) - 1e-9]
        least = min(float(walkable.min(initial=1.0)), 1.0)
        return min(math.sqrt(1.0 - least * least) / least, limit) if least < 1.0 - 1e-9 else 0.0

    def check(self, states: Any, rows: Any, clock: int = 0) -> list[Breach]:
        """Breaches of a run: states (n + 1, the start first), command rows (n,), world tick at the start."""
        self._event_bits: dict[int, int] = {}
        self._states, self._rows, self._clock = states, rows, clock
        self.gaps = np.full(len(states), FAR)
        turns = np.flatnonzero((states["up"][1:] != states["up"][:-1]).any(axis=1)).tolist()
        found = [Breach(k, "up", 1.0, 0.0) for k in turns if not self._events(k) & MOVED]
        for part, frame in _frames(states):
            local = _turned(states[part], frame)
            if len(local) > 1:
                found += self._check_motion(local, frame, part.start)
            found += self._check_gaps(local, frame, part.start)
        return sorted(found, key=lambda breach: breach.tick)

    def _events(self, k: int) -> int:
        """Events of tick k, as bits of rows.tick_event. The tick is made again; 0 if it then ends otherwise."""
        if k not in self._event_bits:
            self._make_again(k, 1)
        return self._event_bits.setdefault(k, 0)

    def _make_again(self, first: int, count: int) -> None:
        """Events of ticks in a row, which are made again as one walk, as far as that is the same walk."""
        state = self.walker.state(self._states[first])
        rows = self._rows[first : first + count]
        after, traces = self.walker.run(state, rows, self.mesh, True, self.environment, self._clock + first)
        for k in range(count):
            if after[k].tobytes() != self._states[first + k + 1].tobytes():
                break
            self._event_bits[first + k] = traces[k].bits

    def _check_motion(self, local: Any, frame: Any, first: int) -> list[Breach]:
        """Rise, drop, way, speed and turn of the ticks of states in one frame; the first one begins tick `first`."""
        before, after = local[:-1], local[1:]
        rows = self._rows[first : first + len(local) - 1]
        carry = self.speeds.near(self._states[first : first + len(local)]) * self.settings.dt
        t = TickBounds(self.settings, before, after, rows, carry, self.steepness(frame), self.speeds)
        rise = feet_height(after) - feet_height(before)
        speed = np.hypot(after["velocity"][:, 0], after["velocity"][:, 2])
        speed_bound = np.where(t.moves_freely, t.displacement_bound(), t.reach) + t.carry + 1e-9
        checks = (
            ("way", t.displacement, t.displacement_bound()),
            ("drop", -rise, t.drop_bound()),
            ("high step", rise, t.rise_bound()),
            ("speed", speed * self.settings.dt, speed_bound),
        )
        found = []
        for kind, value, bound in checks:
            for k in np.flatnonzero(value > bound).tolist():
                events = self._events(first + k)
                if events & MOVED:
                    continue
                more = PUSH if events & tick_event.PUSHED else 0.0
                if events & tick_event.LAUNCHED:  # the pad sets the velocity
                    more += float(np.linalg.norm(after["velocity"][k])) * self.settings.dt
                if kind == "high step":
                    found += self._judge_rise(t, k, frame, first, float(bound[k]) + more, float(rise[k]))
                elif value[k] > bound[k] + more:
                    found.append(Breach(first + k, kind, value[k], bound[k] + more))
        for k in np.flatnonzero(~before["grounded"] & after["grounded"] & ~t.moves_freely).tolist():
            if not self._events(first + k) & MOVED:
                found += self._judge_step(t, k, frame, first, lands=True)
        leaps = (after["falling"] > np.maximum(before["falling"], 0.0) + 1e-9) & ~t.moves_freely
        for k in np.flatnonzero(leaps).tolist() if self.environment is None else ():
            if not self._events(first + k) & (TAKES_OFF | MOVED):
                found.append(Breach(first + k, "speed", after["falling"][k], max(before["falling"][k], 0.0)))
        return found + self._check_turns(before, after, rows, first)

    def _judge_rise(self, t: TickBounds, k: int, frame: Any, first: int, bound: float, rise: float) -> list[Breach]:
        """A rise of the feet beyond what slopes explain: onto what, and whether the body stands there."""
        events = self._events(first + k)
        if events & TAKES_OFF:  # a ceiling may have ended the rise, so that the state after the tick does not show it
            s = self.settings
            speed = max(math.sqrt(2.0 * s.gravity * s.jump_height), -float(t.before["falling"][k]))
            bound += speed * s.dt + (s.step_height if t.before["grounded"][k] else 0.0)
        if rise <= bound or events & tick_event.LAUNCHED:
            return []
        if not t.before["grounded"][k] or t.moves_freely[k] or events & TAKES_OFF:
            return [Breach(first + k, "high step", rise, bound)]
        if not t.after["grounded"][k]:
            if t.reach[k] > SUBSTEP:  # it may have met an edge after it had lost the ground
                bound += self.settings.step_height
            return [Breach(first + k, "air step", rise, bound)] if rise > bound else []
        return self._judge_step(t, k, frame, first)

    def _judge_step(self, t: TickBounds, k: int, frame: Any, first: int, lands: bool = False) -> list[Breach]:
        """The step height above what carried the body when the tick began; above its feet if it `lands`."""
        triangles_before, triangles_after = (self._triangles_near(first + k + n) for n in (0, 1))
        allowed = self.settings.step_height + STEP_TOLERANCE + t.displacement[k] * t.steepness + t.carry[k]
        if lands:
            low = float(feet_height(t.before[k]))
            allowed += t.own_rise[k] + t.skin + t.stance_rise[k]
        else:
            low = carrying_height(t.before[k], triangles_before @ frame.T, self.settings, False)
        contact = carrying_contact(t.after[k], triangles_after @ frame.T, self.settings, True)
        if self._events(first + k) & tick_event.FUNNEL:  # steep planes hold it, not a step
            contact = None
        high = float(feet_height(t.after[k])) if contact is None else contact.height
        if self.tread is not None:
            riser, run = self.tread
            allowed += riser * math.floor((t.displacement[k] + 1e-9) / run)
        kind = "landing" if lands else "high step"
        if high - low <= allowed:
            return []
        triangles = np.concatenate((triangles_before, triangles_after)) @ frame.T
        back = (t.before["position"][k] - t.after["position"][k])[[0, 2]]
        if not lands and contact and climbs_treads(low, contact, triangles, self.settings, float(t.reach[k]), back):
            return []
        return [Breach(first + k, kind, high - low, allowed)]

    def _triangles_near(self, k: int) -> Any:
        """Corners (N, 3, 3) of the triangles that may touch the body of state k, platforms where they are then."""
        state = self._states[k]
        reach = touching_reach(state["radii"], self.settings)
        low, high = self._boxes
        near = ((low <= state["position"] + reach) & (high >= state["position"] - reach)).all(axis=1)
        if self.movers is None:
            return self.triangles[near]
        movers = mover_triangles(self.movers, self._clock + k, state["position"], reach)
        return np.concatenate((self.triangles[near], movers))

    def _check_turns(self, before: Any, after: Any, rows: Any, first: int) -> list[Breach]:
        """The body, or its other side, turns to the heading of the command; if it is cut, not away from it."""
        if self._any_turns:  # a mover that turns takes its rider along
            return []
        asked = rows["heading"].astype(np.int64) % HEADING_UNITS_PER_TURN
        found = []
        turned = np.flatnonzero(after["heading"] != asked)
        for run in np.split(turned, np.flatnonzero(np.diff(turned) != 1) + 1):
            if len(run):
                self._make_again(first + int(run[0]), len(run))
        for k in turned.tolist():
            events = self._events(first + k)
            if events & MOVED:
                continue
            rests = (int(asked[k]) - int(s["heading"][k]) for s in (before, after))
            rest_before, rest_after = (abs((rest + 16384) % 32768 - 16384) for rest in rests)
            is_cut = events & tick_event.TURN_CUT != 0
            if not is_cut or rest_after > rest_before + 1:
                found.append(Breach(first + k, "turn", rest_after, rest_before if is_cut else 0))
        return found

    def _check_gaps(self, local: Any, frame: Any, first: int) -> list[Breach]:
        """The gap is half the skin, or has not become smaller; nothing is tunnelled; no body stays inside something."""
        gaps, through = check_walk(self.triangles @ frame.T, local)
        half = 0.5 * self.settings.skin
        if self.movers is not None:
            to_movers, through_movers = check_platforms(self.movers, self._clock + first, local, frame)
            gaps = np.minimum(gaps, to_movers)
            through = through | through_movers
        self.gaps[first : first + len(local)] = gaps
        found = []
        kept = np.full(len(gaps) - 1, half) if self.movers else np.minimum(gaps[:-1], half)
        for k in np.flatnonzero(gaps[1:] < kept - GAP_TOLERANCE).tolist():
            if (
                gaps[k + 1] < CROWDED_GAP * self.settings.skin or not self._events(first + k) & tick_event.CROWDED
            ) and not (self.movers and self._events(first + k) & MOVED):  # a mover may be at the place it returns to
                found.append(Breach(first + k, "gap", -gaps[k + 1], -kept[k]))
        for k in np.flatnonzero(through[1:]).tolist():
            if not self._events(first + k) & (MOVED | tick_event.PUSHED):
                found.append(Breach(first + k, "tunnel", 1.0, 0.0))
        inside = 0
        limit = math.ceil(STUCK_SECONDS / self.settings.dt)
        for k in range(1, len(gaps)):
            inside = inside + 1 if gaps[k] < half - 100.0 * GAP_TOLERANCE else 0
            if inside == limit:
                found.append(Breach(first + k - 1, "stuck", inside, limit))
        return found
