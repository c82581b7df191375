"""Frame builder: the snapshot that the renderer draws, as plain data. The world does not change."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from ...core.angles import RADIANS_PER_HEADING_UNIT
from ...render import Body, Camera, Snapshot, world_view
from ...render.overlay_layers import concatenate_layers
from ..cameras.camera import CameraFrame
from ..settings.mode_names import TIME_LINES
from ..visuals import golf_visuals, puffs
from . import hud_builder
from .title import title_loading_frame

if TYPE_CHECKING:
    from ..display.door_panels import DoorPanels
    from ..game import Game
    from .mode import Mode

DEFAULT_NEAR = 0.02  # m, near plane while the mesh cannot be queried


def loading_frame(game: Game) -> Snapshot:
    """Snapshot before there is a world: the level from its spawn, or the first view of the title."""
    hud = hud_builder.loading_hud(game.screen.progress, game.screen.progress_label, game.settings)
    if game.menus.is_opening:
        return title_loading_frame(game.level, hud)
    spawn = game.level.spawns[0]
    x, y, z = spawn.feet
    fov = world_view.vertical_fov(game.settings.fov)
    return Snapshot(
        view=Camera(
            (x, y + game.level.player.eye_height, z), spawn.heading * RADIANS_PER_HEADING_UNIT, 0.0, fov, DEFAULT_NEAR
        ),
        hud=hud,
    )


def build_frame(game: Game, mode: Mode, door_panels: DoorPanels, seconds: float, aspect: float) -> Snapshot:
    """Snapshot of the world as the mode shows it. seconds: since the previous frame; aspect: width over height."""
    frame = CameraFrame(game.played_session, game.settings, seconds, aspect, game.feedback.sound_events)
    shot = _first_person_frame(game, mode, frame)
    assert shot.body is not None
    hero = game.cameras.hero
    hero.update(game.played_session.current, shot.body, seconds if mode.is_moving else 0.0, game.settings.reduce_motion)
    frame = replace(frame, hero=hero.pose)
    if mode.shows_run_clock:
        shot = game.runs.time_trial.apply_to_frame(shot, frame)
    shot = mode.apply_to_frame(shot, frame)
    shot = replace(shot, decals=door_panels.decals(game.world.level, shot.view.eye))
    shot = game.guide.apply_to_frame(shot, mode.name, aspect)
    if game.cameras.hero_camera.shows_start:
        shot = replace(shot, hud=replace(shot.hud, message="", message_detail="", markers=(), crosshair=False))
        if game.feedback.message is not None:
            game.feedback.message.until += seconds
    if game.screen.fade.waiting_for or game.screen.fade.opacity >= 1.0:  # no level is in the picture
        hud = replace(shot.hud, timer="", timer_caption="", counter="", hint="", message="", message_detail="")
        shot = replace(shot, hud=replace(hud, crosshair=False))
    return _with_accessibility(game, mode, shot, frame.seconds if mode.is_moving else 0.0)


def _with_accessibility(game: Game, mode: Mode, shot: Snapshot, seconds: float) -> Snapshot:
    """The snapshot with outlines and captions, where they are on. seconds: of play, 0 while it stands still."""
    world = game.world
    settings = game.settings
    if settings.outlines:
        outlines = game.feedback.outlines.overlay(world, settings.palette, game.jobs, shot.movers)
        layers = [outlines] if shot.overlay is None else [outlines, shot.overlay]
        shot = replace(shot, overlay=concatenate_layers(layers))
    if settings.captions and mode.is_heard:  # else the ellipsoids are not ghosts of play
        captions = game.feedback.captions
        captions.update(game.feedback.sound_cues, seconds)
        ghosts = [body.centre for body in shot.ellipsoids if body.opacity < 1.0 and not (body.visor or body.is_part)]
        captions.update_passing(world, shot.movers, ghosts, seconds)
        right, _, forward = shot.view.basis()
        shot = hud_builder.add_captions(shot, captions.lines(shot.view.eye, right, forward))
    return shot


def _first_person_frame(game: Game, mode: Mode, frame: CameraFrame) -> Snapshot:
    """Snapshot from the eye of the walker, with the HUD."""
    session = frame.session
    clock = game.clock
    world = session.world
    pose = session.pose()
    yaw, pitch = mode.view_direction()
    now = clock.now or 0.0
    time = now - (clock.play_started or now)
    (x, y, z), up, half = pose.centre, pose.up, pose.radii[1]
    feet, head = ((x + side * half * up[0], y + side * half * up[1], z + side * half * up[2]) for side in (-1.0, 1.0))
    if mode.is_moving:  # in a picture that stands still they stay
        surface = puffs.surface_in(world.level, feet, head) if game.feedback.sound_cues else None
        game.feedback.puffs.update(game.feedback.sound_cues, feet, surface, time)
    overlays = [game.feedback.golf_hud.overlay(world, round(yaw), round(pitch), session.alpha, game.jobs)]
    if game.screen.debug and (mode.is_moving or mode.name not in TIME_LINES):  # else the mode explains the tick
        overlays.append(hud_builder.contact_markers(world, game.settings.palette))
    shot = Snapshot(
        view=Camera(pose.centre, yaw * RADIANS_PER_HEADING_UNIT, pitch * RADIANS_PER_HEADING_UNIT),
        hud=hud_builder.build_hud(game, mode, frame.seconds),
        overlay=concatenate_layers([one for one in overlays if one is not None]),
        ellipsoids=golf_visuals.drawn_ball(world, session.alpha),
        body=Body(
            pose.centre,
            pose.radii,
            pose.heading * RADIANS_PER_HEADING_UNIT,
            pose.up,
            pose.north,
            math.hypot(*session.current.velocity),
        ),
        goal_waits=world.targets_missing + world.holes_missing > 0,
        goal_reached=world.goal_tick >= 0,
        checkpoint=world.checkpoint,
        targets=game.feedback.target_fade.update(world.reached_targets, frame.seconds if mode.is_heard else 0.0),
        time=time,
        particles=game.feedback.puffs.alive,
        balls=world_view.ball_instances(world, session.alpha),
        movers=session.movers(),
        calm=game.settings.reduce_motion,
        sign_keys=game.input.held.sign_keys if any("|" in sign.text for sign in world.level.signs) else (),
    )
    return game.cameras.first_person.apply_to_frame(shot, frame if mode.is_moving else replace(frame, seconds=0.0))
