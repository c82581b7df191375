"""A run that was put aside: by a restart that may be taken back, or by the end of the program."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...sim.replay import replay_file
from ...sim.replay.replay_file import ReplayError
from ...sim.trial import SplitTime, TrialRun, read_track
from .ghost import GhostPace
from .recording import RunRecorder

if TYPE_CHECKING:
    from ...core.vectors import Point
    from ...sim import World
    from .run_results import RunResult


@dataclass(slots=True)
class KeptRun:
    """The parts of a run that a restart makes anew (see `TimeTrial`).

    recorder        of the run, and of play after its end
    path, split_positions   feet at each tick and at each split (m)
    shown_split     a split, the run time until which it is shown, and how much later than the ghost it was (s)
    result_delay    s until the result is shown
    """

    run: TrialRun | None = None
    void_reason: str = ""
    result: RunResult | None = None
    recorder: RunRecorder | None = None
    path: list[Point] = field(default_factory=list)
    split_positions: list[Point] = field(default_factory=list)
    shown_split: tuple[SplitTime, float, float | None] | None = None
    result_delay: float = 0.0
    pace: GhostPace = field(default_factory=GhostPace)


def encode_kept_run(kept: KeptRun) -> tuple[dict[str, Any] | None, bytes]:
    """The run as JSON values (None where there is none), and its replay so far. The pending result page is left out."""
    run = kept.run
    if run is None:
        return None, b""
    recorded = b""
    if kept.recorder is not None and not kept.void_reason and not run.is_finished:
        recorded = kept.recorder.recorded_bytes()
    fields = {
        **run.to_fields(),
        "void": kept.void_reason,
        "split_positions": [list(point) for point in kept.split_positions],
    }
    return fields, recorded


def decode_kept_run(fields: dict[str, Any], recorded: bytes, world: World) -> KeptRun:
    """The run of `encode_kept_run`, to be continued in `world`, which is in the state after it. ValueError for other
    values, and for a replay that does not end in that state."""
    try:
        run = TrialRun.from_fields(world, fields)
        points = [(float(x), float(y), float(z)) for x, y, z in fields["split_positions"]]
        kept = KeptRun(run, str(fields["void"]), split_positions=points)
    except (KeyError, TypeError, OverflowError) as error:
        raise ValueError("the run in it is damaged") from error
    if not recorded:
        return kept
    record = replay_file.decode_replay(recorded, Path())
    part = record.parts[0]
    if len(record.parts) != 1 or record.missing_ticks or record.ticks != run.ticks or not part.chunks:
        raise ReplayError("its recording is incomplete")
    if part.chunks[-1].hash != world.hash():
        raise ReplayError("its recording ends elsewhere")
    kept.recorder = RunRecorder.resume(world, recorded, record)
    kept.path = [(x, y, z) for x, y, z in read_track(record).path[1:].tolist()]
    return kept
