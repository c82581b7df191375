"""Geometry checks (lint): warnings about geometry that is valid but seldom intended.

Each check reports a piece at most once, at its worst place. The field `intended` of a piece turns a warning off. The
checks are narrow on purpose: authors stop reading warnings that are often wrong.
"""

from __future__ import annotations

from traceback import walk_tb
from types import TracebackType

from ..format.findings import FindingCollector, SourceSpan
from ..geometry.column_grid import TooManyCandidates
from ..level import Level
from . import (
    blocked_doorways,
    bridges,
    clearance,
    cracks,
    doorways,
    fittings,
    level_tests,
    lifts,
    pictures_and_decals,
    places,
    slopes_and_steps,
    spawns_and_goals,
    spawns_and_movers,
    water,
    z_fighting,
)
from .clearance import MIN_PASSAGE_HEIGHT
from .lint_context import LintContext, Subject
from .slopes_and_steps import SLOPE_LIMIT_MARGIN, STEP_LIMIT_MARGIN

__all__ = ["GEOMETRY_CHECKS", "MIN_PASSAGE_HEIGHT", "SLOPE_LIMIT_MARGIN", "STEP_LIMIT_MARGIN", "check_geometry"]

GEOMETRY_CHECKS = {
    water.check_water: "water",
    z_fighting.check_overlapping_rooms: "overlapping rooms",
    z_fighting.check_enclosed: "pieces in solids",
    fittings.check_ladders: "the ladders",
    slopes_and_steps.check_flights: "stairs and ramps",
    lifts.check_frames: "the frames of movers",
    lifts.check_lift_places: "the places of lifts",
    lifts.check_lifts: "lifts",
    lifts.check_stops: "the stops of lifts",
    slopes_and_steps.check_slopes: "steep slopes",
    slopes_and_steps.check_steps: "steps",
    blocked_doorways.check_rooms_in_the_air: "rooms in the air",
    blocked_doorways.check_ways: "the ways through doorways",
    clearance.check_passages: "narrow passages",
    blocked_doorways.check_blocked_doorways: "what stands in doorways",
    clearance.check_missing_holes: "missing holes",
    fittings.check_furniture: "what hangs in the air",
    z_fighting.check_buried: "what lies under terrain",
    spawns_and_goals.check_low_floors: "low ceilings",
    clearance.check_head_room: "head room",
    cracks.check_cracks: "cracks",
    cracks.check_missed_edges: "edges",
    doorways.check_doorways: "doorways",
    blocked_doorways.check_shared_floors: "steps between rooms",
    z_fighting.check_flipped_quads: "flipped quads",
    spawns_and_goals.check_kill_height: "the kill height",
    spawns_and_goals.check_spawns: "spawns",
    spawns_and_movers.check_spawns_and_movers: "spawns in the way of movers",
    blocked_doorways.check_doors: "doors",
    lifts.check_paths: "the paths of movers",
    slopes_and_steps.check_stairs: "the feet of stairs",
    slopes_and_steps.check_stairs_heads: "the heads of stairs",
    z_fighting.check_coplanar_faces: "overlapping faces",
    spawns_and_goals.check_deadly_doorways: "doorways in kill boxes",
    spawns_and_goals.check_goal: "the goal",
    spawns_and_goals.check_reach: "the reach of goal and targets",
    spawns_and_goals.check_exits: "the exits",
    blocked_doorways.check_closed_rooms: "closed rooms",
    places.check_kill_boxes: "kill boxes",
    places.check_targets: "the targets",
    places.check_checkpoints: "the checkpoints",
    places.check_teleports: "the teleports",
    places.check_pads: "the pads",
    fittings.check_lights_and_signs: "lights and signs",
    fittings.check_copies: "copies of prefabs",
    level_tests.check_names: "names",
    pictures_and_decals.check_decals: "decals",
    pictures_and_decals.check_texture_memory: "video memory",
    level_tests.check_tests: "the tests",
    bridges.check_bridges: "bridges",
    bridges.check_hanging_walls: "walls in the air",
    bridges.check_walls_through_rooms: "walls through rooms",
}


def check_geometry(level: Level, report: FindingCollector) -> None:
    """Add all warnings about the geometry of a level to `report`."""
    context = LintContext(level, report)
    for check, subject in GEOMETRY_CHECKS.items():
        try:
            check(context)
        except TooManyCandidates:
            message = f"too many pieces overlap here; the check for {subject} was skipped"
            report.add("warning", level.origins[0].place, "pieces", message, "spread them out, or make fewer copies")
        except Exception as error:
            report.failures.append(error)
            place, label = _judged_piece(error.__traceback__) or (level.origins[0].place, "pieces")
            message = f"the check for {subject} failed ({type(error).__name__}: {error})"
            report.add("dropped", place, label, message, "this is an error of the program; the other checks were made")


def _judged_piece(traceback: TracebackType | None) -> tuple[SourceSpan, str] | None:
    """Place and label of the piece that a check was judging when it failed: the innermost Subject of its functions."""
    found = None
    for frame, _ in walk_tb(traceback):
        for value in frame.f_locals.values():
            if isinstance(value, Subject):
                found = value.place, value.label
    return found
