"""Builds the native peers from sources that the user has: each with CMakeLists.txt of this folder, in build/."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
BUILDS = HERE.parents[2] / "build" / "native_peers"


@dataclass(frozen=True)
class Library:
    """A peer's library: how its sources are named and recognised."""

    key: str  # of its .cmake and .cpp file
    variable: str  # of the environment: the folder of its sources
    repository: str
    header: str  # a file of the sources
    inner: str = ""  # folder of the repository that has them

    def source(self) -> Path:
        """The folder of the sources. ValueError says what to do if there is none."""
        advice = f"clone {self.repository} and name its folder: {self.variable}=FOLDER"
        named = os.environ.get(self.variable, "")
        if not named:
            raise ValueError(f"{self.variable} is not set; {advice}")
        for folder in (Path(named).expanduser().absolute(), Path(named).expanduser().absolute() / self.inner):
            if (folder / self.header).is_file():
                return folder
        raise ValueError(f"{self.variable} is {named}, which has no {self.header}; {advice}")

    @property
    def executable(self) -> Path:
        """The peer's program, once `build` has made it."""
        return BUILDS / self.key / f"{self.key}_peer"

    def commit(self) -> str:
        """Words that name the sources: the commit, and whether they were changed since."""
        source = self.source()
        git = ["git", "-C", str(source)]
        try:
            subprocess.run([*git, "ls-files", "--error-unmatch", self.header], check=True, capture_output=True)
            words = [*git, "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]
            found = subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip()
        except (OSError, subprocess.CalledProcessError):
            return "sources without a commit"
        return "commit " + found.replace("-dirty", ", with changes")


LIBRARIES = {
    "jolt": Library("jolt", "JOLT_SOURCE", "https://github.com/jrouwe/JoltPhysics", "Jolt/Jolt.h"),
    "physx": Library(
        "physx", "PHYSX_SOURCE", "https://github.com/NVIDIA-Omniverse/PhysX", "include/PxPhysics.h", "physx"
    ),
}


def first_error(log: str) -> str:
    """The line of a build's output that names its first error; the last line if none does."""
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    named = [line for line in lines if re.search(r"\b(fatal )?error\b", line, re.IGNORECASE)]
    return (named or lines[-1:] or ["no output"])[0]


def build(key: str, builds: Path = BUILDS) -> str:
    """Build a peer, or what changed since the last time. The reason why it cannot be built; empty if it is."""
    library = LIBRARIES[key]
    try:
        source = library.source()
    except ValueError as error:
        return str(error)
    if platform.system() != "Linux" or platform.machine() != "x86_64":
        return "native peers are built on Linux on x86-64 only"
    if shutil.which("cmake") is None:
        return "cmake is not installed, which builds native peers together with a C++ compiler"
    folder = builds / key
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / "build.log"
    print(f"building {key} from {source} (minutes at first; log: {log})", file=sys.stderr, flush=True)
    configure = ["cmake", "-S", str(HERE), "-B", str(folder), f"-DPEER={key}", f"-DSOURCE={source}"]
    make = ["cmake", "--build", str(folder), "--parallel", str(os.cpu_count() or 1)]
    with log.open("w", encoding="utf-8") as output:
        for words in (configure, make):
            if subprocess.run(words, stdout=output, stderr=subprocess.STDOUT, check=False).returncode:
                reason = first_error(log.read_text(encoding="utf-8", errors="replace"))
                return f"its build failed: {reason} (see {log}; after an update of the sources, remove {folder})"
    return ""
