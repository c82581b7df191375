"""Every public function, constructor and method with hostile arguments: tools/verify/fuzz_arguments.py."""

from __future__ import annotations

import os

import pytest

from game.core.errors import WalkerError
from tools.verify import fuzz_arguments

CASES = int(os.environ.get("WALKER_EXAMPLES", "0")) or 5  # of several changed arguments, for each target
TARGETS = {target.name: target for target in fuzz_arguments.targets()}


@pytest.mark.parametrize("name", sorted(TARGETS))
def test_returns_something_sane_or_refuses_in_words(name):
    assert not fuzz_arguments.find_failures(TARGETS[name], CASES)


def test_all_valid_arguments_are_accepted():
    for target in TARGETS.values():
        named, more = target.usual()
        target.new()(**named, **more)


def test_the_fuzzer_notices():
    """Errors of the wrong kind, without a sentence or a check, warnings, nan, and arguments that do not count."""

    def failure(function):
        return "".join(fuzz_arguments.find_failures(fuzz_arguments.make_target("level", lambda: function, function), 1))

    def careless(tick: float):
        return {}[tick]

    def unchecked(tick: float):
        return float([tick])

    def spreading(tick: float):
        return [float("nan")]

    def careful(tick: float):
        raise WalkerError("the tick is wrong")

    assert "KeyError" in failure(careless)
    assert "no check of its own" in failure(unchecked)
    assert "result[0] is nan" in failure(spreading)
    assert "no check of its own" in failure(careful)  # a raise outside of game/
