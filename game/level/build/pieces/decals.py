"""Decal piece: one visible face with a picture on it, in front of another face."""

from __future__ import annotations

import math

import numpy as np

from ....core.srgb import srgb_to_linear
from ....core.vectors import Vector
from ...materials import AlphaMode, PbrMaterial, TextureMap, Wrap
from .piece_builder import GeneratedSurface, PieceBuilder, Placement

DECAL_OFFSET = 0.004  # metres in front of its surface: more than the depth buffer resolves at 500 m
PLAIN_COLOUR = (0.8, 0.8, 0.78)  # sRGB of a decal on maps and in exported models
MISSING_COLOUR = (0.75, 0.3, 0.6)  # sRGB of a decal whose picture is missing, which is to be seen


def build_decal(builder: PieceBuilder) -> Placement:
    """The face, with texture coordinates of its own. A missing picture leaves a plain face."""
    values = builder.values
    across, up = values.picture_size("size")
    found = builder.pictures.find(values.text("picture"), values.place_of("picture"), f"{values.where}.picture")
    name = f"decal {values.text('picture')}"[:80]
    material = None
    colour = MISSING_COLOUR
    if found is not None:
        source, header = found
        up = up or across * header.height / header.width
        colour = values.point("colour") if values.is_given("colour") else PLAIN_COLOUR
        red, green, blue = srgb_to_linear(values.colour("colour")).tolist()
        material = PbrMaterial(
            base_colour=(red, green, blue, values.number("opacity")),
            base_colour_map=TextureMap(source, Wrap.CLAMP, Wrap.CLAMP),
            alpha_mode=AlphaMode.BLEND,
        )
    surface = builder.budget.add_surface(GeneratedSurface(name, colour, pbr=material))
    right, upward, outward = decal_axes(values.text("on"), values.number("pitch"), values.number("roll"))
    corners = [
        [
            x * (across / 2) * r + y * ((up or across) / 2) * u + DECAL_OFFSET * o
            for r, u, o in zip(right, upward, outward, strict=True)
        ]
        for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]
    builder.add_quads(
        np.array([corners]),
        np.array([surface], np.int32),
        np.zeros(1, np.bool_),
        vertices={"uv": np.array([[[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]]])} if material else None,
    )
    return values.number("facing"), values.point("at")


def decal_axes(base: str, pitch: float, roll: float) -> tuple[Vector, Vector, Vector]:
    """Unit vectors right, up and outward of a decal that faces north. Angles in degrees."""
    sine, cosine = math.sin(math.radians(pitch)), math.cos(math.radians(pitch))
    right: Vector
    up: Vector
    outward: Vector
    if base == "floor":  # its top points north
        right, up, outward = (1.0, 0.0, 0.0), (0.0, sine, -cosine), (0.0, cosine, sine)
    elif base == "ceiling":
        right, up, outward = (-1.0, 0.0, 0.0), (0.0, sine, -cosine), (0.0, -cosine, -sine)
    else:
        right, up, outward = (-1.0, 0.0, 0.0), (0.0, cosine, sine), (0.0, sine, -cosine)
    turn, across = math.sin(math.radians(roll)), math.cos(math.radians(roll))

    def mixed(a: float, b: float) -> Vector:
        x, y, z = (a * r + b * u for r, u in zip(right, up, strict=True))
        return x, y, z

    return mixed(across, turn), mixed(-turn, across), outward
