"""HUD of a frame: the mode's panel, messages, counters, and the figures and contacts of the debug view."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.angles import DEGREES_PER_HEADING_UNIT
from ...core.time_format import format_time
from ...render import Hud, Snapshot
from ...render.colour_palettes import contact_colour, theme_for
from ...render.overlay_layers import Overlay, OverlayLines, OverlayPoints
from ...render.snapshot import ScreenLabel
from ..guidance.hints import is_pressed_once
from ..input.actions import PlayAction
from ..visuals import golf_visuals
from . import event_messages

if TYPE_CHECKING:
    from ...sim import World
    from ..game import Game
    from ..settings.settings_file import Settings
    from .mode import Mode

STUTTER_FACTOR = 1.5  # times the median: a longer frame is visible as a stutter
NORMAL_LENGTH = 0.35  # m
HIDDEN_OPACITY = 0.22  # of contacts behind walls
CAPTION_HEIGHT = 0.80  # of the picture's height: the lowest caption
CAPTION_STEP = 0.06  # of the picture's height: from one caption to the next above it


def loading_hud(progress: float, label: str, settings: Settings) -> Hud:
    """Shown over the level while the kernels compile."""
    return Hud(crosshair=False, progress=progress, progress_label=label, hint="Esc: quit", **hud_style(settings))


def build_hud(game: Game, mode: Mode, seconds: float = 0.0) -> Hud:
    """HUD while there is a world, `seconds` after the previous frame. A panel hides messages and counters."""
    panel = mode.panel()
    message = game.feedback.message if panel is None else None
    world = game.world if panel is None and game.session is not None else None
    once = is_pressed_once(PlayAction.USE, game.input.held, game.settings)
    aim = game.feedback.golf_hud.aim
    progress, label = (None, "") if world is None else golf_visuals.power_bar(world, once, game.screen.debug, aim)
    mark = None if progress is None else aim.target_strength
    if world is not None and progress is None and game.screen.is_compiling:
        progress, label = game.screen.progress, f"Setup {game.screen.progress:.0%}"
    counter = "" if world is None else event_messages.target_counter(world) or golf_visuals.counter_text(world)
    counters = (counter, "" if world is None else game.runs.movies.progress_text)
    shows_figures = game.screen.debug and panel is None
    hud = Hud(
        debug_lines=debug_figures(game) if shows_figures else (),
        counter="   ·   ".join(filter(None, counters)),
        message=message.text if message else "",
        message_detail=message.detail if message else "",
        hint=mode.bottom_line if panel is None else "",
        cards=() if game.hot_reload is None or panel is not None else game.hot_reload.cards,
        crosshair=panel is None,
        panel=panel,
        veil=game.screen.fade.opacity,
        picture=game.screen.fade.picture,
        progress=progress if not game.screen.fade.waiting_for else game.screen.fade.bar.fraction,
        progress_label=game.screen.fade.waiting_for or label,
        progress_mark=mark,
        **hud_style(game.settings),
    )
    game.menus.mouse_navigation.update(game.menu, hud, seconds, game.settings.reduce_motion)
    return hud


def hud_style(settings: Settings) -> dict[str, Any]:
    """The fields of a Hud that the settings decide."""
    return {
        "scale": settings.interface_scale,
        "text": settings.text_size,
        "palette": settings.palette,
        "contrast": settings.high_contrast,
    }


def add_captions(shot: Snapshot, lines: Sequence[str]) -> Snapshot:
    """The snapshot with these captions above the bottom, the last one lowest; unchanged under a menu."""
    if not lines or shot.hud.panel is not None:
        return shot
    red, green, blue, _ = theme_for(shot.hud.palette, shot.hud.contrast).ink
    labels = tuple(
        ScreenLabel(line, 0.5, CAPTION_HEIGHT - CAPTION_STEP * number, (red, green, blue), centred=True)
        for number, line in enumerate(reversed(lines))
    )
    return replace(shot, hud=replace(shot.hud, labels=(*shot.hud.labels, *labels)))


def debug_figures(game: Game) -> tuple[str, ...]:
    """Lines of the debug view (F3): the walker, pictures of the level, lengths of the frames, balls."""
    world, session = game.world, game.played_session
    state = world.walker_state
    x, y, z = state.feet
    vx, vy, vz = state.velocity
    normal = state.ground_normal
    view = game.input.view.yaw * DEGREES_PER_HEADING_UNIT
    slope = math.degrees(math.acos(min(1.0, max(-1.0, normal[1]))))
    ground = f"on ground, slope {slope:.1f}°" if state.grounded else "in the air"
    lines = [
        f"feet {x:.3f} {y:.3f} {z:.3f}",
        f"view {view:.1f}°   body {state.heading * DEGREES_PER_HEADING_UNIT:.1f}°",
        f"speed {math.hypot(vx, vz):.2f} m/s   up {vy:+.2f} m/s   {ground}",
        f"normal {normal[0]:+.3f} {normal[1]:+.3f} {normal[2]:+.3f}",
        f"tick {world.tick}   {format_time(world.seconds)}",
    ]
    history = session.history
    if history is not None:
        lines.append(f"rewind {format_time(len(history) * session.tick_seconds)}   {history.memory / 1e6:.1f} MB")
    pictures = game.screen.picture_figures
    if pictures is not None and pictures.total:
        memory = f"{pictures.memory / 2**20:.1f} MiB of video memory"
        lines.append(f"pictures {pictures.ready} of {pictures.total}   {memory}")
    if len(game.clock.frame_times):
        times = 1e3 * np.asarray(game.clock.frame_times)
        median, rate = float(np.median(times)), f"{1e3 / times.mean():.0f}" if times.mean() > 0.0 else "?"
        late = int((times > STUTTER_FACTOR * median).sum())
        longest = f"99th {np.percentile(times, 99):.1f} ms   longest {times.max():.1f} ms"
        lines.append(f"frames {rate}/s   median {median:.1f} ms   {longest}")
        missed = round(session.dropped_seconds / session.tick_seconds)  # of the clock, not simulated
        lines.append(f"late {late} of {len(times)}   missed ticks {missed}")
    balls = world.balls
    if len(balls.rows):
        lines.append(f"{len(balls.rows)} balls, {int((~balls.rows['asleep']).sum())} awake")
        if balls.play is not None and balls.play.energy:
            lines.append(f"energy {balls.energy:.1f} J")
    return tuple(lines)


def contact_markers(world: World, palette: str = "usual") -> Overlay:
    """Contacts of the last tick as points with normals, coloured by class (walkable, wall, ceiling)."""
    contacts = () if world.trace is None else world.trace.contacts
    points = np.array([contact.point for contact in contacts]).reshape(-1, 3)
    ends = points + NORMAL_LENGTH * np.array([contact.normal for contact in contacts]).reshape(-1, 3)
    colours = np.array([(*contact_colour(contact.kind, palette), 1.0) for contact in contacts]).reshape(-1, 4)
    normals = OverlayLines(np.stack((points, ends), axis=1), colours, 2.5, HIDDEN_OPACITY)
    return Overlay(lines=(normals,), points=(OverlayPoints(points, colours, 9.0, HIDDEN_OPACITY),))
