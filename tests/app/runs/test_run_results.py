"""Labels of challenges and split times."""

from __future__ import annotations

from game.app.runs.run_results import CHALLENGE_TEXTS, split_label, split_title
from game.sim.trial import Challenge, SplitKind, SplitTime


def test_every_challenge_has_its_own_label():
    assert set(CHALLENGE_TEXTS) == set(Challenge)
    assert len(set(CHALLENGE_TEXTS.values())) == len({label for label, _ in CHALLENGE_TEXTS.values()}) == len(Challenge)


def test_a_split_is_called_by_its_name_or_by_kind_and_number():
    assert split_label(SplitTime(SplitKind.TARGET, 2, "The bell", 1.0)) == "The bell"
    labels = [split_label(SplitTime(kind, 3, "", 1.0)) for kind in SplitKind]
    assert labels == ["Checkpoint 3", "Target 3", "Hole 3"]


def test_a_checkpoint_with_the_name_of_its_level_is_shown_by_its_number():
    split = SplitTime(SplitKind.CHECKPOINT, 1, "The courtyard", 1.9)
    assert split_title(split, "The courtyard") == "Checkpoint 1"
    assert split_title(split, "Another level") == "The courtyard"
    assert split_label(split) == "The courtyard", "the key of the progress file"
