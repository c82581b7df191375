"""What a frame shows: the moment that a game is at, as plain data for the renderer. It changes nothing in the world."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from ...render import Body, Snapshot, View
from ..cameras import first_person
from ..modes.title import coming
from ..settings.mode_names import PLAYING, REWINDING
from ..visuals import ball_visuals, golf_visuals
from . import hud_builder

if TYPE_CHECKING:
    from ..game import Game

UNIT = 2.0 * math.pi / 65536
NO_WALKER = 1.44  # m over the spawn from which is seen before there is a walker: an eye at 0.80 of 1.80
NO_MESH = 0.02  # m to the near plane, while the mesh cannot be asked


def preparing(game: Game) -> Snapshot:
    """Before there is a world: the level from its spawn, or where the title will begin."""
    shown = hud_builder.preparing(game.progress, game.progress_label, game.settings)
    if game.menus.expected:
        return coming(game.level, shown)
    spawn = game.level.spawns[0]
    x, y, z = spawn.feet
    fov = first_person.vertical_fov(game.settings.fov)
    return Snapshot(view=View((x, y + NO_WALKER, z), spawn.heading * UNIT, 0.0, fov, NO_MESH), hud=shown)


def moment(game: Game, now: float, seconds: float, aspect: float) -> Snapshot:
    """The world as it stands, `seconds` after the frame before, with what the game's mode adds to it or sees it from.

    `now` is the clock's reading, `aspect` the picture's width over its height.
    """
    shot = game.trial.over(_from_the_eye(game, now, seconds, aspect))
    if game.mode == REWINDING:
        return game.rewinding.over(shot, seconds, aspect)
    if game.menus.title is not None:
        return game.menus.title.over(shot, now, seconds, aspect, game.settings.reduce_motion)
    if game.editor.open:
        return game.editor.over(shot, seconds, now, aspect)
    shot = (game.flying if game.flying.away else game.behind).over(shot, game, seconds, aspect)
    if game.lab is not None and not game.lab.idle:
        game.lab.follow(game.level)
        return game.lab.over(shot, "use" in game.held.actions, shot.hud.panel is not None)
    return shot


def _from_the_eye(game: Game, now: float, seconds: float, aspect: float) -> Snapshot:
    session = game.session
    assert session is not None
    world, pose, poses = session.world, session.pose(), session.movers()
    moves = game.mode in (PLAYING, REWINDING)
    eye = game.eye
    at = eye.frame(session, seconds if moves else 0.0, game.settings, game.hearing)
    fov = first_person.vertical_fov(game.settings.fov)
    moving = None if world.around is None else world.around.movers
    near = first_person.near_plane(world.mesh, at, fov, aspect, moving, poses)
    yaw, pitch = game.direction()
    return Snapshot(
        view=View(at, yaw * UNIT, pitch * UNIT, fov, near, eye.righting.up, eye.righting.north),
        hud=replace(hud_builder.playing(game, seconds), tint=first_person.tint(game.level, at)),
        debug=hud_builder.contacts(world, game.settings.palette) if game.debug else None,
        overlay=game.golfing.overlay(world, round(yaw), round(pitch), session.alpha),
        ellipsoids=golf_visuals.drawn(world, session.alpha),
        body=Body(pose.centre, pose.radii, pose.heading * UNIT, pose.up, pose.north),
        goal_reached=world.goal_tick >= 0,
        targets=game.fading.follow(world.targets.flags, seconds if game.mode == PLAYING else 0.0),
        time=now - (game.began or now),
        balls=ball_visuals.look(world, session.alpha),
        movers=poses,
    )
