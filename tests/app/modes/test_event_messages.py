"""Messages about events: a respawn says where it has led."""

from __future__ import annotations

from game.app.modes.event_messages import message_for_event
from game.level import load
from game.sim import Respawned
from game.text.key_symbols import key_symbol
from tests.support.player import Player
from tests.support.until import RUN_THREADS, wait_for_threads

LEVEL = """format: 1
spawn: {at: [0, 0, 0], facing: north}
kill_height: -6
pieces:
  - floor: {from: [-2, -4], to: [2, 2]}
"""


SAFE = f"Back to your last safe position   ·   Hold {key_symbol('Backspace')} to rewind"


def test_a_fall_says_where_it_leads():
    player = Player.in_level(load(text=LEVEL))
    player.hold("W", 3.0)
    player.game.key_pressed("W")
    player.wait_for(lambda: player.shown.hud.message == "You fell")
    assert (player.shown.hud.message_detail, round(player.feet[2]) == 0) == (SAFE, False)
    player.game.key_released("W")
    back = Respawned(1, "fell", player.game.world.start.feet, 0)
    assert message_for_event(back, player.game)[1].startswith("Back to the start   ·   Hold ")


def test_a_checkpoint_without_a_name_is_shown_once():
    """Its split stands below the timer."""
    zone = "  - checkpoint: {from: [-2, 0, -2.5], to: [2, 3, -1.5]}\n"
    player = Player.in_level(load(text=f"{LEVEL}{zone}goal: {{at: [0, 0, -3.5], radius: 0.3}}\n"))
    player.game.key_pressed("W")
    shown = set()
    for _ in range(60):
        hud = player.wait(1 / 60).hud
        shown |= {("split", hud.timer_caption.split("   ")[0]), ("message", hud.message)}
    assert ("split", "Checkpoint 1") in shown
    assert ("message", "Checkpoint") not in shown
    wait_for_threads(*RUN_THREADS)
