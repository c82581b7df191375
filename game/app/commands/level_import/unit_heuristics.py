"""Heuristics for the units and the up axis of a model, by its size and the direction of its faces."""

from __future__ import annotations

import numpy as np

from ....core.vectors import Floats
from ....level.models.model_reader import METRES_BY_UNIT

MAX_PLAUSIBLE_SIZE, MIN_PLAUSIBLE_SIZE = 1000.0, 3.0  # m: most levels are between them
FLOOR_NORMAL = 0.9  # component of a unit normal along an axis above which a face is a floor or a ceiling


def suggest_import_options(corners: Floats, units_given: bool, up_given: bool) -> list[str]:
    """Sentences that suggest other options for faces (M,4,3) in metres, Y up."""
    hints = []
    low, high = corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
    size = high - low
    longest = float(size.max())
    if not units_given and longest > MAX_PLAUSIBLE_SIZE:
        for unit in ("cm", "inch", "mm"):
            if longest * METRES_BY_UNIT[unit] < MAX_PLAUSIBLE_SIZE / 3:
                hints.append(
                    f"it is {longest:.4g} m long: is the unit wrong? (--units {unit} makes it "
                    f"{longest * METRES_BY_UNIT[unit]:.3g} m)"
                )
                break
    if not units_given and longest < MIN_PLAUSIBLE_SIZE:
        factor = 10 if longest * 10 >= MIN_PLAUSIBLE_SIZE else 100
        hints.append(f"it is only {longest:.3g} m long: did you mean --scale {factor}?")
    if not up_given and _looks_z_up(corners, size):
        hints.append("most of its flat faces point along Z: is Z its up axis? (--up z)")
    return hints


def _looks_z_up(corners: Floats, size: Floats) -> bool:
    normal = np.cross(corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1])
    triangular = np.all(corners[:, 2] == corners[:, 3], axis=-1)
    normal[triangular] = np.cross(
        corners[triangular, 1] - corners[triangular, 0], corners[triangular, 2] - corners[triangular, 0]
    )
    area = np.linalg.norm(normal, axis=1)
    unit = np.abs(np.divide(normal, area[:, None], out=np.zeros_like(normal), where=area[:, None] > 0))
    along = [float(area[unit[:, axis] > FLOOR_NORMAL].sum()) for axis in range(3)]
    return along[2] > 2.0 * along[1] and size[2] < 0.7 * size[1]
