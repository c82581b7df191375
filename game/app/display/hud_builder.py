"""What stands over the picture: menu, help, messages, and the figures and contacts of the debug view."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.time_format import format_time
from ...render import DebugLines, Hud, Panel
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


def loading_hud(progress: float, label: str, settings: Settings) -> Hud:
    """Shown over the level while the kernels compile."""
    return Hud(crosshair=False, progress=progress, progress_label=label, **hud_style(settings))


def build_hud(game: Game, seconds: float = 0.0) -> Hud:
    """Shown while there is a world, `seconds` after the frame before: menu or help, a message, figures."""
    panel = None
    if game.menu is not None and game.mode != LEAVING:
        panel = menu_panel.build_menu_panel(game.menu, game.menus.mouse_navigation.scroll, game.menus.title_reveal)
    elif game.mode == HELP:
        usual = Panel(title="Controls", keys=game.held_actions.help, columns=HelpPage.columns, width=HelpPage.width)
        panel = replace(game.editor.help_panel() if game.editor.is_open else usual, back="Continue")
    elif game.mode == NOTICE:
        panel = Panel(title="This door cannot be opened", text=game.notice, back="Continue", width=NOTICE_WIDTH)
    if panel is not None and game.menu is None:
        panel = replace(panel, scroll=game.menus.mouse_navigation.scroll)
    message = game.message if panel is None else None
    world = game.session.world if panel is None and game.session is not None else None
    part, label = golf_visuals.power_bar(world) if world is not None else (None, "")
    shown = Hud(
        debug_lines=debug_figures(game) if game.debug else ball_visuals.debug_lines(world, game.frame_times),
        counter=objective_messages.target_counter(world) or golf_visuals.counter_text(world)
        if world is not None
        else "",
        message=message.text if message else "",
        message_detail=message.detail if message else "",
        hint=game.bottom_line if panel is None else "",
        cards=() if game.hot_reload is None or panel is not None else game.hot_reload.cards,
        crosshair=panel is None,
        panel=panel,
        veil=game.travel.veil,
        progress=part if not game.travel.slow_level_name else 0.0,
        progress_label=game.travel.slow_level_name or label,
        **hud_style(game.settings),
    )
    game.menus.mouse_navigation.update(game.menus, shown, seconds, game.settings.reduce_motion)
    return shown


def hud_style(settings: Settings) -> dict[str, Any]:
    """The fields of a Hud that the settings decide."""
    return {
        "scale": settings.interface_scale,
        "text": settings.text_size,
        "palette": settings.palette,
        "contrast": settings.high_contrast,
    }


def debug_figures(game: Game) -> tuple[str, ...]:
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
        f"view {game.view_angles.yaw * 360 / 65536:.1f}°   body {state.heading * 360 / 65536:.1f}°",
        f"speed {(vx * vx + vz * vz) ** 0.5:.2f} m/s   up {vy:+.2f} m/s   {ground}",
        f"normal {normal[0]:+.3f} {normal[1]:+.3f} {normal[2]:+.3f}",
        f"tick {world.tick}   {format_time(world.seconds)}",
    ]
    return (
        *lines,
        *frame_stats.describe_frame_times(game.frame_times, game.session.dropped_seconds, game.session.tick_seconds),
    )


def contact_markers(world: World, palette: str = "usual") -> DebugLines | None:
    """What the last tick touched, as points with their normals, coloured by what they are to the walker."""
    if world.trace is None:
        return None
    touched = world.trace.contacts
    if not touched:
        return None
    points = np.array([contact.point for contact in touched])
    ends = points + NORMAL_LENGTH * np.array([contact.normal for contact in touched])
    colours = np.array([contact_colour(contact.kind, palette) for contact in touched])
    return DebugLines(np.stack((points, ends), axis=1), colours, points, colours)
