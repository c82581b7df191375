"""Labels of split times and challenges of the time trial."""

from __future__ import annotations

import math
from dataclasses import replace

from ...core.time_format import format_time
from ...sim.trial import Challenge, SplitKind, SplitTime, TrialChallenge

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
LIST_SEPARATOR = ", "


def challenge_texts(challenge: TrialChallenge) -> tuple[str, str]:
    """Label of a challenge, and what to do: the words of the level, else those of its rules and time."""
    label = " + ".join(CHALLENGE_TEXTS[rule][0] for rule in challenge.rules)
    parts = [CHALLENGE_TEXTS[rule][1] for rule in challenge.rules]
    if challenge.within != math.inf:
        label = f"{label} in {format_time(challenge.within)}" if label else f"In {format_time(challenge.within)}"
        parts.append(f"Finish in {format_time(challenge.within)}")
    about = LIST_SEPARATOR.join([*parts[:1], *(part[0].lower() + part[1:] for part in parts[1:])])
    return challenge.name or label, challenge.about or about


_KIND_LABELS = {SplitKind.CHECKPOINT: "Checkpoint", SplitKind.TARGET: "Target", SplitKind.HOLE: "Hole"}


def split_label(split: SplitTime) -> str:
    """The place's own name, or its kind and number. Progress files keep split times by this label."""
    return split.name or f"{_KIND_LABELS[split.kind]} {split.number}"


def split_title(split: SplitTime, level_name: str) -> str:
    """The label as it is shown: a place with the name of its level is called by its kind and number."""
    return split_label(replace(split, name="") if split.name == level_name else split)
