"""The peers as child processes: which exist, which are installed, and how to send requests."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import selectors
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.peers.native import build, executable
from game.core.errors import WalkerError

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PREFIX = "answer "
NATIVE = "native-"  # before the key of the peer's WebAssembly build


class Failed(WalkerError):
    """A peer that did not answer in time or reported an error."""


@dataclass(frozen=True)
class Peer:
    key: str
    name: str
    kind: str  # of body, for the judge
    package: str  # or the engine of a native peer
    module: str = ""  # of node
    option: str = ""
    built_up_to: int = 10**9  # triangles: limit, with the reason
    reason: str = ""

    @property
    def scripted(self) -> bool:
        """True if the peer runs in Node.js."""
        return bool(self.module)

    @property
    def native(self) -> bool:
        """True if the peer is a program that `benchmarks.peers.native` builds."""
        return self.key.startswith(NATIVE)

    @property
    def command(self) -> list[str]:
        """Words of the command line that starts the peer."""
        if self.scripted:
            node = ["node", "--expose-gc", "--max-old-space-size=8192", "harness.mjs", self.module]
            return [*node, self.option] if self.option else node
        if self.native:
            return [str(executable(self.package)), self.option]
        return [sys.executable, "-m", "benchmarks.peers.serve", self.key]

    def missing(self) -> str:
        """The reason why the peer cannot run here; empty if it can. Builds a native peer."""
        if self.key == "ours":
            return ""
        if self.native:
            return build(self.package)
        if not self.scripted:
            if importlib.util.find_spec(self.package) is None:
                return f"{self.package} is not installed (pip install '.[peers]')"
            return ""
        if shutil.which("node") is None:
            return "node is not installed"
        if not (HERE / "node_modules" / self.package).is_dir():
            return f"{self.package} is not installed (npm install in benchmarks/peers)"
        return ""


PEERS = (
    Peer("ours", "ours", "ellipsoid", ""),
    Peer("physx", "PhysX", "capsule", "physx-js-webidl", "./physx.mjs"),
    Peer(
        "jolt", "Jolt", "capsule", "jolt-physics", "./jolt.mjs", "", 500_000,
        "the published build's memory is fixed at 128 MiB",
    ),
    Peer(
        "jolt-enhanced", "Jolt, enhanced edges", "capsule", "jolt-physics", "./jolt.mjs", "enhanced", 500_000,
        "the published build's memory is fixed at 128 MiB",
    ),
    Peer("rapier", "Rapier", "capsule", "@dimforge/rapier3d-compat", "./rapier.mjs"),
    Peer("octree", "three Octree", "capsule", "three", "./octree.mjs"),
    Peer("bvh", "three-mesh-bvh", "capsule", "three-mesh-bvh", "./bvh.mjs"),
    Peer("bullet", "Panda3D's Bullet", "capsule", "panda3d"),
)  # fmt: skip
NATIVE_PEERS = (
    Peer(NATIVE + "physx", "native PhysX", "capsule", "physx"),
    Peer(NATIVE + "box3d", "native Box3D", "capsule", "box3d"),
    Peer(NATIVE + "jolt", "native Jolt", "capsule", "jolt"),
    Peer(NATIVE + "jolt-enhanced", "native Jolt, enhanced edges", "capsule", "jolt", option="enhanced"),
)


class Worker:
    """A peer in its own process."""

    def __init__(self, peer: Peer, command: Sequence[str] = ()) -> None:
        """command: other words that start the peer."""
        self.peer = peer
        path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
        self._process = subprocess.Popen(
            command or peer.command,
            cwd=HERE if peer.scripted else ROOT,
            env={**os.environ, "PYTHONPATH": path},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        assert self._process.stdout is not None
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._process.stdout, selectors.EVENT_READ)
        self._waiting = b""
        self.about = self._answer(180.0)

    def ask(self, limit: float, **order: Any) -> dict[str, Any]:
        """Send a request and return the answer. Raises Failed after `limit` seconds or with the peer's error."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(order).encode() + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise Failed("its process has ended") from None
        return self._answer(limit)

    def _answer(self, limit: float) -> dict[str, Any]:
        assert self._process.stdout is not None
        until = time.monotonic() + limit
        while True:
            while b"\n" in self._waiting:
                line, self._waiting = self._waiting.split(b"\n", 1)
                if line.startswith(PREFIX.encode()):
                    answer: dict[str, Any] = json.loads(line[len(PREFIX) :])
                    if "error" in answer:
                        raise Failed(str(answer["error"]).splitlines()[0])
                    return answer
            left = until - time.monotonic()
            if left <= 0.0 or not self._selector.select(left):
                raise Failed(f"no answer in {limit:.0f} s")
            more = os.read(self._process.stdout.fileno(), 1 << 16)
            if not more:
                raise Failed("its process has ended")
            self._waiting += more

    def end(self) -> None:
        self._selector.close()
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(BrokenPipeError):  # requests that the peer never got
                    pipe.close()
