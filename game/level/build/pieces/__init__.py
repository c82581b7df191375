"""Pieces: one builder function for each kind, which writes its faces and markers."""

from ...format.schema.zones import ZONE_KINDS
from .decals import build_decal
from .flat import build_box, build_floor, build_quad, build_ramp, build_sign
from .model import build_model
from .piece_builder import PieceFunction
from .pillars_and_arches import build_arch, build_pillar
from .point_entities import build_ball, build_balls, build_exhibit, build_light, build_target
from .rooms import build_room
from .stairs import build_spiral_stairs, build_stairs
from .terrain import build_terrain
from .walls import build_wall
from .zones import build_gravity, build_ladder, build_pad, build_teleport, build_zone_box

PIECE_BUILDERS: dict[str, PieceFunction] = {
    **dict.fromkeys(ZONE_KINDS, build_zone_box),
    "quad": build_quad,
    "triangle": build_quad,
    "floor": build_floor,
    "wall": build_wall,
    "box": build_box,
    "room": build_room,
    "stairs": build_stairs,
    "spiral_stairs": build_spiral_stairs,
    "ramp": build_ramp,
    "pillar": build_pillar,
    "arch": build_arch,
    "sign": build_sign,
    "decal": build_decal,
    "terrain": build_terrain,
    "model": build_model,
    "light": build_light,
    "target": build_target,
    "ball": build_ball,
    "balls": build_balls,
    "gravity": build_gravity,
    "ladder": build_ladder,
    "pad": build_pad,
    "teleport": build_teleport,
    "exhibit": build_exhibit,
}

__all__ = ["PIECE_BUILDERS"]
