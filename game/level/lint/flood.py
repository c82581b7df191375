"""Flood over the cells on which a player can stand: what is reached by steps, drops, jumps, and by what carries.

A grid of columns cuts all static faces. A cell is a place of a column where a face is no steeper than the player walks
and leaves room for the crouched body. Links join cells of neighbouring columns; a wall between them cuts the link.
Lifts, ladders, water, zones of gravity, pads and teleports join the cells in and near their boxes. A jump over a gap
needs a free line of sight. Cells and links that the player just cannot use (`OBSTACLES`) are kept, to explain what is
not reached. Source of the columns: Mononen, Recast navigation, heightfield and compact heightfield.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...core.vectors import Flags, Floats, Indices, ranges
from ..build.entities.zones import LevelZone
from ..build.pieces import CLOSED_KINDS, NATURAL_KINDS
from ..build.pieces.zones import LADDER_REACH
from ..geometry.overlapping_pairs import find_boxes_near, find_overlapping_pairs, nearest_on_segments
from ..geometry.unique_rows import connected
from .context import UP, Context, zone_bounds

CELL, MAX_CELL, MAX_COLUMNS = 0.25, 0.7, 120_000  # m: least and largest side of a column, which grows with the level
MAX_HITS = 3_000_000  # faces in columns; bounds memory
ORIGIN = np.array([0.0713, 0.1129])  # m: keeps columns off the edges of faces
UPRIGHT = 0.17  # |normal.y| of a wall, at most
STEEPEST = 0.42  # normal.y of a slope that looks like a way, at least: 65 degrees
SAME = 0.02  # m between two faces that are one floor
MIN_HEADROOM = 0.5  # m: less does not look like a way
OBSTACLES = ("", "low", "steep", "narrow", "void", "step")  # void: a kill box; step: too high to jump on
LOW, STEEP, NARROW, KILL, HIGH, CLOSED = range(1, 7)
MAX_STEP = 0.7  # m above what a player jumps on, up to which a step looks like a way
SPAWN_REACH = 1.5  # m from a spawn to the cell where it begins
DECK_REACH, DECK_DROP = 2.0, 30.0  # m from the way of a mover to what one comes to from it, beside and below
SWIM_REACH, WATER_CLIMB = 0.6, 1.0  # m from water to its banks, beside and above
CLIMB_REACH, CLIMB_LEAP = 0.5, 2.5  # m from the zone of a ladder to where one climbs on and off, or drops to
CLIMB_RISE = 0.65  # m from the top of a ladder up to where one jumps
FLIGHT_TIME, FLIGHT_STEP, FLIGHT_REACH = 6.0, 0.05, 2.0  # s, s, m: of a flight from a pad
BOUNCE_HEIGHT, BOUNCE_REACH = 10.0, 4.0  # m from bouncing ground to what a player comes to
LEAPS, MAX_LEAPS = 16, 256  # from the nearest places to one area that are tried at once, and in all
MAX_PAIRS, MIN_LANDING = 3_000_000, 4  # of such places; cells of an area that one jumps to
MAX_LEAP, LEAP_STEP = 12.0, 2.0  # m: of a leap, and between the leaps from one place that are tried


@dataclass(frozen=True)
class Hub:
    """Something that carries the player: from the cells `enter` to the cells `leave`. Boxes (n,2,3) of where it is.

    mover: its number from 1 on, or 0. ladder: its number, or -1. is_flight: whether one only passes there.
    """

    enter: Indices
    leave: Indices
    boxes: Floats
    mover: int = 0
    ladder: int = -1
    is_flight: bool = False


class Flood:
    """Cells (n,) of a level and what is reached from its spawns.

    places (n,3): feet, m. face, roof (n,): faces below and above (-1: none). head (n,): room between them, m.
    obstacle (n,): index into OBSTACLES; 0 for a cell on which a player can stand. src, dst (l,): links, with their
    obstacle `cut` (l,) and what makes it, `cut_by` (l,): the gap of a NARROW one, else the face of a wall, or -1.
    gap_pairs (g,2), gap_widths (g,): faces and width (m) of narrow passages.
    reached (n,): whether a player comes there; is_known: False if the level is too large for a flood.
    """

    def __init__(self, context: Context, is_known: bool = True) -> None:
        self.context = context
        body = context.body
        self.up = body.jump_height + body.step_height
        faces = context.walkable & context.static
        plan = context.corners[faces][..., ::2].reshape(-1, 2)
        low, high = (plan.min(axis=0), plan.max(axis=0)) if len(plan) else (np.zeros(2), np.zeros(2))
        a, b, c = np.moveaxis(context.triangles[faces[context.face_of]][..., ::2], 1, 0)
        u, v = (b - a).T, (c - a).T
        covered = np.abs(u[0] * v[1] - u[1] * v[0]).sum() / 2.0
        self.ground = min(float(covered), float(np.prod(high - low))) + CELL**2  # m2 on the plan, at most
        self.cell = max(CELL, math.sqrt(self.ground / MAX_COLUMNS))
        self.is_known = is_known and bool(len(plan)) and self.cell <= MAX_CELL
        self.origin = np.floor(low) - self.cell + ORIGIN
        self.size = (
            (np.ceil((high - self.origin) / self.cell).astype(np.int64) + 1) if self.is_known else np.ones(2, int)
        )
        self.narrow_pairs()
        self.find_cells()
        self.find_links()
        self.hubs = self.find_hubs() if self.is_known else []
        self.reach()

    def find_cells(self) -> None:
        """Cut the static faces by the columns, and keep the places with some room above them."""
        context = self.context
        rows = np.nonzero(context.static[context.face_of])[0] if self.is_known else np.zeros(0, np.int64)
        a, b, c = (context.triangles[rows, k] for k in range(3))
        normal = np.cross(b - a, c - a)
        flat = np.abs(normal[:, 1]) > 1e-6 * np.linalg.norm(normal, axis=1)
        rows, a, b, c, normal = rows[flat], a[flat], b[flat], c[flat], normal[flat]
        low, high = np.minimum(np.minimum(a, b), c)[:, ::2], np.maximum(np.maximum(a, b), c)[:, ::2]
        first = np.maximum(np.ceil((low - self.origin) / self.cell).astype(np.int64), 0)
        last = np.minimum(np.floor((high - self.origin) / self.cell).astype(np.int64), self.size - 1)
        widths = np.maximum(last - first + 1, 0)
        sizes = widths.prod(axis=1)
        if sizes.sum() > MAX_HITS:
            self.is_known = False
            sizes[:] = 0
        tri, rank = ranges(0, sizes)
        ix, iz = np.divmod(rank, np.maximum(widths[tri, 1], 1))
        ix, iz = ix + first[tri, 0], iz + first[tri, 1]
        x, z = self.origin[0] + ix * self.cell, self.origin[1] + iz * self.cell
        inside = np.ones(len(tri), np.bool_)
        side = np.sign(normal[:, 1])
        for p, q in ((a, b), (b, c), (c, a)):
            edge = (q - p)[:, ::2]
            cross = edge[tri, 1] * (x - p[tri, 0]) - edge[tri, 0] * (z - p[tri, 2])
            inside &= cross * side[tri] >= -1e-9
        tri, x, z = tri[inside], x[inside], z[inside]
        column = ix[inside] * self.size[1] + iz[inside]
        offset = (x - a[tri, 0]) * normal[tri, 0] + (z - a[tri, 2]) * normal[tri, 2]
        height = a[tri, 1] - offset / normal[tri, 1]
        order = np.lexsort((height, column))
        column, height, x, z = column[order], height[order], x[order], z[order]
        face = context.face_of[rows[tri[order]]]
        self.columns, first = np.unique(column, return_index=True)  # those with faces
        self.lowest = height[first]  # height of the lowest face of each
        # the next face of the column that is not the same floor
        count = len(column)
        above = np.arange(1, count + 1)
        for _ in range(8):
            at = np.minimum(above, count - 1)
            near = (above < count) & (column[at] == column) & (height[at] - height < SAME) if count else above < 0
            if not near.any():
                break
            above[near] += 1
        at = np.minimum(above, max(count - 1, 0))
        roofed = (above < count) & (column[at] == column) if count else np.zeros(0, np.bool_)
        roof = np.where(roofed, face[at], -1) if count else face
        head = np.where(roofed, height[at] - height, np.inf) if count else height
        slope = context.normals[face, 1]
        solid = np.isin(context.kinds, (*CLOSED_KINDS, *NATURAL_KINDS)) & (context.normals[:, 1] > 0.0)
        solid &= ~context.faces.rests  # the floor of a room is a sheet
        keep = (slope >= STEEPEST) & (head >= MIN_HEADROOM) & ~(roofed & solid[roof])
        self.column, self.face, self.roof, self.head = column[keep], face[keep], roof[keep], head[keep]
        self.places = np.stack([x, height, z], axis=1)[keep]
        body = context.body
        self.obstacle = np.where(self.head < body.clear_crouch_height - 1e-6, LOW, 0)
        self.obstacle[~context.walkable[self.face]] = STEEP
        feet = self.places + 0.1 * UP
        self.killer = np.full(len(feet), -1)
        for number, zone in enumerate(context.kill_boxes):
            self.killer[zone.contains_points(feet)] = number
        self.obstacle[(self.killer >= 0) | (feet[:, 1] < context.level.kill_height)] = KILL

    def narrow_pairs(self) -> None:
        """Find the gaps between walls that face each other in which the body does not even fit sideways."""
        context, width = self.context, self.context.body.clear_depth
        tall = context.high[:, 1] - context.low[:, 1] > self.up / 2.0
        walls = np.nonzero((np.abs(context.normals[:, 1]) < UPRIGHT) & context.static & tall)[0]
        walls = walls if self.is_known else walls[:0]
        reach = np.array([width / 2.0, 0.0, width / 2.0])
        i, j = (walls[k] for k in find_overlapping_pairs(context.low[walls] - reach, context.high[walls] + reach))
        low, high = np.maximum(context.low[i, 1], context.low[j, 1]), np.minimum(context.high[i, 1], context.high[j, 1])
        chosen = (np.einsum("pd,pd->p", context.normals[i], context.normals[j]) < -0.8) & (high - low > self.up / 2.0)
        i, j, low, high = i[chosen], j[chosen], low[chosen], high[chosen]
        start, end = nearest_on_segments(*self._footprint(i), *self._footprint(j))
        gap = np.linalg.norm(end - start, axis=1)
        unit = (end - start) / np.maximum(gap, 1e-9)[:, None]
        facing = np.einsum("pd,pd->p", context.normals[i][:, ::2], unit) > 0.9
        tight = facing & (gap > 1e-3) & (gap < width - 1e-6)
        self.gap_pairs, self.gap_widths = np.stack([i, j], axis=1)[tight], gap[tight]
        self.gap_ends, self.gap_heights = (start[tight], end[tight]), (low[tight], high[tight])

    def _footprint(self, faces: Indices) -> tuple[Floats, Floats]:
        """Ends (P,2) and (P,2) of walls on the plan: the two corners that are furthest apart."""
        plan = self.context.corners[faces][:, :, ::2]
        far = np.argmax(np.linalg.norm(plan - plan[:, :1], axis=-1), axis=1)
        end = plan[np.arange(len(faces)), far]
        far = np.argmax(np.linalg.norm(plan - end[:, None], axis=-1), axis=1)
        return plan[np.arange(len(faces)), far], end

    def find_links(self) -> None:
        """Join the cells of neighbouring columns, with what is between them."""
        context = self.context
        walls = np.nonzero((np.abs(context.normals[:, 1]) < UPRIGHT) & context.static)[0]
        a, b = self._footprint(walls)
        grow = 0.02  # m: a wall that is a little longer closes slits that the grid would pass by chance
        unit = (b - a) / np.maximum(np.linalg.norm(b - a, axis=1), 1e-9)[:, None]
        solid = (a - grow * unit, b + grow * unit, context.low[walls, 1], context.high[walls, 1])
        gaps = (*self.gap_ends, *self.gap_heights)
        found = []
        for axis in (0, 1):
            stride = int(self.size[1]) if axis == 0 else 1
            place = self.column // self.size[1] if axis == 0 else self.column % self.size[1]
            chosen = np.nonzero(place < self.size[axis] - 1)[0]
            target = self.column[chosen] + stride
            first = np.searchsorted(self.column, target)
            i, j = ranges(first, np.searchsorted(self.column, target, "right") - first)
            i = chosen[i]
            h, k = self.places[i, 1], self.places[j, 1]
            room = np.minimum(h + self.head[i], k + self.head[j]) - np.maximum(h, k)
            near = room >= MIN_HEADROOM
            i, j, h, k, room = i[near], j[near], h[near], k[near], room[near]
            low = np.where(room < context.body.clear_crouch_height - 1e-6, LOW, 0)
            cut = np.maximum(self.obstacle[i], self.obstacle[j])
            cut = np.where((cut == 0), low, cut)
            closed, wall = self._crossed(axis, self.column[i], h, k, solid)
            narrow, gap = self._crossed(axis, self.column[i], h, k, gaps)
            face = np.append(walls, -1)[wall]
            for one, two, rise, back in ((i, j, k - h, 0), (j, i, h - k, 1)):
                kind = np.maximum(np.maximum(cut, closed[back]), np.where(rise > self.up, HIGH, 0))
                passes = (kind != CLOSED) & (rise <= self.up + MAX_STEP)
                tight = (narrow[back] > 0) & (kind != HIGH)
                kind, by = np.where(tight, NARROW, kind), np.where(tight, gap[back], face[back])
                found.append((one[passes], two[passes], kind[passes], by[passes]))
        src, dst, kind, by = (np.concatenate([one[k] for one in found]) for k in range(4))
        order = np.argsort(src, kind="stable")
        self.src, self.dst, self.cut, self.cut_by = src[order], dst[order], kind[order], by[order]

    def _crossed(
        self, axis: int, column: Indices, h: Floats, k: Floats, walls: tuple[Floats, Floats, Floats, Floats]
    ) -> tuple[Indices, Indices]:
        """How walls cut links from heights h to k (l,) and back (2,l): not, LOW, HIGH or CLOSED; the wall that does.

        column (l,): of the lower end of each link, along an axis of the grid.
        """
        a, b, low, high = walls
        across = 1 - axis
        swap = a[:, across] > b[:, across]
        a, b = np.where(swap[:, None], b, a), np.where(swap[:, None], a, b)
        scaled = (a - self.origin) / self.cell, (b - self.origin) / self.cell
        first = np.maximum(np.ceil(scaled[0][:, across]).astype(np.int64), 0)
        last = np.minimum(np.ceil(scaled[1][:, across]).astype(np.int64) - 1, self.size[across] - 1)
        wall, row = ranges(first, np.maximum(last - first + 1, 0))
        start, end = scaled[0][wall], scaled[1][wall]
        part = (row - start[:, across]) / np.maximum(end[:, across] - start[:, across], 1e-12)
        at = np.floor(start[:, axis] + part * (end[:, axis] - start[:, axis])).astype(np.int64)
        inside = (at >= 0) & (at < self.size[axis] - 1)
        wall, row, at = wall[inside], row[inside], at[inside]
        key = at * self.size[1] + row if axis == 0 else row * self.size[1] + at
        order = np.argsort(key, kind="stable")
        key, wall = key[order], wall[order]
        begin = np.searchsorted(key, column)
        link, entry = ranges(begin, np.searchsorted(key, column, "right") - begin)
        wall = wall[entry]
        floor = np.maximum(h, k)[link]
        meets = low[wall] < floor + self.context.body.clear_crouch_height - 1e-6
        blocked = np.zeros((2, len(column)), np.int64)
        lets_crawl = low[wall] >= floor + MIN_HEADROOM
        by = np.full((2, len(column)), -1, np.int64)
        for back, (source, target) in enumerate(((h, k), (k, h))):
            over = np.maximum(source[link] + self.up, target[link] + SAME)
            hit = meets & (high[wall] > over)
            how = np.where(lets_crawl, LOW, np.where(high[wall] <= over + MAX_STEP, HIGH, CLOSED))[hit]
            np.maximum.at(blocked[back], link[hit], how)
            worst = how == blocked[back][link[hit]]
            by[back][link[hit][worst]] = wall[hit][worst]
        return blocked, by

    def cells_in(self, low: Floats, high: Floats, any_obstacle: bool = False) -> Indices:
        """Cells on which a player can stand, or with any obstacle, in a box, m."""
        first, last = self._range(low, high)
        if (first > last).any() or not len(self.places):
            return np.zeros(0, np.int64)
        ix = np.arange(first[0], last[0] + 1)
        begin, stop = np.searchsorted(self.column, ix * self.size[1] + [[first[1]], [last[1] + 1]])
        cells = np.concatenate([np.arange(i, j) for i, j in zip(begin.tolist(), stop.tolist(), strict=True)])
        height = self.places[cells, 1]
        found: Indices = cells[(height >= low[1]) & (height <= high[1]) & ((self.obstacle[cells] == 0) | any_obstacle)]
        return found

    def _range(self, low: Floats, high: Floats) -> tuple[Indices, Indices]:
        first = np.maximum(np.ceil((low[::2] - self.origin) / self.cell).astype(np.int64), 0)
        last = np.minimum(np.floor((high[::2] - self.origin) / self.cell).astype(np.int64), self.size - 1)
        return first, last

    def cells_below(self, point: Floats, reach: float, rise: float) -> Indices:
        """The highest cell of each column within `reach` (m) of a point (3,) and up to `rise` above it."""
        low, high = point - np.array([reach, np.inf, reach]), point + np.array([reach, rise, reach])
        cells = self.cells_in(low, high)
        last = np.append(np.diff(self.column[cells]) > 0, True) if len(cells) else np.zeros(0, np.bool_)
        found: Indices = cells[last]
        return found

    def find_hubs(self) -> list[Hub]:
        """What carries players, but for what only jumps on and off."""
        context, hubs = self.context, []
        level = context.level
        for number, path in enumerate(context.paths, start=1):
            decks = context.walkable & (context.faces.mover_numbers == number)
            if decks.any():
                low, high = path.world_low, path.world_high
                side = np.array([DECK_REACH, 0.0, DECK_REACH])
                enter = self.cells_in(low - side - self.up * UP, high + side + self.up * UP)
                leave = self.cells_in(low - side - DECK_DROP * UP, high + side + self.up * UP)
                if np.ptp(path.stops()[1][:, 1]) > self.up:  # a lift stands in a shaft
                    eye, centre = np.array([0.0, context.body.radii[1], 0.0]), (low + high) / 2.0
                    middle = np.clip(self.places[leave], np.minimum(low + 0.3, centre), np.maximum(high - 0.3, centre))
                    leave = leave[self.sees(middle + eye, self.places[leave] + eye)]
                    enter = enter[np.isin(enter, leave)]
                boxes = np.array([[low - side, high + side + self.up * UP]])
                hubs.append(Hub(enter, leave, boxes, number))
        for number, ladder in enumerate(context.ladders):
            top = context.ladder_top(ladder)
            ends = np.array([(x * ladder.half_width, y, z) for x in (-1.0, 1.0) for y in (-0.1, top - ladder.foot[1])
                             for z in (-0.2, LADDER_REACH)])  # fmt: skip
            ends[:, 1] /= max(float(ladder.axes[1, 1]), 1e-9)
            points = ladder.foot + ends @ ladder.axes
            around = np.array([CLIMB_REACH, CLIMB_RISE, CLIMB_REACH])
            low, high = points.min(axis=0) - around - self.up * UP, points.max(axis=0) + around
            side = np.array([CLIMB_LEAP, 0.0, CLIMB_LEAP])
            near, far = self.cells_in(low, high), self.cells_in(low - side, high + side - (CLIMB_RISE + SAME) * UP)
            leave = np.union1d(near, far)
            eye = context.body.radii[1] * UP
            climber = ladder.climber * (1.0 - UP) + self.places[leave] * UP
            leave = leave[self.sees(climber + eye, self.places[leave] + eye)]
            hubs.append(Hub(np.intersect1d(near, leave), leave, np.array([[low, high]]), ladder=number))
        for zone in level.all_zones:
            low, high = zone_bounds(zone)
            if zone.mover >= 0 or zone.acts_by("climb"):
                continue
            if zone.arrive is not None:
                at = np.array(zone.arrive)
                leave = self.cells_below(at, SPAWN_REACH / 2.0, self.up)
                hubs.append(Hub(self.cells_in(low - 0.4, high + 0.4), leave, _around(at[None], 0.5), is_flight=True))
            elif zone.acts_by("launch"):
                flight, _ = self.flight_from(zone)
                passed = [self.cells_in(*box) for box in _around(flight[::-4], FLIGHT_REACH)]
                leave = np.unique(np.concatenate([*passed, self.cells_below(flight[-1], FLIGHT_REACH, 0.0)]))
                boxes = _around(flight[::4], 0.5)
                hubs.append(Hub(self.cells_in(low - 0.4, high + 0.4), leave, boxes, is_flight=True))
            elif zone.facts.carries:
                reach, rise = (SWIM_REACH, WATER_CLIMB) if zone.facts.is_water else (DECK_REACH, self.up)
                side = np.array([reach, 0.0, reach])
                box = low - side - self.up * UP, high + side + rise * UP
                cells = self.cells_in(*box)
                hubs.append(Hub(cells, cells, np.array([box])))
        bounces = np.array([surface.bounce > 0.0 for surface in level.surfaces], np.bool_)[context.faces.surface]
        for face in np.nonzero(bounces & context.walkable)[0][:50].tolist():
            low, high = context.low[face], context.high[face]
            side = np.array([BOUNCE_REACH, 0.0, BOUNCE_REACH])
            box = low - side, high + side + BOUNCE_HEIGHT * UP
            hubs.append(Hub(self.cells_in(low - 0.2, high + 0.2), self.cells_in(*box), np.array([box])))
        return hubs

    def flight_from(self, zone: LevelZone) -> tuple[Floats, int]:
        """Feet (n,3) of a body that a pad throws, until its middle or its head meets a face, and that face, or -1."""
        body = self.context.body
        times = np.arange(0.0, FLIGHT_TIME, FLIGHT_STEP)[:, None]
        flight = np.array(zone.centre) + np.array(dict(zone.physics)["launch"]) * times
        flight[:, 1:2] -= body.gravity / 2.0 * times**2
        end, face = len(flight), -1
        for height in (body.radii[1], 2.0 * body.radii[1]):
            way = flight[:end] + height * UP
            blocked = np.nonzero(~self.sees(way[:-1], way[1:]))[0]
            if len(blocked):
                end, face = int(blocked[0]) + 1, self.first_hit(way[blocked[0]], way[blocked[0] + 1])
        return flight[:end], face

    def reach(self) -> None:
        """Flood from the spawns; then jump to what is near, until nothing new is reached."""
        self.reached = np.zeros(len(self.places), np.bool_)
        self.hub_reached = np.zeros(len(self.hubs), np.bool_)
        if not self.is_known:
            return
        links = self.cut == 0
        self._dst, self._begin = self.dst[links], np.searchsorted(self.src[links], np.arange(len(self.places) + 1))
        front = [np.zeros(0, np.int64)]
        for spawn in self.context.level.spawns:
            feet = np.array(spawn.feet)
            cells = self.cells_below(feet, SPAWN_REACH, self.up)
            if len(cells):
                apart = np.linalg.norm((self.places[cells] - feet)[:, ::2], axis=1)
                front.append(cells[apart <= apart.min() + self.cell])
            for number, hub in enumerate(self.hubs):
                if ((hub.boxes[:, 0] <= feet + 0.3) & (feet - 0.3 <= hub.boxes[:, 1])).all(axis=1).any():
                    self.hub_reached[number] = True
        front += [self.hubs[number].leave for number in np.nonzero(self.hub_reached)[0]]
        self._spread(np.concatenate(front))
        part = self.components((self.obstacle == 0) & ~self.reached)
        self._tried = np.zeros(0, np.int64)
        while len(leaps := self._leaps(part)):
            self._spread(leaps)

    def _spread(self, front: Indices) -> None:
        """Reach the cells `front` and all that they lead to."""
        front = np.unique(front)
        front = front[(self.obstacle[front] == 0) & ~self.reached[front]]
        self.reached[front] = True
        while len(front) or len(front := self._ride()):
            self.reached[front] = True
            ahead = self.ahead(front)
            front = ahead[~self.reached[ahead]]

    def ahead(self, cells: Indices) -> Indices:
        """The cells to which links lead from some cells; none if it is not known."""
        if not self.is_known:
            return cells[:0]
        _, link = ranges(self._begin[cells], self._begin[cells + 1] - self._begin[cells])
        found: Indices = np.unique(self._dst[link])
        return found

    def _ride(self) -> Indices:
        """Cells that are not reached, and to which a hub leads that is."""
        for number, hub in enumerate(self.hubs):
            if not self.hub_reached[number] and (self.reached[hub.enter].any() or self._joins(number)):
                self.hub_reached[number] = True
            if self.hub_reached[number]:
                left: Indices = hub.leave[~self.reached[hub.leave] & (self.obstacle[hub.leave] == 0)]
                if len(left):
                    return left
        return np.zeros(0, np.int64)

    def _joins(self, number: int) -> bool:
        """Whether a hub that is reached has a box that touches one of a hub."""
        own = self.hubs[number].boxes
        for other in np.nonzero(self.hub_reached)[0]:
            boxes = self.hubs[other].boxes
            meets = (own[:, None, 0] <= boxes[:, 1]) & (boxes[:, 0] <= own[:, None, 1])
            if meets.all(axis=-1).any():
                return True
        return False

    @cached_property
    def eyes(self) -> Floats:
        """Eyes (n,3) of players on some of the reached cells, and in what carries them; none if it is not known."""
        eye = np.array([0.0, 2.0 * self.context.body.radii[1] * self.context.body.eye, 0.0])
        found = [self.places[self.reached][::3] + eye]
        for hub in (hub for hub, reached in zip(self.hubs, self.hub_reached.tolist(), strict=True) if reached):
            low, high = hub.boxes[:, 0] + self.up * UP, hub.boxes[:, 1]
            found += [np.where(side, high, np.minimum(low, high)) for side in np.ndindex(2, 2, 2)] + [low + eye]
        return np.concatenate(found)

    @cached_property
    def rides(self) -> dict[int, bool]:
        """Whether a player comes onto each mover with a deck, by its number from 1 on."""
        return {hub.mover: bool(reached) for hub, reached in zip(self.hubs, self.hub_reached, strict=True) if hub.mover}

    @cached_property
    def climbed(self) -> set[int]:
        """Numbers of the ladders to which a player comes."""
        hubs = zip(self.hubs, self.hub_reached.tolist(), strict=True)
        return {hub.ladder for hub, reached in hubs if reached}

    def is_carried(self, place: Floats, below: bool = False) -> bool:
        """Whether something that carries players comes to a place (3,), or below it."""
        held = [hub.boxes for hub in self.hubs if not hub.is_flight]
        boxes = np.concatenate([*held, np.zeros((0, 2, 3))])
        if below:
            boxes = np.where([[[False] * 3, [False, True, False]]], np.inf, boxes)
        return bool(((boxes[:, 0] <= place) & (place <= boxes[:, 1])).all(axis=1).any())

    def components(self, cells: Flags) -> Indices:
        """Number (n,) of the part of the cells in a mask that are joined to and fro; -1 for the others."""
        drops = self.places[self.dst, 1] < self.places[self.src, 1] - self.up
        links = (self.cut == 0) & cells[self.src] & cells[self.dst] & ~drops
        label: Indices = np.where(cells, connected(len(cells), self.src[links], self.dst[links]), -1)
        return label

    def _leaps(self, part: Indices) -> Indices:
        """Cells that are not reached and to which a player jumps over a gap from one that is.

        part (n,): of the cells that were not reached, as `components`.
        """
        body = self.context.body
        free = self.obstacle == 0
        part = np.where(self.reached, -1, part)
        links = (self.cut == 0) & (np.abs(self.places[self.src, 1] - self.places[self.dst, 1]) < body.step_height + 0.1)
        inner = np.bincount(self.src[links & self.reached[self.src] & self.reached[self.dst]], minlength=len(free)) >= 4
        rim = np.nonzero(self.reached & ~inner)[0]
        inner = np.bincount(self.src[links & (part[self.src] >= 0) & (part[self.dst] >= 0)], minlength=len(free)) >= 4
        sizes = np.bincount(part[part >= 0], minlength=1)
        goal = np.nonzero((part >= 0) & (sizes[part] >= MIN_LANDING))[0]
        spacing = np.where(inner[goal], 2.0, 1.0)[:, None]  # m between the places that are tried
        rim = _one_each(rim, np.round(self.places[rim]))
        goal = _one_each(goal, np.column_stack([part[goal], inner[goal], np.round(self.places[goal] / spacing)]))
        side = np.array([MAX_LEAP, 0.0, MAX_LEAP])
        low, high = self.places[goal] - side - self.up * UP, self.places[goal] + side + 3.0 * MAX_LEAP * UP
        if len(rim) * len(goal) > MAX_PAIRS:
            return np.zeros(0, np.int64)
        k, i = find_boxes_near(low, high, self.places[rim], self.places[rim])
        k, i = goal[k], rim[i]
        rise = self.places[k, 1] - self.places[i, 1]
        gravity = max(body.gravity, 0.1)
        speed = math.sqrt(2.0 * gravity * body.jump_height)
        root = np.sqrt(np.maximum(speed**2 - 2.0 * gravity * np.minimum(rise, body.jump_height), 0.0))
        seconds = (speed + root) / gravity
        apart = np.linalg.norm((self.places[k] - self.places[i])[:, ::2], axis=1)
        near = (rise <= self.up) & (apart <= np.minimum(body.sprint_speed * seconds + 0.5, MAX_LEAP))
        near &= ~np.isin(i * len(free) + k, self._tried)
        i, k, apart = i[near], k[near], apart[near]
        order = np.lexsort((apart, part[k]))
        i, k = i[order], k[order]
        keys = np.column_stack([part[k], i, apart // LEAP_STEP])  # from each place to each area, near and far
        first = np.sort(np.unique(keys, axis=0, return_index=True)[1])
        i, k, apart = i[first], k[first], apart[first]
        rank = np.arange(len(k)) - np.searchsorted(part[k], part[k])
        found = np.zeros(0, np.int64)
        middle = body.radii[1] * UP
        crouched = max(body.clear_crouch_height - body.radii[1], 0.0) * UP
        for least in range(0, MAX_LEAPS, LEAPS):
            now = (rank >= least) & (rank < least + LEAPS) & ~np.isin(part[k], part[found])
            start, end = self.places[i[now]] + middle, self.places[k[now]] + middle
            over = np.minimum(self.up, self.head[i[now]] - body.clear_crouch_height)[:, None] * UP
            sees = self.clears(start, end, crouched)
            left = np.nonzero(~sees)[0]
            feet, ends = start[left] - middle + over[left], end[left] - middle + 0.1 * UP
            sees[left] = self.clears(feet, ends, (body.clear_crouch_height - 0.12) * UP)
            parts = start[:, None] + np.linspace(0.0, 1.0, 9)[:, None] * (end - start)[:, None]
            for zone in self.context.kill_boxes:
                sees &= ~zone.contains_points(parts.reshape(-1, 3)).reshape(-1, 9).any(axis=1)
            found = np.append(found, k[now][sees])
            self._tried = np.append(self._tried, i[now] * len(free) + k[now])
        return found

    @cached_property
    def _screen_faces(self) -> Indices:
        """The faces of the first screens."""
        return self.context.face_of[self.context.static[self.context.face_of]].astype(np.int64)

    @cached_property
    def _screens(self) -> tuple[Floats, Floats, Floats]:
        """Triangles (n,3,3) of the static faces, and of the gaps in which the body does not fit; their bounds (n,3)."""
        a, b = (np.insert(ends, 1, 0.0, axis=1) for ends in self.gap_ends)
        low, high = (height[:, None] * UP for height in self.gap_heights)
        bars = [np.stack([a + low, b + low, b + high], axis=1), np.stack([a + low, b + high, a + high], axis=1)]
        triangles = np.concatenate([self.context.triangles[self.context.static[self.context.face_of]], *bars])
        return triangles, triangles.min(axis=1), triangles.max(axis=1)

    def sees(self, start: Floats, end: Floats) -> Flags:
        """Whether no static face or narrow gap is between points (P,3)."""
        sees = np.ones(len(start), np.bool_)
        sees[self._hits(start, end)[0]] = False
        return sees

    def clears(self, start: Floats, end: Floats, height: Floats) -> Flags:
        """Whether nothing is between points (P,3), and between those at a height (3,) above them."""
        clears = self.sees(start, end)
        rows = np.nonzero(clears)[0]
        clears[rows] = self.sees(start[rows] + height, end[rows] + height)
        return clears

    def first_hit(self, start: Floats, end: Floats) -> int:
        """The static face nearest to a point (3,) on the way to another one; -1: none."""
        _, triangle, part = self._hits(start[None], end[None])
        solid = triangle < len(self._screen_faces)
        return int(self._screen_faces[triangle[solid][np.argmin(part[solid])]]) if solid.any() else -1

    def _hits(self, start: Floats, end: Floats) -> tuple[Indices, Indices, Floats]:
        """Segment, screen and part of the way (0 to 1) of each hit of segments (P,3) and screens.

        Source: Moeller and Trumbore 1997.
        """
        triangles, low, high = self._screens
        p, t = find_boxes_near(np.minimum(start, end), np.maximum(start, end), low, high)
        along = (end - start)[p]
        a, b, c = (triangles[t, k] for k in range(3))
        normal = np.cross(along, c - a)
        scale = np.einsum("pd,pd->p", b - a, normal)
        scale = np.where(np.abs(scale) < 1e-12, np.inf, scale)
        offset = start[p] - a
        u = np.einsum("pd,pd->p", offset, normal) / scale
        q = np.cross(offset, b - a)
        v = np.einsum("pd,pd->p", along, q) / scale
        part = np.einsum("pd,pd->p", c - a, q) / scale
        hit = (u >= 0.0) & (v >= 0.0) & (u + v <= 1.0) & (part > 0.0) & (part < 1.0) & np.isfinite(scale)
        return p[hit], t[hit], part[hit]


def _around(points: Floats, reach: float) -> Floats:
    """Boxes (n,2,3) around points (n,3)."""
    boxes: Floats = np.stack([points - reach, points + reach], axis=1)
    return boxes


def _one_each(cells: Indices, keys: Floats) -> Indices:
    """The first of the cells with each key (n,k)."""
    if not len(cells):
        return cells
    _, first = np.unique(keys, axis=0, return_index=True)
    found: Indices = cells[np.sort(first)]
    return found
