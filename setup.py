"""Packages of the wheel: `ellipsoid_walker`, made of game/ and the data folders, and its alias `game`.

An editable install puts this folder on the path instead: type checkers cannot follow the import hooks that setuptools
writes for packages in other folders.
"""

from setuptools import find_packages, setup
from setuptools.command.editable_wheel import editable_wheel

PACKAGE = "ellipsoid_walker"
FOLDERS = ("levels", "assets", "shaders")  # inside the package: see `game.shipped`
SOURCES = find_packages(include=["game", "game.*"])


class EditableWheel(editable_wheel):
    """Editable install of the checkout as it is: a .pth file with its path."""

    def finalize_options(self) -> None:
        self.distribution.packages = [*SOURCES, PACKAGE]
        self.distribution.package_dir = {"": "."}
        super().finalize_options()


setup(
    packages=[
        *(PACKAGE + name.removeprefix("game") for name in SOURCES),
        *(f"{PACKAGE}.{name}" for name in FOLDERS),
        "game",
    ],
    package_dir={
        PACKAGE: "game",
        **{f"{PACKAGE}.{name}": name for name in FOLDERS},
        "game": "tools/packaging/game_alias",
    },
    package_data={
        PACKAGE: ["py.typed"],
        f"{PACKAGE}.reports": ["schemas/*.json"],
        **{f"{PACKAGE}.{name}": ["**/*"] for name in FOLDERS},
        "game": ["py.typed", "**/*.pyi"],
    },
    include_package_data=False,
    zip_safe=False,
    cmdclass={"editable_wheel": EditableWheel},
)
