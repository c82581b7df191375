"""The bare walker on the courses, in this process.

    python -m benchmarks.walker [--course playground|10000|100000|1000000] [--rounds 9]

Prints the cost of a tick on each leg, over the course, at its 99th percentile, by `step` and in a crowd.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from time import perf_counter_ns, process_time, process_time_ns, thread_time_ns
from timeit import repeat

import numpy as np
import numpy.typing as npt

import game as package
from benchmarks.courses import HEIGHT, RADIUS, SPEED, Course, WalkedLeg, course_named
from game.physics import Command, Crowd, TriangleMesh, Walker, WalkerState, bare
from game.physics.prepare import compile_whole

CROWD = 1000
CROWD_TICKS = 60
BATCH = 50  # ticks of a leg that are timed together


class Ours:
    """The bare walker: wished speed at once, no surface friction."""

    name = "ours"
    version = package.__version__
    settings = (
        "Walker with bare(radii=(0.35, 0.90, 0.35)): step height and snap 0.40 m, slopes to 45 degrees, skin 0.01",
        "in double precision; `run` over whole legs",
    )

    def __init__(self) -> None:
        compile_whole()
        self.walker = Walker(bare(radii=(RADIUS, HEIGHT / 2, RADIUS), walk_speed=SPEED))

    def build(self, course: Course) -> float:
        """Seconds of processor time from the array to a mesh that is ready."""
        start = process_time()
        self.mesh = TriangleMesh(course.triangles)
        taken = process_time() - start
        self.course = course
        self.starts = [self.walker.spawn(self.mesh, leg.start, int(leg.heading[0])) for leg in course.legs]
        self.rows = [self.walker.commands(forward=leg.speed / SPEED, heading=leg.heading) for leg in course.legs]
        return taken

    def bytes_a_triangle(self) -> float:
        """Memory of the mesh's arrays per triangle."""
        arrays = [getattr(self.mesh, name, None) for name in TriangleMesh.__slots__]
        return sum(a.nbytes for a in arrays if isinstance(a, np.ndarray)) / len(self.course.triangles)

    def walk(self) -> list[WalkedLeg]:
        """For each leg the feet after each tick (ticks, 3), m, and the grounded flags."""
        found = []
        for state, rows in zip(self.starts, self.rows, strict=True):
            states = self.walker.run(state, rows, self.mesh)
            found.append((states["position"] - [0.0, HEIGHT / 2, 0.0], states["grounded"].copy()))
        return found

    def time_legs(self) -> list[tuple[float, float]]:
        """Microseconds of `run` for each complete leg: wall time and processor time."""
        taken = []
        for state, rows in zip(self.starts, self.rows, strict=True):
            busy, start = thread_time_ns(), perf_counter_ns()
            self.walker.run(state, rows, self.mesh)
            wall = perf_counter_ns() - start
            taken.append((wall / 1e3, (thread_time_ns() - busy) / 1e3))
        return taken

    def time_batches(self) -> npt.NDArray[np.float64]:
        """Microseconds a tick of `run` calls of BATCH ticks, the whole ones of each leg."""
        taken = []
        for state, rows in zip(self.starts, self.rows, strict=True):
            for first in range(0, len(rows) - BATCH + 1, BATCH):
                start = perf_counter_ns()
                states = self.walker.run(state, rows[first : first + BATCH], self.mesh)
                taken.append(perf_counter_ns() - start)
                state = WalkerState(states[-1:])
        return np.array(taken) / 1e3 / BATCH

    def time_ticks(self) -> npt.NDArray[np.float64]:
        """Microseconds of `run` calls of one tick, minus those of a call of none."""
        taken = []
        for state, rows in zip(self.starts, self.rows, strict=True):
            for k in range(len(rows)):
                row = rows[k : k + 1]
                start = perf_counter_ns()
                states = self.walker.run(state, row, self.mesh)
                taken.append(perf_counter_ns() - start)
                state = WalkerState(states)
        return np.array(taken) / 1e3 - self._empty()

    def _empty(self) -> float:
        """Microseconds of a `run` call of no ticks."""
        none, taken = self.rows[0][:0], []
        for _ in range(2000):
            start = perf_counter_ns()
            self.walker.run(self.starts[0], none, self.mesh)
            taken.append(perf_counter_ns() - start)
        return float(np.median(taken)) / 1e3

    def time_steps(self) -> npt.NDArray[np.float64]:
        """Microseconds of each call of `Walker.step` from Python, minus those of reading the clock."""
        taken = []
        step, mesh = self.walker.step, self.mesh
        for leg, first in zip(self.course.legs, self.starts, strict=True):
            state = first
            commands = [
                Command(forward=float(f), heading=int(h)) for f, h in zip(leg.speed / SPEED, leg.heading, strict=True)
            ]
            for command in commands:
                start = perf_counter_ns()
                state, _ = step(state, command, mesh)
                taken.append(perf_counter_ns() - start)
        clock = [-(perf_counter_ns() - perf_counter_ns()) for _ in range(2000)]
        return (np.array(taken) - np.median(clock)) / 1e3

    def time_crowd(self, size: int = CROWD, ticks: int = CROWD_TICKS) -> npt.NDArray[np.float64]:
        """Processor time (us) of each call of `Crowd.step` per walker, with walkers spread over all legs."""
        crowd = Crowd(self.walker, self.mesh)
        legs = self.course.legs
        states = np.concatenate([self.starts[k % len(legs)].row() for k in range(size)])
        columns = []
        for k in range(size):
            rows = self.rows[k % len(legs)]
            columns.append(np.take(rows, np.arange(ticks) + 6 + 37 * (k // len(legs)), mode="wrap"))
        commands = np.ascontiguousarray(np.stack(columns, 1))
        states = crowd.step(states, commands[0])
        taken = []
        for tick in range(1, ticks):
            start = process_time_ns()
            states = crowd.step(states, commands[tick])
            taken.append(process_time_ns() - start)
        return np.array(taken) / 1e3 / size


def time_calls() -> dict[str, float]:
    """Microseconds of calls from Python on a plane: medians of batches."""
    walker, mesh = Walker(), TriangleMesh([[[-99, 0, -99], [-99, 0, 99], [199, 0, 0]]])
    state = walker.run(walker.spawn(mesh, (0.0, 0.0, 0.0)), walker.commands(forward=np.ones(60)), mesh)
    walking, ready = walker.state(state[-1:]), Command(forward=1.0)
    rows = walker.commands(forward=np.ones(1000))

    def median_of(call: Callable[[], object], number: int) -> float:
        return float(np.median(repeat(call, number=number, repeat=99))) / number * 1e6

    calls: dict[str, float] = {
        "new command": median_of(lambda: Command(1.0, 0.0, 300, 0, True), 500),
        "step, ready command": median_of(lambda: walker.step(walking, ready, mesh), 200),
        "step, new command": median_of(lambda: walker.step(walking, Command(1.0, 0.0, 300), mesh), 200),
    }
    for count in (0, 1, 50, 1000):
        some = rows[:count]
        calls[f"run of {count} rows"] = median_of(
            lambda some=some: walker.run(walking, some, mesh), 200 // (count + 1) + 1
        )
    return calls


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.walker", description=__doc__.splitlines()[0])
    parser.add_argument(
        "--course", default="playground", help="playground, or the triangles of a terrain (%(default)s)"
    )
    parser.add_argument("--rounds", type=int, default=9, help="measurements of the course (default: %(default)s)")
    options = parser.parse_args()
    ours = Ours()
    course = course_named(options.course)
    ready = min(ours.build(course) for _ in range(3))
    size = ours.bytes_a_triangle()
    print(f"{course.name}: {len(course.triangles)} triangles, ready in {ready:.3f} s, {size:.0f} bytes each")
    ours.walk()
    taken = np.array([ours.time_legs() for _ in range(options.rounds)])
    rounds, best = taken[..., 0], taken[..., 1].min(0)
    ticks = np.array([len(leg.speed) for leg in course.legs])
    each = np.min([ours.time_ticks() for _ in range(min(3, options.rounds))], 0)
    starts = np.concatenate([[0], np.cumsum(ticks)])
    if course.name == "playground":
        print(f"{'leg':34}{'ticks':>7}{'run us/tick':>13}{'p99':>8}{'slowest':>9}")
        names = [leg.name for leg in course.legs]
        for name in dict.fromkeys(names):
            here = [k for k, other in enumerate(names) if other == name]
            times = np.concatenate([each[starts[k] : starts[k + 1]] for k in here])
            cost = best[here].sum() / ticks[here].sum()
            print(f"{name:34}{ticks[here].sum():>7}{cost:>13.2f}{np.percentile(times, 99):>8.1f}{times.max():>9.1f}")
    total = rounds.sum(1) / ticks.sum()
    low = best.sum() / ticks.sum()
    print(f"run, us/tick: {np.median(total):.2f} ({total.min():.2f} to {total.max():.2f})")
    print(f"      of the processor's time, best round of each leg: {low:.2f}")
    high = np.percentile(each, 99)
    print(
        f"one tick without the cost of the call: median {np.median(each):.2f}, p99 {high:.2f}, longest {each.max():.1f}"
    )
    print(f"step from Python: {min(ours.time_steps().mean() for _ in range(3)):.2f}")
    print(f"crowd of {CROWD}, a walker: {min(ours.time_crowd().mean() for _ in range(2)):.2f}")
    for name, cost in time_calls().items():
        print(f"{name}, on a plane: {cost:.2f}")


if __name__ == "__main__":
    main()
