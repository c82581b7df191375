"""The pieces that a level is written in, each as quads."""

from game.level.pieces.balls import ball, balls
from game.level.pieces.flat import box, floor, quad, ramp, sign
from game.level.pieces.marks import exhibit, light, target
from game.level.pieces.model import model
from game.level.pieces.round import arch, pillar
from game.level.pieces.stairs import spiral_stairs, stairs
from game.level.pieces.terrain import terrain
from game.level.pieces.walls import room, wall
from game.level.pieces.workbench import Builder
from game.level.pieces.zones import checkpoint, current, gravity, kill, ladder, pad, teleport, water

BUILDERS: dict[str, Builder] = {
    "quad": quad,
    "triangle": quad,
    "floor": floor,
    "wall": wall,
    "box": box,
    "room": room,
    "stairs": stairs,
    "spiral_stairs": spiral_stairs,
    "ramp": ramp,
    "pillar": pillar,
    "arch": arch,
    "sign": sign,
    "terrain": terrain,
    "model": model,
    "light": light,
    "target": target,
    "ball": ball,
    "balls": balls,
    "gravity": gravity,
    "current": current,
    "water": water,
    "ladder": ladder,
    "pad": pad,
    "checkpoint": checkpoint,
    "kill": kill,
    "teleport": teleport,
    "exhibit": exhibit,
}

__all__ = ["BUILDERS"]
