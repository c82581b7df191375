"""Referee of every tick of a walk: lift, drop, way, speed, turn and gap within the bounds of docs/limits.md.

The bounds follow from the states before and after a tick, its command, the settings and the geometry. The code shares
nothing with the tick's kernels; poses of movers and normals are the product's. The events that explain a breach (a
jump, a respawn, another gravity) come from the trace of the tick, which is made again only where the states alone do
not decide.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from game.physics import Environment, TriangleMesh, Walker, WalkerSettings
from game.physics.character.layout import button
from game.physics.environment.layout import motion_row
from game.physics.mesh.layout import material_row
from tests.support import scenes
from tools.verify.referee import check_walk

STEP_TOLERANCE = 0.0005  # m: a ledge of the step height and this is stepped on
GAP_TOLERANCE = 1e-6  # ellipsoid space: a gap below half the skin by more is a breach
SUBSTEP = 0.15  # m: a longer way on ground is divided into moves with a snap each
CROWDED_GAP = 0.4  # of the skin: smallest gap among more than 12 contact planes
STUCK_SECONDS = 0.5  # s without the gap after which a body counts as stuck
PUSH = 2.0  # m: largest recovery from penetration in a tick
EVENTS_SHOWN = 100  # ticks that are made again for a message alone
LADDER_SPEED = 3.0  # m/s: upper bound of the speed on a ladder
KINDS = ("lift", "air lift", "landing", "drop", "way", "speed", "turn", "up", "gap", "tunnel", "stuck")
MOVED = {"lost", "crushed", "gravity turned"}  # events after which the body is elsewhere, or its up another
TAKES_OFF = {"jumped", "launched", "bounced"}


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


def _dot(a: Any, b: Any) -> Any:
    return np.einsum("...k,...k->...", a, b)


@dataclass(frozen=True)
class _Ticks:
    """Columns of n ticks: states before (a) and after (b) in the frame of the body (east, up, south), and limits."""

    settings: WalkerSettings
    a: Any
    b: Any
    rows: Any
    carry: float  # m in a tick: fastest mover, current or conveyor
    steepness: float  # tangent of the steepest walkable face
    faster: float  # largest speed factor of a surface

    @property
    def way(self) -> Any:
        """Displacement: horizontal distance of each tick, m."""
        return np.hypot(*(self.b["position"] - self.a["position"])[:, [0, 2]].T)

    @property
    def lift(self) -> Any:
        """Rise of the feet, m."""
        feet = [s["position"][:, 1] - s["radii"][:, 1] for s in (self.a, self.b)]
        return feet[1] - feet[0]

    @property
    def skin(self) -> float:
        """Largest thickness of the skin, m."""
        return float(self.settings.skin * max(self.settings.radii))

    @property
    def fall(self) -> Any:
        """Largest fall of each tick, m."""
        dt = self.settings.dt
        return np.maximum(-self.a["falling"], 0.0) * dt + self.settings.gravity * dt * dt

    @property
    def rise(self) -> Any:
        """Own rise: largest rise by its own vertical velocity, m. A jump shows in the velocity after the tick."""
        s = self.settings
        return np.maximum(np.maximum(self.a["falling"], self.b["falling"] + s.gravity * s.dt), 0.0) * s.dt

    @property
    def reach(self) -> Any:
        """Largest displacement that the velocity and the command explain, m."""
        s = self.settings
        pressed = np.where(self.rows["buttons"] & button.SPRINT != 0, max(s.sprint_speed, s.walk_speed), s.walk_speed)
        own = np.hypot(self.a["velocity"][:, 0], self.a["velocity"][:, 2])
        carried = np.linalg.norm(self.a["carried"], axis=1)
        return (np.maximum(own, self.faster * pressed) + carried) * s.dt + self.carry

    @property
    def free(self) -> Any:
        """True in water and on ladders."""
        return self.a["swimming"] | self.b["swimming"] | self.a["climbing"] | self.b["climbing"]

    @property
    def swum(self) -> Any:
        """Largest displacement by swimming or climbing, m."""
        s = self.settings
        return (np.linalg.norm(self.a["velocity"], axis=1) + max(s.sprint_speed, LADDER_SPEED)) * s.dt + self.fall

    def way_bound(self) -> Any:
        """Reach, a skin, and a change of stance past an edge; in the air also what a slope turns aside."""
        air = ~(self.a["grounded"] & self.b["grounded"])
        s = self.settings
        stance = (self.a["crouched"] != self.b["crouched"]) * (1.0 - s.crouch_height / 2.0 / s.radii[1])
        aside = stance * max(s.radii[0], s.radii[2])
        bound = self.reach + aside + air * (self.fall + self.skin)
        return np.where(self.free, self.swum + self.reach, bound) + self.skin

    def drop_bound(self) -> Any:
        """A snap for each move of 0.15 m, one for the edge that it leaves, and the slope; the fall in the air."""
        s = self.settings
        moves = (self.reach / SUBSTEP).astype(int) + 1
        ground = s.snap_down * (moves + 1) + self.reach * self.steepness + ~self.b["grounded"] * self.fall
        bound = np.where(self.a["grounded"], ground, self.fall + self.reach)
        return np.where(self.free, self.swum + self.reach, bound) + self.skin + self.carry

    def lift_bound(self) -> Any:
        """Slope on ground; without an edge no more. In the air: the rise, and an edge of the step height or a slope."""
        s = self.settings
        slope = self.way * self.steepness + self.carry + self.skin
        stance = np.maximum(self.a["radii"][:, 1] - self.b["radii"][:, 1], 0.0)
        air = self.rise + s.step_height + STEP_TOLERANCE + slope + stance
        takes_off = self.b["falling"] > 0.0
        bound = np.where(self.a["grounded"] & ~takes_off, slope + s.skin * s.radii[1] + stance, air)
        return np.where(self.free, self.swum + self.reach + s.step_height, bound)


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


def _mover_triangles(around: Environment, tick: float, state: Any) -> Any:
    """Corners (N, 3, 3) at a tick of the world of the movers that may touch the body of a state."""
    assert around.movers is not None
    poses, reach = around.movers.poses(tick), 1.1 * state["radii"].max()
    far = np.linalg.norm(poses[:, :, 3] - state["position"], axis=1) - around.movers.motions[:, motion_row.RADIUS]
    parts = [np.zeros((0, 3))]
    for mover, pose, distance in zip(around.movers, poses, far, strict=True):
        if distance <= reach:
            parts.append(mover.mesh.triangles12[:, :9].reshape(-1, 3) @ pose[:, :3].T + pose[:, 3])
    return np.concatenate(parts).reshape(-1, 3, 3)


def carrying_height(state: Any, triangles: Any, settings: WalkerSettings, after: bool) -> float:
    """Height (m, frame of the body) of what carries a body: the highest walkable feature that it rests on.

    Without one it rides on edges: on the highest within the step height of its feet before a tick, on the lowest
    after one, or where all are higher. The height of its feet if it touches nothing walkable.
    """
    radii, position = state["radii"], state["position"]
    feet = float(position[1] - radii[1])
    angle = state["heading"] * 2.0 * math.pi / 65536.0
    s, c = math.sin(angle), math.cos(angle)
    local = triangles - position
    near = ((local.min(axis=1) <= 1.1 * radii.max()) & (local.max(axis=1) >= -1.1 * radii.max())).all(axis=1)
    local = local[near]
    normals = np.cross(local[:, 1] - local[:, 0], local[:, 2] - local[:, 0])
    upward = np.abs(normals[:, 1]) / np.linalg.norm(normals, axis=1)
    steepest = math.cos(math.radians(settings.max_slope)) - 1e-6
    scaled = np.stack((c * local[..., 0] - s * local[..., 2], local[..., 1], s * local[..., 0] + c * local[..., 2]), -1)
    scaled = scaled[upward >= steepest] / radii
    resting, riding = [], []
    for triangle in scaled:
        point = closest_point(triangle)
        if np.linalg.norm(point) > 1.0 + 1.5 * settings.skin:
            continue
        gradient = -point / radii
        lean = gradient[1] / np.linalg.norm(gradient)
        height = float(point[1] * radii[1] + position[1])
        if lean >= steepest:
            resting.append(height)
        elif lean > 0.0:
            riding.append(height)
    if resting:
        return max(resting)
    low = [h for h in riding if not after and h <= feet + settings.step_height + 0.03]
    return max(low) if low else min(riding, default=feet)


def closest_point(triangle: Any) -> Any:
    """Point of a triangle (3, 3) nearest to the origin."""
    edges = triangle[[1, 2, 0]] - triangle
    normal = np.cross(edges[0], edges[1])
    normal = normal / np.linalg.norm(normal)
    foot = normal * (triangle[0] @ normal)
    if (_dot(np.cross(edges, foot - triangle), normal) >= 0.0).all():
        return foot
    u = np.clip(-_dot(triangle, edges) / _dot(edges, edges), 0.0, 1.0)
    points = triangle + u[:, None] * edges
    return points[np.argmin(_dot(points, points))]


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
        around: Environment | None = None,
        tread: tuple[float, float] | None = None,
    ) -> None:
        self.walker, self.mesh, self.around, self.tread = walker, mesh, around, tread
        self.settings = walker.settings
        self.triangles = mesh.triangles12[:, :9].reshape(-1, 3, 3)
        self.movers = around is not None and bool(around.movers)
        materials = mesh.materials
        s = self.settings
        self.faster = max(1.0, float(materials[:, material_row.SPEED_FACTOR].max())) if len(materials) else 1.0
        speed = 0.0
        if len(materials):
            speed += float(np.hypot(materials[:, material_row.SURFACE_VELOCITY_X], materials[:, 4]).max())
        if around is not None and around.movers:
            m = around.movers.motions
            turning = m[:, motion_row.MAX_ANGULAR_SPEED] * m[:, motion_row.RADIUS]
            speed += float((m[:, motion_row.MAX_SPEED] + turning).max())
        if around is not None and around.zones is not None:
            speed += max((math.hypot(*z.current) for z in around.zones if z.current is not None), default=0.0)
        self.carry = speed * s.dt

    def steepness(self, frame: Any) -> float:
        """Tangent of the steepest walkable face in a frame; that of the slope limit where movers turn."""
        limit = math.tan(math.radians(self.settings.max_slope))
        if self.movers and any(mover.motion.turns for mover in self.around.movers):  # type: ignore[union-attr]
            return limit
        up = np.abs(self.mesh.triangles12[:, 9:12] @ frame[1])
        walkable = up[up >= math.cos(math.radians(self.settings.max_slope)) - 1e-9]
        least = min(float(walkable.min(initial=1.0)), 1.0)
        return min(math.sqrt(1.0 - least * least) / least, limit) if least < 1.0 - 1e-9 else 0.0

    def check(self, states: Any, rows: Any, clock: int = 0) -> list[Breach]:
        """Breaches of a run: states (n + 1, the start first), command rows (n,), world tick at the start."""
        self._traces: dict[int, tuple[str, ...]] = {}
        self._states, self._rows, self._clock = states, rows, clock
        found: list[Breach] = []
        for k in np.flatnonzero((states["up"][1:] != states["up"][:-1]).any(axis=1)).tolist():
            if not set(self._events(k)) & MOVED:
                found.append(self._breach(k, "up", 1.0, 0.0))
        for part, frame in _frames(states):
            local = _turned(states[part], frame)
            if len(local) > 1:
                found += self._check_motion(local, frame, part.start)
            found += self._check_gaps(local, frame, part.start)
        return sorted(found, key=lambda breach: breach.tick)

    def _events(self, k: int) -> tuple[str, ...]:
        """Events of tick k, which is made again."""
        if k not in self._traces:
            state = self.walker.state(self._states[k])
            command = self._rows[k : k + 1]
            _, traces = self.walker.run(state, command, self.mesh, True, self.around, self._clock + k)
            self._traces[k] = tuple(traces[0].events)
        return self._traces[k]

    def _breach(self, k: int, kind: str, value: float, bound: float) -> Breach:
        """With the events of the tick, unless there are many of them already."""
        events = self._events(k) if len(self._traces) < EVENTS_SHOWN else self._traces.get(k, ())
        return Breach(k, kind, float(value), float(bound), events)

    def _check_motion(self, local: Any, frame: Any, first: int) -> list[Breach]:
        """Lift, drop, way, speed and turn of the ticks of states in one frame; the first one begins tick `first`."""
        a, b, rows = local[:-1], local[1:], self._rows[first : first + len(local) - 1]
        t = _Ticks(self.settings, a, b, rows, self.carry, self.steepness(frame), self.faster)
        lift, way = t.lift, t.way
        checks = [("way", way, t.way_bound()), ("drop", -lift, t.drop_bound()), ("lift", lift, t.lift_bound())]
        own = np.hypot(b["velocity"][:, 0], b["velocity"][:, 2])
        checks.append(("speed", own * self.settings.dt, np.where(t.free, t.way_bound(), t.reach) + t.carry + 1e-9))
        found = []
        for kind, value, bound in checks:
            for k in np.flatnonzero(value > bound).tolist():
                events = set(self._events(first + k))
                if events & MOVED:
                    continue
                more = PUSH if "pushed" in events else 0.0
                if "launched" in events:  # the pad sets the velocity
                    more += float(np.linalg.norm(b["velocity"][k])) * self.settings.dt
                if kind == "lift":
                    found += self._judge_lift(t, k, frame, first, float(bound[k]) + more, float(lift[k]))
                elif value[k] > bound[k] + more:
                    found.append(self._breach(first + k, kind, value[k], bound[k] + more))
        for k in np.flatnonzero(~a["grounded"] & b["grounded"] & ~t.free).tolist():
            if not set(self._events(first + k)) & MOVED:
                found += self._judge_step(t, k, frame, first, lands=True)
        leaps = (b["falling"] > np.maximum(a["falling"], 0.0) + 1e-9) & ~t.free
        for k in np.flatnonzero(leaps).tolist() if self.around is None else ():
            if not set(self._events(first + k)) & (TAKES_OFF | MOVED):
                found.append(self._breach(first + k, "speed", b["falling"][k], max(a["falling"][k], 0.0)))
        return found + self._check_turns(a, b, rows, first)

    def _judge_lift(self, t: _Ticks, k: int, frame: Any, first: int, bound: float, lift: float) -> list[Breach]:
        """A lift beyond what slopes explain: onto what, and whether the body stands there."""
        events = set(self._events(first + k))
        if events & TAKES_OFF:  # a ceiling may have ended the rise, so that the state after the tick does not show it
            s = self.settings
            speed = max(math.sqrt(2.0 * s.gravity * s.jump_height), -float(t.a["falling"][k]))
            bound += speed * s.dt + (s.step_height if t.a["grounded"][k] else 0.0)
        if lift <= bound or "launched" in events:
            return []
        if not t.a["grounded"][k] or t.free[k] or events & TAKES_OFF:
            return [self._breach(first + k, "lift", lift, bound)]
        if not t.b["grounded"][k]:
            return [self._breach(first + k, "air lift", lift, bound)]
        return self._judge_step(t, k, frame, first)

    def _judge_step(self, t: _Ticks, k: int, frame: Any, first: int, lands: bool = False) -> list[Breach]:
        """The step height above what carried the body when the tick began; above its feet if it `lands`."""
        triangles = before = after = self.triangles
        if self.movers:
            at = first + k
            moved = (_mover_triangles(self.around, self._clock + at + n, self._states[at + n]) for n in (0, 1))  # type: ignore[arg-type]
            before, after = (np.concatenate((triangles, more)) for more in moved)
        allowed = self.settings.step_height + STEP_TOLERANCE + t.way[k] * t.steepness + t.carry
        if lands:
            low = float(t.a["position"][k, 1] - t.a["radii"][k, 1])
            allowed += t.rise[k] + t.skin
        else:
            low = carrying_height(t.a[k], before @ frame.T, self.settings, False)
        if "funnel" in self._events(first + k):  # steep planes hold it, not a step
            high = float(t.b["position"][k, 1] - t.b["radii"][k, 1])
        else:
            high = carrying_height(t.b[k], after @ frame.T, self.settings, True)
        if self.tread is not None:
            rise, run = self.tread
            allowed += rise * math.floor((t.way[k] + 1e-9) / run)
        kind = "landing" if lands else "lift"
        return [self._breach(first + k, kind, high - low, allowed)] if high - low > allowed else []

    def _check_turns(self, a: Any, b: Any, rows: Any, first: int) -> list[Breach]:
        """The body turns to the heading of the command; if it is cut, not away from it."""
        asked = rows["heading"].astype(np.int64) % 65536
        found = []
        for k in np.flatnonzero(b["heading"] != asked).tolist():
            events = set(self._events(first + k))
            rides = self.movers and any(mover.motion.turns for mover in self.around.movers)  # type: ignore[union-attr]
            if events & MOVED or rides:
                continue
            before, after = (_half_turn(int(asked[k]) - int(s["heading"][k])) for s in (a, b))
            if "turn cut" not in events or after > before + 1:
                found.append(self._breach(first + k, "turn", after, before if "turn cut" in events else 0))
        return found

    def _mover_gaps(self, local: Any, frame: Any, first: int) -> Any:
        """Gap to the movers at the end of each tick, ellipsoid space; 9 where none is near."""
        movers = self.around.movers  # type: ignore[union-attr]
        at = self._clock + first
        poses = np.stack([movers.poses(at + k) for k in range(len(local))])
        distance = np.linalg.norm(
            poses[:, :, :, 3] - self._states["position"][first : first + len(local), None], axis=2
        )
        gaps = np.full(len(local), 9.0)
        for m, mover in enumerate(movers):
            reach = 1.1 * max(self.settings.radii) + movers.motions[m, motion_row.RADIUS]
            near = np.flatnonzero(distance[:, m] <= reach)
            corners = mover.mesh.triangles12[:, :9].reshape(-1, 3)
            for part in np.array_split(near, max(len(near) // 256, 1)):
                if len(part):
                    pose = poses[part, m]
                    moved = (corners @ pose[:, :, :3].transpose(0, 2, 1) + pose[:, None, :, 3]) @ frame.T
                    apart = scenes.gaps(local[part], moved.reshape(len(part), -1, 3, 3))
                    gaps[part] = np.minimum(gaps[part], apart)
        return gaps

    def _check_gaps(self, local: Any, frame: Any, first: int) -> list[Breach]:
        """The gap is half the skin, or has not become smaller; nothing is tunnelled; no body stays inside something."""
        verdict = check_walk(self.triangles @ frame.T, local)
        gaps, half = verdict.gaps.copy(), 0.5 * self.settings.skin
        gaps[0] = scenes.gaps(local[:1], (self.triangles @ frame.T)[None])[0]
        if self.movers:
            gaps = np.minimum(gaps, self._mover_gaps(local, frame, first))
        found = []
        kept = np.full(len(gaps) - 1, half) if self.movers else np.minimum(gaps[:-1], half)
        for k in np.flatnonzero(gaps[1:] < kept - GAP_TOLERANCE).tolist():
            if gaps[k + 1] < CROWDED_GAP * self.settings.skin or "crowded" not in self._events(first + k):
                found.append(self._breach(first + k, "gap", -gaps[k + 1], -kept[k]))
        for k in np.flatnonzero(verdict.through[1:]).tolist():
            if not set(self._events(first + k)) & {*MOVED, "pushed"}:
                found.append(self._breach(first + k, "tunnel", 1.0, 0.0))
        inside, limit = 0, math.ceil(STUCK_SECONDS / self.settings.dt)
        for k in range(1, len(gaps)):
            inside = inside + 1 if gaps[k] < half - 100.0 * GAP_TOLERANCE else 0
            if inside == limit:
                found.append(self._breach(first + k - 1, "stuck", inside, limit))
        return found
