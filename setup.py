"""Packages of the wheel: `ellipsoid_walker`, made of game/ and the data folders.

An editable install makes the two import names of a checkout known and nothing else of it, see `Editable`.
"""

import contextlib
import os
from locale import getencoding
from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.editable_wheel import editable_wheel

PACKAGE = "ellipsoid_walker"
ROOT = Path(__file__).resolve().parent
FOLDERS = ("levels", "assets", "shaders")  # inside the package: see `shipped` in game/__init__.py
FINDER = "__editable___ellipsoid_walker_finder"


class Editable:
    """Editable strategy of setuptools: what the editable wheel holds besides its metadata.

    A .pth file with a folder in which the package is a link to game/: type checkers follow links, but no import hooks.
    And a finder for `game`, which is asked after all others (tools/packaging/editable_finder.py).
    """

    def __call__(self, wheel, files, mapping):
        """Write the two files into the wheel, and make the link."""
        link = ROOT / "build" / "editable" / PACKAGE
        link.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(OSError):  # it is there; or Windows refuses links: types are then unknown
            os.symlink(Path("..", "..", "game"), link, target_is_directory=True)
        finder = (ROOT / "tools" / "packaging" / "editable_finder.py").read_text(encoding="utf-8")
        wheel.writestr(f"{FINDER}.py", finder)
        lines = f"{link.parent}\nimport {FINDER} as finder; finder.install({str(ROOT / 'game')!a})\n"
        wheel.writestr(f"__editable__.{PACKAGE}.pth", lines.encode(getencoding()))

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass


class EditableWheel(editable_wheel):
    """Editable install by `Editable`."""

    def _select_strategy(self, name, tag, build_lib):
        return Editable()


SOURCES = find_packages(include=["game", "game.*"])
setup(
    packages=[
        *(PACKAGE + name.removeprefix("game") for name in SOURCES),
        *(f"{PACKAGE}.{name}" for name in FOLDERS),
    ],
    package_dir={PACKAGE: "game", **{f"{PACKAGE}.{name}": name for name in FOLDERS}},
    package_data={
        PACKAGE: ["py.typed"],
        f"{PACKAGE}.reports": ["schemas/*.json"],
        **{f"{PACKAGE}.{name}": ["**/*"] for name in FOLDERS},
    },
    include_package_data=False,
    zip_safe=False,
    cmdclass={"editable_wheel": EditableWheel},
)
