"""Options and folders of a test run, the physics compiled before the first test, and what the run shows at its end."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import selection

FOLDER_VARIABLE = "WALKER_TESTS_FOLDER"  # folder of the run; each of its processes has a folder there
SHOWN = "shown"  # property of a test: a line for the end of the run


def pytest_addoption(parser: pytest.Parser) -> None:
    selection.add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    for marker in selection.MARKERS:
        config.addinivalue_line("markers", marker)


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """A process for each processor; none beside this one for a single file or test, which would wait for its start."""
    if config.args and all(argument.partition("::")[0].endswith(".py") for argument in config.args):
        return 0
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """The physics compiled before the first test (and before any helping process), so that none waits for it."""
    folder = _own_folder(session)
    os.environ["WALKER_CONFIG"] = str(folder)  # settings and progress of no real player
    os.environ["DASK_TEMPORARY_DIRECTORY"] = str(folder)
    os.environ.pop("WALKER_DATA", None)
    os.environ["WALKER_FONTS"] = "shipped"  # pictures are the same on each machine
    from game.core import user_folders

    if not _can_write(user_folders.cache_folder()):  # else each process compiles the physics anew
        os.environ[user_folders.CACHE_VARIABLE] = str(folder / "cache")
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):  # else each process compiles all modules and tests anew
        bytecode = os.environ.setdefault("PYTHONPYCACHEPREFIX", str(user_folders.cache_folder() / "bytecode"))
        sys.pycache_prefix, sys.dont_write_bytecode = bytecode, False
    from tests.support import compiled_kernels

    if not session.config.option.collectonly:
        compiled_kernels.compile_all(everything=session.config.args_source is pytest.Config.ArgsSource.TESTPATHS)


def _own_folder(session: pytest.Session) -> Path:
    """The folder of this process, in the folder of the run, which the first process makes and removes at its end."""
    if hasattr(session.config, "workerinput"):
        folder = Path(os.environ[FOLDER_VARIABLE]) / session.config.workerinput["workerid"]
        folder.mkdir()
        return folder
    run = tempfile.TemporaryDirectory(prefix="walker-tests-", ignore_cleanup_errors=True)
    session.config.add_cleanup(run.cleanup)
    os.environ[FOLDER_VARIABLE] = run.name
    return Path(run.name)


def _can_write(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Iterator[None]:
    """The tests of this run, the same ones in whatever order a plugin brings them: what walks and draws comes first."""
    selection.deselect(config, items)
    yield
    items.sort(key=lambda item: item.path.name != "test_walkthrough.py")


pytest_sessionfinish = selection.pass_on
pytest_testnodedown = pytest.hookimpl(optionalhook=True)(selection.take)  # a hook of pytest-xdist


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The lines that tests recorded under SHOWN, and what was left out."""
    reports = [*terminalreporter.stats.get("passed", ()), *terminalreporter.stats.get("skipped", ())]
    lines = [text for report in reports for name, text in getattr(report, "user_properties", ()) if name == SHOWN]
    for line in dict.fromkeys(lines):
        terminalreporter.write_line(line)
    selection.write_left_out(terminalreporter)
