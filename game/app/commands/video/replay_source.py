"""Replay as a source of frames: the game's own modes and cameras play it by an exact clock, without a window."""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ....core.time_format import format_time
from ....render import Hud
from ....sim import Respawned
from ....sim.replay import fingerprint
from ....sim.trial import LevelEnd, TrialRun, level_end
from ...cameras.camera import CameraFrame
from ...cameras.fixed import FixedCamera
from ...launch.level_lookup import UserError
from ...settings.mode_names import PLAYING
from ...settings.settings_file import Settings
from ..replay_levels import ReplayLevels
from ..replay_viewer import ReplayMode, ReplayViewer

if TYPE_CHECKING:
    from ....level import Level
    from ....render import Snapshot
    from ....sim import Replay
    from ....sim.replay.replay_file import ReplayPart

WARM_UP_SECONDS = 2.0  # s before the first frame in which the cameras settle
CAMERA_STEP = 1.0 / 60.0  # s, longest time step of the cameras
CLOCK_START = 1.0  # reading of the game's clock at the start of the replay (s)
TIME_EPSILON = 1e-9  # s: a frame so little after a tick shows this tick


class RecordedLevels(ReplayLevels):
    """The levels of a replay as they were: where the file has changed since, the text in the replay is used."""

    def __init__(self, record: Replay, wanted: str | None, scratch: Path) -> None:
        super().__init__(record, wanted, False, scratch)

    def level(self, part: ReplayPart) -> Level:
        """The level of a part; UserError where it cannot be found or read."""
        is_new = part.number not in self._loaded
        level = super().level(part)
        if is_new and self.requested_level is None and part.level_text is not None:
            if fingerprint.level_hash(level) == part.level["hash"]:
                return level
            try:
                level = ReplayLevels(self.record, None, True, self._stored_texts()).level(part)
            except (UserError, OSError):  # it refers to files that are not there any more
                return level
            self._loaded[part.number] = level
        return level

    def _stored_texts(self) -> Path:
        folder = self.scratch / f"as-recorded-{len(self._loaded)}"
        folder.mkdir()
        return folder


class ReplaySource:
    """Replay as a `FrameSource`. options: `view` ("first", "third", "fixed"), `fov` (degrees), `hud`."""

    def __init__(self, record: Replay, levels: ReplayLevels, options: argparse.Namespace) -> None:
        self.record, self.levels, self.options = record, levels, options

    def snapshots(self, times: Sequence[float], aspect: float) -> Iterator[tuple[Level, Snapshot]]:
        """The level and the snapshot at each of these times (s, ascending)."""
        game = FilmedReplay(self.record, self.levels, self.options)
        now = max(0.0, times[0] - WARM_UP_SECONDS)
        game.begin_at(now)
        shot = game.shot_at(now, aspect)
        for at in times:
            steps = max(1, math.ceil((at - now) / CAMERA_STEP - TIME_EPSILON))
            for step in range(1, steps + 1):
                shot = game.shot_at(now + (at - now) * step / steps, aspect)
            now = at
            yield game.level, shot


class ExactReplayMode(ReplayMode):
    """Replay mode whose position follows from the clock alone: no tick is early, late or dropped.

    run: the run timer, None where the part does not begin at the start of a level with an end
    """

    run: TrialRun | None = None

    def advance_session(self, now: float, seconds: float) -> None:
        """Run the ticks up to the clock, and interpolate between the last two."""
        target = now - CLOCK_START
        session = self.context.session
        assert session is not None
        while not self.is_finished and self.seconds < target - TIME_EPSILON:
            if self._chunks[self._chunk_index][0] is not self._part:
                self._enter_next_part()
                self.restore_chunk_state()
                session = self.context.session
            command = self.next_command()
            if command is None:
                continue  # the next chunk is of another part
            if session.world.tick == 0:
                self.begin_run()
            events = session.tick(command)
            if self.run is not None:
                self.run.stepped(command, events)
            for event in events:
                self.on_event(event)
        # The last tick ends at `self.seconds`, which is at most one tick after the time that is shown.
        session.show_replayed_tick(session.previous, 1.0 - (self.seconds - target) / session.tick_seconds)

    def begin_run(self) -> None:
        """Start the run timer of a world that is at its start, else stop it."""
        world = self.context.world
        counts = world.tick == 0 and level_end(world.level) != LevelEnd.NONE
        self.run = TrialRun(world) if counts else None


class FilmedReplay(ReplayViewer):
    """Replay viewer without a window, whose picture has no HUD but the run timer and the level's name, where asked."""

    def __init__(self, record: Replay, levels: ReplayLevels, options: argparse.Namespace) -> None:
        super().__init__(record, levels, replace(Settings(), fov=options.fov))
        self.options, self.fixed_camera = options, FixedCamera()
        self.exact = self.playback = self.modes[PLAYING] = ExactReplayMode(self, record, levels)
        self.cameras.third_person.enabled = options.view == "third"

    def begin_at(self, seconds: float) -> None:
        """Start at a position (s) in the replay."""
        self.start(self.make_world())
        self.clock.play_started = CLOCK_START
        self.exact.seek(0.0)
        self.exact.begin_run()
        if self.options.hud:  # the run timer needs all ticks
            self.exact.advance_session(CLOCK_START + seconds, 0.0)
            assert self.session is not None
            self.cameras.snap(self.session)
        elif seconds > 0.0:
            self.exact.seek(seconds)

    def on_respawned(self, event: Respawned) -> None:
        super().on_respawned(event)
        self.fixed_camera.snap()

    def shot_at(self, seconds: float, aspect: float) -> Snapshot:
        """The snapshot at a time of the replay (s). Times ascend."""
        before, now = self.clock.now, CLOCK_START + seconds
        shot = self.advance_frame(now, aspect)
        assert self.session is not None
        if self.options.view == "fixed":
            elapsed = 0.0 if before is None else now - before
            shot = self.fixed_camera.apply_to_frame(shot, CameraFrame(self.session, self.settings, elapsed, aspect))
        hud = Hud(crosshair=False, tint=shot.hud.tint)
        if self.options.hud:
            run = self.exact.run
            timer = format_time(self.session.world.seconds if run is None else run.seconds)
            hud = replace(hud, timer=timer, timer_caption=self.level.name)
        return replace(shot, hud=hud, debug=None, overlay=None)
