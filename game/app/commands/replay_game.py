"""Game that shows a replay, and nothing else: in a window for `replay --show`, without one for a movie."""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ...core.jobs import Jobs
from ...render import Hud
from ...sim import Replay, ReplayError, World
from ...sim.replay.verifier import make_replay_world
from ..cameras.replay_cameras import BEHIND, EYE, FIXED, OUTSIDE
from ..game import Game
from ..input.actions import TimeLineAction
from ..launch.display_check import missing_display_reason
from ..launch.kernel_compilation import KernelCompilation
from ..launch.level_lookup import UserError
from ..launch.world_setup import NOT_WRITTEN_STATUS, prepare_cache_folder
from ..menus.menu_stack import MenuRow, MenuStack
from ..menus.pages import LinkPage
from ..modes.registry import MODES
from ..modes.replay import ReplayMode
from ..runs.time_line import ReplayRequest
from ..settings.mode_names import REPLAY
from ..settings.settings_file import Settings

if TYPE_CHECKING:
    from ...level import Level
    from ...render import Snapshot
    from ...sim.replay.replay_file import ReplayPart
    from ..runs.library.replay_levels import ReplayLevels

FindLevel = Callable[["ReplayPart"], "Level"]

WARM_UP_SECONDS = 2.0  # s before the first frame in which the cameras settle
CAMERA_STEP = 1.0 / 60.0  # s, longest time step of the cameras
CLOCK_START = 1.0  # reading of the game's clock at the start of the replay (s)
TIME_EPSILON = 1e-9  # s: a frame so little after a tick shows this tick
CAMERAS = {"first": EYE, "third": BEHIND, "outside": OUTSIDE, "fixed": FIXED}  # by the option --view
NO_WINDOW_TEXT = "cannot open a window ({}); without --show the replay is verified"


class ReplayGame(Game):
    """Game that shows a replay. `playback` is its mode; Esc opens a menu. The time trial is off."""

    def __init__(
        self, replay: Replay, levels: FindLevel, settings: Settings, jobs: Jobs | None = None, camera: str = EYE,
        orbit: tuple[float, float, float] | None = None,
    ) -> None:  # fmt: skip
        """levels: gives the level of a part. camera, orbit: those at first (`ReplayRequest`). ReplayError or UserError
        where the first level cannot be loaded, or the replay has no ticks."""
        first = next((part for part in replay.parts if part.blocks), None)
        if first is None:
            raise ReplayError("it contains no ticks")
        super().__init__(levels(first), settings, "", jobs)
        self.runs.time_trial.enabled = False
        self._first_part = first
        self._request = ReplayRequest(
            replay, levels, exit_page=lambda: ReplayMenuPage(self), camera=camera, orbit=orbit
        )

    @property
    def playback(self) -> ReplayMode:
        mode = self.modes[REPLAY]
        assert isinstance(mode, ReplayMode)
        return mode

    def make_world(self) -> World:
        """World of the replay's first part. ReplayError where its settings do not fit this version."""
        return make_replay_world(self._first_part, self.level, [])

    def start(self, world: World) -> None:
        super().start(world)
        self.push_mode(REPLAY, self._request)


# ---- In a window


class ReplayMenuPage(LinkPage):
    """Menu that Esc opens."""

    name = "replay"
    title = "Replay"
    back_label = ""

    def __init__(self, game: ReplayGame) -> None:
        rows = (
            MenuRow("resume", "Continue"),
            MenuRow("start", "From the start"),
            MenuRow("settings", "Settings"),
            MenuRow("controls", "Controls"),
            MenuRow("quit", "Quit"),
        )
        super().__init__(rows, {"settings": game.menus.page_openers["settings"]})
        self._game = game

    def activate(self, menu: MenuStack, row: MenuRow) -> str:
        if row.name in ("start", "controls"):
            self._game.resume()
            is_start = row.name == "start"
            self._game.handle_action(TimeLineAction.GO_TO_START if is_start else TimeLineAction.HELP)
            return ""
        return super().activate(menu, row)


def show_replay(record: Replay, levels: ReplayLevels, options: argparse.Namespace) -> int:
    """Show a replay in the window; the exit status. UserError where no window can be opened."""
    from ..startup import NoWindowError, play_in_window

    began = time.perf_counter()
    prepare_cache_folder()
    reason = missing_display_reason()
    if reason is not None:
        raise UserError(NO_WINDOW_TEXT.format(reason), NOT_WRITTEN_STATUS)
    with Jobs() as jobs:
        compilation = KernelCompilation(jobs, is_game=True)
        try:
            level = levels.level(record.parts[0])
            return play_in_window(
                level, options, compilation, began,
                lambda settings, jobs: ReplayGame(record, levels.level, settings, jobs),
            )  # fmt: skip
        except NoWindowError as error:
            raise UserError(NO_WINDOW_TEXT.format(error), NOT_WRITTEN_STATUS) from None
        except ReplayError as error:
            raise UserError(f"{record.path}: {error}") from None


# ---- Frames of a movie


class ExactReplayMode(ReplayMode):
    """Time line whose position follows from the clock alone: no tick is early, late or dropped."""

    max_loading_wait = None
    max_simulation = math.inf

    def _give_up(self, reason: str) -> None:
        raise ReplayError(reason)

    @property
    def is_moving(self) -> bool:  # type: ignore[override]
        return True

    def update(self, now: float, seconds: float) -> None:
        """Play up to the clock."""
        self._play_to(self._shown.position_at(now - CLOCK_START), seconds)


class ReplaySource(ReplayGame):
    """Replay as a `FrameSource`, by an exact clock and without a window; its pictures have no HUD. ReplayError where it
    cannot be played."""

    mode_types = (*MODES, ExactReplayMode)

    def __init__(self, record: Replay, levels: FindLevel, options: argparse.Namespace) -> None:
        """options: `view`, `orbit` and `fov` (degrees) of `walker video`."""
        settings = replace(Settings(), fov=options.fov)
        super().__init__(record, levels, settings, camera=CAMERAS[options.view], orbit=options.orbit)
        self.start(self.make_world())
        self.clock.play_started = CLOCK_START

    def snapshots(self, times: Sequence[float], aspect: float) -> Iterator[tuple[Level, Snapshot]]:
        """The level and the snapshot at each of these times (s, ascending)."""
        now = max(0.0, times[0] - WARM_UP_SECONDS)
        self.playback.seek(now)
        if self._request.camera == OUTSIDE and self._request.orbit is None:
            self.playback.set_camera(OUTSIDE)  # with a view of the body where the movie begins
        shot = self._snapshot(now, aspect)
        for at in times:
            steps = max(1, math.ceil((at - now) / CAMERA_STEP - TIME_EPSILON))
            for step in range(1, steps + 1):
                shot = self._snapshot(now + (at - now) * step / steps, aspect)
            now = at
            yield self.level, shot

    def _snapshot(self, seconds: float, aspect: float) -> Snapshot:
        """The snapshot at a time of the replay (s). Times ascend."""
        shot = self.advance_frame(CLOCK_START + seconds, aspect)
        return replace(shot, hud=Hud(crosshair=False), overlay=None)
