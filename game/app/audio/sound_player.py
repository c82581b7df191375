"""Plays the sounds of assets/sounds through pyglet; where there is no sound device, nothing, and no harm."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

import game

from .sound_events import LOOPS, SoundCue
from .volumes import VolumeFunction

SOUND_FOLDER = game.shipped("assets") / "sounds"
MAX_VOICES = 16  # sounds; the oldest gives way
MIN_LOOP_VOLUME = 0.004  # a loop that is no louder rests


def audio_driver_name() -> str:
    """The name of what plays sounds here; empty where nothing does."""
    try:
        import pyglet.media

        found = pyglet.media.get_audio_driver()
    except Exception:  # whatever a machine's sound libraries raise, the game goes on without them
        return ""
    name = type(found).__module__.split(".")[-2] if found is not None else "silent"
    return "" if name == "silent" else name


class SoundPlayer:
    """Sounds one after another, each as loud as its cue and the player's settings say."""

    def __init__(self, media: Any = None) -> None:
        """media: what stands in for pyglet.media; None: that, once it has opened a device, which takes a while and is
        done in the background."""
        self._media = media
        if media is None:
            threading.Thread(target=self._open, name="sound", daemon=True).start()
        self._sources: dict[str, Any] = {}
        self._playing: list[Any] = []
        self._loops: dict[str, Any] = {}

    def _open(self) -> None:
        if audio_driver_name():
            import pyglet.media

            self._media = pyglet.media

    def play_cues(self, cues: list[SoundCue], volume: VolumeFunction) -> None:
        """Begin these sounds. volume: the player's for a sound by its name, 0..1."""
        for cue in cues:
            loud = cue.loudness * volume(cue.name)
            if self._media is None or loud <= 0.0:
                continue
            try:
                player = self._media.Player()
                player.queue(self._source(cue.name))
                player.volume, player.pitch = loud, cue.pitch
                player.play()
            except Exception:
                self._disable()
                return
            self._playing = [other for other in self._playing if other.playing]
            if len(self._playing) >= MAX_VOICES:
                self._stop(self._playing.pop(0))
            self._playing.append(player)

    def set_loop_volumes(self, loops: Mapping[str, float], volume: VolumeFunction) -> None:
        """Let what goes on be so loud (0..1) from now on."""
        if self._media is None:
            return
        try:
            for name in LOOPS:
                loud = loops.get(name, 0.0) * volume(name)
                player = self._loops.get(name)
                if player is None and loud > MIN_LOOP_VOLUME:
                    player = self._loops[name] = self._media.Player()
                    player.loop = True
                    player.queue(self._source(name))
                if player is not None:
                    player.volume = loud
                    if player.playing != (loud > MIN_LOOP_VOLUME):
                        (player.play if loud > MIN_LOOP_VOLUME else player.pause)()
        except Exception:
            self._disable()

    def pause_loops(self) -> None:
        """Pause what goes on: the game stands."""
        self.set_loop_volumes({}, lambda name: 0.0)

    def close(self) -> None:
        """Stop everything."""
        for player in (*self._playing, *self._loops.values()):
            self._stop(player)
        self._playing, self._loops = [], {}

    def _source(self, name: str) -> Any:
        if name not in self._sources and self._media is not None:
            self._sources[name] = self._media.load(str(SOUND_FOLDER / f"{name}.wav"), streaming=False)
        return self._sources[name]

    def _stop(self, player: Any) -> None:
        try:
            player.delete()
        except Exception:
            self._disable()

    def _disable(self) -> None:
        """The device went away, or a file is not there: be silent from now on."""
        self._media = None
