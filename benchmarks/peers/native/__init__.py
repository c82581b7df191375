"""Builds the adapters of the native peers, with CMakeLists.txt of this folder, in build/, against installed engines."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
BUILDS = HERE.parents[2] / "build" / "native_peers"


def executable(engine: str) -> Path:
    """The adapter's program, once `build` has made it."""
    return BUILDS / engine / f"{engine}_peer"


def first_error(log: str) -> str:
    """The line of a build's output that names its first error; the last line if none does."""
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    for k, line in enumerate(lines):
        if re.search(r"\b(fatal )?error\b", line, re.IGNORECASE):
            return " ".join(lines[k : k + 2]) if line.startswith("CMake Error") else line
    return (lines or ["no output"])[-1]


def build(engine: str, builds: Path = BUILDS) -> str:
    """Build an adapter (ENGINE.cpp), or what changed since. The reason why it cannot be built; empty if it is.

    CMake looks for the engine where the environment variable CMAKE_PREFIX_PATH says, then in the system's folders.
    """
    if platform.system() != "Linux" or platform.machine() != "x86_64":
        return "native peers are built on Linux on x86-64 only"
    if shutil.which("cmake") is None:
        return "cmake is not installed, which builds the adapters together with a C++ compiler"
    folder = builds / engine
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / "build.log"
    print(f"building the adapter of {engine} (log: {log})", file=sys.stderr, flush=True)
    configure = ["cmake", "-S", str(HERE), "-B", str(folder), f"-DPEER={engine}"]
    make = ["cmake", "--build", str(folder), "--parallel", str(os.cpu_count() or 1)]
    with log.open("w", encoding="utf-8") as output:
        for words in (configure, make):
            if subprocess.run(words, stdout=output, stderr=subprocess.STDOUT, check=False).returncode:
                reason = first_error(log.read_text(encoding="utf-8", errors="replace"))
                return (
                    f"its build failed: {reason} (see {log}). Install {engine} by its own instructions; if it is in a "
                    "folder of its own, name that in CMAKE_PREFIX_PATH"
                )
    return ""
