"""A first-person walker: physics, levels, simulation, rendering and the game.

`__version__` and `requirements()` come from the metadata of the installed package, or from `pyproject.toml` where the
package runs from its sources.
"""

import sys
from functools import cache
from pathlib import Path
from typing import Any

__all__ = ["COMMAND", "DISTRIBUTION", "IN_SOURCES", "__version__", "requirements", "requires_python", "shipped"]

if __name__ == "game":  # the alias of `ellipsoid_walker`: the rest of this file runs a second time, without any use
    from importlib import import_module
    from importlib.util import find_spec

    if find_spec("ellipsoid_walker") is None:  # an editable install of version 0.1.0 finds this folder alone
        sys.path.append(str(Path(__file__).resolve().parents[1]))
    import_module("ellipsoid_walker.core.import_alias").serve_alias(__file__)

DISTRIBUTION = "ellipsoid-walker"
__version__: str  # read by `__getattr__`: a start that does not show the version opens no file for it

_INSIDE = Path(__file__).resolve().parent
_PROJECT = _INSIDE.parent / "pyproject.toml"
IN_SOURCES = (_INSIDE.parent / "run_game.py").exists()  # else it is installed
if IN_SOURCES:
    __path__[:] = [str(_INSIDE)]  # an editable install finds a link: tracebacks and breakpoints name the file itself
_SCRIPT = Path((getattr(sys, "argv", None) or [""])[0]).stem  # an editable install has the commands too
COMMAND = "python run_game.py" if IN_SOURCES and _SCRIPT not in ("walker", "ellipsoid-walker") else "walker"  # to type


def shipped(name: str) -> Path:
    """The folder `levels`, `assets` or `shaders`: beside this package in the sources, inside it where installed."""
    return (_INSIDE.parent if IN_SOURCES else _INSIDE) / name


@cache
def _metadata() -> tuple[str, str, tuple[str, ...]]:
    """Version, supported Python versions and dependencies (extras left out), as PEP 508 strings.

    An installed package may be another version than these sources, so sources never ask for its metadata.
    """
    if IN_SOURCES:
        import tomllib

        project = tomllib.loads(_PROJECT.read_text(encoding="utf-8"))["project"]
        return project["version"], project["requires-python"], tuple(project["dependencies"])
    from importlib import metadata

    try:
        found = metadata.metadata(DISTRIBUTION)
    except metadata.PackageNotFoundError:  # the folder was copied, not installed
        return "unknown", "", ()
    needed = [line for line in found.get_all("Requires-Dist") or () if "extra ==" not in line]
    return found["Version"], found["Requires-Python"], tuple(needed)


def requires_python() -> str:
    """The Python versions that the package supports, such as `>=3.11`."""
    return _metadata()[1]


def requirements() -> tuple[str, ...]:
    """The libraries that the package needs, such as `numba>=0.61,<1`."""
    return _metadata()[2]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return _metadata()[0]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
