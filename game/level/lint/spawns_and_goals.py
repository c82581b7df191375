"""Checks of spawns, the goal and exits, rooms without a way in, and boxes that nobody comes to."""

from __future__ import annotations

from itertools import product

import numpy as np

from ...core.vectors import Floats
from ..build.entities.player import has_room
from ..build.level_assembly import describe_origin
from ..build.shared_walls import PlacedRoom, placed_rooms
from ..format.findings import SourceSpan, quote_text
from ..format.schema.zones import RunRole
from ..geometry.faces import TargetSpec
from ..level import Spawn
from .doorways import placed_openings
from .lint_context import LintContext, Subject, describe_point, subject_of, zone_bounds
from .places import (
    destinations,
    has_own_gravity,
    intersecting_face,
    is_carried,
    mover_comes_to,
    subject_of_zone,
    warn_buried,
    warn_void,
)

MAX_SPAWN_DROP = 2.0  # m from a spawn to the ground
BEYOND_WALL = (0.1, 0.6)  # m from a wall to places on both sides of an opening
FLOOR_PARTS = np.linspace(0.05, 0.95, 6)  # of the sides of a room, at which it is to have a floor
AROUND_PARTS = np.linspace(-0.2, 1.2, 8)  # of the sides of a `kill` box, at which one would fall to it
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
        for zone in context.level.all_zones:
            if zone.facts.role is RunRole.KILL and zone.mover < 0 and zone.contains(feet.tolist()):
                message = f"the spawn is in the `kill` box (line {zone.place.line}), which sends players back to it"
                context.report.add("warning", place, label, message, "move one of them")


def _check_height(context: LintContext, place: SourceSpan, label: str, noun: str, top: float) -> bool:
    """Whether a thing with this top (m) is above the kill height. Warns if it is not."""
    if top <= context.kill_height:
        cure = f"raise {noun if noun == 'the spawn' else 'it'}, or lower `kill_height`"
        context.report.add("warning", place, label, f"{noun} is below `kill_height`", cure)
    return top > context.kill_height


def _warn_of_fall(context: LintContext, spawn: Spawn, feet: Floats, ground: float) -> None:
    """Warn about a spawn high above the ground, where nothing catches the player."""
    below = np.array([feet[0], ground, feet[2]])
    if feet[1] - ground <= MAX_SPAWN_DROP or "fall" in spawn.intended or is_carried(context, below, feet):
        return
    if has_own_gravity(context, feet) or mover_comes_to(context, feet[None]):
        return
    under = context.ground_below(feet[None, ::2], np.array([-np.inf]), feet[None, 1])
    name = context.describe_face(int(under.face[0])) if np.isfinite(under.height[0]) else "the ground"
    message = f"the spawn is {feet[1] - ground:.3g} m above {name}: the player begins with a fall"
    cure = f"write {np.ceil(ground * 100.0 - 1e-6) / 100.0 + 0.0:g} as its height, or add `intended: [fall]`"
    context.report.warn_of_lack(spawn.place, f"spawn ({spawn.name})", message, cure)


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


def check_goal(context: LintContext) -> None:
    """Warn about a goal below the kill height, inside a solid, or with nothing below it."""
    goal = context.level.goal
    if goal is None:
        return
    at = np.array(goal.at)
    subject = Subject(goal.place, "goal", goal.intended)
    is_above = _check_height(context, goal.place, "goal", "the goal", goal.at[1] + goal.radius)
    if is_above and not warn_buried(context, subject, at, goal.radius, "the goal"):
        warn_void(context, subject, at, np.full(3, goal.radius), "the goal")


def check_exits(context: LintContext) -> None:
    """Warn about exits below the kill height, and exits that contain a spawn."""
    for exit_ in context.level.exits:
        _check_height(context, exit_.place, "exits", "the exit", exit_.at[1] + exit_.radius)
        for spawn in context.level.spawns:
            if np.linalg.norm(np.subtract(spawn.feet, exit_.at)) <= exit_.radius:
                message = f"the spawn {quote_text(spawn.name)} is inside this exit"
                cure = "move one of them, or make the exit smaller"
                context.report.add("warning", exit_.place, "exits", message, cure)


def check_closed_rooms(context: LintContext) -> None:
    """Warn about goals and targets in a room without any opening, and about a spawn in one that they are outside of."""
    level, openings = context.level, list(placed_openings(context))
    ways = [one.centre + (one.depth / 2.0 + far) * one.out for one in openings for far in BEYOND_WALL]
    ways += [one.centre - (one.depth / 2.0 + far) * one.out for one in openings for far in BEYOND_WALL]
    ways += [np.array(place) for zone in level.all_zones if zone.arrive for place in (zone.arrive, zone.centre)]
    targets = [one for one in level.faces.marks if isinstance(one.payload, TargetSpec) and not one.mover]
    found = [("the target", one.at, subject_of(level.origins[one.origin])) for one in targets]
    found += [("the goal", one.at, Subject(one.place, "goal", one.intended)) for one in [level.goal] if one]
    ground = context.corners[context.walkable & (context.kinds != "room")].mean(axis=1)
    places = destinations(context) if len(destinations(context)) else ground
    for room in placed_rooms(level.faces):
        spawns = [spawn for spawn in level.spawns if room.holds(np.array(spawn.feet))]
        inside = [one for one in found if room.holds(np.array(one[1])) and not spawns]
        is_left = bool(spawns) and not room.holds(places).all()
        if not (is_left or inside) or room.holds(np.array(ways).reshape(-1, 3)).any() or _is_entered(context, room):
            continue
        name = f"is in {describe_origin(level.origins[room.origin])}, which has no doorway"
        cure = "add `doors: [{wall: south}]` to the room"
        for noun, at, subject in inside:
            context.warn("void", subject, f"{noun} at {describe_point(at)} {name}: nobody comes in", cure)
        for spawn in spawns[:1]:
            message = f"the spawn {name}: the player cannot leave it"
            context.report.add("warning", spawn.place, f"spawn ({spawn.name})", message, cure)


def _is_entered(context: LintContext, room: PlacedRoom) -> bool:
    """Whether one may come into a room through its ceiling or floor, or by something that moves."""
    low, high = np.array(room.shell.hollow)
    box = room.to_world(np.array(list(product(*zip(low, high, strict=True)))))
    plan = room.to_world(np.array([low + (high - low) * [x, 0.0, z] for x in FLOOR_PARTS for z in FLOOR_PARTS]))
    floor = context.ground_below(plan[:, ::2], plan[:, 1] - 0.1, plan[:, 1] + 0.1)
    is_open = not room.shell.has_ceiling or bool(room.shell.holes) or room.mover > 0 or bool((floor.face < 0).any())
    return is_open or is_carried(context, box.min(axis=0), box.max(axis=0)) or mover_comes_to(context, box)


def check_kill_boxes(context: LintContext) -> None:
    """Warn about `kill` boxes below the kill height, and those under a floor with nothing below it."""
    for zone in context.level.all_zones:
        if zone.facts.role is not RunRole.KILL or zone.mover >= 0:
            continue
        (low, high), subject = zone_bounds(zone), subject_of_zone(context, zone)
        plan = np.array([low + (high - low) * [x, 0.0, z] for x in AROUND_PARTS for z in AROUND_PARTS])[:, ::2]
        top = np.full(len(plan), high[1])
        over = context.ground_below(plan, top, top + np.inf, static=True).face
        if high[1] <= context.kill_height:
            message = f"it is below `kill_height`, {context.kill_height:g} m: players respawn before they come to it"
            context.warn("void", subject, message, "raise it, or lower `kill_height`")
        under = context.ground_below(plan, top - np.inf, top).face
        if over.min() >= 0 > under.max() and high[1] > context.kill_height and not context.has_carrier(low, high):
            message = f"it lies under {context.describe_face(int(over[0]))}: nobody falls into it"
            context.warn("void", subject, message, "make a hole above it, or move it")
