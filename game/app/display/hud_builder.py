"""What stands over the picture: menu, help, messages, and the figures and contacts of the debug view."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.time_format import clock
from ...render import Debug, Hud, Panel
from ...render.hud.palette import contact_colour
from ..menus import menu_panel
from ..menus.help_page import HelpPage
from ..settings.mode_names import HELP, LEAVING, NOTICE
from ..visuals import ball_visuals, golf_visuals
from . import frame_stats, objective_messages

if TYPE_CHECKING:
    from ...sim import World
    from ..game import Game
    from ..settings.settings_file import Settings

NOTICE_WIDTH = 760.0  # findings quote lines of a file
NORMAL_LENGTH = 0.35  # m


def preparing(progress: float, label: str, settings: Settings) -> Hud:
    """Shown over the level while the kernels compile."""
    return Hud(crosshair=False, progress=progress, progress_label=label, **dress(settings))


def playing(game: Game, seconds: float = 0.0) -> Hud:
    """Shown while there is a world, `seconds` after the frame before: menu or help, a message, figures."""
    panel = None
    if game.menu is not None and game.mode != LEAVING:
        panel = menu_panel.panel(game.menu, game.menus.pointing.scroll, game.menus.shown)
    elif game.mode == HELP:
        usual = Panel(title="Keys", keys=game.held.help, columns=HelpPage.columns, width=HelpPage.width)
        panel = replace(game.editor.help_panel() if game.editor.open else usual, back="Go on")
    elif game.mode == NOTICE:
        panel = Panel(title="The way is closed", text=game.notice, back="Go on", width=NOTICE_WIDTH)
    if panel is not None and game.menu is None:
        panel = replace(panel, scroll=game.menus.pointing.scroll)
    message = game.message if panel is None else None
    world = game.session.world if panel is None and game.session is not None else None
    part, label = golf_visuals.strength(world) if world is not None else (None, "")
    shown = Hud(
        lines=figures(game) if game.debug else ball_visuals.read_out(world, game.frames),
        tally=objective_messages.tally(world) or golf_visuals.tally(world) if world is not None else "",
        message=message.text if message else "",
        submessage=message.below if message else "",
        hint=game.bottom_line if panel is None else "",
        cards=() if game.reloading is None or panel is not None else game.reloading.cards,
        crosshair=panel is None,
        panel=panel,
        veil=game.travel.veil,
        progress=part if not game.travel.waiting_for else 0.0,
        progress_label=game.travel.waiting_for or label,
        **dress(game.settings),
    )
    game.menus.pointing.follow(game.menus, shown, seconds, game.settings.reduce_motion)
    return shown


def dress(settings: Settings) -> dict[str, Any]:
    """The fields of a Hud that the settings decide."""
    return {
        "scale": settings.interface_scale,
        "text": settings.text_size,
        "palette": settings.palette,
        "contrast": settings.high_contrast,
    }


def figures(game: Game) -> tuple[str, ...]:
    """Lines of the debug view: what the walker does, and how long the frames take."""
    assert game.session is not None
    world, state = game.session.world, game.session.world.walker_state
    x, y, z = state.feet
    vx, vy, vz = state.velocity
    normal = state.ground_normal
    slope = float(np.degrees(np.arccos(min(1.0, max(-1.0, normal[1]))))) if state.grounded else 0.0
    ground = f"on ground, slope {slope:.1f}°" if state.grounded else "in the air"
    lines = [
        f"feet {x:.3f} {y:.3f} {z:.3f}",
        f"view {game.look.yaw * 360 / 65536:.1f}°   body {state.heading * 360 / 65536:.1f}°",
        f"speed {(vx * vx + vz * vz) ** 0.5:.2f} m/s   up {vy:+.2f} m/s   {ground}",
        f"normal {normal[0]:+.3f} {normal[1]:+.3f} {normal[2]:+.3f}",
        f"tick {world.tick}   {clock(world.seconds)}",
    ]
    return (*lines, *frame_stats.told(game.frames, game.session.dropped, game.session.tick_seconds))


def contacts(world: World, palette: str = "usual") -> Debug | None:
    """What the last tick touched, as points with their normals, coloured by what they are to the walker."""
    if world.trace is None:
        return None
    touched = world.trace.contacts
    if not touched:
        return None
    points = np.array([contact.point for contact in touched])
    ends = points + NORMAL_LENGTH * np.array([contact.normal for contact in touched])
    colours = np.array([contact_colour(contact.kind, palette) for contact in touched])
    return Debug(np.stack((points, ends), axis=1), colours, points, colours)
