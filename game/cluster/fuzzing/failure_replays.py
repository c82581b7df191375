"""Replays of failures: the walk from the state that was kept of a failing tick."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...level import Level
from ...physics import WalkerSettings
from ...sim import Recorder, World
from ...sim.replay.replay_file import FAILURE_MEASURE, FAILURE_NOTE
from .failure_kinds import KINDS, describe_failure_measure, failure_unit
from .held_commands import HELD
from .walk_routes import commands_of_rows


def failure_replay(level: Level, settings: WalkerSettings, arrays: Mapping[str, Any], kind: str) -> bytes:
    """A replay file of the first failure of a kind: its command, held for five seconds from the state before it.

    arrays: of a shard, with a failure of that kind (`report_arrays`). ValueError for a level without a file.
    """
    case = arrays["case_kind"].tolist().index(KINDS.index(kind))
    world = World(level, settings)
    data = bytearray()
    world.tick = world.triggers.tick = int(arrays["case_clock"][case])
    world.walker_state = world.walker.state(arrays["case_state"][case])
    (command,) = commands_of_rows(arrays["case_command"][case : case + 1])
    value = float(arrays["case_value"][case])
    bound = float(arrays["case_bound"][case])
    measure = describe_failure_measure(
        value, bound, failure_unit(kind, bound, float(arrays["case_state"][case]["falling"]))
    )
    note = f"{FAILURE_NOTE}{kind}" + (f"{FAILURE_MEASURE}{measure}" if measure else "")
    recorder = Recorder(world, data.extend, note)
    for _ in range(HELD):
        world.step(command)
        recorder.stepped(command)
    recorder.close()
    return bytes(data)
