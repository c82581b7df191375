"""The fixed tick: a world with a walker in it, real time cut into ticks, walks without a window."""

from game.physics import Command, WalkerSettings
from game.sim import atomic, commands, headless
from game.sim.events import Event, GoalReached, Respawned
from game.sim.session import Pose, Session
from game.sim.world import World

__all__ = [
    "Command",
    "Event",
    "GoalReached",
    "Pose",
    "Respawned",
    "Session",
    "WalkerSettings",
    "World",
    "atomic",
    "commands",
    "headless",
]
