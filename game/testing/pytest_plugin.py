"""pytest plugin: the tests of level files as items, and fixtures for levels and worlds.

Levels are collected where they are named on the command line, or in the ini option `walker_levels`. Nothing of the
physics is loaded before that.
"""

from __future__ import annotations

import contextlib
import glob
import os
from collections.abc import Callable, Generator, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ..core import notices
from ..core.errors import WalkerError, error_reason
from ..core.user_folders import has_level_suffix

if TYPE_CHECKING:
    from ..level import Finding, Level
    from ..level.format.level_tests.level_test import LevelTest
    from ..physics import WalkerSettings
    from ..sim import World
    from .explorer import ExplorationCache
    from .runner import TestRun

LEVELS_OPTION = "walker_levels"
DEFAULT_OUTPUT = "walker-tests"
_LISTED: pytest.StashKey[frozenset[Path]] = pytest.StashKey()
_STEMS: pytest.StashKey[dict[str, int]] = pytest.StashKey()  # names of the files of tests
_LOADED: pytest.StashKey[dict[Path, Any]] = pytest.StashKey()
STDERR = 2  # file descriptor


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("walker", "tests in level files of the ellipsoid walker")
    group.addoption(
        "--walker-output",
        metavar="FOLDER",
        help=f"folder for the replays and pictures of failed level tests (default: {DEFAULT_OUTPUT})",
    )
    parser.addini(
        LEVELS_OPTION, "level files or folders of them, relative to the ini file; * and ** are allowed", type="linelist"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Find the listed levels. Where pytest was called without paths, collect them too."""
    _show_notices_at_once(config)
    entries = config.getini(LEVELS_OPTION)
    if not entries:
        return
    paths = [path for entry in entries for path in _listed_paths(config, entry)]
    config.stash[_LISTED] = frozenset(path.resolve() for path in paths)
    if config.args_source is not pytest.Config.ArgsSource.ARGS:
        # A folder that is collected finds those below it. With pytest 8 it would lose all else that it holds.
        folders = [Path(config.invocation_params.dir, argument).resolve() for argument in config.args]
        if pytest.version_tuple >= (9,):
            folders = []
        config.args += [
            str(path)
            for path in paths
            if str(path) not in config.args and not any(path.resolve().is_relative_to(folder) for folder in folders)
        ]


def _show_notices_at_once(config: pytest.Config) -> None:
    """Print notices where standard error leads now, before pytest captures it. Of several processes one prints them."""
    before, descriptor = notices.show, None
    if getattr(config, "workerinput", {"workerid": "gw0"})["workerid"] == "gw0":
        with contextlib.suppress(OSError):  # standard error is closed
            descriptor = os.dup(STDERR)

    def show(text: str) -> None:
        if descriptor is not None:
            with contextlib.suppress(OSError):
                os.write(descriptor, f"\n{text}\n".encode())  # pytest may have written a part of a line

    def restore() -> None:
        notices.show = before
        if descriptor is not None:
            os.close(descriptor)

    notices.show = show
    config.add_cleanup(restore)


def _listed_paths(config: pytest.Config, entry: str) -> list[Path]:
    """The level files of one line of `walker_levels`."""
    base = config.inipath.parent if config.inipath is not None else config.rootpath
    found = [Path(name) for name in sorted(glob.glob(str(base / entry), recursive=True))]
    if not found:
        raise pytest.UsageError(f"{LEVELS_OPTION}: nothing is called '{entry}' in {base}")
    from ..level.format.file_access import is_tests_file
    from . import level_files

    levels: list[Path] = []
    for path in found:
        if path.is_dir():
            levels += level_files.levels_below(path)[0]
        elif has_level_suffix(path) and not is_tests_file(path):
            levels.append(path)
    return levels


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add the record of a level test to its report: `level_test` is a `TestRecord` as a dictionary. `unwritten` says
    why its replay and picture were not written, `finding` why a test cannot be read."""
    report: Any = yield
    if isinstance(item, LevelFindingItem) and call.when == "call":
        report.finding = item.finding.render()
    if isinstance(item, LevelTestItem) and (call.when == "call" or report.skipped):
        item.record.wall_seconds = round(call.duration, 3)
        report.level_test, report.unwritten = asdict(item.record), item.unwritten
    result: pytest.TestReport = report
    return result


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> LevelFile | None:
    if not has_level_suffix(file_path):
        return None
    listed = parent.config.stash.get(_LISTED, frozenset())
    if parent.session.isinitpath(file_path) or (listed and file_path.resolve() in listed):
        file: LevelFile = LevelFile.from_parent(parent, path=file_path)
        return file
    return None


class LevelFile(pytest.File):
    """A level file; its tests, and those in the file beside it, are the items."""

    level: Level
    cache: ExplorationCache

    def collect(self) -> Iterator[pytest.Item]:
        from . import level_files
        from .explorer import ExplorationCache

        selection = level_files.select_levels([str(self.path)])
        tested = level_files.read_tested_level(selection.paths[0])
        if tested.level is None:
            raise self.CollectError("\n".join(finding.render() for finding in tested.findings))
        self.level, self.cache = tested.level, ExplorationCache(tested.level)
        for finding in tested.findings:
            yield LevelFindingItem.from_parent(self, name=f"test in line {finding.line}", finding=finding)
        for test in tested.level.tests:
            stem = self._unique_stem(test.name)
            yield LevelTestItem.from_parent(self, name=node_name(test.name), test=test, stem=stem)

    def _unique_stem(self, name: str) -> str:
        """Name of a test's files. Each process of a session collects the same tests, and so gives the same names."""
        from . import artefacts, reports

        path = Path(reports.shown_path(self.path)).with_suffix("")
        return artefacts.unique_stem(artefacts.file_stem(str(path), name), self.config.stash.setdefault(_STEMS, {}))


def node_name(name: str) -> str:
    """A test's name as the last part of a node id, in which `::` and `[ ]` have a meaning."""
    return name.replace("::", ": :").replace("[", "(").replace("]", ")")


class LevelTestFailure(WalkerError):
    """A level test that failed, or could not be run; the message is the report."""


class _ReportedItem(pytest.Item):
    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *arguments: Any) -> Any:
        if isinstance(excinfo.value, LevelTestFailure):
            return str(excinfo.value)
        return super().repr_failure(excinfo, *arguments)


class LevelFindingItem(_ReportedItem):
    """A test that cannot be read: it fails with the finding."""

    def __init__(self, *, finding: Finding, **keywords: Any) -> None:
        super().__init__(**keywords)
        self.finding = finding

    def runtest(self) -> None:
        raise LevelTestFailure(self.finding.render())

    def reportinfo(self) -> tuple[Path, int, str]:
        return Path(self.finding.file), max(self.finding.line - 1, 0), self.name


class LevelTestItem(_ReportedItem):
    parent: LevelFile

    def __init__(self, *, test: LevelTest, stem: str, **keywords: Any) -> None:
        """stem: name of its files, without suffix."""
        super().__init__(**keywords)
        self.test, self.stem, self.unwritten = test, stem, ""
        if test.skip:
            self.add_marker(pytest.mark.skip(reason=test.skip))
            self._run()

    def _run(self) -> TestRun:
        from . import reports
        from .runner import run_test

        run = run_test(self.parent.level, self.test, self.parent.cache)
        self.record = reports.make_record(self.parent.level, run)
        return run

    def runtest(self) -> None:
        from . import reports
        from .runner import TestStatus

        _compile_balls(self.parent.level)
        run = self._run()
        self.user_properties.append(("ticks", run.ticks))
        if run.status == TestStatus.EXPECTED_FAILURE:
            pytest.xfail(run.message)
        if not run.is_good:
            self._write_files(run)
            raise LevelTestFailure("\n".join([*reports.failure_lines(self.record), *filter(None, [self.unwritten])]))

    def _write_files(self, run: TestRun) -> None:
        """Write the replay and the picture of a failure."""
        from . import artefacts, reports

        folder = Path(self.config.getoption("--walker-output") or self.config.invocation_params.dir / DEFAULT_OUTPUT)
        try:
            written = artefacts.write_artefacts(self.parent.level, run, folder, self.stem)
            self.record.files = [reports.shown_path(path) for path in written]
        except OSError as error:
            self.unwritten = f"{error.filename or folder}: not written: {error_reason(error)}"

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.test.path, max(self.test.place.line - 1, 0), self.name


def _compile_balls(level: Level) -> None:
    """Compile the tick of balls where a level has some."""
    if level.balls or level.play is not None or level.golf is not None:
        from ..physics import prepare

        prepare.compile_balls()


@pytest.fixture(scope="session")
def walker_level(request: pytest.FixtureRequest) -> Callable[[str | os.PathLike[str]], Level]:
    """Function that loads a level by path (relative to the root of the tests) or shipped name, each once.

    It fails the test with the findings where the level cannot be read.
    """
    loaded = request.config.stash.setdefault(_LOADED, {})

    def load_level(name: str | os.PathLike[str]) -> Level:
        from ..level import LevelError, find_level, load

        path = request.config.rootpath / name
        path = path if path.is_file() else Path(find_level(name))
        if path not in loaded:
            try:
                loaded[path] = load(path)
            except LevelError as error:
                pytest.fail("\n".join(finding.render() for finding in error.findings), pytrace=False)
        level: Level = loaded[path]
        return level

    return load_level


@pytest.fixture
def walker_world(walker_level: Callable[[str | os.PathLike[str]], Level]) -> Callable[..., World]:
    """Function that makes a new world of a level: `walker_world("demo", spawn="court")`.

    level: a Level, or what `walker_level` takes; spawn: name, the first by default; settings: of the walker.
    """

    def make_world(
        level: Level | str | os.PathLike[str], spawn: str | None = None, settings: WalkerSettings | None = None
    ) -> World:
        from ..sim import World

        return World(walker_level(level) if isinstance(level, str | os.PathLike) else level, settings, spawn)

    return make_world
