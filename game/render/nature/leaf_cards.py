"""Leaf cards: small pictures of twigs on the faces of hedges and trees, whose solid shape they hide. No GL.

A plant is a connected part of the level with the texture "leaves". Cards lie on its faces and take the baked light
of the face below. They are no part of the lightmapped mesh.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ...core.srgb import srgb_to_linear
from ...core.vectors import Flags, Floats, Indices

TALL = 0.9  # height per width of a tree with needles or upright twigs
MAX_UNDERSIDE = -0.5  # y of the normal; faces that look down have no cards
CARD_SIZES = 0.24, 0.95  # metres: of a shrub and of a large tree
SIZE_PER_EXTENT = 0.17  # of a card, per metre of the plant's height and width
COVERAGE = 2.6  # area of the cards per area of the faces
MAX_GROWTH = 1.7  # of the size of cards where their number is limited
LEAVES, NEEDLES = 0.0, 1.0  # cells of the picture of leaves

# One row per card: the attributes of nature/leaf_card.vert.glsl
LEAF_CARD = np.dtype(
    [
        ("in_centre", "f4", 3),  # metres
        ("in_across", "f4", 3),  # half of the card: right, and along the twig
        ("in_along", "f4", 3),
        ("in_normal", "f4", 4),  # of the face; w: cell of the picture
        ("in_colour", "f4", 3),  # linear
        ("in_lightmap_uv", "f4", 2),
    ]
)
LeafCards = npt.NDArray[np.void]


def plant_of_triangle(triangles: Floats, normals: Floats, is_leafy: Flags) -> tuple[Indices, Floats]:
    """Plant (N,) of each triangle (N, 3, 3), -1 for none, and height and width (P, 2) of the plants in metres.

    is_leafy: (N,) triangles with leaves.
    """
    result = np.full(len(triangles), -1, np.int64)
    candidates = np.flatnonzero(is_leafy)
    if not len(candidates):
        return result, np.zeros((0, 2))
    triangles, up = triangles[candidates], normals[candidates, 1]
    part = connected_parts(triangles)
    count = int(part.max()) + 1
    low, high = np.full((count, 3), np.inf), np.full((count, 3), -np.inf)
    np.minimum.at(low, part, triangles.min(axis=1))
    np.maximum.at(high, part, triangles.max(axis=1))
    result[candidates] = np.where(up < MAX_UNDERSIDE, -1, part)
    extent = high - low
    return result, np.column_stack((extent[:, 1], np.maximum(extent[:, 0], extent[:, 2])))


def connected_parts(triangles: Floats) -> Indices:
    """Part (N,) of each triangle (N, 3, 3): triangles with a common corner, within 1 cm, are one part."""
    corners = np.unique(np.rint(triangles.reshape(-1, 3) * 100), axis=0, return_inverse=True)[1].reshape(-1, 3)
    label = np.arange(int(corners.max()) + 1)
    while True:
        smallest = label[corners].min(axis=1)
        before = label.copy()
        np.minimum.at(label, corners, smallest[:, None])
        label = label[label]
        if np.array_equal(label, before):
            return np.asarray(np.unique(label[corners[:, 0]], return_inverse=True)[1].reshape(-1), np.int64)


def triangle_areas(triangles: Floats) -> Floats:
    """Areas (N,) of triangles (N, 3, 3)."""
    edges = triangles[:, 1:] - triangles[:, :1]
    return np.asarray(0.5 * np.linalg.norm(np.cross(edges[:, 0], edges[:, 1]), axis=1))


def scatter_leaf_cards(
    triangles: Floats, normals: Floats, colours: Floats, is_leafy: Flags, lightmap_uv: Floats, most: int
) -> LeafCards:
    """At most `most` cards (n,) LEAF_CARD on the plants among triangles (N, 3, 3).

    normals (N, 3), colours (N, 3) sRGB, lightmap_uv (N, 3, 2). is_leafy: see `plant_of_triangle`.
    """
    plant, extents = plant_of_triangle(triangles, normals, is_leafy)
    faces = np.flatnonzero(plant >= 0)
    if not len(faces) or most <= 0:
        return np.zeros(0, LEAF_CARD)
    generator = np.random.default_rng(7)
    height, width = extents[plant[faces]].T
    size = np.clip(SIZE_PER_EXTENT * np.minimum(height, width) + 0.08, *CARD_SIZES)
    wanted = COVERAGE * triangle_areas(triangles[faces]) / size**2
    growth = min(MAX_GROWTH, max(1.0, float(np.sqrt(wanted.sum() / most))))
    wanted *= min(1.0, most / float(wanted.sum()))
    counts = np.floor(wanted + generator.random(len(faces))).astype(int)
    face = np.repeat(np.arange(len(faces)), counts)[:most]
    triangle = faces[face]
    weights = generator.dirichlet((1.0, 1.0, 1.0), len(face))
    points = np.einsum("ni,nij->nj", weights, triangles[triangle])
    normals = normals[triangle]
    is_tall = (height > TALL * width)[face]
    half = 0.5 * growth * size[face, None] * generator.uniform(0.8, 1.25, (len(face), 1))
    # Twigs point outwards; those of tall trees up or down along the crown, those of hedges also along the face.
    along = normals + generator.normal(0.0, 0.45, normals.shape)
    along[:, 1] += np.where(is_tall, generator.choice((0.9, -0.5), len(face)), 0.15)
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    across = np.cross(along, generator.normal(size=normals.shape))
    across /= np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-6)
    rows = np.zeros(len(face), LEAF_CARD)
    rows["in_centre"] = points + 0.35 * half * along
    rows["in_across"], rows["in_along"] = half * across, half * along
    rows["in_normal"][:, :3], rows["in_normal"][:, 3] = normals, np.where(is_tall, NEEDLES, LEAVES)
    tone = generator.uniform(0.75, 1.45, (len(face), 1)) * generator.normal(1.0, 0.05, (len(face), 3))
    rows["in_colour"] = srgb_to_linear(colours[triangle]) * tone
    rows["in_lightmap_uv"] = np.einsum("ni,nij->nj", weights, lightmap_uv[triangle])
    return rows


def leaf_picture(side: int = 128) -> npt.NDArray[np.uint8]:
    """Picture (side, 2 side, 4) of a twig with leaves and one with needles, the stems below. rgb: tone; a: opacity."""
    larger = 2
    y, x = (np.mgrid[: larger * side, : 2 * larger * side] + 0.5) / (larger * side)
    tones, opacity = np.full(x.shape, 0.6), np.zeros(x.shape)
    generator = np.random.default_rng(3)

    def add_leaf(stem: tuple[float, float], angle: float, length: float, width: float) -> None:
        along = ((x - stem[0]) * np.sin(angle) - (y - stem[1]) * np.cos(angle)) / length
        aside = ((x - stem[0]) * np.cos(angle) + (y - stem[1]) * np.sin(angle)) / (0.5 * width)
        inside = (along > 0.0) & (along < 1.0)
        inside[inside] = np.abs(aside[inside]) < np.sin(np.pi * along[inside] ** 0.8)
        tones[inside] = generator.uniform(0.37, 0.92) * np.where(aside[inside] > 0.0, 1.0, 0.82)
        opacity[inside] = 1.0

    for _ in range(46):
        stem = float(generator.uniform(0.14, 0.86)), float(generator.uniform(0.2, 0.97))
        add_leaf(stem, 1.9 * (stem[0] - 0.5) + generator.normal(0.0, 0.6), generator.uniform(0.15, 0.24), 0.1)
    for height in np.linspace(0.97, 0.1, 34):
        for sign in (-1.0, 1.0):
            length = 0.42 * (1.0 - 0.65 * (0.97 - height)) * generator.uniform(0.6, 1.0)
            add_leaf((1.5 + generator.normal(0.0, 0.03), height), sign * generator.uniform(0.5, 1.1), length, 0.075)
    fine = np.stack((tones, tones, tones, opacity), axis=2).reshape(side, larger, 2 * side, larger, 4)
    picture = fine.mean(axis=(1, 3))
    return np.asarray(np.rint(255.0 * picture), np.uint8)
