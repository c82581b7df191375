"""Mutation testing: `python -m tools.verify.mutants [--game] [--list] [--first-only] [--default] [NAME...]`.

Makes each mutant of tests/mutations/mutants.py in a copy of the project; a substring of the name selects mutants. With
`--game` those of tests/mutations/game_mutants.py, which only the tests that they name have to kill. Without it, runs
the tests that the mutant names, without the JIT; then all tests of the physics and the properties that run without the
JIT; then those that need it. Stops at the first test that fails: the mutant is killed. A mutant that no test kills
survives. Prints each mutant, the test that killed it and the seconds it took. Exit status: 0 if every mutant is killed,
1 if one survives, 2 if a test fails without any mutant.

`--default` runs only tests that run by default: those that the mutant names, then those of the physics. It shows what
`python -m pytest` notices without `--full`.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from game.core import user_folders
from tests.mutations.change import PHYSICS, Edit, apply, edits
from tests.mutations.game_mutants import GAME_MUTANTS
from tests.mutations.mutants import MUTANTS, Mutant
from tests.support.default_tests import functions_of_tests

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("game", "ellipsoid_walker", "tests", "tools", "levels", "assets", "shaders", "docs")
FILES = ("pyproject.toml", "run_game.py", "README.md")
TEST_FOLDERS = ("tests/physics", "tests/properties", "tests/regressions")
Stage = tuple[list[str], bool]  # arguments of pytest, without the JIT
LATER_STAGES: tuple[Stage, ...] = (
    (["--full", "-m", "not jit", "-k", "not oracle", "tests/physics"], True),
    (["--full", "-m", "not jit", "-k", "oracle", "tests/physics"], True),
    (["--full", "-m", "not jit", *TEST_FOLDERS[1:]], True),
    (["--full", "-m", "jit", *TEST_FOLDERS], False),
)
LATER_DEFAULT_STAGES: tuple[Stage, ...] = (
    (["-m", "not jit", "tests/physics"], True),
    (["-m", "jit", "tests/physics"], False),
)


def why_not_applicable(mutant: Mutant, root: Path = ROOT) -> str:
    """Why a mutant cannot be made (a change does not match exactly once); empty if it can."""
    for change in mutant.changes:
        try:
            count = len(edits(change, root))
        except NameError as error:
            return str(error)
        if count != 1:
            return f"{change.find!r} matches {count} times in {change.within or PHYSICS}"
    return ""


def mutated_files(mutant: Mutant, root: Path = ROOT) -> dict[Path, str]:
    """The files that a mutant changes, with their new text."""
    found: dict[Path, list[Edit]] = {}
    for change in mutant.changes:
        ((path, edit),) = edits(change, root)
        found.setdefault(path, []).extend(edit)
    return {path: apply(path.read_text(encoding="utf-8"), edit) for path, edit in found.items()}


@cache
def ids_of_tests(root: Path = ROOT) -> dict[str, list[str]]:
    """Node ids of the test functions in TEST_FOLDERS, by name."""
    found: dict[str, list[str]] = {}
    for node_id in (node_id for folder in TEST_FOLDERS for node_id in functions_of_tests(folder, root)):
        found.setdefault(node_id.partition("::")[2], []).append(node_id)
    return found


def named_test_ids(mutant: Mutant, root: Path = ROOT) -> list[str]:
    """Node ids of the tests that a mutant names. KeyError for a test that does not exist."""
    names = [name.partition("[") for name in mutant.tests]
    return [node_id + bracket + case for name, bracket, case in names for node_id in ids_of_tests(root)[name]]


def run_pytest(
    root: Path, arguments: list[str], without_jit: bool, cache: Path
) -> subprocess.CompletedProcess[str]:  # fmt: skip
    """Run pytest in a copy."""
    environment = {**os.environ, "PYTHONPATH": str(root), "WALKER_CACHE": str(cache), "PYTHONDONTWRITEBYTECODE": "1"}
    environment["NUMBA_DISABLE_JIT"] = "1" if without_jit else "0"
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(
        command, cwd=root, env=environment, capture_output=True, text=True, check=False, timeout=1800
    )  # fmt: skip


def default_ids(root: Path, cache: Path) -> list[str]:
    """Node ids of the cases in TEST_FOLDERS that run by default."""
    listed = run_pytest(root, ["--collect-only", "-n", "0", *TEST_FOLDERS], True, cache)
    return [line for line in listed.stdout.splitlines() if "::" in line]


def default_cases(node_ids: list[str], default: list[str]) -> list[str]:
    """Of `default`, the cases of some tests: each is named with or without a case."""
    named = tuple(node_ids), tuple(f"{node_id}[" for node_id in node_ids)
    return [case for case in default if case in named[0] or case.startswith(named[1])]


def first_failure(root: Path, arguments: list[str], without_jit: bool, cache: Path) -> str:
    """Node id of the first failing test in a copy; empty if none; "ended: ..." if pytest could not run."""
    try:
        result = run_pytest(root, ["-x", "-q", *arguments], without_jit, cache)
    except subprocess.TimeoutExpired:
        return "a test that does not end"
    if result.returncode == 0 or result.returncode == 5:  # 5: no tests collected
        return ""
    lines = [line for line in result.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return lines[0].split(" - ")[0].split(" ", 1)[1] if lines else "ended: " + (result.stderr or result.stdout)[-200:]


def run_mutant(mutant: Mutant, root: Path, cache: Path, named: list[str], later: Sequence[Stage]) -> str:
    """Node id of the test that kills a mutant; empty if it survives; "ended: ..." if unknown.

    `named` tests run first; they are known to pass without the mutant.
    """
    if reason := why_not_applicable(mutant, root):
        return "ended: " + reason
    originals, test = {}, ""
    try:
        for path, text in mutated_files(mutant, root).items():
            originals[path] = path.read_text(encoding="utf-8")
            path.write_text(text, encoding="utf-8")
        for arguments, without_jit in [*([(named, True)] if named else []), *later]:
            if test := first_failure(root, arguments, without_jit, cache):
                break
    finally:
        for path, text in originals.items():
            path.write_text(text, encoding="utf-8")
    if "::" in test and arguments is not named and first_failure(root, [test], without_jit, cache):
        return f"ended: fails without the mutant too: {test}"
    return test


def main(arguments: list[str]) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.verify.mutants", description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="substrings of names (default: all mutants)")
    parser.add_argument("--list", action="store_true", help="print the names and exit")
    parser.add_argument("--first-only", action="store_true", help="run only the tests that a mutant names")
    parser.add_argument("--default", action="store_true", help="run only tests that run by default")
    parser.add_argument("--game", action="store_true", help="mutants of the other packages than the physics")
    options = parser.parse_args(arguments)
    known = GAME_MUTANTS if options.game else MUTANTS
    chosen = {name: m for name, m in known.items() if not options.names or any(n in name for n in options.names)}
    if not chosen:
        parser.error(f"no mutant has {' or '.join(map(repr, options.names))} in its name")
    if options.list:
        print("\n".join(chosen))
        return 0
    survivors = []
    with tempfile.TemporaryDirectory() as folder:
        copy, cache = Path(folder) / "copy", user_folders.cache_folder() if options.game else Path(folder) / "cache"
        for name in FOLDERS:
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        for file in FILES:
            shutil.copy(ROOT / file, copy)
        first_tests = {name: [] if options.game else named_test_ids(mutant) for name, mutant in chosen.items()}
        if options.default:
            default = default_ids(copy, cache)
            first_tests = {name: default_cases(tests, default) for name, tests in first_tests.items()}
        later: Sequence[Stage] = LATER_DEFAULT_STAGES if options.default else LATER_STAGES
        later = () if options.first_only else later
        first = sorted({test for tests in first_tests.values() for test in tests})
        print(f"{len(chosen)} mutants; first their {len(first)} tests on the unchanged source ...", flush=True)
        if first and (test := first_failure(copy, first, True, cache)):
            print(f"fails without any mutant: {test}")
            return 2
        for name, mutant in chosen.items():
            begun = time.monotonic()
            if options.game:
                full = [] if options.default else ["--full"]
                later = [([*full, "-n", "0", f"tests/{tests}"], False) for tests in mutant.tests]
            test = run_mutant(mutant, copy, cache, first_tests[name], later)
            if not test or test.startswith("ended"):
                survivors.append(name)
            print(f"{name:56} {test or 'SURVIVED':100} {time.monotonic() - begun:6.0f} s", flush=True)
    print(
        f"{len(chosen) - len(survivors)} of {len(chosen)} mutants killed"
        + "".join(f"\n  survives: {n}" for n in survivors)
    )
    return int(bool(survivors))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
