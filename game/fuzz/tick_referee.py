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
from ..physics import Environment, TriangleMesh, Walker
from ..physics.character.layout import tick_event
from ..physics.character.trace import event_names
from ..physics.environment.layout import motion_row
from .carrying_height import carrying_contact, carrying_height, climbs_treads, touching_reach
from .carrying_speeds import CarryingSpeeds
from .path_checks import FAR, check_platforms, check_walk
from .tick_bounds import STEP_TOLERANCE, SUBSTEP, TickBounds

GAP_TOLERANCE = 1e-6  # ellipsoid space: a gap below half the skin by more is a breach
CROWDED_GAP = 0.4  # of the skin: smallest gap among more than 12 contact planes
STUCK_SECONDS = 0.5  # s without the gap after which a body counts as stuck
PUSH = 2.0  # m: largest recovery from penetration in a tick
EVENTS_SHOWN = 100  # ticks that are made again for a message alone
KINDS = ("high step", "air step", "landing", "drop", "way", "speed", "turn", "up", "gap", "tunnel", "stuck")
# Events after which the body is elsewhere, or its up another.
MOVED = tick_event.LOST | tick_event.CRUSHED | tick_event.GRAVITY_TURNED
TAKES_OFF = tick_event.JUMPED | tick_event.LAUNCHED | tick_event.BOUNCED


@dataclass(frozen=True)
class Breach:
    """A tick beyond a bound: its row in the commands, what it broke, by how much, and its events."""

    tick: int
    kind: str
    value: float
    bound: float
    events: tuple[str, ...]

    def __str__(self) -> str:
        return f"tick {self.tick}: {self.kind} {self.value:.4f} > {self.bound:.4f} ({', '.join(self.events) or 'none'})"


def _frames(states: Any) -> Iterator[tuple[slice, Any]]:
    """(rows of states with one up and north, rotation (3, 3) into the frame east, up, south)."""
    frame = np.concatenate((states["up"], states["north"]), axis=1)
    cuts = [0, *(np.flatnonzero((frame[1:] != frame[:-1]).any(axis=1)) + 1).tolist(), len(states)]
    for first, end in itertools.pairwise(cuts):
        up, north = states["up"][first], states["north"][first]
        yield slice(first, end), np.array([np.cross(north, up), up, -north])


def _turned(states: Any, frame: Any) -> Any:
    """States in the frame of the body; the same array where that is the world's."""
    if (frame == np.eye(3)).all():
        return states
    out = states.copy()
    for name in ("position", "velocity", "carried", "ground_normal", "safe"):
        out[name] = states[name] @ frame.T
    return out


def _mover_triangles(environment: Environment, tick: float, state: Any, reach: float) -> Any:
    """Corners (N, 3, 3) at a tick of the world of the movers within `reach` (m) of the centre of a body."""
    assert environment.movers is not None
    poses = environment.movers.poses(tick)
    far = np.linalg.norm(poses[:, :, 3] - state["position"], axis=1) - environment.movers.motions[:, motion_row.RADIUS]
    parts = [np.zeros((0, 3))]
    for mover, pose, distance in zip(environment.movers, poses, far, strict=True):
        if distance <= reach:
            parts.append(mover.mesh.triangles12[:, :9].reshape(-1, 3) @ pose[:, :3].T + pose[:, 3])
    return np.concatenate(parts).reshape(-1, 3, 3)


def _half_turn(units: Any) -> Any:
    """Angle between two headings of a body that half a turn maps onto itself, 0..16384."""
    return np.abs((units + 16384) % 32768 - 16384)


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
        self.movers = environment is not None and bool(environment.movers)
        self.speeds = CarryingSpeeds(mesh, environment)
        self.gaps = np.zeros(0)  # of the last `check`, a row for each state

    def steepness(self, frame: Any) -> float:
        """Tangent of the steepest walkable face in a frame; that of the slope limit where movers turn."""
        limit = math.tan(math.radians(self.settings.max_slope))
        if self.movers and any(mover.motion.turns for mover in self.environment.movers):  # type: ignore[union-attr]
            return limit
        meshes = [self.mesh, *(mover.mesh for mover in self.environment.movers)] if self.movers else [self.mesh]  # type: ignore[union-attr]
        up = np.abs(np.concatenate([mesh.triangles12[:, 9:12] for mesh in meshes]) @ frame[1])
        walkable = up[up >= math.cos(math.radians(self.settings.max_slope)) - 1e-9]
        least = min(float(walkable.min(initial=1.0)), 1.0)
        return min(math.sqrt(1.0 - least * least) / least, limit) if least < 1.0 - 1e-9 else 0.0

    def check(self, states: Any, rows: Any, clock: int = 0) -> list[Breach]:
        """Breaches of a run: states (n + 1, the start first), command rows (n,), world tick at the start."""
        self._event_bits: dict[int, int] = {}
        self._states = states
        self._rows = rows
        self._clock = clock
        self.gaps = np.full(len(states), FAR)
        found: list[Breach] = []
        for k in np.flatnonzero((states["up"][1:] != states["up"][:-1]).any(axis=1)).tolist():
            if not self._events(k) & MOVED:
                found.append(self._breach(k, "up", 1.0, 0.0))
        for part, frame in _frames(states):
            local = _turned(states[part], frame)
            if len(local) > 1:
                found += self._check_motion(local, frame, part.start)
            found += self._check_gaps(local, frame, part.start)
        return sorted(found, key=lambda breach: breach.tick)

    def _events(self, k: int) -> int:
        """Events of tick k, as bits of layout.tick_event. The tick is made again; 0 if it then ends otherwise."""
        if k not in self._event_bits:
            state = self.walker.state(self._states[k])
            command = self._rows[k : k + 1]
            after, traces = self.walker.run(state, command, self.mesh, True, self.environment, self._clock + k)
            is_same = after.tobytes() == self._states[k + 1].tobytes()
            self._event_bits[k] = traces[0].bits if is_same else 0
        return self._event_bits[k]

    def _make_again(self, ticks: list[int]) -> None:
        """Events of many ticks at once: those in a row are made again as one walk, as far as that is the same walk."""
        cuts = [0, *(k for k in range(1, len(ticks)) if ticks[k] != ticks[k - 1] + 1), len(ticks)]
        for begin, end in itertools.pairwise(cuts):
            if begin == end:
                continue
            first = ticks[begin]
            count = end - begin
            state = self.walker.state(self._states[first])
            rows = self._rows[first : first + count]
            after, traces = self.walker.run(state, rows, self.mesh, True, self.environment, self._clock + first)
            for k in range(count):
                if after[k].tobytes() != self._states[first + k + 1].tobytes():
                    break
                self._event_bits[first + k] = traces[k].bits

    def _breach(self, k: int, kind: str, value: float, bound: float) -> Breach:
        """With the events of the tick, unless there are many of them already."""
        events = self._events(k) if len(self._event_bits) < EVENTS_SHOWN else self._event_bits.get(k, 0)
        return Breach(k, kind, float(value), float(bound), tuple(event_names(events)))

    def _check_motion(self, local: Any, frame: Any, first: int) -> list[Breach]:
        """Rise, drop, way, speed and turn of the ticks of states in one frame; the first one begins tick `first`."""
        before = local[:-1]
        after = local[1:]
        rows = self._rows[first : first + len(local) - 1]
        carry = self.speeds.near(self._states[first : first + len(local)]) * self.settings.dt
        steepness = self.steepness(frame)
        speeds = self.speeds
        t = TickBounds(self.settings, before, after, rows, carry, steepness, speeds.faster, speeds.heavier, speeds.grip)
        rise = t.rise_of_feet
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
                    found.append(self._breach(first + k, kind, value[k], bound[k] + more))
        for k in np.flatnonzero(~before["grounded"] & after["grounded"] & ~t.moves_freely).tolist():
            if not self._events(first + k) & MOVED:
                found += self._judge_step(t, k, frame, first, lands=True)
        leaps = (after["falling"] > np.maximum(before["falling"], 0.0) + 1e-9) & ~t.moves_freely
        for k in np.flatnonzero(leaps).tolist() if self.environment is None else ():
            if not self._events(first + k) & (TAKES_OFF | MOVED):
                found.append(self._breach(first + k, "speed", after["falling"][k], max(before["falling"][k], 0.0)))
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
            return [self._breach(first + k, "high step", rise, bound)]
        if not t.after["grounded"][k]:
            if t.reach[k] > SUBSTEP:  # it may have met an edge after it had lost the ground
                bound += self.settings.step_height
            return [self._breach(first + k, "air step", rise, bound)] if rise > bound else []
        return self._judge_step(t, k, frame, first)

    def _judge_step(self, t: TickBounds, k: int, frame: Any, first: int, lands: bool = False) -> list[Breach]:
        """The step height above what carried the body when the tick began; above its feet if it `lands`."""
        triangles_before, triangles_after = (self._triangles_near(first + k + n) for n in (0, 1))
        allowed = self.settings.step_height + STEP_TOLERANCE + t.displacement[k] * t.steepness + t.carry[k]
        if lands:
            low = float(t.before["position"][k, 1] - t.before["radii"][k, 1])
            allowed += t.own_rise[k] + t.skin + t.stance_rise[k]
        else:
            low = carrying_height(t.before[k], triangles_before @ frame.T, self.settings, False)
        contact = carrying_contact(t.after[k], triangles_after @ frame.T, self.settings, True)
        if contact is None or self._events(first + k) & tick_event.FUNNEL:  # steep planes hold it, not a step
            contact = None
            high = float(t.after["position"][k, 1] - t.after["radii"][k, 1])
        else:
            high = contact.height
        if self.tread is not None:
            riser, run = self.tread
            allowed += riser * math.floor((t.displacement[k] + 1e-9) / run)
        kind = "landing" if lands else "high step"
        if high - low <= allowed:
            return []
        triangles = np.concatenate((triangles_before, triangles_after)) @ frame.T
        back = (t.before["position"][k] - t.after["position"][k])[[0, 2]]
        is_flight = contact is not None and climbs_treads(
            low, contact, triangles, self.settings, float(t.reach[k]), back
        )
        return [] if is_flight and not lands else [self._breach(first + k, kind, high - low, allowed)]

    def _triangles_near(self, k: int) -> Any:
        """Corners (N, 3, 3) of the triangles that may touch the body of state k, platforms where they are then."""
        state = self._states[k]
        reach = touching_reach(state["radii"], self.settings)
        low, high = self._boxes
        near = ((low <= state["position"] + reach) & (high >= state["position"] - reach)).all(axis=1)
        if not self.movers:
            return self.triangles[near]
        return np.concatenate((self.triangles[near], _mover_triangles(self.environment, self._clock + k, state, reach)))  # type: ignore[arg-type]

    def _check_turns(self, before: Any, after: Any, rows: Any, first: int) -> list[Breach]:
        """The body turns to the heading of the command; if it is cut, not away from it."""
        asked = rows["heading"].astype(np.int64) % HEADING_UNITS_PER_TURN
        found = []
        turned = np.flatnonzero(after["heading"] != asked).tolist()
        self._make_again([first + k for k in turned])
        for k in turned:
            events = self._events(first + k)
            rides = self.movers and any(mover.motion.turns for mover in self.environment.movers)  # type: ignore[union-attr]
            if events & MOVED or rides:
                continue
            rest_before, rest_after = (_half_turn(int(asked[k]) - int(s["heading"][k])) for s in (before, after))
            is_cut = events & tick_event.TURN_CUT != 0
            if not is_cut or rest_after > rest_before + 1:
                found.append(self._breach(first + k, "turn", rest_after, rest_before if is_cut else 0))
        return found

    def _check_gaps(self, local: Any, frame: Any, first: int) -> list[Breach]:
        """The gap is half the skin, or has not become smaller; nothing is tunnelled; no body stays inside something."""
        verdict = check_walk(self.triangles @ frame.T, local)
        gaps = verdict.gaps
        through = verdict.through
        half = 0.5 * self.settings.skin
        if self.movers:
            movers = self.environment.movers  # type: ignore[union-attr]
            to_movers, through_movers = check_platforms(movers, self._clock + first, local, frame)  # type: ignore[arg-type]
            gaps = np.minimum(gaps, to_movers)
            through = through | through_movers
        self.gaps[first : first + len(local)] = gaps
        found = []
        kept = np.full(len(gaps) - 1, half) if self.movers else np.minimum(gaps[:-1], half)
        for k in np.flatnonzero(gaps[1:] < kept - GAP_TOLERANCE).tolist():
            if (
                gaps[k + 1] < CROWDED_GAP * self.settings.skin or not self._events(first + k) & tick_event.CROWDED
            ) and not (self.movers and self._events(first + k) & MOVED):  # a mover may be at the place it returns to
                found.append(self._breach(first + k, "gap", -gaps[k + 1], -kept[k]))
        for k in np.flatnonzero(through[1:]).tolist():
            if not self._events(first + k) & (MOVED | tick_event.PUSHED):
                found.append(self._breach(first + k, "tunnel", 1.0, 0.0))
        inside = 0
        limit = math.ceil(STUCK_SECONDS / self.settings.dt)
        for k in range(1, len(gaps)):
            inside = inside + 1 if gaps[k] < half - 100.0 * GAP_TOLERANCE else 0
            if inside == limit:
                found.append(self._breach(first + k - 1, "stuck", inside, limit))
        return found
