"""Pieces that are points: light, target, exhibit, ball, box of balls."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...format.numbers import Angle, Count, Length, Number, Point
from ...format.piece_kind import Intending, Named, Piece, Standing, lights, play
from ...format.values import Choice, Colour, Flag, Text
from ...geometry.faces import LampSpec, TargetSpec
from ..entities.point_entities import BallSpec, ExhibitSpec, place_balls_in_box, sphere_directions
from .piece_builder import IDENTITY_PLACEMENT, MAX_BALLS, BuiltPiece, PieceBuilder, Placement


class Light(BuiltPiece, Standing, Named):
    """A point light. Its light and shadows are computed once, when the level is loaded."""

    kind = "light"
    example = 'light: {at: [0, 2.5, 0], colour: "#ffd6a0", brightness: 1, reach: 8}'
    hangs = True
    new = lights(
        'light: {at: [0, 2.4, 0], colour: "#ffd6a0", brightness: 1, reach: 8}',
        "lamp bulb",
        "A lamp without a body.",
        rank=-1,
    )
    at = Point("Position, not inside a solid.")
    colour = Colour("Colour of the light.", "#ffd6a0")
    brightness = Number("Brightness; 1 lights a white surface 2 m away like the sun by day.", 1.0, "suns", 0.01, 100)
    reach = Length("Range of the light.", 8.0, low=0.1, high=100)
    visible = Flag("Whether to draw a small glow.", True)

    def build(self, out: PieceBuilder) -> Placement:
        out.add_marker("light", LampSpec(self.colour, self.brightness, self.reach, self.visible))
        return 0.0, self.at


class Target(BuiltPiece, Standing):
    """A target to reach. It counts as reached when the player's body touches its sphere."""

    kind = "target"
    example = "target: {at: [0, 1, -4], radius: 0.6, name: The bell}"
    is_named = True
    hangs = True
    new = play("target: {at: [0, 1, 0], radius: 0.6, name: Bell}", "bell collect", "Something to be reached.")
    at = Point("Centre; 1 m above the ground is easy to see.")
    radius = Length("Radius of the sphere.", 0.6, low=0.05, high=100)
    visible = Flag("Whether to draw a marker.", True)
    name = Text("Name that the game shows when the target is reached.")

    def build(self, out: PieceBuilder) -> Placement:
        out.add_marker("target", TargetSpec(self.radius, self.name, self.visible))
        return 0.0, self.at


class ExhibitPiece(BuiltPiece, Intending):
    """An exhibit of the collision lab: a triangle whose corners the player drags (`use`), with the point where the line
    of sight meets it; or a ball on its box next to a ball on its plane. It never collides."""

    kind = "exhibit"
    example = "exhibit: {at: [0, 0, -4], facing: south, show: triangle}"
    new = play("exhibit: {at: [0, 0, 0], show: triangle}", "collision", "Shows the physics.")
    at = Point("Centre of its base.")
    facing = Angle("Direction its front faces.")
    show = Choice("The exhibit to show.", ("triangle", "resting"), required=True)

    def build(self, out: PieceBuilder) -> Placement:
        out.add_marker("exhibit", ExhibitSpec(self.show))
        return self.facing, self.at


class BallFields(Piece):
    """What balls have in common."""

    radius = Length("Radius of the ball.", 0.12, low=0.01, high=10)
    mass = Number("Mass of the ball. Default: a density of 250 kg/m3.", None, "kg", 1e-6, 1e6).optional()
    bounce = Number("Restitution: fraction of its speed kept in a bounce.", 0.7, "", 0, 1)
    friction = Number("Coefficient of friction, multiplied by the surface's.", 0.4, "", 0, 10)
    roll = Number("Rolling resistance: deceleration as a fraction of gravity.", 0.01, "", 0, 10)
    velocity = Point("Initial velocity: east, up, south.", (0.0, 0.0, 0.0), "m/s")
    colour = Colour("Colour. Default: one of eight.").optional()

    def spec(self, name: str) -> BallSpec:
        """The ball with that name."""
        return BallSpec(self.radius, self.mass, self.bounce, self.friction, self.roll, self.velocity, self.colour, name)


class Ball(BuiltPiece, BallFields):
    """A ball that falls, bounces and rolls, and that the player can push."""

    kind = "ball"
    example = "ball: {at: [0, 2, -3], radius: 0.2, bounce: 0.8}"
    hangs = True
    new = play("ball: {at: [0, 1, 0], radius: 0.2, bounce: 0.7}", "sphere", "A ball that rolls.")
    at = Point("Centre of the ball.")
    radius, mass, bounce, friction = BallFields.radius, BallFields.mass, BallFields.bounce, BallFields.friction
    roll, velocity, colour = BallFields.roll, BallFields.velocity, BallFields.colour
    name = Text("Name of the ball.")

    def build(self, out: PieceBuilder) -> Placement:
        out.add_marker("ball", self.spec(self.name))
        return 0.0, self.at


class Balls(BuiltPiece, BallFields):
    """A box filled with evenly spaced balls."""

    kind = "balls"
    example = "balls: {from: [-2, 1, -2], to: [2, 4, 2], count: 100, radius: 0.12}"
    hangs = True
    new = play("balls: {from: [-0.6, 1, -0.6], to: [0.6, 2, 0.6], count: 12, radius: 0.12}", hint="A heap of balls.")
    from_ = Point("One corner of the box.")
    to = Point("The opposite corner.")
    count = Count("Number of balls.", None, 1, MAX_BALLS)
    radius, mass, bounce, friction = BallFields.radius, BallFields.mass, BallFields.bounce, BallFields.friction
    roll, velocity, colour = BallFields.roll, BallFields.velocity, BallFields.colour
    speed = Number("Initial speed in a random direction, added to `velocity`.", 0.0, "m/s", 0, 100)
    name = Text("Name of the balls.")

    def build(self, out: PieceBuilder) -> Placement:
        low, high = np.minimum(self.from_, self.to), np.maximum(self.from_, self.to)
        places = place_balls_in_box(low.tolist(), high.tolist(), self.count, self.radius)
        if places is None:
            message = f"{self.count} balls of {self.radius:g} m radius do not fit into this box"
            out.reject_piece(Balls.count, message, "use a larger box, or smaller or fewer balls")
        ball = self.spec(self.name)
        velocities: np.ndarray = np.array(ball.velocity) + self.speed * sphere_directions(self.count)
        for place, (x, y, z) in zip(places.tolist(), velocities.tolist(), strict=True):
            out.add_marker("ball", replace(ball, velocity=(x, y, z)), place)
        return IDENTITY_PLACEMENT
