"""The fixed tick: a world with a walker in it, real time cut into ticks, walks without a window."""

from game.physics import Command, WalkerSettings
from game.sim import atomic, commands, headless
from game.sim.events import (
    BallLost,
    CheckpointReached,
    Event,
    GoalReached,
    HoledOut,
    Left,
    Respawned,
    Struck,
    TargetReached,
)
from game.sim.recorder import Recorder
from game.sim.replay import Replay, ReplayError
from game.sim.rewind import Ring
from game.sim.session import Pose, Session
from game.sim.verify import Verdict, verify
from game.sim.world import World

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
    "atomic",
    "commands",
    "headless",
    "verify",
]
