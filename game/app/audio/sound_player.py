"""Sound player: plays cues and loops through pyglet with the player's volumes; silent without a sound device."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ... import shipped
from ...core.background import run_in_thread
from .sound_cue import SoundCue
from .sound_events import LOOPS

if TYPE_CHECKING:
    from ..settings.settings_table import Settings

SOUND_FOLDER = shipped("assets") / "sounds"
MAX_VOICES = 16  # sounds at once; the oldest is stopped
MIN_LOOP_VOLUME = 0.004  # quieter loops are paused
FOOTSTEP_PREFIX = "step_"  # of the names of footsteps in assets/sounds
AMBIENCE_SOUNDS = frozenset({"outdoors", "indoors", "underwater"})

VolumeFunction = Callable[[str], float]


def volume_function(settings: Settings) -> VolumeFunction:
    """A function from the name of a sound to its volume (0..1) by the player's settings."""

    def volume(name: str) -> float:
        if name.startswith(FOOTSTEP_PREFIX):
            return settings.master * settings.footsteps
        return settings.master * (settings.ambience if name in AMBIENCE_SOUNDS else settings.sound)

    return volume


def audio_driver_name() -> str:
    """Name of pyglet's audio driver; empty where there is none."""
    try:
        import pyglet.media

        driver = pyglet.media.get_audio_driver()
    except Exception:  # sound libraries raise errors of many kinds; the game runs without them
        return ""
    name = type(driver).__module__.split(".")[-2] if driver is not None else "silent"
    return "" if name == "silent" else name


class SoundPlayer:
    """Plays sounds; the volume is that of the cue times that of the player's settings."""

    def __init__(self, media: Any = None) -> None:
        """media: a replacement of pyglet.media. None: pyglet.media, once a background thread has opened a device."""
        self._media = media
        if media is None:
            run_in_thread("sound", self._open)
        self._sources: dict[str, Any] = {}
        self._playing: list[Any] = []
        self._loops: dict[str, Any] = {}

    def _open(self) -> None:
        if audio_driver_name():
            import pyglet.media

            self._media = pyglet.media

    def play_cues(self, cues: list[SoundCue], volume: VolumeFunction) -> None:
        """Start these sounds. volume: the player's volume (0..1) by the name of a sound."""
        for cue in cues:
            loud = cue.loudness * volume(cue.name)
            if self._media is None or loud <= 0.0:
                continue
            try:
                player = self._media.Player()
                player.queue(self._source(cue.name))
                player.volume = loud
                player.pitch = cue.pitch
                player.play()
            except Exception:
                self._disable()
                return
            self._playing = [other for other in self._playing if other.playing]
            if len(self._playing) >= MAX_VOICES:
                self._stop(self._playing.pop(0))
            self._playing.append(player)

    def set_loop_volumes(self, loops: Mapping[str, float], volume: VolumeFunction) -> None:
        """Set the loudness (0..1) of the looped sounds."""
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
        """Pause the looped sounds, while the game is paused."""
        self.set_loop_volumes({}, lambda name: 0.0)

    def close(self) -> None:
        """Stop all sounds."""
        for player in (*self._playing, *self._loops.values()):
            self._stop(player)
        self._playing = []
        self._loops = {}

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
        """Stay silent from now on: the device is gone, or a file is missing."""
        self._media = None
