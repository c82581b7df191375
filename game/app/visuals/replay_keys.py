"""Keys of the replay mode, as the strip along the bottom and the help page show them."""

from __future__ import annotations

SPEED_TEXTS = ("1/8", "1/4", "1/2", "1", "2", "4")  # multiples of real time
CAMERA_TEXTS = {"eye": "Eye", "behind": "Behind", "outside": "Outside", "fixed": "Fixed"}
HELP_ROWS = (
    ("Space", "Pause or play"),
    ("Left Right", "5 seconds; while paused 1 tick"),
    ("Shift Left Right", "5 seconds while paused"),
    ("Up Down", "Faster, slower (1/8 to 4 times)"),
    ("Home End", "Start, end"),
    ("Mouse", "Drag on the time line to go to any moment"),
    ("V", "Next camera"),
    ("1 2 3 4", "Eye, behind, outside, fixed cameras"),
    ("Mouse", "Drag to turn the outside camera"),
    ("Wheel", "Move the outside camera"),
    ("G", "Next ghost"),
    ("Esc", "Back"),
)


def play_key(pad: bool) -> str:
    """The key that plays and pauses."""
    return "Pad A" if pad else "Space"


def back_key(pad: bool) -> str:
    """The key that leaves the replay."""
    return "Pad B" if pad else "Esc"


def key_strip(
    play: str, is_moving: bool, speed: int, camera_key: str, camera: str, ghost: str, pad: bool
) -> tuple[tuple[str, str], ...]:
    """(key, meaning) pairs. play: what the play key does; speed: index of `SPEED_TEXTS`; ghost: name, empty where there
    is none to show."""
    strip = [
        (play_key(pad), play),
        ("Pad left Pad right" if pad else "Left Right", "5 s" if is_moving else "1 tick"),
        ("Pad up Pad down" if pad else "Up Down", f"Speed {SPEED_TEXTS[speed]} ×"),
        (camera_key, f"Camera: {CAMERA_TEXTS[camera]}"),
    ]
    if ghost:
        strip.append(("Left shoulder" if pad else "G", f"Ghost: {ghost}"))
    return (*strip, *(() if pad else (("F1", "Help"),)), (back_key(pad), "Back"))
