"""Headline and sentences about one tick: what it did, and why."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...core.vectors import Point
from ...physics.character.rows import tick_event
from ...sim.events import RespawnReason
from ...sim.replay.tick_report import MIN_WISH, STOPPED_FRACTION, Obstruction, TickReport, TouchedSurface

MIN_REPORTED_LENGTH = 0.5e-3  # m, shortest length that is mentioned
LEVEL_GROUND_SLOPE = 0.5  # degrees: ground that leans less is level

KIND_NAMES = {"walkable": "ground", "wall": "wall", "ceiling": "ceiling"}
EVENT_SENTENCES = {
    tick_event.CRUSHED: (
        "Crushed by a moving platform",
        "A moving platform left no room: back to the last safe position.",
    ),
    tick_event.LOST: (
        "Stuck inside geometry",
        "The body was inside geometry and found no way out: back to the last safe position.",
    ),
    tick_event.LAUNCHED: ("Launched by a pad", "The pad set the velocity; the body leaves the ground."),
    tick_event.GRAVITY_TURNED: (
        "Gravity changed",
        "The body is in a zone with another gravity and turns upright along it.",
    ),
    tick_event.SWIMS: ("Swims", "Most of the body is under water: it moves where it looks, and the water slows it."),
    tick_event.CLIMBS: (
        "Climbs",
        "On a ladder: look up to climb up, look down to climb down. In water: climbs over a bank.",
    ),
}
RESPAWN_HEADLINES = {
    RespawnReason.FELL: "Fell: respawned",
    RespawnReason.STUCK: "Stuck: respawned",
    RespawnReason.KILLED: "Killed: respawned",
    RespawnReason.CRUSHED: "Crushed by a moving platform: respawned",
    RespawnReason.TELEPORTED: "Teleported",
    RespawnReason.RESTARTED: "Restarted",
    RespawnReason.RETURNED: "Back to checkpoint",
}
OBSTRUCTION_HEADLINES = {
    Obstruction.STOPPED: "Stopped by",
    Obstruction.HEAD_ON: "Runs into",
    Obstruction.SLIDING: "Slides along",
}
REFUSAL_SENTENCES = {
    tick_event.TURN_CUT: ("No room to turn", "The body cannot turn further here: there is no room."),
    tick_event.NO_ROOM_TO_STAND: ("No room to stand up", "There is no head room to stand up: the body stays crouched."),
    tick_event.SQUEEZED: ("No free direction", "The surfaces leave no free direction: the body did not move."),
    tick_event.FUNNEL: ("Wedged", "Slopes that are too steep to walk on hold the body up together."),
}


@dataclass(frozen=True, slots=True)
class TickMessage:
    """A headline and the sentences that explain it."""

    headline: str
    sentences: tuple[str, ...]


def tick_message(report: TickReport) -> TickMessage:
    """The message about a tick. The first thing that applies gives the headline; each adds a sentence."""
    if report.respawn is not None:
        place = f"New position: {_format_point(report.respawn.feet)}."
        return TickMessage(RESPAWN_HEADLINES[report.respawn.reason], (place,))
    messages = [message for bit, message in EVENT_SENTENCES.items() if report.event_bits & bit]
    messages += _obstacle_sentences(report)
    messages += _step_sentences(report)
    messages += [message for bit, message in REFUSAL_SENTENCES.items() if report.event_bits & bit]
    headline = next((head for head, _ in messages if head), "")
    if not headline:
        messages.append(_movement_sentence(report))
        headline = messages[-1][0]
    return TickMessage(headline, tuple(text for _, text in messages))


def _obstacle_sentences(report: TickReport) -> list[tuple[str, str]]:
    """(headline, sentence) pairs about walls and ceilings; an empty headline leaves it to others."""
    obstacles = report.obstacles
    if not obstacles:
        return []
    names = _join_names([_surface_name(one) for one in obstacles])
    if report.obstruction is None:
        return [("", f"Touches {names}; no movement is blocked.")]
    wished = report.wished_length
    moved = report.moved_length
    blocked = math.hypot(*report.blocked)
    kinds = _join_names(sorted({KIND_NAMES[one.kind] for one in obstacles}, key="wall ceiling ground".find))
    blocker = f"a {kinds}" if len(obstacles) == 1 else f"{len(obstacles)} surfaces"
    sentences = []
    if moved > max(MIN_WISH, STOPPED_FRACTION * wished):
        sentences.append(
            f"Requested: {_format_length(wished)}. Blocked by {names}: {_format_length(blocked)}. "
            f"Moved: {_format_length(moved)}."
        )
        sentences.append("The arrows of moved and blocked add up to the requested one.")
    else:
        sentences.append(f"{names[0].upper()}{names[1:]} blocked all of the requested {_format_length(wished)}.")
    sentences += [
        f"Surface {one.number} has a slope of {one.slope:.0f}°: too steep to walk on, so it counts as a wall."
        for one in obstacles
        if one.is_steep
    ]
    rim = next((one for one in obstacles if one.feature != "face"), None)
    if rim is not None:
        sentences.append(
            f"Surface {rim.number} is hit at its {rim.feature}: the contact plane is that of the {rim.feature}, "
            "not of the face."
        )
    headline = f"{OBSTRUCTION_HEADLINES[report.obstruction]} {blocker}"
    return [(headline, sentence) for sentence in sentences]


def _step_sentences(report: TickReport) -> list[tuple[str, str]]:
    """(headline, sentence) pairs about steps, snaps, jumps, landings, and penetration."""
    events = report.event_bits
    rise = report.rise
    onto = "" if report.ground is None else f" onto {_surface_name(report.ground)}"
    messages = []
    if events & tick_event.STEPPED and rise > MIN_REPORTED_LENGTH:
        text = (
            f"It stepped {_format_length(rise)} up over an edge{onto}: lower than the step height of "
            f"{_format_length(report.step_height)}, so the edge counts as ground."
        )
        messages.append((f"Steps up {_format_length(rise)}", text))
    elif events & tick_event.SNAPPED and rise < -MIN_REPORTED_LENGTH:
        text = (
            f"The ground drops by less than {_format_length(report.snap_down)}: the body was moved down "
            f"{_format_length(-rise)}{onto} and stays on the ground."
        )
        messages.append((f"Snaps down {_format_length(-rise)}", text))
    if events & tick_event.JUMPED:
        messages.append(("Jumps", f"It left the ground at {report.upward_speed:.1f} m/s upwards."))
    if events & tick_event.LANDED:
        messages.append(("Lands", f"It landed{onto}."))
    if events & tick_event.BOUNCED:
        messages.append(("Bounces", "The ground returned part of its speed."))
    if events & tick_event.HEAD:
        messages.append(("Head hits a ceiling", "The ceiling stopped the upward movement."))
    if events & tick_event.PUSHED:
        messages.append(("", "The body overlapped something and was pushed out first."))
    return messages


def _movement_sentence(report: TickReport) -> tuple[str, str]:
    """(headline, sentence) of a tick in which nothing else happened."""
    if not report.after.grounded:
        speed = report.upward_speed
        headline = "Rises" if report.after.velocity[1] > 0.0 else "Falls"
        return headline, f"In the air, at {abs(speed):.1f} m/s {'upwards' if speed > 0.0 else 'downwards'}."
    if math.hypot(*report.moved) > MIN_REPORTED_LENGTH:
        return _walk_sentence(report)
    carried = math.hypot(*report.carried_by_platform)
    if carried > MIN_REPORTED_LENGTH:
        return "Carried along", f"The moving platform under it moved it by {_format_length(carried)}."
    return "Stands still", "No input and no movement."


def _walk_sentence(report: TickReport) -> tuple[str, str]:
    """(headline, sentence) of a walk without obstacles."""
    rise = report.rise
    ground = report.ground
    if ground is None or abs(rise) <= MIN_REPORTED_LENGTH:
        return "Nothing in the way", "The whole requested movement was made."
    direction = "up" if rise > 0.0 else "down"
    height = _format_length(rise)
    name = _surface_name(ground)
    if ground.feature != "face":
        text = f"The round body moves {direction} over the {ground.feature} of {name}: {height} in this tick."
        return f"Moves {direction} over an edge", text
    if ground.slope < LEVEL_GROUND_SLOPE:
        return f"Moves {direction} onto level ground", f"It moved {height} {direction} onto {name} and lost no speed."
    text = f"The whole requested movement was made, and {height} {direction} on {name}: a slope costs no speed."
    return f"Walks {direction} a slope", text


def _surface_name(surface: TouchedSurface) -> str:
    """`wall 1 (demo.yaml:12)`."""
    kind = "steep slope" if surface.is_steep else KIND_NAMES[surface.kind]
    return f"{kind} {surface.number}" + (f" ({surface.place})" if surface.place else "")


def _join_names(names: list[str]) -> str:
    return " and ".join((", ".join(names[:-1]), names[-1])) if len(names) > 1 else "".join(names)


def _format_length(metres: float) -> str:
    """`1.20 m`, `120 mm` or `1.2 mm`, without the sign."""
    size = abs(metres)
    if size >= 0.9995:
        return f"{size:.2f} m"
    return f"{1e3 * size:.0f} mm" if size >= 0.09995 else f"{1e3 * size:.1f} mm"


def _format_point(point: Point) -> str:
    return " ".join(f"{value:.2f}" for value in point)
