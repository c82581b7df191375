"""`shot`: a picture of a level as a PNG file."""

from __future__ import annotations

import argparse
from pathlib import Path

from ..launch.level_lookup import UserError, level_files
from ..launch.output_check import refuse_input
from ..launch.world_setup import load_ready_level, read_script
from .argument_types import (
    LEVEL_HELP,
    add_output_option,
    parse_level,
    parse_number,
    parse_point,
    parse_size,
    parse_ticks,
)

SUMMARY = "take a picture of a level"
HELP = """\
Take a picture of a level: from its spawn, from a position (--at), or from a tick of a commands file
(--commands). Angles are in degrees: headings counter-clockwise from north (-Z), pitch upwards."""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("level", type=parse_level, metavar="LEVEL", help=LEVEL_HELP)
    add_output_option(parser, "picture to write, a .png", required=True)
    parser.add_argument(
        "--size", type=parse_size, default=(1280, 720), metavar="WxH", help="size in pixels (default: 1280x720)"
    )
    parser.add_argument("--at", type=parse_point, metavar="X,Y,Z", help="position of the feet, in metres")
    parser.add_argument("--heading", type=parse_number, metavar="DEG", help="heading of the view")
    parser.add_argument("--pitch", type=parse_number, metavar="DEG", help="pitch of the view")
    parser.add_argument(
        "--commands", type=Path, metavar="FILE", help="simulate this commands file first (docs/commands.md)"
    )
    parser.add_argument("--tick", type=parse_ticks, metavar="N", help="with --commands: number of ticks (default: all)")


def run(options: argparse.Namespace) -> int:
    """Render the picture and write it; the exit status."""
    if options.output.suffix.lower() != ".png":
        raise UserError(f"{options.output}: the picture must be a .png")
    if options.commands is not None and options.at is not None:
        raise UserError("--at and --commands exclude each other")
    if options.tick is not None and options.commands is None:
        raise UserError("--tick needs --commands")
    refuse_input(options.output, (options.commands, options.level))
    script = None if options.commands is None else read_script(options.commands)
    level = load_ready_level(options.level)
    refuse_input(options.output, level_files(level))
    from ..display import still_image

    pose = still_image.camera_pose_from_options(level, options, script)
    image = still_image.render_still(level, pose, options.size)
    still_image.save_png(image, options.output)
    x, y, z = pose.eye
    print(f"{options.output}: {options.size[0]}x{options.size[1]}, eye at ({x:.2f}, {y:.2f}, {z:.2f})")
    return 0
