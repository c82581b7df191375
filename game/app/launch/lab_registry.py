"""The parts of `lab` that the application uses. No other module of `app` imports `lab`."""

from __future__ import annotations

from ...lab import create_controller
from ...lab.controller_world import ControllerWorld
from ...lab.exhibits import add_static_exhibits
from ...lab.lab_session import LabSession

__all__ = ["ControllerWorld", "LabSession", "add_static_exhibits", "create_controller"]
