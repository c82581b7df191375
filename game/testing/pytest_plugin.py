"""pytest plugin: the tests of level files as items, and fixtures for levels and worlds.

Levels are collected where they are named: on the command line, or in pytest's own option `testpaths`. Nothing of the
physics is loaded before that.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Generator, Iterator
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

DEFAULT_OUTPUT = "walker-tests"
_STEMS: pytest.StashKey[set[str]] = pytest.StashKey()  # names of the files of tests


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option for the folder of replays and pictures."""
    parser.getgroup("walker", "tests in level files of the ellipsoid walker").addoption(
        "--walker-output",
        metavar="FOLDER",
        help=f"folder for the replays and pictures of failed level tests (default: {DEFAULT_OUTPUT})",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Print notices at once, although pytest captures standard error. Of several processes one prints them."""
    capture: Any = config.pluginmanager.getplugin("capturemanager")
    is_first = getattr(config, "workerinput", {"workerid": "gw0"})["workerid"] == "gw0"

    def show(text: str) -> None:
        if is_first:
            with contextlib.nullcontext() if capture is None else capture.global_and_fixture_disabled():
                print(f"\n{text}", file=sys.stderr, flush=True)  # pytest may have written a part of a line

    before, notices.show = notices.show, show
    config.add_cleanup(lambda: setattr(notices, "show", before))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add to the report: `level_test`, the record of a level test; `unwritten`, why its replay and picture were not
    written; `finding`, why a test cannot be read."""
    report: Any = yield
    if isinstance(item, LevelFindingItem) and call.when == "call":
        report.finding = item.finding.render()
    if isinstance(item, LevelTestItem) and (call.when == "call" or report.skipped):
        item.record["wall_seconds"] = round(call.duration, 3)
        report.level_test, report.unwritten = item.record, item.unwritten
    result: pytest.TestReport = report
    return result


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> LevelFile | None:
    """Collect a level file that is named."""
    if has_level_suffix(file_path) and parent.session.isinitpath(file_path):
        nodeid = None if file_path.is_relative_to(parent.config.rootpath) else str(file_path)  # else pytest has none
        file: LevelFile = LevelFile.from_parent(parent, path=file_path, nodeid=nodeid)
        return file
    return None


class LevelFile(pytest.File):
    """A level file; its tests, and those in the file beside it, are the items."""

    level: Level
    cache: ExplorationCache

    def collect(self) -> Iterator[pytest.Item]:
        """An item for each test, and for each finding about one."""
        from . import artefacts, level_files, runner
        from .explorer import ExplorationCache

        level_path = level_files.tested_level_of(self.path)
        if level_path != self.path and self.session.isinitpath(level_path):
            return  # the level has the items of its file of tests
        level, findings = level_files.read_tested_level(str(level_path))
        if level is None:
            raise self.CollectError("\n".join(finding.render() for finding in findings))
        self.level, self.cache = level, ExplorationCache(level)
        for finding in findings:
            yield LevelFindingItem.from_parent(self, name=f"test in line {finding.line}", finding=finding)
        taken = self.config.stash.setdefault(_STEMS, set())  # each process collects the same tests
        path = str(Path(runner.shown_path(self.path)).with_suffix(""))
        for test in level.tests:
            stem = artefacts.unique_stem(artefacts.file_stem(path, test.name), taken)
            yield LevelTestItem.from_parent(self, name=node_name(test.name), test=test, stem=stem)


def node_name(name: str) -> str:
    """A test's name as the last part of a node id, in which `::` and `[ ]` have a meaning."""
    return name.replace("::", ": :").replace("[", "(").replace("]", ")")


class LevelTestFailure(WalkerError):
    """A level test that failed, or could not be run; the message is the report."""


class _LevelItem(pytest.Item):
    file: Path
    line: int

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.file, max(self.line - 1, 0), self.name

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *arguments: Any) -> Any:
        if isinstance(excinfo.value, LevelTestFailure):
            return str(excinfo.value)
        return super().repr_failure(excinfo, *arguments)


class LevelFindingItem(_LevelItem):
    """A test that cannot be read: it fails with the finding."""

    def __init__(self, *, finding: Finding, **keywords: Any) -> None:
        super().__init__(**keywords)
        self.finding, self.file, self.line = finding, Path(finding.file), finding.line

    def runtest(self) -> None:
        raise LevelTestFailure(self.finding.render())


class LevelTestItem(_LevelItem):
    """A test. record: of its run. unwritten: why its replay and picture were not written."""

    parent: LevelFile

    def __init__(self, *, test: LevelTest, stem: str, **keywords: Any) -> None:
        """stem: name of its files, without suffix."""
        super().__init__(**keywords)
        self.test, self.file, self.line = test, test.path, test.place.line
        self.stem, self.unwritten = stem, ""
        self.record: dict[str, Any] = {}
        if test.skip:
            self.add_marker(pytest.mark.skip(reason=test.skip))
            self._run()

    def runtest(self) -> None:
        """Run the test; pytest gets its failure."""
        from . import runner

        level = self.parent.level
        if level.balls or level.play is not None or level.golf is not None:
            from ..physics import prepare

            prepare.compile_steps(prepare.missing_steps([prepare.BALLS]) if prepare.CACHED else [])
        run = self._run()
        self.user_properties.append(("ticks", run.ticks))
        if run.status == "expected failure":
            pytest.xfail(run.message)
        if not run.is_good:
            self._write_files(run)
            raise LevelTestFailure("\n".join(filter(None, [runner.failure_text(self.record), self.unwritten])))

    def _run(self) -> TestRun:
        from . import runner

        run = runner.run_test(self.parent.level, self.test, self.parent.cache)
        self.record = runner.make_record(self.parent.level, run)
        return run

    def _write_files(self, run: TestRun) -> None:
        """Write the replay and the picture of a failure."""
        from . import artefacts, runner

        folder = Path(self.config.getoption("--walker-output") or self.config.invocation_params.dir / DEFAULT_OUTPUT)
        try:
            written = artefacts.write_artefacts(self.parent.level, run, folder, self.stem)
            self.record["files"] = [runner.shown_path(path) for path in written]
        except OSError as error:
            self.unwritten = f"{error.filename or folder}: not written: {error_reason(error)}"


@pytest.fixture(scope="session")
def walker_level(request: pytest.FixtureRequest) -> Callable[[str | os.PathLike[str]], Level]:
    """Function that loads a level by path (relative to the root of the tests) or shipped name, each once.

    It fails the test with the findings where the level cannot be read.
    """

    loaded: dict[str, Level] = {}

    def load_level(name: str | os.PathLike[str]) -> Level:
        from ..level import LevelError, load

        path = request.config.rootpath / name
        try:
            return loaded.get(str(name)) or loaded.setdefault(str(name), load(path if path.is_file() else name))
        except LevelError as error:
            pytest.fail("\n".join(finding.render() for finding in error.findings), pytrace=False)

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
