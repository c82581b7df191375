"""Every public function, constructor and method with hostile arguments (tests/support/hostile_input)."""

from __future__ import annotations

import os
import warnings

import pytest

from game.core.errors import WalkerError
from tests.support.hostile_input import argument_calls, argument_examples
from tests.support.hostile_input.argument_targets import make_target, targets

CASES = int(os.environ.get("WALKER_EXAMPLES", "0")) or 5  # of several changed arguments, for each target
TARGETS = {target.name: target for target in targets()}


@pytest.fixture(autouse=True)
def _working_folder(tmp_path, monkeypatch):
    """A folder that takes the files that hostile paths name."""
    monkeypatch.chdir(tmp_path)


@pytest.mark.sample(10)
@pytest.mark.parametrize("name", sorted(TARGETS))
def test_each_call_returns_finite_values_or_refuses_in_words(name):
    assert not argument_calls.find_failures(TARGETS[name], CASES)


def test_all_valid_arguments_are_accepted():
    for target in TARGETS.values():
        named, more = target.usual()
        first = [named.pop(p.name) for p in target.parameters if p.kind is p.POSITIONAL_ONLY and p.name in named]
        target.new()(*first, **named, **more)


def test_the_fuzzer_notices_every_kind_of_failure(monkeypatch):
    """Errors of the wrong kind, without a sentence or a check, warnings, nan, and arguments that do not count."""

    def failure(function, name="level"):
        return "".join(argument_calls.find_failures(make_target(name, lambda: function, function), 1))

    def careless(tick: float):
        return {}[tick]

    def unchecked(tick: float):
        return float([tick])

    def spreading(tick: float):
        return [float("nan")]

    def careful(tick: float):
        raise WalkerError("the tick is wrong")

    def terse(tick: float):
        raise ValueError("tick")

    def nameless(up=(0.0, 1.0, 0.0)):
        raise ValueError("a value is wrong")

    def of_other(up=(0.0, 1.0, 0.0)):
        raise ValueError("columns must be equally long, not: upper has 2 for each of 3 walkers")

    def warning(tick: float):
        warnings.warn("a tick that overflows", RuntimeWarning, stacklevel=1)

    def forgetful(up=(0.0, 1.0, 0.0)):
        return argument_examples.state()

    assert "KeyError" in failure(careless)
    assert "no check of its own" in failure(unchecked)
    assert "result[0] is nan" in failure(spreading)
    assert "no check of its own" in failure(careful)  # a raise outside of game/
    assert "RuntimeWarning" in failure(warning)
    assert "accepted, and up is" in failure(forgetful, "Walker.spawn")
    monkeypatch.setattr(argument_calls, "is_deliberate", lambda error: True)
    assert "no sentence" in failure(terse)
    assert "does not name the argument" in failure(nameless, "Walker.spawn")
    assert "does not name the argument" in failure(of_other, "Walker.spawn")
