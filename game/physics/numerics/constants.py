"""Namespaces of constants that kernels can read."""

from __future__ import annotations

from types import ModuleType
from typing import TypeVar, cast

T = TypeVar("T")


def constants(names: type[T]) -> type[T]:
    """A class as a module, since kernels read constants of modules and not of classes: `b[body.SKIN]`."""
    module = ModuleType(f"{names.__module__}.{names.__name__}", names.__doc__)
    vars(module).update((name, value) for name, value in vars(names).items() if name.isupper())
    return cast("type[T]", module)
