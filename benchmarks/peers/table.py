"""Result tables as Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.peers.workers import NATIVE

FAST, ENHANCED = "physx", "jolt-enhanced"


@dataclass(frozen=True)
class Target:
    """A limit: one of our figures is at most `limit` times another."""

    name: str
    ours: float
    other: float
    limit: float
    unit: str
    least: float | None = None  # ratio of the best rounds, which other work on the machine disturbs least

    @property
    def ratio(self) -> float:
        return self.ours / self.other

    @property
    def met(self) -> bool:
        return self.ratio <= self.limit


def grid(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table with aligned columns, the first to the left and the others to the right."""
    widths = [max(len(row[k]) for row in (head, *rows)) for k in range(len(head))]

    def line(row: Sequence[str]) -> str:
        cells = [row[0].ljust(widths[0]), *[cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]]
        return f"| {' | '.join(cells)} |"

    rule = [f"{'-' * widths[0]}", *[f"{'-' * (width - 1)}:" for width in widths[1:]]]
    return "\n".join([line(head), line(rule), *map(line, rows)])


def number(value: Any, digits: int = 2) -> str:
    """A short number: integers as they are, `-` for none, `0` for less than the last digit."""
    if value is None:
        return "-"
    if isinstance(value, int) or float(value).is_integer():
        return f"{value:.0f}"
    text = f"{value:.{digits}f}"
    return "0" if not text.strip("-0.") else text


def row_of(found: dict[str, Any], course: str, key: str) -> dict[str, Any]:
    rows: dict[str, Any] = found["courses"].get(course, {}).get("rows", {})
    row: dict[str, Any] = rows.get(key, {})
    return row


def targets(found: dict[str, Any]) -> list[Target]:
    """The targets whose figures were all measured."""
    ours, fast = row_of(found, "playground", "ours"), row_of(found, "playground", FAST)
    enhanced, calls = row_of(found, "playground", ENHANCED), found.get("calls", {})
    large, large_fast = row_of(found, "1000000", "ours"), row_of(found, "1000000", FAST)
    small = row_of(found, "10000", "ours")
    every = [
        ("`run`, a tick: PhysX's", ours, "mean", fast, "mean", 0.8, "us"),
        ("`run`, 99th percentile: PhysX's", ours, "p99", fast, "p99", 1.0, "us"),
        ("`step` from Python: enhanced Jolt's tick", calls, "step", enhanced, "mean", 1.0, "us"),
        ("`Crowd.step`, a walker: enhanced Jolt's tick", calls, "crowd", enhanced, "mean", 0.15, "us"),
        ("ready at 10^6 triangles: PhysX's", large, "ready", large_fast, "ready", 1.5, "s"),
        ("memory of 10^6 triangles: 200 bytes each", large, "own", {"own": 200.0}, "own", 1.0, "bytes"),
        ("a tick at 10^6 triangles: at 10^4", large, "mean", small, "mean", 1.5, "us"),
    ]
    return [
        Target(name, one[figure], other[theirs], limit, unit, _least(one, figure, other, theirs))
        for name, one, figure, other, theirs, limit, unit in every
        if one.get(figure) and other.get(theirs)
    ]


def _least(one: dict[str, Any], figure: str, other: dict[str, Any], theirs: str) -> float | None:
    """Ratio of the best rounds of both, if there are rounds."""
    best = [
        row.get("least") if name == "mean" else min(row.get(f"{name}_rounds") or [0.0])
        for row, name in ((one, figure), (other, theirs))
    ]
    return best[0] / best[1] if best[0] and best[1] else None


def target_table(found: dict[str, Any]) -> str:
    rows = [
        [
            t.name,
            f"{number(t.ours)} {t.unit}",
            f"{number(t.other)} {t.unit}",
            f"{t.ratio:.2f}",
            number(t.least),
            f"{t.limit:g}",
            "met" if t.met else "MISSED",
        ]
        for t in targets(found)
    ]
    return (
        grid(["ours: theirs", "ours", "theirs", "ratio", "undisturbed", "at most", ""], rows)
        if rows
        else "No target was measured."
    )


def speed_table(found: dict[str, Any], course: str) -> str:
    ours = row_of(found, course, "ours").get("mean")
    rows = []
    for key, about in found["peers"].items():
        row = row_of(found, course, key)
        label = f"{about['name']} {about['version']}"
        if "mean" not in row:
            rows.append([label, *["-"] * 8])
            continue
        rows.append(
            [
                label,
                number(row["mean"]),
                number(row["least"]),
                f"{row['low']:.2f} to {row['high']:.2f}",
                f"{row['rounds']}",
                f"{row['mean'] / ours:.2f}" if ours else "-",
                number(row["median"]),
                number(row["p99"]),
                number(row["ready"], 3),
            ]
        )
    head = [
        "",
        "us a tick",
        "undisturbed",
        "rounds from, to",
        "rounds",
        "of ours",
        "one tick, median",
        "99th",
        "ready, s",
    ]
    return grid(head, rows)


def terrains(found: dict[str, Any]) -> list[str]:
    """The courses of rolling terrain; their names are numbers of triangles."""
    return [name for name in found["courses"] if name.isdigit()]


def growth_table(found: dict[str, Any]) -> str:
    names = terrains(found)
    rows = []
    for key, about in found["peers"].items():
        cells = [row_of(found, name, key).get("mean") for name in names]
        growth = cells[-1] / cells[0] if cells and cells[0] and cells[-1] else None
        ready = [row_of(found, name, key).get("ready") for name in names]
        rows.append([about["name"], *map(number, cells), number(growth), *[number(each, 3) for each in ready]])
        largest = row_of(found, names[-1], key)
        rows[-1] += [number(largest.get("own") or None, 0), number(largest.get("memory"), 0)]
    counts = [f"{found['courses'][name]['triangles']}" for name in names]
    head = ["terrain", *[f"us at {count}" for count in counts], "growth", *[f"ready at {count}, s" for count in counts]]
    head += ["bytes a triangle, its own", "process"]
    return grid(head, rows)


WAYS = {
    "run": "ours, `run`: one call for many ticks",
    "steps": "ours, `step`: a call from Python for each tick",
    "crowd": "ours, `Crowd.step`: a walker of a crowd",
}

TIMED = """What is timed, in processor time but for `step` and for percentiles:

- ours, `run`: calls from Python of the whole leg (mean) or of 50 ticks; rows of velocities in, all states out;
- ours, `step`: a call from Python for each tick, with its `Command` and the state that the last call returned;
- ours, `Crowd.step`: a call from Python for a tick of 1000 walkers, divided by 1000;
- native PhysX: a loop in C++ over `move` and `getPosition`, with gravity added by hand;
- native Box3D: a loop in C++ over a ray for the spring to the ground and at most five times `b3World_CollideMover`,
  `b3SolvePlanes` and `b3World_CastMover`;
- native Jolt: a loop in C++ over `SetLinearVelocity`, `ExtendedUpdate`, `GetPosition` and `GetGroundState`."""


def native_tables(found: dict[str, Any]) -> list[str]:
    """Ours in three ways beside the native peers: on each course, and the ratios over all courses."""
    names = {key: about["name"] for key, about in found["peers"].items() if key.startswith(NATIVE)}
    if not names:
        return []
    ways = {way: label.split(":")[0] for way, label in WAYS.items()}
    speeds, reached = [], []
    for course in found["courses"]:
        ours = row_of(found, course, "ours")
        rows = [ours, ours.get("steps", {}), *[row_of(found, course, key) for key in names]]
        cells = [f"{number(row.get('mean'))} ({number(row.get('batches', row).get('p99'))})" for row in rows]
        cells.insert(2, number(ours.get("crowd", {}).get("mean")))
        speeds.append([course, *cells])
        legs = [row_of(found, course, key).get("reached", []) for key in names]
        reached.append([course, *[f"{sum(each)} of {len(each)}" if each else "-" for each in legs]])
    ratios = []
    for way, label in [*WAYS.items(), ("ready", "ready, from the array of triangles")]:
        pairs = [[_ratio(found, course, key, way) for course in found["courses"]] for key in names]
        known = [[each for each in row if each] for row in pairs]
        cells = [f"{np.exp(np.mean(np.log(row))):.2f} ({max(row):.2f})" if row else "-" for row in known]
        ratios.append([label, *cells])
    return [
        "**Native builds**",
        TIMED,
        "Mean microseconds a tick, in brackets the 99th percentile of 50 ticks (of one tick for `step`):",
        grid(["", *ways.values(), *names.values()], speeds),
        "Legs that end within 1 m of where ours ends them, out of all:",
        grid(["", *names.values()], reached),
        f"Ours divided by theirs on these legs: geometric mean of {len(found['courses'])} courses, in brackets the "
        "worst for ours; more than 1 means that theirs is faster:",
        grid(["", *names.values()], ratios),
    ]


def _ratio(found: dict[str, Any], course: str, key: str, way: str) -> float | None:
    """Ours in one of WAYS, or to be ready, divided by a peer's on the legs that it walks as ours does."""
    ours, theirs = row_of(found, course, "ours"), row_of(found, course, key)
    if way == "ready":
        return ours["ready"] / theirs["ready"] if ours.get("ready") and theirs.get("ready") else None
    kept = np.array(theirs.get("reached", []), dtype=bool)
    if not kept.any() or "leg totals" not in theirs:
        return None
    spent = float(np.array(theirs["leg totals"])[kept].sum())
    mine = ours if way == "run" else ours.get(way, {})
    if way == "crowd":  # walks all legs at the same time: its mean for each of the ticks
        ticks = np.array(ours["leg ticks"])[kept].sum()
        return float(mine["mean"] * ticks / spent) if mine else None
    return float(np.array(mine["leg totals"])[kept].sum() / spent) if mine else None


def leg_table(found: dict[str, Any]) -> str:
    keys = [key for key in found["peers"] if "legs" in row_of(found, "playground", key)]
    legs = {key: row_of(found, "playground", key)["legs"] for key in keys}
    names = list(next(iter(legs.values()), {}))
    rows = [[name, *[number(legs[key].get(name)) for key in keys]] for name in names]
    return grid(["us a tick", *[found["peers"][key]["name"] for key in keys]], rows)


def quality_table(found: dict[str, Any]) -> str:
    keys = [key for key in found["peers"] if key in found["quality"]]
    measures = list(dict.fromkeys(name for key in keys for name in found["quality"][key]))

    def cell(name: str, value: Any) -> str:
        return number(value, 3 if "slowest" in name else 1)

    rows = [[name, *[cell(name, found["quality"][key].get(name)) for key in keys]] for name in measures]
    return grid(["", *[found["peers"][key]["name"] for key in keys]], rows)


def _badness(name: str, value: float) -> float | None:
    """Distance of a measure from its ideal value; None for a neutral measure."""
    if name.startswith(("gap kept", "largest lift")):
        return None
    if "slowest" in name:
        return max(0.0, 1.0 - value)
    if (ideal := re.search(r", ticks \((\d+)\)$", name)) is not None:
        return abs(value - float(ideal[1]))  # faster than ideal: it cut a corner
    return max(0.0, value)


def behind(found: dict[str, Any], near: float = 2e-3) -> list[str]:
    """Measures in which another controller is nearer to the ideal than ours, with both figures."""
    lines = []
    for name, value in found["quality"].get("ours", {}).items():
        mine = float("inf") if value is None else _badness(name, value)
        others = [
            (bad, found["peers"][key]["name"], other)
            for key, measures in found["quality"].items()
            if key != "ours"
            and (other := measures.get(name)) is not None
            and (bad := _badness(name, other)) is not None
        ]
        if mine is not None and others and min(others)[0] < mine - near:
            _, who, other = min(others)
            lines.append(f"{name}: {number(value)}, {who} {number(other)}")
    return lines


def report(found: dict[str, Any]) -> str:
    """All tables of one run, as in the documentation."""
    parts = [f"Measured {found['date']}{' (--quick)' if found['quick'] else ''}: {found['machine']}."]
    if found["left_out"]:
        parts.append("Left out, not installed or not built: " + ", ".join(found["left_out"]) + ".")
    parts += ["**Targets**", target_table(found), *native_tables(found)]
    for name, course in found["courses"].items():
        if name == "playground":
            title = f"**The playground** ({course['triangles']} triangles, {course['ticks']} ticks)"
            parts += [title, speed_table(found, name)]
            if found["quality"]:
                parts += ["**How well they walk it**", quality_table(found)]
                others = behind(found)
                parts.append("Another is nearer to perfect in: " + ("; ".join(others) or "nothing") + ".")
            parts += ["**By leg**", leg_table(found)]
    if terrains(found):
        parts += ["**Rolling terrain**", growth_table(found)]
        largest = terrains(found)[-1]
        parts += [f"At {found['courses'][largest]['triangles']} triangles:", speed_table(found, largest)]
    failed = [
        f"{about['name']} at {course['triangles']} triangles: {row['failed']}"
        for course in found["courses"].values()
        for key, row in course["rows"].items()
        if "failed" in row and (about := found["peers"].get(key))
    ]
    if failed:
        parts.append("\n".join(f"- {line}" for line in failed))
    settings = [
        f"- {about['name']} {about['version']}: {'; '.join(about['settings'])}." for about in found["peers"].values()
    ]
    parts += ["**Settings**", "\n".join(settings)]
    return "\n\n".join(parts) + "\n"
