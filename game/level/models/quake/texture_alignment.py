"""Texture coordinates of brush faces: projections of points in Quake's units to texels.

Source: QBSP (id Software, GPL release), `TextureAxisFromPlane` and `QuakeTexVecs`, for the Standard format; the Valve
220 format writes the axes themselves.
"""

from __future__ import annotations

import math
import re

import numpy as np

from ....core.vectors import Floats
from .map_parser import BrushFace

MAX_TEXELS = 1e7  # a larger offset or factor is no alignment
_NUMBER = re.compile(r"[^\s\[\]]+")

# Directions of faces, the first nearest one counts, and the axes of their textures: across and down.
_FACINGS = np.array([[0, 0, 1], [0, 0, -1], [1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0]], np.float64)
_ACROSS = np.array([[1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 1, 0], [1, 0, 0], [1, 0, 0]], np.float64)
_DOWN = np.array([[0, -1, 0], [0, -1, 0], [0, 0, -1], [0, 0, -1], [0, 0, -1], [0, 0, -1]], np.float64)


def read_alignment(face: BrushFace) -> Floats:
    """Rows (2,4) of the affine map from a point to texels across and down the picture. Mistakes give the default."""
    try:
        numbers = [float(word) for word in _NUMBER.findall(face.alignment)[:16]]
    except ValueError:
        numbers = []
    if not all(math.isfinite(number) and abs(number) <= MAX_TEXELS for number in numbers):
        numbers = []
    if "[" in face.alignment and len(numbers) >= 11:
        axes = np.array([numbers[0:3], numbers[4:7]])
        offsets = np.array([numbers[3], numbers[7]])
        scales = numbers[9:11]
    else:
        given = [*numbers[:5], *(0.0, 0.0, 0.0, 1.0, 1.0)[len(numbers) :]]
        axes = _standard_axes(face, given[2])
        offsets = np.array(given[:2])
        scales = given[3:5]
    factors = np.array([scale if abs(scale) > 1e-6 else 1.0 for scale in scales])
    return np.column_stack([axes / factors[:, None], offsets])


def _standard_axes(face: BrushFace, degrees: float) -> Floats:
    """Axes (2,3) of the Standard format: those of the nearest main direction, turned in their plane."""
    first, second, third = np.array(face.points)
    normal = np.cross(third - first, second - first)
    nearest = int(np.argmax(np.round(_FACINGS @ normal / max(float(np.linalg.norm(normal)), 1e-12), 9)))
    axes = np.stack([_ACROSS[nearest], _DOWN[nearest]])
    s, t = (int(np.argmax(axis != 0.0)) for axis in axes)
    sine, cosine = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
    turned = axes.copy()
    turned[:, s] = cosine * axes[:, s] - sine * axes[:, t]
    turned[:, t] = sine * axes[:, s] + cosine * axes[:, t]
    return turned
