"""Places: whatever the level names must be in the open, over ground, and where a player comes.

Spawns, the goal, targets, checkpoints, exits, landings of pads and teleports, lights, signs and water.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...core.angles import RADIANS_PER_HEADING_UNIT
from ...core.vectors import Floats, Indices
from ..build.entities.player import has_room
from ..build.entities.zones import LevelZone, RunRole
from ..format.findings import quote_text
from ..format.plain_values import format_number
from ..geometry.faces import LampSpec, SignBoard, TargetSpec
from ..geometry.overlapping_pairs import distance_from_origin
from .context import UP, Context, Rank, Subject, describe_point, metres, subject_of, zone_bounds
from .flood import KILL, Flood

MAX_START, MAX_LANDING = 2.0, 4.0  # m from a spawn, and from a landing, down to the ground
MAX_OFF = 1.5  # m from the flight of a pad to its landing
MAX_LEAP = 4.0  # m on the plan from ground to a place in the air that one leaps into
INTERSECTS, TOUCHES = 0.9, 0.999  # of the radii of a body: geometry that is nearer to its centre is in it
FRONT = np.array([1e-3, 0.05, 0.1, 0.15, 0.2, 0.25])  # m in front of a sign at which a solid hides it
MIN_HOVER, MAX_HOVER = 0.05, 0.5  # m from a sign with a post, and from one without, to what it touches
READABLE, MAX_HEIGHT = 30.0, 4.0  # m from a sign to somebody who reads it, and of small letters above that
WATER_REST, BANK = 0.5, 0.3  # m below water, and beside it, to what holds it
NAMED_KINDS = ("target", "checkpoint")  # whose names the player reads
MAX_LIGHTS = 5000  # that are judged


@dataclass(frozen=True)
class Place:
    """Something that the player is to come to. at (3,): its centre, m. low, high (3,): box of the feet of who is there.

    cells: on which a player is there.
    """

    noun: str
    subject: Subject
    at: Floats
    low: Floats
    high: Floats
    cells: Indices


def places_to_reach(context: Context, flood: Flood) -> list[Place]:
    """The goal, targets, checkpoints and exits."""
    level = context.level
    width, height = max(context.body.radii[::2]), 2.0 * context.body.radii[1]
    found: list[tuple[str, Subject, Floats, Floats, Floats]] = []
    if (goal := level.goal) is not None:
        at, reach = np.array(goal.at), np.full(3, goal.radius)
        found.append(("goal", Subject(goal.place, "goal", goal.intended), at, at - reach, at + reach))
    for exit_ in level.exits:
        at = np.array(exit_.at)
        found.append(("exit", Subject(exit_.place, "exits"), at, at - exit_.radius, at + exit_.radius))
    for marker in level.faces.marks:
        spec = marker.payload
        if isinstance(spec, TargetSpec) and not marker.mover and not (level.play and level.play.reach_targets):
            radius = spec.radius * level.faces.instances[marker.instance].size
            at, side = np.array(marker.at), np.array([width, 0.0, width]) + radius
            low, high = at - side - height * UP, at + side
            found.append(("target", subject_of(context.origins[marker.origin]), at, low, high))
    for zone in level.all_zones:
        if zone.facts.role is RunRole.CHECKPOINT and zone.mover < 0:
            low, high = zone_bounds(zone)
            found.append(("checkpoint", subject_of_zone(context, zone), np.array(zone.centre), low, high))
    jump = np.array([0.0, context.body.jump_height, 0.0])
    return [Place(*one, flood.cells_in(one[3] - 0.3 - jump, one[4] + 0.3)) for one in found]


def check_places(context: Context, flood: Flood, places: Sequence[Place]) -> None:
    check_kill_height(context)
    check_spawns(context, flood)
    for place in places:
        check_place(context, flood, place)
    check_landings(context, flood)
    check_ladders(context)
    check_lights(context)
    check_signs(context, flood)
    check_water(context)
    check_names(context)


def subject_of_zone(context: Context, zone: LevelZone) -> Subject:
    return subject_of(context.origins[context.origin_at(zone.place)])


def check_kill_height(context: Context) -> None:
    """Report a kill height that is not below the ground on which the player starts."""
    place, height = context.level.kill_height_place, context.level.kill_height
    feet = np.array([spawn.feet for spawn in context.level.spawns])
    ground, face = context.ground_below(feet[:, ::2], feet[:, 1] + context.body.step_height)
    deadly = np.nonzero((ground <= height) & np.isfinite(ground))[0]
    if place is not None and len(deadly):
        floor = context.describe(int(face[deadly[0]]))
        message = f"{height:g} m is not below {floor}, where the player starts: nobody can stay there"
        lowest = min(float(feet[:, 1].min()), float(context.low[:, 1].min()))
        everywhere = np.full(3, -np.inf), np.full(3, np.inf)  # no other place can be judged
        cure = f"write {np.floor(lowest - 1.0):g} or less"
        context.add(Rank.OVERLAP, "", Subject(place, "kill_height"), message, cure, None, everywhere)


def check_spawns(context: Context, flood: Flood) -> None:
    """Report spawns in a solid, without ground, high above it, or where the player dies."""
    for spawn in context.level.spawns:
        feet = np.array(spawn.feet)
        subject = Subject(spawn.place, f"spawn ({spawn.name})", spawn.intended)
        ground, below = context.ground_below(feet[None, ::2], feet[None, 1] + context.body.radii[1])
        drop = feet[1] - float(ground[0])
        kind, message, cure = "", "", "move the spawn"
        touched = None if has_own_gravity(context, feet) else face_in_body(context, feet, spawn.heading, TOUCHES)
        if touched is not None and not fits(context, feet, spawn.heading):
            message = (
                f"there is no room for the player in {context.describe(touched)}: the level cannot be started here"
            )
            context.report.add("dropped", subject.place, subject.label, message, "move the spawn, or make more room")
            continue
        deadly = [zone for zone in context.kill_boxes if zone.contains(feet.tolist())]
        inside = in_the_way(context, feet, spawn.heading)
        if inside is not None:
            message = f"the player is inside {inside}"
        elif feet[1] <= context.level.kill_height:
            message = "the spawn is below `kill_height`"
        elif deadly:
            message = f"the spawn is in the `kill` box (line {deadly[0].place.line}), which sends players back to it"
        elif not has_own_gravity(context, feet) and not flood.is_carried(feet, below=True):
            if below[0] < 0 and not len(flood.cells_below(feet, context.body.radii[0], 0.5)):
                kind, message, cure = "void", "there is no ground below", "move the spawn above a floor"
            elif MAX_START < drop < np.inf:
                kind, cure = "fall", f"lower it to a height of {format_number(ground[0], 2)}"
                message = f"the spawn is {metres(drop)} above {context.describe_ground(int(below[0]))}: "
                message += "the player begins with a fall"
        if message:
            context.add(Rank.PLACE, kind, subject, message, cure, feet)


def has_own_gravity(context: Context, place: Floats) -> bool:
    return any(zone.acts_by("down") and zone.contains(place.tolist()) for zone in context.level.all_zones)


def fits(context: Context, feet: Floats, heading: int) -> bool:
    """Whether a walker can begin at a place: the mesh is cooked for it."""
    level = context.level
    environment = level.environment if level.movers or level.zones is not None else None
    return has_room(level.player, level.mesh, environment, feet, heading)


def in_the_way(context: Context, feet: Floats, heading: int = 0) -> str | None:
    """The static piece, in words, that a body with its feet (3,) at a place intersects; None if it fits."""
    face = None if has_own_gravity(context, feet) else face_in_body(context, feet, heading, INTERSECTS)
    if face is not None:
        return context.describe(face)
    middle = feet + context.body.radii[1] * UP
    inside = int(context.solids.pieces_around(middle[None])[0])
    return None if inside < 0 else context.describe_solid(inside, middle)


def face_in_body(context: Context, feet: Floats, heading: int, factor: float) -> int | None:
    """The static face that is deepest in an upright body; None if none is nearer than `factor` of its radii."""
    rx, ry, rz = context.body.radii
    centre = feet + ry * UP
    near = (context.low <= centre + ry).all(axis=1) & (context.high >= centre - ry).all(axis=1) & context.static
    rows = np.nonzero(near[context.face_of])[0]
    if not len(rows):
        return None
    angle = heading * RADIANS_PER_HEADING_UNIT
    sine, cosine = np.sin(angle), np.cos(angle)
    x, y, z = np.moveaxis(context.triangles[rows] - centre, -1, 0)
    distance = distance_from_origin(
        np.stack([(x * cosine - z * sine) / rx, y / ry, (x * sine + z * cosine) / rz], axis=-1)
    )
    return int(context.face_of[rows[np.argmin(distance)]]) if distance.min() < factor else None


def check_place(context: Context, flood: Flood, place: Place) -> None:
    """Report a place that is in a solid, where the player dies, over nothing, or not reached."""
    what = f"the {place.noun} at {describe_point(place.at)}"
    size = float(np.min(place.high - place.low)) / 2.0
    points = place.at + 0.9 * size * np.concatenate([np.eye(3), -np.eye(3)])
    around = context.solids.pieces_around(points)
    if (around >= 0).all():
        piece = context.describe_solid(int(around[0]), place.at)
        context.add(Rank.PLACE, "buried", place.subject, f"{what} is inside {piece}: nobody reaches it",
                    "move it into the open", place.at)  # fmt: skip
        return
    if place.high[1] <= context.level.kill_height:
        context.add(Rank.PLACE, "", place.subject, f"the {place.noun} is below `kill_height`",
                    "raise it, or lower `kill_height`", place.at)  # fmt: skip
        return
    for spawn in context.level.spawns:
        if place.noun == "exit" and ((place.at - spawn.feet) ** 2).sum() <= (place.high[0] - place.at[0]) ** 2:
            message = f"the spawn {quote_text(spawn.name)} is inside this exit"
            context.add(Rank.PLACE, "", place.subject, message, "move one of them, or make the exit smaller", place.at)
    if not flood.is_known or comes_to(flood, place):
        return
    plan = place.at[None, ::2]
    ground, below = context.ground_below(plan, place.high[None, 1])
    roof, over = context.ceiling_above(plan, place.high[None, 1])
    dead = np.nonzero(flood.obstacle == KILL)[0]
    killed = dead[((flood.places[dead] >= place.low) & (flood.places[dead] <= place.high)).all(axis=1)]
    killed = killed[flood.killer[killed] >= 0]
    cure = "move it to ground that players reach"
    if not len(place.cells) and len(killed):
        zone = context.kill_boxes[int(flood.killer[killed[0]])]
        message = f"{what} is in the `kill` box (line {zone.place.line}): nobody reaches it"
    elif below[0] < 0:
        message = f"there is no ground below {what}"
        message += (
            f"; {context.describe(int(over[0]))} is {metres(roof[0] - place.at[1])} above it" if over[0] >= 0 else ""
        )
    elif len(place.cells):
        message = f"{what} is on {context.describe_ground(int(flood.face[place.cells[0]]))}: nothing leads there"
    else:
        message = f"{what} hangs in the air, {metres(place.at[1] - ground[0])} above "
        message += f"{context.describe_ground(int(below[0]))}: nothing leads to it"
    context.add(Rank.PLACE, "void", place.subject, message, cure, place.at)


def comes_to(flood: Flood, place: Place) -> bool:
    """Whether a player comes to a place on foot, is carried to it, or leaps or falls into it."""
    if flood.reached[place.cells].any():
        return True
    stands = place.noun == "checkpoint"  # which only those set who stand in it
    for hub in (hub for hub, reached in zip(flood.hubs, flood.hub_reached.tolist(), strict=True) if reached):
        if (
            not (stands and hub.is_flight)
            and ((hub.boxes[:, 0] <= place.high) & (place.low <= hub.boxes[:, 1])).all(axis=1).any()
        ):
            return True
    if stands or len(flood.cells_in(place.low, place.high, any_obstacle=True)):
        return False
    side = np.array([MAX_LEAP, 0.0, MAX_LEAP])
    low, high = place.low - side - flood.up * UP, place.high + side + 30.0 * UP
    near = flood.cells_in(low, high)
    near = near[flood.reached[near]]
    if place.low[1] > flood.places[near, 1].max(initial=-np.inf) + flood.up:
        return False
    eye = np.array([0.0, flood.context.body.radii[1], 0.0])
    starts = flood.places[near[:: len(near) // 50 + 1]] + eye
    starts = starts[starts[:, 1] + flood.up > place.low[1]]
    return bool(flood.sees(starts, np.tile(place.at + 0.1 * UP, (len(starts), 1))).any())


def check_landings(context: Context, flood: Flood) -> None:
    """Report pads and teleports that lead into a solid, the air or the void, below the kill height, or not to their
    end."""
    for zone in context.level.all_zones:
        to = zone.landing if zone.mover < 0 and zone.landing is not None else zone.arrive
        if to is None:
            continue
        end, field = np.array(to), "to" if zone.arrive is None else "arrive"
        subject, happens = subject_of_zone(context, zone), "lands" if zone.arrive is None else "arrives"
        happens = f"the player {happens} at {describe_point(end)}"
        ground, below = context.ground_below(end[None, ::2], end[None, 1] + context.body.step_height)
        drop = end[1] - float(ground[0])
        kind, message, cure = "void", "", f"move `{field}` to ground"
        piece = in_the_way(context, end + 0.05 * UP)
        flight, face = flood.flight_from(zone) if zone.arrive is None else (end[None], -1)
        if zone.arrive is not None and zone.contains(zone.arrive):
            message = ", inside the same teleport: it works again only after the player has left it"
            kind, cure = "overlap", "move `arrive` out of its box"
        elif end[1] <= context.level.kill_height:
            message, cure = ", below `kill_height`", f"raise `{field}`, or lower `kill_height`"
        elif piece is not None:
            kind, message, cure = "buried", f" in {piece}", f"move `{field}` into the open"
        elif face >= 0 and np.linalg.norm(flight - end, axis=1).min() > MAX_OFF:
            kind, happens = (
                "closed",
                f"the flight ends at {describe_point(flight[-1])}, against {context.describe(face)}: ",
            )
            message, cure = f"the player does not come to {describe_point(end)}", "move one of them"
        elif flood.is_carried(end, below=True):
            continue
        elif below[0] < 0 and not len(flood.cells_below(end, 1.0, 0.5)):
            message = ", where there is no ground below"
        elif MAX_LANDING < drop < np.inf:
            kind, message = "fall", f", {metres(drop)} above the ground"
        if message:
            context.add(Rank.PLACE, kind, subject, happens + message, cure, end)


def check_lights(context: Context) -> None:
    """Report lights inside a solid and lights that reach no face. In a level around a Quake map one counts them all."""
    lights = [one for one in context.level.faces.marks if isinstance(one.payload, LampSpec) and not one.mover][
        :MAX_LIGHTS
    ]
    if not lights:
        return
    points = np.array([light.at for light in lights])
    around = context.solids.pieces_around(points)
    drawn = context.level.faces
    low, high = drawn.corners.min(axis=1), drawn.corners.max(axis=1)
    dark: list[tuple[str, Subject, str, Floats]] = []
    for light, at, piece in zip(lights, points, around.tolist(), strict=True):
        subject = subject_of(context.origins[light.origin])
        if piece >= 0 and piece != light.origin and context.origins[piece].visible:
            rows = context.faces.origin[context.face_of] == piece
            if distance_from_origin(context.triangles[rows] - at).min(initial=np.inf) > 0.05:
                solid = context.describe_solid(piece, at)
                message = f"the light at {describe_point(at)} is inside {solid}: it lights nothing"
                dark.append(("buried", subject, message, at))
            continue
        assert isinstance(light.payload, LampSpec)
        reach = light.payload.reach * drawn.instances[light.instance].size
        apart = np.maximum(np.maximum(low - at, at - high), 0.0)
        if (apart * apart).sum(axis=1).min(initial=np.inf) > reach * reach:
            message = f"the light at {describe_point(at)} lights nothing: no face is within its {metres(reach)}"
            dark.append(("void", subject, message, at))
    dark = [one for one in dark if one[0] not in one[1].intended]
    if len(dark) > 1 and any(path.suffix.lower() == ".map" for path in context.level.files):
        kind, subject, message, at = dark[0]
        dark = [(kind, subject, f"{len(dark)} lights are of no use; the first: {message}", at)]
    for kind, subject, message, at in dark:
        context.add(Rank.LOOK, kind, subject, message, "move it into the open", at)


def check_ladders(context: Context) -> None:
    """Report ladders whose front is inside a solid."""
    for ladder in context.ladders:
        climber = ladder.climber + np.array([[0.3], [0.5], [0.7]]) * ladder.height * ladder.axes[1]
        around = context.solids.pieces_around(climber)
        if (around >= 0).all():
            message = f"the front of the ladder at {describe_point(ladder.foot)} is inside "
            message += f"{context.describe_solid(int(around[0]), climber[0])}: nobody can climb it"
            cure = "move it into the open, or turn it with `facing`"
            box = np.minimum(ladder.foot, climber.min(axis=0)) - 1.0, climber.max(axis=0) + ladder.height
            context.add(Rank.BURIED, "buried", ladder.origin, message, cure, ladder.foot, box)


def check_signs(context: Context, flood: Flood) -> None:
    """Report signs whose front is inside a solid or close before one, and those that nobody comes to read."""
    signs = [one for one in context.level.faces.marks if isinstance(one.payload, SignBoard) and not one.mover]
    if not signs:
        return
    back = np.array([context.directions(sign)[2] for sign in signs])
    forward = -back / np.linalg.norm(back, axis=1, keepdims=True)
    at = np.array([sign.at for sign in signs])
    points = at[:, None] + FRONT[:, None] * forward[:, None]
    around = context.solids.pieces_around(points.reshape(-1, 3)).reshape(len(signs), -1)
    eyes = flood.eyes
    shows = np.array([origin.visible for origin in context.origins])
    faces = context.level.faces
    low, high = faces.corners.min(axis=1), faces.corners.max(axis=1)
    for k, sign in enumerate(signs):
        assert isinstance(sign.payload, SignBoard)
        hiding = around[k][(around[k] >= 0) & (around[k] != sign.origin)]
        hiding = hiding[shows[hiding]]
        subject, place = subject_of(context.origins[sign.origin]), describe_point(at[k])
        if len(hiding):
            solid = context.describe_solid(int(hiding[0]), at[k])
            message, cure = (
                f"the sign at {place} faces {solid} close in front of it: nobody can read it",
                "turn it with `facing`",
            )
            if around[k, 0] >= 0:
                message, cure = (
                    f"the front of the sign at {place} is inside {solid}: nobody can read it",
                    "move it into the open",
                )
            context.add(Rank.LOOK, "buried", subject, message, cure, at[k])
            continue
        if len(eyes):
            offset, reach = eyes - at[k], MAX_HEIGHT + 10.0 * sign.payload.height
            sees = (
                (offset @ forward[k] > 0.0) & ((offset**2).sum(axis=1) < READABLE**2) & (np.abs(offset[:, 1]) < reach)
            )
            if not sees.any():
                message = f"nobody comes before the sign at {place}, and can read it"
                context.add(Rank.LOOK, "buried", subject, message, "move it to where players walk", at[k])
                continue
        own = (faces.origin == sign.origin) & (faces.instance == sign.instance)
        corners = faces.corners[own].reshape(-1, 3)
        corners = corners[(np.abs(corners - at[k])[:, ::2] < sign.payload.width).all(axis=1)]
        foot, top = corners.min(axis=0, initial=np.inf), corners.max(axis=0, initial=-np.inf)
        apart = np.linalg.norm(np.maximum(0.0, np.maximum(low - top, foot - high)), axis=1)[~own].min(initial=np.inf)
        has_post = foot[1] < at[k, 1] - sign.payload.height
        if len(corners) and apart > (MIN_HOVER if has_post else MAX_HOVER):
            ground, below = context.ground_below(at[k, None, ::2], foot[None, 1])
            message, cure = f"the sign at {place} hangs in the air, and touches nothing", "move it to what it hangs on"
            if has_post and below[0] >= 0:
                message = f"the post of the sign at {place} ends {metres(foot[1] - ground[0])} above "
                message, cure = message + context.describe(int(below[0])), "make its `post` longer"
            context.add(Rank.LOOK, "floating", subject, message, cure, at[k])


def check_water(context: Context) -> None:
    """Report water under a floor or terrain that covers all of it, and water that nothing holds."""
    low, high, _ = context.copies
    parts = np.linspace(0.04, 0.96, 5)
    for zone in context.level.all_zones:
        if not zone.facts.is_water or zone.mover >= 0:
            continue
        first, last = zone_bounds(zone)
        plan = np.array([(x, z) for x in parts for z in parts]) * (last - first)[::2] + first[::2]
        top = np.column_stack([plan[:, 0], np.full(len(plan), last[1] - 0.05), plan[:, 1]])
        roof, over = context.ceiling_above(plan, top[:, 1], 0.0)
        around = context.solids.pieces_around(top)
        covered = (around >= 0) | ((over >= 0) & (roof < last[1] + 0.3))
        terrain = (over >= 0) & np.isin(context.kinds[over], ("terrain",))
        subject, place = subject_of_zone(context, zone), describe_point(zone.centre)
        if (covered | terrain).all():
            piece = context.describe(int(over[0])) if over[0] >= 0 else context.describe_solid(int(around[0]), top[0])
            message, cure = (
                f"the water around {place} lies under {piece}: nobody comes into it",
                f"make a hole in {piece}, or raise the water",
            )
            context.add(Rank.BURIED, "buried", subject, message, cure, np.array(zone.centre), (first, last))
            continue
        side = np.array([BANK, 0.0, BANK])
        holds = ((low <= last + side) & (high >= first - side - WATER_REST * UP)).all(axis=1)
        other = any((zone_bounds(one)[0] <= last).all() and (zone_bounds(one)[1] >= first - 0.1).all()
                    for one in context.level.all_zones if one is not zone and one.facts.is_water)  # fmt: skip
        ground, below = context.ground_below(plan, np.full(len(plan), first[1]))
        if not holds.any() and not other and (below >= 0).any():
            k = int(np.argmax(ground))
            message = f"the water around {place} hangs in the air: its bottom is {metres(first[1] - ground[k])} above "
            message += context.describe(int(below[k]))
            context.add(Rank.IN_THE_AIR, "floating", subject, message, "lower it into a basin", np.array(zone.centre))


def check_names(context: Context) -> None:
    """Report two spawns with one name, and two targets or checkpoints with one name that are written apart.

    Copies of one piece, in arrays and prefabs, have its name by purpose.
    """
    lines: dict[str, int] = {}
    for spawn in context.level.spawns:
        if spawn.name in lines:
            message = f"the spawn at line {lines[spawn.name]} has the same name: an exit or a test finds only that one"
            context.add(
                Rank.PLACE, "", Subject(spawn.place, f"spawn ({spawn.name})"), message, "give one of them another name"
            )
        lines.setdefault(spawn.name, spawn.place.line)
    pieces: dict[str, int] = {}
    for index, origin in enumerate(context.origins):
        if origin.kind in NAMED_KINDS and origin.label != origin.kind:
            earlier = context.origins[pieces.setdefault(origin.label, index)]
            if earlier.place != origin.place:
                message = f"the {earlier.kind} at line {earlier.place.line} has the same name"
                context.add(Rank.PLACE, "name", index, message, "give one of them another name")
