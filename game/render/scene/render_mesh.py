"""The level and its sign boards as one list of triangles with normals, colours and texture coordinates."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .scene import HEADING_UNITS_PER_TURN, Scene, SignAppearance, SurfaceAppearance
from .smooth_normals import smooth_corner_normals

Floats = npt.NDArray[np.float64]

SIGN_BOARD = SurfaceAppearance((0.90, 0.86, 0.76), "plain")  # warm white: dark ink reads on it in sun and in shade
SIGN_FRAME = SurfaceAppearance((0.27, 0.20, 0.15), "plain")
SIGN_FRAME_FRACTION, MAX_SIGN_FRAME_WIDTH = 0.07, 0.03  # of the board's smaller side; metres
MIN_FLOW_ALIGNMENT = 0.3  # part of a flow that has to lie in a face for its pattern to run along it
FLOOR_NORMAL_Y = 0.95  # normal's y above which a slope is laid out as a floor (18 degrees: a metre is 5% short at most)

TEXTURES = (
    "plain", "flagstone", "brick", "plaster", "planks", "grass", "tiles", "concrete", "metal", "ice", "belt", "earth",
    "sand",
)  # fmt: skip


def srgb_to_linear(srgb: npt.ArrayLike) -> Floats:
    """sRGB 0..1 to linear light (IEC 61966-2-1)."""
    value = np.clip(np.asarray(srgb, dtype=np.float64), 0.0, 1.0)
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


@dataclass(frozen=True, slots=True)
class RenderMesh:
    """N triangles: corners (N, 3, 3), unit normals (N, 3), unit tangents (N, 3), texture coordinates in metres
    (N, 3, 2), sRGB colours (N, 3), textures (N,) as indices into TEXTURES. speeds (N,): m/s
    that the pattern runs along the tangent, as a belt's does. smooth (N,): part of a bent sheet;
    corner_normals (N, 3, 3): there those of the sheet, elsewhere the triangle's own. closed (N,): as of the scene."""

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

    @property
    def textures(self) -> tuple[str, ...]:
        """The names of those that are used."""
        return tuple(TEXTURES[layer] for layer in np.unique(self.texture_layers))

    def subset(self, chosen: npt.NDArray[Any]) -> RenderMesh:
        """The triangles at these indices, or where this mask holds."""
        return RenderMesh(
            self.triangles[chosen], self.normals[chosen], self.tangents[chosen], self.texture_coordinates[chosen],
            self.colours[chosen], self.texture_layers[chosen], self.flow_speeds[chosen], self.smooth[chosen],
            self.corner_normals[chosen], self.closed[chosen],
        )  # fmt: skip

    @classmethod
    def from_scene(cls, scene: Scene) -> RenderMesh:
        """Triangles without area are left out; an unknown texture is drawn plain."""
        looks = (*scene.surfaces, SIGN_BOARD, SIGN_FRAME)
        faces = [sign_face_mesh(sign) for sign in scene.signs]
        triangles = np.concatenate([scene.triangles, *(face for face, _ in faces)])
        kinds = [np.where(framed, len(looks) - 1, len(looks) - 2) for _, framed in faces]
        index = np.concatenate([scene.surface_index, *kinds]).astype(np.int32)
        normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
        lengths = np.linalg.norm(normals, axis=1)
        kept = lengths > 1e-12
        boards = np.zeros(len(triangles) - len(scene.triangles), np.bool_)
        smooth, closed = (np.concatenate([flags, boards])[kept] for flags in (scene.smooth, scene.closed))
        triangles, index = triangles[kept], index[kept]
        normals = normals[kept] / lengths[kept, None]
        smooth &= normals[:, 1] > 0.0
        bent = np.repeat(normals[:, None], 3, axis=1)
        bent[smooth] = smooth_corner_normals(triangles[smooth])
        flows = np.array([(look.flow[0], 0.0, look.flow[1]) for look in looks])[index]
        tangents, bitangents, speeds = flow_aligned_frames(normals, flows)
        metres = np.stack(
            (np.einsum("nij,nj->ni", triangles, tangents), np.einsum("nij,nj->ni", triangles, bitangents)), axis=2
        )
        names = [look.texture if look.texture in TEXTURES else "plain" for look in looks]
        layer_of = np.array([TEXTURES.index(name) for name in names], dtype=np.int32)
        colours = np.array([look.colour for look in looks], dtype=np.float64)
        return cls(
            triangles, normals, tangents, metres, colours[index], layer_of[index], speeds, smooth, bent, closed
        )  # fmt: skip


def tangent_frames(normals: Floats) -> tuple[Floats, Floats]:
    """Tangent and bitangent (N, 3) of unit normals, by which textures lie: on floors u is east and v north, on
    walls and slopes u is level and v climbs. Both are at true scale, but on slopes under 18 degrees v is laid
    from above, so that neighbouring facets of a terrain share one layout."""
    flat = np.abs(normals[:, 1]) > FLOOR_NORMAL_Y
    tangents = np.column_stack((normals[:, 2], np.zeros(len(normals)), -normals[:, 0]))
    tangents[flat] = (1.0, 0.0, 0.0)
    tangents /= np.linalg.norm(tangents, axis=1, keepdims=True)
    bitangents = np.cross(normals, tangents)
    bitangents[flat] = (0.0, 0.0, -1.0)
    return tangents, bitangents


def flow_aligned_frames(normals: Floats, flows: Floats) -> tuple[Floats, Floats, Floats]:
    """`tangent_frames`, where a surface that runs (flows (N, 3): m/s on the plan) lies along its way; and m/s along it (N,)."""
    tangents, bitangents = tangent_frames(normals)
    across = flows - np.einsum("ni,ni->n", flows, normals)[:, None] * normals
    size = np.linalg.norm(across, axis=1)
    runs = size > MIN_FLOW_ALIGNMENT * np.linalg.norm(flows, axis=1) + 1e-9
    tangents[runs] = across[runs] / size[runs, None]
    bitangents[runs] = np.cross(normals[runs], tangents[runs])
    speeds = np.zeros(len(normals))
    plan = np.hypot(tangents[runs, 0], tangents[runs, 2])  # up a slope there is more way than on the plan
    speeds[runs] = np.linalg.norm(flows[runs], axis=1) / plan
    return tangents, bitangents, speeds


def sign_axes(sign: SignAppearance) -> tuple[Floats, Floats, Floats]:
    """Unit right (as its reader sees it), up and outward of a sign's face."""
    turn = sign.heading * (2.0 * math.pi / HEADING_UNITS_PER_TURN)
    outward = np.array((-math.sin(turn), 0.0, -math.cos(turn)))
    up = np.array((0.0, 1.0, 0.0))
    return np.cross(up, outward), up, outward


def sign_frame_width(sign: SignAppearance) -> float:
    """Metres that a sign's painted frame takes from each side."""
    return min(SIGN_FRAME_FRACTION * min(sign.width, sign.height), MAX_SIGN_FRAME_WIDTH)


def sign_face_mesh(sign: SignAppearance) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """The written face (10, 3, 3), counter-clockwise seen by its reader, and which triangles are its frame."""
    right, up, _ = sign_axes(sign)
    x, y, rim = sign.width / 2, sign.height / 2, sign_frame_width(sign)
    xs, ys = (-x, rim - x, x - rim, x), (-y, rim - y, y - rim, y)
    patches = ((1, 2, 1, 2), (0, 3, 0, 1), (0, 3, 2, 3), (0, 1, 1, 2), (2, 3, 1, 2))  # panel, then the frame
    corners = np.array(
        [
            [(xs[a], ys[c]), (xs[b], ys[c]), (xs[b], ys[d]), (xs[a], ys[c]), (xs[b], ys[d]), (xs[a], ys[d])]
            for a, b, c, d in patches
        ]
    ).reshape(-1, 3, 2)
    places = np.asarray(sign.at) + corners[..., :1] * right + corners[..., 1:] * up
    return places, np.arange(10) >= 2
