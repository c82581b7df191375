"""A first-person walker: physics, levels, simulation, picture and game, in rooms of their own."""

from pathlib import Path

__version__ = "0.1.0"  # the same as in pyproject.toml

_INSIDE = Path(__file__).resolve().parent
IN_SOURCES = (_INSIDE.parent / "run_game.py").exists()  # else it is installed
COMMAND = "python run_game.py" if IN_SOURCES else "walker"  # what a user types to run it


def shipped(name: str) -> Path:
    """The folder `levels`, `assets` or `shaders`: beside this package in the sources, inside it where installed."""
    return (_INSIDE.parent if IN_SOURCES else _INSIDE) / name
