"""Play and test the project with other Pythons: `python -m tools.verify.other_pythons FOLDER trixie forky 3.12`.

A place is a Debian release, of which FOLDER gets a tree, or the path or version of a Python on this machine. In each
place the project's files are copied twice: one copy gets the newest libraries that pyproject.toml admits, the other the
oldest that have wheels for this Python. There the README's play line runs, without a display, and then its test line.
Prints a Markdown table with the versions, the hash of the demo's walk and the results. Requires root for trees, and uv.
"""

from __future__ import annotations

import argparse
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path

from tools.verify import debian_tree

ROOT = Path(__file__).resolve().parents[2]
CONSTRAINTS = "constraints.txt"
RESOLUTIONS = {"newest": "highest", "oldest": "lowest-direct"}
VERSIONS = "import numba, numpy, platform; print(platform.python_version(), numba.__version__, numpy.__version__)"
ROWS = ("place", "libraries", "Python, Numba, NumPy", "play", "hash of the demo's walk", "test")


class Place:
    """A Python with a folder of its own for copies of the project."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self.tree: Path | None = None
        if re.fullmatch(r"[a-z]+", name):
            self.tree = debian_tree.make_tree(folder / name, name)
            self.folder = self.tree / "root"
            self.version = next((self.tree / "usr" / "bin").glob("python3.*")).name.removeprefix("python")
            return
        self.folder = folder / re.sub(r"\W+", "-", name).strip("-")
        programs = self.folder / "bin"
        programs.mkdir(parents=True, exist_ok=True)
        found = subprocess.run(
            ["uv", "python", "find", name], capture_output=True, text=True, check=True
        ).stdout.strip()
        (programs / "python3").unlink(missing_ok=True)
        (programs / "python3").symlink_to(found)
        words = [found, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
        self.version = subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()

    def run(self, copy: Path, line: str, log: Path) -> tuple[int, float]:
        """Run a shell line in a copy of the project. Returns status and seconds; the output goes to `log`."""
        if self.tree is None:
            given = {"PATH": f"{self.folder / 'bin'}:/usr/bin:/bin", "HOME": str(self.folder)}
            given["PIP_CONSTRAINT"] = str(copy / CONSTRAINTS)
            words = ["env", "-u", "DISPLAY", *(f"{k}={v}" for k, v in given.items()), "sh", "-c", line]
        else:
            inside = f"/root/{copy.name}"
            words = debian_tree.in_tree(self.tree, line, inside, PIP_CONSTRAINT=f"{inside}/{CONSTRAINTS}")
        began = time.monotonic()
        with log.open("wb") as output:
            status = subprocess.run(words, cwd=copy, stdout=output, stderr=subprocess.STDOUT, check=False).returncode
        return status, time.monotonic() - began


def main(arguments: list[str]) -> int:
    """Run the lines in each place. Returns 0 if all succeed, else 1."""
    parser = argparse.ArgumentParser(prog="python -m tools.verify.other_pythons", description=__doc__)
    parser.add_argument("folder", type=Path, help="folder for trees, copies of the project and logs")
    parser.add_argument(
        "places", nargs="+", metavar="PLACE", help="Debian release, or path or version of a Python here"
    )
    parser.add_argument("--libraries", nargs="+", choices=RESOLUTIONS, default=[*RESOLUTIONS])
    parser.add_argument("--tests", default="", help="arguments after the README's test line (default: none)")
    options = parser.parse_args(arguments)
    options.folder.mkdir(parents=True, exist_ok=True)
    rows: list[tuple[str, ...]] = []
    is_good = True
    for name in options.places:
        try:
            place = Place(name, options.folder.resolve())
        except subprocess.CalledProcessError as error:
            rows.append((name, "-", "cannot be had here", f"status {error.returncode}", "-", "-"))
            is_good = False
            continue
        for libraries in options.libraries:
            row, good = try_libraries(place, libraries, options.folder.resolve(), options.tests)
            rows.append(row)
            is_good &= good
            print(*row, file=sys.stderr, flush=True)
    for row in (ROWS, ("---",) * len(ROWS), *rows):
        print(f"| {' | '.join(row)} |")
    return 0 if is_good else 1


def try_libraries(place: Place, libraries: str, logs: Path, tests: str) -> tuple[tuple[str, ...], bool]:
    """Run both lines with the newest or the oldest libraries. Returns a row of the table, and whether both succeed."""
    copy = debian_tree.copy_project(place.folder / libraries)
    (copy / CONSTRAINTS).write_text(constraints(place.version, libraries), encoding="utf-8")
    play, test = readme_lines()
    log = logs / f"{place.name.strip('/').replace('/', '-')}-{libraries}"
    played = place.run(copy, play, Path(f"{log}-play.log"))
    version, walk = (
        log_of(place, copy, Path(f"{log}-{name}.log"), line)
        for name, line in (
            ("versions", f".venv/bin/python -c {shlex.quote(VERSIONS)}"),
            ("walk", ".venv/bin/python run_game.py sim demo --commands levels/demo.commands -o walk.npz"),
        )
    )
    tested = place.run(copy, f"{test} {tests}".strip(), Path(f"{log}-test.log"))
    hashes = re.findall(r"\b[0-9a-f]{16}\b", walk)
    results = [
        f"{'passed' if status == 0 else f'status {status}'}, {seconds:.0f} s" for status, seconds in (played, tested)
    ]
    cells = (
        place.name,
        libraries,
        version.strip().splitlines()[-1:] or ["-"],
        results[0],
        hashes[:1] or ["-"],
        results[1],
    )
    row = tuple(cell if isinstance(cell, str) else cell[0] for cell in cells)
    return row, played[0] == tested[0] == 0 and bool(hashes)


def log_of(place: Place, copy: Path, log: Path, line: str) -> str:
    """The output of a shell line."""
    place.run(copy, line, log)
    return log.read_text(encoding="utf-8", errors="replace")


def constraints(version: str, libraries: str) -> str:
    """Exact versions of all libraries for a version of Python, in pip's format."""
    words = ["uv", "pip", "compile", "--quiet", "--no-header", "--no-annotate", "--only-binary", ":all:"]
    words += ["--extra", "test", "--python-version", version, "--resolution", RESOLUTIONS[libraries], "pyproject.toml"]
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout


def readme_lines() -> tuple[str, str]:
    """The play line and the test line of the README."""
    lines = re.findall(r"^python3 -m venv .*$", (ROOT / "README.md").read_text(encoding="utf-8"), re.M)
    play, test = lines
    return play, test


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
