"""HTML page with a level and its walks in three dimensions, which turns with the mouse, and charts below (plotly).

The page holds all of plotly.js, so that it opens without a network.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import numpy as np

from ..core.errors import ReportError
from ..core.vectors import Floats
from ..level import Level
from . import palette
from .canvas import INK, PAPER, Colour
from .drawn_walk import DrawnWalk, chart_heights

MAX_POINTS = 4000  # of a line
MAX_NAMED_WALKS = 12  # of the legend
LIFT = 0.05  # m by which paths lie above the ground
SUN_DIRECTION = np.array((-0.4, 0.8, -0.45)) / np.linalg.norm((-0.4, 0.8, -0.45))
PAGE_HEIGHT = 940  # pixels
SEE_THROUGH = 0.3  # opacity of the level


def import_plotly(path: Path) -> Any:
    """The package plotly.graph_objects. ReportError, which names `path`, where it is missing."""
    try:
        import plotly.graph_objects
        import plotly.subplots
    except ImportError:
        raise ReportError(
            f"{path}: plots as HTML need the package plotly: python -m pip install plotly (or choose .png)"
        ) from None
    return plotly


def encode_page(level: Level, walks: Sequence[DrawnWalk], path: Path, note: str = "") -> bytes:
    """The page of some walks. path: named in the error where plotly is missing; note: below the title."""
    plotly = import_plotly(path)
    objects = plotly.graph_objects
    height_title, heights = chart_heights(walks)
    figure = plotly.subplots.make_subplots(
        rows=2,
        cols=2,
        row_heights=[0.72, 0.28],
        vertical_spacing=0.07,
        specs=[[{"type": "scene", "colspan": 2}, None], [{"type": "xy"}, {"type": "xy"}]],
        subplot_titles=("", "Speed along the ground (m/s)", height_title),
    )
    figure.add_trace(_level_mesh(level, objects), row=1, col=1)
    for number, walk in enumerate(walks):
        _add_walk(figure, objects, number, walk, heights[number] if len(walks) <= MAX_NAMED_WALKS else None)
    if level.goal is not None:
        figure.add_trace(_marker(objects, level.goal.at, "goal", palette.GOAL, "diamond"), row=1, col=1)
    start = walks[0].table.feet[0].tolist()
    figure.add_trace(_marker(objects, start, "start", palette.SPAWN, "circle"), row=1, col=1)
    axis = {"showbackground": False, "gridcolor": "#ddd8cf", "zeroline": False}
    figure.update_layout(
        title={"text": _html_text(level.name) + (f"<br><sup>{_html_text(note)}</sup>" if note else ""), "x": 0.02},
        height=PAGE_HEIGHT,
        paper_bgcolor=_css_colour(PAPER),
        plot_bgcolor="#ffffff",
        font={"family": "Inter, Helvetica, Arial, sans-serif", "color": _css_colour(INK)},
        margin={"l": 40, "r": 20, "t": 60, "b": 40},
        legend={"y": 0.98, "x": 0.99, "xanchor": "right", "bgcolor": "rgba(255,255,255,0.7)"},
        updatemenus=[_wall_buttons()],
        scene={
            "aspectmode": "data",
            "xaxis": {**axis, "title": {"text": "east (m)"}},
            "yaxis": {**axis, "title": {"text": "north (m)"}},
            "zaxis": {**axis, "title": {"text": "up (m)"}},
            "camera": {"eye": {"x": -1.08, "y": -1.42, "z": 1.13}, "center": {"x": 0.0, "y": 0.0, "z": -0.22}},
        },
    )
    figure.update_xaxes(title_text="time (s)", gridcolor="#eee9e0", rangemode="tozero")
    figure.update_yaxes(gridcolor="#eee9e0")
    figure.update_yaxes(rangemode="tozero", row=2, col=1)
    config = {"displaylogo": False, "responsive": True, "scrollZoom": True}
    page = figure.to_html(include_plotlyjs=True, full_html=True, div_id="walks", config=config)
    title = f"<title>{_html_text(level.name)}</title>"
    encoded: bytes = page.replace("<head>", f"<head>{title}", 1).encode()
    return encoded


def _wall_buttons() -> dict[str, Any]:
    """Buttons that make the level solid, or translucent so that paths inside buildings show."""
    buttons = [
        {"label": label, "method": "restyle", "args": [{"opacity": opacity}, [0]]}
        for label, opacity in (("solid walls", 1.0), ("see-through walls", SEE_THROUGH))
    ]
    place = {"x": 0.01, "y": 0.99, "xanchor": "left", "yanchor": "top"}
    return {"type": "buttons", "direction": "right", "buttons": buttons, "bgcolor": "#ffffff", **place}


def _level_mesh(level: Level, objects: Any) -> Any:
    """The visible triangles with shaded surface colours. Plotly shades a face by its normal, which thin walls lack."""
    triangles: Floats = np.asarray(level.drawn, np.float64).reshape(-1, 3, 3)
    cross = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    normal = cross / np.maximum(np.linalg.norm(cross, axis=1), 1e-12)[:, None]
    light = np.clip(0.68 + 0.4 * (normal @ SUN_DIRECTION), 0.0, 1.0)
    colours = np.array([surface.colour for surface in level.surfaces], np.float64).reshape(-1, 3)
    shaded = np.clip(colours[np.asarray(level.drawn_surface)] * light[:, None] * 255.0, 0, 255).astype(int)
    corners = _to_plot(triangles.reshape(-1, 3))
    first = np.arange(0, len(corners), 3)
    return objects.Mesh3d(
        x=np.round(corners[:, 0], 3),
        y=np.round(corners[:, 1], 3),
        z=np.round(corners[:, 2], 3),
        i=first,
        j=first + 1,
        k=first + 2,
        facecolor=[_css_colour(colour) for colour in shaded.tolist()],
        lighting={"ambient": 1.0, "diffuse": 0.0, "specular": 0.0},
        hoverinfo="skip",
        name="level",
        showlegend=False,
    )


def _add_walk(figure: Any, objects: Any, number: int, walk: DrawnWalk, heights: Floats | None) -> None:
    """Add a path, and its lines in the charts where `heights` are given: many walks have none."""
    step = max(1, -(-len(walk.table.feet) // MAX_POINTS))
    feet = _to_plot(walk.table.feet[::step] + np.array((0.0, LIFT, 0.0)))
    colour = _css_colour(palette.walk_colour(number))
    seconds = np.round(walk.seconds[::step], 3)
    group = {"name": _html_text(walk.name), "legendgroup": str(number)}
    is_named = heights is not None
    figure.add_trace(
        objects.Scatter3d(
            x=np.round(feet[:, 0], 3), y=np.round(feet[:, 1], 3), z=np.round(feet[:, 2], 3), mode="lines",
            line={"color": colour, "width": 6 if is_named else 2}, showlegend=is_named, customdata=seconds,
            hovertemplate="%{customdata:.2f} s<br>east %{x:.2f} m, north %{y:.2f} m, up %{z:.2f} m", **group,
        ),
        row=1, col=1,
    )  # fmt: skip
    if heights is None:
        return
    for column, values in enumerate((walk.speed, heights), start=1):
        line = objects.Scatter(
            x=seconds, y=np.round(values[::step], 3), mode="lines", line={"color": colour}, showlegend=False, **group
        )
        figure.add_trace(line, row=2, col=column)


def _marker(objects: Any, at: Sequence[float], name: str, colour: Colour, symbol: str) -> Any:
    x, y, z = _to_plot(np.array([at], np.float64))[0].tolist()
    marker = {"size": 7, "color": _css_colour(colour), "symbol": symbol, "line": {"color": "#ffffff", "width": 2}}
    return objects.Scatter3d(x=[x], y=[y], z=[z + LIFT], mode="markers", marker=marker, name=name)


def _to_plot(points: Floats) -> Floats:
    """Points (x east, y up, z south) as (east, north, up)."""
    return np.stack([points[:, 0], -points[:, 2], points[:, 1]], axis=1)


def _css_colour(colour: Sequence[int]) -> str:
    """`#30a0ff`."""
    return "#{:02x}{:02x}{:02x}".format(*colour)


def _html_text(text: str) -> str:
    """Text without marks of HTML, which plotly would obey, and without characters that do not print."""
    return escape("".join(char if char.isprintable() else "?" for char in text))
