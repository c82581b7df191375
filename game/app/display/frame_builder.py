"""What a frame shows: the moment that a game is at, as plain data for the renderer. It changes nothing in the world."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from ...render import Body, Camera, Snapshot
from ..cameras import first_person
from ..modes.title import title_loading_frame
from ..settings.mode_names import PLAYING, REWINDING
from ..visuals import ball_visuals, golf_visuals
from . import hud_builder

if TYPE_CHECKING:
    from ..game import Game

RADIANS_PER_HEADING_UNIT = 2.0 * math.pi / 65536
DEFAULT_EYE_HEIGHT = 1.44  # m over the spawn from which is seen before there is a walker: an eye at 0.80 of 1.80
DEFAULT_NEAR = 0.02  # m to the near plane, while the mesh cannot be asked


def loading_frame(game: Game) -> Snapshot:
    """Before there is a world: the level from its spawn, or where the title will begin."""
    shown = hud_builder.loading_hud(game.progress, game.progress_label, game.settings)
    if game.menus.is_opening:
        return title_loading_frame(game.level, shown)
    spawn = game.level.spawns[0]
    x, y, z = spawn.feet
    fov = first_person.vertical_fov(game.settings.fov)
    return Snapshot(
        view=Camera((x, y + DEFAULT_EYE_HEIGHT, z), spawn.heading * RADIANS_PER_HEADING_UNIT, 0.0, fov, DEFAULT_NEAR),
        hud=shown,
    )


def build_frame(game: Game, now: float, seconds: float, aspect: float) -> Snapshot:
    """The world as it stands, `seconds` after the frame before, with what the game's mode adds to it or sees it from.

    `now` is the clock's reading, `aspect` the picture's width over its height.
    """
    shot = game.time_trial.apply_to_frame(_first_person_frame(game, now, seconds, aspect))
    if game.mode == REWINDING:
        return game.rewind.apply_to_frame(shot, seconds, aspect)
    if game.menus.title is not None:
        return game.menus.title.apply_to_frame(shot, now, seconds, aspect, game.settings.reduce_motion)
    if game.editor.is_open:
        return game.editor.apply_to_frame(shot, seconds, now, aspect)
    shot = (game.free_camera if game.free_camera.is_active else game.third_person_camera).apply_to_frame(
        shot, game, seconds, aspect
    )
    if game.lab is not None and not game.lab.is_idle:
        game.lab.update(game.level)
        return game.lab.apply_to_frame(shot, "use" in game.held_actions.active, shot.hud.panel is not None)
    return shot


def _first_person_frame(game: Game, now: float, seconds: float, aspect: float) -> Snapshot:
    session = game.session
    assert session is not None
    world, pose, poses = session.world, session.pose(), session.movers()
    moves = game.mode in (PLAYING, REWINDING)
    eye = game.first_person_camera
    at = eye.update_from_session(session, seconds if moves else 0.0, game.settings, game.sound_events)
    fov = first_person.vertical_fov(game.settings.fov)
    moving = None if world.around is None else world.around.movers
    near = first_person.near_distance(world.mesh, at, fov, aspect, moving, poses)
    yaw, pitch = game.view_direction()
    return Snapshot(
        view=Camera(
            at,
            yaw * RADIANS_PER_HEADING_UNIT,
            pitch * RADIANS_PER_HEADING_UNIT,
            fov,
            near,
            eye.up_transition.up,
            eye.up_transition.north,
        ),
        hud=replace(hud_builder.build_hud(game, seconds), tint=first_person.underwater_tint(game.level, at)),
        debug=hud_builder.contact_markers(world, game.settings.palette) if game.debug else None,
        overlay=game.golf_hud.overlay(world, round(yaw), round(pitch), session.alpha),
        ellipsoids=golf_visuals.drawn_ball(world, session.alpha),
        body=Body(pose.centre, pose.radii, pose.heading * RADIANS_PER_HEADING_UNIT, pose.up, pose.north),
        goal_reached=world.goal_tick >= 0,
        targets=game.target_fade.update(world.reached_targets.flags, seconds if game.mode == PLAYING else 0.0),
        time=now - (game.play_started or now),
        balls=ball_visuals.ball_instances(world, session.alpha),
        movers=poses,
    )
