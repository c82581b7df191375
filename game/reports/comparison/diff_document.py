"""JSON document of `diff`: the first difference of two walks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from ...sim.replay.tick_report import TouchedSurface
from .level_differences import Place
from .walk_diff import WalkComparison, WalkDifference
from .walk_source import WalkSource


def diff_fields(
    comparison: WalkComparison,
    status: int,
    notes: Sequence[str],
    commands: tuple[str, str],
    output: Path | None,
    shown_file: Callable[[str], str],
) -> dict[str, object]:
    """Fields of the document (schemas/diff.json). commands: of the first tick that differs, as texts. shown_file: gives
    the path to write for a file of a level; empty for one that only a replay holds."""
    tick, metres = comparison.furthest
    difference = comparison.difference
    return {
        "status": status,
        "a": _side_fields(comparison.a, len(comparison.walks[0].table.tick) - 1),
        "b": _side_fields(comparison.b, len(comparison.walks[1].table.tick) - 1),
        "notes": list(notes),
        "matching_ticks": comparison.matching,
        "difference": None if difference is None else _difference_fields(comparison, difference, commands, shown_file),
        "level_differences": _level_fields(comparison, shown_file),
        "furthest": {"metres": metres, "tick": tick},
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


def _level_fields(comparison: WalkComparison, shown_file: Callable[[str], str]) -> list[dict[str, object]] | None:
    if comparison.level_differences is None:
        return None
    return [
        {"part": one.part.label, "kind": one.part.kind.value, "side": one.side, "text": one.describe()}
        | _places(one.places, shown_file)
        for one in comparison.level_differences
    ]


def _difference_fields(
    comparison: WalkComparison,
    difference: WalkDifference,
    commands: tuple[str, str],
    shown_file: Callable[[str], str],
) -> dict[str, object]:
    cause = difference.cause
    values = [(field, field.values or (field.recorded, field.now)) for field in difference.fields]
    zone = None
    if cause.zone is not None:
        zone = {"kind": cause.zone.kind, "name": cause.zone.name, "file": shown_file(cause.file), "line": cause.line}
    surfaces = [[_surface_fields(surface, shown_file) for surface in side] for side in difference.surfaces]
    return {
        "tick": difference.tick,
        "seconds": difference.tick / comparison.a.ticks_per_second,
        "kind": difference.kind.value,
        "command_a": commands[0],
        "command_b": commands[1],
        "fields": [{"field": field.name, "a": a, "b": b} for field, (a, b) in values],
        "feet_a": difference.feet[0].tolist(),
        "feet_b": difference.feet[1].tolist(),
        "cause": {
            "kind": cause.kind.value,
            "side": cause.side,
            "text": cause.text,
            "file": shown_file(cause.file),
            "line": cause.line,
            **_places(cause.places, shown_file),
            "surface": None if cause.surface is None else _surface_fields(cause.surface, shown_file),
            "zone": zone,
        },
        "surfaces_a": surfaces[0],
        "surfaces_b": surfaces[1],
    }


def _places(places: tuple[Place, Place], shown_file: Callable[[str], str]) -> dict[str, object]:
    (file_a, line_a), (file_b, line_b) = places
    return {"file_a": shown_file(file_a), "line_a": line_a, "file_b": shown_file(file_b), "line_b": line_b}


def _surface_fields(surface: TouchedSurface, shown_file: Callable[[str], str]) -> dict[str, object]:
    return {
        "kind": surface.kind,
        "piece": surface.piece,
        "file": shown_file(surface.file),
        "line": surface.line,
        "stopped": surface.stopped,
        "slope": surface.slope,
        "point": list(surface.point),
    }
