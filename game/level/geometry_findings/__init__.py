"""Warnings about a level's geometry: what can be built, but is seldom meant.

Each is told once a piece, at the worst place. A piece that means it says `intended`, and stays unmentioned.
What is looked for is kept narrow on purpose: a warning that is often wrong is soon read by nobody.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from game.level.findings import Report
from game.level.geometry_findings import places, room, seams, sheets, walking
from game.level.geometry_findings.room import LOWEST
from game.level.geometry_findings.survey import Survey
from game.level.geometry_findings.walking import HIGH_STEP, NEAR_SLOPE
from game.level.plan import Crowded

if TYPE_CHECKING:
    from game.level.level import Level

__all__ = ["HIGH_STEP", "LOOKS", "LOWEST", "NEAR_SLOPE", "look_over"]

LOOKS = {
    walking.slopes: "steep slopes",
    walking.steps: "steps",
    room.passages: "narrow passages",
    room.head_room: "head room",
    seams.cracks: "cracks",
    seams.missed_edges: "edges",
    sheets.same_plane: "faces that lie on each other",
    sheets.flipped: "flipped quads",
    places.spawns: "where one begins",
    places.goal: "the goal",
    places.exits: "the exits",
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
