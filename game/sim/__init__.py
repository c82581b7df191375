"""The fixed tick: a world with a walker in it, real time cut into ticks, walks without a window."""

from game.physics import Command, WalkerSettings
from game.sim import atomic, commands, headless
from game.sim.events import CheckpointReached, Event, GoalReached, Left, Respawned, TargetReached
from game.sim.recorder import Recorder
from game.sim.replay import Replay, ReplayError
from game.sim.session import Pose, Session
from game.sim.verify import Verdict, verify
from game.sim.world import World

__all__ = [
    "CheckpointReached",
    "Command",
    "Event",
    "GoalReached",
    "Left",
    "Pose",
    "Recorder",
    "Replay",
    "ReplayError",
    "Respawned",
    "Session",
    "TargetReached",
    "Verdict",
    "WalkerSettings",
    "World",
    "atomic",
    "commands",
    "headless",
    "verify",
]
