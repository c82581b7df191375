"""The rules of movement: a mesh of triangles, questions to it, and an ellipsoid that walks on it.

Metres, seconds, kilograms; Y is up; right-handed. A heading is an integer, 65536 to the turn, counter-clockwise seen
from above, 0 along -Z; a pitch the same unit, positive looks up; a yaw the same angle as a float in radians.
"""

from game.physics.command import Command
from game.physics.crowd import Crowd
from game.physics.hit import Gap, Hit, Touch
from game.physics.material import Material
from game.physics.mesh import TriangleMesh
from game.physics.motion import Motion
from game.physics.movers import Mover, Movers
from game.physics.polygon import point_in_polygon
from game.physics.queries import Ellipsoid
from game.physics.settings import SLIM, WalkerSettings, bare, slim
from game.physics.shapes import Box, Capsule, Sphere
from game.physics.state import WalkerState
from game.physics.surroundings import Surroundings
from game.physics.trace import Contact, Slide, Trace
from game.physics.walker import Walker

__all__ = [
    "SLIM",
    "Box",
    "Capsule",
    "Command",
    "Contact",
    "Crowd",
    "Ellipsoid",
    "Gap",
    "Hit",
    "Material",
    "Motion",
    "Mover",
    "Movers",
    "Slide",
    "Sphere",
    "Surroundings",
    "Touch",
    "Trace",
    "TriangleMesh",
    "Walker",
    "WalkerSettings",
    "WalkerState",
    "bare",
    "point_in_polygon",
    "slim",
]
