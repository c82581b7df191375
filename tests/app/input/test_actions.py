"""Actions of the keyboard: a key has one action in a context."""

from __future__ import annotations

import inspect
from collections import Counter

import pytest

from game.app.input import actions
from game.app.input.actions import Action

CONTEXTS = [
    value for value in vars(actions).values() if inspect.isclass(value) and issubclass(value, Action) and len(value) > 0
]


@pytest.mark.parametrize("context", CONTEXTS, ids=lambda context: context.__name__)
def test_a_key_has_one_action_in_a_context(context):
    keys = Counter(key for action in context for key in action.keys)
    shared = {key for key, count in keys.items() if count > 1}
    assert shared <= {"NUM_SUBTRACT"}, "the sign of the number pad decreases in a panel, as it comes first"
    assert all(action.keys or action.followed or action.shown for action in context)


@pytest.mark.parametrize("context", CONTEXTS, ids=lambda context: context.__name__)
def test_no_action_is_an_alias_of_another(context):
    """Members of an enumeration with equal values, here keys and help, are one member."""
    assert list(context) == list(context.__members__.values())
