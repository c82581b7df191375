"""Runs of shards by the processes of this machine, or by the workers of a Dask scheduler. Their number changes no
result."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import pickle
import warnings
from collections.abc import Callable, Sequence
from typing import Any

from ..core import process_pool
from .level_copy import FuzzError
from .random_walks import FuzzReport
from .shards import Shard, run_shard

WAIT_SECONDS = 10.0  # for an answer of the scheduler, and for its first worker
Progress = Callable[[int], None]  # receives the number of shards that are done


def run_in_processes(shards: Sequence[Shard], processes: int, progress: Progress) -> list[FuzzReport]:
    """The reports of all shards. FuzzError where a process is killed."""
    reports: dict[int, FuzzReport] = {}
    in_order = ((number, run_shard(shard)) for number, shard in enumerate(shards))
    for number, report in in_order if processes == 1 else process_pool.run_in_processes(run_shard, shards, processes):
        if report is None:
            raise FuzzError("a process was killed; is there enough memory? Use fewer processes with -n")
        reports[number] = report
        progress(len(reports))
    return [reports[number] for number in range(len(shards))]


def run_on_scheduler(shards: Sequence[Shard], address: str, progress: Progress) -> list[FuzzReport]:
    """The reports of all shards, from the workers of a Dask scheduler. Dask runs the shards of a worker that dies on
    another one. FuzzError in one sentence where the run cannot begin or go on. Needs the extra `[cluster]`."""
    try:
        import distributed
        from distributed.scheduler import KilledWorker
    except ImportError:
        cure = "install it: pip install 'ellipsoid-walker[cluster]'"
        raise FuzzError(f"--scheduler needs the package distributed; {cure}") from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # each failure has a sentence
    logging.getLogger("tornado").setLevel(logging.CRITICAL)
    try:
        with warnings.catch_warnings(), contextlib.ExitStack() as stack:
            warnings.simplefilter("ignore")  # a difference of versions that matters is found by `run_shard`
            try:
                asyncio.run(_probe(address))
                client = stack.enter_context(distributed.Client(address, timeout=WAIT_SECONDS, set_as_default=False))
            except Exception as error:  # Dask passes on what its reading of other bytes raises
                cure = "start one with `dask scheduler`, or correct the address, such as tcp://10.0.0.5:8786"
                reason = str(error).partition("\n")[0][:200] or type(error).__name__
                raise FuzzError(f"{address}: no Dask scheduler answers there ({reason}); {cure}") from None
            try:
                client.wait_for_workers(1, timeout=WAIT_SECONDS)
            except TimeoutError:
                cure = f"start one on each machine with `dask worker {address}`"
                raise FuzzError(f"{address}: the scheduler has no workers; {cure}") from None
            calls = [pickle.dumps((run_shard, shard)) for shard in shards]
            reports: list[FuzzReport] = []
            for report in client.get_executor(pure=False).map(_remote_call(), calls):
                reports.append(report)
                progress(len(reports))
            return reports
    except ModuleNotFoundError as error:
        raise FuzzError(f"{address}: a worker cannot load this package ({error}); install it there") from None
    except KilledWorker:
        raise FuzzError(f"{address}: several workers died in the same shard; do they have enough memory?") from None
    except (OSError, TimeoutError, asyncio.CancelledError, distributed.client.FutureCancelledError):
        raise FuzzError(f"{address}: the connection to the scheduler was lost") from None


async def _probe(address: str) -> None:
    """Ask who answers. A Client would wait for a silent server without end."""
    from distributed.comm import connect
    from distributed.security import Security

    async with asyncio.timeout(WAIT_SECONDS):
        connection = await connect(address, WAIT_SECONDS, **Security().get_connection_args("client"))
        try:
            await connection.write({"op": "identity", "reply": True})
            if (await connection.read())["type"] != "Scheduler":
                raise ValueError("it is no scheduler")
        finally:
            connection.abort()


def _remote_call() -> Callable[[bytes], Any]:
    """A function that calls a pickled function with its argument. It is local, so that it travels by value: the
    scheduler, which unpacks what it is sent, need not have this package."""

    def remote_call(data: bytes) -> Any:
        import pickle

        function, argument = pickle.loads(data)
        return function(argument)

    return remote_call
