"""Ending mode: a minute over the courtyard for a player who has won every medal. The figure walks into the light on the
roof, and the game says thank you."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ...physics import Command
from ...render import Camera, Hud, Snapshot
from ...render.snapshot import TitleCard
from ...sim import World
from ..cameras.title_camera import SHOTS_BY_LEVEL, CameraShot, TitleCamera
from ..input.actions import Action
from ..menus import level_library
from ..menus.menu_controller import MENU_CONTEXTS
from ..settings.mode_names import ENDING, PLAYING, TITLE
from .help import DISMISS_ACTIONS
from .hud_builder import hud_style
from .mode import Mode
from .title import TitleScene

if TYPE_CHECKING:
    from ...level import Level
    from ..cameras.camera import CameraFrame

SPAWN = "roof"  # of the courtyard, from which the figure walks
PACE, STOP_X = 0.4, -4.6  # of 1, forward; m, west, in the light of the goal
WEST, SOUTH = 16384, 32768  # headings
SUN = 12.0, 235.0  # degrees: height and azimuth in the evening
HOP_DELAY = 2.0  # s of a shot without title
FADE_SECONDS = 0.9  # s at both sides of a cut, and of its text
TEXT_DELAY = 1.6  # s of a shot without text


@dataclass(frozen=True, slots=True)
class EndingShot:
    """A shot of the ending: its camera, its length (s), and a title with a line below it. walks: the figure does."""

    camera: CameraShot
    seconds: float
    title: str = ""
    text: str = ""
    walks: bool = True


SHOTS = (
    EndingShot(
        SHOTS_BY_LEVEL[level_library.HALL][0], 13.0,
        "You have won every medal", "Every level of the game is finished.", walks=False,
    ),
    EndingShot(
        CameraShot(((10.6, 8.8, -13.4), 66.0, -5.0), ((3.2, 8.4, -13.6), 70.0, -3.0)), 11.0, "What you have won",
    ),
    EndingShot(CameraShot(((-5.7, 8.4, -12.8), -22.0, -3.0), ((-4.8, 8.4, -12.7), -4.0, -3.0), 74.0), 11.0),
    EndingShot(
        CameraShot(((-3.4, 9.0, -10.0), 12.0, -5.0), ((1.6, 12.6, 5.5), 15.0, -15.0), 70.0),
        25.0, "Thank you for playing", "The doors of the courtyard stay open.",
    ),
)  # fmt: skip


class EndingCamera(TitleCamera):
    """Camera of the ending. The last shot slows down and stays."""

    @property
    def shot(self) -> tuple[EndingShot, float]:
        """The present shot, and the seconds since its begin."""
        seconds = self.seconds
        for shot in SHOTS[:-1]:
            if seconds < shot.seconds:
                return shot, seconds
            seconds -= shot.seconds
        return SHOTS[-1], seconds

    def view(self, level: Level, still: bool) -> Camera:
        shot, seconds = self.shot
        fraction = 1.0 if still else min(seconds / shot.seconds, 1.0)
        return shot.camera.at(fraction if shot is not SHOTS[-1] else 1.0 - (1.0 - fraction) ** 2)


class EndingScene(TitleScene):
    """Session of a world of its own, in which the figure walks to the goal."""

    camera: EndingCamera

    def __init__(self, level: Level) -> None:
        super().__init__(World(level, spawn=SPAWN))
        self.camera = EndingCamera()
        self.has_walk = True

    def _next_command(self) -> Command:
        is_there = self.world.walker_state.feet[0] <= STOP_X
        walks = self.camera.shot[0].walks and not is_there
        return Command(forward=PACE if walks else 0.0, heading=SOUTH if is_there else WEST)

    def apply_to_frame(self, shot: Snapshot, frame: CameraFrame, now: float) -> Snapshot:
        _, before = self.camera.shot
        shot = super().apply_to_frame(shot, frame, now)
        present, seconds = self.camera.shot
        if not present.title and before < HOP_DELAY <= seconds:
            self.hero.hop()
        return replace(shot, goal_reached=self.world.goal_tick >= 0, sun=SUN)


class EndingMode(Mode):
    """The ending, over the mode from which it was opened. Any key of a menu leaves it."""

    name = ENDING
    contexts = MENU_CONTEXTS
    scene: EndingScene

    def enter(self, subject: Any = None) -> None:
        self.game.stop_input()
        self.scene = EndingScene(self.game.level)
        self._won = level_library.won_of_game()

    def handle_action(self, action: Action) -> None:
        if action in DISMISS_ACTIONS:
            self.left_pressed()

    def left_pressed(self) -> None:
        """Back to where it was opened; the main menu after a journey."""
        self.game.pop_mode()
        if self.game.mode == PLAYING:
            self.game.push_mode(TITLE)

    @property
    def shows_run_clock(self) -> bool:
        return False

    def apply_to_frame(self, shot: Snapshot, frame: CameraFrame) -> Snapshot:
        game = self.game
        shot = self.scene.apply_to_frame(shot, frame, game.clock.now or 0.0)
        present, seconds = self.scene.camera.shot
        is_last = present is SHOTS[-1]
        left = FADE_SECONDS if is_last else present.seconds - seconds
        near_cut = min(seconds, left) / FADE_SECONDS
        card = None
        if present.title and seconds > TEXT_DELAY:
            opacity = min((seconds - TEXT_DELAY) / FADE_SECONDS, left / FADE_SECONDS, 1.0)
            card = TitleCard(present.title, present.text, opacity=opacity)
            if not present.text:
                card = replace(card, best=self._won[0], collected=self._won[1], next_medal=self._won[2])
        hud = Hud(
            crosshair=False, veil=max(game.screen.fade.opacity, 1.0 - min(near_cut, 1.0)), title_card=card,
            hint="Esc: leave" if is_last and seconds > TEXT_DELAY else "", **hud_style(game.settings),
        )  # fmt: skip
        return replace(shot, hud=hud)
