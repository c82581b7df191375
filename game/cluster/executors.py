"""Executors: they run the parts of a long check, in this process, in several processes, or on other machines.

An executor yields (index of the task, result) in any order. The order and the number of workers change no result.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any, Protocol, TypeVar

from ..core.process_pool import run_in_processes
from .errors import ClusterError
from .level_files import LevelStore, LocalLevels

Task = TypeVar("Task")
Result = TypeVar("Result")
MAX_KILLED = 3  # times in a row that a process may be killed before any task ends


class Executor(Protocol):
    """Runs function(task, levels) for each task. ClusterError where the work cannot go on. Close the generator to stop
    the work early."""

    def run(
        self, function: Callable[[Any, LevelStore], Any], tasks: Sequence[Any]
    ) -> Generator[tuple[int, Any], None, None]: ...


class SerialExecutor:
    """Runs the tasks in this process, one after the other."""

    def __init__(self, levels: LocalLevels) -> None:
        self.levels = levels

    def run(
        self, function: Callable[[Task, LevelStore], Result], tasks: Sequence[Task]
    ) -> Generator[tuple[int, Result], None, None]:
        """Run the tasks in order."""
        for index, task in enumerate(tasks):
            yield index, function(task, self.levels)


class ProcessExecutor:
    """Runs the tasks in several processes of this machine. The tasks of a process that is killed run again."""

    def __init__(self, levels: LocalLevels, processes: int) -> None:
        self.levels = levels
        self.processes = processes

    def run(
        self, function: Callable[[Task, LevelStore], Result], tasks: Sequence[Task]
    ) -> Generator[tuple[int, Result], None, None]:
        """Run the tasks; each with the first process that is free."""
        left = list(range(len(tasks)))
        killed = 0
        while left:
            lost: list[int] = []
            numbers = left
            left = []
            for index, result in run_in_processes(
                function, [tasks[number] for number in numbers], self.processes, self.levels
            ):
                if result is None:
                    lost.append(numbers[index])
                else:
                    killed = 0
                    yield numbers[index], result
            left = sorted(lost)
            killed += bool(lost)
            if killed > MAX_KILLED:
                raise ClusterError(
                    f"a process was killed {killed} times in a row; is there enough memory? Use fewer -n"
                )


def local_executor(levels: LocalLevels, processes: int) -> Executor:
    """The executor for a number of processes of this machine."""
    return SerialExecutor(levels) if processes == 1 else ProcessExecutor(levels, processes)
