"""Warnings about a level's geometry: what can be built, but is seldom meant.

Each is told once a piece, at the worst place. A piece that means it says `intended`, and stays unmentioned.
What is looked for is kept narrow on purpose: a warning that is often wrong is soon read by nobody.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from game.level import player
from game.level.build import Origin
from game.level.faces import Flags, Floats, unit_normals
from game.level.findings import Report, quoted
from game.level.pairs import Index, distance_from_origin, nearest_on_segments, overlapping, separation
from game.level.plan import Crowded, Plan
from game.level.quads import split

if TYPE_CHECKING:
    from game.level.level import Level

NEAR_SLOPE = 2.0  # degrees around the slope limit where one cannot see whether it can be walked
HIGH_STEP = 0.05  # metres above the step height that look as if they could be stepped
TIGHTEST = 0.30  # metres: a gap between things that is narrower is no passage
LOWEST = 1.0  # metres: less head room than this is a table, no passage
CRACK = (1e-4, 0.015)  # metres between floors that were meant to meet
UPRIGHT = 0.05  # of the normal's height, for walls
SAMPLES = 5  # along each side of a floor, at most, where head room is looked at
SAMPLE_STEP = 0.8  # metres between them, at least
BURIED = 0.9  # of the body: nearer to its middle than this, something sticks in it
ROOM_TO_STAND = 0.25  # metres: narrower ledges are nowhere that one stands
SHEETS = ("floor", "quad", "triangle")  # may be seen from behind; the other pieces are closed
UNDER = ("stairs", "spiral_stairs", "ramp")  # the space below them is low by nature


def look_over(level: Level, report: Report) -> None:
    """Add every warning about the geometry of a level to its report."""
    survey = Survey(level, report)
    looks = {
        _slopes: "steep slopes",
        _steps: "steps",
        _passages: "narrow passages",
        _head_room: "head room",
        _cracks: "cracks",
        _same_plane: "faces that lie on each other",
        _flipped: "flipped quads",
        _spawns: "where one begins",
        _goal: "the goal",
        _exits: "the exits",
    }
    for look, what in looks.items():
        try:
            look(survey)
        except Crowded:
            message = f"too much lies in one place to look at {what}"
            report.add("warning", level.origins[0].place, "pieces", message, "spread it out, or make fewer copies")


def _named(origin: Origin) -> str:
    return f"`{origin.label}` (line {origin.place.line})"


@dataclass(frozen=True, slots=True)
class _Below:
    """The highest walkable ground under each of some points, within limits; -inf where there is none."""

    height: Floats
    face: Index


class Survey:
    """The colliding faces of a level, measured once, and what was told of them."""

    def __init__(self, level: Level, report: Report) -> None:
        self.level = level
        self.report = report
        collide = np.array([origin.collide for origin in level.origins], dtype=np.bool_)
        self.faces = level.faces.keep(collide[level.faces.origin])
        self.corners = self.faces.corners
        self.normals = unit_normals(self.corners)
        self.low, self.high = self.corners.min(axis=1), self.corners.max(axis=1)
        area = np.linalg.norm(
            np.cross(self.corners[:, 2] - self.corners[:, 0], self.corners[:, 3] - self.corners[:, 1]), axis=1
        )
        longest = np.linalg.norm(np.roll(self.corners, -1, axis=1) - self.corners, axis=-1).max(axis=1)
        self.breadth: Floats = area / 2 / np.maximum(longest, 1e-9)
        self.walkable: Flags = self.normals[:, 1] >= np.cos(np.radians(player.MAX_SLOPE))
        self.upright: Flags = np.abs(self.normals[:, 1]) < UPRIGHT
        self.triangles, self.face_of = split(self.corners, self.faces.triangular)
        self.plan = Plan(self.triangles)
        self._told: set[tuple[int, str]] = set()

    def origin(self, face: int) -> Origin:
        return self.level.origins[int(self.faces.origin[face])]

    def tell(self, kind: str, face: int, message: str, cure: str, other: int | None = None) -> None:
        """Warn about a face's piece, once a kind, unless it (or the other) means it or said it before."""
        if other is None or kind not in self.origin(other).intended:
            self.tell_origin(kind, int(self.faces.origin[face]), message, cure)

    def tell_origin(self, kind: str, index: int, message: str, cure: str) -> None:
        origin = self.level.origins[index]
        if kind not in origin.intended | origin.told and (index, kind) not in self._told:
            self._told.add((index, kind))
            self.report.add("warning", origin.place, origin.label, message, cure)

    def in_order(self, one: int, other: int) -> tuple[int, int]:
        """Two faces, the one whose piece is written first before the other."""
        earlier, later = sorted((one, other), key=lambda face: int(self.faces.origin[face]))
        return earlier, later

    def named(self, face: int) -> str:
        return _named(self.origin(face))

    def is_solid_from_inside(self, face: int) -> bool:
        """Whether a face seen from below is the top of a solid that one is inside of, not the back of a sheet."""
        return bool(self.normals[face, 1] > 0.0) and self.origin(face).kind not in SHEETS

    def ground(self, points: Floats, low: Floats, high: Floats, breadth: float = 0.0) -> _Below:
        """Under points (P,2): the highest walkable ground between low and high (P,) that is as broad as that."""
        point, triangle, height = self.plan.at(points)
        face = self.face_of[triangle]
        fits = self.walkable[face] & (self.breadth[face] > breadth) & (height >= low[point]) & (height <= high[point])
        found = np.full(len(points), -np.inf)
        which = np.full(len(points), -1, np.int64)
        order = np.argsort(height[fits], kind="stable")
        found[point[fits][order]] = height[fits][order]
        which[point[fits][order]] = face[fits][order]
        return _Below(found, which)

    def above(self, points: Floats, heights: Floats, margin: float) -> tuple[Floats, Index]:
        """The lowest face more than `margin` over heights (P,) at points (P,2), and which; inf where none."""
        point, triangle, height = self.plan.at(points)
        fits = height > heights[point] + margin
        found = np.full(len(points), np.inf)
        which = np.full(len(points), -1, np.int64)
        order = np.argsort(-height[fits], kind="stable")
        found[point[fits][order]] = height[fits][order]
        which[point[fits][order]] = self.face_of[triangle[fits][order]]
        return found, which


def _slopes(survey: Survey) -> None:
    slope = np.degrees(np.arccos(np.clip(survey.normals[:, 1], -1.0, 1.0)))
    size = np.linalg.norm(survey.high - survey.low, axis=1)
    near = np.nonzero((np.abs(slope - player.MAX_SLOPE) < NEAR_SLOPE) & (size > 0.3))[0]
    for face in near[np.argsort(-size[near], kind="stable")]:
        verb = "can just" if slope[face] <= player.MAX_SLOPE else "just cannot"
        survey.tell(
            "steep", int(face),
            f"a slope of {slope[face]:.1f} degrees {verb} be walked, and nobody sees which",
            f"stay {NEAR_SLOPE:g} degrees clear of the limit, {player.MAX_SLOPE:g}; or `intended: [steep]`",
        )  # fmt: skip


def _steps(survey: Survey) -> None:
    """Upright faces with a level upper edge, ground in front of it and ground to stand on behind it."""
    corners = survey.corners
    top = survey.high[:, 1]
    on_top = corners[:, :, 1] > top[:, None] - 1e-3
    along = on_top & np.roll(on_top, -1, axis=1)
    edge_length = np.linalg.norm((np.roll(corners, -1, axis=1) - corners)[:, :, ::2], axis=-1)
    edge = np.argmax(np.where(along, edge_length, 0.0), axis=1)
    rows = np.arange(len(corners))
    long_enough = along[rows, edge] & (edge_length[rows, edge] > 0.2)
    chosen = np.nonzero(survey.upright & long_enough)[0]
    if not len(chosen):
        return
    middle = (corners[chosen, edge[chosen]] + corners[chosen, (edge[chosen] + 1) % 4]) / 2
    outward = survey.normals[chosen][:, ::2]
    height = top[chosen]
    behind = middle[:, ::2] - 0.05 * outward
    back = survey.ground(behind, height - 2e-3, height + 2e-3)
    front = survey.ground(middle[:, ::2] + 0.10 * outward, height - 2.0, height + 1e-3)
    over, cover = survey.above(behind, height, 0.01)
    inside = np.array([face >= 0 and survey.is_solid_from_inside(int(face)) for face in cover], dtype=np.bool_)
    rise = height - front.height
    limit = player.STEP_HEIGHT
    high = (rise > limit + 1e-4) & (rise <= limit + HIGH_STEP) & np.isfinite(back.height)
    high &= (over - height > player.CROUCHED) & ~inside
    for k in np.nonzero(high)[0]:
        survey.tell(
            "step", int(chosen[k]),
            f"a step of {rise[k]:.3f} m from {survey.named(int(front.face[k]))}: "
            f"{(rise[k] - limit) * 1000:.0f} mm more than a player can step",
            f"{limit:.2f} m is the most; or `intended: [step]`",
        )  # fmt: skip


def _passages(survey: Survey) -> None:
    """Upright faces that look at each other over a gap that one would try to walk through."""
    chosen = np.nonzero(survey.upright & (survey.high[:, 1] - survey.low[:, 1] > LOWEST))[0]
    reach = player.BREADTH / 2
    near = overlapping(survey.low[chosen] - [reach, 0, reach], survey.high[chosen] + [reach, 0, reach])
    i, j = chosen[near[0]], chosen[near[1]]
    low = np.maximum(survey.low[i, 1], survey.low[j, 1])
    tall = np.minimum(survey.high[i, 1], survey.high[j, 1]) - low > LOWEST
    opposed = np.einsum("pd,pd->p", survey.normals[i], survey.normals[j]) < -0.8
    i, j, low = i[tall & opposed], j[tall & opposed], low[tall & opposed]
    one, other = nearest_on_segments(*_footprint(survey, i), *_footprint(survey, j))
    way = other - one
    gap = np.linalg.norm(way, axis=1)
    unit = way / np.maximum(gap, 1e-9)[:, None]
    facing = (np.einsum("pd,pd->p", survey.normals[i][:, ::2], unit) > 0.9) & (
        np.einsum("pd,pd->p", survey.normals[j][:, ::2], unit) < -0.9
    )
    tight = facing & (gap > 1e-3) & (gap < player.BREADTH)
    i, j, low, gap, one, unit = i[tight], j[tight], low[tight], gap[tight], one[tight], unit[tight]
    nearest = np.full(len(survey.corners), np.inf)
    np.minimum.at(nearest, i, gap)
    np.minimum.at(nearest, j, gap)
    open_way = (gap >= TIGHTEST) & (gap <= nearest[i] + 1e-6) & (gap <= nearest[j] + 1e-6)
    i, j, low, gap, one, unit = (part[open_way] for part in (i, j, low, gap, one, unit))
    middle = one + unit * (gap / 2)[:, None]
    aside = np.stack([-unit[:, 1], unit[:, 0]], axis=1)
    step = player.STEP_HEIGHT
    ground = survey.ground(middle, low - step - 0.05, low + 0.05)
    entered = np.zeros(len(i), np.bool_)
    for sign in (1.0, -1.0):
        for far in (0.4, 1.0):
            outside = survey.ground(middle + sign * far * aside, ground.height - step, ground.height + step)
            entered |= np.isfinite(outside.height)
    for k in np.argsort(gap, kind="stable"):
        if not (np.isfinite(ground.height[k]) and entered[k]):
            continue
        earlier, later = survey.in_order(int(i[k]), int(j[k]))
        verb = "passes sideways only" if gap[k] >= player.DEPTH else "cannot pass"
        survey.tell(
            "narrow", later,
            f"{gap[k]:.3g} m between this and {survey.named(earlier)}: a player {verb}",
            f"{player.BREADTH:.2f} m is enough; or `intended: [narrow]`", earlier,
        )  # fmt: skip


def _footprint(survey: Survey, faces: Index) -> tuple[Floats, Floats]:
    """The line (P,2), (P,2) that upright faces stand on: their two corners furthest apart on the plan."""
    plan = survey.corners[faces][:, :, ::2]
    start = plan[:, 0]
    far = np.argmax(np.linalg.norm(plan - start[:, None], axis=-1), axis=1)
    end = plan[np.arange(len(faces)), far]
    far = np.argmax(np.linalg.norm(plan - end[:, None], axis=-1), axis=1)
    return plan[np.arange(len(faces)), far], end


def _head_room(survey: Survey) -> None:
    """Looked at from places on floors, and on floors under places of ceilings: either may be much the larger."""
    kinds = np.array([origin.kind for origin in survey.level.origins])[survey.faces.origin]
    floors = np.nonzero(survey.walkable & (survey.breadth > ROOM_TO_STAND))[0]
    sheets = (kinds == "floor") & (survey.normals[:, 1] > 0.0)
    ceilings = np.nonzero(((survey.normals[:, 1] < -0.5) | sheets) & ~np.isin(kinds, UNDER))[0]
    points, below = _samples(survey, floors)
    over_floors, _ = _samples(survey, ceilings)
    ground = survey.ground(
        over_floors[:, ::2], over_floors[:, 1] - player.HEIGHT, over_floors[:, 1] - LOWEST, ROOM_TO_STAND
    )
    found = np.isfinite(ground.height)
    over_floors[:, 1] = ground.height
    points, below = np.concatenate([points, over_floors[found]]), np.concatenate([below, ground.face[found]])
    ceiling, above = survey.above(points[:, ::2], points[:, 1], 0.02)
    clear = ceiling - points[:, 1]
    for k in np.nonzero((clear >= LOWEST) & (clear < player.HEIGHT - 1e-6))[0]:
        over, under = int(above[k]), int(below[k])
        downward = survey.normals[over, 1] < 0.0
        same = survey.faces.origin[over] == survey.faces.origin[under]
        kind = survey.origin(over).kind
        opening = same and kind in ("wall", "arch", "room")
        if opening or (not downward and kind != "floor") or (kind in UNDER and not same):
            continue
        verb = "has to crouch" if clear[k] >= player.CROUCHED else "cannot pass"
        survey.tell(
            "low", over, f"{clear[k]:.2f} m of head room over {survey.named(under)}: a player {verb}",
            f"{player.HEIGHT:.2f} m is enough; or `intended: [low]`", under,
        )  # fmt: skip


def _samples(survey: Survey, faces: Index) -> tuple[Floats, Index]:
    """Places (P,3) spread over faces, and the face that each is on."""
    a, b, _, d = (survey.corners[faces, k] for k in range(4))
    sides = np.stack([np.linalg.norm(b - a, axis=1), np.linalg.norm(d - a, axis=1)], axis=1)
    counts = np.clip((sides / SAMPLE_STEP).astype(int), 1, SAMPLES)
    places, owner = [np.zeros((0, 3))], [np.zeros(0, np.int64)]
    for across in range(1, SAMPLES + 1):
        for down in range(1, SAMPLES + 1):
            some = faces[(counts[:, 0] == across) & (counts[:, 1] == down)]
            parts = [((u + 0.5) / across, (v + 0.5) / down) for u in range(across) for v in range(down)]
            a, b, c, d = (survey.corners[some, k] for k in range(4))
            for u, v in parts if len(some) else ():
                places.append((a * (1 - u) + b * u) * (1 - v) + (d * (1 - u) + c * u) * v)
                owner.append(some)
    return np.concatenate(places), np.concatenate(owner)


def _cracks(survey: Survey) -> None:
    """Floors at one height that nearly meet."""
    chosen = np.nonzero(survey.walkable)[0]
    reach = CRACK[1]
    near = overlapping(survey.low[chosen] - reach / 2, survey.high[chosen] + reach / 2)
    i, j = chosen[near[0]], chosen[near[1]]
    other_piece = survey.faces.origin[i] != survey.faces.origin[j]
    i, j = i[other_piece], j[other_piece]
    gap = separation(survey.corners[i][:, :, ::2], survey.corners[j][:, :, ::2])
    for k in np.nonzero((gap > CRACK[0]) & (gap < CRACK[1]))[0]:
        earlier, later = survey.in_order(int(i[k]), int(j[k]))
        survey.tell(
            "crack",
            later,
            f"a crack of {gap[k] * 1000:.1f} mm between this and {survey.named(earlier)}",
            "make them meet",
        )


def _same_plane(survey: Survey) -> None:
    """Drawn faces in one plane that look the same way: the same face twice, or a flicker of two surfaces."""
    level = survey.level
    visible = np.array([origin.visible for origin in level.origins], dtype=np.bool_)
    faces = level.faces.keep(visible[level.faces.origin])
    normals = unit_normals(faces.corners)
    offset = np.einsum("md,md->m", normals, faces.corners[:, 0])
    key = np.round(np.column_stack([normals * 1e4, offset * 1e3])).astype(np.int64)
    _, group = np.unique(key, axis=0, return_inverse=True)
    low, high = faces.corners.min(axis=1), faces.corners.max(axis=1)
    shrink = np.minimum(2e-3, (high - low) / 4)
    near = overlapping(low + shrink - 1e-6, high - shrink + 1e-6, group.reshape(-1).astype(np.int64))
    i, j = near
    axis = np.argmax(np.abs(normals[i]), axis=1)
    kept = np.array([[1, 2], [2, 0], [0, 1]])[axis]
    flat = [np.take_along_axis(faces.corners[part], np.repeat(kept[:, None], 4, axis=1), axis=2) for part in (i, j)]
    deep = separation(*flat) < -2e-3
    for first, second in zip(i[deep], j[deep], strict=True):
        rims = [np.unique(np.round(faces.corners[face], 5), axis=0) for face in (first, second)]
        alike = rims[0].shape == rims[1].shape and bool(np.all(rims[0] == rims[1]))
        if not alike and faces.surface[first] == faces.surface[second]:
            continue
        earlier, later = sorted((int(faces.origin[first]), int(faces.origin[second])))
        other = "a copy of itself" if earlier == later else _named(level.origins[earlier])
        message = f"a face lies exactly on {other}" if alike else f"a face flickers: it lies in one plane with {other}"
        survey.tell_origin("flicker", later, message, "move one of them")


def _flipped(survey: Survey) -> None:
    """Quads of the author's own whose neighbours all look the other way."""
    faces = survey.level.faces
    own = np.array([origin.kind in ("quad", "triangle") for origin in survey.level.origins], dtype=np.bool_)
    faces = faces.keep(own[faces.origin])
    if not len(faces):
        return
    _, ids = np.unique(np.round(faces.corners.reshape(-1, 3), 4), axis=0, return_inverse=True)
    ids = ids.reshape(-1, 4)
    edges: dict[tuple[int, int], list[tuple[int, bool]]] = {}
    for face, row in enumerate(ids.tolist()):
        for a, b in zip(row, row[1:] + row[:1], strict=True):
            if a != b:
                edges.setdefault((min(a, b), max(a, b)), []).append((face, a < b))
    against: dict[int, list[int]] = {}
    matched = np.zeros(len(faces), np.int64)
    for users in edges.values():
        if len(users) == 2:
            (one, forward), (other, also) = users
            matched[[one, other]] += 1
            if forward == also:
                against.setdefault(one, []).append(other)
                against.setdefault(other, []).append(one)
    told: set[int] = set()
    for face in sorted(against, key=lambda face: (-len(against[face]) / matched[face], -face)):
        if 2 * len(against[face]) > matched[face] and not told & set(against[face]):
            told.add(face)
            neighbour = survey.level.origins[int(faces.origin[against[face][0]])]
            message = f"it looks the other way than {_named(neighbour)} beside it"
            survey.tell_origin("flipped", int(faces.origin[face]), message, "list its corners the other way round")


def _spawns(survey: Survey) -> None:
    rx, ry, rz = player.RADII
    for spawn in survey.level.spawns:
        feet = np.array(spawn.feet)
        where = f"spawn ({spawn.name})"
        centre = feet + np.array([0.0, ry, 0.0])
        angle = spawn.heading / 65536 * 2 * np.pi
        sine, cosine = np.sin(angle), np.cos(angle)
        local = survey.triangles - centre
        body = np.stack(
            [
                (local[..., 0] * cosine - local[..., 2] * sine) / rx,
                local[..., 1] / ry,
                (local[..., 0] * sine + local[..., 2] * cosine) / rz,
            ],
            axis=-1,
        )
        distance = distance_from_origin(body)
        _, _, height = survey.plan.at(feet[None, ::2])
        over, above = survey.above(feet[None, ::2], centre[None, 1], 0.0)
        worst = int(np.argmin(distance))
        place = spawn.place
        if distance[worst] < BURIED:
            message = f"the player stands in {survey.named(int(survey.face_of[worst]))}"
            survey.report.add("warning", place, where, message, "move it, or give it more room")
        elif np.isfinite(over[0]) and survey.is_solid_from_inside(int(above[0])):
            survey.report.add(
                "warning", place, where, f"the player stands inside {survey.named(int(above[0]))}", "move it"
            )
        elif not (height < centre[1]).any():
            survey.report.add("warning", place, where, "there is nothing below to stand on", "move it over a floor")
        if feet[1] <= survey.level.kill_height:
            survey.report.add(
                "warning", place, where, "it is below the kill height", "raise it, or lower `kill_height`"
            )


def _goal(survey: Survey) -> None:
    goal, kill_height = survey.level.goal, survey.level.kill_height
    if goal is not None and goal.at[1] + goal.radius <= kill_height:
        cure = "raise it, or lower `kill_height`"
        survey.report.add("warning", goal.place, "goal", "it is below the kill height", cure)


def _exits(survey: Survey) -> None:
    """Exits that nobody can come to, or that are taken by standing where one begins."""
    for way in survey.level.exits:
        if way.at[1] + way.radius <= survey.level.kill_height:
            cure = "raise it, or lower `kill_height`"
            survey.report.add("warning", way.place, "exits", "it is below the kill height", cure)
        for spawn in survey.level.spawns:
            if np.linalg.norm(np.subtract(spawn.feet, way.at)) <= way.radius:
                message = f"a player begins inside it, at {quoted(spawn.name)}"
                survey.report.add("warning", way.place, "exits", message, "move one of them, or make it smaller")
