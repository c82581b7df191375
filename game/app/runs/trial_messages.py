"""Labels of split times and challenges of the time trial."""

from __future__ import annotations

from dataclasses import replace

from ...sim.trial import Challenge, SplitKind, SplitTime

CHALLENGE_TEXTS = {  # label, what to do
    Challenge.NO_JUMP: ("Feet on the ground", "Never jump"),
    Challenge.NO_SPRINT: ("No hurry", "Never sprint"),
    Challenge.ALWAYS_CROUCHED: ("Keep low", "Crouch all the way"),
    Challenge.ONLY_FORWARD: ("Straight ahead", "Only walk forwards"),
    Challenge.NO_FALL: ("Sure-footed", "Finish without falling"),
    Challenge.ALL_TARGETS: ("Every target", "Reach all targets before the goal"),
    Challenge.PAR: ("Par", "Finish at par or better"),
    Challenge.NO_LOSS: ("Dry ball", "Lose no ball"),
}
_KIND_LABELS = {SplitKind.CHECKPOINT: "Checkpoint", SplitKind.TARGET: "Target", SplitKind.HOLE: "Hole"}


def split_label(split: SplitTime) -> str:
    """The place's own name, or its kind and number. Progress files keep split times by this label."""
    return split.name or f"{_KIND_LABELS[split.kind]} {split.number}"


def split_title(split: SplitTime, level_name: str) -> str:
    """The label as it is shown: a place with the name of its level is called by its kind and number."""
    return split_label(replace(split, name="") if split.name == level_name else split)
