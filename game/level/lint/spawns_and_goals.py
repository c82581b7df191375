"""Where one begins, where one goes: spawns, the goal, exits."""

from __future__ import annotations

import numpy as np

from ...core import walker_defaults
from ..format.findings import quote_text
from ..geometry.overlapping_pairs import distance_from_origin
from .lint_context import LintContext

BURIED_RADIUS_FACTOR = 0.9  # of the body: nearer to its middle than this, something sticks in it


def check_spawns(survey: LintContext) -> None:
    rx, ry, rz = walker_defaults.RADII
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
        _, _, height = survey.plan.faces_at(feet[None, ::2])
        over, above = survey.ceiling_above(feet[None, ::2], centre[None, 1], 0.0)
        worst = int(np.argmin(distance))
        place = spawn.place
        if distance[worst] < BURIED_RADIUS_FACTOR:
            message = f"the player intersects {survey.describe_face(int(survey.face_of[worst]))}"
            survey.report.add("warning", place, where, message, "move the spawn, or make more room")
        elif np.isfinite(over[0]) and survey.is_solid_from_inside(int(above[0])):
            survey.report.add(
                "warning", place, where, f"the player is inside {survey.describe_face(int(above[0]))}", "move the spawn"
            )
        elif not (height < centre[1]).any():
            survey.report.add("warning", place, where, "there is no ground below", "move the spawn above a floor")
        if feet[1] <= survey.level.kill_height:
            survey.report.add(
                "warning", place, where, "the spawn is below `kill_height`", "raise the spawn, or lower `kill_height`"
            )


def check_goal(survey: LintContext) -> None:
    goal, kill_height = survey.level.goal, survey.level.kill_height
    if goal is not None and goal.at[1] + goal.radius <= kill_height:
        cure = "raise it, or lower `kill_height`"
        survey.report.add("warning", goal.place, "goal", "the goal is below `kill_height`", cure)


def check_exits(survey: LintContext) -> None:
    """Exits that nobody can come to, or that are taken by standing where one begins."""
    for way in survey.level.exits:
        if way.at[1] + way.radius <= survey.level.kill_height:
            cure = "raise it, or lower `kill_height`"
            survey.report.add("warning", way.place, "exits", "the exit is below `kill_height`", cure)
        for spawn in survey.level.spawns:
            if np.linalg.norm(np.subtract(spawn.feet, way.at)) <= way.radius:
                message = f"the spawn {quote_text(spawn.name)} is inside this exit"
                survey.report.add("warning", way.place, "exits", message, "move one of them, or make the exit smaller")
