"""What the walking findings say, and where in the level's text they stand."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

from ...level.format.findings import Finding, Place, Report
from ...level.geometry.faces import Ball
from .near_misses import Near
from .reachability import Edge
from .search import Mark

if TYPE_CHECKING:
    from ...level import Level

SILENCED_BY = {"stuck": "pit"}  # a kind -> the word of `intended` that silences it, if not its own


class Words:
    """Makes findings of one level, each with the line that it stands on."""

    def __init__(self, level: Level) -> None:
        self.level = level
        self._texts = {"": _text(level.path)}

    def silent(self, kind: str, origin: int) -> bool:
        """Whether the piece says that it means it."""
        return SILENCED_BY.get(kind, kind) in self.level.origins[origin].intended

    def fall(self, edge: Edge, origin: int) -> Finding:
        low, high = edge.crossed.min(axis=0), edge.crossed.max(axis=0)
        where = f"at {_plan(edge.crossed[0, 0], edge.crossed[0, 2])}"
        if max(high[0] - low[0], high[2] - low[2]) > 2.0:
            where += f", and elsewhere between {_plan(low[0], low[2])} and {_plan(high[0], high[2])}"
        if edge.off >= 0 and edge.off not in edge.origins:
            off = self.level.origins[edge.off]
            where += f"; first by a jump from `{off.label}` (line {off.place.line})"
        return self._of(
            origin, f"one can fall out of the level over its edge, {where}",
            "close it with a wall or rail over 1.4 m high, or put ground below; or `intended: [fall]`",
        )  # fmt: skip

    def trap(self, kind: str, origin: int | None, at: tuple[float, float, float], area: float, deep: float) -> Finding:
        here = f"at {_plan(at[0], at[2])}"
        if kind == "stuck":
            message = f"one gets stuck here, {here}: no key moves a player any more"
            cure = "close the gap, or make it wide enough to turn and jump in; or `intended: [pit]`"
        else:
            depth = f", {deep:.1f} m deep" if deep > 0.3 else ""
            message = f"one cannot get out of here, {here}: {_area(area)}{depth}"
            cure = "add stairs, or steps of at most 0.40 m (1.30 m with a jump); or `intended: [pit]`"
        return self._of(origin, message, cure)

    def unreached(self, origin: int, at: tuple[float, float, float], area: float, also: str) -> Finding:
        return self._of(
            origin, f"nobody gets here: {_area(area)} of ground around {_plan(at[0], at[2])}{also}",
            "open a way to it, or make it no ground to stand on; or `intended: [unreached]`",
        )  # fmt: skip

    def near(self, near: Near, origin: int, ground: int, area: float, also: str) -> Finding:
        here = f"at {_plan(near.at[0], near.at[2])}"
        beyond = self.level.origins[ground]
        gain = f"`{beyond.label}` (line {beyond.place.line}) beyond it{also}: {_area(area)}"
        short = near.enough - near.measure
        said = {
            "narrow": f"a gap of {near.measure:.2f} m, {here}: a player does not pass",
            "low": f"{near.measure:.2f} m of head room, {here}: a player does not pass, crouching either",
            "step": f"a ledge of {near.measure:.2f} m, {here}: a player does not get up, jumping either",
            "steep": f"a slope of {near.measure:.1f} degrees, {here}: a player does not get up",
        }[near.kind]
        if math.isnan(near.measure):
            said = f"a gap a little too narrow, {here}: a player does not pass"
        unit = "degrees" if near.kind == "steep" else "m"
        least = "at least" if short > 0 else "at most"
        word = SILENCED_BY.get(near.kind, near.kind)
        return self._of(
            origin, f"{said}, and nobody reaches {gain}",
            f"{least} {near.enough:.2f} {unit} would do; or `intended: [{word}]`",
        )  # fmt: skip

    def mark(self, mark: Mark, number: int, away: float, tries: int) -> Finding:
        place, where = self._mark_place(mark, number)
        name = self.name(mark)
        message = f"nobody reaches {name}: the nearest place is {away:.1f} m away ({tries} tries)"
        cure = "open a way to it, or move it to where one can stand"
        if mark.kind == "spawn":
            message = f"nobody gets from the first spawn to {name}"
            cure = "open a way, if there should be one"
        return self._finding(place, where, message, cure)

    @staticmethod
    def name(mark: Mark) -> str:
        """What to call a mark in a sentence."""
        return f"the {mark.kind} '{mark.name}'" if mark.kind in ("spawn", "target") else mark.name

    def _mark_place(self, mark: Mark, number: int) -> tuple[Place, str]:
        level = self.level
        if mark.kind == "goal" and level.goal is not None:
            return level.goal.place, "goal"
        if mark.kind == "exit":
            return next((way.place for way in level.exits if way.at == mark.at), Place()), "exits"
        if mark.kind == "spawn":
            return next((one.place for one in level.spawns if one.name == mark.name), Place()), "spawns"
        balls = [made for made in level.faces.marks if isinstance(made.what, Ball)]
        origin = level.origins[balls[number - (level.goal is not None)].origin]
        return origin.place, origin.label

    def _of(self, origin: int | None, message: str, cure: str) -> Finding:
        if origin is None:
            return self._finding(Place(), "", message, cure)
        piece = self.level.origins[origin]
        return self._finding(piece.place, piece.label, message, cure)

    def _finding(self, place: Place, where: str, message: str, cure: str) -> Finding:
        report = Report(str(self.level.path))
        if place.file not in self._texts:
            self._texts[place.file] = _text(Path(place.file))
        report.texts.update(self._texts)
        report.add("warning", place, where, message, cure)
        return report.findings()[0]


def _text(path: Path) -> str:
    """A file to quote from; nothing where it has gone."""
    try:
        return path.read_text(encoding="utf-8-sig", errors="replace")
    except OSError:
        return ""


def _plan(x: float, z: float) -> str:
    return f"({round(x, 1) + 0.0:.1f}, {round(z, 1) + 0.0:.1f})"


def _area(area: float) -> str:
    return f"{area:.0f} m2" if area >= 9.5 else f"{area:.1f} m2"
