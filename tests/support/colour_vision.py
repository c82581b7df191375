"""Simulation of colour vision deficiencies, and differences of colours.

Protanopia, deuteranopia and tritanopia by the matrices of Machado, Oliveira and Fernandes, "A Physiologically-based
Model for Simulation of Color Vision Deficiency", IEEE TVCG 15(6), 2009, severity 1.0, which apply to linear RGB.
Achromatopsia is the luminance. Differences of colours are distances in CIE L*a*b* (D65, 1976).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

LUMINANCE = np.array((0.2126, 0.7152, 0.0722))  # of linear sRGB (IEC 61966-2-1)
KINDS: dict[str, Floats] = {
    "usual": np.eye(3),
    "protanopia": np.array([
        (0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998),
    ]),
    "deuteranopia": np.array([
        (0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881),
    ]),
    "tritanopia": np.array([
        (1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900),
    ]),
    "achromatopsia": np.tile(LUMINANCE, (3, 1)),
}  # fmt: skip
XYZ_OF_RGB = np.array([
    (0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041),
])  # fmt: skip
WHITE_D65 = XYZ_OF_RGB.sum(axis=1)


def to_linear(srgb: ArrayLike) -> Floats:
    """sRGB values 0..1 to linear ones."""
    value = np.asarray(srgb, dtype=np.float64)
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def to_srgb(linear: ArrayLike) -> Floats:
    """Linear values to sRGB, cut to 0..1."""
    value = np.clip(np.asarray(linear, dtype=np.float64), 0.0, 1.0)
    return np.where(value <= 0.0031308, value * 12.92, 1.055 * value ** (1.0 / 2.4) - 0.055)


def simulate(srgb: ArrayLike, kind: str) -> Floats:
    """sRGB colours (..., 3), 0..1, as this kind of colour vision sees them."""
    return to_srgb(to_linear(srgb) @ KINDS[kind].T)


def to_lab(srgb: ArrayLike) -> Floats:
    """CIE L*a*b* (D65) of sRGB colours (..., 3)."""
    ratio = to_linear(srgb) @ XYZ_OF_RGB.T / WHITE_D65
    root = np.where(ratio > (6 / 29) ** 3, np.cbrt(ratio), ratio / (3 * (6 / 29) ** 2) + 4 / 29)
    x, y, z = np.moveaxis(root, -1, 0)
    return np.stack((116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)), axis=-1)


def difference(first: ArrayLike, second: ArrayLike, kind: str = "usual") -> float:
    """Distance of two sRGB colours in L*a*b* as this kind of colour vision sees them; 2.3 is just noticeable."""
    return float(np.linalg.norm(to_lab(simulate(first, kind)) - to_lab(simulate(second, kind))))


def contrast_ratio(first: ArrayLike, second: ArrayLike) -> float:
    """Contrast (WCAG 2.1) of two opaque sRGB colours, 1 to 21."""
    low, high = sorted(float(to_linear(colour) @ LUMINANCE) for colour in (first, second))
    return (high + 0.05) / (low + 0.05)
