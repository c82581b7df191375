"""The fixed tick: a world with a walker in it, real time cut into ticks, walks without a window."""

from ..physics import Command, WalkerSettings
from . import command_script, headless_run
from .events import BallLost, CheckpointReached, Event, GoalReached, HoledOut, Left, Respawned, Struck, TargetReached
from .replay.recorder import Recorder
from .replay.replay_file import Replay, ReplayError
from .replay.rewind import Ring
from .replay.verifier import Verdict, verify
from .session import Pose, Session
from .world import World

__all__ = [
    "BallLost",
    "CheckpointReached",
    "Command",
    "Event",
    "GoalReached",
    "HoledOut",
    "Left",
    "Pose",
    "Recorder",
    "Replay",
    "ReplayError",
    "Respawned",
    "Ring",
    "Session",
    "Struck",
    "TargetReached",
    "Verdict",
    "WalkerSettings",
    "World",
    "command_script",
    "headless_run",
    "verify",
]
