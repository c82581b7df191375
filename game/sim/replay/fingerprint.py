"""Hashes and versions of what a run depends on: rules, level, settings, components."""

from __future__ import annotations

import hashlib
import json
import math
import platform
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import __version__
from ...core.walker_settings import DEFAULT_SETTINGS, WalkerSettings
from ...physics.environment.rows import zone_row
from ...physics.mesh.rows import material_row

if TYPE_CHECKING:
    from ...level import Level

DIGITS = 16
RULES_VERSION = 9  # raised with every change that changes a bit of any walk


def short_hash(data: bytes) -> str:
    """Sixteen hexadecimal digits of SHA-256."""
    return hashlib.sha256(data).hexdigest()[:DIGITS]


def rules_version(recorded: object) -> int | None:
    """Version of the rules that a replay or progress file names; None for an unknown one."""
    text = str(recorded)
    return int(text) if text.isascii() and text.isdecimal() and len(text) < DIGITS else None


def machine_name() -> str:
    """System and processor type, such as `Linux x86_64`; the key of golden hashes."""
    return f"{platform.system()} {platform.machine()}"


def component_versions() -> dict[str, str]:
    """Versions of the components that take part in a tick; "rules" is RULES_VERSION."""
    import numba

    return {
        "game": __version__,
        "rules": str(RULES_VERSION),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "machine": machine_name(),
    }


def level_hash(level: Level) -> str:
    """Hash of what a walk can notice of a level: corners and friction of the cooked triangles, spawns, goal, exits,
    targets, zones, movers, balls, golf, kill height, the body of the player. The order of pieces, colours, signs and
    comments do not matter.
    """
    mesh = level.mesh
    digest = hashlib.sha256(np.ascontiguousarray(mesh.triangles12[:, :9]).tobytes())
    frictions = np.array([surface.friction for surface in level.surfaces], np.float64)
    digest.update(frictions[mesh.surface].tobytes())
    if len(mesh.materials):
        rows = mesh.materials[mesh.surface]
        digest.update(rows[:, : material_row.ROLLING_RESISTANCE].tobytes())
        if rows[:, material_row.ROLLING_RESISTANCE :].any():
            digest.update(rows[:, material_row.ROLLING_RESISTANCE :].tobytes())
    spawns = sorted((spawn.name, *map(float, spawn.feet), spawn.heading) for spawn in level.spawns)
    goal = None if level.goal is None else [*map(float, level.goal.at), float(level.goal.radius)]
    exits = [[*map(float, exit_.at), float(exit_.radius), exit_.to] for exit_ in level.exits]
    values: list[Any] = [level.spawns[0].name, spawns, goal, float(level.kill_height), exits]
    targets = [[*map(float, target.at), float(target.radius)] for target in level.targets]
    for mover in level.movers:
        digest.update(np.ascontiguousarray(mover.mesh.triangles12[:, :9]).tobytes())
        if len(mover.mesh.materials):
            digest.update(mover.mesh.materials[mover.mesh.surface].tobytes())
        values.append([list(mover.at), repr(mover.motion)])
        if mover.motion.waits:
            values.append([mover.motion.starts, mover.motion.near])
    if targets:  # absent features add nothing, so that older hashes stay
        values += [targets, "" if level.goal is None else level.goal.after]
    if level.all_zones:
        values.append([[one.kind, one.centre, one.half, one.heading, one.arrive, one.look] for one in level.all_zones])
        if level.zones is not None:
            digest.update(level.zones.rows[:, : zone_row.BOUNDS].tobytes())
            if level.zones.rows[:, zone_row.ADDED :].any():
                digest.update(level.zones.rows[:, zone_row.ADDED :].tobytes())
        if any(zone.mover >= 0 for zone in level.all_zones):
            values.append([zone.mover for zone in level.all_zones])
    balls = level.balls
    play = level.play
    if balls or play is not None:
        ball_values = [[*one.at, one.ball.radius, one.ball.mass, one.ball.bounce, one.ball.friction, one.ball.roll,
                *one.ball.velocity] for one in balls]  # fmt: skip
        rules = None if play is None else [play.throws, play.speed, *play.gravity, play.reach_targets]
        values += [ball_values, rules]
    golf = level.golf
    if golf is not None:
        holes = [[hole.par, *hole.tee, *hole.cup, hole.radius] for hole in golf.holes]
        is_water = (np.asarray(level.surface_index)[mesh.source] == golf.water).tobytes()
        values += [holes, golf.bounds, golf.radius, golf.speed, short_hash(is_water)]
    if body := _own_settings(level.player):
        values.append(body)
    digest.update(json.dumps(values).encode())
    return digest.hexdigest()[:DIGITS]


def _own_settings(settings: WalkerSettings) -> dict[str, Any]:
    """The settings that differ from the defaults."""
    values = settings_values(settings)
    usual = settings_values(DEFAULT_SETTINGS)
    return {name: values[name] for name in sorted(values) if values[name] != usual[name]}


def settings_values(settings: WalkerSettings) -> dict[str, Any]:
    """The settings as exact JSON values; infinity is the word "inf"."""
    values = asdict(settings)
    return {name: "inf" if value == math.inf else value for name, value in values.items()}


def settings_from_values(values: dict[str, Any]) -> WalkerSettings:
    """Settings from `settings_values`. ValueError for unknown names or invalid values."""
    known = {field.name for field in fields(WalkerSettings)}
    if unknown := sorted(set(values) - known):
        raise ValueError(f"there is no setting '{unknown[0]}'")
    plain: dict[str, Any] = {name: math.inf if value == "inf" else value for name, value in values.items()}
    if "radii" in plain:
        plain["radii"] = tuple(plain["radii"])
    return WalkerSettings(**plain)


def settings_hash(values: dict[str, Any]) -> str:
    return short_hash(json.dumps(values, sort_keys=True).encode())
