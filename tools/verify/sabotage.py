"""Sabotage the physics in small ways and see a test turn red: `python -m tools.verify.sabotage [--list] [NAME...]`.

Each sabotage of tests/mutations/sabotages.py is made in a copy of the project (a part of its name chooses it), where
without the JIT the tests most likely to see it run first, to the first failure; then all tests of the physics and the
properties that need no JIT, then those that do. Prints the table of sabotages, the test that each turned red, and the
seconds it took; exits 1 where one survives.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.mutations.sabotages import SABOTAGES, Sabotage

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("game", "tests", "tools", "levels", "assets", "shaders", "docs")
FILES = ("pyproject.toml", "run_game.py", "README.md")
WIDER = (  # (what pytest is told, without the JIT)
    (["-m", "not jit", "tests/physics", "--ignore=tests/physics/query/test_oracle.py"], True),
    (["-m", "not jit", "tests/properties", "tests/physics/query/test_oracle.py"], True),
    (["-m", "jit", "tests/properties", "tests/physics"], False),
)


def broken(sabotage: Sabotage, root: Path = ROOT) -> str:
    """Why a sabotage cannot be made: its text does not stand exactly once. Empty where it can."""
    for file, before, _ in sabotage.changes:
        count = (root / "game" / "physics" / file).read_text(encoding="utf-8").count(before)
        if count != 1:
            return f"{sabotage.name}: {before!r} stands {count} times in {file}"
    return ""


def make(sabotage: Sabotage, root: Path) -> dict[Path, str]:
    """Change the files of a copy; what they held before."""
    held: dict[Path, str] = {}
    for file, before, after in sabotage.changes:
        path = root / "game" / "physics" / file
        text = path.read_text(encoding="utf-8")
        held.setdefault(path, text)
        path.write_text(text.replace(before, after), encoding="utf-8")
    return held


def names(sabotage: Sabotage) -> list[str]:
    """The first tests as pytest takes them."""
    return [t if t.startswith("tests/") else "tests/physics/test_" + t.replace("::", ".py::") for t in sabotage.tests]


def red(root: Path, told: list[str], without_jit: bool, cache: Path) -> str:
    """The first test that fails in a copy, or empty; "ended" where pytest could not run."""
    environment = {**os.environ, "PYTHONPATH": str(root), "WALKER_CACHE": str(cache), "PYTHONDONTWRITEBYTECODE": "1"}
    environment["NUMBA_DISABLE_JIT"] = "1" if without_jit else "0"
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *told]
    try:
        done = subprocess.run(
            command, cwd=root, env=environment, capture_output=True, text=True, check=False, timeout=1800
        )
    except subprocess.TimeoutExpired:
        return "a test that does not end"
    if done.returncode == 0 or done.returncode == 5:  # 5: nothing to run
        return ""
    lines = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return lines[0].split(" - ")[0].split(" ", 1)[1] if lines else "ended: " + (done.stderr or done.stdout)[-200:]


def kill(sabotage: Sabotage, root: Path, cache: Path, wider: bool) -> str:
    """The test that sees a sabotage; empty where none does."""
    if why := broken(sabotage, root):
        return "ended: " + why
    held, test = make(sabotage, root), ""
    try:
        stages = [([*names(sabotage)], True), *(WIDER if wider else ())]
        for told, without_jit in stages:
            if test := red(root, told, without_jit, cache):
                break
    finally:
        for path, text in held.items():
            path.write_text(text, encoding="utf-8")
    if test and "::" in test and red(root, [test], without_jit, cache):
        return f"ended: red without it too: {test}"
    return test


def main(arguments: list[str]) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m tools.verify.sabotage", description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="parts of names (default: all)")
    parser.add_argument("--list", action="store_true", help="print the names and end")
    parser.add_argument("--first-only", action="store_true", help="only the tests likely to see it")
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
        print(f"{len(chosen)} sabotages; first the {len(first)} tests on the sound project ...", flush=True)
        if test := red(copy, first, True, cache):
            print(f"red without any sabotage: {test}")
            return 2
        for sabotage in chosen:
            begun = time.monotonic()
            test = kill(sabotage, copy, cache, not options.first_only)
            if not test or test.startswith("ended"):
                survivors.append(sabotage.name)
            print(f"{sabotage.name:56} {test or 'SURVIVED':100} {time.monotonic() - begun:6.0f} s", flush=True)
    print(
        f"{len(chosen) - len(survivors)} of {len(chosen)} turned a test red"
        + "".join(f"\n  not: {n}" for n in survivors)
    )
    return int(bool(survivors))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
