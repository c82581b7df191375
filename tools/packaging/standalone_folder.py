"""Build a folder that runs without Python: `python -m tools.packaging.standalone_folder` writes dist/walker.

Requires PyInstaller (`python -m pip install pyinstaller`) and the game's libraries. The folder is for the operating
system that it is built on. Prints its size at the end.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from importlib import metadata
from pathlib import Path

import game
from game.app.launch.requirements import parse_requirement

ROOT = Path(__file__).resolve().parents[2]
NAME = "walker"
FOLDERS = ("levels", "assets", "shaders")  # where `game.shipped` looks
LEFT_OUT = ("tkinter", "matplotlib", "IPython", "pytest", "hypothesis", "scipy", "pyglet.libs.win32.com")

# The game's modules are copied as sources: the cache of compiled kernels is keyed by them.
SPEC = """
from PyInstaller.utils.hooks import collect_submodules, copy_metadata

datas = [(r"{root}/" + name, "game/" + name) for name in {folders!r}]
datas += [entry for name in {listed!r} for entry in copy_metadata(name)]
hidden = ["ellipsoid_walker"] + [name for package in ("game", "glcontext", "pyglet") for name in collect_submodules(
    package, filter=lambda name: not name.startswith({out!r}), on_error="ignore")]
found = Analysis(
    [r"{start}"], pathex=[r"{root}"], datas=datas, hiddenimports=hidden, excludes={out!r},
    module_collection_mode={{"game": "py", "ellipsoid_walker": "py"}},
)
program = EXE(
    PYZ(found.pure), found.scripts, [], exclude_binaries=True, name="{name}", console=True, icon={icon!r},
)
COLLECT(program, found.binaries, found.datas, name="{name}")
"""


def main(arguments: list[str]) -> int:
    """Build the folder. Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "dist", help="folder to build in (default: dist)")
    options = parser.parse_args(arguments)
    try:
        import PyInstaller  # noqa: F401
    except ImportError:
        print("PyInstaller is missing: python -m pip install pyinstaller", file=sys.stderr)
        return 1
    try:
        known = metadata.version(game.DISTRIBUTION)
    except metadata.PackageNotFoundError:
        known = "none"
    if known != game.__version__:  # the program reads its version from this metadata
        print(f"installed: {known}; sources: {game.__version__}; run `python -m pip install -e .`", file=sys.stderr)
        return 1
    listed = [game.DISTRIBUTION, *(parse_requirement(line)[0] for line in game.requirements())]
    icon = ROOT / "assets" / "icon" / "walker.ico"
    with tempfile.TemporaryDirectory() as scratch:
        spec = Path(scratch) / f"{NAME}.spec"
        text = SPEC.format(
            root=ROOT.as_posix(), folders=FOLDERS, listed=listed, out=LEFT_OUT, name=NAME,
            start=(ROOT / "tools" / "packaging" / "frozen_start.py").as_posix(),
            icon=icon.as_posix() if sys.platform == "win32" and icon.exists() else None,
        )  # fmt: skip
        spec.write_text(text, encoding="utf-8")
        words = ["--noconfirm", "--log-level", "WARN", "--distpath", str(options.output), "--workpath", scratch]
        status = subprocess.run([sys.executable, "-m", "PyInstaller", *words, str(spec)], check=False).returncode
    if status:
        return status
    folder = options.output / NAME
    files = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
    weight = sum(path.stat().st_size for path in files)
    print(f"{folder}: {len(files)} files, {weight / 2**20:.0f} MiB; {folder / NAME} plays")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
