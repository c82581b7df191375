"""Next level after a finished one: the order of the first route, and of the museum's gates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...level import Exit
from ...level.format.file_access import SHIPPED_LEVELS
from ..menus import level_library
from ..runs import progress

if TYPE_CHECKING:
    from pathlib import Path

    from ...level import Level

HALL = "demo"  # the level with the doors to all others
_WORLDS = level_library.WORLD_ORDER
# Routes, each with the level that follows its last one.
ROUTES: tuple[tuple[tuple[str, ...], str], ...] = (
    ((*_WORLDS[:-1], *(f"golf/{name}" for name in level_library.GOLF_ORDER), _WORLDS[-1]), HALL),
    (
        (
            "museum/doorway", "museum/corridor", "museum/slim_gap", "museum/crouch", "museum/jump", "museum/fall",
            "museum/stairs", "museum/same_again",
        ),
        "museum/hall",
    ),
    (("examples/targets", "examples/lamps", "examples/terrain"), HALL),
)  # fmt: skip


def next_stem(path: Path) -> str | None:
    """Name of the level that follows a shipped one, such as `golf/two`; None for a level of the player's own."""
    key = progress.file_key(path)
    if not key.startswith("shipped/"):
        return None
    stem = key.removeprefix("shipped/").removesuffix(".yaml")
    for route, end in ROUTES:
        if stem in route:
            return (*route, end)[route.index(stem) + 1]
    return None


def next_level(level: Level) -> Exit | None:
    """Way into the next level; None where there is none."""
    stem = next_stem(level.path)
    if stem is None:
        return None
    path = SHIPPED_LEVELS / f"{stem}.yaml"
    name = next((entry.name for entry in level_library.find_levels() if entry.path == path), stem)
    return Exit((0.0, 0.0, 0.0), 0.0, str(path), path, name, "")
