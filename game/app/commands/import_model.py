"""`import`: write a level around a model, a Quake map or a mesh. The work is in `model_to_level`."""

from __future__ import annotations

import argparse

from ...core.user_folders import LEVEL_SUFFIXES
from .frame import Result, add_output, number_type, parse_path

SUMMARY = "make a level from a 3D model"
HELP = """\
Make a level from a model: glTF (.glb, .gltf), OBJ or a Quake map (.map, as TrenchBroom saves it). The
level refers to the model file, so saving the model again changes the level; a model in a folder that the
level may not refer to is copied next to the level, with its pictures. The spawn is placed on the largest
area that a player can stand on; the spawns and lights of a Quake map are kept. An existing file is never
overwritten.

exit status: 0 the level is written and can be played; 2 it cannot be played, and nothing is written"""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", type=parse_path, metavar="MODEL", help="a .glb, .gltf, .obj or .map file")
    add_output(parser, "level file to write, a .yaml", LEVEL_SUFFIXES, metavar="LEVEL", required=True, is_new=True)
    parser.add_argument(
        "--units",
        choices=("m", "cm", "mm", "inch", "foot"),
        help="length of one unit of the model (default: m; for a .map 1/32 m)",
    )
    parser.add_argument("--up", choices=("y", "z"), help="axis of the model that points up (default: y; for a .map z)")
    parser.add_argument(
        "--textures",
        type=parse_path,
        metavar="DIR",
        help="folder with the pictures of a .map: brick1.png for the texture brick1, also in folders below",
    )
    parser.add_argument(
        "--scale",
        type=number_type(float, 1e-6, 1e6),
        default=1.0,
        metavar="N",
        help="scale factor (default: 1)",
    )


def run(options: argparse.Namespace) -> Result:
    """Write the level."""
    from .model_to_level import import_model

    return Result(lines=import_model(options))
