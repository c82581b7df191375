"""Compilation of the physics before the first test, on every processor, so that no test or child process waits for it.

The first stage, which a player's first start compiles, is kept aside as it was when it was done: tests of a first
start begin with a copy of it where compiling it again would show nothing more.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from game.physics import prepare
from game.physics.character import profile
from game.physics.character.broad_phase import find_candidates
from game.physics.character.contacts import collect_contacts
from game.physics.character.rotate import rotation_clearance
from game.physics.character.slide import sweep_body
from game.physics.numerics import jit
from game.physics.numerics.projection import project_onto_halfspaces

PREPARE = [sys.executable, "-m", "game.physics.prepare"]
FIRST_STAGE = jit.CACHE_FOLDER.parents[1] / "first-stage"  # as a cache folder: kernels/DIGEST
MARKS = {"whole": prepare.COMPLETE, "balls": prepare.BALLS}
# Kernels whose modules only the walker's half compiles.
WALKER = (find_candidates, sweep_body, project_onto_halfspaces, collect_contacts, rotation_clearance)
KEPT = FIRST_STAGE / "kernels" / jit.CACHE_FOLDER.name


def compile_all(everything: bool) -> None:
    """Compile the whole tick; with `everything` also shapes and balls, which only some tests want."""
    if not jit.CACHED:
        prepare.compile_whole()
        return
    if not jit.ready():
        subprocess.run(PREPARE, check=True, stdout=subprocess.DEVNULL)
        shutil.rmtree(FIRST_STAGE, ignore_errors=True)
        shutil.copytree(jit.CACHE_FOLDER, KEPT)
    parts = [] if jit.complete() else ["whole"]
    if everything and not (jit.CACHE_FOLDER / prepare.BALLS).exists():
        parts += ["balls", "shapes"]
    children = [subprocess.Popen([*PREPARE, part], stdout=subprocess.DEVNULL) for part in parts]
    for part, child in zip(parts, children, strict=True):
        assert child.wait() == 0, f"compiling ahead failed: {part}"
        if part in MARKS:
            (jit.CACHE_FOLDER / MARKS[part]).write_bytes(b"")


def first_stage(cache: Path) -> None:
    """Make `cache` a cache folder that holds the first stage and nothing else."""
    if KEPT.exists():
        shutil.copytree(FIRST_STAGE, cache)
    else:
        usual = {key: value for key, value in os.environ.items() if key != profile.PROFILE_VARIABLE}
        subprocess.run(PREPARE, check=True, stdout=subprocess.DEVNULL, env={**usual, "WALKER_CACHE": str(cache)})


def without_the_walker(cache: Path, folder: Path | None = None) -> None:
    """Make `cache` a cache folder in which the mesh's half of the first stage is there, and the walker's is not.

    With `folder` the kernels lie there instead: where a process of other kernels will look.
    """
    first_stage(cache)
    held = cache / "kernels" / jit.CACHE_FOLDER.name
    (held / prepare.READY).unlink()
    for kernel in WALKER:
        source = Path(kernel.py_func.__code__.co_filename)
        files = list(held.glob(f"{source.parent.name}_*/{source.stem}.*"))
        assert files, f"{source} has no compiled kernels"
        for file in files:
            file.unlink()
    if folder is not None:
        held.rename(folder)
