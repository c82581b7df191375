"""Interface of the game that the guidance reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from ...sim import Session, World
    from ..input.player_input import HeldActions, ViewAngles
    from ..launch.lab_registry import LabSession
    from ..runs.time_trial import TimeTrial, TrialMessages
    from ..settings.settings_file import Settings


class GuideHost(Protocol):
    """Part of the game that the guidance reads; it only shows messages."""

    session: Session | None
    settings: Settings
    held_actions: HeldActions
    view_angles: ViewAngles
    lab: LabSession | None
    time_trial: TimeTrial

    @property
    def world(self) -> World: ...

    @property
    def feedback(self) -> TrialMessages: ...
