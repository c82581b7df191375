"""Warnings about a level's geometry: what can be built, but is seldom meant.

Each is told once a piece, at the worst place. A piece that means it says `intended`, and stays unmentioned.
What is looked for is kept narrow on purpose: a warning that is often wrong is soon read by nobody.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..format.findings import FindingCollector
from ..geometry.column_grid import TooManyCandidates
from . import clearance, cracks, slopes_and_steps, spawns_and_goals, z_fighting
from .clearance import MIN_PASSAGE_HEIGHT
from .lint_context import LintContext
from .slopes_and_steps import SLOPE_LIMIT_MARGIN, STEP_LIMIT_MARGIN

if TYPE_CHECKING:
    from ..level import Level

__all__ = ["GEOMETRY_CHECKS", "MIN_PASSAGE_HEIGHT", "SLOPE_LIMIT_MARGIN", "STEP_LIMIT_MARGIN", "check_geometry"]

GEOMETRY_CHECKS = {
    slopes_and_steps.check_slopes: "steep slopes",
    slopes_and_steps.check_steps: "steps",
    clearance.check_passages: "narrow passages",
    clearance.check_head_room: "head room",
    cracks.check_cracks: "cracks",
    cracks.check_missed_edges: "edges",
    z_fighting.check_coplanar_faces: "overlapping faces",
    z_fighting.check_flipped_quads: "flipped quads",
    spawns_and_goals.check_spawns: "spawns",
    spawns_and_goals.check_goal: "the goal",
    spawns_and_goals.check_exits: "the exits",
}


def check_geometry(level: Level, report: FindingCollector) -> None:
    """Add every warning about the geometry of a level to its report."""
    survey = LintContext(level, report)
    for look, what in GEOMETRY_CHECKS.items():
        try:
            look(survey)
        except TooManyCandidates:
            message = f"too many pieces overlap here; the check for {what} was skipped"
            report.add("warning", level.origins[0].place, "pieces", message, "spread them out, or make fewer copies")
