"""Levels by other authors, as OBJ or binary glTF, read by trimesh.

The files are in ../shared/real beside a developer's checkout, or in the folder WALKER_REAL_LEVELS. Tests that need them
are skipped if there are none:

    @pytest.mark.parametrize("path", real_levels.PATHS, ids=real_levels.NAMES)
    def test_it(path):
        name, triangles = real_levels.read(path)
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
import trimesh

FOLDER = Path(os.environ.get("WALKER_REAL_LEVELS") or Path(__file__).parents[3] / "shared" / "real")
FOUND = sorted([*FOLDER.glob("*.obj"), *FOLDER.glob("*.glb")])
ABSENT = pytest.param(None, marks=pytest.mark.skip(reason="no real levels beside the checkout"))
PATHS = FOUND or [ABSENT]
NAMES = [path.name for path in FOUND] or ["absent"]


def read(path: Path) -> tuple[str, np.ndarray]:
    """(name, triangles (N,3,3)) of a file, Y up; polygons are cut into fans."""
    parts = trimesh.load_scene(path, process=False).dump()
    return path.name, np.concatenate([part.triangles for part in parts if isinstance(part, trimesh.Trimesh)])
