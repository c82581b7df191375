"""What the measures of a model make one think of: units that were not metres, an axis that was not up."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ....level.models.model_reader import METRES_BY_UNIT

Floats = NDArray[np.float64]

MAX_PLAUSIBLE_SIZE, MIN_PLAUSIBLE_SIZE = 1000.0, 3.0  # metres: levels that one walks are mostly between them
FLOOR_NORMAL = 0.9  # of a unit normal, where a face is a floor or a ceiling along that axis


def suggest_import_options(corners: Floats, units_given: bool, up_given: bool) -> list[str]:
    """Sentences about faces (M,4,3) in metres, Y up, that look as if something else was meant."""
    found = []
    low, high = corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
    size = high - low
    longest = float(size.max())
    if not units_given and longest > MAX_PLAUSIBLE_SIZE:
        for unit in ("cm", "inch", "mm"):
            if longest * METRES_BY_UNIT[unit] < MAX_PLAUSIBLE_SIZE / 3:
                found.append(
                    f"it is {longest:.4g} m long: is the unit wrong? (--units {unit} makes it "
                    f"{longest * METRES_BY_UNIT[unit]:.3g} m)"
                )
                break
    if not units_given and longest < MIN_PLAUSIBLE_SIZE:
        factor = 10 if longest * 10 >= MIN_PLAUSIBLE_SIZE else 100
        found.append(f"it is only {longest:.3g} m long: did you mean --scale {factor}?")
    if not up_given and _looks_z_up(corners, size):
        found.append("most of its flat faces point along Z: is Z its up axis? (--up z)")
    return found


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
