"""Encoders: frames to mp4 (ffmpeg of the extra `[video]`), and animated WebP (Pillow), one frame in memory."""

from __future__ import annotations

import contextlib
import io
import signal
import struct
import subprocess
import tempfile
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from ..core.errors import WalkerError


class MovieError(WalkerError, RuntimeError):
    """A movie cannot be made; the text is a sentence for the user."""


@dataclass(frozen=True, slots=True)
class MovieFormat:
    """A movie format.

    label        for players
    default_size, default_fps  pixels, and frames per second, where none are asked for
    max_side     largest width and height in pixels
    """

    name: str
    label: str
    default_size: tuple[int, int]
    default_fps: int
    max_side: int


MOVIE_FORMATS: Mapping[str, MovieFormat] = {
    "mp4": MovieFormat("mp4", "MP4", (1280, 720), 30, 8192),
    "webp": MovieFormat("webp", "WebP", (640, 360), 20, 16383),
}


def format_of(path: Path) -> MovieFormat:
    """The format of a file name. MovieError for another suffix."""
    form = MOVIE_FORMATS.get(path.suffix.lower().removeprefix("."))
    if form is None:
        raise MovieError(f"{path}: the movie must be an .mp4 or .webp")
    return form


Image = NDArray[np.uint8]
Box = tuple[int, int, int, int]  # left, top, right, bottom

NO_FFMPEG_TEXT = (
    "mp4 needs ffmpeg, which comes with the extra [video]: python -m pip install imageio-ffmpeg; .webp works without it"
)
DISK_FULL_TEXT = "the disk is full; nothing was kept"
COMPRESSIONS = ("strong", "normal", "light")
H264_CRF = {"strong": 30, "normal": 24, "light": 18}  # constant rate factor of x264: 6 more halve the bit rate
OPENH264_BITS = {"strong": 0.05, "normal": 0.10, "light": 0.22}  # bits per pixel and frame
WEBP_QUALITY = {"strong": 40, "normal": 65, "light": 85}
STILL_TOLERANCE = {"strong": 10, "normal": 6, "light": 2}  # of 255: a pixel that changes by less stays as it was
WEBP_METHOD = 4  # effort of the WebP encoder, 0 to 6
WEBP_THREADS = 2


@dataclass(frozen=True, slots=True)
class EncoderSettings:
    """size: (width, height) in pixels. fps: frames per second. compression: one of COMPRESSIONS."""

    size: tuple[int, int]
    fps: float
    compression: str = "normal"


# mp4


def find_ffmpeg() -> str:
    """Path of the ffmpeg of the package imageio-ffmpeg. MovieError where there is none."""
    try:
        import imageio_ffmpeg

        return str(imageio_ffmpeg.get_ffmpeg_exe())
    except (ImportError, RuntimeError, OSError):
        raise MovieError(NO_FFMPEG_TEXT) from None


def _h264_arguments(ffmpeg: str, settings: EncoderSettings) -> list[str]:
    """Encoder and its rate control: x264, or OpenH264 in builds of ffmpeg without GPL parts."""
    try:
        listed = subprocess.run(
            [ffmpeg, "-hide_banner", "-encoders"], capture_output=True, text=True, timeout=60, check=False
        ).stdout
    except (OSError, subprocess.SubprocessError) as error:
        raise MovieError(f"ffmpeg does not start ({error}); {NO_FFMPEG_TEXT}") from None
    if " libx264 " in listed:
        return ["-c:v", "libx264", "-preset", "medium", "-crf", str(H264_CRF[settings.compression])]
    if " libopenh264 " in listed:
        rate = OPENH264_BITS[settings.compression] * settings.size[0] * settings.size[1] * settings.fps
        return ["-c:v", "libopenh264", "-b:v", str(round(rate))]
    raise MovieError("this ffmpeg has no H.264 encoder (libx264 or libopenh264); .webp works without it")


def encode_mp4(frames: Iterable[Image], target: Path, settings: EncoderSettings, ffmpeg: str) -> None:
    """Write H.264 in mp4 as every player reads it: 4:2:0, BT.709, index at the front. Width and height are even."""
    width, height = settings.size
    if width % 2 or height % 2:
        raise MovieError(f"an mp4 needs an even width and height, not {width}x{height}")
    colour = "colorspace=bt709:color_primaries=bt709:color_trc=bt709:range=tv"
    command = [
        ffmpeg, "-y", "-loglevel", "error", "-nostdin",
        "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", _as_ratio(settings.fps), "-i", "pipe:0",
        "-an", "-vf", f"scale=out_color_matrix=bt709:out_range=tv,format=yuv420p,setparams={colour}",
        *_h264_arguments(ffmpeg, settings), "-bitexact", "-movflags", "+faststart", "-f", "mp4", str(target),
    ]  # fmt: skip
    with tempfile.TemporaryFile() as errors:
        # A process group of its own: Ctrl-C reaches only this process, which then ends ffmpeg. In a session of its own
        # ffmpeg would have a share of the processors that does not depend on its priority (Linux).
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=errors, process_group=0
        )
        assert process.stdin is not None
        try:
            with contextlib.suppress(BrokenPipeError):
                for frame in frames:
                    process.stdin.write(frame.data)
                process.stdin.close()
            status = process.wait()
        except BaseException:
            process.kill()
            raise
        finally:
            with contextlib.suppress(OSError):
                process.stdin.close()
            process.wait()
        if status != 0:
            errors.seek(0)
            raise MovieError(_ffmpeg_failure(status, errors.read().decode("utf-8", "replace")))


def _ffmpeg_failure(status: int, output: str) -> str:
    if "No space left" in output or "disk full" in output.lower():
        return DISK_FULL_TEXT
    if "File too large" in output or status == -getattr(signal, "SIGXFSZ", 0):
        return "the movie is larger than a file may be here; nothing was kept"
    lines = output.strip().splitlines()
    return f"ffmpeg failed: {lines[-1] if lines else f'status {status}'}"


def _as_ratio(fps: float) -> str:
    ratio = Fraction(fps).limit_denominator(1001)
    return f"{ratio.numerator}/{ratio.denominator}"


# WebP


def frame_durations(fps: float) -> Iterator[int]:
    """Durations of frames in whole milliseconds; each frame begins within half a millisecond of its exact time."""
    step, before = Fraction(1000) / Fraction(fps).limit_denominator(10_000), 0
    for k in count(1):
        after = round(k * step)
        yield after - before
        before = after


class ChangedPart:
    """The part of each picture that differs from what is shown, by more than a tolerance."""

    def __init__(self, tolerance: int) -> None:
        self._tolerance, self._shown = tolerance, np.zeros((0, 0, 3), np.uint8)

    def update(self, image: Image) -> Box | None:
        """Box around the changed pixels with even left and top, which is shown from now on; None for no change."""
        if self._shown.shape != image.shape:
            self._shown = image.copy()
            return 0, 0, image.shape[1], image.shape[0]
        low, high = np.minimum(image, self._shown), np.maximum(image, self._shown)
        changed: NDArray[np.bool_] = np.any((high - low) > self._tolerance, axis=2)
        rows, columns = np.flatnonzero(changed.any(axis=1)), np.flatnonzero(changed.any(axis=0))
        if not len(rows):
            return None
        left, top, right, bottom = int(columns[0]) & ~1, int(rows[0]) & ~1, int(columns[-1]) + 1, int(rows[-1]) + 1
        self._shown[top:bottom, left:right] = image[top:bottom, left:right]
        return left, top, right, bottom


def encode_webp(frames: Iterable[Image], target: Path, settings: EncoderSettings) -> None:
    """Write an animated WebP: each frame is a lossy picture of the part that changed.

    Pillow's own writer keeps all frames in memory; here threads encode them one by one, and this function puts their
    data into the RIFF container (developers.google.com/speed/webp/docs/riff_container).
    """
    quality = WEBP_QUALITY[settings.compression]
    durations = frame_durations(settings.fps)
    changes = ChangedPart(STILL_TOLERANCE[settings.compression])
    with open(target, "wb") as file, ThreadPoolExecutor(WEBP_THREADS) as pool:
        file.write(b"RIFF\0\0\0\0WEBP")
        width, height = settings.size
        _write_chunk(file, b"VP8X", struct.pack("<I", 0x02) + _uint24(width - 1) + _uint24(height - 1))
        _write_chunk(file, b"ANIM", struct.pack("<IH", 0xFF000000, 0))
        pending: deque[tuple[Box, Future[bytes], int]] = deque()
        for image, duration in zip(frames, durations, strict=False):
            box = changes.update(image)
            if box is None:
                pending[-1] = (*pending[-1][:2], pending[-1][2] + duration)
                continue
            left, top, right, bottom = box
            part = np.ascontiguousarray(image[top:bottom, left:right])
            pending.append((box, pool.submit(_encode_webp_picture, part, quality), duration))
            while len(pending) > WEBP_THREADS + 1:  # the newest may still last longer
                _write_webp_frame(file, *pending.popleft())
        for waiting in pending:
            _write_webp_frame(file, *waiting)
        size = file.tell()
        if size > 0xFFFFFFF0:
            raise MovieError("the movie is larger than a WebP can be (4 GB); nothing was kept")
        file.seek(4)
        file.write(struct.pack("<I", size - 8))


def _encode_webp_picture(image: Image, quality: int) -> bytes:
    """The chunks of a still WebP without its file header."""
    from PIL import Image as Pictures

    out = io.BytesIO()
    Pictures.fromarray(image).save(out, "WEBP", quality=quality, method=WEBP_METHOD)
    return out.getvalue()[12:]


def _write_webp_frame(file: BinaryIO, box: Box, encoded: Future[bytes], duration: int) -> None:
    left, top, right, bottom = box
    place = _uint24(left // 2) + _uint24(top // 2) + _uint24(right - left - 1) + _uint24(bottom - top - 1)
    _write_chunk(file, b"ANMF", place + _uint24(min(duration, 0xFFFFFF)) + b"\x02" + encoded.result())  # 2: no blending


def _write_chunk(file: BinaryIO, name: bytes, data: bytes) -> None:
    file.write(name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2))


def _uint24(value: int) -> bytes:
    return value.to_bytes(3, "little")
