"""How much Hypothesis tries: the same examples each time, few by default, or as many new ones as WALKER_EXAMPLES says.

    WALKER_EXAMPLES=5000 python -m pytest tests/properties

With the JIT off examples are fewer, since every tick then runs in Python.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numba
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.strategies import SearchStrategy

WANTED = int(os.environ.get("WALKER_EXAMPLES", "0"))
FEW, MANY = (12, 60) if numba.config.DISABLE_JIT else (30, 300)
NUMBERS = [WANTED] if WANTED else [FEW, pytest.param(MANY, marks=pytest.mark.full)]
QUIET = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]

settings.register_profile(
    "same",
    max_examples=MANY,
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


def holds_for(*strategies: SearchStrategy[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Decorator of a property: a test with few examples by default, and with many in the full tests."""

    def decorate(check: Callable[..., None]) -> Callable[..., None]:
        def test(examples: int) -> None:
            settings(max_examples=examples)(given(*strategies)(check))()

        test.__name__, test.__qualname__, test.__doc__, test.__module__ = (
            check.__name__, check.__qualname__, check.__doc__, check.__module__,
        )  # fmt: skip
        return pytest.mark.parametrize("examples", NUMBERS)(test)

    return decorate
