"""Import alias of a checkout: `game.x` is the module object `ellipsoid_walker.x`. An installed wheel has no alias.

The canonical name, in `__name__`, in pickles and in the cache of compiled kernels, is always `ellipsoid_walker`. See
docs/decisions/0022-two-import-names.md.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import CodeType, ModuleType
from typing import Any

PACKAGE = "ellipsoid_walker"
ALIAS = "game"


class AliasLoader:
    """Loader that imports the module under its canonical name and enters the same object under the alias."""

    def __init__(self, canonical: ModuleSpec) -> None:
        self.canonical = canonical

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """None: `sys.modules` holds an empty module until `exec_module` replaces it.

        The canonical module would get the alias as its `__spec__` if this method returned it.
        """
        return None

    def exec_module(self, module: ModuleType) -> None:
        """Replace the empty module. The import system returns what `sys.modules` holds after this call."""
        sys.modules[module.__name__] = import_module(self.canonical.name)

    def get_code(self, name: str) -> CodeType | None:
        """The code of the module, for `python -m`."""
        loader: Any = self.canonical.loader
        code: CodeType | None = loader.get_code(self.canonical.name)
        return code


class AliasFinder:
    """Meta path finder for `game.x`. Must stand before the finder of files, which would make a second module of it."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec of a module `game.x`. None for other names, and where `game` is a package of the user's."""
        if sys.meta_path[0] is not self:  # a finder that was added later, such as pytest's
            sys.meta_path.remove(self)
            sys.meta_path.insert(0, self)
        if not name.startswith(f"{ALIAS}.") or sys.modules.get(ALIAS) is not sys.modules.get(PACKAGE):
            return None
        canonical = find_spec(PACKAGE + name[len(ALIAS) :])
        if canonical is None:
            return None
        places = canonical.submodule_search_locations
        loader: Any = AliasLoader(canonical)  # no importlib.abc.Loader: its import takes 13 ms
        spec = ModuleSpec(name, loader, origin=canonical.origin, is_package=places is not None)
        if places is not None:
            spec.submodule_search_locations = places
        return spec


def serve_alias(file: str) -> None:
    """Make `sys.modules["game"]` the canonical package. `file` is the `__init__.py` that was found as `game`.

    Raises ImportError where the canonical package comes from another installation than `file`.
    """
    folder = os.path.dirname(os.path.realpath(file))
    package = sys.modules[PACKAGE]
    other = os.path.dirname(os.path.realpath(package.__file__ or ""))
    if os.path.dirname(folder) != os.path.dirname(other):
        raise ImportError(
            f"{ALIAS} is in {folder}, but {PACKAGE} was imported from {other}: two installations in one process. "
            f"Uninstall one of them, or start Python in the folder above {folder} (python -m pytest, not pytest)"
        )
    sys.modules[ALIAS] = package
    if not any(isinstance(finder, AliasFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, AliasFinder())
