"""Waits for the compiler, so that a vector environment starts with all its kernels compiled."""

from __future__ import annotations

import numpy as np

from ..physics.character.layout import command_row
from ..sim.batched_world import BatchedWorld, Runs
from .course import Course
from .observation import RAYS
from .options import Options


def wait_for_kernels(options: Options, course: Course, world: BatchedWorld) -> None:
    """Compile what a step of a vector environment calls; a line on standard error says so where it takes long."""
    world.crowd.compile()
    runs, rows = Runs.empty(1, len(course.level.targets)), np.zeros(1, np.int64)
    runs.begin(rows, course.starts[:1], np.zeros(1, np.int64))
    world.step(runs, rows, np.zeros((1, command_row.WIDTH)))
    left, places = np.zeros(1), np.zeros(1, np.int64)
    course.progress.measure(course.level, runs.states, rows, runs.reached, left, places)
    out = np.zeros((1, RAYS + len(options.directions)), np.float32)
    course.observe(options, runs.states, rows, runs.clocks, runs.reached, places, out, rows, 0, 1)
