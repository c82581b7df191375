"""JSON document of `replay`: the content of a replay file, and how it repeats."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ...runs import replay_messages

if TYPE_CHECKING:
    from ....sim import Divergence, Replay, VerifyResult


def replay_fields(
    record: Replay, verdict: VerifyResult | None, notes: list[str], output: Path | None
) -> dict[str, object]:
    """Fields of the document (schemas/replay.json). verdict: None where nothing was simulated."""
    return {
        "file": str(record.path),
        "ticks": record.ticks,
        "seconds": record.seconds,
        "is_complete": record.is_complete,
        "levels": [
            {
                "name": str(part.level["name"]),
                "file": str(part.level["file"]),
                "hash": str(part.level["hash"]),
                "ticks": sum(len(chunk.commands) for chunk in part.chunks),
            }
            for part in record.parts
        ],
        "recorded_by": str(record.parts[0].head["made"].get("game")),
        "note": str(record.parts[0].head.get("note") or ""),
        "notes": notes,
        "matching_ticks": None if verdict is None else verdict.ticks,
        "divergence": None if verdict is None else divergence_fields(verdict.divergence),
        "output": None if output is None else str(output),
    }


def divergence_fields(divergence: Divergence | None) -> dict[str, object] | None:
    """The first tick that differs."""
    if divergence is None:
        return None
    command = None
    if divergence.command is not None:
        command = replay_messages.command_text(divergence.command, divergence.restarted)
    return {
        "tick": divergence.tick,
        "seconds": divergence.seconds,
        "level": divergence.level,
        "command": command,
        "differences": [
            {"field": difference.name, "recorded": difference.recorded, "now": difference.now}
            for difference in divergence.differences
        ],
    }
