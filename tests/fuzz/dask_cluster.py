"""A Dask scheduler and workers for tests, in processes that can be killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

from tests.support.until import wait_until

ROOT = Path(__file__).resolve().parents[2]


class Cluster:
    """A scheduler and workers in processes of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {**os.environ, "PYTHONPATH": str(ROOT), "DASK_DISTRIBUTED__ADMIN__TICK__LIMIT": "1h"}
        self.workers: list[subprocess.Popen[bytes]] = []
        file = folder / "scheduler.json"
        options = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file)]
        self.scheduler = self._start("scheduler", *options)
        wait_until(file.is_file)
        wait_until(lambda: '"address"' in file.read_text())

        self.address = json.loads(file.read_text())["address"]

    def _start(self, *words: str) -> subprocess.Popen[bytes]:
        with open(self.folder / "log", "ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "dask", *words], env=self.environment, stdout=log, stderr=log, cwd=self.folder
            )

    def add_worker(self, preload: str = "") -> subprocess.Popen[bytes]:
        """Start a worker; it is there when the scheduler knows it. preload: Python that it runs first."""
        words = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(self.folder)]
        if preload:
            (self.folder / "preload.py").write_text(preload)
            words += ["--preload", str(self.folder / "preload.py")]
        self.workers.append(self._start("worker", self.address, *words))
        return self.workers[-1]

    def wait(self, count: int) -> None:
        """Wait until the scheduler has some workers, no more and no fewer."""
        import distributed

        with distributed.Client(self.address, set_as_default=False) as client:
            wait_until(lambda: len(client.scheduler_info()["workers"]) == count)

    def close(self) -> None:
        """Kill every process."""
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


def kill(process: subprocess.Popen[bytes]) -> None:
    """`kill -9`."""
    process.send_signal(signal.SIGKILL)
    process.wait()
