"""Sound player: plays cues, loops and placed sources through pyglet with the player's volumes; silent without a device.

pyglet's listener stays at the origin, and placed sounds move around it. So all others stay at the ear by themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ... import shipped
from ...core.background import run_in_thread
from ...core.springs import fade
from ...core.vectors import Corner, Point
from .sound_bank import DRY, REVERBERATION, WATER, SoundBank
from .sound_events import LOOPS
from .sound_sources import MAX_SOURCES, SoundSource
from .sounds import SoundCue, sound_of

if TYPE_CHECKING:
    from ..settings.settings_table import Settings

SOUND_FOLDER = shipped("assets") / "sounds"
MAX_VOICES = 16  # sounds at once; the oldest is stopped
MIN_LOOP_VOLUME = 0.004  # quieter loops are paused
MAX_PLACED = MAX_SOURCES + 2  # placed loops at once, with those that fade out
ECHO_FADE_RATE = 1.5  # 1/s, at which the reverb of a room fades in and out
WATER_TONE = 0.01  # what is left of high tones under water, 0..1
HIDDEN_TONE = 0.1  # and behind a wall
HIDDEN_LOSS = 0.5  # of the loudness behind a wall
FADE_RATE = 4.0  # 1/s, at which placed loops fade in and out
MUSIC = "music"
MUSIC_IN_PLAY = 0.5  # loudness of the music beside that in menus
MUSIC_FADE_RATE = 0.4  # 1/s
NO_DEVICE = "No sound device was found. The game goes on without sound."
LOST_DEVICE = "The sound device does not answer. The game goes on without sound."

VolumeFunction = Callable[[str], float]


def volume_function(settings: Settings) -> VolumeFunction:
    """A function from the name of a sound to its volume (0..1) by the player's settings."""

    def volume(name: str) -> float:
        share: float = getattr(settings, sound_of(name).volume)
        return settings.master * share

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


@dataclass(slots=True)
class PlacedLoop:
    """A source that is played: pyglet's player, where it is (m), in which surroundings, how far walls hide it (0..1),
    and its present volume."""

    player: Any
    place: Point
    surroundings: str
    hidden: float
    volume: float = 0.0


class SoundPlayer:
    """Plays sounds; the volume is that of the cue or source times that of the player's settings.

    surroundings   of the listener, one of `sound_bank`: how sounds that begin are heard, or all where the driver has
                   effects
    """

    def __init__(self, media: Any = None, folder: Path = SOUND_FOLDER) -> None:
        """media: a replacement of `pyglet_sounds`. None: that module, once a background thread has opened a device."""
        self.surroundings = DRY
        self._bank = SoundBank(folder)
        self._media = media
        self._echo = 0.0  # gain of the reverb
        self._room_size = 1.0  # m
        self._ear: Corner = (0.0, 0.0, 0.0)
        self._axes: tuple[Corner, ...] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, -1.0))
        self._playing: list[tuple[Any, SoundCue]] = []
        self._loops: dict[str, Any] = {}
        self._placed: dict[tuple[str, int], PlacedLoop] = {}
        self._music_volume = 0.0
        if media is None:
            run_in_thread("sound", self._open)  # no job: the player belongs to the window, and has no result
        else:
            self._bank.load(media.MemorySound, media.effects is None)

    def _open(self) -> None:
        if not audio_driver_name():
            self._bank.problems.append(NO_DEVICE)
            return
        from . import pyglet_sounds

        self._bank.load(pyglet_sounds.MemorySound, pyglet_sounds.effects is None)
        self._media = pyglet_sounds

    def take_problem(self) -> str:
        """What the player should know and has not been told: no device, or files without sound. Else empty."""
        problems = self._bank.problems
        found = [problems.pop(0) for _ in range(len(problems))]
        return (
            "" if not found else found[0] if len(found) == 1 else f"{found[0]}, and {len(found) - 1} more (see doctor)"
        )

    @contextmanager
    def _device(self) -> Iterator[None]:
        """Stay silent from now on if the device fails: sound libraries raise errors of many kinds."""
        try:
            yield
        except Exception:
            if self._media is not None:
                self._bank.problems.append(LOST_DEVICE)
            self._media = None

    @property
    def _effects(self) -> Any:
        """Reverb and filters; None where sounds are filtered before they are played."""
        return None if self._media is None else self._media.effects

    def enter(self, surroundings: str, size: float, seconds: float) -> None:
        """Be in these surroundings, whose walls are `size` (m) away, `seconds` after the last call."""
        self.surroundings = surroundings
        with self._device():
            if self._effects is not None:
                if surroundings in REVERBERATION:
                    self._room_size = size
                self._echo = fade(self._echo, float(surroundings in REVERBERATION), ECHO_FADE_RATE * seconds)
                self._effects.set_room(self._room_size, self._echo)

    def _tone(self, hidden: float) -> float:
        """What is left of the high tones of a sound that walls hide so far (0..1)."""
        return (1.0 - (1.0 - HIDDEN_TONE) * hidden) * (WATER_TONE if self.surroundings == WATER else 1.0)

    def listen(self, ear: Corner, right: Corner, up: Corner, forward: Corner) -> None:
        """Listen at `ear` (m) from now on, with these axes, unit vectors. Placed sounds that play move around it."""
        self._ear, self._axes = ear, (right, up, forward)
        self._playing = [pair for pair in self._playing if pair[0].playing]
        with self._device():
            for player, cue in self._playing if self._media is not None else ():
                self._place(player, cue)

    def _place(self, player: Any, cue: SoundCue) -> None:
        if cue.place is not None:
            player.position = self._direction(cue.place)
        if sound_of(cue.name).is_placed:
            player.tone = self._tone(cue.hidden)

    def _direction(self, place: Corner) -> Point:
        """A place (m) as seen from the ear: right, up, back; at most 1 m away, for the volume has the distance in it.

        So sounds are as loud with a driver that knows no places.
        """
        x, y, z = place[0] - self._ear[0], place[1] - self._ear[1], place[2] - self._ear[2]
        (rx, ry, rz), (ux, uy, uz), (fx, fy, fz) = self._axes
        far = max((x * x + y * y + z * z) ** 0.5, 1.0)
        return (rx * x + ry * y + rz * z) / far, (ux * x + uy * y + uz * z) / far, -(fx * x + fy * y + fz * z) / far

    def play_cues(self, cues: Iterable[SoundCue], volume: VolumeFunction) -> None:
        """Start these sounds. volume: the player's volume (0..1) by the name of a sound."""
        with self._device():
            for cue in cues:
                loud = cue.loudness * (1.0 - HIDDEN_LOSS * cue.hidden) * volume(cue.name)
                is_heard = self._media is not None and loud > 0.0
                source = self._bank.source(sound_of(cue.name).file or cue.name, self.surroundings) if is_heard else None
                if source is None:
                    continue
                player = self._media.Player()
                player.queue(source)
                player.volume = loud
                player.pitch = cue.pitch
                self._place(player, cue)
                player.play()
                if len(self._playing) >= MAX_VOICES:
                    self._stop(self._playing.pop(0)[0])
                self._playing.append((player, cue))

    def set_loop_volumes(self, loops: Mapping[str, float], volume: VolumeFunction) -> None:
        """Set the loudness (0..1) of the looped sounds at the ear."""
        for name in LOOPS:
            self._set_loop(name, loops.get(name, 0.0) * volume(name))

    def set_music(self, loudness: float, volume: VolumeFunction, seconds: float) -> None:
        """Fade the music to a loudness (0..1), `seconds` after the last call."""
        self._music_volume = fade(self._music_volume, loudness * volume(MUSIC), MUSIC_FADE_RATE * seconds)
        self._set_loop(MUSIC, self._music_volume)

    def _set_loop(self, name: str, volume: float) -> None:
        with self._device():
            player, is_heard = self._loops.get(name), volume > MIN_LOOP_VOLUME
            if player is None and is_heard and self._media is not None:
                source = self._bank.source(name)
                if source is not None:
                    player = self._loops[name] = self._media.Player()
                    player.queue(source)
            if player is not None and self._media is not None:
                if player.volume != volume:  # a call to the sound library takes some microseconds
                    player.volume = volume
                if player.playing != is_heard:
                    (player.play if is_heard else player.pause)()

    def set_sources(self, sources: Iterable[SoundSource], volume: VolumeFunction, seconds: float) -> None:
        """Let these placed loops be heard, `seconds` after the last call; those that play and are not among them fade
        out."""
        if self._media is None:
            return
        wanted = {source.key: source for source in sources}
        is_filtered = self.surroundings == WATER and self._effects is None
        surroundings = WATER if is_filtered else DRY  # no echo: loops go on from room to room
        with self._device():
            for key, loop in list(self._placed.items()):
                target, source = 0.0, wanted.get(key)
                if source is not None:
                    loop.place, loop.hidden = source.place, source.hidden
                    if loop.surroundings == surroundings:
                        target = source.loudness * (1.0 - HIDDEN_LOSS * source.hidden) * volume(source.name)
                loop.volume = fade(loop.volume, target, FADE_RATE * seconds)
                if loop.volume <= 0.0:
                    self._stop(self._placed.pop(key).player)
            for source in wanted.values():
                if source.key in self._placed or len(self._placed) >= MAX_PLACED or volume(source.name) <= 0.0:
                    continue
                sound = self._bank.source(source.name, surroundings)
                if sound is not None:
                    player = self._media.Player()
                    player.queue(sound)
                    self._placed[source.key] = PlacedLoop(player, source.place, surroundings, source.hidden)
            for loop in self._placed.values():
                if loop.player.volume != loop.volume:
                    loop.player.volume = loop.volume
                loop.player.position = self._direction(loop.place)
                loop.player.tone = self._tone(loop.hidden)
                if not loop.player.playing:
                    loop.player.play()

    def pause_loops(self) -> None:
        """Pause the looped sounds but the music, while the game is paused."""
        self.set_loop_volumes({}, lambda name: 0.0)
        with self._device():
            for loop in self._placed.values():
                if loop.player.playing and self._media is not None:
                    loop.player.pause()

    def close(self) -> None:
        placed = (loop.player for loop in self._placed.values())
        for player in (*(pair[0] for pair in self._playing), *self._loops.values(), *placed):
            self._stop(player)
        self._playing, self._loops, self._placed = [], {}, {}

    def _stop(self, player: Any) -> None:
        with self._device():
            player.delete()
