"""Messages of the bots' findings: what a player cannot do, where, and the cure."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..core.time_format import format_count
from ..core.walker_settings import DEFAULT_SETTINGS, WalkerSettings
from ..level.build.entities.player import CLIMB_STEP_FRACTION, describe_body
from ..level.format.findings import Finding, FindingCollector
from ..sim.bots.search import BotTarget, TargetKind
from ..sim.bots.walk_findings import (
    BotFinding,
    FallDetails,
    FindingKind,
    OrderDetails,
    TargetDetails,
    TrapDetails,
    UnreachedDetails,
)

if TYPE_CHECKING:
    from ..level import Level

RAIL_REACH = 1.5  # m on the plan around a fall, within which the height of the player counts
RAIL_WIDTH = 0.5  # m on the plan: a piece as narrow as that at an edge is a wall or rail


class BotFindingWriter:
    """Turns the bots' findings in one level into `Finding`s with the quoted source line."""

    def __init__(self, level: Level) -> None:
        self.level = level
        self._texts = {"": _read_source(level.path)}
        self._player = describe_body(level.player)

    def finding(self, found: BotFinding) -> Finding:
        """The warning about one finding."""
        message, cure = self._message(found)
        collector = FindingCollector(str(self.level.path))
        file = found.place.file
        if file not in self._texts:
            self._texts[file] = _read_source(Path(file))
        collector.texts.update(self._texts)
        collector.add("warning", found.place, found.where, message, cure)
        return replace(collector.findings()[0], kind=str(found.kind))

    def commands_file(self, found: BotFinding) -> str:
        """The text of a commands file that shows the finding, with the finding as a comment."""
        finding = self.finding(found)
        lines = [f"# {finding.where}: {finding.message}" if finding.where else f"# {finding.message}"]
        if found.spawn:
            lines.append(f"# starts at the spawn '{found.spawn}'")
        return "\n".join(lines) + "\n" + found.commands

    def _message(self, found: BotFinding) -> tuple[str, str]:
        """(message, cure)."""
        match found.details:
            case FallDetails():
                return self._fall_message(found, found.details)
            case TrapDetails():
                return _trap_message(found, found.details, self.level.player)
            case UnreachedDetails():
                area = _format_area(found.details.area)
                message = f"no player can reach {area} of ground around {_format_place(found)}"
                message += _with_targets(found.details.targets)
                return message, "open a way to it, remove the ground, or add `intended: [unreached]`"
            case TargetDetails():
                return _target_message(found.details)
            case OrderDetails(count):
                message = f"the goal waits for {format_count(count, 'target')}: "
                message += "no walk from the spawn reached all of them and the goal"
                return message, "let players come back from each target, or on to the goal from the last one"

    def _fall_message(self, found: BotFinding, fall: FallDetails) -> tuple[str, str]:
        location = f"at {_format_place(found)}"
        if max(fall.high[0] - fall.low[0], fall.high[1] - fall.low[1]) > 2.0:
            location += f" and elsewhere between {_format_plan_point(*fall.low)} and {_format_plan_point(*fall.high)}"
        if fall.takeoff_origin is not None:
            takeoff = self.level.origins[fall.takeoff_origin]
            location += f", first by a jump from `{takeoff.label}` (line {takeoff.place.line})"
        body = self.level.player
        high = body.jump_height + body.step_height
        rail = self._rail(found)
        cure = f"{'add a wall or rail' if rail is None else 'make it'} over {high:.1f} m high"
        if rail is not None and found.position[1] < rail[1] - body.step_height:
            cure = f"the player leaves below its top, at an opening or an end of it: close that over {high:.1f} m high"
        elif rail is not None and rail[1] - rail[0] > high:
            near = np.linalg.norm(found.path[:, ::2] - np.array(found.position)[::2], axis=1) < RAIL_REACH
            up = float(found.path[near, 1].max(initial=rail[1]))
            cure = f"its top is at {rail[1]:.3g} m and the player comes up to {up:.3g} m: raise it above that"
        cure += ", put ground below, or add `intended: [fall]`"
        return f"{self._player} can fall out of the level over its edge {location}", cure

    def _rail(self, found: BotFinding) -> tuple[float, float] | None:
        """Lowest and highest y of the piece that the player falls from, if it is narrow and high as a wall is."""
        pieces = [k for k, origin in enumerate(self.level.origins) if origin.place == found.place]
        corners = self.level.faces.corners[np.isin(self.level.faces.origin, pieces)].reshape(-1, 3)
        width, height, depth = np.ptp(corners, axis=0) if len(corners) else np.zeros(3)
        if min(width, depth) > min(RAIL_WIDTH, height):
            return None
        return float(corners[:, 1].min()), float(corners[:, 1].max())


def _trap_message(found: BotFinding, trap: TrapDetails, body: WalkerSettings) -> tuple[str, str]:
    location = f"at {_format_place(found)}"
    player = describe_body(body)
    if found.kind == FindingKind.STUCK:
        cure = "close the gap, make it wide enough to turn and jump in, or add `intended: [pit]`"
        return f"{player} gets stuck {location}: no key moves the player", cure
    if trap.in_water:
        bank = 0.6 * body.radii[1] / DEFAULT_SETTINGS.radii[1]
        cure = f"add a ladder, steps, or a bank at most {bank:.2f} m above the surface, or add `intended: [pit]`"
        return f"{player} cannot get out of the water {location}: {_format_area(trap.area)}", cure
    depth = f", {trap.depth:.1f} m deep" if trap.depth > 0.3 else ""
    jump = body.jump_height + CLIMB_STEP_FRACTION * body.step_height
    steps = f"add stairs or steps of at most {body.step_height:.2f} m ({jump:.2f} m with a jump)"
    cure = f"{steps}, or add `intended: [pit]`"
    return f"{player} cannot get out {location}: {_format_area(trap.area)}{depth}", cure


def _target_message(missed: TargetDetails) -> tuple[str, str]:
    name = target_phrase(missed.target)
    if missed.target.kind == TargetKind.SPAWN:
        return f"no player can get from the first spawn to {name}", "open a way, if there should be one"
    nearest = f"the nearest place reached is {missed.distance:.1f} m away ({missed.tries} tries)"
    spawn = f" from spawn '{missed.spawn}'" if missed.spawn else ""
    return f"no player can reach {name}{spawn}: {nearest}", "open a way to it, or move it to reachable ground"


def target_name(target: BotTarget) -> str:
    """The name of a goal, exit, target or spawn by itself."""
    if target.kind == TargetKind.GOAL:
        return "the goal"
    if target.kind == TargetKind.EXIT:
        return f"the exit to {target.name}"
    return target.name or f"{target.kind} {target.number + 1}"


def target_phrase(target: BotTarget) -> str:
    """The name of a goal, exit, target or spawn in a sentence."""
    named = target.kind in (TargetKind.SPAWN, TargetKind.TARGET)
    return f"the {target.kind} '{target_name(target)}'" if named else target_name(target)


def _with_targets(targets: tuple[BotTarget, ...]) -> str:
    return f", with {', '.join(target_phrase(target) for target in targets)}" if targets else ""


def _read_source(path: Path) -> str:
    """The text of a file to quote from; empty where it is gone."""
    try:
        return path.read_text(encoding="utf-8-sig", errors="replace")
    except OSError:
        return ""


def _format_place(found: BotFinding) -> str:
    return _format_plan_point(found.position[0], found.position[2])


def _format_plan_point(x: float, z: float) -> str:
    return f"({round(x, 1) + 0.0:.1f}, {round(z, 1) + 0.0:.1f})"


def _format_area(area: float) -> str:
    return f"{area:.0f} m2" if area >= 9.5 else f"{area:.1f} m2"
