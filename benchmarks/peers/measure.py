"""Order of the measurements: all controllers in turns, so that a busy moment of the machine slows all of them."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benchmarks.courses import TICKS, Course
from benchmarks.maps import course_of
from benchmarks.measures import measure_playground, measure_terrain
from benchmarks.peers.workers import PEERS, Failed, Peer, Worker
from benchmarks.walker import BATCH, CROWD

COURSES = ("playground", "10000", "100000", "1000000")
JUDGED_TERRAIN = "10000"
NEAR = 1.0  # m from the end of our leg; the speeds of a peer that ends a leg elsewhere are not compared on it


@dataclass(frozen=True)
class Effort:
    """Limits of a measurement, in seconds unless stated otherwise."""

    ticks: int  # of each course
    rounds: int  # of whole courses
    tick_rounds: int  # of ticks timed one by one
    share: float  # for one peer's rounds on one course
    builds: int  # times that a mesh is made ready, at most
    build_limit: float  # for making it ready once
    call_rounds: int  # of ours in other ways


FULL = Effort(TICKS, 15, 3, 4.0, 3, 30.0, 5)
QUICK = Effort(TICKS // 4, 5, 2, 1.2, 1, 12.0, 3)


def processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            names = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
            return names[0]
    except (OSError, IndexError):
        return platform.processor() or platform.machine()


def ends_of(course: Course) -> np.ndarray:
    """Ticks of the course at the end of each leg but the last."""
    return np.cumsum([len(leg.speed) for leg in course.legs])[:-1]


def split(course: Course, rows: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """(feet, grounded) of each leg from rows (ticks, 4)."""
    return [(part[:, :3], part[:, 3] > 0.5) for part in np.split(rows, ends_of(course))]


class Run:
    """All peers on one course, each in a fresh process."""

    def __init__(self, name: str, peers: Iterable[Peer], effort: Effort, folder: Path, say: Callable[[str], None]):
        self.name, self.effort, self.folder, self.say = name, effort, folder, say
        self.course = course_of(name, effort.ticks)
        self.file = self.course.write(folder)
        self.workers: dict[str, Worker] = {}
        self.rows: dict[str, dict[str, Any]] = {}
        self.about: dict[str, dict[str, Any]] = {}
        for peer in peers:
            self._start(peer)
        for _ in range(effort.builds):
            self.each(self._build)

    def _start(self, peer: Peer) -> None:
        self.rows[peer.key] = {"ready_rounds": []}
        if len(self.course.triangles) > peer.built_up_to:
            self.rows[peer.key]["failed"] = peer.reason
            return
        try:
            worker = self.workers[peer.key] = Worker(peer)
            self.about[peer.key] = worker.about
        except Failed as failed:
            self.rows[peer.key]["failed"] = str(failed)
            self.say(f"  {peer.name}: {failed}")

    def _build(self, key: str, worker: Worker) -> None:
        """Prepare the course once more, unless that takes too long."""
        row, count = self.rows[key], len(self.course.triangles)
        taken: list[float] = row["ready_rounds"]
        if sum(taken) > self.effort.build_limit / 5:
            return
        limit, ticks = self.effort.build_limit, self.effort.ticks
        answer = worker.ask(limit, do="build", course=str(self.file), name=self.name, ticks=ticks)
        if not taken:  # before any memory was freed
            row |= {"memory": answer["memory"] / count, "own": answer["heap"] / count}
        taken.append(answer["seconds"])
        row["ready"] = min(taken)

    def each(self, what: Callable[[str, Worker], None]) -> None:
        """Call a function for every remaining peer. A peer that fails is left out from then on."""
        for key, worker in list(self.workers.items()):
            try:
                what(key, worker)
            except Failed as failed:
                self.rows[key]["failed"] = str(failed)
                self.say(f"  {worker.peer.name}: {failed}")
                worker.end()
                del self.workers[key]

    def walk(self) -> dict[str, np.ndarray]:
        """Positions of each peer as rows (ticks, 4). Also warms the peers up."""
        found = {}

        def order(key: str, worker: Worker) -> None:
            path = self.folder / f"{key}.walk"
            worker.ask(300.0, do="walk", to=str(path))
            found[key] = np.fromfile(path).reshape(-1, 4)

        self.each(order)
        if "ours" in found:
            for key, rows in found.items():
                self.rows[key]["reached"] = reaches(self.course, rows, found["ours"])
        return found

    def time(self) -> None:
        """Rounds of the whole course in turns, fewer for slow peers; then single ticks in turns.

        Rounds are measured in processor time, which other work on the machine disturbs less.

        In the first rounds ours is also called in its other ways: batches of ticks, `step` and `Crowd.step`.
        """
        calls: dict[str, list[np.ndarray]] = {"batches": [], "steps": [], "crowd": []}
        legs: dict[str, list[list[tuple[float, float]]]] = {key: [] for key in self.workers}
        for number in range(self.effort.rounds):

            def order(key: str, worker: Worker, number: int = number) -> None:
                cost = sum(wall for wall, _ in legs[key][0]) / 1e6 if legs[key] else 0.0
                if number and number * cost >= self.effort.share:
                    return
                legs[key].append(worker.ask(300.0, do="legs")["microseconds"])
                for what, taken in calls.items():
                    if key == "ours" and number < self.effort.call_rounds:
                        path = self.folder / f"{key}.{what}"
                        worker.ask(300.0, do=what, to=str(path))
                        taken.append(np.fromfile(path))

            self.each(order)
        ticks: dict[str, list[np.ndarray]] = {key: [] for key in self.workers}
        for number in range(self.effort.tick_rounds):

            def one(key: str, worker: Worker, number: int = number) -> None:
                if number and sum(wall for wall, _ in legs[key][0]) / 1e6 > self.effort.share / 3:
                    return
                path = self.folder / f"{key}.ticks"
                worker.ask(300.0, do="ticks", to=str(path))
                ticks[key].append(np.fromfile(path))

            self.each(one)
        for key in self.workers:
            busy = np.array(legs[key])[:, :, 1]
            rounds = busy.sum(1) / self.course.ticks
            single = np.min(ticks[key], 0)
            self.rows[key] |= {
                "mean": float(np.median(busy, axis=0).sum() / self.course.ticks),
                "least": float(busy.min(0).sum() / self.course.ticks),
                "low": float(rounds.min()),
                "high": float(rounds.max()),
                "rounds": len(busy),
                "median": float(np.median(single)),
                "p99": float(np.percentile(single, 99)),
                "batches": batches(self.course, ticks[key]),
                "legs": self._by_name(np.median(busy, axis=0)),
                "leg totals": np.median(busy, axis=0).tolist(),
            }
        if calls["crowd"] and "ours" in self.workers:
            self.rows["ours"] |= {what: statistics(np.array(taken)) for what, taken in calls.items()}
            self.rows["ours"]["leg ticks"] = [len(leg.speed) for leg in self.course.legs]
            steps = np.median(calls["steps"], axis=0)  # of each call: an interrupted one counts in its round only
            totals = [float(part.sum()) for part in np.split(steps, ends_of(self.course))]
            self.rows["ours"]["steps"] |= {"mean": float(steps.mean()), "leg totals": totals}

    def _by_name(self, microseconds: np.ndarray) -> dict[str, float]:
        """Microseconds per tick by the name of the leg."""
        total: dict[str, list[float]] = {}
        for leg, spent in zip(self.course.legs, microseconds, strict=True):
            name = leg.name.rstrip(" 0123456789") if leg.name.startswith("terrain") else leg.name
            sums = total.setdefault(name, [0.0, 0.0])
            sums[0] += float(spent)
            sums[1] += len(leg.speed)
        return {name: spent / ticks for name, (spent, ticks) in total.items()}

    def end(self) -> None:
        for worker in self.workers.values():
            worker.end()


def statistics(taken: np.ndarray) -> dict[str, Any]:
    """Mean of each round and their median; median and 99th percentile of the calls, the best round of each call.

    taken (rounds, calls): microseconds.
    """
    means, best = taken.mean(1), taken.min(0)
    return {
        "mean": float(np.median(means)),
        "rounds": means.tolist(),
        "median": float(np.median(best)),
        "p99": float(np.percentile(best, 99)),
    }


def batches(course: Course, taken: Sequence[np.ndarray]) -> dict[str, Any]:
    """Statistics of the whole batches of each leg, from rounds of single ticks: microseconds a tick."""
    parts = np.split(np.array(taken), ends_of(course), axis=1)
    whole = [part[:, : part.shape[1] // BATCH * BATCH].reshape(len(part), -1, BATCH).mean(2) for part in parts]
    return statistics(np.concatenate(whole, axis=1))


def own_calls(row: dict[str, Any]) -> dict[str, Any]:
    """Cost of `step` and `Crowd.step`: medians and all rounds."""
    steps, crowd = row["steps"], row["crowd"]
    return {
        "step": steps["mean"],
        "step_rounds": steps["rounds"],
        "crowd": crowd["mean"],
        "crowd_rounds": crowd["rounds"],
        "crowd_size": CROWD,
    }


def reaches(course: Course, one: np.ndarray, other: np.ndarray) -> list[bool]:
    """Whether one walk ends each leg within NEAR of the other's end; both are rows (ticks, 4)."""
    pairs = zip(split(course, one), split(course, other), strict=True)
    return [bool(np.linalg.norm(feet[-1] - others[-1]) <= NEAR) for (feet, _), (others, _) in pairs]


def measure(
    only: set[str],
    courses: Iterable[str],
    effort: Effort,
    say: Callable[[str], None],
    known: Iterable[Peer] = PEERS,
) -> dict[str, Any]:
    """All measurements as plain data for JSON."""
    wanted = [peer for peer in known if not only or peer.key in only]
    left_out = {peer.name: reason for peer in wanted if (reason := peer.missing())}
    peers = [peer for peer in wanted if peer.name not in left_out]
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    found: dict[str, Any] = {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "machine": f"{processor()}, {os.cpu_count()} processors, load {load:.1f} at the start; {platform.system()} "
        f"{platform.machine()}, Python {platform.python_version()}",
        "quick": effort is QUICK,
        "left_out": left_out,
        "peers": {},
        "courses": {},
        "quality": {},
    }
    for name, reason in left_out.items():
        say(f"left out: {name}: {reason}")
    with TemporaryDirectory() as folder:
        for name in courses:
            begun = time.monotonic()
            run = Run(name, peers, effort, Path(folder), say)
            try:
                walks = run.walk()
                run.time()
                judging = {"playground": measure_playground, JUDGED_TERRAIN: measure_terrain}.get(name)
                if judging is not None:
                    for peer in peers:
                        if peer.key in walks and not peer.native:
                            measures = judging(run.course, split(run.course, walks[peer.key]), peer.kind)
                            found["quality"].setdefault(peer.key, {}).update(measures)
                if name == "playground" and "crowd" in run.rows.get("ours", {}):
                    found["calls"] = own_calls(run.rows["ours"])
            finally:
                run.end()
                run.file.unlink()
            found["peers"] |= {key: about for key, about in run.about.items() if key not in found["peers"]}
            count = len(run.course.triangles)
            found["courses"][name] = {"triangles": count, "ticks": run.course.ticks, "rows": run.rows}
            say(f"{run.course.name}: {count} triangles, {run.course.ticks} ticks, {time.monotonic() - begun:.0f} s")
    return found
