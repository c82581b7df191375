"""Lines of `fuzz` about the walks of a body in a level, and about the first failure of each kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from ....cluster.fuzzing.failure_kinds import describe_failure_measure
from ....core.angles import DEGREES_PER_HEADING_UNIT
from ....physics import Command
from ...runs.replay_messages import command_text


def row_lines(row: Mapping[str, Any], width: int = 24) -> list[str]:
    """One line about the walks of a body in a level, whose name takes `width` columns, and one for each kind that
    failed."""
    gap = ""
    if row["worst_gap"] is not None:
        limit = f"(must be over {100.0 * row['gap_limit']:.3f} %)"
        gap = f"  least gap {100.0 * row['worst_gap']:.3f} % of the radii {limit}"
    count = sum(row["failures"].values())
    noun = "tick " if row["ticks"] == 1 else "ticks"
    others = f"{row['lost']} put back, {row['left']} left the level"
    line = f"{row['level']:{width}} {row['body']:8} {row['ticks']:9} {noun}{gap}  {count or 'nothing'} failed; {others}"
    return [line, *(f"  {_describe_failure(row, kind)}" for kind, number in row["failures"].items() if number)]


def _describe_failure(row: Mapping[str, Any], kind: str) -> str:
    """Level, body, kind, measure, place, command and replay of the first failure of a kind, and the number of all."""
    first = row["first"][kind]
    count = row["failures"][kind]
    measure = describe_failure_measure(first["value"], first["bound"], first["unit"])
    parts = [
        f"{row['level']} {row['body']}, {kind}{measure and f': {measure}'}",
        f"at {describe_place(first['position'])}",
    ]
    parts += [describe_command(first["command"])]
    parts += [f"first of {count}"] if count > 1 else []
    parts += [PurePosixPath(first["replay"]).name] if first["replay"] else []
    return "; ".join(parts)


def describe_command(command: Mapping[str, Any]) -> str:
    """`forward 1 heading 90.00° jump`, as `diff` and `replay` write a command."""
    heading = round(command["heading"] / DEGREES_PER_HEADING_UNIT)
    keys = dict.fromkeys(command["keys"], True)
    return command_text(Command(command["forward"], command["strafe"], heading, **keys))


def describe_place(position: Sequence[float]) -> str:
    """`(1.25, 0.90, -3.00)`."""
    return f"({', '.join(f'{value:.2f}' for value in position)})"
