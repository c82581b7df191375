"""Replay as a source of frames: the game's own replay mode and cameras, by an exact clock and without a window."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ...render import Hud
from ...sim import Replay, ReplayError
from ...sim.replay.verifier import make_replay_world
from ..cameras.replay_cameras import BEHIND, EYE, FIXED, OUTSIDE
from ..game import Game
from ..modes.registry import MODES
from ..modes.replay import ReplayMode
from ..runs.library.replay_player import ReplayRequest
from ..settings.mode_names import REPLAYING
from ..settings.settings_file import Settings

if TYPE_CHECKING:
    from ...level import Level
    from ...render import Snapshot
    from ...sim.replay.replay_file import ReplayPart

WARM_UP_SECONDS = 2.0  # s before the first frame in which the cameras settle
CAMERA_STEP = 1.0 / 60.0  # s, longest time step of the cameras
CLOCK_START = 1.0  # reading of the game's clock at the start of the replay (s)
TIME_EPSILON = 1e-9  # s: a frame so little after a tick shows this tick
# By the option --view.
CAMERAS: Mapping[str, str] = {"first": EYE, "third": BEHIND, "outside": OUTSIDE, "fixed": FIXED}

FindLevel = Callable[["ReplayPart"], "Level"]


class ReplaySource:
    """Replay as a `FrameSource`. levels: gives the level of a part. options: `view`, `orbit` and `fov` (degrees) of
    `walker video`. ReplayError where the replay cannot be played."""

    def __init__(self, record: Replay, levels: FindLevel, options: argparse.Namespace) -> None:
        self.record = record
        self.levels = levels
        self.options = options

    def snapshots(self, times: Sequence[float], aspect: float) -> Iterator[tuple[Level, Snapshot]]:
        """The level and the snapshot at each of these times (s, ascending)."""
        game = GameOfReplay(self.record, self.levels, self.options)
        now = max(0.0, times[0] - WARM_UP_SECONDS)
        game.replay_mode.seek(now)
        if self.options.view == "outside" and self.options.orbit is None:
            game.replay_mode.set_camera(OUTSIDE)  # with a view of the body where the movie begins
        shot = game.shot_at(now, aspect)
        for at in times:
            steps = max(1, math.ceil((at - now) / CAMERA_STEP - TIME_EPSILON))
            for step in range(1, steps + 1):
                shot = game.shot_at(now + (at - now) * step / steps, aspect)
            now = at
            yield game.level, shot


class ExactReplayMode(ReplayMode):
    """Replay mode whose position follows from the clock alone: no tick is early, late or dropped."""

    max_loading_wait = None

    def _give_up(self, reason: str) -> None:
        raise ReplayError(reason)

    @property
    def is_moving(self) -> bool:  # type: ignore[override]
        return True

    def update(self, now: float, seconds: float) -> None:
        """Play up to the clock."""
        assert self.player is not None
        self._play_to(self.player.position_at(now - CLOCK_START), seconds)


class GameOfReplay(Game):
    """Game without a window that shows a replay. Its picture has no HUD."""

    mode_types = (*MODES, ExactReplayMode)

    def __init__(self, record: Replay, levels: FindLevel, options: argparse.Namespace) -> None:
        first = next((part for part in record.parts if part.blocks), None)
        if first is None:
            raise ReplayError("it contains no ticks")
        super().__init__(levels(first), replace(Settings(), fov=options.fov), "")
        self.runs.time_trial.enabled = False
        self.start(make_replay_world(first, self.level, []))
        self.clock.play_started = CLOCK_START
        camera = CAMERAS[options.view]
        self.push_mode(REPLAYING, ReplayRequest(record, levels, camera=camera, orbit=options.orbit))

    @property
    def replay_mode(self) -> ExactReplayMode:
        mode = self.modes[REPLAYING]
        assert isinstance(mode, ExactReplayMode)
        return mode

    def shot_at(self, seconds: float, aspect: float) -> Snapshot:
        """The snapshot at a time of the replay (s). Times ascend."""
        shot = self.advance_frame(CLOCK_START + seconds, aspect)
        return replace(shot, hud=Hud(crosshair=False), overlay=None)
