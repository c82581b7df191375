"""Compilation of the physics before the first test, on every processor, so that no test or child process waits for it.

The first stage, which a player's first start compiles, is kept aside as it was when it was done: tests of a first
start begin with a copy of it where compiling it again would show nothing more.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from game.physics import prepare
from game.physics.character import profile
from game.physics.character.contacts import collect_contacts
from game.physics.character.slide import sweep_body
from game.physics.numerics import jit
from game.physics.numerics.background_compile import (
    BALLS,
    EXPECTED_SECONDS,
    MARKERS,
    WHOLE,
    is_compiled,
    record_compiled,
)
from game.physics.numerics.compile_notice import NOTICE

PREPARE = [sys.executable, "-m", "game.physics.prepare"]
FIRST_STAGE = jit.CACHE_FOLDER.parents[1] / "first-stage"  # as a cache folder: kernels/DIGEST
COUNTED = (sweep_body, collect_contacts)  # the kernels of the first stage in which a profile counts
KEPT = FIRST_STAGE / "kernels" / jit.CACHE_FOLDER.name


def compile_all(everything: bool) -> None:
    """Compile the whole tick; with `everything` also shapes and balls, which only some tests want.

    A line on standard error says so if it takes a while.
    """
    with NOTICE.waiting("the physics for the tests", EXPECTED_SECONDS[BALLS if everything else WHOLE]):
        _compile_all(everything)


def _compile_all(everything: bool) -> None:
    if not jit.CACHED:
        prepare.compile_whole()
        return
    if not jit.ready():
        subprocess.run(PREPARE, check=True, stdout=subprocess.DEVNULL)
        shutil.rmtree(FIRST_STAGE, ignore_errors=True)
        shutil.copytree(jit.CACHE_FOLDER, KEPT)
    parts = [] if jit.complete() else [WHOLE]
    if everything and not is_compiled(BALLS):
        parts += [BALLS, "shapes"]
    children = [subprocess.Popen([*PREPARE, part], stdout=subprocess.DEVNULL) for part in parts]
    for part, child in zip(parts, children, strict=True):
        assert child.wait() == 0, f"compiling ahead failed: {part}"
        if part in MARKERS:
            record_compiled(part)


def first_stage(cache: Path) -> None:
    """Make `cache` a cache folder that holds the first stage and nothing else. It is compiled once and kept."""
    if not KEPT.exists():
        with tempfile.TemporaryDirectory(dir=jit.CACHE_FOLDER.parents[1]) as folder:
            usual = {key: value for key, value in os.environ.items() if key != profile.PROFILE_VARIABLE}
            subprocess.run(PREPARE, check=True, stdout=subprocess.DEVNULL, env={**usual, jit.CACHE_VARIABLE: folder})
            with contextlib.suppress(OSError):  # another test process has kept its own
                KEPT.parent.mkdir(parents=True, exist_ok=True)
                Path(folder, "kernels", KEPT.name).rename(KEPT)
    shutil.copytree(KEPT, cache / "kernels" / KEPT.name)


def without_counted_kernels(cache: Path, folder: Path | None = None) -> None:
    """Make `cache` a cache folder with the first stage except sweep and contacts, which compile in some seconds.

    With `folder` the kernels lie there instead: where a process of other kernels will look.
    """
    first_stage(cache)
    held = cache / "kernels" / jit.CACHE_FOLDER.name
    (held / prepare.READY).unlink()
    for kernel in COUNTED:
        source = Path(kernel.py_func.__code__.co_filename)
        files = list(held.glob(f"{source.parent.name}_*/{source.stem}.*"))
        assert files, f"{source} has no compiled kernels"
        for file in files:
            file.unlink()
    if folder is not None:
        held.rename(folder)
