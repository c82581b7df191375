"""The sound player with a replacement of pyglet's players: volumes, sides, walls, and what fails."""

from __future__ import annotations

import wave
from dataclasses import replace
from typing import ClassVar

import numpy as np
import pytest

from game.app.audio import sound_player
from game.app.audio.sound_bank import HALL, WATER
from game.app.audio.sound_player import HIDDEN_LOSS, HIDDEN_TONE, WATER_TONE, SoundPlayer
from game.app.audio.sound_sources import SoundSource
from game.app.audio.sounds import SoundCue
from game.app.settings.settings_table import Settings

UPRIGHT = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, -1.0))  # right, up, forward
HANGING = ((-1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0))
SOUNDS = ("ball", "door", "goal", "lamp", "land", "menu_move", "music", "outdoors", "slide", "step_stone_1")
LAMP = SoundSource(("lamp", 0), "lamp", (4.0, 1.0, -4.0), 0.5)


class Player:
    made: ClassVar[list] = []
    broken = False

    def __init__(self):
        self.playing, self.volume, self.pitch, self.sources, self.gone = False, 1.0, 1.0, [], False
        self.position = (0.0, 0.0, 0.0)
        Player.made.append(self)

    def queue(self, source):
        self.sources.append(source)

    def play(self):
        if Player.broken:
            raise OSError("the device is gone")
        self.playing = True

    def pause(self):
        self.playing = False

    def delete(self):
        self.gone, self.playing = True, False

    @property
    def name(self):
        """The sound, by the number of its first samples that `folder` wrote."""
        return self.sources[0][0]


def loud(name):
    return 1.0


class Media:
    """In place of `pyglet_sounds`. A sound is (name, samples, endless)."""

    Player = Player
    effects = None

    @staticmethod
    def MemorySound(data, rate, endless):
        samples = np.frombuffer(data, "<i2")
        return Media.names[int(np.argmax(np.abs(samples[:200])))], samples, endless

    names: ClassVar[dict] = {}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A file for each of some sounds: one click, whose place among the samples is the sound's number."""
    found = tmp_path_factory.mktemp("sounds")
    for number, name in enumerate(SOUNDS):
        samples = np.zeros(600, "<i2")
        samples[number] = 20000
        write_wave(found / f"{name}.wav", samples)
        Media.names[number] = name
    return found


def write_wave(path, samples, channels=1, width=2):
    with wave.open(str(path), "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(width)
        file.setframerate(22050)
        file.writeframes(samples.tobytes())


@pytest.fixture
def speaker(folder):
    Player.made, Player.broken = [], False
    return SoundPlayer(Media, folder)


def test_cues_are_played_as_loud_as_the_player_wants(speaker):
    speaker.play_cues([SoundCue("goal", 0.5, 1.25), SoundCue("land", 0.0)], lambda name: 0.5)
    (player,) = Player.made
    assert (player.volume, player.pitch, player.playing) == (0.25, 1.25, True)
    speaker.play_cues([SoundCue("goal")], lambda name: 0.0)
    assert len(Player.made) == 1, "at volume 0 nothing is begun"


def test_loops_start_pause_and_follow_their_volume(speaker):
    volume = sound_player.volume_function(Settings(sound=0.8, ambience=0.3))
    speaker.set_loop_volumes({"outdoors": 1.0, "slide": 0.5}, volume)
    assert sorted((player.volume, player.sources[0][2]) for player in Player.made) == [(0.3, True), (0.4, True)]
    speaker.pause_loops()
    assert not any(player.playing for player in Player.made)
    speaker.set_loop_volumes({"outdoors": 1.0}, volume)
    assert [player.playing for player in Player.made] == [True, False]
    speaker.close()
    assert all(player.gone for player in Player.made)


def test_a_device_that_fails_leaves_silence(speaker):
    Player.broken = True
    made = len(Player.made)
    speaker.play_cues([SoundCue("goal")], loud)
    speaker.play_cues([SoundCue("goal")], loud)
    speaker.set_loop_volumes({"outdoors": 1.0}, loud)
    speaker.set_sources([LAMP], loud, 1.0)
    speaker.listen((0.0, 0.0, 0.0), *UPRIGHT)
    assert len(Player.made) == made + 1  # nothing is tried again
    assert "does not answer" in speaker.take_problem()
    assert speaker.take_problem() == "", "it is said once"
    speaker.close()


# ---- places


def test_a_cue_is_heard_from_its_side_and_as_loud_as_it_says(speaker):
    """The listener of pyglet stays at the origin: positions are right, up and back of the ear."""
    speaker.listen((10.0, 2.0, 0.0), *UPRIGHT)
    speaker.play_cues([SoundCue("ball", 0.5, place=(4.0, 2.0, 0.0)), SoundCue("land")], loud)
    placed, own = Player.made
    assert placed.position == pytest.approx((-1.0, 0.0, 0.0))
    assert (placed.volume, own.position) == (0.5, (0.0, 0.0, 0.0))
    speaker.listen((10.0, 2.0, 0.0), *HANGING)
    assert placed.position == pytest.approx((1.0, 0.0, 0.0)), "gravity is turned: the left is the right"
    assert own.position == (0.0, 0.0, 0.0)
    speaker.listen((10.0, 2.0, 0.0), (0.0, 0.0, -1.0), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0))  # looks to the west
    assert placed.position == pytest.approx((0.0, 0.0, -1.0))


# ---- what fails


def test_a_broken_file_silences_only_its_sound_and_is_said_once(folder, tmp_path):
    Player.made, Player.broken = [], False
    for path in folder.glob("*.wav"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "goal.wav").write_bytes(b"RIFF\x04\x00\x00\x00none")
    (tmp_path / "door.wav").unlink()
    write_wave(tmp_path / "land.wav", np.zeros(50, "<i2"), channels=2)
    player = SoundPlayer(Media, tmp_path)
    for _ in range(2):
        player.play_cues([SoundCue("goal"), SoundCue("door"), SoundCue("ball"), SoundCue("land")], loud)
    assert [made.name for made in Player.made] == ["ball", "ball"]
    assert player.take_problem() == "goal.wav cannot be played: not a WAVE file, and 2 more (see doctor)"
    player.play_cues([SoundCue("goal"), SoundCue("door")], loud)
    assert player.take_problem() == ""


def test_a_machine_without_a_device_is_told_once_and_plays_on(monkeypatch):
    monkeypatch.setattr(sound_player, "audio_driver_name", lambda: "")
    monkeypatch.setattr(sound_player, "run_in_thread", lambda name, call: call())
    player = SoundPlayer()
    player.play_cues([SoundCue("goal")], loud)
    player.set_sources([LAMP], loud, 0.1)
    player.set_music(1.0, loud, 0.1)
    player.pause_loops()
    assert player.take_problem() == sound_player.NO_DEVICE
    assert player.take_problem() == ""
    player.close()


# ---- effects of the driver


class Effects:
    def __init__(self):
        self.rooms = []

    def set_room(self, size, gain):
        self.rooms.append((size, gain))


@pytest.fixture
def with_effects(folder, monkeypatch):
    Player.made, Player.broken = [], False
    monkeypatch.setattr(Media, "effects", Effects())
    return SoundPlayer(Media, folder)


def test_effects_take_the_place_of_filtered_sounds(with_effects):
    with_effects.enter(HALL, 6.0, 1.0)
    with_effects.play_cues([SoundCue("land"), SoundCue("land", hidden=1.0), SoundCue("menu_move")], loud)
    near, far, menu = Player.made
    assert len(near.sources[0][1]) == 600, "no echo in the samples"
    assert (near.tone, far.volume, hasattr(menu, "tone")) == (1.0, 1.0 - HIDDEN_LOSS, False)
    assert far.tone == pytest.approx(HIDDEN_TONE)
    with_effects.enter(WATER, 0.0, 0.1)
    with_effects.listen((0.0, 0.0, 0.0), *UPRIGHT)
    assert near.tone == pytest.approx(WATER_TONE), "a sound that plays is dull as soon as the ear is under water"


def test_a_loop_is_quieter_and_duller_behind_a_wall_and_goes_on_under_water(with_effects):
    for _ in range(2):
        with_effects.set_sources([replace(LAMP, hidden=1.0)], loud, 1.0)
    (player,) = Player.made
    assert (player.volume, player.tone) == (LAMP.loudness * (1.0 - HIDDEN_LOSS), pytest.approx(HIDDEN_TONE))
    with_effects.surroundings = WATER
    with_effects.set_sources([LAMP], loud, 1.0)
    assert Player.made == [player]
    assert (player.volume, player.tone) == (LAMP.loudness, pytest.approx(WATER_TONE))
