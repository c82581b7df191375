"""Files of plots: PNG, SVG or HTML by the suffix."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ...core import atomic_files
from ...level import Level
from ..drawn_walk import DrawnWalk
from ..report_error import ReportError
from . import turning_page
from .figure import Figure, encode_figure_png, encode_figure_svg
from .plot_sheet import draw_plot

FIGURE_SUFFIXES = (".png", ".svg")
PLOT_SUFFIXES = (*FIGURE_SUFFIXES, ".html")


def check_plot_output(path: Path, suffixes: Sequence[str] = PLOT_SUFFIXES) -> None:
    """Check a file name before the work: ReportError for an unknown suffix or a missing package, OSError where the file
    cannot be written."""
    suffix = path.suffix.lower()
    if suffix not in suffixes:
        raise ReportError(f"{path}: the picture must be one of {', '.join(suffixes)}")
    if suffix == ".html":
        turning_page.import_plotly(path)
    atomic_files.check_target(path)


def save_plot(level: Level, walks: Sequence[DrawnWalk], path: Path, heat: bool = False, note: str = "") -> None:
    """Write the plot of some walks, each with at least one tick. note: about the level, for the subtitle."""
    if path.suffix.lower() == ".html":
        atomic_files.write_atomic(path, turning_page.encode_page(level, walks, path, note))
    else:
        save_figure(draw_plot(level, walks, heat, note), path)


def save_figure(figure: Figure, path: Path) -> None:
    """Write a figure as PNG or SVG."""
    encode = encode_figure_svg if path.suffix.lower() == ".svg" else encode_figure_png
    atomic_files.write_atomic(path, encode(figure))
