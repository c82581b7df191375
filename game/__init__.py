"""A first-person walker: physics, levels, simulation, picture and game, in rooms of their own."""

__version__ = "0.1.0"  # the same as in pyproject.toml
