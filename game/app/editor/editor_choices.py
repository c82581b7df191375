"""Choices of the user in the editor, which stay from level to level."""

from __future__ import annotations

from dataclasses import dataclass

GRID_SIZES = (1.0, 0.5, 0.25, 0.1)  # m


@dataclass(frozen=True, slots=True)
class EditorChoices:
    """Step of the grid (m), snapping, and the names of the geometry views that are shown."""

    grid: float = GRID_SIZES[1]
    is_snapping: bool = True
    views: frozenset[str] = frozenset()
