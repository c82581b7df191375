"""Executor on the workers of a Dask scheduler. Needs the extra `[cluster]`.

Dask brings the queue, the retries, the dashboard, and TLS through its own configuration
(`DASK_DISTRIBUTED__COMM__TLS__*`). Here is only what a run needs beside it: levels on each worker, refusal of workers
whose results may differ, and one sentence for each thing that can fail. The scheduler does not need this package.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import os
import pickle
import threading
import warnings
from collections.abc import Callable, Generator, Mapping, Sequence, Set
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from .errors import ClusterError
from .level_files import LevelFiles, LevelStore

if TYPE_CHECKING:
    from distributed import Client

    from .worker_plugin import Refusal

SEND_TRIES = 5  # of the levels, while workers die
QUEUED_PER_THREAD = 4  # tasks that wait for each thread of a worker
MAX_REASON = 200  # characters of another program's message in a sentence
INSTALL_CURE = "install it: pip install 'ellipsoid-walker[cluster]'"
RESUME_CURE = "start again with the same command to go on"


@dataclass(frozen=True)
class Waits:
    """Seconds of waiting for other computers."""

    scheduler: float = 10.0  # until it answers
    worker: float = 10.0  # until the scheduler has its first one
    result: float = 10.0  # without one, after which the workers are counted
    left: float = 2.0  # instead, after a worker left: `dask worker` starts another process in the place of a killed one
    retry: float = 0.5  # before the levels are sent again; the scheduler needs a moment to notice that a worker died


def connect(address: str, seconds: float = Waits.scheduler) -> Client:
    """A client of a scheduler. ClusterError where it does not answer within some seconds or is of another version."""
    try:
        import distributed
    except ImportError:
        raise ClusterError(f"--scheduler needs the package distributed; {INSTALL_CURE}") from None
    loggers = [one for one in logging.root.manager.loggerDict if one.startswith(("distributed.", "tornado."))]
    for name in ("distributed", "tornado", *loggers):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # each failure has a sentence of its own
    _check_security(address)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a difference of versions has a sentence of its own
            asyncio.run(_probe(address, seconds))
            client = distributed.Client(address, timeout=seconds, set_as_default=False)
            theirs = client.get_versions()["scheduler"]["packages"]["distributed"]
    except (OSError, TimeoutError):
        cure = f"start one with `dask scheduler`, or correct the address (such as {_examples(address)})"
        raise ClusterError(f"{address}: no scheduler answers there; {cure}") from None
    except Exception:  # Dask passes on what its reading of other bytes raises
        raise ClusterError(
            f"{address}: what answers there is no scheduler of Dask {distributed.__version__}; "
            f"check the address (such as {_examples(address)}), and install the same version of Dask there"
        ) from None
    if theirs != distributed.__version__:
        client.close()
        raise ClusterError(
            f"{address}: the scheduler has Dask distributed {theirs}, this computer {distributed.__version__}; "
            "install the same version on both"
        )
    return client


async def _probe(address: str, seconds: float) -> None:
    """Ask a scheduler who it is. A Client would wait for a silent server without end, and report on standard error when
    it is closed. OSError where nothing answers in time; other exceptions where it is no scheduler."""
    from distributed.comm import CommClosedError, connect
    from distributed.security import Security

    async with asyncio.timeout(seconds):
        connection = await connect(address, seconds, **Security().get_connection_args("client"))
        try:
            await connection.write({"op": "identity", "reply": True})
            identity = await connection.read()
        except CommClosedError:
            raise ValueError("closed the connection") from None
        finally:
            connection.abort()
    if identity["type"] != "Scheduler":
        raise ValueError("not a scheduler")


def _check_security(address: str) -> None:
    """ClusterError where the configuration of Dask does not fit an address, or its certificates cannot be used."""
    from distributed.security import Security

    try:
        security = Security()
        if not address.startswith("tls:"):
            if security.require_encryption and address.partition("://")[0] not in ("wss", "ucx"):
                setting = "Dask's own configuration requires TLS (distributed.comm.require-encryption)"
                raise ClusterError(f"{address}: {setting}; use the address of a scheduler with TLS, tls://HOST:PORT")
            return
        files = security.get_tls_config_for_role("client")
        if not (files["ca_file"] and files["cert"]):
            cure = "name them in Dask's own configuration, under distributed.comm.tls (docs/cluster.md)"
            raise ClusterError(f"{address}: TLS needs certificates; {cure}")
        for key, setting in (("ca_file", "ca-file"), ("cert", "client.cert"), ("key", "client.key")):
            name = str(files[key] or "")
            if name and "\n" not in name and not os.path.isfile(name):  # with a line break it is the certificate itself
                cure = f"correct distributed.comm.tls.{setting} in Dask's own configuration, with an absolute path"
                raise ClusterError(f"{address}: there is no file {os.path.abspath(name)}; {cure}")
        security.get_connection_args("client")
    except (OSError, TypeError, ValueError) as error:
        settings = "distributed.comm.tls in Dask's own configuration"
        cure = "correct it (docs/cluster.md)"
        raise ClusterError(f"{address}: {settings} cannot be used ({_first_line(error)}); {cure}") from None


def _examples(address: str) -> str:
    """Addresses with and without TLS, that of the same protocol first."""
    if address.startswith("tls"):
        return "tls://10.0.0.5:8786; tcp://10.0.0.5:8786 if it runs without TLS"
    return "tcp://10.0.0.5:8786; tls://10.0.0.5:8786 if it runs with TLS"


def _first_line(error: BaseException) -> str:
    return _first_line_of(str(error) or type(error).__name__)


def _first_line_of(text: str) -> str:
    return text.strip().partition("\n")[0][:MAX_REASON]


def _raise_failure(future: Any) -> None:
    """Raise the exception of a task that failed or was cancelled."""
    if future.status in ("error", "cancelled"):
        future.result()


def _remote_call() -> Callable[[bytes], Any]:
    """A function that calls a pickled function. It is local, so that it travels by value: the scheduler, which unpacks
    the arguments of tasks, cannot import the functions of this package. A worker that cannot import them either gives
    (its address, the error) as the result."""

    def remote_call(data: bytes) -> Any:
        import pickle

        import distributed

        try:
            function, arguments = pickle.loads(data)
        except (ImportError, AttributeError) as error:
            return distributed.get_worker().address, str(error)
        return function(*arguments)

    return remote_call


class DaskExecutor:
    """Runs tasks on the workers of a scheduler, while it is open as a context.

    conditions: that each worker must have (`worker_conditions`). warn: receives a sentence about each refused worker.
    tell: receives a line about what is waited for. waits: how long.
    """

    def __init__(
        self,
        address: str,
        levels: Sequence[LevelFiles],
        conditions: Mapping[str, str],
        warn: Callable[[str], None],
        tell: Callable[[str], None] = lambda text: None,
        waits: Waits = Waits(),
    ) -> None:
        self.address = address
        self._warn = warn
        self._tell = tell
        self._waits = waits
        self._levels = levels
        self._conditions = conditions
        self._refused: dict[str, str] = {}
        self._client: Any = None  # a Client while the executor is open
        self._plugin = ""
        self._submitted = 0
        self._threads = 0
        self._next_count = 0
        self._had_workers = True
        self._has_lost_worker = False  # since the workers were counted
        self._finished: Any = None  # iterator over the tasks that end

    def __enter__(self) -> DaskExecutor:
        if find_spec("distributed") is not None:  # its import takes seconds
            self._tell(f"connecting to the scheduler at {self.address}")
        self._client = client = connect(self.address, self._waits.scheduler)
        try:
            if not client.nthreads():
                self._tell(f"waiting {self._waits.worker:g} s for a worker at {self.address}")
            client.wait_for_workers(1, timeout=self._waits.worker)
            client.subscribe_topic("all", self._receive_event)
        except TimeoutError:
            self._close()
            cure = f"start one on each machine with `dask worker {self.address}`"
            raise ClusterError(f"{self.address}: the scheduler has no workers; {cure}") from None
        name = "walker-levels-" + hashlib.sha256(client.id.encode()).hexdigest()[:16]
        try:
            self._send_levels(client, name)
        except BaseException:
            self._close()
            raise
        return self

    def _receive_event(self, event: tuple[float, Any]) -> None:
        """Wake `_wait` where a worker left. Called in the thread of the client."""
        _, message = event
        finished = self._finished
        if finished is not None and isinstance(message, dict) and message.get("action") == "remove-worker":
            with finished.thread_condition:
                self._has_lost_worker = True
                finished.thread_condition.notify()

    def _send_levels(self, client: Client, name: str) -> None:
        """Register the plugin with the levels. ClusterError where a worker cannot load it."""
        from .worker_plugin import LevelFilesPlugin

        self._plugin = name
        plugin = LevelFilesPlugin(name, self._levels, self._conditions)
        try:
            for _ in range(SEND_TRIES - 1):
                try:
                    client.register_plugin(plugin, name=name)
                    return
                except OSError:  # a worker died; the others, and those that join, have the plugin or get it
                    threading.Event().wait(self._waits.retry)
            client.register_plugin(plugin, name=name)
        except Exception as error:
            if "ModuleNotFoundError" in repr(error) or isinstance(error, ImportError):  # Dask wraps it, or not
                raise ClusterError(
                    f"{self.address}: a worker or the scheduler cannot load this package ({_first_line(error)}); "
                    f"install ellipsoid-walker {self._conditions['package']} on it"
                ) from None
            cure = "start again; if that does not help, restart the workers"
            raise ClusterError(f"{self.address}: the levels cannot be sent ({_first_line(error)}); {cure}") from None

    def __exit__(self, *_: object) -> None:
        self._close()

    def _close(self) -> None:
        """Remove the levels from the workers and close the connection; what is not done is cancelled."""
        client, self._client = self._client, None
        if client is None:
            return
        with contextlib.suppress(Exception):
            if self._plugin and client.status == "running":
                client.unregister_worker_plugin(self._plugin)
        with contextlib.suppress(Exception):
            client.close(timeout=2)

    def run(
        self, function: Callable[[Any, LevelStore], Any], tasks: Sequence[Any]
    ) -> Generator[tuple[int, Any], None, None]:
        """Run function(task, levels) for each task. A task of a worker that dies runs again on another."""
        from distributed.client import FutureCancelledError
        from distributed.scheduler import KilledWorker

        from .worker_plugin import Refusal

        client = self._client
        left = list(range(len(tasks)))[::-1]
        assert client is not None, "the executor is open"
        running: dict[Any, tuple[int, Set[str]]] = {}  # number, and workers that may run it; empty: all
        finished = self._new_iterator()
        try:
            while left or running:
                while left and len(running) < self._queue_length():
                    number = left.pop()
                    workers = self._workers() if self._refused else set[str]()
                    future = self._submit(function, tasks[number], workers)
                    running[future] = number, workers
                    finished.add(future)
                if not self._wait(finished, running):
                    client.cancel(list(running), force=True)
                    left += sorted((number for number, _ in running.values()), reverse=True)
                    running.clear()
                    finished = self._new_iterator()
                    continue
                future, result = next(finished)
                number, _ = running.pop(future)
                _raise_failure(future)  # another status than finished: the worker died after it gave the result
                if isinstance(result, tuple):
                    result = Refusal(result[0], f"has no usable ellipsoid-walker ({_first_line_of(result[1])})")
                if isinstance(result, Refusal):
                    self._refuse(result)
                    left.append(number)
                else:
                    yield number, result
        except KilledWorker:
            raise ClusterError(
                f"{self.address}: several workers died while they ran the same part of the work; do they have enough "
                f"memory? Then {RESUME_CURE}"
            ) from None
        except (FutureCancelledError, OSError, TimeoutError, StopIteration):
            raise ClusterError(f"{self.address}: the connection to the scheduler was lost; {RESUME_CURE}") from None
        finally:
            with contextlib.suppress(Exception):
                client.cancel(list(running), force=True)

    def _new_iterator(self) -> Any:
        """An iterator over tasks in the order in which they end, without any task yet."""
        from distributed import as_completed

        self._finished = as_completed(loop=self._client.loop, with_results=True, raise_errors=False)
        return self._finished

    def _wait(self, finished: Any, running: Mapping[Any, tuple[int, Set[str]]]) -> bool:
        """Wait for a result of the `running` tasks. Where none comes and no worker is left, one sentence says so. False
        where some wait for workers that are gone, and must be queued again for those that joined."""
        waits = self._waits
        while not (finished.has_ready() or finished.is_empty()):
            with finished.thread_condition:
                seconds = min(waits.left, waits.result) if self._has_lost_worker else waits.result
                if finished.has_ready() or finished.thread_condition.wait(seconds):
                    continue
                self._has_lost_worker = False
            for future in running:  # as_completed leaves out a task that fails while its result is fetched again
                _raise_failure(future)
            workers = self._client.nthreads()
            is_stranded = any(chosen and chosen.isdisjoint(workers) for _, chosen in running.values())
            if is_stranded and workers.keys() - self._refused.keys():
                return False
            has_workers = bool(workers)
            if not has_workers and self._had_workers:
                self._warn(f"{self.address}: no workers are left; the run goes on when one joins")
            self._had_workers = has_workers
        return True

    def _submit(self, function: Callable[[Any, LevelStore], Any], task: Any, workers: Set[str]) -> Any:
        """Queue a task on one of some workers; empty: on any."""
        from .worker_plugin import run_on_worker

        data = pickle.dumps((run_on_worker, (function, task, self._plugin)))
        return self._client.submit(_remote_call(), data, pure=False, workers=sorted(workers) or None, key=self._key())

    def _key(self) -> str:
        """Name of the next task, which no other client uses."""
        self._submitted += 1
        return f"{self._plugin}-{self._submitted}"

    def _workers(self) -> set[str]:
        """Addresses of the workers that were not refused. ClusterError where none is left."""
        everyone = self._client.nthreads()  # of the scheduler itself: `scheduler_info` may have just been emptied
        workers: set[str] = everyone.keys() - self._refused.keys()
        if not workers:
            reason = next((self._refused[address] for address in everyone if address in self._refused), "")
            raise ClusterError(reason or f"{self.address}: the scheduler has no workers; {RESUME_CURE}")
        return workers

    def _queue_length(self) -> int:
        """Tasks that are queued at the scheduler at the same time. The threads of the workers are counted again after
        one task for each."""
        if self._submitted >= self._next_count:
            self._threads = max(1, sum(self._client.nthreads().values()))
            self._next_count = self._submitted + self._threads
        return self._threads * QUEUED_PER_THREAD

    def _refuse(self, refusal: Refusal) -> None:
        """Leave a worker out, with one sentence: a warning, or a ClusterError where no other worker is left."""
        if refusal.worker in self._refused:
            return
        cure = "install the same versions on it, or stop it"
        if refusal.reason.startswith("has machine"):
            cure = "use --any-processor to accept it; its results may then differ in their last bits"
        elif not refusal.reason.startswith("has "):  # versions, or a processor
            cure = "restart it"
        self._refused[refusal.worker] = f"worker {refusal.worker} {refusal.reason}; {cure}"
        self._workers()
        self._warn(f"{self._refused[refusal.worker]} (it gets no work)")
