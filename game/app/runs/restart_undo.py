"""Undo of a restart: the state of play before it, down to the run against the clock."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from ...sim.world import NEVER

if TYPE_CHECKING:
    from ...sim import Session, World
    from ..input.player_input import ViewAngles
    from .time_trial import TimeTrial

MESSAGE_SECONDS = 10.0  # s that the offer is shown
UNDO_SECONDS = 12.0  # s of play in which a restart can be taken back: a little longer, for a hand that is late
SLIP_SECONDS = 2.0  # s of play within which a second restart is taken as part of the first


class SessionHost(Protocol):
    """Part of the game that holds the state of play. cameras, feedback, lab: those of `GameContext`."""

    session: Session | None
    view_angles: ViewAngles
    time_trial: TimeTrial
    cameras: Any
    feedback: Any
    lab: Any

    @property
    def mode(self) -> str: ...

    @property
    def world(self) -> World: ...


class RestartUndo:
    """State of play just before a restart: the world's bytes, the view and the run."""

    def __init__(self, context: SessionHost) -> None:
        assert context.session is not None
        self.world: World = context.session.world
        self._state = self.world.state()
        self._view = context.view_angles.yaw, context.view_angles.pitch
        self._run = context.time_trial.keep_run()

    def is_possible(self, context: SessionHost, seconds: float = UNDO_SECONDS) -> bool:
        """Whether the world that was restarted is still played, for at most so many seconds since."""
        session = context.session
        return session is not None and session.world is self.world and self.world.seconds <= seconds

    def apply(self, context: SessionHost) -> None:
        """Bring world, view and run back; what was played since the restart is dropped. The run counts as before."""
        session, world = context.session, self.world
        assert session is not None
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
        context.time_trial.resume_run(self._run)
        context.view_angles.yaw, context.view_angles.pitch = self._view
        context.cameras.snap(session)
        context.feedback.sound_events = None
        context.feedback.target_fade.update(world.reached_targets.flags, 0.0, jump=True)
        if context.lab is not None:
            context.lab.reset_ghosts()


def keep_before_restart(context: SessionHost, previous: RestartUndo | None) -> RestartUndo | None:
    """What a restart now would lose; None where nothing was played. A second restart right after the first keeps what
    the first would have lost."""
    if previous is not None and previous.is_possible(context, SLIP_SECONDS):
        return previous
    session = context.session
    if session is None or session.world.tick == 0:
        return None
    run = context.time_trial.run
    if run is not None and run.began == NEVER:
        return None
    return RestartUndo(context)
