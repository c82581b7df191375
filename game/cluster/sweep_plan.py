"""Sweep: settings of the walker varied over a grid, a shard for each level and point, and the table of results."""

from __future__ import annotations

import contextlib
import itertools
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.walker_settings import SETTING_RANGES, WalkerSettingError, WalkerSettings
from ..level.format.findings import suggest_word
from ..sim.replay.fingerprint import settings_values
from .errors import ClusterError
from .level_files import LevelFiles
from .shards import Shard
from .sweep_walks import METRICS, OUTCOMES

ARRAYS_VERSION = 2  # of the arrays of a shard; a part of its key
MAX_POINTS = 1_000_000  # of a grid
MAX_DIGITS = len(str(MAX_POINTS))  # of a count
VARIED = tuple(name for name in SETTING_RANGES if name != "radii")  # settings with one number


@dataclass(frozen=True, slots=True)
class Variation:
    """The values of one setting."""

    setting: str
    values: tuple[float, ...]


def parse_variation(text: str) -> Variation:
    """`step_height=0.1:0.5:9` (9 values from 0.1 to 0.5) or `step_height=0.1,0.2,0.4`. ClusterError in one sentence."""
    name, equals, values = text.partition("=")
    name = name.strip()
    if name == "radii":
        raise ClusterError("radii has three numbers and cannot be varied; vary another setting")
    if name not in VARIED:
        cure = suggest_word(name, VARIED) or f"the settings are {', '.join(VARIED)}"
        raise ClusterError(f"--vary: there is no setting '{name[:40]}'; {cure}")
    if not equals:
        raise ClusterError(f"--vary {name}: write the values, such as {name}=0.1:0.5:9 or {name}=0.1,0.3")
    numbers = _parse_range(name, values) if ":" in values else [_parse_number(name, word) for word in values.split(",")]
    if len(set(numbers)) < len(numbers):
        double = next(value for value, count in Counter(numbers).items() if count > 1)
        raise ClusterError(f"--vary {name}: the value {double:g} stands twice; remove one")
    return Variation(name, tuple(numbers))


def _parse_range(name: str, text: str) -> list[float]:
    """LOW:HIGH:COUNT as evenly spaced numbers."""
    words = text.split(":")
    count = words[2].strip() if len(words) == 3 else ""
    if count and not count.strip("0"):
        raise ClusterError(f"--vary {name}={text[:60]}: the COUNT must be at least 1, and 2 for a range of values")
    if not (count.isascii() and count.isdecimal()):
        raise ClusterError(f"--vary {name}={text[:60]}: write LOW:HIGH:COUNT, such as 0.1:0.5:9")
    if len(count) > MAX_DIGITS or int(count) > MAX_POINTS:
        raise ClusterError(f"--vary {name}={text[:60]}: the count is at most {MAX_POINTS}")
    low, high = _parse_number(name, words[0]), _parse_number(name, words[1])
    if not math.isfinite(high - low):
        raise ClusterError(f"--vary {name}={text[:60]}: a range needs two numbers that are not so far apart")
    if int(count) == 1 and low != high:
        raise ClusterError(
            f"--vary {name}={text[:60]}: one value cannot go from {low:g} to {high:g}; use a larger count"
        )
    return evenly_spaced(low, high, int(count))


def evenly_spaced(low: float, high: float, count: int) -> list[float]:
    """Evenly spaced numbers, as a person writes them: 0.3 for 0.1 + 0.2. The ends are exact."""
    exact = [low, *np.linspace(low, high, count)[1:-1].tolist(), high][:count]
    short = [low, *(float(f"{value:.12g}") for value in exact[1:-1]), high][:count]
    return short if len(set(short)) == len(set(exact)) else exact


def _parse_number(name: str, word: str) -> float:
    value = math.nan
    if word.isascii() and "_" not in word:  # Python reads 1_0 as 10
        with contextlib.suppress(ValueError):
            value = float(word)
    if math.isnan(value) or (math.isinf(value) and not SETTING_RANGES[name].may_be_infinite):
        raise ClusterError(f"--vary {name}: '{word.strip()[:40]}' is not a number")
    return value + 0.0  # not -0


def check_metrics(names: Iterable[str]) -> None:
    """ClusterError for a metric that does not exist."""
    for name in names:
        if name not in METRICS:
            cure = suggest_word(name, METRICS) or f"the metrics are {', '.join(METRICS)}"
            raise ClusterError(f"--metric: there is no metric '{name[:40]}'; {cure}")


def grid(variations: Sequence[Variation]) -> list[dict[str, float]]:
    """All combinations of the values, the last setting changing fastest. ClusterError where they are too many."""
    names = [one.setting for one in variations]
    if double := next((name for index, name in enumerate(names) if name in names[:index]), ""):
        raise ClusterError(f"--vary {double} is given twice; write all its values in one --vary")
    if math.prod(len(one.values) for one in variations) > MAX_POINTS:
        raise ClusterError(f"--vary: more than {MAX_POINTS} combinations; use fewer values")
    return [dict(zip(names, values, strict=True)) for values in itertools.product(*(one.values for one in variations))]


def point_settings(body: WalkerSettings, point: Mapping[str, float]) -> WalkerSettings:
    """The body with the values of a point. ClusterError for a value outside its range."""
    values: dict[str, Any] = {name: getattr(body, name) for name in SETTING_RANGES}
    try:
        return WalkerSettings(**{**values, **point})
    except WalkerSettingError as error:
        cure = "" if error.name in point else f"; this body is made by --vary {', '.join(point)}"
        raise ClusterError(f"--vary: {error}{cure}") from None


def sweep_shards(
    levels: Sequence[tuple[LevelFiles, WalkerSettings]],
    points: Sequence[Mapping[str, float]],
    commands: str | None,
    ticks: int | None,
    conditions: Mapping[str, str],
) -> list[Shard]:
    """One shard for each level and point, the points changing faster. levels: with the body of each."""
    shards = []
    for files, body in levels:
        for point in points:
            fields = {
                "level": files.digest,
                "settings": settings_values(point_settings(body, point)),
                "commands": commands,
                "ticks": ticks,
                "arrays": ARRAYS_VERSION,
            }
            shards.append(Shard("sweep", fields, conditions, files.file_stem))
    return shards


def sweep_rows(
    levels: Sequence[str],
    points: Sequence[Mapping[str, float]],
    results: Iterable[Mapping[str, np.ndarray[Any, Any]]],
) -> list[dict[str, Any]]:
    """A row for each shard: name of the level, values of the settings, all metrics, how the walk ended, and the bots'
    walk; None where there is none."""
    outcomes = list(OUTCOMES)
    rows: list[dict[str, Any]] = []
    for number, arrays in enumerate(results):
        measured = {name: float(arrays[name][0]) for name in METRICS}
        rows.append(
            {
                "level": levels[number // len(points)],
                "settings": {
                    name: "inf" if math.isinf(value) else value for name, value in points[number % len(points)].items()
                },
                "metrics": {name: None if math.isnan(value) else value for name, value in measured.items()},
                "outcome": outcomes[int(arrays["outcome"][0])],
                "search_ticks": int(arrays["search_ticks"][0]),
                "walk": arrays["walk"].tobytes().decode() or None,
            }
        )
    return rows
