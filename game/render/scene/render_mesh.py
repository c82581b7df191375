"""Render mesh: triangles of the level and of sign boards with normals, colours and texture coordinates."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.angles import RADIANS_PER_HEADING_UNIT
from ...core.srgb import linear_to_srgb, srgb_to_linear
from ...core.vectors import Floats, Ints, Vector
from ...level.build.pieces.signs_and_decals import SIGN_THICKNESS
from ..gl.programs import SHADER_CONSTANTS
from ..materials.pictured_mesh import PicturedAttributes
from .scene import Scene, SignAppearance, SurfaceAppearance
from .smooth_normals import smooth_corner_normals

SIGN_BOARD = SurfaceAppearance((0.90, 0.86, 0.76), "plain")  # warm white
SIGN_FRAME = SurfaceAppearance((0.27, 0.20, 0.15), "plain")
SIGN_BACK = SurfaceAppearance((0.50, 0.38, 0.26), "planks")
SIGN_FRAME_FRACTION, MAX_SIGN_FRAME_WIDTH = 0.07, 0.03  # of the board's smaller side; metres
BACK_GAP = 0.004  # m between the board and what is drawn on its back
# Largest luminance of the colour of each texture: natural materials reflect less than their colour on a screen shows,
# and light that bounces between white walls has no shadows.
ALBEDO_LIMITS = {
    "leaves": 0.18,
    "flagstone": 0.48, "brick": 0.30, "planks": 0.36, "grass": 0.20, "concrete": 0.48, "earth": 0.25, "sand": 0.48,
}  # fmt: skip
MIN_FLOW_ALIGNMENT = 0.3  # fraction of a flow's speed that must be tangential to move the pattern
FLOOR_NORMAL_Y = 0.95  # steeper slopes are mapped as walls (18 degrees; below, a metre is at most 5 % short)

TEXTURES = (
    "plain", "flagstone", "brick", "plaster", "planks", "grass", "tiles", "concrete", "metal", "ice", "belt", "earth",
    "sand", "leaves",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class RenderMesh:
    """N triangles with attributes.

    triangles: (N, 3, 3) metres. normals, tangents: (N, 3) unit. texture_coordinates: (N, 3, 2) metres. colours: (N, 3)
    sRGB. texture_layers: (N,) indices into TEXTURES. flow_speeds: (N,) m/s of the pattern along the tangent, for
    conveyors. smooth: (N,) with averaged corner_normals (N, 3, 3); elsewhere those equal the normal. closed: (N,) see
    Scene. pictured: pictures of the triangles; None if none has any. solid_bounds: see Scene.
    """

    triangles: Floats
    normals: Floats
    tangents: Floats
    texture_coordinates: Floats
    colours: Floats
    texture_layers: npt.NDArray[np.int32]
    flow_speeds: Floats
    smooth: npt.NDArray[np.bool_]
    corner_normals: Floats
    closed: npt.NDArray[np.bool_]
    pictured: PicturedAttributes | None = None
    solid_bounds: tuple[Vector, Vector] | None = None

    @property
    def textures(self) -> tuple[str, ...]:
        """Names of the procedural textures in use."""
        layers = self.texture_layers if self.pictured is None else self.texture_layers[~self.pictured.has_picture]
        return tuple(TEXTURES[layer] for layer in np.unique(layers))

    def subset(self, chosen: npt.NDArray[Any]) -> RenderMesh:
        """Mesh of the triangles with these indices or this mask."""
        return RenderMesh(
            self.triangles[chosen], self.normals[chosen], self.tangents[chosen], self.texture_coordinates[chosen],
            self.colours[chosen], self.texture_layers[chosen], self.flow_speeds[chosen], self.smooth[chosen],
            self.corner_normals[chosen], self.closed[chosen],
            None if self.pictured is None else self.pictured.subset(chosen), self.solid_bounds,
        )  # fmt: skip

    @classmethod
    def from_scene(cls, scene: Scene) -> RenderMesh:
        """Mesh of a scene with the boards of its signs that no mover carries. Drops degenerate triangles; unknown
        textures become "plain".
        """
        appearances = (*scene.surfaces, SIGN_BOARD, SIGN_FRAME, SIGN_BACK)
        faces = [sign_face_mesh(sign) for sign in scene.signs if sign.mover < 0]
        triangles = np.concatenate([scene.triangles, *(face for face, _ in faces)])
        kinds = [len(scene.surfaces) + kind for _, kind in faces]
        index = np.concatenate([scene.surface_index, *kinds]).astype(np.int32)
        normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
        lengths = np.linalg.norm(normals, axis=1)
        is_valid = lengths > 1e-12
        sign_flags = np.zeros(len(triangles) - len(scene.triangles), np.bool_)
        smooth, closed = (np.concatenate([flags, sign_flags])[is_valid] for flags in (scene.smooth, scene.closed))
        triangles = triangles[is_valid]
        index = index[is_valid]
        normals = normals[is_valid] / lengths[is_valid, None]
        smooth &= normals[:, 1] > 0.0
        corner_normals = np.repeat(normals[:, None], 3, axis=1)
        corner_normals[smooth] = smooth_corner_normals(triangles[smooth])
        flows = np.array([(appearance.flow[0], 0.0, appearance.flow[1]) for appearance in appearances])[index]
        tangents, bitangents, speeds = flow_aligned_frames(normals, flows)
        texture_coordinates = project_to_plane(triangles, tangents, bitangents)
        names = [appearance.texture if appearance.texture in TEXTURES else "plain" for appearance in appearances]
        layer_of = np.array([TEXTURES.index(name) for name in names], dtype=np.int32)
        limits = [ALBEDO_LIMITS.get(name, SHADER_CONSTANTS["ALBEDO_LIMIT"]) for name in names]
        shades = np.array([appearance.colour for appearance in appearances], dtype=np.float64)
        colours = limit_albedo(shades, limits)[index]
        pictured = _pictured_attributes(scene, index, is_valid, texture_coordinates, corner_normals)
        if pictured is not None:
            tinted = pictured.has_picture & (pictured.vertex_colours[..., :3] != 255).any(axis=(1, 2))
            colours[tinted] = linear_to_srgb(srgb_to_linear(colours[tinted]) * pictured.mean_tints[tinted])
        return cls(
            triangles, normals, tangents, texture_coordinates, colours, layer_of[index], speeds, smooth,
            corner_normals, closed, pictured, scene.solid_bounds,
        )  # fmt: skip


def limit_albedo(colours: Floats, limits: npt.ArrayLike = SHADER_CONSTANTS["ALBEDO_LIMIT"]) -> Floats:
    """sRGB colours (N, 3), darkened where their luminance comes near the limit (N,). As limit_albedo in shade.glsl."""
    linear = srgb_to_linear(colours)
    luminance = linear @ (0.2126, 0.7152, 0.0722)
    knee = SHADER_CONSTANTS["ALBEDO_KNEE"] * np.asarray(limits)
    room = np.asarray(limits) - knee
    limited = knee + room * (1.0 - np.exp(-np.maximum(luminance - knee, 0.0) / room))
    return linear_to_srgb(linear * np.where(luminance > knee, limited / np.maximum(luminance, 1e-6), 1.0)[:, None])


def _pictured_attributes(
    scene: Scene,
    index: Ints,
    is_valid: npt.NDArray[np.bool_],
    plane_coordinates: Floats,
    corner_normals: Floats,
) -> PicturedAttributes | None:
    """Pictures of the valid triangles of a scene, which are followed by those of its signs; None if there are none.

    plane_coordinates: (N, 3, 2) metres, for triangles without texture coordinates.
    """
    materials = tuple(appearance.pbr for appearance in scene.surfaces)
    has_pbr = np.array([*(material is not None for material in materials), False, False, False])[index]
    if not has_pbr.any():
        return None
    sizes = np.array([(1.0, 1.0) if material is None else material.size for material in materials] + [(1.0, 1.0)] * 3)
    uv = plane_coordinates * (1.0, -1.0) / sizes[index][:, None]
    colours = np.full((len(index), 3, 4), 255, np.uint8)
    normals = corner_normals.copy()
    kept = is_valid[: len(scene.triangles)]
    count = int(np.count_nonzero(kept))  # the others are of signs
    if scene.uv is not None:
        uv[:count] = _where_finite(scene.uv[kept], uv[:count])
    if scene.vertex_colours is not None:
        colours[:count] = scene.vertex_colours[kept]
    if scene.normals is not None:
        normals[:count] = _where_finite(scene.normals[kept], normals[:count])
    return PicturedAttributes(np.where(has_pbr, index, -1).astype(np.int32), uv, colours, normals, materials)


def _where_finite(given: Floats, fallback: Floats) -> Floats:
    """Rows (N, 3, C) of `given` that are finite; `fallback` elsewhere."""
    is_finite = np.asarray(np.isfinite(given).all(axis=(1, 2)))
    return np.where(is_finite[:, None, None], given, fallback)


def tangent_frames(normals: Floats) -> tuple[Floats, Floats]:
    """Tangents and bitangents (N, 3) of unit normals: directions of texture u and v.

    Floors: u is east, v is north. Walls and slopes: u is horizontal, v climbs. Slopes below 18 degrees are projected
    from above, so that neighbouring terrain triangles share one mapping.
    """
    is_floor = np.abs(normals[:, 1]) > FLOOR_NORMAL_Y
    tangents = np.column_stack((normals[:, 2], np.zeros(len(normals)), -normals[:, 0]))
    tangents[is_floor] = (1.0, 0.0, 0.0)
    tangents /= np.linalg.norm(tangents, axis=1, keepdims=True)
    bitangents = np.cross(normals, tangents)
    bitangents[is_floor] = (0.0, 0.0, -1.0)
    return tangents, bitangents


def flow_aligned_frames(normals: Floats, flows: Floats) -> tuple[Floats, Floats, Floats]:
    """Tangents, bitangents (N, 3) and speeds (N,) along the tangent, m/s. Surfaces with a horizontal flow velocity (N,
    3) in m/s have their tangent along it.
    """
    tangents, bitangents = tangent_frames(normals)
    tangential = flows - np.einsum("ni,ni->n", flows, normals)[:, None] * normals
    tangential_speed = np.linalg.norm(tangential, axis=1)
    has_flow = tangential_speed > MIN_FLOW_ALIGNMENT * np.linalg.norm(flows, axis=1) + 1e-9
    tangents[has_flow] = tangential[has_flow] / tangential_speed[has_flow, None]
    bitangents[has_flow] = np.cross(normals[has_flow], tangents[has_flow])
    speeds = np.zeros(len(normals))
    horizontal_length = np.hypot(tangents[has_flow, 0], tangents[has_flow, 2])
    speeds[has_flow] = np.linalg.norm(flows[has_flow], axis=1) / horizontal_length
    return tangents, bitangents, speeds


def project_to_plane(triangles: Floats, tangents: Floats, bitangents: Floats) -> Floats:
    """Corners (N, 3, 2) in the plane of each triangle's axes (N, 3)."""
    return np.stack(
        (np.einsum("nij,nj->ni", triangles, tangents), np.einsum("nij,nj->ni", triangles, bitangents)), axis=2
    )


def sign_axes(sign: SignAppearance) -> tuple[Floats, Floats, Floats]:
    """Unit vectors right (as seen by a reader), up and outward of a sign."""
    angle = sign.heading * RADIANS_PER_HEADING_UNIT
    outward = np.array((-math.sin(angle), 0.0, -math.cos(angle)))
    up = np.array((0.0, 1.0, 0.0))
    return np.cross(up, outward), up, outward


def sign_frame_width(sign: SignAppearance) -> float:
    """Width in metres of the painted frame of a sign."""
    return min(SIGN_FRAME_FRACTION * min(sign.width, sign.height), MAX_SIGN_FRAME_WIDTH)


def sign_face_mesh(sign: SignAppearance) -> tuple[Floats, Ints]:
    """Written face (10, 3, 3), counter-clockwise seen by a reader, and what each triangle is: 0 board, 1 frame.

    A sign with a back has ten more triangles there: 2 planks, and 1 frame.
    """
    right, up, outward = sign_axes(sign)
    x = sign.width / 2
    y = sign.height / 2
    frame = sign_frame_width(sign)
    xs, ys = (-x, frame - x, x - frame, x), (-y, frame - y, y - frame, y)
    patches = ((1, 2, 1, 2), (0, 3, 0, 1), (0, 3, 2, 3), (0, 1, 1, 2), (2, 3, 1, 2))  # panel, then the frame
    corners = np.array(
        [
            [(xs[a], ys[c]), (xs[b], ys[c]), (xs[b], ys[d]), (xs[a], ys[c]), (xs[b], ys[d]), (xs[a], ys[d])]
            for a, b, c, d in patches
        ]
    ).reshape(-1, 3, 2)
    positions = np.asarray(sign.at) + corners[..., :1] * right + corners[..., 1:] * up
    kinds = (np.arange(10) >= 2).astype(np.int32)
    if not sign.has_back:
        return positions, kinds
    back = (positions - (SIGN_THICKNESS + BACK_GAP) * outward)[:, ::-1]
    return np.concatenate([positions, back]), np.concatenate([kinds, np.where(kinds == 0, 2, 1).astype(np.int32)])
