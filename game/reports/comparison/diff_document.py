"""JSON document of `diff`: the first difference of two walks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ...sim.replay.tick_report import TouchedSurface
from .cause import Cause, surface_line
from .walk_diff import WalkComparison, WalkDifference
from .walk_source import WalkSource


def diff_fields(
    comparison: WalkComparison,
    status: int,
    notes: Sequence[str],
    commands: tuple[str, str],
    output: Path | None,
) -> dict[str, object]:
    """Fields of the document (schemas/diff.json). commands: of the first tick that differs, as texts."""
    distances = comparison.distances
    furthest = int(np.argmax(distances))
    difference = comparison.difference
    return {
        "status": status,
        "a": _side_fields(comparison.a, len(comparison.paths[0].feet) - 1),
        "b": _side_fields(comparison.b, len(comparison.paths[1].feet) - 1),
        "notes": list(notes),
        "matching_ticks": comparison.matching,
        "difference": None if difference is None else _difference_fields(comparison, difference, commands),
        "furthest": {"metres": float(distances[furthest]), "tick": furthest},
        "picture": None if output is None else str(output),
    }


def _side_fields(source: WalkSource, ticks: int) -> dict[str, object]:
    return {
        "name": source.name.text,
        "source": "replay" if source.is_recorded else "walk",
        "file": source.name.file,
        "level": source.name.level,
        "level_file": source.name.level_file,
        "ticks": ticks,
    }


def _difference_fields(
    comparison: WalkComparison, difference: WalkDifference, commands: tuple[str, str]
) -> dict[str, object]:
    cause = difference.cause
    return {
        "tick": difference.tick,
        "seconds": difference.tick / comparison.a.ticks_per_second,
        "kind": difference.kind.value,
        "command_a": commands[0],
        "command_b": commands[1],
        "fields": [{"field": field.name, "a": field.recorded, "b": field.now} for field in difference.fields],
        "feet_a": difference.feet[0].tolist(),
        "feet_b": difference.feet[1].tolist(),
        "cause": {
            "kind": cause.kind.value,
            "side": cause.side,
            "text": cause.text,
            "file": cause.file,
            "line": cause.line,
            "surface": None if cause.surface is None else _surface_fields(cause.surface),
            "zone": None if cause.zone is None else _zone_fields(cause),
        },
        "surfaces_a": [_surface_fields(surface) for surface in difference.surfaces[0]],
        "surfaces_b": [_surface_fields(surface) for surface in difference.surfaces[1]],
    }


def _zone_fields(cause: Cause) -> dict[str, object]:
    assert cause.zone is not None
    return {"kind": cause.zone.kind, "name": cause.zone.name, "file": cause.file, "line": cause.zone.place.line}


def _surface_fields(surface: TouchedSurface) -> dict[str, object]:
    return {
        "kind": surface.kind,
        "piece": surface.piece,
        "file": surface.file,
        "line": surface_line(surface),
        "stopped": surface.stopped,
        "slope": surface.slope,
        "point": list(surface.point),
    }
