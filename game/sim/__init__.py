"""Simulation: a world advanced in fixed ticks, sessions, headless walks, replays."""

from ..physics import Command, WalkerSettings
from . import command_script, headless_run
from .events import (
    BallLossReason,
    BallLost,
    BallStruck,
    CheckpointReached,
    Event,
    ExitReached,
    GoalReached,
    HoledOut,
    Respawned,
    RespawnReason,
    TargetReached,
)
from .replay.history import History
from .replay.replay_file import Replay, ReplayError, read_replay
from .replay.tick_report import TickReport, describe_tick
from .replay.verifier import Divergence, FieldDifference, VerifyResult, verify
from .session import BodyPose, Session
from .world import World

__all__ = [
    "BallLossReason",
    "BallLost",
    "BallStruck",
    "BodyPose",
    "CheckpointReached",
    "Command",
    "Divergence",
    "Event",
    "ExitReached",
    "FieldDifference",
    "GoalReached",
    "History",
    "HoledOut",
    "Replay",
    "ReplayError",
    "RespawnReason",
    "Respawned",
    "Session",
    "TargetReached",
    "TickReport",
    "VerifyResult",
    "WalkerSettings",
    "World",
    "command_script",
    "describe_tick",
    "headless_run",
    "read_replay",
    "verify",
]
