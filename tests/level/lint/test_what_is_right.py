"""Scenes that look like mistakes and are right: `check` has no finding. The mistakes are in tests/level/corpus."""

# ruff: noqa: E501 (one line a scene)
from __future__ import annotations

import pytest

from game.level import check
from game.level.build.pieces import PIECES

GROUND = "floor: {name: ground, from: [-20, -20], to: [20, 20]}"
SHORT = GROUND.replace("to: [20, 20]", "to: [20, 8.5]")
BANKS = "floor: {name: south bank, from: [-20, 2], to: [20, 20], thickness: 4} | floor: {name: north bank, from: [-20, -20], to: [20, -6], thickness: 4} | floor: {from: [-20, -6], to: [20, 2], y: -4}"
HALL = "room: {name: hall, from: [1.2, 0, -4], to: [8, 8, 4], doors: [{wall: south}]} | floor: {name: gallery, from: [1.2, -4], to: [8, 4], y: 4, thickness: 0.2}"
LIFT = "mover: {name: lift, at: [0, 0, 0], path: [[0, 0, 0], [0, 3.9, 0]], of: [box: {from: [-0.95, 0, -0.95], to: [0.95, 0.1, 0.95]}]}"
TOWER = "box: {name: tower, from: [10, 0, -4], to: [14, 4, 0]}"
VAULT = "room: {name: vault, from: [0, 0, -8], to: [8, 3, -2]}"
TOWER_LIFT = "floor: {from: [-6, -8], to: [6, 12]} | box: {name: tower, from: [-2, 0, -7], to: [2, 3, -3]} | goal: {at: [0, 3, -5], radius: 0.8}"
RISES = "mover: {at: [0, 0.1, -2], path: [[0, 0, 0], [0, 2.9, 0]], starts: ridden, of: [box: {from: [-1, -0.1, -1], to: [1, 0, 1]}]}"
HOUSE = "room: {name: house, from: [0, 0, -8], to: [8, 3, -2], doors: [{wall: south, at: 1}], holes: [HOLE]} | stairs: {at: [3, 0, -5.6], facing: east, steps: 16, rise: 0.2, width: 1.6}"
HIGH = "box: {from: [-3, 0, -3], to: [3, 6, 3]} | target: {at: [0, 7, 0]}"
QUAYS = "floor: {from: [-10, 0], to: [10, 10], thickness: 1, intended: [fall]} | floor: {from: [-10, -20], to: [10, -10], thickness: 1, intended: [fall]}"
VALLEY = 'terrain: {from: [-20, -20], to: [20, 20], formula: "0 - 6 * (1 - smoothstep(4, 7, max(abs(x), abs(z))))"}'
POOL = "floor: {from: [-20, -20], to: [20, 20], holes: [{from: [-4, -4], to: [4, 4]}]} | room: {from: [-4, -2, -4], to: [4, -0.01, 4], ceiling: false}"

# Pieces and fields of the file; the spawn is at (0, 0, 8) where the scene has none.
SCENES = (
    f"{GROUND} | water: {{from: [0, 0, 0], to: [4, 1, 4]}}",  # a puddle
    f"{GROUND} | water: {{from: [0, 0, 0], to: [4, 2, 4]}} | box: {{from: [-0.2, 0, 0], to: [0, 2, 4]}}",
    f"{GROUND} | water: {{from: [0, 3, 0], to: [4, 5, 4]}} | water: {{from: [0, 0, 0], to: [4, 3, 4]}} | box: {{from: [4, 0, 0], to: [5, 5, 4]}}",
    f"{GROUND} | water: {{from: [0, 3, 0], to: [4, 5, 4]}} | box: {{from: [0, 2.9, 0], to: [4, 3, 4]}} | box: {{from: [0, 3, 4], to: [4, 5, 4.2]}}",
    f"{GROUND} | water: {{from: [0, 5, 0], to: [4, 9, 4], intended: [floating]}}",
    f"{GROUND} | stairs: {{at: [0, 0, 0], steps: 9, rise: 0.2}} | box: {{from: [-4, 0, -7], to: [4, 1.8, -2.7]}}",
    f"{GROUND} | stairs: {{at: [0, 0, 0], steps: 7, rise: 0.2}} | box: {{from: [-4, 0, -7], to: [4, 1.8, -2.1]}}",  # one more step
    f"{GROUND} | stairs: {{at: [0, 0, 0], steps: 7, rise: 0.2}}",  # they lead nowhere
    f"{GROUND} | stairs: {{at: [0, 0, 0], steps: 7, rise: 0.2}} | box: {{from: [-4, 0, -7], to: [4, 9, -2.1]}}",  # they end at a wall
    f"{GROUND} | stairs: {{at: [0, 0, 0], steps: 7, rise: 0.2}} | box: {{from: [0.6, 0, -7], to: [4, 1.4, -1]}} | wall: {{from: [-2, -3], to: [2, -3]}}",
    f"{GROUND} | mover: {{path: [[0, 0, 0], [0, 1.2, 0]], of: [box: {{from: [-1, -0.5, -1], to: [1, 0, 1]}}]}}",  # a stage
    f"{GROUND} | mover: {{path: [[0, 0, 0], [0, 5, 0]], of: [box: {{from: [-1, -0.5, -1], to: [1, 0, 1]}}]}}",  # into the air
    f"{GROUND} | mover: {{path: [[0, 0, 0], [0, 3, 0]], of: [box: {{from: [-1, 0, -0.1], to: [1, 2, 0.1]}}]}} | wall: {{from: [1, 0], to: [3, 0]}}",
    f"{GROUND} | mover: {{path: [[0, 0, 0], [1.2, 0, 0]], of: [box: {{from: [-0.6, 0.01, -0.05], to: [0.6, 2, 0.05]}}]}} | wall: {{from: [0.6, 0], to: [4, 0]}} | wall: {{from: [-4, 0], to: [-0.6, 0]}}",  # a sliding door
    f"{GROUND} | mover: {{at: [0, 0.2, 0], path: [[0, 0, 0], [9, 0, 0]], of: [box: {{from: [-1, 0, -1], to: [1, 0.2, 1]}}]}} | wall: {{from: [5, -3], to: [5, 3], doors: [{{width: 3}}]}}",
    f"{GROUND} | mover: {{path: [[0, 0, 0], [0, 4, 0]], of: [box: {{from: [-1, -0.2, -1], to: [1, 0, 1]}}]}} | box: {{from: [1, 0, -1], to: [3, 4, 1]}} | box: {{from: [-1, 0, 1], to: [1, 2.5, 3]}}",  # it passes a shelf beside it
    f"{GROUND} | box: {{from: [0, 0, 0], to: [0.8, 0.8, 0.8]}} | box: {{from: [0.2, 0.8, 0.2], to: [0.6, 2.3, 0.6]}} | box: {{from: [0.6, 1.5, 0.3], to: [1.2, 1.7, 0.5]}}",  # a statue
    f"{SHORT} | goal: {{at: [0, 9, 0]}} | box: {{from: [3, 0, -1], to: [5, 8, 1]}} | mover: {{at: [6.1, 0, 0], path: [[0, 0, 0], [0, 8, 0]], of: [box: {{from: [-1, -0.2, -1], to: [1, 0, 1]}}]}}",
    f"{SHORT} | goal: {{at: [0, 9, 0]}} | pad: {{at: [6, 0, 0], speed: [-5, 14, 0]}}",
    f"{SHORT} | goal: {{at: [0, 9, 0]}} | mover: {{path: [[0, 0, 0], [0, 7, 0]], of: [box: {{from: [-1, 0.01, -1], to: [1, 0.2, 1]}}]}}",
    f"{SHORT} | goal: {{at: [0, 9, 0]}} | ladder: {{at: [0, 0, 1], height: 8.5, intended: [floating]}}",
    f"{SHORT} | goal: {{at: [0, 9, 0]}} | player: {{gravity: 1.62, jump_height: 9}}",
    f"{GROUND} | spawns: [{{name: high, at: [0, 9, 0]}}] | water: {{from: [-1, 0, -1], to: [1, 1, 1]}}",
    f"{GROUND} | spawns: [{{name: high, at: [0, 9, 0]}}] | mover: {{path: [[0, 0, 0], [0, 8.8, 0]], of: [box: {{from: [-1, 0.01, -1], to: [1, 0.2, 1]}}]}}",
    f"{GROUND} | spawns: [{{name: step, at: [0, 1.5, 0]}}]",
    f"{GROUND} | room: {{from: [0, 3, 0], to: [4, 6, 4], floor_surface: oak, doors: [{{wall: south}}], intended: [floating]}} | surfaces: {{oak: {{colour: red}}}} | floor: {{from: [0, 0], to: [2, 4], y: 3}}",  # half of it shows
    f"{GROUND} | stairs: {{at: [0, 0, 0], facing: south, steps: 10}} | box: {{from: [-4, 0, -9], to: [4, 2.6, -3]}}",  # another height
    f"{GROUND} | stairs: {{at: [0, 0, 0], steps: 10}} | box: {{from: [-4, 0, -9], to: [4, 1.8, -3]}} | ramp: {{at: [2, 0, -1.2], length: 1.8, rise: 1.8, intended: [steep]}}",
    f"{GROUND} | ramp: {{at: [0, 0, 0], length: 1, rise: 3}}",  # a roof
    f"{GROUND} | ramp: {{at: [0, 0, 0], length: 1, rise: 1.8}} | box: {{from: [-4, 0, -9], to: [4, 1.8, -1]}} | ramp: {{at: [3, 0, 4], length: 5, rise: 1.8}}",  # a slide
    f"{GROUND} | ramp: {{at: [0, 0, 0], length: 1, rise: 1.8, intended: [steep]}} | box: {{from: [-4, 0, -9], to: [4, 1.8, -1]}}",
    f"{GROUND} | ladder: {{at: [0, 0, -3], height: 4}} | box: {{from: [-4, 0, -9], to: [4, 3, -3]}}",  # something to hold on to
    f"{GROUND} | ladder: {{at: [0, 0, -3], height: 9}} | box: {{from: [-4, 0, -9], to: [4, 3, -3]}} | floor: {{from: [2, -3], to: [6, 3], y: 8.5, thickness: 0.2}}",
    f"{GROUND} | ladder: {{at: [0, 0, -3], height: 9}} | box: {{from: [-4, 0, -9], to: [4, 3, -3]}} | goal: {{at: [1, 9, -2]}}",
    f"{GROUND} | ladder: {{at: [0, 0, -3], height: 3}} | box: {{from: [-4, 0, -9], to: [4, 3, -3]}} | floor: {{from: [-4, -9], to: [4, 0], y: 5}}",  # a roof high above it
    f"{GROUND} | mover: {{path: [[0, 0, 0], [0, 0, 3.2]], of: [box: {{from: [-1, -0.2, -1], to: [1, 0, 1]}}]}}",  # a cart
    f"{GROUND} | mover: {{path: [[0, 0, 0], [0, 0, 3.2]], of: [box: {{from: [-1, -0.2, -1], to: [1, 0, 1]}}]}} | box: {{from: [1, 0, -1], to: [3, 4.4, 1]}}",
    f"{GROUND} | mover: {{at: [0, 0, 0.2], path: [[0, 0, 0], [1.2, 0, 0]], of: [box: {{from: [-0.6, 0.01, -0.05], to: [0.6, 2, 0.05]}}]}} | wall: {{from: [-4, 0], to: [4, 0], doors: [{{}}]}}",
    f"{GROUND} | mover: {{at: [0, 0.1, 2], path: [[0, 0, 0], [17, 0, 0]], of: [box: {{from: [-1, 0, -1], to: [1, 0.2, 1]}}]}} | wall: {{from: [-4, 0], to: [4, 0], doors: [{{}}]}}",  # a tram
    f"{GROUND} | mover: {{path: [[0, 0, 0], [0, 3, 0]], of: [box: {{from: [-1, -0.2, -1], to: [1, 0, 1]}}]}} | box: {{from: [1, 0, -1], to: [3, 3, 1]}} | box: {{from: [-1, 0, 1], to: [1, 6, 3]}}",  # in its shaft
    f"{TOWER_LIFT} | {RISES} | room: {{from: [-1.8, 3, -6.8], to: [1.8, 5.4, -3.2], floor: false, doors: [{{wall: south, width: 1.4}}]}}",
    f"{TOWER_LIFT} | {RISES} | box: {{from: [-2, 5.2, -7], to: [2, 5.4, -3]}} | pillar: {{at: [1.7, 3, -3.3], radius: 0.1, height: 2.2}}",  # a canopy
    f"{TOWER_LIFT} | {RISES}".replace("at: [0, 0.1, -2]", "at: [0, 0.1, -0.5]"),  # jumped to over 1.5 m
    f"{TOWER_LIFT} | {RISES}".replace("-0.1, -1]", "-0.1, -0.98]"),  # 2 cm before it
    f"{TOWER_LIFT} | ladder: {{at: [0, 0, -3], facing: north, height: 2.4}}",  # jumped from
    f"{TOWER_LIFT} | ladder: {{at: [0, 0, -3.6], facing: north, height: 3}}",  # behind the wall that one climbs
    f"{GROUND} | stairs: {{at: [0, 0, 0], steps: 3, run: 9}}",  # terraces
    f"{GROUND} | room: {{from: [0, 0, 0], to: [4, 1, 4], intended: [low]}}",
    f"{GROUND} | {HIGH} | ladder: {{at: [0, 0, 3], facing: north, height: 6}}",
    f"{GROUND} | {HIGH} | pad: {{at: [0, 0, 8], to: [0, 6, -8]}}",
    f"spawn: {{at: [9, 0, 9]}} | {GROUND} | {HIGH} | stairs: {{at: [0, 0, 12], facing: north, steps: 30, rise: 0.2}}",
    f"{GROUND} | {HIGH} | array: {{count: 6, step: [0, 1, 2.5], of: [box: {{from: [5, 0, -9], to: [7, 0.9, -7], intended: [low]}}]}}",  # jumps
    f"{GROUND} | {HIGH} | teleport: {{from: [8, 0, 8], to: [9, 2, 9], arrive: [0, 6, 0]}}",
    f"{GROUND} | {HIGH} | spawns: [{{name: up, at: [0, 6, 0]}}]",
    f"{GROUND} | {HIGH} | play: {{throws: true, reach_targets: true}}",
    f"{GROUND} | {HIGH} | player: {{jump_height: 8}}",
    f"{GROUND} | {HIGH} | gravity: {{from: [4, 0, -3], to: [8, 6, 3], towards: west}}",
    f"{GROUND} | {HIGH} | surfaces: {{rubber: {{bounce: 0.9}}}} | floor: {{from: [4, 4], to: [8, 8], y: 0.1, surface: rubber}}",
    f"{GROUND} | room: {{from: [-6, 0, -6], to: [6, 6, 6], doors: [{{wall: south}}]}} | room: {{from: [-2, 0, -2], to: [2, 3, 2], doors: [{{wall: south}}]}}",
    f"{GROUND} | room: {{from: [-6, 0, -6], to: [0, 3, 6]}} | room: {{from: [-3, 3.2, -6], to: [3, 6, 6], floor: false, ceiling: false}}",
    f"{POOL} | water: {{from: [-4, -2, -4], to: [4, -0.2, 4]}}",
    f"{POOL} | water: {{from: [-4, -2, -4], to: [4, 0.05, 4]}}",
    f"{GROUND} | box: {{from: [-4, 0, -4], to: [4, 1, -3.8]}} | box: {{from: [-4, 0, -4], to: [-3.8, 1, 4]}} | box: {{from: [3.8, 0, -4], to: [4, 1, 4]}} | water: {{from: [-3.8, 0, -3.8], to: [3.8, 0.9, 4], flow: [0, 0, 1]}}",  # a river
    f"{GROUND} | water: {{from: [-4, 0, -4], to: [0, 1, 4]}} | water: {{from: [0, 0, -4], to: [4, 1, 4]}} | wall: {{from: [4.1, -4], to: [4.1, 4], height: 1}}",
    f"{GROUND} | spiral_stairs: {{at: [0, 0, 0], facing: 162, steps: 20, turn: 24, intended: [low]}} | floor: {{from: [1.55, -4], to: [4, 4], y: 3.6, thickness: 0.2}}",
    f"{GROUND} | spiral_stairs: {{at: [0, 0, 0], steps: 20, turn: 24, intended: [low]}}",  # a view
    f"{GROUND} | wall: {{from: [-4, 0], to: [4, 0], doors: [{{width: 1.2}}], intended: [narrow]}} | mover: {{at: [-0.3, 0, 0.2], path: [[0, 0, 0], [-0.6, 0, 0]], of: [box: {{from: [-0.3, 0.01, -0.05], to: [0.3, 2, 0.05]}}]}}",  # one leaf of two
    f"{GROUND} | wall: {{from: [-4, 0], to: [4, 0], doors: [{{width: 1.2}}]}} | mover: {{at: [0, 0, 0.2], path: [[0, 0, 0], [0, 2.05, 0]], of: [box: {{from: [-0.6, 0.01, -0.05], to: [0.6, 2, 0.05]}}]}}",  # a portcullis
    f"{GROUND} | mover: {{at: [6, 0, -5], path: [[0, 0, 0], [6, 0, -5]], of: [box: {{from: [-1, 0.01, -1], to: [1, 0.2, 1]}}]}}",
    f"{GROUND} | mover: {{path: [[6, 0, -5], [6, 3, -5]], of: [box: {{from: [-1, 0.01, -1], to: [1, 0.2, 1]}}]}}",
    f"{GROUND} | box: {{from: [-2, 0, -6], to: [2, 4, -2]}} | box: {{from: [0.6, 0, -2], to: [2, 2.6, 0]}} | ladder: {{at: [0, 0, -2], height: 2.5}}",  # to a ledge
    f"{GROUND} | teleport: {{from: [8, 0, 8], to: [9, 2, 9], arrive: [0, 3, 0]}}",
    f"{GROUND} | box: {{from: [-3, 1.5, -3], to: [3, 1.7, 3], intended: [low]}}",  # a canopy
    f"{GROUND} | room: {{from: [2, 2.4, -8], to: [8, 5, -2], doors: [{{wall: south}}]}} | stairs: {{at: [5, 0, 2.6], facing: north, steps: 12, rise: 0.2, width: 2}} | floor: {{from: [3, -1.8], to: [7, -1], y: 2.4, thickness: 0.2}}",
    f"{GROUND} | room: {{from: [2, 3, -8], to: [8, 6, -2], doors: [{{wall: south}}], intended: [fall]}} | ladder: {{at: [5, 0, -1.8], facing: north, height: 3, intended: [floating]}}",
    f"{GROUND} | room: {{from: [2, 0, -8], to: [8, 2.8, -2], doors: [{{wall: south}}]}} | room: {{from: [2, 3, -8], to: [8, 6, -2], windows: [{{wall: south}}]}}",  # a storey
    f"{GROUND} | stairs: {{at: [0, 0, 0], steps: 10, rise: 0.2}} | wall: {{from: [0.8, -3], to: [0.8, 0], height: 2.3}}",  # a view beside a wall
    f"{GROUND} | {TOWER} | {LIFT} | target: {{at: [0, 5, 0]}}",
    f"{GROUND} | {TOWER} | {LIFT} | box: {{from: [3, 0, 0], to: [4, 3.9, 1]}}",  # jumped to
    f"{GROUND} | {LIFT}",  # a view
    f"{GROUND} | {HALL} | {LIFT}".replace("to: [8, 8, 4]", "to: [8, 4, 4], ceiling: false").replace("[1.2, -4], to: [8, 4], y: 4", "[1, -4.2], to: [8.2, 4.2], y: 4.2"),
    f"{GROUND} | box: {{from: [0, 0, 0], to: [4, 2, 4]}} | box: {{from: [1, 0, 1], to: [2, 2.3, 2]}}",  # it comes out at the top
    f"{GROUND} | box: {{from: [0, 0, 0], to: [4, 2, 4]}} | box: {{from: [-0.01, 0, 1], to: [2, 1, 2]}}",  # at a side
    f"{GROUND} | box: {{from: [0, 0, 0], to: [4, 2, 4]}} | box: {{from: [1, 0, 1], to: [2, 1, 2], intended: [buried]}}",
    f"{GROUND} | box: {{from: [0, 0, 0], to: [4, 2, 4], visible: false}} | box: {{from: [1, 0, 1], to: [2, 1, 2]}}",  # a showcase
    f"{GROUND} | room: {{from: [0, 0, -8], to: [8, 3, -2], doors: [{{wall: south}}]}} | box: {{from: [1, 0, -7], to: [2, 1, -6]}}",
    f"{GROUND} | box: {{from: [-9, -2, -9], to: [9, 0, 9]}}",  # what the floor lies on
    f"{BANKS} | box: {{from: [-1, -0.2, -6], to: [1, 0, 2]}}",
    f"{BANKS} | box: {{from: [-1, -0.2, -4], to: [1, 0, 2], intended: [step]}}",
    f"{BANKS} | box: {{from: [-1, -0.2, -3], to: [1, 0, -1]}}",  # a stone to jump on
    f"{BANKS} | box: {{from: [-1, -0.2, 0], to: [1, 0, 2]}}",  # a jetty
    f"{BANKS} | box: {{from: [-1, -0.2, -4], to: [1, 0, 2]}} | mover: {{at: [0, 0, -5], axis: [1, 0, 0], swing: 80, of: [box: {{from: [-1, -0.2, -1], to: [1, 0, 1]}}]}}",
    f"{GROUND} | box: {{from: [4, 0, 3], to: [2, 2, 5]}}",  # its corners in another order
    f"{GROUND} | box: {{from: [6, 0, -8], to: [4, 3, -3]}}",
    f"{GROUND} | wall: {{from: [-4, 0], to: [4, 0], height: 6}} | spiral_stairs: {{at: [0, 0, 1.55], steps: 20, radius: 1.4, turn: 24}}",
    f"{GROUND} | {HOUSE}".replace("HOLE", "{from: [3, -6.4], to: [7.8, -4.8]}"),
    f"{GROUND} | {HOUSE}".replace("HOLE", "{from: [3, -6.35], to: [7.8, -4.85]}"),
    f"{GROUND} | sign: {{text: Hotel, at: [0, 16, 0], facing: south, letters: 1, intended: [floating]}}",
    f"{GROUND} | {TOWER} | sign: {{text: Tower, at: [12, 3.6, 0.01], facing: south}}",
    f"goal: {{at: [4, 0, -5]}} | {GROUND} | {VAULT} | teleport: {{from: [-4, 0, 0], to: [-3, 2, 1], arrive: [2, 0, -5]}}",
    f"goal: {{at: [4, 0, -5]}} | {GROUND} | {VAULT}".replace("-2]}", "-2], windows: [{wall: south}]}"),
    f"goal: {{at: [4, 0, -5]}} | {GROUND} | {VAULT}".replace("-2]}", "-2], shared: true}") + " | room: {from: [0, 0, -1.8], to: [8, 3, 2], doors: [{wall: north}, {wall: south}]}",
    f"goal: {{at: [4, 0, -5]}} | spawn: {{at: [2, 0, -5]}} | {GROUND} | {VAULT}",  # both are in it
    "spawn: {at: [0, 0, 0]} | room: {from: [-9, 0, -9], to: [9, 4, 9]}",  # an arena
    f"{GROUND} | stairs: {{at: [0, 0, 0], steps: 10, width: 0.4}}",
    f"{GROUND} | stairs: {{at: [0, 0, 0], steps: 10, run: 0.1}}",
    f"{GROUND} | kill: {{from: [-40, -15, -40], to: [40, -10, 40]}}",
    f"kill_height: -10 | {GROUND} | kill: {{from: [-40, -12, -40], to: [40, -8, 40]}}",
    f"{BANKS} | kill: {{from: [-20, -4, -6], to: [20, -3, 2]}}",
    f"{GROUND} | box: {{from: [0, 0, 0], to: [1, 1, 1]}} | box: {{from: [0, 0, 1.1], to: [1, 1, 2.1]}} | box: {{from: [0, 1, 0.5], to: [1, 2, 1.5]}}",  # a slit
    f"{QUAYS} | mover: {{at: [0, 0, -1.1], path: [[0, 0, 0], [0, 0, -7.8]], of: [box: {{from: [-1, -0.2, -1], to: [1, 0, 1]}}]}}",
    f"{GROUND} | mover: {{at: [0, 1.5, 4], path: [[0, 0, 0], [0, 0, -8]], of: [box: {{from: [-1, -0.2, -1], to: [1, 0, 1]}}]}}",  # over one floor
    f"{GROUND} | ramp: {{at: [0, 0, 2], length: 2, rise: 0.8, width: 2}}",  # to jump from
    f"{GROUND} | stairs: {{at: [0, 0, 4], steps: 10, rise: 0.2}}",  # a view
    f"{GROUND} | array: {{count: 3, turn: 90, of: [box: {{from: [3, 0, 3], to: [4, 1, 4]}}]}}",
    f"{GROUND} | box: {{from: [-30, -20, -30], to: [30, -15, 30]}}",  # a sea bed that one sees beside the floor
    f"{GROUND} | room: {{from: [-3, -8, -3], to: [3, -5, 3]}} | teleport: {{from: [4, 0, 4], to: [5, 2, 5], arrive: [0, -8, 0]}}",
    f"{GROUND} | water: {{from: [30, -8, 0], to: [36, -2, 6]}}",  # in the void
    f"{VALLEY} | floor: {{from: [-3, -3], to: [3, 3], thickness: 0.2, intended: [floating]}} | target: {{at: [0, -4.8, 0]}}",  # walked to
    f"{VALLEY} | floor: {{from: [-3, -3], to: [3, 3], thickness: 0.2, intended: [floating]}} | target: {{at: [3, -1.2, 0]}}",  # jumped to
    "floor: {from: [-10, -10], to: [10, 10], thickness: 0.2, holes: [{from: [-1, -4], to: [1, 0.5]}]} | floor: {from: [-3, -4], to: [3, 4], y: -3} | stairs: {at: [0, -3, 0.5], steps: 15, rise: 0.2, run: 0.3, width: 2} | target: {at: [0, -2, 3]}",
    "floor: {from: [-10, -10], to: [10, 10]} | floor: {from: [-4, -4], to: [4, 4], y: 4.2, thickness: 0.2, holes: [{from: [-1.57569, -1.6], to: [1.57569, 1.6]}]} | spiral_stairs: {at: [0, 0, 0], steps: 21, rise: 0.2, radius: 1.6, turn: 20}",
    f"spawn: {{at: [0, 0, 0], facing: 90}} | {GROUND} | box: {{from: [0.3, 0, -2], to: [3, 3, 2]}}",  # at the slim side of the body
    f"spawn: {{at: [0, 1, 0]}} | {GROUND}",
    f"spawn: {{at: [0, 2, 2]}} | {GROUND} | ramp: {{at: [0, 0, 4], length: 4, rise: 4, width: 4, intended: [steep]}}",
    f"player: {{max_slope: 0}} | {GROUND}",  # a level floor is no slope
    "floor: {from: [-10, -10], to: [10, 10]} | room: {from: [-2, 2.5, -9], to: [2, 5, -6]} | box: {from: [-2.2, 0, -9.2], to: [2.2, 2.5, -5.8]}",
)  # fmt: skip
# Pieces on the ground at and near a limit of a check, for a spawn at (10, 0, 10).
NEAR_LIMITS = (
    "ramp: {at: [0, 0, 0], length: 4, rise: 3.9, intended: [steep]}",
    "ramp: {at: [0, 0, 0], length: 4, rise: 3.7}",
    "ramp: {at: [0, 0, 0], length: 4, rise: 4.4}",
    "stairs: {at: [0, 0, 0], steps: 5, rise: 0.41, intended: [step]}",
    "stairs: {at: [0, 0, 0], steps: 5, rise: 0.40}",
    "stairs: {at: [0, 0, 0], steps: 6, rise: 0.14, width: 2}",
    "stairs: {at: [0, 0, 0], steps: 6, rise: 0.21, width: 2}",
    "box: {from: [0, 0, 0], to: [2, 0.42, 2], intended: step}",
    "group: {intended: [step], of: [box: {from: [0, 0, 0], to: [2, 0.42, 2]}]}",
    "box: {from: [0, 0, 0], to: [2, 0.40, 2]}",
    "box: {from: [0, 0, 0], to: [2, 0.60, 2]}",
    "box: {from: [0, 0, 0], to: [2, 0.42, 2]} | box: {from: [0, 0.42, 0], to: [2, 2, 2]}",
    "box: {from: [0, 0, 0], to: [2, 0.42, 2]} | box: {from: [0, 1.2, 0], to: [2, 2, 2]}",
    "wall: {from: [0, 0], to: [4, 0], doors: [{width: 0.6}], intended: [narrow]}",
    "wall: {from: [0, 0], to: [4, 0], windows: [{width: 0.5}]}",
    "room: {from: [0, 0, 0], to: [4, 1.5, 4], doors: [{wall: south, height: 1.5}], intended: [low]}",
    "box: {from: [0, 0, 0], to: [1, 3, 6], intended: [narrow]} | box: {from: [1.55, 0, 0], to: [3, 3, 6]}",
    "box: {from: [0, 0, 0], to: [1, 3, 6]} | box: {from: [1.75, 0, 0], to: [3, 3, 6]}",
    "box: {from: [0, 0, 0], to: [1, 3, 6]} | box: {from: [1.2, 0, 0], to: [3, 3, 6]}",
    "box: {from: [0, 0, 0], to: [1, 0.6, 6]} | box: {from: [1.55, 0, 0], to: [3, 0.6, 6]}",
    "array: {count: 3, step: [1.4, 0, 0], of: [pillar: {at: [0, 0, 0], sides: 16}]}",
    "floor: {from: [0, 0], to: [4, 4], y: 0.8, thickness: 0.1}",
    "floor: {from: [0, 0], to: [4, 4], y: 2.1, thickness: 0.2}",
    "box: {from: [1.2, 1.9, -3], to: [1.4, 2.1, 3]}",
    "array: {count: 9, step: [0, 0, 4], of: [box: {from: [1, 0, -18], to: [2, 1.6, -17]}]}",
    "wall: {from: [-3, 1], to: [3, 1], windows: [{sill: 0.3, height: 1.4}]}",
    "stairs: {at: [0, 0, 0], steps: 20, width: 4, open: true}",
    "ramp: {at: [0, 0, 0], length: 9, rise: 3, width: 4, open: true}",
    "stairs: {at: [1, 0, 1], steps: 20, width: 4, open: true} | floor: {from: [-3, -7], to: [5, 3], y: 0.02}",
    "spiral_stairs: {at: [0, 0, 0], steps: 30, rail: 0.9}",
    "floor: {from: [0, 0], to: [4, 4], y: 3} | floor: {from: [4.1, 0], to: [8, 4], y: 3}",
    "floor: {from: [0, 0], to: [4, 4], y: 3} | floor: {from: [4, 0], to: [8, 4], y: 3}",
    "floor: {from: [0, 0], to: [4, 4], y: 3} | floor: {from: [4, 0.01], to: [8, 4], y: 3}",
    "floor: {from: [-2, -2], to: [2, 2]}",
    "box: {from: [0, 0, 0], to: [1, 1, 1]} | box: {from: [1, 0, 0], to: [2, 1, 1]}",
    "box: {from: [0, 0, 0], to: [1, 1, 1]} | box: {from: [0, 1, 0], to: [1, 2, 1]}",
    "quad: {corners: [[0, 4, 0], [1, 4, 0], [1, 4, -1], [0, 4, -1]]} | quad: {corners: [[1, 4, 0], [2, 4, 0], [2, 4, -1], [1, 4, -1]]}",
    "quad: {corners: [[0, 4, 0], [4, 4, 0], [4, 5, -4], [0, 5, -4]]} | triangle: {corners: [[4, 4.5, -2], [6, 4.5, -2], [5, 4, 0]]}",
    "quad: {corners: [[0, 4, 0], [4, 4, 0], [4, 5, -4], [0, 5, -4]]} | triangle: {corners: [[4, 4.55, -2], [6, 4.5, -2], [5, 4, 0]]}",
    "floor: {from: [0, 0], to: [4, 4], y: 3} | floor: {from: [4, 0], to: [8, 4], y: 3.01}",
)  # fmt: skip


def level_of(scene: str) -> str:
    parts = scene.split(" | ")
    top = [part for part in parts if part.split(":")[0] not in PIECES]
    if not any(part.startswith("spawn:") for part in top):
        top.insert(0, "spawn: {at: [0, 0, 8], facing: north}")
    pieces = [f"  - {part}" for part in parts if part not in top]
    return "\n".join(["format: 1", *top, "pieces:", *pieces]) + "\n"


@pytest.mark.sample(25)
@pytest.mark.parametrize(
    "scene", [*SCENES, *(f"spawn: {{at: [10, 0, 10]}} | {GROUND} | {scene}" for scene in NEAR_LIMITS)]
)
def test_what_is_right_has_no_finding(scene: str) -> None:
    assert [str(one) for one in check(text=level_of(scene))] == []
