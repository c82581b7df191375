"""OpenAL's EFX extension: the reverb of the room around the ear, and a low-pass filter for each source."""

from __future__ import annotations

import ctypes
from typing import Any

import pyglet.media
from pyglet.media.drivers.openal import lib_openal as al

DIRECT_FILTER, SEND_FILTER = 0x20005, 0x20006  # of a source
TYPE, REVERB, LOW_PASS = 0x8001, 1, 1  # key of effects and filters, and its values
FILTER_GAIN, FILTER_TONE = 1, 2  # keys of a low-pass filter
SLOT_EFFECT, SLOT_GAIN = 1, 2  # keys of an effect slot
DECAY_SECONDS, EARLY_DELAY, LATE_DELAY = 5, 8, 10  # keys of a reverb
MIN_SIZE = 0.5  # m
SOUND_SPEED = 343.0  # m/s
SECONDS_PER_SIZE = 0.3  # s/m: Sabine's formula for a cube whose walls take 18 % of the sound
DECAY_RANGE = (0.3, 3.5)  # s
NEW_SIZE = 1.2  # ratio of two sizes from which on the reverb is changed
MIN_TONE = 0.01  # of a filter: one with less takes the low tones too

_INT, _FLOAT, _UINT = ctypes.c_int, ctypes.c_float, ctypes.c_uint


class OpenAlEffects:
    """One reverb, and filters, for the sources of the driver. OSError or AttributeError where it has no EFX."""

    def __init__(self) -> None:
        driver = pyglet.media.get_audio_driver()
        if not driver.have_extension("ALC_EXT_EFX"):
            raise OSError("the driver has no EFX")
        al.alGetError()
        self._set_filter = _function("alFilterf", _UINT, _INT, _FLOAT)
        self._set_effect = _function("alEffectf", _UINT, _INT, _FLOAT)
        self._set_slot = _function("alAuxiliaryEffectSlotf", _UINT, _INT, _FLOAT)
        self._set_slot_effect = _function("alAuxiliaryEffectSloti", _UINT, _INT, _INT)
        self._set_send = _function("alSource3i", _UINT, _INT, _INT, _INT, _INT)
        self._effect, self._slot = _make("alGenEffects"), _make("alGenAuxiliaryEffectSlots")
        self._set_slot(self._slot, SLOT_GAIN, 0.0)
        _function("alEffecti", _UINT, _INT, _INT)(self._effect, TYPE, REVERB)
        self._filters = {1.0: self._make_filter(1.0)}  # by tone
        self._size, self._gain = 1e-9, 0.0
        self.set_room(1.0, 0.0)
        if al.alGetError():
            raise OSError("the driver makes no reverb")

    def _make_filter(self, tone: float) -> int:
        found = _make("alGenFilters")
        _function("alFilteri", _UINT, _INT, _INT)(found, TYPE, LOW_PASS)
        self._set_filter(found, FILTER_GAIN, 1.0)
        self._set_filter(found, FILTER_TONE, tone)
        return found

    def set_room(self, size: float, gain: float) -> None:
        """Let sounds echo from walls `size` (m) away, as loud as `gain` (0..1) says."""
        size = max(size, MIN_SIZE)
        if not self._size / NEW_SIZE < size < self._size * NEW_SIZE:
            self._size = size
            delay = 2.0 * size / SOUND_SPEED
            seconds = min(max(SECONDS_PER_SIZE * size, DECAY_RANGE[0]), DECAY_RANGE[1])
            values = {DECAY_SECONDS: seconds, EARLY_DELAY: min(delay, 0.3), LATE_DELAY: min(delay, 0.1)}
            for key, value in values.items():
                self._set_effect(self._effect, key, value)
            self._set_slot_effect(self._slot, SLOT_EFFECT, self._effect)
        if gain != self._gain:
            self._gain = gain
            self._set_slot(self._slot, SLOT_GAIN, gain)

    def connect(self, source: Any, tone: float) -> None:
        """Send a source to the reverb, and leave `tone` (0..1) of its high tones. source: its number for OpenAL."""
        tone = max(round(tone, 2), MIN_TONE)
        chosen = self._filters.get(tone) or self._filters.setdefault(tone, self._make_filter(tone))
        al.alSourcei(source, DIRECT_FILTER, chosen)
        self._set_send(source, SEND_FILTER, self._slot, 0, chosen)


def _function(name: str, *arguments: Any) -> Any:
    address = ctypes.cast(al.alGetProcAddress(name.encode()), ctypes.c_void_p).value
    if not address:
        raise OSError(f"the driver has no {name}")
    return ctypes.CFUNCTYPE(None, *arguments)(address)


def _make(name: str) -> int:
    """A new effect, filter or effect slot: its number."""
    found = _UINT()
    _function(name, _INT, ctypes.POINTER(_UINT))(1, ctypes.byref(found))
    return found.value
