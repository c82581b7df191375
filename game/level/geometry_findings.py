"""Warnings about a level's geometry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game.level.findings import Report

if TYPE_CHECKING:
    from game.level.level import Level


def look_over(level: Level, report: Report) -> None:
    """Add every warning about the geometry of a level to its report."""
