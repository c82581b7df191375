"""The living level behind the title: somebody walks its walk by himself, and a slow camera looks on."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from ...physics import Command
from ...render import Hud, Panel, Snapshot, View
from ...render.passes.ellipsoids import EllipsoidLook
from ...sim import Session
from ...sim.command_script import CommandsError, read
from ..cameras import first_person, title_camera
from ..visuals import ball_visuals

if TYPE_CHECKING:
    from ...level import Level
    from ...sim import World
    from ..game import Game

AMBER = (1.0, 0.66, 0.20)
RISE_SECONDS = 1.1  # that the words take to come up
LONGEST_STEP = 0.05  # s: a late frame is not one that is left out
NEAR = 0.05  # m, where no mesh can be asked yet
UNIT = 2.0 * math.pi / 65536


def coming(level: Level, hud: Hud) -> Snapshot:
    """The picture before there is a world: where the title will begin, with the game's name."""
    at = title_camera.seen(level, 0.0, bare=True)
    view_ = View(at.eye, at.yaw, at.pitch, first_person.vertical_fov(at.fov), NEAR)
    return Snapshot(view_, replace(hud, panel=Panel(look="title")))


class Title:
    """Shows a game's world while its title is up, and leaves it as it was found."""

    def __init__(self, game: Game) -> None:
        assert game.session is not None
        self.world: World = game.session.world
        self.kept = self.world.state()
        self.world.restart()
        self.session = Session(self.world)
        self._begin = self.world.state()
        self._commands = self._walk()
        self.walks = self._next is not None
        self.seconds = 0.0

    _next: Command | None = None

    def _walk(self) -> Iterator[Command]:
        """The level's own walk, where there is one beside it."""
        path = getattr(self.world.level, "path", None)
        found: Iterator[Command] = iter(())
        if path is not None:
            with contextlib.suppress(CommandsError, OSError, ValueError):
                found = iter(read(path.with_suffix(".commands")).commands(self.world.start.heading))
        self._next = next(found, None)
        return found

    def _sample(self) -> Command:
        """The next command of the walk; at its end it begins again."""
        if self._next is None:
            if not self.walks:
                return Command(heading=self.world.walker_state.heading)
            self.world.restore(self._begin)
            self.session.jumped()
            self._commands = self._walk()
        command = self._next or Command(heading=self.world.walker_state.heading)
        self._next = next(self._commands, None)
        return command

    @property
    def shown(self) -> float:
        """How far the words have come up, 0 to 1."""
        part = min(1.0, self.seconds / RISE_SECONDS)
        return part * part * (3.0 - 2.0 * part)

    def over(self, shot: Snapshot, now: float, seconds: float, aspect: float, still: bool) -> Snapshot:
        """The picture of this frame. still: no camera that moves by itself."""
        self.seconds += min(seconds, LONGEST_STEP)
        self.session.advance(now, self._sample)
        at = title_camera.seen(self.world.level, self.seconds, still)
        fov = first_person.vertical_fov(at.fov)
        poses, alpha = self.session.movers(), self.session.alpha
        moving = None if self.world.around is None else self.world.around.movers
        near = first_person.near_plane(self.world.mesh, at.eye, fov, aspect, moving, poses)
        pose = self.session.pose()
        body = EllipsoidLook(pose.centre, pose.radii, AMBER, pose.heading * UNIT, 1.0)
        assert shot.body is not None
        return replace(
            shot,
            view=View(at.eye, at.yaw, at.pitch, fov, near),
            hud=replace(
                shot.hud, veil=max(shot.hud.veil, at.veil), tint=first_person.tint(self.world.level, at.eye), cards=()
            ),
            body=replace(shot.body, centre=pose.centre, radii=pose.radii, yaw=pose.heading * UNIT, up=pose.up),
            ellipsoids=(*shot.ellipsoids, body) if self.walks else shot.ellipsoids,
            movers=poses,
            balls=ball_visuals.look(self.world, alpha),
            goal_reached=False,
            targets=tuple(map(float, self.world.targets.flags)),
            debug=None,
            overlay=None,
        )

    def end(self, game: Game) -> None:
        """Leave the world as it was found."""
        assert game.session is not None
        if game.session.world is self.world:
            self.world.restore(self.kept)
            game.session.jumped()
