"""Captions: which sounds have one, from where, for how long, and what passes by."""

from __future__ import annotations

import math
from types import SimpleNamespace

import pytest

from game.app.audio.captions import SHOWN_SECONDS, Captions
from game.app.audio.sounds import SoundCue
from game.level import load
from game.level.format.file_access import SHIPPED_LEVELS
from game.render import Camera
from tests.support.player import Player

EYE = Camera((0.0, 1.6, 0.0), 0.0, 0.0)  # looks to the north


def lines_of(captions, view=EYE):
    right, _, forward = view.basis()
    return captions.lines(view.eye, right, forward)


def said(*cues, view=EYE):
    captions = Captions()
    captions.update(cues, 1 / 60)
    return lines_of(captions, view)


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ((0.0, 1.0, -5.0), "Bell"),
        ((5.0, 1.0, 0.0), "Bell →"),
        ((-5.0, 1.0, -0.5), "← Bell"),
        ((0.3, 1.0, 5.0), "Bell (behind)"),
        ((0.1, 1.5, 0.1), "Bell"),
        (None, "Bell"),
    ],
)
def test_the_arrow_points_to_the_source(place, line):
    assert said(SoundCue("target", place=place)) == (line,)


def test_the_arrow_follows_the_view_also_under_another_gravity():
    turned = Camera((0.0, 1.6, 0.0), math.pi / 2, 0.0)  # looks to the west
    assert said(SoundCue("target", place=(0.0, 1.6, -5.0)), view=turned) == ("Bell →",)
    hanging = Camera((0.0, 1.6, 0.0), 0.0, 0.0, up=(0.0, -1.0, 0.0), north=(0.0, 0.0, -1.0))
    assert said(SoundCue("target", place=(5.0, 1.6, 0.0)), view=hanging) == ("← Bell",)


def test_steps_and_quiet_sounds_have_none():
    assert said(SoundCue("step_stone_1"), SoundCue("jump"), SoundCue("land"), SoundCue("ball", 0.05)) == ()


def test_a_caption_ends_and_a_repeated_sound_has_one_line():
    captions = Captions()
    for _ in range(5):
        captions.update([SoundCue("ball", 0.5)], 0.1)
    assert lines_of(captions) == ("Ball hits",)
    captions.update([], SHOWN_SECONDS + 0.01)
    assert lines_of(captions) == ()


def test_a_platform_and_a_ghost_that_pass_are_announced_once():
    player = Player.in_level(load(SHIPPED_LEVELS / "lifts.yaml"), captions=True)
    state, captions = player.game.session.world.walker_state, Captions()
    mover, body = player.game.session.world.environment.movers[0], state.position
    world = SimpleNamespace(walker_state=state, environment=SimpleNamespace(movers=[mover]))
    texts = []
    for frame in range(240):
        poses = player.game.session.movers().copy()
        distance = 6.0 - frame * 0.05 if frame < 120 else (frame - 120) * 0.05
        corner = mover.mesh.triangles12[0, :3]
        poses[0, :, :3] = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
        poses[0, :, 3] = [body[k] - corner[k] + (distance if k == 1 else 0.0) for k in range(3)]
        captions.update([], 1 / 60)
        captions.update_passing(world, poses[:1], [], 1 / 60)
        texts += [caption.text for caption in captions.shown if caption.until > captions._now + SHOWN_SECONDS - 1e-9]
    assert texts.count("Platform passes") == 1
    captions = Captions()
    for distance in (5.0, 2.0, 2.0, 5.0, 2.0):
        captions.update([], 3.0)
        captions.update_passing(world, None, [(body[0] + distance, body[1], body[2])], 1 / 60)
        texts += [caption.text for caption in captions.shown]
    assert texts.count("Ghost passes") == 2


def test_the_sound_of_a_target_comes_from_its_place():
    text = "format: 1\nspawn: {at: [0, 0, 0], facing: north}\npieces:\n  - floor: {from: [-9, -9], to: [9, 9]}\n"
    player = Player.in_level(load(text=f"{text}  - target: {{at: [0.5, 1, -2], radius: 0.6}}\n"), captions=True)
    player.game.key_pressed("W")
    lines = []
    for _ in range(60):
        lines += [label.text for label in player.wait(1 / 60).hud.labels]
    assert any(line.startswith("Bell") or line.endswith("Bell") for line in lines)
