"""The living level behind the title: somebody walks its walk by himself, and a slow camera looks on."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from ...physics import Command
from ...render import Camera, Hud, Panel, Snapshot
from ...render.snapshot import EllipsoidInstance
from ...sim import Session
from ...sim.command_script import CommandsError, read_script
from ..cameras import first_person, title_camera
from ..visuals import ball_visuals

if TYPE_CHECKING:
    from ...level import Level
    from ...sim import World
    from ..game import Game

WALKER_COLOUR = (1.0, 0.66, 0.20)
REVEAL_SECONDS = 1.1  # that the words take to come up
MAX_STEP_SECONDS = 0.05  # s: a late frame is not one that is left out
DEFAULT_NEAR = 0.05  # m, where no mesh can be asked yet
RADIANS_PER_HEADING_UNIT = 2.0 * math.pi / 65536


def title_loading_frame(level: Level, hud: Hud) -> Snapshot:
    """The picture before there is a world: where the title will begin, with the game's name."""
    at = title_camera.title_camera_at(level, 0.0, bare=True)
    view_ = Camera(at.eye, at.yaw, at.pitch, first_person.vertical_fov(at.fov), DEFAULT_NEAR)
    return Snapshot(view_, replace(hud, panel=Panel(layout="title")))


class TitleScreen:
    """Shows a game's world while its title is up, and leaves it as it was found."""

    def __init__(self, game: Game) -> None:
        assert game.session is not None
        self.world: World = game.session.world
        self.saved_state = self.world.state()
        self.world.restart()
        self.session = Session(self.world)
        self._initial_state = self.world.state()
        self._commands = self._load_walk()
        self.has_walk = self._pending_command is not None
        self.seconds = 0.0

    _pending_command: Command | None = None

    def _load_walk(self) -> Iterator[Command]:
        """The level's own walk, where there is one beside it."""
        path = getattr(self.world.level, "path", None)
        found: Iterator[Command] = iter(())
        if path is not None:
            with contextlib.suppress(CommandsError, OSError, ValueError):
                found = iter(read_script(path.with_suffix(".commands")).commands(self.world.start.heading))
        self._pending_command = next(found, None)
        return found

    def _next_command(self) -> Command:
        """The next command of the walk; at its end it begins again."""
        if self._pending_command is None:
            if not self.has_walk:
                return Command(heading=self.world.walker_state.heading)
            self.world.restore(self._initial_state)
            self.session.reset_interpolation()
            self._commands = self._load_walk()
        command = self._pending_command or Command(heading=self.world.walker_state.heading)
        self._pending_command = next(self._commands, None)
        return command

    @property
    def reveal(self) -> float:
        """How far the words have come up, 0 to 1."""
        part = min(1.0, self.seconds / REVEAL_SECONDS)
        return part * part * (3.0 - 2.0 * part)

    def apply_to_frame(self, shot: Snapshot, now: float, seconds: float, aspect: float, still: bool) -> Snapshot:
        """The picture of this frame. still: no camera that moves by itself."""
        self.seconds += min(seconds, MAX_STEP_SECONDS)
        self.session.advance(now, self._next_command)
        at = title_camera.title_camera_at(self.world.level, self.seconds, still)
        fov = first_person.vertical_fov(at.fov)
        poses, alpha = self.session.movers(), self.session.alpha
        moving = None if self.world.around is None else self.world.around.movers
        near = first_person.near_distance(self.world.mesh, at.eye, fov, aspect, moving, poses)
        pose = self.session.pose()
        body = EllipsoidInstance(pose.centre, pose.radii, WALKER_COLOUR, pose.heading * RADIANS_PER_HEADING_UNIT, 1.0)
        assert shot.body is not None
        return replace(
            shot,
            view=Camera(at.eye, at.yaw, at.pitch, fov, near),
            hud=replace(
                shot.hud,
                veil=max(shot.hud.veil, at.veil),
                tint=first_person.underwater_tint(self.world.level, at.eye),
                cards=(),
            ),
            body=replace(
                shot.body, centre=pose.centre, radii=pose.radii, yaw=pose.heading * RADIANS_PER_HEADING_UNIT, up=pose.up
            ),
            ellipsoids=(*shot.ellipsoids, body) if self.has_walk else shot.ellipsoids,
            movers=poses,
            balls=ball_visuals.ball_instances(self.world, alpha),
            goal_reached=False,
            targets=tuple(map(float, self.world.reached_targets.flags)),
            debug=None,
            overlay=None,
        )

    def restore_world(self, game: Game) -> None:
        """Leave the world as it was found."""
        assert game.session is not None
        if game.session.world is self.world:
            self.world.restore(self.saved_state)
            game.session.reset_interpolation()
