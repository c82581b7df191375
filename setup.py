"""Packages and data of the wheel: `game`, with levels, assets and shaders inside it. See also pyproject.toml."""

from setuptools import find_packages, setup

FOLDERS = ("levels", "assets", "shaders")  # see `game.shipped`

setup(
    packages=[*find_packages(include=["game*"]), *(f"game.{name}" for name in FOLDERS)],
    package_dir={f"game.{name}": name for name in FOLDERS},
    package_data={"game": ["py.typed"], **{f"game.{name}": ["**/*"] for name in FOLDERS}},
    include_package_data=False,
    zip_safe=False,
)
