"""The pytest plugin: level tests as items, fixtures, and no cost where it is not used."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.support import inner_pytest
from tests.support.inner_pytest import run_inside
from tests.support.until import SECONDS
from tests.testing.conftest import WALK, YARD, level_with

pytest_plugins = ["pytester"]
modules_stay = inner_pytest.modules_stay
ROOT = Path(__file__).resolve().parents[2]
PLUGIN_NAME = "ellipsoid_walker.testing.pytest_plugin"
NAMED = ("-p", "no:ellipsoid-walker", "-p", PLUGIN_NAME)  # not by the entry point of an install
PLUGIN = (*NAMED, "-p", "no:cacheprovider", "-p", "no:xdist")
TESTS = f"""tests:
  - {{name: the goal is near, walk: ["{WALK}"], expect: {{goal: {{within: 5}}}}}}
  - {{name: "nobody: meets [the] belt", walk: ["{WALK}"], expect: {{never: {{touches: belt}}}}}}
  - {{name: "a::b", walk: ["10"], expect: {{deaths: 0}}, skip: not today}}
  - {{name: known, walk: ["10"], expect: {{goal: reached}}, fails: no way yet}}
"""
BESIDE = '  - {name: beside, walk: ["10"], expect: {deaths: 0}}\n'
LINE = YARD.count("\n") + 2
UNIT = """\
from ellipsoid_walker.physics import Command

def test_world(walker_level, walker_world):
    level = walker_level("yard.yaml")
    assert walker_level("yard.yaml") is level
    world = walker_world(level, spawn="side")
    world.step(Command(forward=1.0))
    assert world.walker_state.feet[0] == 6.0
    assert walker_world("demo").tick == 0

def test_unreadable(walker_level):
    walker_level("gone.yaml")
"""


@pytest.fixture
def project(modules_stay, pytester):
    level_with(pytester.path, TESTS)
    return pytester


def run(project, *arguments):
    result = run_inside(project, *PLUGIN, *arguments)
    return result, "\n".join([*result.outlines, *result.errlines])


def test_a_level_on_the_command_line_is_collected(project):
    result, shown = run(project, "yard.yaml", "-v")
    result.assert_outcomes(passed=1, failed=1, skipped=1, xfailed=1)
    assert f"yard.yaml:{LINE + 1}: failed at tick " in shown
    assert "  expected: never touching 'belt'" in shown
    assert "Traceback" not in shown
    assert "see walker-tests/yard-nobody-meets-the-belt.replay" in shown
    for suffix in (".replay", ".png"):
        assert (project.path / "walker-tests" / f"yard-nobody-meets-the-belt{suffix}").is_file()


@pytest.mark.full
def test_failures_of_similar_names_have_files_of_their_own(project):
    names = ("b", "B", "b-2", "\u65e5\u672c", "\u6771\u4eac")
    tests = "".join(f'  - {{name: "{name}", walk: ["10"], expect: {{goal: reached}}}}\n' for name in names)
    level_with(project.path, f"tests:\n{tests}")
    run(project, "yard.yaml")
    stems = {path.stem for path in (project.path / "walker-tests").glob("*.replay")}
    assert stems == {"yard-b", "yard-b-2", "yard-b-2-2", "yard", "yard-2"}


def test_levels_of_testpaths_are_collected_without_arguments(project):
    level_with(project.path / "more" / "deep", TESTS, name="second")
    (project.path / "more" / "deep" / "second.tests.yaml").write_text("format: 1\ntests:\n" + BESIDE)
    (project.path / "more" / "other.yaml").write_text("format: 1\n[\n")
    project.makeini("[pytest]\ntestpaths = yard.yaml more/deep/*.yaml test_own.py\n")
    project.makepyfile(test_own="def test_own(): pass\n")
    result, shown = run(project, "--collect-only", "-q")
    assert result.ret == 0
    names = ("the goal is near", "nobody: meets (the) belt", "a: :b", "known")
    assert sorted(line for line in shown.splitlines() if "::" in line) == sorted(
        [
            "test_own.py::test_own",
            "more/deep/second.yaml::beside",
            *(f"{file}::{n}" for file in ("yard.yaml", "more/deep/second.yaml") for n in names),
        ]
    )
    result, shown = run(project, "--collect-only", "-q", "test_own.py")
    assert "yard" not in shown


@pytest.mark.full
def test_a_yaml_file_that_is_not_named_is_left_alone(project):
    project.makepyfile(test_own="def test_own(): pass\n")
    (project.path / "broken.yaml").write_text("[")
    result, _ = run(project)
    result.assert_outcomes(passed=1)
    result, _ = run(project, ".")
    result.assert_outcomes(passed=1)


@pytest.mark.full
def test_node_ids_and_k_choose(project):
    run(project, "yard.yaml::the goal is near")[0].assert_outcomes(passed=1)
    _, shown = run(project, "--collect-only", "-q", "yard.yaml::nobody: meets (the) belt")
    assert [line for line in shown.splitlines() if "::" in line] == ["yard.yaml::nobody: meets (the) belt"]
    run(project, "yard.yaml", "-k", "goal")[0].assert_outcomes(passed=1, deselected=3)


def test_items_have_file_and_line(project):
    class Items:
        def pytest_collection_finish(self, session):
            self.found = [(Path(item.location[0]).name, item.location[1] + 1, item.name) for item in session.items]

    items = Items()
    run_inside(project, *PLUGIN, "--collect-only", "yard.yaml", plugins=[items])
    assert sorted(items.found)[:2] == [
        ("yard.yaml", LINE, "the goal is near"),
        ("yard.yaml", LINE + 1, "nobody: meets (the) belt"),
    ]


@pytest.mark.full
def test_lf_and_junit_and_xdist(project, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    arguments = (*NAMED, "yard.yaml", "-n", "2", "--junitxml", "report.xml")
    result = project.runpytest_subprocess(*arguments)
    result.assert_outcomes(passed=1, failed=1, skipped=1, xfailed=1)
    suite = next(ElementTree.parse(project.path / "report.xml").getroot().iter("testsuite"))
    assert (suite.get("tests"), suite.get("failures")) == ("4", "1")
    assert "failed at tick" in next(suite.iter("failure")).text
    again = run_inside(project, *NAMED, "-p", "no:xdist", "yard.yaml", "--lf")
    again.assert_outcomes(failed=1)


@pytest.mark.full
def test_the_output_folder_can_be_chosen_or_be_unwritable(project):
    _, shown = run(project, "yard.yaml", "--walker-output", str(project.path / "kept"))
    assert (project.path / "kept" / "yard-nobody-meets-the-belt.png").is_file()
    (project.path / "blocked").write_text("")
    result, shown = run(project, "yard.yaml", "--walker-output", str(project.path / "blocked"))
    result.assert_outcomes(passed=1, failed=1, skipped=1, xfailed=1)
    assert "blocked: not written: " in shown


@pytest.mark.full
@pytest.mark.parametrize("processes", [(), pytest.param(("-n", "2"), marks=pytest.mark.full)])
def test_a_notice_is_shown_while_a_test_waits(project, monkeypatch, processes):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    project.makepyfile("from ellipsoid_walker.core import notices\n\ndef test_wait():\n    notices.show('compiling')\n")
    plugins = NAMED if processes else PLUGIN
    result = project.runpytest_subprocess(*plugins, *processes)
    result.assert_outcomes(passed=1)
    assert result.errlines.count("compiling") <= 1
    assert processes or "compiling" in result.errlines


@pytest.mark.full
def test_the_fixtures_of_the_plugin_fail_without_a_traceback(project):
    project.makepyfile(test_unit=UNIT)
    result, shown = run(project, "test_unit.py")
    result.assert_outcomes(passed=1, failed=1)
    assert "gone.yaml" in shown
    assert "Traceback" not in shown


@pytest.mark.full
def test_wrong_input_is_answered_in_a_sentence(project):
    (project.path / "broken.yaml").write_text("format: 1\npieces: [\n")
    result, shown = run(project, "broken.yaml")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    assert "broken.yaml:" in shown
    assert "Traceback" not in shown
    level_with(project.path, "tests:\n  - {name: odd, wolk: x, expect: {deaths: 0}}\n", name="odd")
    result, shown = run(project, "odd.yaml")
    result.assert_outcomes(failed=1)
    assert "did you mean `walk`?" in shown
    level_with(project.path, "", name="plain")
    assert run(project, "plain.yaml")[0].ret == pytest.ExitCode.NO_TESTS_COLLECTED


@pytest.mark.full
def test_the_plugin_imports_nothing_where_it_is_not_used(tmp_path):
    (tmp_path / "test_own.py").write_text(
        "import sys\ndef test_own():\n    assert not {'numba', 'numpy', 'yaml'} & set(sys.modules)\n"
    )
    options = ["-p", "ellipsoid_walker.testing.pytest_plugin", "-p", "no:cacheprovider"]
    code = f"import sys, pytest; sys.exit(pytest.main([*{options}, sys.argv[1]]))"
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, timeout=SECONDS,
        env={"PATH": "", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_entry_point_names_the_plugin():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (target,) = project["entry-points"]["pytest11"].values()
    package, _, module = target.partition(".")
    assert package == "ellipsoid_walker"
    assert (ROOT / "game" / (module.replace(".", "/") + ".py")).is_file()
