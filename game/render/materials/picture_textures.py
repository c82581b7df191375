"""Textures of pictures: decoded by threads, uploaded a few rows at a time between frames, kept from level to level."""

from __future__ import annotations

import ctypes
import itertools
import os
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent import futures
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from ...core.background import run_in_thread
from ...level.materials import PictureSource, TextureMap, Wrap
from ..gl.context import load_function, release_resources
from ..gl.quality import Quality, is_software_renderer, usable_anisotropy
from .picture_decoder import DecodedPicture, TextureKey, decode_picture

THREADS = 2
MAX_DECODED = 6  # pictures that wait for their upload: bounds memory
NICENESS = 3  # added to the priority value of the frames, so that these get two thirds of a processor

Decoder = Callable[[TextureKey, int, bool], DecodedPicture | None]


class PictureLoader:
    """Queue of pictures to decode in threads. `request` adds some, `take` returns one that is done, in any order.

    longest, powers_of_two: see decode_picture.
    """

    def __init__(self, longest: int, powers_of_two: bool = False, decode: Decoder = decode_picture) -> None:
        self._longest, self._powers_of_two, self._decode = longest, powers_of_two, decode
        self._waiting: deque[TextureKey] = deque()
        self._decoding: dict[Future[DecodedPicture | None], TextureKey] = {}

    @property
    def pending(self) -> int:
        """Number of pictures that are requested and not yet taken."""
        return len(self._waiting) + len(self._decoding)

    def request(self, keys: Iterable[TextureKey]) -> None:
        """Decode these pictures, in this order."""
        self._waiting.extend(keys)
        self._start_threads()

    def take(self, wait: bool = False) -> tuple[TextureKey, DecodedPicture | None] | None:
        """A picture that is done, with None where it cannot be read; None if there is none. wait: for the next one."""
        if not self._decoding:
            return None
        done = futures.wait(self._decoding, None if wait else 0.0, futures.FIRST_COMPLETED).done
        result = None
        if done:
            job = done.pop()
            result = self._decoding.pop(job), job.result()
        self._start_threads()
        return result

    def stop(self) -> None:
        """Drop all requests. Threads end after their present picture."""
        self._waiting.clear()
        self._decoding.clear()

    def _start_threads(self) -> None:
        running = sum(not job.done() for job in self._decoding)
        while self._waiting and running < THREADS and len(self._decoding) < MAX_DECODED:
            key = self._waiting.popleft()
            self._decoding[run_in_thread("pictures", self._run, key)] = key
            running += 1

    def _run(self, key: TextureKey) -> DecodedPicture | None:
        if sys.platform.startswith("linux"):  # elsewhere a thread has the priority of its process
            thread = threading.get_native_id()
            os.setpriority(os.PRIO_PROCESS, thread, os.getpriority(os.PRIO_PROCESS, thread) + NICENESS)
        return self._decode(key, self._longest, self._powers_of_two)


FRAME_BYTES = 12 << 20  # uploaded in one frame at most
FRAME_SECONDS = 0.006  # s of one frame, after which no further rows are uploaded
BAND_BYTES = 1 << 20  # uploaded at once
NEW_TEXTURE_BYTES = 4 << 20  # counted for an allocation, which takes as long as that many bytes

# What distinguishes textures, apart from the version of their picture: path, offset, length, data, channels, is_colour
# and is_nearest
Slot = tuple[Path, int, int, bytes, str, bool, bool]
SRGB8_ALPHA8 = 0x8C43
RGBA8 = 0x8058
RGBA = 0x1908
UNSIGNED_BYTE = 0x1401
TEXTURE_2D = 0x0DE1
MIN_FILTER = 0x2801
LINEAR_MIPMAP_LINEAR = 0x2703
UNPACK_ALIGNMENT = 0x0CF5


class MipTextureWriter:
    """Allocates textures with all their levels, and writes rows of a level.

    Each call binds the texture to the current texture unit.
    """

    def __init__(self, ctx: Any) -> None:
        self.ctx = ctx
        unsigned, signed, pointer = ctypes.c_uint, ctypes.c_int, ctypes.c_void_p
        self._bind = load_function(ctx, "glBindTexture", unsigned, unsigned)
        self._set_parameter = load_function(ctx, "glTexParameteri", unsigned, unsigned, signed)
        self._set_pixel_store = load_function(ctx, "glPixelStorei", unsigned, signed)
        self._allocate_level = load_function(
            ctx, "glTexImage2D", unsigned, signed, signed, signed, signed, signed, unsigned, unsigned, pointer
        )
        self._write_rows = load_function(
            ctx, "glTexSubImage2D", unsigned, signed, signed, signed, signed, signed, unsigned, unsigned, pointer
        )

    def allocate(self, sizes: Sequence[tuple[int, int]], is_srgb: bool) -> Any:
        """Texture with levels of these (width, height), down to 1 x 1. is_srgb: samples are decoded to linear light."""
        internal_format = SRGB8_ALPHA8 if is_srgb else RGBA8
        texture = self.ctx.texture(sizes[0], 4, internal_format=internal_format)
        self._bind(TEXTURE_2D, texture.glo)
        # Before the levels: the driver then reserves the memory of all levels at once.
        self._set_parameter(TEXTURE_2D, MIN_FILTER, LINEAR_MIPMAP_LINEAR)
        for level, (width, height) in enumerate(sizes):
            self._allocate_level(TEXTURE_2D, level, internal_format, width, height, 0, RGBA, UNSIGNED_BYTE, None)
        texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        return texture

    def write(self, texture: Any, level: int, first_row: int, rows: npt.NDArray[np.uint8]) -> None:
        """Write whole rows (n, width, 4) of a level, the first at `first_row`."""
        rows = np.ascontiguousarray(rows)
        self._bind(TEXTURE_2D, texture.glo)
        self._set_pixel_store(UNPACK_ALIGNMENT, 4)
        self._write_rows(
            TEXTURE_2D, level, 0, first_row, rows.shape[1], rows.shape[0], RGBA, UNSIGNED_BYTE, rows.ctypes.data
        )


@dataclass(frozen=True, slots=True)
class PictureFigures:
    """Numbers for the debug view. memory: bytes of video memory."""

    ready: int
    total: int
    memory: int


@dataclass(slots=True)
class _Resident:
    """Texture of one version of a picture. `source` tells the version."""

    source: PictureSource
    texture: Any
    memory: int
    mean: tuple[float, float, float, float]


def _slot(key: TextureKey) -> Slot:
    source = key.source
    return source.path, source.offset, source.length, source.data, source.channels, key.is_colour, key.is_nearest


class PictureTextures:
    """Textures by picture. `require` names what a level needs, `update` uploads for a few milliseconds.

    clock: seconds, to bound the time of an update; without it only the bytes are bounded. While a new version of a
    picture is on its way, or if it cannot be read, the old version stays.
    """

    def __init__(
        self, ctx: Any, quality: Quality, clock: Callable[[], float] | None = None, loader: PictureLoader | None = None
    ) -> None:
        self.ctx = ctx
        self._clock = clock
        is_software = is_software_renderer(ctx.info["GL_RENDERER"])
        self._loader = loader or PictureLoader(quality.picture_size, is_software)
        self._writer: MipTextureWriter | None = None
        self._minification = moderngl.LINEAR_MIPMAP_LINEAR if quality.smooth_mipmaps else moderngl.LINEAR_MIPMAP_NEAREST
        self._anisotropy = usable_anisotropy(ctx, quality)
        self._wanted: dict[Slot, None] = {}
        self._unsent: list[TextureKey] = []  # required; requested by the next update
        self._requested: dict[Slot, PictureSource] = {}
        self._failed: dict[Slot, PictureSource] = {}
        self._resident: dict[Slot, _Resident] = {}
        self._upload: Iterator[int] = iter(())
        self._samplers: dict[tuple[Wrap, Wrap, bool], Any] = {}
        self._placeholders: dict[bytes, Any] = {}
        self.version = 0  # number of changes of the textures

    @property
    def is_complete(self) -> bool:
        """Whether each picture of the level is uploaded, or cannot be read."""
        return not self._requested

    @property
    def figures(self) -> PictureFigures:
        """Numbers for the debug view."""
        ready = sum(slot in self._resident for slot in self._wanted)
        return PictureFigures(ready, len(self._wanted), sum(one.memory for one in self._resident.values()))

    @property
    def unreadable(self) -> tuple[Path, ...]:
        """Files of the level's pictures whose last version cannot be read, each once."""
        return tuple(dict.fromkeys(source.path for source in self._failed.values()))

    def require(self, keys: Iterable[TextureKey]) -> None:
        """Pictures that a level needs. The next update begins to load those that are missing or older."""
        for key in dict.fromkeys(keys):
            slot = _slot(key)
            self._wanted[slot] = None
            resident = self._resident.get(slot)
            failed = self._failed.get(slot)
            known = (resident and resident.source, failed, self._requested.get(slot))
            if key.source not in known:
                self._failed.pop(slot, None)
                self._requested[slot] = key.source
                self._unsent.append(key)

    def retain(self, keys: Iterable[TextureKey]) -> None:
        """Release the textures of all other pictures."""
        kept = {_slot(key) for key in keys}
        self._wanted = {slot: None for slot in self._wanted if slot in kept}
        self._unsent = [key for key in self._unsent if _slot(key) in kept]
        for table in (self._requested, self._failed):
            for slot in [slot for slot in table if slot not in kept]:
                del table[slot]
        for slot in [slot for slot in self._resident if slot not in kept]:
            self._resident.pop(slot).texture.release()

    def reload(self, changed: Iterable[tuple[Path, tuple[int, int]]]) -> int:
        """Load pictures of changed files again: (path, time of change in ns and size). Returns their number.

        Pictures inside other files are left out: only the level that is read again knows where they are now.
        """
        versions = dict(changed)
        keys = [
            TextureKey(PictureSource(path, modified=versions[path], channels=channels), *kind)
            for path, offset, length, data, channels, *kind in self._wanted
            if path in versions and (offset, length, data) == (0, -1, b"")
        ]
        before = len(self._unsent)
        self.require(keys)
        return len(self._unsent) - before

    def update(self) -> bool:
        """Upload some rows of decoded pictures. Returns whether a texture was completed."""
        self._send_requests()
        before = self.version
        uploaded = 0
        began = self._clock() if self._clock is not None else 0.0
        while uploaded < FRAME_BYTES:
            if self._clock is not None and uploaded and self._clock() - began > FRAME_SECONDS:
                break
            step = next(self._upload, None)
            if step is None:
                result = self._loader.take()
                if result is None:
                    break
                self._upload = self._upload_steps(*result)
            else:
                uploaded += step
        return self.version != before

    def load_all(self) -> bool:
        """Load and upload all pictures, however long it takes. Returns whether a texture was completed."""
        self._send_requests()
        before = self.version
        for _ in self._upload:
            pass
        while (result := self._loader.take(wait=True)) is not None:
            for _ in self._upload_steps(*result):
                pass
        return self.version != before

    def _send_requests(self) -> None:
        if self._unsent:
            self._loader.request(self._unsent)
            self._unsent = []

    def _upload_steps(self, key: TextureKey, picture: DecodedPicture | None) -> Iterator[int]:
        """Upload one picture in steps; yields the bytes of each."""
        slot = _slot(key)
        if self._requested.get(slot) != key.source:
            return  # a later version is on its way, or the level has been left
        if picture is None:
            self._failed[slot] = self._requested.pop(slot)
            self.version += 1
            return
        writer = self._writer = self._writer or MipTextureWriter(self.ctx)
        texture = writer.allocate([level.shape[1::-1] for level in picture.levels], key.is_colour)
        try:
            yield NEW_TEXTURE_BYTES
            for level, pixels in enumerate(picture.levels):
                rows = max(1, BAND_BYTES // (4 * pixels.shape[1]))
                for first in range(0, len(pixels), rows):
                    band = pixels[first : first + rows]
                    writer.write(texture, level, first, band)
                    yield band.nbytes
            if self._requested.get(slot) != key.source:
                return
            del self._requested[slot]
            previous = self._resident.get(slot)
            self._resident[slot] = _Resident(key.source, texture, picture.memory, picture.mean)
            texture = previous.texture if previous is not None else None
            self.version += 1
        finally:
            release_resources(texture)

    # Use

    def texture(self, key: TextureKey) -> Any:
        """Texture of a picture, of its last version that could be read; None before it is uploaded."""
        resident = self._resident.get(_slot(key))
        return None if resident is None else resident.texture

    def mean(self, key: TextureKey) -> tuple[float, float, float, float] | None:
        """Linear mean colour and opacity of a picture; None before it is uploaded."""
        resident = self._resident.get(_slot(key))
        return None if resident is None else resident.mean

    def placeholder(self, texel: tuple[int, int, int, int], is_colour: bool) -> Any:
        """Texture of one colour. It has the format and the mipmaps of a picture: a software renderer compiles a shader
        for each format."""
        name = bytes((*texel, is_colour))
        if name not in self._placeholders:
            writer = self._writer = self._writer or MipTextureWriter(self.ctx)
            texture = self._placeholders[name] = writer.allocate(((4, 4), (2, 2), (1, 1)), is_colour)
            for level, side in enumerate((4, 2, 1)):
                writer.write(texture, level, 0, np.tile(np.array(texel, np.uint8), (side, side, 1)))
        return self._placeholders[name]

    def sampler(self, texture_map: TextureMap) -> Any:
        """Sampler with the wrap modes and the filter of a texture map. The shader mirrors."""
        key = (texture_map.wrap_u, texture_map.wrap_v, texture_map.nearest)
        if key not in self._samplers:
            magnification = moderngl.NEAREST if texture_map.nearest else moderngl.LINEAR
            sampler = self._samplers[key] = self.ctx.sampler(
                filter=(self._minification, magnification), anisotropy=self._anisotropy
            )
            sampler.repeat_x, sampler.repeat_y = (wrap is Wrap.REPEAT for wrap in key[:2])
        return self._samplers[key]

    def clear_samplers(self, units: Iterable[int]) -> None:
        """Let the filters of the textures themselves hold at these texture units."""
        sampler = next(iter(self._samplers.values()), None)
        if sampler is not None:
            for unit in units:
                sampler.clear(unit)

    def release(self) -> None:
        self._loader.stop()
        self._upload = iter(())
        textures = (one.texture for one in self._resident.values())
        release_resources(*itertools.chain(textures, self._samplers.values(), self._placeholders.values()))
        self._resident, self._samplers, self._placeholders = {}, {}, {}
