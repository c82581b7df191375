"""Check of names that two things have, so that a test, an exit or a message cannot tell them apart."""

from __future__ import annotations

from ..format.schema.pieces import NAMED_KINDS
from .lint_context import LintContext, subject_of


def check_names(context: LintContext) -> None:
    """Warn about two spawns with one name, and about two pieces with one name that are written apart.

    Copies of one piece, in arrays and prefabs, have its name by purpose.
    """
    level = context.level
    spawns: dict[str, int] = {}
    for spawn in level.spawns:
        if spawn.name in spawns:
            line = spawns[spawn.name]
            message = f"the spawn at line {line} has the same name: an exit or a test finds only that one"
            context.report.add(
                "warning", spawn.place, f"spawn ({spawn.name})", message, "give one of them another name"
            )
        spawns.setdefault(spawn.name, spawn.place.line)
    pieces: dict[str, int] = {}
    for index, origin in enumerate(level.origins):
        if origin.kind not in NAMED_KINDS or origin.label == origin.kind:
            continue
        earlier = level.origins[pieces.setdefault(origin.label, index)]
        if earlier.place != origin.place:
            message = f"the {earlier.kind} at line {earlier.place.line} has the same name"
            context.warn("name", subject_of(origin), message, "give one of them another name")
