"""Simulation: a world advanced in fixed ticks, sessions, headless walks, replays."""

from ..physics import Command, WalkerSettings
from . import command_script, headless_run
from .events import (
    BallLost,
    BallStruck,
    CheckpointReached,
    Event,
    ExitReached,
    GoalReached,
    HoledOut,
    Respawned,
    TargetReached,
)
from .replay.recorder import Recorder
from .replay.replay_file import Replay, ReplayError, read_replay
from .replay.rewind import RewindBuffer
from .replay.verifier import VerifyResult, verify
from .session import BodyPose, Session
from .world import World

__all__ = [
    "BallLost",
    "BallStruck",
    "BodyPose",
    "CheckpointReached",
    "Command",
    "Event",
    "ExitReached",
    "GoalReached",
    "HoledOut",
    "Recorder",
    "Replay",
    "ReplayError",
    "Respawned",
    "RewindBuffer",
    "Session",
    "TargetReached",
    "VerifyResult",
    "WalkerSettings",
    "World",
    "command_script",
    "headless_run",
    "read_replay",
    "verify",
]
