"""Undo of a restart: the state of play before it, down to the run against the clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...sim.world import NEVER

if TYPE_CHECKING:
    from ...sim import Session
    from ..input.player_input import ViewAngles
    from .time_trial import TimeTrial

MESSAGE_SECONDS = 10.0  # s that the offer is shown
UNDO_SECONDS = 12.0  # s of play in which a restart can be taken back: a little longer, for a hand that is late
SLIP_SECONDS = 2.0  # s of play within which a second restart is taken as part of the first


class RestartUndo:
    """State of play just before a restart: the world's bytes, the view and the run."""

    def __init__(self, session: Session, view: ViewAngles, time_trial: TimeTrial) -> None:
        self.world = session.world
        self._state = self.world.state()
        self._view = view.yaw, view.pitch
        self._run = time_trial.keep_run()

    def is_possible(self, session: Session | None, seconds: float = UNDO_SECONDS) -> bool:
        """Whether the world that was restarted is still played, for at most so many seconds since."""
        return session is not None and session.world is self.world and self.world.seconds <= seconds

    def apply(self, session: Session, view: ViewAngles, time_trial: TimeTrial) -> None:
        """Bring world, view and run back; what was played since the restart is dropped. The run counts as before."""
        world = self.world
        ticks_since = world.tick
        world.restore(self._state)
        world.platform_turn = 0
        session.reset_interpolation()
        buffer = session.rewind_buffer
        if buffer is not None and buffer.world is world and ticks_since < len(buffer):
            buffer.truncate_after(len(buffer) - 1 - ticks_since)
            buffer.mark_discontinuity()
        if session.recorder is not None:
            session.recorder.state_replaced()
        time_trial.resume_run(self._run)
        view.yaw, view.pitch = self._view


def keep_before_restart(
    previous: RestartUndo | None, session: Session, view: ViewAngles, time_trial: TimeTrial
) -> RestartUndo | None:
    """What a restart now would lose; None where nothing was played. A second restart right after the first keeps what
    the first would have lost."""
    if previous is not None and previous.is_possible(session, SLIP_SECONDS):
        return previous
    if session.world.tick == 0:
        return None
    run = time_trial.run
    if run is not None and run.began == NEVER:
        return None
    return RestartUndo(session, view, time_trial)
