"""HTML page with a level and its walks in three dimensions, which turns with the mouse (plotly).

The page holds all of plotly.js, so that it opens without a network.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from xml.sax.saxutils import escape

import numpy as np

from ..core.vectors import Floats
from ..level import Level
from . import palette
from .canvas import INK, PAPER
from .heat_map import DrawnWalk

MAX_POINTS = 4000  # of a line
LIFT = 0.05  # m by which paths lie above the ground
SUN_DIRECTION = np.array((-0.4, 0.8, -0.45)) / np.linalg.norm((-0.4, 0.8, -0.45))
PAGE_HEIGHT = 940  # pixels
SEE_THROUGH = 0.3  # opacity of the level


def encode_page(level: Level, walks: Sequence[DrawnWalk], note: str = "") -> bytes:
    """The page of some walks. note: below the title."""
    from plotly import graph_objects as objects

    figure = objects.Figure(_level_mesh(level, objects))
    figure.add_traces([_path(objects, number, walk) for number, walk in enumerate(walks)])
    marks = [("start", walks[0].table.feet[0], palette.SPAWN)]
    marks += [] if level.goal is None else [("goal", np.array(level.goal.at), palette.GOAL)]
    for name, place, colour in marks:
        x, y, z = _to_plot(place[None] + (0.0, LIFT, 0.0)).T
        marker = {"size": 7, "color": _css_colour(colour), "line": {"color": "#ffffff", "width": 2}}
        figure.add_scatter3d(x=x, y=y, z=z, mode="markers", marker=marker, name=name)
    buttons = [  # translucent, so that paths inside buildings show
        {"label": label, "method": "restyle", "args": [{"opacity": opacity}, [0]]}
        for label, opacity in (("solid walls", 1.0), ("see-through walls", SEE_THROUGH))
    ]
    axis = {"showbackground": False, "gridcolor": "#ddd8cf", "zeroline": False}
    figure.update_layout(
        title={"text": _html_text(level.name) + (f"<br><sup>{_html_text(note)}</sup>" if note else ""), "x": 0.02},
        height=PAGE_HEIGHT,
        paper_bgcolor=_css_colour(PAPER),
        font={"family": "Inter, Helvetica, Arial, sans-serif", "color": _css_colour(INK)},
        margin={"l": 40, "r": 20, "t": 60, "b": 40},
        legend={"y": 0.98, "x": 0.99, "xanchor": "right", "bgcolor": "rgba(255,255,255,0.7)"},
        updatemenus=[{"type": "buttons", "buttons": buttons, "bgcolor": "#ffffff", "x": 0.01, "xanchor": "left"}],
        scene={
            "aspectmode": "data",
            "xaxis": {**axis, "title": {"text": "east (m)"}},
            "yaxis": {**axis, "title": {"text": "north (m)"}},
            "zaxis": {**axis, "title": {"text": "up (m)"}},
            "camera": {"eye": {"x": -1.08, "y": -1.42, "z": 1.13}, "center": {"x": 0.0, "y": 0.0, "z": -0.22}},
        },
    )
    config = {"displaylogo": False, "responsive": True, "scrollZoom": True}
    page = figure.to_html(include_plotlyjs=True, full_html=True, div_id="walks", config=config)
    title = f"<title>{_html_text(level.name)}</title>"
    encoded: bytes = page.replace("<head>", f"<head>{title}", 1).encode()
    return encoded


def _level_mesh(level: Level, objects: Any) -> Any:
    """The visible triangles with shaded surface colours. Plotly shades a face by its normal, which thin walls lack."""
    triangles: Floats = np.asarray(level.drawn, np.float64).reshape(-1, 3, 3)
    cross = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    normal = cross / np.maximum(np.linalg.norm(cross, axis=1), 1e-12)[:, None]
    light = np.clip(0.68 + 0.4 * (normal @ SUN_DIRECTION), 0.0, 1.0)
    colours = np.array([surface.colour for surface in level.surfaces], np.float64).reshape(-1, 3)
    shaded = np.clip(colours[np.asarray(level.drawn_surface)] * light[:, None] * 255.0, 0, 255).astype(int)
    corners = np.round(_to_plot(triangles.reshape(-1, 3)), 3)
    first = np.arange(0, len(corners), 3)
    return objects.Mesh3d(
        **dict(zip("xyz", corners.T, strict=True)),
        **dict(zip("ijk", (first, first + 1, first + 2), strict=True)),
        facecolor=[_css_colour(colour) for colour in shaded.tolist()],
        lighting={"ambient": 1.0, "diffuse": 0.0, "specular": 0.0},
        hoverinfo="skip",
        name="level",
        showlegend=False,
    )


def _path(objects: Any, number: int, walk: DrawnWalk) -> Any:
    """The path of a walk, with the time, the place and the speed at each point."""
    step = max(1, -(-len(walk.table.feet) // MAX_POINTS))
    feet = np.round(_to_plot(walk.table.feet[::step] + np.array((0.0, LIFT, 0.0))), 3)
    return objects.Scatter3d(
        **dict(zip("xyz", feet.T, strict=True)),
        mode="lines",
        line={"color": _css_colour(palette.walk_colour(number)), "width": 6},
        customdata=np.round(np.stack((walk.seconds, walk.speed), axis=1)[::step], 3),
        hovertemplate="%{customdata[0]:.2f} s, %{customdata[1]:.2f} m/s<br>"
        "east %{x:.2f} m, north %{y:.2f} m, up %{z:.2f} m",
        name=_html_text(walk.name),
    )


def _to_plot(points: Floats) -> Floats:
    """Points (x east, y up, z south) as (east, north, up)."""
    return np.stack([points[:, 0], -points[:, 2], points[:, 1]], axis=1)


def _css_colour(colour: Sequence[int]) -> str:
    """`#30a0ff`."""
    return "#{:02x}{:02x}{:02x}".format(*colour)


def _html_text(text: str) -> str:
    """Text without marks of HTML, which plotly would obey, and without characters that do not print."""
    return escape("".join(char if char.isprintable() else "?" for char in text))
