"""Requirements of the package, such as `pyglet>=2.1.15,<3`: names, version bounds and installed versions."""

from __future__ import annotations

import re

from ... import requirements

Bounds = tuple[tuple[str, str], ...]  # (">=" or "<", version) each


def parse_requirement(requirement: str) -> tuple[str, Bounds]:
    match = re.match(r"[\w.-]+", requirement)
    assert match is not None, requirement
    return match[0], parse_bounds(requirement[match.end() :])


def parse_bounds(text: str) -> Bounds:
    """Signs and versions of `>=2.1.15,<3`."""
    return tuple((sign, version) for sign, version in re.findall(r"(>=|<)\s*([\w.]+)", text))


def satisfies(version: str, bounds: Bounds) -> bool:
    """Whether a version is within all bounds."""
    numbers = version_numbers(version)
    limits = ((sign, version_numbers(limit)) for sign, limit in bounds)
    return all(numbers < limit if sign == "<" else numbers >= limit for sign, limit in limits)


def version_numbers(version: str) -> tuple[int, ...]:
    """The leading numbers of a version: (2, 1, 15) of `2.1.15rc1`."""
    return tuple(int(number) for number in re.findall(r"\d+", re.split(r"[a-z+-]", version)[0]))


def installed_version(package: str) -> str | None:
    from importlib import metadata

    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def installed_versions() -> dict[str, str]:
    """Version of each required package, or `not installed`."""
    names = (parse_requirement(requirement)[0] for requirement in requirements())
    return {name: installed_version(name) or "not installed" for name in names}
