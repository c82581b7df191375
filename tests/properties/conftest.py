"""How much Hypothesis tries: the same few examples each time, or as many new ones as WALKER_EXAMPLES says.

    WALKER_EXAMPLES=5000 python -m pytest tests/properties

With the JIT off examples are fewer, since every tick then runs in Python.
"""

from __future__ import annotations

import os

import numba
from hypothesis import HealthCheck, Phase, settings

WANTED = int(os.environ.get("WALKER_EXAMPLES", "0"))
QUIET = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]

settings.register_profile(
    "same",
    max_examples=60 if numba.config.DISABLE_JIT else 300,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=QUIET,
    phases=[Phase.explicit, Phase.generate, Phase.shrink],
)
settings.register_profile(
    "many", max_examples=max(WANTED, 1), deadline=None, print_blob=True, suppress_health_check=QUIET
)
settings.load_profile("many" if WANTED else "same")
