"""Texts of new pieces: one entry for each kind of piece, in groups, with dimensions that stand on a floor.

`{surface}` becomes the surface of what is looked at. The base of a piece is at the origin, its front in the north.
"""

from __future__ import annotations

from dataclasses import dataclass

SURFACE_TOKEN = ", surface: @"  # replaced by the surface, or removed


@dataclass(frozen=True, slots=True)
class PaletteEntry:
    """Entry of the palette.

    label, group   as shown
    text           the piece in YAML; empty for an entry that cannot be placed now
    words          other words by which it is found
    hint           one sentence about it
    picture        image file
    surfaces       YAML texts of surfaces that the piece uses, by name
    """

    label: str
    text: str
    group: str = ""
    words: str = ""
    hint: str = ""
    picture: str = ""
    surfaces: tuple[tuple[str, str], ...] = ()


BUILDING, WAYS, LIGHTS, ZONES, PLAY, GROUPS = (
    "Building", "Ways up and across", "Light and signs", "Water and zones", "Play", "Groups and files",
)  # fmt: skip
PREFABS = "Prefabs"

NEW_PIECES = (
    PaletteEntry("box", "box: {from: [-0.5, 0, -0.5], to: [0.5, 1, 0.5], surface: @}", BUILDING, "cube block crate",
                 "A block. Pull its faces with + and -."),
    PaletteEntry("floor", "floor: {from: [-2, -2], to: [2, 2], thickness: 0.2, surface: @}", BUILDING,
                 "ground plane platform", "A slab, which may have holes."),
    PaletteEntry("wall", "wall: {from: [-2, 0], to: [2, 0], height: 3, surface: @}", BUILDING, "", "An upright wall."),
    PaletteEntry("wall with door", "wall: {from: [-2, 0], to: [2, 0], height: 3, doors: [{at: 2, width: 1.2}], "
                 "surface: @}", BUILDING, "doorway opening gate", "A wall with an open doorway."),
    PaletteEntry("wall with window", "wall: {from: [-2, 0], to: [2, 0], height: 3, windows: [{at: 2}], surface: @}",
                 BUILDING, "opening", "A wall with a window."),
    PaletteEntry("room", "room: {from: [-3, 0, -3], to: [3, 3, 3], doors: [{wall: south, at: 3, width: 1.2}], "
                 "surface: @}", BUILDING, "house hall chamber walls", "Four walls, floor and ceiling, with a doorway."),
    PaletteEntry("pillar", "pillar: {at: [0, 0, 0], radius: 0.4, height: 3, sides: 16, surface: @}", BUILDING,
                 "column post cylinder", "A round column."),
    PaletteEntry("arch", "arch: {from: [-2, 0], to: [2, 0], height: 3.5, width: 1.6, spring: 2, surface: @}", BUILDING,
                 "gate vault doorway", "A wall with a round arch."),
    PaletteEntry("quad", "quad: {corners: [[-2, 0, 2], [2, 0, 2], [2, 1, -2], [-2, 1, -2]], surface: @}", BUILDING,
                 "face slope", "One face with four corners."),
    PaletteEntry("triangle", "triangle: {corners: [[-2, 0, 2], [2, 0, 2], [-2, 0, -2]], surface: @}", BUILDING, "face",
                 "One face with three corners."),
    PaletteEntry("terrain", 'terrain: {from: [-5, -5], to: [5, 5], formula: "0.4 * noise(x / 4, z / 4) + 0.5", '
                 "thickness: 0.5, surface: @}", BUILDING, "hills ground landscape", "Ground with hills, by a formula."),
    PaletteEntry("stairs", "stairs: {at: [0, 0, 0], steps: 10, rise: 0.18, run: 0.3, width: 1.5, surface: @}", WAYS,
                 "steps flight", "A flight of stairs that goes up away from you."),
    PaletteEntry("spiral stairs", "spiral_stairs: {at: [0, 0, 0], steps: 16, radius: 1.6, rail: 0.9, surface: @}",
                 WAYS, "spiral_stairs winding", "Winding stairs around a column."),
    PaletteEntry("ramp", "ramp: {at: [0, 0, 0], length: 4, rise: 1.5, width: 1.5, surface: @}", WAYS, "slope",
                 "A slope that goes up away from you."),
    PaletteEntry("ladder", "ladder: {at: [0, 0, 0], height: 3}", WAYS, "climb",
                 "A ladder. It belongs in front of a wall."),
    PaletteEntry("lift platform", "mover: {at: [0, 0, 0], path: [[0, 0, 0], [0, 3, 0]], seconds: 3, pause: 2, "
                 "of: [box: {from: [-1, 0, -1], to: [1, 0.2, 1], surface: @}]}", WAYS, "mover elevator platform up",
                 "A platform that goes up and down by itself, no higher than the ceiling allows."),
    PaletteEntry("moving platform", "mover: {at: [0, 0, 0], path: [[0, 0, 0], [0, 0, -6]], seconds: 4, pause: 1, "
                 "of: [box: {from: [-1, 0, -1], to: [1, 0.2, 1], surface: @}]}", WAYS, "mover ferry",
                 "A platform that goes to and fro."),
    PaletteEntry("pad", "pad: {at: [0, 0, 0], to: [0, 2, -6], over: 1.5}", WAYS, "jump launch spring",
                 "A pad that throws the walker to a point."),
    PaletteEntry("light", 'light: {at: [0, 2.4, 0], colour: "#ffd6a0", brightness: 1, reach: 8}', LIGHTS,
                 "lamp bulb", "A lamp without a body."),
    PaletteEntry("sign", 'sign: {text: "This way", at: [0, 1.6, 0], post: 1.4}', LIGHTS, "text board label",
                 "A board with text."),
    PaletteEntry("water", "water: {from: [-2, 0, -2], to: [2, 1.2, 2]}", ZONES, "pool swim lake",
                 "A box of water to swim in."),
    PaletteEntry("current", "current: {from: [-1.5, 0, -4], to: [1.5, 2, 0], flow: [0, 0, -3]}", ZONES, "wind stream",
                 "A box in which a wind blows."),
    PaletteEntry("gravity", "gravity: {from: [-2, 0, -4], to: [2, 3, 0], towards: north}", ZONES, "",
                 "A box with another direction of down."),
    PaletteEntry("kill", "kill: {from: [-1, 0, -1], to: [1, 0.3, 1], name: You fell}", ZONES, "death lava hazard",
                 "A box that puts the walker back."),
    PaletteEntry("checkpoint", "checkpoint: {from: [-1, 0, -1], to: [1, 2, 1], name: Checkpoint}", PLAY, "save",
                 "The walker comes back here after a fall."),
    PaletteEntry("teleport", "teleport: {from: [-0.6, 0, -0.2], to: [0.6, 2, 0.2], arrive: [0, 0, -3]}", PLAY,
                 "portal", "A box that moves the walker to a point."),
    PaletteEntry("spawn", "spawn: {name: spawn, at: [0, 0, 0], facing: north}", PLAY, "start begin player",
                 "Where a player starts who comes here by name."),
    PaletteEntry("goal", "goal: {at: [0, 0, 0], radius: 1}", PLAY, "end finish", "The end of the level."),
    PaletteEntry("target", "target: {at: [0, 1, 0], radius: 0.6, name: Bell}", PLAY, "bell collect",
                 "Something to be reached."),
    PaletteEntry("ball", "ball: {at: [0, 1, 0], radius: 0.2, bounce: 0.7}", PLAY, "sphere", "A ball that rolls."),
    PaletteEntry("balls", "balls: {from: [-0.6, 1, -0.6], to: [0.6, 2, 0.6], count: 12, radius: 0.12}", PLAY, "",
                 "A heap of balls."),
    PaletteEntry("exhibit", "exhibit: {at: [0, 0, 0], show: triangle}", PLAY, "collision", "Shows the physics."),
    PaletteEntry("group", "group: {at: [0, 0, 0], of: [box: {from: [-0.5, 0, -0.5], to: [0.5, 1, 0.5], surface: @}]}",
                 GROUPS, "", "Pieces that move together."),
    PaletteEntry("array", "array: {count: 4, step: [1.5, 0, 0], of: [pillar: {at: [0, 0, 0], surface: @}]}", GROUPS,
                 "repeat row", "Copies in a row. L makes one of what is selected."),
)  # fmt: skip
