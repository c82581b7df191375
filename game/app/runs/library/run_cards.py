"""Cards of recorded runs: pictures in the folder of the runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ....core import atomic_files
from ....core.errors import error_reason
from ....core.time_format import format_result
from ....drawing.canvas import encode_png
from ....drawing.run_card import RunFacts, draw_run_card
from ....sim.replay.replay_file import ReplayError
from ....sim.trial import read_track
from ...launch.level_lookup import UserError
from .. import medals, progress, run_verifier
from ..recording import display_path
from .replay_levels import StoredLevels
from .run_library import RunEntry, RunStatus

if TYPE_CHECKING:
    from ....level import Level

CARD_FOLDER = "cards"  # in the folder of the runs


def save_card(entry: RunEntry, name: str, present: Level) -> str:
    """Draw the card of a run and save it; a sentence that says where, or why not. present: the level that is played."""
    record = run_verifier.read_run(entry.path)
    if record is None:
        return "No card: the file of this run cannot be read."
    try:
        level = StoredLevels(record, present).level(record.parts[0])
        track = read_track(record)
        limits = medals.medal_limits(level, entry.spawn)
        counts = entry.status in (RunStatus.VERIFIED, RunStatus.PENDING)
        medal = limits.medal_for(entry.seconds, entry.strokes) if limits is not None and counts else None
        state = "" if counts else "practice run" if entry.status == RunStatus.PRACTICE else "unverified"
        facts = RunFacts(
            format_result(entry.seconds, entry.strokes), medal.value if medal else "", name, entry.when[:10], (state,)
        )
        path = progress.runs_folder() / CARD_FOLDER / f"{Path(entry.file).stem}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        atomic_files.write_atomic(path, encode_png(draw_run_card(level, track.path, facts)))
    except (UserError, ReplayError, OSError) as error:
        return f"No card: {error_reason(error) if isinstance(error, OSError) else error}"
    return f"The card is saved: {display_path(path)}"
