"""The work of one shard, the same in each process and on each machine."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..sim.replay.fingerprint import settings_from_values
from .errors import ShardError
from .level_files import LevelStore
from .shards import Shard
from .sweep_walks import sweep_shard

Result = dict[str, "np.ndarray[Any, Any]"]


def run_shard(shard: Shard, levels: LevelStore) -> Result:
    """The result of a shard: arrays by name. ClusterError where its level is not there."""
    level = levels.load(shard.level)
    fields = shard.fields
    settings = settings_from_values(fields["settings"])
    if shard.kind == "sweep":
        return sweep_shard(level, settings, fields["commands"], fields["ticks"])
    from .fuzzing.fuzz_shard import fuzz_shard

    try:
        return fuzz_shard(level, fields["body"], settings, fields["seed"], fields["index"], fields["ticks"])
    except ValueError as error:
        cure = "choose another --body, or leave this level out"
        raise ShardError(f"{level.path.name}: the body '{fields['body']}': {error}; {cure}") from None
