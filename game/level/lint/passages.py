"""Passages: what keeps the player from an area, blocked doorways and flights, ways that end elsewhere, slots.

A gap, a low ceiling or a slope is a finding only where it is all that lies between what is reached and an area
of some size, or one with something that the level names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...core.vectors import Flags, Floats, Indices, ranges
from ..build.entities.landmarks import RampFoot, StairsFoot, WallLine, WallOpening
from ..build.entities.player import CLIMB_STEP_FRACTION, describe_least
from ..build.level_assembly import describe_origin
from ..build.pieces import NATURAL_KINDS, POLYGON_KINDS
from ..build.shared_walls import placed_rooms
from ..format.plain_values import format_number
from ..geometry.instance_transform import PlacedMarker
from .context import UP, Context, Rank, Subject, describe_point, metres
from .flood import DECK_REACH, HIGH, KILL, LOW, NARROW, OBSTACLES, SAME, STEEP, Flood

MIN_AREA, MIN_CORE = 4.0, 1.0  # m2 of an area that counts, and of its part that is no narrow ledge
MAX_WAY = 12.0  # m of a passage that explains why an area is not reached
HEAD_REACH, HEAD_BELOW, HEAD_ABOVE = 3.0, 3.5, 0.6  # m from the end of a flight to its area: on the plan, up and down
LANDING = 1.0  # m around the end of a flight in which it leads somewhere
MAX_OUTSIDE = 5.0  # times the area that is reached, of one that is not
BEFORE = 0.9  # m before and behind a doorway in which its way is followed
SILL = 0.6  # m from a doorway or a step up and down to the ground that belongs to it
SLOT, MIN_SLOT, SLOT_LENGTH = 1.25, 0.5, 6.5  # m: greatest and least width of a slot, and its length
MAX_THRESHOLD = 3.0  # m from the ground up to a doorway that was to be entered from there
MIN_DROP = 2.5  # m from a doorway down to the ground: a lower place is reached with a leap
_SIDES = {"north": ((1, 0, 0), (0, 0, -1)), "south": ((1, 0, 0), (0, 0, 1)), "west": ((0, 0, 1), (-1, 0, 0)),
          "east": ((0, 0, 1), (1, 0, 0))}  # of a room: directions along the wall and outwards  # fmt: skip


@dataclass(frozen=True)
class Area:
    """A connected area of cells that the player does not reach. size: m2. low, high (3,): box with the body's room.

    is_named: whether something is there that the level names.
    """

    cells: Indices
    size: float
    face: int
    low: Floats
    high: Floats
    is_named: bool


class FlightEnd(NamedTuple):
    """Upper end (3,) of a copy of a piece on which one goes up, with its treads (n,3). ladder: its number, or -1.

    half (3,): from the middle of a deck to its rim on the plan, m.
    """

    origin: int
    head: Floats
    steps: Floats
    noun: str
    ladder: int = -1
    half: Floats = np.zeros(3)


@dataclass(frozen=True)
class Frame:
    """A doorway, or the foot of a flight, as a rectangle in the world that one passes.

    base (3,): its lower left corner. along, out (3,): unit vectors along it and through it. width, height, depth: m.
    """

    base: Floats
    along: Floats
    out: Floats
    width: float
    height: float
    depth: float

    def flatten(self, points: Floats) -> Floats:
        """Points (..., 3) as metres along it, above its base, and through it."""
        offset = points - self.base
        flat: Floats = np.stack([offset @ self.along, offset[..., 1], offset @ self.out], axis=-1)
        return flat

    @property
    def centre(self) -> Floats:
        middle: Floats = self.base + self.along * self.width / 2.0 + self.out * self.depth / 2.0
        return middle


def check_passages(context: Context, flood: Flood, named: Sequence[Indices]) -> None:
    """Find what is in the way to each area that is not reached.

    named: cells of each thing that the level names.
    """
    check_openings(context, flood)
    check_flights(context, flood)
    areas = unreached_areas(flood, named)
    rest = explain(context, flood, areas, flood.cut != HIGH)
    rest = [area for area in rest if "unreached" not in context.origins[context.faces.origin[area.face]].intended]
    rest = check_ends(context, flood, rest)
    explain(context, flood, [area for area in rest if area.is_named], np.ones(len(flood.cut), np.bool_))
    check_slots(context, flood)
    check_start(context, flood, areas)


def check_start(context: Context, flood: Flood, areas: Sequence[Area]) -> None:
    """Report a spawn around which there is nothing but a small part of the ground, and nothing that the level names."""
    size = float(flood.reached.sum()) * flood.cell**2
    if (
        size < MIN_CORE
        or flood.hub_reached.any()
        or any(one.rank in (Rank.BLOCKED, Rank.PASSAGE) for one in context.problems)
    ):
        return
    if areas and areas[0].size > MAX_OUTSIDE * size and context.level.goal is None and not context.level.exits:
        spawn = context.level.spawns[0]
        message = f"{context.player} comes to no more than {format_number(size, 1)} m2 around it, and not to "
        message += describe_area(context, flood, areas[0])
        subject = Subject(spawn.place, f"spawn ({spawn.name})", spawn.intended)
        context.add(Rank.PASSAGE, "unreached", subject, message, "open a way out, or move it", np.array(spawn.feet))


def unreached_areas(flood: Flood, named: Sequence[Indices]) -> list[Area]:
    """Areas over MIN_AREA, or with something that the level names, that the player does not reach; largest first."""
    part = flood.components((flood.obstacle == 0) & ~flood.reached)
    flat = (flood.cut == 0) & (np.abs(flood.places[flood.src, 1] - flood.places[flood.dst, 1]) < 0.5 * flood.cell + 0.1)
    inner = np.bincount(flood.src[flat], minlength=len(part)) >= 4
    kept = part >= 0, (part >= 0) & inner
    sizes, cores = (np.bincount(part[one], minlength=len(part) + 1) * flood.cell**2 for one in kept)
    wanted = {int(label) for cells in named if not flood.reached[cells].any() for label in np.unique(part[cells])}
    labels = set(np.nonzero((sizes > MIN_AREA) & (cores > MIN_CORE))[0].tolist()) | wanted - {-1}
    areas = []
    order = np.argsort(part, kind="stable")
    for label in sorted(labels, key=lambda label: -sizes[label]):
        cells = order[np.searchsorted(part[order], label) : np.searchsorted(part[order], label, "right")]
        places = flood.places[cells]
        low, high = places.min(axis=0) - 0.3, places.max(axis=0) + np.array([0.3, 3.0, 0.3])
        face = int(np.bincount(flood.face[cells]).argmax())
        areas.append(Area(cells, float(sizes[label]), face, low, high, label in wanted))
    return areas


def explain(context: Context, flood: Flood, areas: Sequence[Area], links: Flags) -> list[Area]:
    """Name the obstacle of the shortest way over some links from what is reached to each area. Areas without one."""
    of = np.full(len(flood.places), -1)
    for number, area in enumerate(areas):
        of[area.cells] = number
    steep = flood.obstacle == STEEP
    steep[steep] = np.isin(context.kinds[flood.face[steep]], POLYGON_KINDS)
    passable = ~steep & ~((flood.obstacle == KILL) & (flood.killer < 0))
    usable = links & passable[flood.src] & passable[flood.dst]
    src, dst, number_of = flood.src[usable], flood.dst[usable], np.nonzero(usable)[0]
    begin = np.searchsorted(src, np.arange(len(of) + 1))
    came = np.full(len(of), -1)  # link by which a cell was found
    seen = flood.reached.copy()
    front = np.nonzero(seen)[0]
    done: set[int] = set()
    for _ in range(int(MAX_WAY / flood.cell)):
        _, row = ranges(begin[front], begin[front + 1] - begin[front])
        row = row[~seen[dst[row]]]
        ahead, first = np.unique(dst[row], return_index=True)
        if not len(ahead):
            break
        came[ahead] = number_of[row[first]]
        seen[ahead] = True
        for number in np.unique(of[ahead][of[ahead] >= 0]).tolist():
            end = int(ahead[np.argmax(of[ahead] == number)])
            way = []
            while came[end] >= 0:
                way.append(int(came[end]))
                end = int(flood.src[way[-1]])
            if number not in done and report_obstacle(context, flood, way[::-1], areas[number]):
                done.add(number)
            seen[areas[number].cells] = True
        front = ahead[of[ahead] < 0]
    return [area for number, area in enumerate(areas) if number not in done]


def report_obstacle(context: Context, flood: Flood, links: list[int], area: Area) -> bool:
    """Report the obstacle that most of the links of a way have. True if it is one that a piece makes."""
    cuts = flood.cut[links]
    kinds = np.bincount(cuts[cuts > 0], minlength=len(OBSTACLES))
    kind = int(np.argmax(kinds))
    own = [link for link, cut in zip(links, cuts.tolist(), strict=True) if cut == kind]
    ends = np.array([flood.src[own], flood.dst[own]])
    body = context.body
    others: list[int] = []
    if kind == LOW:
        top = flood.places[:, 1] + flood.head
        lower = np.where(top[ends[0]] < top[ends[1]], ends[0], ends[1])
        beams = flood.cut_by[own]
        roof = np.minimum(top[lower], np.where(beams >= 0, context.low[beams, 1], np.inf))
        room = roof - flood.places[ends, 1].max(axis=0)
        k = int(np.argmin(room))
        cell = int(ends[np.argmax(flood.places[ends[:, k], 1]), k])
        face, under = int(flood.roof[lower[k]] if roof[k] == top[lower[k]] else beams[k]), int(flood.face[cell])
        message = f"the headroom above {context.describe_ground(under)} is {room[k]:.2f} m: "
        message += f"{context.player} cannot pass"
        cure, others = f"leave at least {describe_least(body.clear_height)} m", [int(context.faces.origin[under])]
    elif kind == STEEP:
        cells = ends[0] if (flood.obstacle[ends[0]] == STEEP).all() else ends[1]
        cell = int(cells[np.argmin(context.normals[flood.face[cells], 1])])
        face = int(flood.face[cell])
        slope = np.degrees(np.arccos(context.normals[face, 1]))
        message = f"a slope of {slope:.1f} degrees cannot be walked up: {context.player} walks up at most "
        message, cure = message + f"{body.max_slope:g} degrees", "make it longer, or less high"
    elif kind == NARROW:
        gap = int(min(flood.cut_by[own], key=lambda gap: float(flood.gap_widths[gap])))
        earlier, face = sorted(flood.gap_pairs[gap].tolist(), key=lambda face: int(context.faces.origin[face]))
        cell = int(ends[0, 0])
        message = f"the gap to {context.describe(earlier)} is {metres(flood.gap_widths[gap])} wide: "
        message += f"{context.player} cannot pass"
        cure = f"make it at least {describe_least(body.clear_width)} m wide"
        others = [int(context.faces.origin[earlier])]
    elif kind == HIGH:
        face = int(flood.cut_by[own[0]])
        top = context.high[face, 1] if face >= 0 else flood.places[ends[1, 0], 1]
        face, cell = face if face >= 0 else int(flood.face[ends[1, 0]]), int(ends[0, 0])
        message = f"the step up to it is {top - flood.places[cell, 1]:.2f} m high: "
        message += f"{context.player} comes up {flood.up:.2f} m with a jump"
        sure = body.jump_height + CLIMB_STEP_FRACTION * body.step_height
        cure = f"make it at most {sure:.2f} m high, or put stairs or a ladder there"
    elif kind == KILL:
        cells = ends[flood.killer[ends] >= 0]
        if not len(cells):
            return False
        origin = context.origin_at(context.kill_boxes[int(flood.killer[cells[0]])].place)
        cell = int(cells[0])
        message = f"players die on {context.describe(int(flood.face[cell]))}, and come to nothing beyond"
        cure = "let it end below the ground that players walk on"
        message += f": {describe_area(context, flood, area)}"
        context.add(Rank.PASSAGE, "void", origin, message, cure, flood.places[cell], (area.low, area.high))
        return True
    else:
        return False
    if context.kinds[face] in NATURAL_KINDS:  # terrain and models have every height and slope
        return False
    message += f", and reaches {describe_area(context, flood, area)} no other way"
    message += f" (at {describe_point(flood.places[cell])})"
    others += context.faces.origin[flood.face[area.cells[:1]]].tolist()
    context.add(Rank.PASSAGE, OBSTACLES[kind], int(context.faces.origin[face]), message, cure, flood.places[cell],
                (area.low, area.high), others)  # fmt: skip
    return True


def describe_area(context: Context, flood: Flood, area: Area) -> str:
    """Its ground; where a part of that is reached, with a place of the area."""
    ground = context.describe_ground(area.face)
    if flood.reached[flood.face == area.face].any():
        places = flood.places[area.cells[flood.face[area.cells] == area.face]]
        middle = places[np.argmin(np.abs(places - places.mean(axis=0)).max(axis=1))]
        ground = f"the part of {ground} around {describe_point(middle)}"
    return f"{ground} ({format_number(area.size, 1)} m2)"


def check_ends(context: Context, flood: Flood, areas: Sequence[Area]) -> list[Area]:
    """Report a flight or ladder that leads nowhere, and ends near areas: too low, before it, or under it.

    Each flight is to lead to the nearest area around its end, and each area needs one flight. The areas without one.
    """
    told: set[int] = set()
    for end in flight_ends(context, flood):
        near: list[tuple[float, int, float, float, Floats, Floats]] = []
        for number, area in enumerate(areas):
            places = flood.places[area.cells]
            edge = np.clip(places, end.head - end.half, end.head + end.half)
            apart = np.linalg.norm((places - edge)[:, ::2], axis=1)
            rise = places[:, 1] - end.head[1]
            is_near = (apart < HEAD_REACH) & (rise > -HEAD_ABOVE) & (rise < HEAD_BELOW)
            far = np.where(is_near, apart + np.abs(rise), np.inf)
            k = int(np.argmin(far))
            if far[k] < np.inf:
                near.append((float(far[k]), number, float(apart[k]), float(rise[k]), edge[k], places[k]))
        if not near or leads_on(flood, end):
            continue
        origin, kind, own = end.origin, "step", describe_origin(context.origins[end.origin])
        at, others = end.head, list[int]()
        roof, over = context.ceiling_above(end.steps[:, ::2], end.steps[:, 1], 0.05)
        closed = (roof - end.steps[:, 1] < context.body.clear_crouch_height) & (end.steps[:, 1] < end.head[1] + 0.1)
        closed &= context.faces.origin[over] != end.origin
        before_foot = end.ladder >= 0 and end.ladder not in flood.climbed
        for _, number, apart, rise, rim, place in sorted(near, key=lambda one: one[:2]):
            area = areas[number]
            if number in told:
                break
            message = f"the {end.noun} ends at {describe_point(end.head)}, "
            way = np.array([rim, rim + rise * UP, place]) + context.body.radii[1] * UP
            parting = -1 if abs(rise) > SILL else flood.first_hit(*way[1:])
            if before_foot:
                blocker = blocker_before(flood, end.steps[0])
                if blocker < 0:
                    break
                wall, kind, at = context.describe(blocker), "closed", end.steps[0]
                message = f"nobody comes to its foot at {describe_point(at)}: {wall} is in the way"
                cure, others = f"make an opening in {wall}, or move one of them", [int(context.faces.origin[blocker])]
            elif closed.any():
                origin, kind, others = int(np.bincount(context.faces.origin[over[closed]]).argmax()), "low", [origin]
                message, at = f"it closes the way up {own}: it has no hole there", end.steps[closed][-1]
                cure = f"leave a hole in it over {own}"
            elif flood.sees(way[:-1], way[1:]).all():
                height, side = format_number(abs(rise), 2), "below" if rise > 0.0 else "above"
                gap = [f"{metres(apart)} before"] if apart > 2.0 * flood.cell else []
                gap += [f"{height} m {side}"] if abs(rise) > 0.1 else []
                message += f"{' and '.join(gap) or 'beside'} {describe_area(context, flood, area)}: "
                message += f"{context.player} does not get there"
                cure = "let it end at that floor"
                if len(gap) == 1 and apart <= 2.0 * flood.cell:
                    cure += f": {height} m {'higher' if rise > 0.0 else 'lower'}"
            elif parting >= 0:
                wall = context.describe(parting)
                message += f"and {wall} parts it from {describe_area(context, flood, area)}"
                cure = f"put it on the other side, or make an opening in {wall}"
            else:
                continue
            told.add(number)
            context.add(Rank.PASSAGE, kind, origin, message, cure, at, (area.low, area.high), others)
            break
    return [area for number, area in enumerate(areas) if number not in told]


def blocker_before(flood: Flood, foot: Floats) -> int:
    """The face between the foot (3,) of a ladder and the nearest place that is reached around it; -1: none."""
    cells = flood.cells_below(foot, HEAD_REACH, SILL)
    cells = cells[flood.reached[cells] & (flood.places[cells, 1] > foot[1] - flood.up)]
    if not len(cells):
        return -1
    nearest = flood.places[cells[np.argmin(np.linalg.norm(flood.places[cells] - foot, axis=1))]]
    middle = flood.context.body.radii[1] * UP
    return flood.first_hit(nearest + middle, foot + middle)


def flight_ends(context: Context, flood: Flood) -> Iterator[FlightEnd]:
    """Each copy of stairs, ramps and ladders, and each stop of a mover that is ridden."""
    for marker in flights(context):
        own = (context.faces.origin == marker.origin) & (context.faces.instance == marker.instance)
        treads = np.nonzero(own & (context.normals[:, 1] > 0.3))[0]
        if len(treads):
            corners = context.corners[treads]
            top = corners[..., 1].max()
            heads = corners[corners[..., 1] > top - 0.01]
            noun = "ramp" if isinstance(marker.payload, RampFoot) else "flight of stairs"
            parts = np.linspace(0.1, 0.9, 9)[:, None, None]
            middles = (corners[:, 0] + corners[:, 1]) / 2.0, (corners[:, 2] + corners[:, 3]) / 2.0
            steps = np.concatenate(middles[0] * (1.0 - parts) + middles[1] * parts)
            steps = steps[np.argsort(steps[:, 1], kind="stable")]
            yield FlightEnd(marker.origin, heads.mean(axis=0), steps, noun)
    for number, ladder in enumerate(context.ladders):
        foot, top = ladder.foot, float(ladder.foot[1] + ladder.height * ladder.axes[1, 1])
        steps = ladder.climber + np.arange(0.0, top - foot[1], 0.2)[:, None] * UP
        yield FlightEnd(ladder.origin, ladder.climber * (1.0 - UP) + top * UP, steps, "ladder", number)
    for number, path in enumerate(context.paths, start=1):
        decks = np.nonzero(context.walkable & (context.faces.mover_numbers == number))[0]
        if flood.rides.get(number) and not path.mover.motion.turns:
            stops = path.stops()[1]
            size = context.high[decks] - context.low[decks]
            widest = int(np.argmax(size[:, ::2].prod(axis=1)))
            origin = context.origin_at(path.mover.place)
            half = np.maximum(size[widest] / 2.0 - SAME, 0.0) * (1.0 - UP)  # it may slide along a wall
            for head in context.corners[decks[widest]].mean(axis=0) + stops - stops[0]:
                yield FlightEnd(origin, head, np.zeros((0, 3)), "way of the mover", half=half)


def flights(context: Context) -> Iterator[PlacedMarker]:
    """Markers of the copies of stairs and ramps that no mover carries."""
    for marker in context.level.faces.marks:
        if isinstance(marker.payload, StairsFoot | RampFoot) and not marker.mover:
            yield marker


def leads_on(flood: Flood, end: FlightEnd) -> bool:
    """Whether a flight leads to ground around its end, but for itself; or nobody comes near the flight at all."""
    landing = DECK_REACH if end.half.any() else LANDING
    reach = end.half + np.array([landing, 0.5, landing])
    cells = flood.cells_in(end.head - reach, end.head + reach)
    is_own = flood.context.faces.origin[flood.face[cells]] == end.origin
    if flood.reached[cells[~is_own]].any():
        return True
    if not len(end.steps) or end.ladder >= 0:
        return False
    near = flood.cells_in(end.steps.min(axis=0) - LANDING, end.steps.max(axis=0) + 0.5)
    return not flood.reached[near].any()


def check_openings(context: Context, flood: Flood) -> None:
    """Report doorways through which no way leads, and those onto a drop."""
    bounds = {room.origin: room.bounds() for room in placed_rooms(context.level.faces)}
    for opening, origin, frame in placed_openings(context):
        if opening.kind != "doorway" or frame.width < context.body.clear_depth:
            continue
        subject = Subject(opening.place, context.origins[origin].label, context.origins[origin].intended)
        what = f"{opening.describe()} at {describe_point(frame.centre)}"
        cells = cells_of(flood, frame)
        flat = frame.flatten(flood.places[cells])
        front, back = cells[flat[:, 2] < 0.0], cells[flat[:, 2] > frame.depth]
        low, high = _box(frame, BEFORE)
        inside = bounds.get(origin, (low, high))  # what is in a room that is closed needs no finding of its own
        box = np.minimum(low, inside[0]), np.maximum(high, inside[1])
        joined = bool(len(front) and len(back)) and is_joined(flood, cells, front, back)
        blocker = None if joined else find_blocker(context, frame, BEFORE / 2.0, origin)
        every = cells_of(flood, frame, any_obstacle=True)
        deadly = every[flood.killer[every] >= 0]
        if joined:
            continue
        if len(deadly) and not (len(front) and len(back)):
            index = context.origin_at(context.kill_boxes[int(flood.killer[deadly[0]])].place)
            cure = "let it end below the ground that players walk on"
            context.add(Rank.BLOCKED, "void", index, f"players die in {what}", cure, frame.centre, box, [origin])
        elif blocker is not None and (blocker[2] > 0.5 or (len(front) and len(back))):
            if not {"shared", "misplaced"} & context.origins[blocker[0]].reported_kinds:
                cure, others = "move one of them, or make an opening in both", [blocker[0]]
                if context.origins[origin].kind == context.origins[blocker[0]].kind == "room":
                    cure = "add `shared: true` to one of the rooms: one wall with the openings of both"
                message = f"{what} is closed by {blocker[1]}"
                context.add(Rank.BLOCKED, "closed", subject, message, cure, frame.centre, box, others)
        elif (len(front) or len(back)) and opening.bottom < SILL:
            report_drop(context, flood, subject, what, frame, front if len(front) else back)


def report_drop(context: Context, flood: Flood, subject: Subject, what: str, frame: Frame, near: Indices) -> None:
    """Report a doorway with ground on one side and metres below it on the other."""
    flat = frame.flatten(flood.places[near])
    if np.abs(flat[:, 1]).min() > SILL:
        return
    side = -1.0 if flat[0, 2] > 0.0 else 1.0
    ahead = np.array([frame.centre + side * (frame.depth / 2.0 + far) * frame.out for far in (0.3, 0.6, 0.9)])
    ground, _ = context.ground_below(ahead[:, ::2], np.full(3, frame.base[1] + SILL))
    drop = frame.base[1] - ground
    if not flood.reached[near].any():
        depth = drop.min() if flood.up < drop.min() < MAX_THRESHOLD else 0.0
        below = flood.cells_in(ahead.min(axis=0) - 0.3 - (depth + 0.2) * UP, ahead.max(axis=0) + 0.3)
        if depth > 0.0 and flood.reached[below].any():
            message = f"nobody comes up to {what}, {metres(drop.min())} above the ground"
            cure = "put stairs or a ladder there"
            context.add(Rank.BLOCKED, "floating", subject, message, cure, frame.centre, _box(frame, BEFORE))
    elif MIN_DROP < drop.min() < np.inf and not flood.is_carried(frame.centre):
        message, cure = f"{what} opens onto a drop of {metres(drop.min())}", "put a floor, stairs or a ladder there"
        context.add(Rank.BLOCKED, "fall", subject, message, cure, frame.centre)


def check_flights(context: Context, flood: Flood) -> None:
    """Report stairs and ramps with ground before their foot from which no way leads on to them."""
    for marker in flights(context):
        foot = marker.payload
        if not isinstance(foot, StairsFoot | RampFoot) or (isinstance(foot, StairsFoot) and foot.turn):
            continue  # spiral stairs begin at any side
        axes = context.directions(marker)
        right, back = axes[0], axes[2]
        width = float(foot.width) * float(np.linalg.norm(right))
        right, back = right / np.linalg.norm(right), back / np.linalg.norm(back)
        frame = Frame(np.array(marker.at) - right * width / 2.0, right, -back, width, 2.0, 0.0)
        cells = cells_of(flood, frame)
        flat = frame.flatten(flood.places[cells])
        front = cells[(flat[:, 2] < 0.0) & (np.abs(flat[:, 1]) < SILL)]
        on = cells[(flat[:, 2] > 0.0) & (context.faces.origin[flood.face[cells]] == marker.origin)]
        own = np.nonzero((context.faces.origin == marker.origin) & (context.faces.instance == marker.instance))[0]
        if not len(own) or not len(on):
            continue
        blocked = not is_joined(flood, cells, front, on) if len(front) else not flood.reached[on].any()
        blocker = find_blocker(context, frame, BEFORE, marker.origin) if blocked else None
        if blocker is not None:
            message = f"{blocker[1]} stands in its way, at {describe_point(frame.centre)}"
            box = context.low[own].min(axis=0), context.high[own].max(axis=0) + 0.1
            cure, others = "move one of them", [blocker[0]]
            context.add(Rank.BLOCKED, "closed", marker.origin, message, cure, frame.centre, box, others)


def cells_of(flood: Flood, frame: Frame, any_obstacle: bool = False) -> Indices:
    """Cells within the width of a frame and near its base, up to BEFORE before and behind it."""
    low, high = _box(frame, BEFORE)
    cells = flood.cells_in(low - SILL * UP, high + (SILL + 0.6 - frame.height) * UP, any_obstacle)
    flat = frame.flatten(flood.places[cells])
    inside = (flat[:, 0] > 0.0) & (flat[:, 0] < frame.width) & (flat[:, 2] > -BEFORE)
    found: Indices = cells[inside & (flat[:, 2] < frame.depth + BEFORE)]
    return found


def is_joined(flood: Flood, cells: Indices, first: Indices, last: Indices) -> bool:
    """Whether a way in some cells leads from the first of them to the last, or back."""
    inside = np.zeros(len(flood.places), np.bool_)
    inside[cells] = True
    for start, end in ((first, last), (last, first)):
        seen = np.zeros(len(inside), np.bool_)
        front = start
        while len(front):
            seen[front] = True
            ahead = flood.ahead(front)
            front = ahead[inside[ahead] & ~seen[ahead]]
        if seen[end].any():
            return True
    return False


def find_blocker(context: Context, frame: Frame, reach: float, own: int) -> tuple[int, str, float] | None:
    """The piece that fills the most of the space in a frame and before it, its words, and the part of one side that it
    fills; None if there is none."""
    across = np.linspace(0.05, frame.width - 0.05, 12)
    up = np.linspace(context.body.step_height + 0.05, min(frame.height, context.body.clear_height) - 0.05, 6)
    through = np.linspace(-reach, frame.depth + reach, 9)
    grid = np.stack(np.meshgrid(across, up, through, indexing="ij"), axis=-1).reshape(-1, 3)
    points = frame.base + grid[:, :1] * frame.along + grid[:, 1:2] * [0.0, 1.0, 0.0] + grid[:, 2:] * frame.out
    around = context.solids.pieces_around(points)
    around = np.where(around == own, -1, around)
    if (around >= 0).any():
        piece = int(np.bincount(around[around >= 0]).argmax())
        filled = (around == piece).reshape(len(across), len(up), len(through)).mean(axis=(0, 1))
        return piece, context.describe_solid(piece, points[np.argmax(around == piece)]), float(filled.max())
    low, high = points.min(axis=0), points.max(axis=0)
    near = (context.low < high).all(axis=1) & (context.high > low).all(axis=1) & context.static
    near &= (np.abs(context.normals @ frame.out) > 0.9) & (context.faces.origin != own)
    rows = np.nonzero(near)[0]
    return (int(context.faces.origin[rows[0]]), context.describe(int(rows[0])), 0.0) if len(rows) else None


def placed_openings(context: Context) -> Iterator[tuple[WallOpening, int, Frame]]:
    """All copies of the openings of static rooms and walls, with the piece that they are in."""
    static = set(np.unique(context.faces.origin[context.static]).tolist())
    for room in placed_rooms(context.level.faces):
        if room.mover or room.origin not in static:
            continue
        low, thickness = np.array(room.shell.low), room.shell.thickness
        for opening in room.shell.openings:
            along, out = (np.array(side, np.float64) for side in _SIDES[opening.wall])
            box_low, box_high = (np.array(corner) for corner in room.shell.opening_box(opening))
            inner = np.where(out > 0.0, box_low, np.where(out < 0.0, box_high, box_low))
            base = room.at + room.axes @ (inner - low)
            yield opening, room.origin, _frame(opening, room.axes, base, along, out * thickness)
    for marker in context.level.faces.marks:
        wall = marker.payload
        if isinstance(wall, WallLine) and not marker.mover and marker.origin in static:
            axes = context.directions(marker).T
            for opening in wall.openings:
                base = np.array(marker.at) + axes @ np.array([opening.left, opening.bottom, wall.thickness / 2.0])
                right, through = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, -wall.thickness])
                yield opening, marker.origin, _frame(opening, axes, base, right, through)


def _frame(opening: WallOpening, axes: Floats, base: Floats, right: Floats, through: Floats) -> Frame:
    """An opening in the world. right, through: vectors of its own frame, along the wall (1) and through it (m)."""
    along, out = axes @ right, axes @ through
    scale, depth = float(np.linalg.norm(along)), float(np.linalg.norm(out))
    width, height = (opening.right - opening.left) * scale, (opening.top - opening.bottom) * float(axes[1, 1])
    return Frame(base, along / scale, out / depth, width, height, depth)


def _box(frame: Frame, reach: float) -> tuple[Floats, Floats]:
    """Box of a frame, with `reach` (m) before and behind it."""
    ends = [frame.base - frame.out * reach, frame.base + frame.out * (frame.depth + reach)]
    corners = np.array([end + frame.along * across for end in ends for across in (0.0, frame.width)])
    return corners.min(axis=0), corners.max(axis=0) + frame.height * UP


def check_slots(context: Context, flood: Flood) -> None:
    """Report a long narrow strip of nothing beside ground that is reached: players fall out of the level through it."""
    parts = flood.components(flood.reached)[flood.reached]
    of_column = dict(zip(flood.column[flood.reached].tolist(), parts.tolist(), strict=True))
    least, most = max(2, round(MIN_SLOT / flood.cell)), int(SLOT / flood.cell)
    depth = int(flood.size[1])
    ways = [(path.world_low - SLOT / 2.0, path.world_high + SLOT / 2.0) for path in context.paths]
    for stride, across in ((depth, 1), (1, depth)):
        lines = np.stack([flood.columns % depth, flood.columns // depth])
        line, place = lines if stride == depth else lines[::-1]
        order = np.lexsort((place, line))
        strips: dict[tuple[int, int], list[int]] = {}  # columns before strips of one width, by first column and width
        ground = own_line = -1
        level = np.inf
        for column, row, height in zip(
            *(one[order].tolist() for one in (flood.columns, line, flood.lowest)), strict=True
        ):
            if row != own_line:
                ground, own_line, level = -1, row, np.inf
            if height > level + flood.up:  # it is high over the ground beside it
                continue
            width = (column - ground) // stride - 1
            if ground >= 0 and least <= width <= most:
                before = [of_column.get(ground - k * stride, -1) for k in range(4)]
                after = [of_column.get(column + k * stride, -1) for k in range(4)]
                one_part = before[0] < 0 or after[0] < 0 or before[0] == after[0]  # others are there to be jumped over
                if one_part and (min(before) >= 0 or min(after) >= 0):
                    started = strips.pop((ground - across, width), [])
                    strips[ground, width] = [*started, ground if before[0] >= 0 else column]
            ground, level = column, height
        for (_, width), columns in strips.items():
            length = len(columns) * flood.cell
            column = columns[len(columns) // 2]
            cells = np.arange(*np.searchsorted(flood.column, [column, column + 1]))
            cell = int(cells[flood.reached[cells]][-1])
            at = flood.places[cell]
            near_way = any(((low <= at) & (at <= high))[::2].all() for low, high in ways)
            if length >= SLOT_LENGTH and not near_way and not flood.is_carried(at):
                message = f"there is nothing in a strip {metres(width * flood.cell)} wide and "
                message += f"{metres(length)} long beside it, at {describe_point(at)}: "
                message += "players fall out of the level there"
                piece = int(context.faces.origin[flood.face[cell]])
                context.add(Rank.IN_THE_AIR, "void", piece, message, "close it, or put ground below")
