"""Compilation of the physics before the first test, on every processor, so that no test or child process waits for it.

Tests of a first start begin with a copy of the first stage, which a player's first start compiles, where compiling it
again would show nothing more.
"""

from __future__ import annotations

import json
import os
import selectors
import shutil
import subprocess
import sys
import time
from pathlib import Path

from game.physics import prepare
from game.physics.character.contacts import collect_contacts
from game.physics.character.slide import sweep_body
from game.physics.numerics import jit, kernel_cache
from game.physics.numerics.background_compile import BALLS, EXPECTED_SECONDS, NOTICE, WHOLE

PROGRESS_SECONDS = 10.0  # s between lines that show that the compiling goes on
PREPARE = [sys.executable, "-m", prepare.MODULE]
MISSING = (sweep_body, collect_contacts)  # kernels of the first stage that compile in some seconds


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
        _run_all([PREPARE])
    parts = (WHOLE, *((BALLS, "shapes") if everything else ()))
    _run_all([[*PREPARE, part] for part in parts if not jit.is_compiled(part)])


def _run_all(commands: list[list[str]]) -> None:
    """Run commands side by side. Each prints a line for each compiled function; now and then a line shows the count."""
    began, compiled = time.monotonic(), 0
    children = [subprocess.Popen(command, stdout=subprocess.PIPE) for command in commands]
    shown = began
    with selectors.DefaultSelector() as selector:
        for child in children:
            assert child.stdout is not None
            selector.register(child.stdout, selectors.EVENT_READ)
        while selector.get_map():
            for key, _ in selector.select(PROGRESS_SECONDS):
                data = os.read(key.fd, 1 << 16)
                compiled += data.count(b"\n")
                if not data:
                    selector.unregister(key.fileobj)
            if time.monotonic() - shown > PROGRESS_SECONDS:
                shown = time.monotonic()
                print(f"  {shown - began:.0f} s, {compiled} functions", file=sys.stderr, flush=True)
    for command, child in zip(commands, children, strict=True):
        assert child.wait() == 0, f"compiling ahead failed: {' '.join(command)}"


def first_stage(cache: Path) -> None:
    """Make `cache` a cache folder that holds the first stage and nothing else."""
    usual = {**os.environ, jit.CACHE_VARIABLE: str(jit.CACHE_FOLDER.parents[1]), "NUMBA_DISABLE_JIT": "0"}
    subprocess.run(PREPARE, check=True, stdout=subprocess.DEVNULL, env=usual)
    held = kernel_folder(cache)
    for part in jit.READY:
        file = kernel_cache.record_file(jit.CACHE_FOLDER, part)
        record = kernel_cache.read_file(file)
        assert record is not None, part
        for name in (file.name, *(name for *_, name in json.loads(record)["used"])):
            shutil.copy(jit.CACHE_FOLDER / name, held)


def without_some_kernels(cache: Path) -> None:
    """Make `cache` a cache folder with the first stage except sweep and contacts."""
    first_stage(cache)
    for kernel in MISSING:
        files = list(kernel_folder(cache).glob(f"{kernel.__module__}.{kernel.__name__}-*"))
        assert files, f"{kernel} has no compiled kernels"
        for file in files:
            file.unlink()


def kernel_folder(cache: Path) -> Path:
    """The folder of kernels in a cache folder; made if it is missing."""
    folder = cache / "kernels" / jit.CACHE_FOLDER.name
    folder.mkdir(parents=True, exist_ok=True)
    return folder
