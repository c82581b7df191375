"""`shot`: a picture of a level as a PNG file."""

from __future__ import annotations

import argparse

from ..launch.level_lookup import UserError
from ..launch.world_setup import read_script
from .frame import (
    Result,
    add_commands,
    add_level,
    add_need,
    add_output,
    add_size,
    load_input_level,
    number_type,
    parse_number,
    parse_point,
    parse_ticks,
)

SUMMARY = "take a picture of a level"
HELP = """\
Take a picture of a level: from its spawn, from a position (--at), or from a tick of a commands file
(--commands). Angles are in degrees: headings counter-clockwise from north (-Z), pitch upwards.

exit status: 0 the picture is written
             1 it could not be made
             2 a file cannot be read, or the picture cannot be written"""
parse_pitch = number_type(float, -90, 90, "pitch (degrees)")


def add_options(parser: argparse.ArgumentParser) -> None:
    add_level(parser)
    add_output(parser, "picture to write, a .png", (".png",), required=True)
    add_size(parser, "size in pixels (default: 1280x720)", (1280, 720))
    parser.add_argument("--at", type=parse_point, metavar="X,Y,Z", help="position of the feet, in metres")
    parser.add_argument("--heading", type=parse_number, metavar="DEG", help="heading of the view")
    parser.add_argument("--pitch", type=parse_pitch, metavar="DEG", help="pitch of the view, -90 to 90")
    add_commands(parser, "simulate this commands file first")
    parser.add_argument("--tick", type=parse_ticks, metavar="N", help="with --commands: number of ticks (default: all)")
    add_need(parser, "--tick", "--commands")


def run(options: argparse.Namespace) -> Result:
    """Render the picture and write it."""
    if options.commands is not None and options.at is not None:
        raise UserError("--at and --commands exclude each other")
    script = None if options.commands is None else read_script(options.commands)
    level = load_input_level(options, options.level)
    from ..display import still_image

    pose = still_image.camera_pose_from_options(level, options, script)
    still_image.save_png(still_image.render_still(level, pose, options.size), options.output)
    x, y, z = pose.eye
    size = "x".join(map(str, options.size))
    return Result(lines=[f"{options.output}: {size}, eye at ({x:.2f}, {y:.2f}, {z:.2f})"])
