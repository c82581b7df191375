"""Messages about replay files: a missing end, notes about versions and levels, and the first divergent tick."""

from __future__ import annotations

from ...core.angles import DEGREES_PER_HEADING_UNIT, HEADING_UNITS_PER_TURN
from ...physics import Command
from ...sim.replay.replay_file import Replay
from ...sim.replay.verifier import (
    WORLD_COUNTERS,
    Divergence,
    LevelNote,
    VerifyNote,
)

FIELD_TEXTS = {  # of fields whose names say little
    "up": "up (against gravity)",
    "mover": "mover under the body",
    "ground_normal": "normal of the ground",
    "jump_held": "jump key held",
    "goal_tick": "tick of the goal",
    "golf_hole": "hole of golf",
    "golf_strokes": "strokes of golf",
    "golf_ball": "ball of golf",
    "balls_thrown": "number of thrown balls",
    "carried": "velocity of the ground that was left",
    "falling": "velocity of the fall",
    "coyote": "ticks left of the coyote time",
    "buffer": "ticks left of the jump buffer",
    "safe": "safe place (centre)",
    "safe_up": "safe place (up)",
    "safe_north": "safe place (north)",
    "safe_heading": "safe place (heading)",
    "safe_crouched": "safe place (crouched)",
    "safe_place": "safe place of the world",
    WORLD_COUNTERS: "the world's own counters",
}


def cut_off_message(replay: Replay) -> str:
    """A sentence about a replay file without an end."""
    return (
        f"the file has no end: it is cut off after {replay.size} bytes, or the game ended while it recorded; the "
        f"{replay.ticks} ticks up to there ({replay.seconds:.1f} s) are complete"
    )


def verify_note_message(note: VerifyNote) -> str:
    """A sentence about a level or components that differ from those of the recording."""
    if isinstance(note, LevelNote):
        return (
            f"the level {note.name} has changed since the recording (then {note.recorded_hash}, now "
            f"{note.current_hash}); --as-recorded uses the level stored in the replay"
        )
    weight = "the rules are the same" if note.same_rules else "the rules may differ"
    changes = ", ".join(f"{change.name} {change.recorded} (here {change.here})" for change in note.changes)
    return f"recorded with {changes}: {weight}"


def divergence_lines(divergence: Divergence) -> list[str]:
    """The tick, level and command, then a line with both values of each field that differs."""
    command = "any command up to this tick"
    if divergence.command is not None:
        command = command_text(divergence.command, divergence.restarted)
    line = f"diverged at tick {divergence.tick} ({divergence.seconds:.2f} s, {divergence.level}), command: {command}"
    lines = [f"  {field_text(one.name)}: recorded {one.recorded}, now {one.now}" for one in divergence.differences]
    if divergence.position is not None:
        x, y, z = divergence.position
        lines.insert(0, f"  position: the same, ({x:.4f}, {y:.4f}, {z:.4f})")
    return [line, *lines]


def field_text(name: str) -> str:
    """A field of a state in words."""
    return FIELD_TEXTS.get(name, name)


def command_text(command: Command, restarted: bool = False) -> str:
    """`forward 1 heading 90.00° jump`."""
    words = ["restart,"] if restarted else []
    words += [f"{name} {getattr(command, name):g}" for name in ("forward", "strafe") if getattr(command, name)]
    words.append(f"heading {command.heading % HEADING_UNITS_PER_TURN * DEGREES_PER_HEADING_UNIT:.2f}°")
    words += [name for name in ("jump", "crouch", "sprint", "use") if getattr(command, name)]
    return " ".join(words)
