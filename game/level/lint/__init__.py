"""Warnings about a level's geometry: what can be built, but is seldom meant.

Each is told once a piece, at the worst place. A piece that means it says `intended`, and stays unmentioned.
What is looked for is kept narrow on purpose: a warning that is often wrong is soon read by nobody.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..format.findings import Report
from ..geometry.column_grid import Crowded
from . import clearance, cracks, slopes_and_steps, spawns_and_goals, z_fighting
from .clearance import LOWEST
from .lint_context import Survey
from .slopes_and_steps import HIGH_STEP, NEAR_SLOPE

if TYPE_CHECKING:
    from ..level import Level

__all__ = ["HIGH_STEP", "LOOKS", "LOWEST", "NEAR_SLOPE", "look_over"]

LOOKS = {
    slopes_and_steps.slopes: "steep slopes",
    slopes_and_steps.steps: "steps",
    clearance.passages: "narrow passages",
    clearance.head_room: "head room",
    cracks.cracks: "cracks",
    cracks.missed_edges: "edges",
    z_fighting.same_plane: "faces that lie on each other",
    z_fighting.flipped: "flipped quads",
    spawns_and_goals.spawns: "where one begins",
    spawns_and_goals.goal: "the goal",
    spawns_and_goals.exits: "the exits",
}


def look_over(level: Level, report: Report) -> None:
    """Add every warning about the geometry of a level to its report."""
    survey = Survey(level, report)
    for look, what in LOOKS.items():
        try:
            look(survey)
        except Crowded:
            message = f"too much lies in one place to look at {what}"
            report.add("warning", level.origins[0].place, "pieces", message, "spread it out, or make fewer copies")
