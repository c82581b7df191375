"""Fuzzing of levels: a shard for each level, body and number, and the summary of their results."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ..core.angles import DEGREES_PER_HEADING_UNIT, degrees_from_heading
from ..core.walker_settings import WALKER_PRESETS, WalkerSettings, preset_settings
from ..level.format.command_spans import BUTTONS
from ..physics import Command
from ..sim.replay.fingerprint import settings_values
from .level_files import LevelFiles
from .shard_files import Arrays
from .shards import Shard

LEVEL_BODY = "level"  # the body that the level gives
NO_GAP = 9.0  # ellipsoid space: the least gap where no surface is near
BODY_NAMES = (LEVEL_BODY, *WALKER_PRESETS)


def shard_count(ticks: int, pairs: int, shard_ticks: int) -> int:
    """Number of shards for each pair of level and body, so that all walk `ticks` in total, rounded up."""
    return max(1, math.ceil(ticks / (pairs * shard_ticks)))


def fuzz_shards(
    levels: Sequence[tuple[LevelFiles, WalkerSettings]],
    bodies: Sequence[str],
    seed: int,
    ticks: int,
    shard_ticks: int,
    conditions: Mapping[str, str],
) -> list[Shard]:
    """The shards of all levels and bodies, those of one pair together. levels: with the body of each."""
    count = shard_count(ticks, len(levels) * len(bodies), shard_ticks)
    shards = []
    for files, own in levels:
        for body in bodies:
            fields = {
                "level": files.digest,
                "body": body,
                "settings": settings_values(own if body == LEVEL_BODY else preset_settings(body)),
                "seed": seed,
                "ticks": shard_ticks,
            }
            name = f"{files.file_stem}-{body}"
            shards += [Shard("fuzz", {**fields, "index": index}, conditions, name) for index in range(count)]
    return shards


def fuzz_rows(
    names: Mapping[str, str],
    shards: Sequence[Shard],
    results: Iterable[Arrays],
    make_replay: Callable[[Shard, str, Arrays], str | None] | None = None,
) -> list[dict[str, Any]]:
    """A row for each level and body. names: of the levels by digest. make_replay: called with the shard, the kind and
    the arrays of the first failure of each kind; gives the path of its replay, or None."""
    from .fuzzing.failure_kinds import KINDS

    rows: dict[tuple[str, str], dict[str, Any]] = {}
    for shard, arrays in zip(shards, results, strict=True):
        body = shard.fields["body"]
        row = rows.setdefault(
            (shard.level, body),
            {
                "level": names[shard.level],
                "digest": shard.level,
                "body": body,
                "shards": 0,
                "ticks": 0,
                "failures": dict.fromkeys(KINDS, 0),
                "first": {},
                "worst_gap": None,
                "gap_limit": 0.5 * shard.fields["settings"]["skin"],
                "lost": 0,
                "left": 0,
            },
        )
        row["shards"] += 1
        for name in ("ticks", "lost", "left"):
            row[name] += int(arrays[name][0])
        gap = float(arrays["worst_gap"][0])
        if gap < NO_GAP:
            row["worst_gap"] = gap if row["worst_gap"] is None else min(row["worst_gap"], gap)
        for kind, count, first in zip(
            KINDS, arrays["counts"].tolist(), arrays["first_ticks"][:, 0].tolist(), strict=True
        ):
            row["failures"][kind] += count
            if count and kind not in row["first"]:
                replay = None if make_replay is None else make_replay(shard, kind, arrays)
                place = _describe_case(arrays, kind)
                row["first"][kind] = {"shard": shard.fields["index"], "tick": first, **place, "replay": replay}
    return list(rows.values())


def _describe_case(arrays: Arrays, kind: str) -> dict[str, Any]:
    """Position of the body before the first failure of a kind, m; the measured value and its bound, with their unit;
    and the command that was held."""
    from .fuzzing.failure_kinds import KINDS, failure_unit
    from .fuzzing.walk_routes import commands_of_rows

    case = arrays["case_kind"].tolist().index(KINDS.index(kind))
    state = arrays["case_state"][case]
    bound = float(arrays["case_bound"][case])
    return {
        "position": state["position"].tolist(),
        "value": float(arrays["case_value"][case]),
        "bound": bound,
        "unit": failure_unit(kind, bound, float(state["falling"])),
        "command": _describe_command(*commands_of_rows(arrays["case_command"][case : case + 1])),
    }


def _describe_command(command: Command) -> dict[str, Any]:
    """A command in the words of a commands file, with the view in degrees."""
    return {
        "forward": command.forward,
        "strafe": command.strafe,
        "heading": degrees_from_heading(command.heading),
        "pitch": command.pitch * DEGREES_PER_HEADING_UNIT,
        "keys": [name for name in BUTTONS if getattr(command, name)],
    }


def failure_count(rows: Iterable[Mapping[str, Any]]) -> int:
    return sum(sum(row["failures"].values()) for row in rows)
