"""The work of one shard, the same in each process and on each machine."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..sim.replay.fingerprint import settings_from_values
from .level_files import LevelStore
from .shards import Shard
from .sweep_walks import sweep_shard

Result = dict[str, "np.ndarray[Any, Any]"]


def run_shard(shard: Shard, levels: LevelStore) -> Result:
    """The result of a shard: arrays by name. ClusterError where its level is not there."""
    level, fields = levels.load(shard.level), shard.fields
    settings = settings_from_values(fields["settings"])
    if shard.kind == "sweep":
        return sweep_shard(level, settings, fields["commands"], fields["ticks"])
    from .fuzzing.fuzz_shard import fuzz_shard

    return dict(fuzz_shard(level, fields["body"], settings, fields["seed"], fields["index"], fields["ticks"]))
