"""`help()` of every public name of physics, level and sim says something: classes, functions, methods, properties."""

from __future__ import annotations

import inspect
from functools import cached_property

import pytest

from game import level, physics, sim

PACKAGES = {"physics": physics, "level": level, "sim": sim}
NAMES = [(package, name) for package, module in PACKAGES.items() for name in module.__all__]


def undocumented(value, name):
    """Public classes, functions, methods and properties at and below `value` without a docstring of their own."""
    text = value.__doc__ or ""
    if not text.strip() or text.startswith(f"{name.rpartition('.')[2]}("):  # the second: made by dataclass
        yield name
    if inspect.isclass(value):
        for member, found in vars(value).items():
            kinds = (property, cached_property, staticmethod, classmethod)
            if not member.startswith("_") and (inspect.isfunction(found) or isinstance(found, kinds)):
                yield from undocumented(found, f"{name}.{member}")


@pytest.mark.parametrize(("package", "name"), NAMES, ids=[".".join(pair) for pair in NAMES])
def test_a_public_name_is_documented(package, name):
    value = getattr(PACKAGES[package], name)
    if inspect.isclass(value) or inspect.isroutine(value) or inspect.ismodule(value):
        assert list(undocumented(value, f"{package}.{name}")) == []


def test_a_missing_docstring_is_seen():
    class Bare:
        def method(self):
            return 1

        @property
        def value(self):
            """Number."""
            return 1

    assert list(undocumented(Bare, "Bare")) == ["Bare", "Bare.method"]
