"""Checks of spawns, the goal and exits."""

from __future__ import annotations

import numpy as np

from ...core import walker_defaults
from ...core.angles import HEADING_UNITS_PER_TURN
from ..format.findings import quote_text
from ..geometry.overlapping_pairs import distance_from_origin
from .lint_context import LintContext

BURIED_RADIUS_FACTOR = 0.9  # of the body's radii: geometry nearer to its centre intersects it


def check_spawns(context: LintContext) -> None:
    """Warn about spawns inside geometry that does not move, without ground below, or below the kill height."""
    rx, ry, rz = walker_defaults.RADII
    moves = context.faces.mover_numbers != 0
    for spawn in context.level.spawns:
        feet = np.array(spawn.feet)
        label = f"spawn ({spawn.name})"
        centre = feet + np.array([0.0, ry, 0.0])
        angle = spawn.heading / HEADING_UNITS_PER_TURN * 2 * np.pi
        sine, cosine = np.sin(angle), np.cos(angle)
        local = context.triangles - centre
        body = np.stack(
            [
                (local[..., 0] * cosine - local[..., 2] * sine) / rx,
                local[..., 1] / ry,
                (local[..., 0] * sine + local[..., 2] * cosine) / rz,
            ],
            axis=-1,
        )
        distance = np.where(moves[context.face_of], np.inf, distance_from_origin(body))
        _, _, height = context.plan.faces_at(feet[None, ::2])
        over, above = context.ceiling_above(feet[None, ::2], centre[None, 1], 0.0)
        worst = int(np.argmin(distance))
        place = spawn.place
        if distance[worst] < BURIED_RADIUS_FACTOR:
            message = f"the player intersects {context.describe_face(int(context.face_of[worst]))}"
            context.report.add("warning", place, label, message, "move the spawn, or make more room")
        elif np.isfinite(over[0]) and not moves[above[0]] and context.is_solid_from_inside(int(above[0])):
            message = f"the player is inside {context.describe_face(int(above[0]))}"
            context.report.add("warning", place, label, message, "move the spawn")
        elif not (height < centre[1]).any():
            context.report.add("warning", place, label, "there is no ground below", "move the spawn above a floor")
        if feet[1] <= context.level.kill_height:
            cure = "raise the spawn, or lower `kill_height`"
            context.report.add("warning", place, label, "the spawn is below `kill_height`", cure)


def check_goal(context: LintContext) -> None:
    """Warn about a goal below the kill height."""
    goal, kill_height = context.level.goal, context.level.kill_height
    if goal is not None and goal.at[1] + goal.radius <= kill_height:
        cure = "raise it, or lower `kill_height`"
        context.report.add("warning", goal.place, "goal", "the goal is below `kill_height`", cure)


def check_exits(context: LintContext) -> None:
    """Warn about exits below the kill height, and exits that contain a spawn."""
    for exit_ in context.level.exits:
        if exit_.at[1] + exit_.radius <= context.level.kill_height:
            cure = "raise it, or lower `kill_height`"
            context.report.add("warning", exit_.place, "exits", "the exit is below `kill_height`", cure)
        for spawn in context.level.spawns:
            if np.linalg.norm(np.subtract(spawn.feet, exit_.at)) <= exit_.radius:
                message = f"the spawn {quote_text(spawn.name)} is inside this exit"
                cure = "move one of them, or make the exit smaller"
                context.report.add("warning", exit_.place, "exits", message, cure)
