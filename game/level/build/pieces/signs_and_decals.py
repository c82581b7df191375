"""Boards with text, and pictures on surfaces."""

from __future__ import annotations

import math

import numpy as np

from ....core.srgb import srgb_to_linear
from ....core.vectors import Vector
from ...format.numbers import Angle, Length, Number, Point
from ...format.piece_kind import Named, Surfaced, lights
from ...format.values import Choice, Colour, Flag, Picture, Size, Surface, Text
from ...geometry.faces import SignBoard, with_keys
from ...materials import AlphaMode, PbrMaterial, TextureMap, Wrap
from .piece_builder import BuiltPiece, GeneratedSurface, PieceBuilder, Placement

SIGN_THICKNESS = 0.03  # metres
LETTER_ADVANCE = 0.62  # width of a letter, in letter heights
LINE_HEIGHT = 1.35  # in letter heights
SIGN_MARGIN = 0.6  # in letter heights
DECAL_OFFSET = 0.004  # metres in front of its surface: more than the depth buffer resolves at 500 m
PLAIN_COLOUR = (0.8, 0.8, 0.78)  # sRGB of a decal on maps and in exported models
MISSING_COLOUR = (0.75, 0.3, 0.6)  # sRGB of a decal whose picture is missing, which is to be seen


class Sign(BuiltPiece, Surfaced):
    """A board with text. Where the text is `Your progress`, the game shows how many of its levels are finished."""

    kind = "sign"
    example = 'sign: {text: "This way up", at: [0, 1.5, 0], facing: south, post: 1.4}'
    faces_viewer = True
    hangs = True
    new = lights('sign: {text: "This way", at: [0, 1.6, 0], post: 1.4}', "text board label", "A board with text.")
    text = Text(
        "The text; `\\n` in double quotes starts a new line. `{use|the left mouse button}` shows the player's key "
        "of an action of the settings file, and without one the words after the bar.",
        required=True,
        min_count=1,
        max_count=400,
    )
    at = Point("Centre of the board.")
    facing = Angle("Direction the text faces.")
    letters = Length("Letter height.", 0.12, high=10)
    width = Number("Width of the board. Default: fits the text.", None, "m", 0.05, 100).optional()
    height = Number("Height of the board. Default: fits the text.", None, "m", 0.05, 100).optional()
    post = Length("Length of a post below the board; 0 for none.", 0.0, low=0.0, high=100)
    surface = Surface("Surface of board and post.")
    collide = Flag("Whether the player collides with it.", False)
    visible = Flag("Whether it is drawn.", True)

    def build(self, out: PieceBuilder) -> Placement:
        """Board without a front face, which the renderer draws with the text, and an optional post."""
        text = self.text.strip("\n")
        rows = with_keys(text, {}).split("\n")
        width, height = self.width, self.height
        if width is None:
            width = min((max(len(row) for row in rows) * LETTER_ADVANCE + 2 * SIGN_MARGIN) * self.letters, 100.0)
        if height is None:
            height = min((len(rows) * LINE_HEIGHT + SIGN_MARGIN) * self.letters, 100.0)
        out.add_marker("sign", SignBoard(text, width, height))
        x0, x1, y0, y1, z1 = -width / 2, width / 2, -height / 2, height / 2, SIGN_THICKNESS
        front = [(x1, y0, 0.0), (x0, y0, 0.0), (x0, y1, 0.0), (x1, y1, 0.0)]
        back = [(x, y, z1) for x, y, _ in front]
        for k in range(4):
            out.add_quad(front[k], back[k], back[k - 3], front[k - 3], self.surface)
        out.add_quad(back[1], back[0], back[3], back[2], self.surface)
        if self.post > 0.0:
            half = min(0.04, width / 4)
            low, high = (-half, y0 - self.post, z1), (half, y1, z1 + 2 * half)
            out.add_cuboid(low, high, self.surface, self.surface)
        return self.facing, self.at


class Decal(BuiltPiece, Named):
    """A picture on a surface: a poster, an arrow, a stain. It has no sides and does not collide. What is transparent in
    the picture shows the surface, and the light is that of the surface."""

    kind = "decal"
    example = "decal: {picture: textures/poster.png, at: [0, 1.6, -4], facing: south, size: 1.2}"
    is_flat = True
    picture = Picture("The picture.", required=True)
    at = Point("Centre of the picture, on the surface; it is drawn a few millimetres in front.")
    on = Choice("What it is on.", ("wall", "floor", "ceiling"), "wall")
    facing = Angle(
        "On a wall: direction that the picture faces. On a floor or ceiling: direction that its top points to."
    )
    size = Size("Size: across, or [across, up]. One number keeps the picture's proportions.")
    pitch = Number(
        "Slope of the surface: how far a floor rises in the direction of `facing`, or a wall leans back.",
        0.0, "degrees", -89, 89,
    )  # fmt: skip
    roll = Number("Turns the picture counter-clockwise.", 0.0, "degrees", -360, 360)
    colour = Colour("Colour that multiplies the picture.", "white")
    opacity = Number("Opacity of the whole picture.", 1.0, "", 0, 1)
    visible = Flag("Whether it is drawn.", True)

    def build(self, out: PieceBuilder) -> Placement:
        """The face, with texture coordinates of its own. A missing picture leaves a plain face."""
        across, up = self.size
        found = out.pictures.find(self.picture, self.place_of(Decal.picture), self.where_of(Decal.picture))
        material = None
        colour = MISSING_COLOUR
        if found is not None:
            source, header = found
            up = up or across * header.height / header.width
            colour = self.colour if self.is_given(Decal.colour) else PLAIN_COLOUR
            red, green, blue = srgb_to_linear(self.colour).tolist()
            material = PbrMaterial(
                base_colour=(red, green, blue, self.opacity),
                base_colour_map=TextureMap(source, Wrap.CLAMP, Wrap.CLAMP),
                alpha_mode=AlphaMode.BLEND,
            )
        surface = out.budget.add_surface(GeneratedSurface(f"decal {self.picture}"[:80], colour, pbr=material))
        right, upward, outward = decal_axes(self.on, self.pitch, self.roll)
        corners = [
            [
                x * (across / 2) * r + y * ((up or across) / 2) * u + DECAL_OFFSET * o
                for r, u, o in zip(right, upward, outward, strict=True)
            ]
            for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        ]
        out.add_quads(
            np.array([corners]),
            np.array([surface], np.int32),
            np.zeros(1, np.bool_),
            vertices={"uv": np.array([[[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]]])} if material else None,
        )
        return self.facing, self.at


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
