"""Checks of spawns, the goal and exits."""

from __future__ import annotations

import numpy as np

from ...core.vectors import Floats
from ..build.entities.landmarks import StairsFoot
from ..build.entities.player import describe_least, has_room
from ..build.entities.zones import RunRole
from ..format.findings import SourceSpan, quote_text
from ..geometry.faces import TargetSpec
from ..level import Spawn
from .clearance import MIN_LEDGE_WIDTH, sample_points
from .doorways import describe_opening, placed_openings
from .lint_context import LintContext, Subject, describe_point, subject_of
from .places import (
    destinations,
    has_own_gravity,
    intersecting_face,
    is_carried,
    kill_boxes,
    mover_comes_to,
    subject_of_zone,
    warn_buried,
    warn_void,
)

MOST = 90.0  # per cent of a floor that a low ceiling covers
LEVEL_WITH = 0.05  # m between two heights that are meant to be one
MAX_BEYOND, EDGE_MARGIN = 2.0, 0.5  # m from a spawn to the floor that it missed, and from its edge to a better place
MAX_REACH = 4.0  # m, radius of a goal or a target
MAX_SPAWN_DROP = 2.0  # m from a spawn to the ground
MAX_MEANT_DROP = 10.0  # m from a spawn at z = 0: with y and z swapped it stands on most floors, by chance
TOUCHING_RADIUS_FACTOR = 0.99  # of the body's radii: with nothing nearer to its centre it stands clear


def check_kill_height(context: LintContext) -> None:
    """Warn about a kill height above the ground of a spawn, and above most other ground.

    Then no other check judges by it.
    """
    place = context.level.kill_height_place
    if place is None:
        return
    feet = np.array([spawn.feet for spawn in context.level.spawns])
    ground = context.ground_below(feet[:, ::2], np.full(len(feet), -np.inf), feet[:, 1] + context.body.step_height)
    area = np.prod((context.high - context.low)[context.walkable][:, ::2], axis=1)
    below = context.high[context.walkable, 1] <= context.kill_height
    beneath = np.nonzero(np.isfinite(ground.height) & (ground.height <= context.kill_height))[0]
    if not len(beneath) or area[below].sum() < area[~below].sum():
        return
    floor = context.describe_face(int(ground.face[beneath[0]]))
    message = f"{context.kill_height:g} m is not below {floor}, where the player starts: nobody can stay there"
    lowest = min(float(feet[:, 1].min()), float(context.low[:, 1].min()))
    context.report.add("warning", place, "kill_height", message, f"write {np.floor(lowest - 1.0):g} or less")
    context.kill_height = -np.inf


def check_spawns(context: LintContext) -> None:
    """Report spawns without room for the player. Warn about spawns inside geometry that does not move, without ground
    below, or below the kill height.
    """
    moves = context.faces.mover_numbers != 0
    for spawn in context.level.spawns:
        feet = np.array(spawn.feet)
        label = f"spawn ({spawn.name})"
        middle = feet[1] + context.body.radii[1]
        face = intersecting_face(context, feet, spawn.heading)
        _, _, height = context.plan.faces_at(feet[None, ::2])
        over, above = context.ceiling_above(feet[None, ::2], np.array([middle]), 0.0)
        place = spawn.place
        if _is_blocked(context, feet, spawn.heading):
            touched = intersecting_face(context, feet, spawn.heading, TOUCHING_RADIUS_FACTOR)
            within = f" in {context.describe_face(touched)}" if touched is not None else ""
            message = f"there is no room for the player{within}: the level cannot be started here"
            context.report.add("dropped", place, label, message, "move the spawn, or make more room")
        elif face is not None:
            message = f"the player intersects {context.describe_face(face)}"
            context.report.add("warning", place, label, message, "move the spawn, or make more room")
        elif np.isfinite(over[0]) and not moves[above[0]] and context.is_solid_from_inside(int(above[0])):
            message = f"the player is inside {context.describe_face(int(above[0]))}"
            context.report.add("warning", place, label, message, "move the spawn")
        elif not (height < middle).any():
            context.report.warn_of_lack(place, label, "there is no ground below", "move the spawn above a floor")
        else:
            _warn_of_fall(context, spawn, feet, float(height[height < middle].max()))
        _check_height(context, place, label, "the spawn", feet[1])
        for zone in kill_boxes(context):
            if zone.contains(feet.tolist()):
                message = f"the spawn is in the `kill` box (line {zone.place.line}), which sends players back to it"
                context.report.add("warning", place, label, message, "move one of them")


def _check_height(context: LintContext, place: SourceSpan, label: str, noun: str, top: float) -> bool:
    """Whether a thing with this top (m) is above the kill height. Warns if it is not."""
    if top <= context.kill_height:
        cure = f"raise {noun if noun == 'the spawn' else 'it'}, or lower `kill_height`"
        context.report.add("warning", place, label, f"{noun} is below `kill_height`", cure)
    return top > context.kill_height


def _warn_of_fall(context: LintContext, spawn: Spawn, feet: Floats, ground: float) -> None:
    """Warn about a spawn high above the ground, where nothing catches the player, or over a kill box."""
    below = np.array([feet[0], ground, feet[2]])
    if "fall" in spawn.intended or has_own_gravity(context, feet) or mover_comes_to(context, feet[None]):
        return
    drop, is_odd = feet[1] - ground, abs(feet[2]) > LEVEL_WITH or feet[1] - ground > MAX_MEANT_DROP
    meant, cure = swapped(context, feet)
    if drop > MAX_SPAWN_DROP and is_odd and meant:
        message = f"the spawn is {drop:.3g} m above the ground: with y and z swapped it stands on {meant}"
        context.report.warn_of_lack(spawn.place, f"spawn ({spawn.name})", message, cure)
        return
    if _is_beyond_an_edge(context, spawn, feet, ground) or feet[1] - ground <= MAX_SPAWN_DROP:
        return
    if is_carried(context, below, feet):
        return
    under = context.ground_below(feet[None, ::2], np.array([-np.inf]), feet[None, 1])
    name = context.describe_face(int(under.face[0])) if np.isfinite(under.height[0]) else "the ground"
    message = f"the spawn is {feet[1] - ground:.3g} m above {name}: the player begins with a fall"
    cure = f"write {np.ceil(ground * 100.0 - 1e-6) / 100.0 + 0.0:g} as its height, or add `intended: [fall]`"
    context.report.warn_of_lack(spawn.place, f"spawn ({spawn.name})", message, cure)


def swapped(context: LintContext, at: Floats, drop: float = LEVEL_WITH) -> tuple[str, str]:
    """The ground, in words, at most `drop` (m) below a place (3,) with y and z swapped, and the cure; '' if none is."""
    ground = context.ground_below(at[None, :2], at[None, 2] - drop, at[None, 2] + LEVEL_WITH)
    cure = f"write `at: {describe_point(at[[0, 2, 1]], '[]')}`: a point is [x, y, z], and y is the height"
    return context.describe_face(int(ground.face[0])) if ground.face[0] >= 0 else "", cure


def _is_beyond_an_edge(context: LintContext, spawn: Spawn, feet: Floats, ground: float) -> bool:
    """Warn about a spawn beside a floor as high as it, over water or a kill box. True if it is."""
    heights = feet[1] - np.arange(context.body.step_height, feet[1] - ground, 0.1)
    column = np.insert(np.tile(feet[::2], (len(heights), 1)), 1, heights, axis=1).tolist()
    zones = kill_boxes(context) + [zone for zone in context.level.all_zones if zone.facts.is_water]
    zones = [zone for zone in zones if not zone.contains(feet.tolist())]
    over = next((zone for zone in zones if any(map(zone.contains, column))), None)
    if over is None:
        return False
    floors = np.nonzero(context.walkable & (np.abs(context.high[:, 1] - feet[1]) < LEVEL_WITH))[0]
    inset = np.minimum((context.high - context.low)[floors] / 2.0, [EDGE_MARGIN, 0.0, EDGE_MARGIN])
    places = np.clip(feet, context.low[floors] + inset, context.high[floors] - inset)
    apart = np.linalg.norm((np.clip(feet, context.low[floors], context.high[floors]) - feet)[:, ::2], axis=1)
    if apart.min(initial=np.inf) > MAX_BEYOND:
        return False
    nearest = int(np.argmin(apart))
    message = (
        f"the spawn is {apart[nearest]:.2g} m beyond the edge of {context.describe_face(int(floors[nearest]))}, over "
    )
    message += f"the `{over.kind}` (line {over.place.line})"
    cure = f"write `at: {describe_point(places[nearest], '[]')}`, or add `intended: [fall]`"
    context.report.warn_of_lack(spawn.place, f"spawn ({spawn.name})", message, cure)
    return True


def check_deadly_doorways(context: LintContext) -> None:
    """Warn about kill boxes around the floor of a checkpoint, or a doorway and a second one or the foot of stairs."""
    boxes = kill_boxes(context)
    if not boxes:
        return
    doors = [one for one in placed_openings(context) if one.opening.kind == "doorway"]
    feet = [one.centre + (one.base - one.centre) * [0, 1, 0] for one in doors]
    feet += [np.array(marker.at) for marker, _ in context.markers(StairsFoot)]
    saves = [one for one in context.level.all_zones if one.facts.role is RunRole.CHECKPOINT and one.mover < 0]
    tops, depths = (np.array([one.centre for one in saves]).reshape(-1, 3), np.array([one.half[1] for one in saves]))
    floors = context.ground_below(tops[:, ::2], tops[:, 1] - depths - context.body.radii[1], tops[:, 1] + depths)
    for zone in boxes:
        inside = [k for k, at in enumerate(feet) if zone.contains(at + np.array([0.0, 0.01, 0.0]))]
        starts = any(zone.contains(spawn.feet) for spawn in context.level.spawns)  # has a finding of its own
        places = np.column_stack([tops[:, 0], floors.height + 0.01, tops[:, 2]]).tolist()
        saved = next((k for k, at in enumerate(places) if floors.face[k] >= 0 and zone.contains(at)), -1)
        is_door = len(inside) > 1 and inside[0] < len(doors)
        if (is_door or saved >= 0) and not starts:
            lowest = min(float(feet[k][1]) for k in inside) if is_door else float(floors.height[saved])
            what = describe_opening(doors[inside[0]]) if is_door else f"the checkpoint at {describe_point(tops[saved])}"
            message = f"players die in {what}: the box ends "
            message += f"{zone.centre[1] + zone.half[1] - lowest:.3g} m above its floor"
            cure = f"let it end at a height of {lowest - 0.1:.4g}"
            context.warn("void", subject_of_zone(context, zone), message, cure)


def _is_blocked(context: LintContext, feet: Floats, heading: int) -> bool:
    """True if no walker can begin there. Measured only where geometry is in the body: the mesh is cooked for it.

    In a zone of gravity the body may have any direction: it is not judged there.
    """
    if has_own_gravity(context, feet):
        return False
    if intersecting_face(context, feet, heading, TOUCHING_RADIUS_FACTOR) is None:
        return False
    level = context.level
    environment = level.environment if level.movers or level.zones is not None else None
    return not has_room(level.player, level.mesh, environment, feet, heading)


def check_low_floors(context: LintContext) -> None:
    """Warn about a ceiling so low over all of a floor that nobody comes to a goal, target or zone between them."""
    places, body = destinations(context), context.body
    floor = context.ground_below(
        places[:, ::2], np.full(len(places), -np.inf), places[:, 1] + 0.01, MIN_LEDGE_WIDTH, static=True
    )
    roof, over = context.ceiling_above(places[:, ::2], places[:, 1], 0.02, static=True)
    low = (floor.face >= 0) & (over >= 0) & (roof - floor.height < body.clear_height - 1e-6)
    number = context.piece_bounds[2]
    for below, above in sorted(set(zip(floor.face[low].tolist(), over[low].tolist(), strict=True))):
        points, _ = sample_points(context, np.nonzero(context.walkable & (number == number[below]))[0])
        clear = context.ceiling_above(points[:, ::2], points[:, 1], 0.02)[0] - points[:, 1]
        if np.percentile(np.minimum(clear, 2.0 * body.clear_height), MOST) < body.clear_height - 1e-6:
            headroom = float(np.median(clear))
            verb = "cannot pass" if headroom < body.clear_crouch_height else "must crouch"
            message = f"the headroom above {context.describe_face(below)} is {headroom:.2f} m: {context.player} {verb}"
            context.warn_face("low", above, message, f"leave at least {describe_least(body.clear_height)} m", below)
            context.misplaced.add(int(context.faces.origin[above]))


def check_goal(context: LintContext) -> None:
    """Warn about a goal below the kill height, inside a solid, or with nothing below it."""
    goal = context.level.goal
    if goal is None:
        return
    at = np.array(goal.at)
    subject = Subject(goal.place, "goal", goal.intended)
    is_above = _check_height(context, goal.place, "goal", "the goal", goal.at[1] + goal.radius)
    ground = context.ground_below(at[None, ::2], np.array([-np.inf]), at[None, 1] + LEVEL_WITH)
    drop = float(at[1] - ground.height[0])
    if goal.radius + context.body.jump_height + context.body.step_height < drop < np.inf:
        meant, cure = swapped(context, at)
        if meant and not is_carried(context, at - [0.0, drop, 0.0], at):
            message = f"the goal at {describe_point(at)} is {drop:.3g} m above "
            message += f"{context.describe_face(int(ground.face[0]))}: with y and z swapped it stands on {meant}"
            context.warn("void", subject, message, cure)
            return
    if is_above and not warn_buried(context, subject, at, goal.radius, "the goal"):
        warn_void(context, subject, at, np.full(3, goal.radius), "the goal")


def check_reach(context: LintContext) -> None:
    """Warn about a goal or a target that is reached from far away, through walls and floors."""
    level, found = context.level, []
    if level.goal is not None:
        found.append((Subject(level.goal.place, "goal", level.goal.intended), level.goal.radius, "the goal"))
    for marker in level.faces.marks:
        if isinstance(marker.payload, TargetSpec) and (level.play is None or not level.play.reach_targets):
            radius = marker.payload.radius * level.faces.instances[marker.instance].size
            found.append((subject_of(level.origins[marker.origin]), radius, "the target"))
    for subject, radius, noun in found:
        if radius > MAX_REACH:
            message = f"{noun} is reached from {radius:.4g} m away, also through walls and floors"
            context.warn("void", subject, message, f"write `radius: {radius / 10.0:.4g}`, or add `intended: [void]`")


def check_exits(context: LintContext) -> None:
    """Warn about exits below the kill height, and exits that contain a spawn."""
    for exit_ in context.level.exits:
        _check_height(context, exit_.place, "exits", "the exit", exit_.at[1] + exit_.radius)
        for spawn in context.level.spawns:
            if np.linalg.norm(np.subtract(spawn.feet, exit_.at)) <= exit_.radius:
                message = f"the spawn {quote_text(spawn.name)} is inside this exit"
                cure = "move one of them, or make the exit smaller"
                context.report.add("warning", exit_.place, "exits", message, cure)
