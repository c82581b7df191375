"""Stains of surfaces, and dirt of walls: the alpha channel of the lightmap."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from ..gl.programs import SHADER_CONSTANTS
from .bake_input import BakeInput, Floats32
from .render_mesh import RenderMesh
from .uv_unwrap import UvCharts

MIN_TINT, TINT_RANGE = SHADER_CONSTANTS["MIN_TINT"], SHADER_CONSTANTS["TINT_RANGE"]
MIN_DIRTY_WALL = 1.2  # metres of height


def stain_map(charts: UvCharts, mesh: RenderMesh) -> Floats32:
    """Stains (height, width) 0..1 of the charts. Pictures have none: they look as their author painted them."""
    stains = stain_noise(charts.position)
    if mesh.pictured is not None:
        pictured_charts = np.unique(charts.chart_of_triangle[mesh.pictured.has_picture])
        stains[np.isin(charts.chart_of_texel, pictured_charts)] = 0.5
    return stains


def wall_dirt(bake_input: BakeInput, is_valid: npt.NDArray[np.bool_]) -> Floats32:
    """Dirt (height, width) 0..1 of high walls: splashes at the foot, and streaks that run down from the top edge.

    is_valid: (height, width) texels that are not in the ground. Pictures, whose stains are 0.5, have no dirt.
    """
    result = np.zeros(is_valid.shape, np.float32)
    is_wall = is_valid & (np.abs(bake_input.normals[..., 1]) < 0.3) & (bake_input.stain_map != 0.5)
    chart, position = bake_input.chart_of_texel[is_wall], bake_input.positions[is_wall][:, :3]
    if not len(chart):
        return result
    foot, top = np.full(int(chart.max()) + 1, np.inf), np.full(int(chart.max()) + 1, -np.inf)
    np.minimum.at(foot, chart, position[:, 1])
    np.maximum.at(top, chart, position[:, 1])
    tall = (top - foot)[chart] >= MIN_DIRTY_WALL
    above, below = (position[:, 1] - foot[chart]).astype(np.float32), (top[chart] - position[:, 1]).astype(np.float32)
    columns = position * (1.0, 0.06, 1.0)  # nearly the same down the wall
    rough, streaks = stain_noise(2.5 * position), stain_noise(3.0 * columns) - 0.5
    splashes = np.exp(-above / (0.2 + 0.6 * rough * rough))
    runs = np.clip(4.0 * streaks, 0.0, 1.0) * np.exp(-below / (0.3 + 2.5 * np.maximum(streaks, 0.0)))
    result[is_wall] = np.where(tall, np.maximum(splashes, 0.9 * runs), 0.0)
    return result


def stain_noise(positions: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Low-frequency noise of surface darkness (..., 3) -> (...) 0..1, which hides the repetition of tiles."""
    x, y, z = np.moveaxis(positions, -1, 0)
    total = np.zeros(x.shape, np.float32)
    generator = np.random.default_rng(20)
    for wavelength in (7.0, 4.1, 2.3, 1.3):
        for _ in range(3):
            k = generator.normal(size=3)
            k *= 2 * math.pi / wavelength / np.linalg.norm(k)
            total += np.sin(k[0] * x + k[1] * y + k[2] * z + generator.uniform(0, 6.28))
    return np.asarray(np.clip(0.5 + total * 0.07, 0.0, 1.0), dtype=np.float32)


def encode_stains(stain: npt.NDArray[np.float32]) -> Floats32:
    """Alpha channel (...) of the lightmap, 0..1, from stains, 0..1 and less where there is dirt."""
    return np.asarray(np.clip((0.80 + 0.40 * stain - MIN_TINT) / TINT_RANGE, 0.0, 1.0), dtype=np.float32)
