"""Options that choose who does the work: processes of this machine, or the workers of a Dask scheduler."""

from __future__ import annotations

import argparse
import contextlib
import re
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ...launch import world_setup
from ...launch.level_lookup import NOT_A_LEVEL_STATUS, UserError, printable_name, printable_text
from ...launch.progress_line import ProgressLine

if TYPE_CHECKING:
    from ....cluster.executors import Executor
    from ....cluster.level_files import LevelFiles

MIN_FINISHED = 2  # shards after the first one, before the rate is shown
MIN_SECONDS = 2.0  # s after the first shard, before the rate is shown
STOPPED_STATUS = 4  # exit status of a run that could not go on
STOPPED_HELP = "the run stopped before its end; the same command with -o goes on where it stopped"
MAX_PROCESSES = 1024
SCHEMES = ("tcp", "tls", "ws", "wss", "ucx")  # of the address of a scheduler
MAX_PORT = 65535
_ADDRESS = re.compile(r"(?:(?P<scheme>[^:/]*)://)?(?P<host>\[[0-9A-Fa-f:.%]+\]|[\w.-]+):(?P<port>[0-9]{1,5})/?")
_SHOWN = 80  # characters of an address that a message quotes


def add_worker_options(parser: argparse.ArgumentParser, default: int | None) -> None:
    """Add -n, --scheduler and --any-processor. default: processes; None: one for each processor."""
    usual = "one for each processor" if default is None else str(default)
    parser.add_argument(
        "-n",
        type=parse_processes,
        metavar="N",
        help=f"number of processes, or auto: one for each processor (default: {usual}); not with --scheduler",
    )
    parser.set_defaults(usual_processes=default)
    parser.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="let the workers of a Dask scheduler do the work, such as tcp://10.0.0.5:8786 (docs/cluster.md)",
    )
    parser.add_argument(
        "--any-processor",
        action="store_true",
        help="with --scheduler: accept workers with another kind of processor, whose results may differ",
    )


def parse_processes(text: str) -> int:
    """A number of processes, or `auto`."""
    if text == "auto":
        from ....core.process_pool import processor_count

        return processor_count()
    if not (text.isascii() and text.isdecimal() and 1 <= int(text[:9]) <= MAX_PROCESSES):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of processes from 1 to {MAX_PROCESSES}, nor auto")
    return int(text)


def check_worker_options(options: argparse.Namespace) -> None:
    """UserError for options that do not go together, and for a text that is no address."""
    if options.n is not None and options.scheduler is not None:
        raise UserError("-n is for this machine, and with --scheduler others do the work; leave one of them out")
    if options.any_processor and options.scheduler is None:
        raise UserError("--any-processor needs --scheduler")
    if options.scheduler is not None:
        check_address(options.scheduler)


def check_address(address: str) -> None:
    """UserError for a text that is not SCHEME://HOST:PORT. Without a scheme, Dask uses tcp."""
    scheme, separator, _ = address.partition("://")
    given = f"--scheduler '{printable_name(address[:_SHOWN])}'"
    example = "write SCHEME://HOST:PORT, such as tcp://10.0.0.5:8786"
    if separator and scheme not in SCHEMES:
        raise UserError(f"{given}: the scheme must be one of {', '.join(SCHEMES)}; {example}")
    match = _ADDRESS.fullmatch(address)
    if match is None or not 1 <= int(match["port"]) <= MAX_PORT:
        raise UserError(f"{given}: this is no address of a scheduler; {example}")


def process_count(options: argparse.Namespace) -> int:
    """Number of processes of this machine: that of -n, else the usual one of the command."""
    if count := options.n or options.usual_processes:
        return int(count)
    from ....core.process_pool import processor_count

    return processor_count()


@contextlib.contextmanager
def open_executor(options: argparse.Namespace, levels: Sequence[LevelFiles], tasks: int) -> Iterator[Executor]:
    """The executor that the options choose. levels: that the tasks use. tasks: their number.

    UserError with STOPPED_STATUS for each ClusterError inside.
    """
    from ....cluster.errors import ClusterError, ShardError
    from ....cluster.executors import local_executor
    from ....cluster.level_files import LocalLevels

    try:
        if options.scheduler:
            from ....cluster.dask_executor import DaskExecutor
            from ....cluster.shards import worker_conditions

            conditions = worker_conditions(options.any_processor)
            tell = world_setup.print_status
            with DaskExecutor(options.scheduler, levels, conditions, tell, tell) as executor:
                yield executor
        else:
            yield local_executor(LocalLevels.of(levels), min(process_count(options), max(tasks, 1)))
    except ClusterError as error:
        status = NOT_A_LEVEL_STATUS if isinstance(error, ShardError) else STOPPED_STATUS
        raise UserError(printable_text(str(error)), status) from None


class ShardProgress:
    """Progress on standard error: shards that are done, throughput and the time left.

    Both are measured from the first shard that ends, because workers compile and load before it.
    """

    def __init__(self, shard_ticks: int = 0, noun: str = "shards") -> None:
        """shard_ticks: of each shard; 0: the throughput is in shards. noun: what a shard is."""
        self.line = ProgressLine(waits=True)
        self._noun = noun
        self._ticks = shard_ticks
        self._first: tuple[int, float] | None = None  # shards that were done then, time in s

    def __call__(self, done: int, total: int, found: int) -> None:
        now = time.monotonic()
        if done == found > 0:
            world_setup.print_status(f"already done: {found} of {total} {self._noun}")
        if self._first is None and done > found:
            self._first = done, now
        if done == total:
            self.line.clear()
            self.line = ProgressLine(waits=True)
        elif self.line.is_due():
            first, start = self._first or (done, now)
            self.line.show(self.describe(done, total, first, now - start))

    def read(self, number: int) -> None:
        """Show that the file of a shard is read."""
        if self.line.is_due():
            self.line.show(f"reading the folder: {number} {self._noun}")

    def describe(self, done: int, total: int, first: int, seconds: float) -> str:
        """The line some seconds after `first` shards were done; without a rate where that is too little to tell."""
        text = f"{done} of {total} {self._noun}"
        if done < first + MIN_FINISHED or seconds < MIN_SECONDS:
            return text
        rate = (done - first) / seconds
        speed = f"{rate * self._ticks:,.0f} ticks a second" if self._ticks else f"{rate:.3g} {self._noun} a second"
        return f"{text}; {speed}; {_duration((total - done) / rate)} left"


def _duration(seconds: float) -> str:
    """A time in one unit, such as `3 min`."""
    if seconds < 100.0:
        return f"{seconds:.0f} s"
    return f"{seconds / 60.0:.0f} min" if seconds < 6000.0 else f"{seconds / 3600.0:.1f} h"
