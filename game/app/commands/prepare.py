"""`prepare`: compile the physics ahead, so that no later command waits for it."""

from __future__ import annotations

import argparse

from ..launch import kernel_compilation, world_setup
from .frame import Result

SUMMARY = "compile the physics ahead, so that no later command waits"
HELP = """\
Compile all kernels of the physics, once for each version and machine. The other commands compile what they need when
they first need it. What is compiled already is left out; docs/performance.md says how long each part takes.

exit status: 0 everything is compiled
             1 the compilation failed, or the cache folder cannot be written
             130 interrupted with Ctrl-C; the same command goes on"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """`prepare` has no options."""


def run(options: argparse.Namespace) -> Result:
    """Compile what is missing."""
    from ...physics import prepare

    world_setup.prepare_cache_folder()
    if prepare.missing_steps(prepare.EXPECTED_STEPS):
        kernel_compilation.compile_steps(list(prepare.EXPECTED_STEPS), world_setup.print_status)
    if prepare.missing_steps(prepare.EXPECTED_STEPS):
        return Result(1)
    return Result(lines=[f"all kernels are compiled: {prepare.CACHE_FOLDER}"])
