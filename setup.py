"""What the wheel holds beside pyproject.toml: the packages, and levels, assets and shaders inside `game`."""

from setuptools import find_packages, setup

FOLDERS = ("levels", "assets", "shaders")  # see game.shipped

setup(
    packages=[*find_packages(include=["game*"]), *(f"game.{name}" for name in FOLDERS)],
    package_dir={f"game.{name}": name for name in FOLDERS},
    package_data={"game": ["py.typed"], **{f"game.{name}": ["**/*"] for name in FOLDERS}},
    include_package_data=False,
    zip_safe=False,
)
