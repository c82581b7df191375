"""Deterministic physics of a walking ellipsoid and of balls: collision meshes, queries, movement.

Metres, seconds, kilograms; Y is up; right-handed. A heading is an integer, 65536 to the turn, counter-clockwise seen
from above, 0 along -Z; a pitch has the same unit, positive looks up; a yaw is the same angle as a float in radians.
"""

from ..core.angles import degrees_from_heading, heading_from_degrees
from ..core.motion import Motion
from ..core.walker_settings import SLIM, WalkerSettings, preset_settings
from ..core.zone import Zone
from .batch import Crowd
from .character.command import Command
from .character.settings import bare, slim
from .character.state import WalkerState
from .character.trace import Contact, Slide, Trace
from .crowd_queries import WalkerHits
from .environment.environment import Environment, EnvironmentWarning
from .environment.movers import Mover, Movers
from .environment.zones import Zones
from .mesh.heightfield import HeightField
from .mesh.material import Material
from .query.ellipsoid import Ellipsoid
from .query.point_in_polygon import point_in_polygon
from .query.results import Gap, Gaps, Hit, Hits, Touch, Touches
from .query.shapes import Box, Capsule, Sphere
from .triangle_mesh import TriangleMesh
from .walker import Walker

__all__ = [
    "SLIM",
    "Box",
    "Capsule",
    "Command",
    "Contact",
    "Crowd",
    "Ellipsoid",
    "Environment",
    "EnvironmentWarning",
    "Gap",
    "Gaps",
    "HeightField",
    "Hit",
    "Hits",
    "Material",
    "Motion",
    "Mover",
    "Movers",
    "Slide",
    "Sphere",
    "Touch",
    "Touches",
    "Trace",
    "TriangleMesh",
    "Walker",
    "WalkerHits",
    "WalkerSettings",
    "WalkerState",
    "Zone",
    "Zones",
    "bare",
    "degrees_from_heading",
    "heading_from_degrees",
    "point_in_polygon",
    "preset_settings",
    "slim",
]
