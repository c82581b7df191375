"""The parts of `lab` that the application uses. No other module of `app` imports `lab`."""

from __future__ import annotations

from ...lab import create_controller
from ...lab.exhibits import add_static_exhibits
from ...lab.lab_session import LabSession
from ...lab.reference_controller import ControllerWorld

__all__ = ["ControllerWorld", "LabSession", "add_static_exhibits", "create_controller"]
