"""The pieces that a level is written in, each as quads."""

from .balls import ball, balls
from .flat import box, floor, quad, ramp, sign
from .model import model
from .piece_builder import Builder
from .pillars_and_arches import arch, pillar
from .point_entities import exhibit, light, target
from .stairs import spiral_stairs, stairs
from .terrain import terrain
from .walls import room, wall
from .zones import checkpoint, current, gravity, kill, ladder, pad, teleport, water

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
