"""Fields in which two walks can differ: unit and meaning of each."""

from __future__ import annotations

from ...physics.character.state import STATE_ROW
from ...sim.replay.verifier import WORLD_COUNTERS

EVENTS = "events"  # name of a difference in the events of a tick
STATE_FIELDS = {  # name: (unit, meaning)
    "position": ("m", "centre of the body"),
    "velocity": ("m/s", "the body's own velocity"),
    "ground_normal": ("", "unit normal of the ground; zeros in the air"),
    "radii": ("m", "half axes of the body in its present stance: sideways, up, forward"),
    "safe": ("m", "safe place: centre of the body when it last stood on firm ground"),
    "falling": ("m/s", "upward velocity by gravity, before slopes took their part"),
    "up": ("", "unit vector against gravity"),
    "north": ("", "unit vector of heading 0, perpendicular to `up`"),
    "carried": ("m/s", "in the air: velocity of the ground that the body left, in addition to its own"),
    "heading": ("1/65536 turn", "heading of the body, counter-clockwise from `north`"),
    "tick": ("ticks", "number of simulated ticks"),
    "coyote": ("ticks", "time left in which a jump counts after the body left the ground"),
    "buffer": ("ticks", "time left in which a pressed jump is remembered"),
    "grounded": ("", "whether the body stands on ground"),
    "crouched": ("", "whether the body crouches"),
    "jump_held": ("", "whether the jump key is held"),
    "sliding": ("", "whether the body slides on a steep slope"),
    "swimming": ("", "whether the body swims"),
    "climbing": ("", "whether the body is on a ladder"),
    "mover": ("", "number of the moving platform under the body, from 1; 0: none"),
    "safe_up": ("", "`up` at the safe place"),
    "safe_north": ("", "`north` at the safe place"),
    "safe_heading": ("1/65536 turn", "`heading` at the safe place"),
    "safe_crouched": ("", "1 if the body crouched at the safe place, else 0"),
    EVENTS: ("", "names of the events of the tick, where the walkers are the same"),
    WORLD_COUNTERS: ("", "hash of what the world keeps beside the walker, where the walkers are the same"),
}
TYPE_NAMES = {"f": "number", "i": "integer", "u": "integer", "b": "boolean"}  # by kind of a NumPy type
OTHER_TYPES = {EVENTS: "array of strings", WORLD_COUNTERS: "string"}


def type_of_field(name: str) -> str:
    """Type of the value of a field in the document."""
    if name in OTHER_TYPES:
        return OTHER_TYPES[name]
    dtype = STATE_ROW[name]
    return "3 numbers" if dtype.shape == (3,) else TYPE_NAMES[dtype.kind]
