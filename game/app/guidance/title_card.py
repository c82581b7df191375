"""Title card: when it is shown over play, and what it says about a level."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.time_format import format_result
from ...render.hud_content import TitleCard
from ..runs import medals, progress
from . import aim

if TYPE_CHECKING:
    from ...sim import World

MIN_SECONDS, MAX_SECONDS = 3.0, 9.0  # s that the card is shown at the start of a level: with and without a movement
CALLED_SECONDS = 7.0  # s that it is shown after its key
FADE_IN_SECONDS = 0.35
FADE_OUT_SECONDS = 0.6
OPACITY_STEPS = 20  # so that few different layouts are made while it fades


class CardTimer:
    """Opacity of the card over time."""

    def __init__(self) -> None:
        self._shown = 0.0  # s since it began to appear
        self._left = 0.0  # s until it begins to fade out
        self._min_left = 0.0  # s until a movement makes it fade
        self._fading = FADE_OUT_SECONDS  # s of fading out so far

    def begin(self, seconds: float = MAX_SECONDS, min_seconds: float = MIN_SECONDS) -> None:
        """Show the card for some seconds; after `min_seconds` a movement ends it."""
        self._shown = self._fading = 0.0
        self._left = seconds
        self._min_left = min_seconds

    def end(self) -> None:
        """Let the card fade now."""
        self._left = 0.0

    @property
    def is_up(self) -> bool:
        """Whether the card is shown and does not fade yet."""
        return self._left > 0.0

    def update(self, seconds: float, is_moving: bool) -> None:
        """Advance by a frame of play."""
        self._shown += seconds
        self._min_left -= seconds
        if self._left > 0.0:
            self._left = 0.0 if is_moving and self._min_left <= 0.0 else self._left - seconds
        else:
            self._fading += seconds

    def opacity(self, is_animated: bool) -> float:
        """0 to 1; without animation one of the two."""
        if self._left <= 0.0 and (self._fading >= FADE_OUT_SECONDS or not is_animated):
            return 0.0
        if not is_animated:
            return 1.0
        fraction = min(self._shown / FADE_IN_SECONDS, 1.0 - self._fading / FADE_OUT_SECONDS, 1.0)
        return round(max(fraction, 0.0) * OPACITY_STEPS) / OPACITY_STEPS


def describe_level(world: World) -> TitleCard:
    """The card of a level in its present state, opaque."""
    level = world.level
    spawn = world.start.name
    best = progress.level_record(level, spawn).best
    best_text = medal_name = next_text = ""
    limits = medals.medal_limits(level, spawn)
    if best is not None:
        best_text = f"Best {format_result(best.seconds, best.strokes)}"
    if limits is not None:
        medal = None if best is None else limits.medal_for(best.seconds, best.strokes)
        medal_name = "" if medal is None else medal.value
        wanted = limits.next_above(medal)
        next_text = "" if wanted is None else f"Next medal: {limits.describe(wanted)}"
    return TitleCard(
        level.name, aim.describe_aim(level, world), aim.describe_collection(level), best_text, medal_name, next_text
    )
