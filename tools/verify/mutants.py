"""Mutation testing of the physics: `python -m tools.verify.mutants [--list] [--first-only] [NAME...]`.

Makes each sabotage of tests/mutations/mutants.py in a copy of the project; part of a name selects it. Runs the tests
most likely to fail first, without the JIT; then all tests of the physics and the properties that run without the JIT;
then those that need it. Stops at the first failure. Prints each sabotage, the test that failed and the seconds it took.
Exit status: 0 if every sabotage made a test fail, 1 if one survived, 2 if a test fails without any.
"""

from __future__ import annotations

import argparse
import ast
import os
import shutil
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path

from tests.mutations.change import PHYSICS, Edit, apply, edits
from tests.mutations.mutants import SABOTAGES, Sabotage

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("game", "tests", "tools", "levels", "assets", "shaders", "docs")
FILES = ("pyproject.toml", "run_game.py", "README.md")
TESTS = ("tests/physics", "tests/properties", "tests/regressions")
WIDER = (  # (arguments of pytest, without the JIT)
    (["-m", "not jit", "-k", "not oracle", "tests/physics"], True),
    (["-m", "not jit", "-k", "oracle", "tests/physics"], True),
    (["-m", "not jit", *TESTS[1:]], True),
    (["-m", "jit", *TESTS], False),
)


def broken(sabotage: Sabotage, root: Path = ROOT) -> str:
    """The reason why a sabotage cannot be applied (a change does not match exactly once); empty if it can."""
    for change in sabotage.changes:
        try:
            count = len(edits(change, root))
        except NameError as error:
            return f"{sabotage.name}: {error}"
        if count != 1:
            return f"{sabotage.name}: {change.find!r} matches {count} times in {change.within or PHYSICS.as_posix()}"
    return ""


def sabotaged(sabotage: Sabotage, root: Path = ROOT) -> dict[Path, str]:
    """The files that a sabotage changes, with their new text."""
    found: dict[Path, list[Edit]] = {}
    for change in sabotage.changes:
        ((path, edit),) = edits(change, root)
        found.setdefault(path, []).extend(edit)
    return {path: apply(path.read_text(encoding="utf-8"), edit) for path, edit in found.items()}


@cache
def defined(root: Path = ROOT) -> dict[str, list[str]]:
    """Node ids of the test functions in the folders of TESTS, by name."""
    found: dict[str, list[str]] = {}
    for path in sorted(path for folder in TESTS for path in (root / folder).rglob("test_*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef):
                found.setdefault(node.name, []).append(f"{path.relative_to(root).as_posix()}::{node.name}")
    return found


def names(sabotage: Sabotage, root: Path = ROOT) -> list[str]:
    """Node ids of the first tests, for pytest. KeyError for a test that does not exist."""
    found: list[str] = []
    for word in sabotage.tests:
        if word.startswith("["):
            found[-1] += word
        else:
            found += defined(root)[word]
    return found


def red(root: Path, arguments: list[str], without_jit: bool, cache: Path) -> str:
    """Node id of the first failing test in a copy; empty if none; "ended: ..." if pytest could not run."""
    environment = {**os.environ, "PYTHONPATH": str(root), "WALKER_CACHE": str(cache), "PYTHONDONTWRITEBYTECODE": "1"}
    environment["NUMBA_DISABLE_JIT"] = "1" if without_jit else "0"
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *arguments]
    try:
        done = subprocess.run(
            command, cwd=root, env=environment, capture_output=True, text=True, check=False, timeout=1800
        )
    except subprocess.TimeoutExpired:
        return "a test that does not end"
    if done.returncode == 0 or done.returncode == 5:  # 5: no tests collected
        return ""
    lines = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return lines[0].split(" - ")[0].split(" ", 1)[1] if lines else "ended: " + (done.stderr or done.stdout)[-200:]


def kill(sabotage: Sabotage, root: Path, cache: Path, wider: bool) -> str:
    """Node id of the test that a sabotage makes fail; empty if none; "ended: ..." if unknown."""
    if why := broken(sabotage, root):
        return "ended: " + why
    held, test = {}, ""
    try:
        for path, text in sabotaged(sabotage, root).items():
            held[path] = path.read_text(encoding="utf-8")
            path.write_text(text, encoding="utf-8")
        stages = [([*names(sabotage)], True), *(WIDER if wider else ())]
        for arguments, without_jit in stages:
            if test := red(root, arguments, without_jit, cache):
                break
    finally:
        for path, text in held.items():
            path.write_text(text, encoding="utf-8")
    if test and "::" in test and red(root, [test], without_jit, cache):
        return f"ended: fails without it too: {test}"
    return test


def main(arguments: list[str]) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.verify.mutants", description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="parts of names (default: all)")
    parser.add_argument("--list", action="store_true", help="print the names and exit")
    parser.add_argument("--first-only", action="store_true", help="run only the tests that a sabotage names")
    options = parser.parse_args(arguments)
    chosen = [s for s in SABOTAGES if not options.names or any(n in s.name for n in options.names)]
    if options.list:
        print("\n".join(s.name for s in chosen))
        return 0
    survivors = []
    with tempfile.TemporaryDirectory() as folder:
        copy, cache = Path(folder) / "copy", Path(folder) / "cache"
        for part in PARTS:
            shutil.copytree(ROOT / part, copy / part, ignore=shutil.ignore_patterns("__pycache__"))
        for file in FILES:
            shutil.copy(ROOT / file, copy)
        first = sorted({name for s in chosen for name in names(s)})
        print(f"{len(chosen)} sabotages; first the {len(first)} tests without any ...", flush=True)
        if test := red(copy, first, True, cache):
            print(f"fails without any sabotage: {test}")
            return 2
        for sabotage in chosen:
            begun = time.monotonic()
            test = kill(sabotage, copy, cache, not options.first_only)
            if not test or test.startswith("ended"):
                survivors.append(sabotage.name)
            print(f"{sabotage.name:56} {test or 'SURVIVED':100} {time.monotonic() - begun:6.0f} s", flush=True)
    print(
        f"{len(chosen) - len(survivors)} of {len(chosen)} made a test fail"
        + "".join(f"\n  not: {n}" for n in survivors)
    )
    return int(bool(survivors))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
