"""What the walking findings say, and where in the level's text they stand."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

from ...level.format.findings import Finding, FindingCollector, SourceSpan
from ...level.geometry.faces import TargetSpec
from .near_misses import NearMiss
from .reachability import FallEdge
from .search import BotTarget

if TYPE_CHECKING:
    from ...level import Level

INTENDED_KIND_OF = {"stuck": "pit"}  # a kind -> the word of `intended` that silences it, if not its own


class FindingFactory:
    """Makes findings of one level, each with the line that it stands on."""

    def __init__(self, level: Level) -> None:
        self.level = level
        self._texts = {"": _read_source(level.path)}

    def is_intended(self, kind: str, origin: int) -> bool:
        """Whether the piece says that it means it."""
        return INTENDED_KIND_OF.get(kind, kind) in self.level.origins[origin].intended

    def fall_finding(self, edge: FallEdge, origin: int) -> Finding:
        low, high = edge.crossed_point.min(axis=0), edge.crossed_point.max(axis=0)
        where = f"at {_format_plan_point(edge.crossed_point[0, 0], edge.crossed_point[0, 2])}"
        if max(high[0] - low[0], high[2] - low[2]) > 2.0:
            where += f" and elsewhere between {_format_plan_point(low[0], low[2])} and {_format_plan_point(high[0], high[2])}"
        if edge.takeoff_origin >= 0 and edge.takeoff_origin not in edge.origins:
            off = self.level.origins[edge.takeoff_origin]
            where += f", first by a jump from `{off.label}` (line {off.place.line})"
        return self._finding_at_origin(
            origin, f"a player can fall out of the level over its edge {where}",
            "add a wall or rail over 1.4 m high, put ground below, or add `intended: [fall]`",
        )  # fmt: skip

    def trap_finding(
        self, kind: str, origin: int | None, at: tuple[float, float, float], area: float, deep: float
    ) -> Finding:
        here = f"at {_format_plan_point(at[0], at[2])}"
        if kind == "stuck":
            message = f"a player gets stuck {here}: no key moves the player"
            cure = "close the gap, make it wide enough to turn and jump in, or add `intended: [pit]`"
        else:
            depth = f", {deep:.1f} m deep" if deep > 0.3 else ""
            message = f"a player cannot get out {here}: {_format_area(area)}{depth}"
            cure = "add stairs or steps of at most 0.40 m (1.30 m with a jump), or add `intended: [pit]`"
        return self._finding_at_origin(origin, message, cure)

    def unreached_finding(self, origin: int, at: tuple[float, float, float], area: float, also: str) -> Finding:
        return self._finding_at_origin(
            origin, f"no player can reach {_format_area(area)} of ground around {_format_plan_point(at[0], at[2])}{also}",
            "open a way to it, remove the ground, or add `intended: [unreached]`",
        )  # fmt: skip

    def near_miss_finding(self, near: NearMiss, origin: int, ground: int, area: float, also: str) -> Finding:
        here = f"at {_format_plan_point(near.at[0], near.at[2])}"
        beyond = self.level.origins[ground]
        gain = f"`{beyond.label}` (line {beyond.place.line}) beyond it{also} ({_format_area(area)})"
        short = near.required - near.measured
        said = {
            "narrow": f"the gap {here} is {near.measured:.2f} m: a player cannot pass",
            "low": f"the headroom {here} is {near.measured:.2f} m: a player cannot pass, even crouching",
            "step": f"the ledge {here} is {near.measured:.2f} m high: a player cannot get up, even with a jump",
            "steep": f"the slope {here} is {near.measured:.1f} degrees: a player cannot get up",
        }[near.kind]
        if math.isnan(near.measured):
            said = f"the gap {here} is slightly too narrow: a player cannot pass"
        unit = "degrees" if near.kind == "steep" else "m"
        least = "at least" if short > 0 else "at most"
        word = INTENDED_KIND_OF.get(near.kind, near.kind)
        return self._finding_at_origin(
            origin, f"{said}, and cannot reach {gain}",
            f"make it {least} {near.required:.2f} {unit}, or add `intended: [{word}]`",
        )  # fmt: skip

    def target_finding(self, mark: BotTarget, number: int, away: float, tries: int) -> Finding:
        place, where = self._target_span(mark, number)
        name = self.target_name(mark)
        message = f"no player can reach {name}: the nearest place reached is {away:.1f} m away ({tries} tries)"
        cure = "open a way to it, or move it to reachable ground"
        if mark.kind == "spawn":
            message = f"no player can get from the first spawn to {name}"
            cure = "open a way, if there should be one"
        return self._make_finding(place, where, message, cure)

    @staticmethod
    def target_name(mark: BotTarget) -> str:
        """What to call a mark in a sentence."""
        return f"the {mark.kind} '{mark.name}'" if mark.kind in ("spawn", "target") else mark.name

    def _target_span(self, mark: BotTarget, number: int) -> tuple[SourceSpan, str]:
        level = self.level
        if mark.kind == "goal" and level.goal is not None:
            return level.goal.place, "goal"
        if mark.kind == "exit":
            return next((way.place for way in level.exits if way.at == mark.at), SourceSpan()), "exits"
        if mark.kind == "spawn":
            return next((one.place for one in level.spawns if one.name == mark.name), SourceSpan()), "spawns"
        balls = [made for made in level.faces.marks if isinstance(made.payload, TargetSpec)]
        origin = level.origins[balls[number - (level.goal is not None)].origin]
        return origin.place, origin.label

    def _finding_at_origin(self, origin: int | None, message: str, cure: str) -> Finding:
        if origin is None:
            return self._make_finding(SourceSpan(), "", message, cure)
        piece = self.level.origins[origin]
        return self._make_finding(piece.place, piece.label, message, cure)

    def _make_finding(self, place: SourceSpan, where: str, message: str, cure: str) -> Finding:
        report = FindingCollector(str(self.level.path))
        if place.file not in self._texts:
            self._texts[place.file] = _read_source(Path(place.file))
        report.texts.update(self._texts)
        report.add("warning", place, where, message, cure)
        return report.findings()[0]


def _read_source(path: Path) -> str:
    """A file to quote from; nothing where it has gone."""
    try:
        return path.read_text(encoding="utf-8-sig", errors="replace")
    except OSError:
        return ""


def _format_plan_point(x: float, z: float) -> str:
    return f"({round(x, 1) + 0.0:.1f}, {round(z, 1) + 0.0:.1f})"


def _format_area(area: float) -> str:
    return f"{area:.0f} m2" if area >= 9.5 else f"{area:.1f} m2"
