"""The cameras of play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .ball_camera import BallCamera
from .first_person import FirstPersonCamera
from .free import FreeCamera
from .hero import Hero
from .hero_camera import HeroCamera
from .third_person import ThirdPersonCamera

if TYPE_CHECKING:
    from ...sim import Session


class CameraSet:
    """The cameras of play: `first_person` exists once there is a session."""

    first_person: FirstPersonCamera

    def __init__(self) -> None:
        self.third_person = ThirdPersonCamera()
        self.free = FreeCamera()
        self.ball = BallCamera()
        self.hero_camera = HeroCamera()
        self.hero = Hero()

    def start(self, session: Session) -> None:
        """Place all cameras at the walker of a new session."""
        world = session.world
        self.first_person = FirstPersonCamera(world.mesh, world.settings.eye, session.pose())
        self._reset()

    def snap(self, session: Session) -> None:
        """Skip all smoothing and end free flight: the walker was moved to another place."""
        self.first_person.snap(session.pose())
        self._reset()

    def _reset(self) -> None:
        self.free.is_active = False
        self.third_person.snap()
        self.hero_camera.stop()
