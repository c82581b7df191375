"""Encoders of movies: pictures and times come back from the file, still parts cost nothing, bad input is a sentence."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest
from PIL import Image as Pictures

from game.core.atomic_files import replace_when_done
from game.video import EncoderSettings, MovieError, find_ffmpeg, format_of
from game.video.encoders import ChangedPart, encode_mp4, encode_webp, frame_durations
from tests.support import full_disk
from tests.support.child_processes import child_processes, needs_proc

WIDTH, HEIGHT = 96, 54


def ffmpeg() -> str:
    try:
        return find_ffmpeg()
    except MovieError as error:
        pytest.skip(f"no ffmpeg: {error}")


def moving_frames(count: int, still: bool = False) -> list[np.ndarray]:
    """A smooth background with a bright square that moves by 5 pixels a frame."""
    rows, columns = np.mgrid[0:HEIGHT, 0:WIDTH]
    background = np.stack((2 * columns, 4 * rows, 255 - 2 * columns), axis=-1).clip(0, 255).astype(np.uint8)
    frames = []
    for k in range(count):
        frame = background.copy()
        at = 6 if still else 6 + 5 * k
        frame[20:32, at : at + 12] = (250, 240, 30)
        frames.append(frame)
    return frames


def read_animation(path: Path) -> tuple[list[np.ndarray], list[int]]:
    """Pictures and durations (ms) that Pillow reads."""
    pictures, durations = [], []
    with Pictures.open(path) as animation:
        for k in range(animation.n_frames):
            animation.seek(k)
            animation.load()
            pictures.append(np.array(animation.convert("RGB")))
            durations.append(round(animation.info["duration"]))
    return pictures, durations


def mean_error(one: np.ndarray, other: np.ndarray) -> float:
    return float(np.abs(one.astype(float) - other.astype(float)).mean())


def encode(path: Path, frames: list[np.ndarray], fps: float = 20, compression: str = "light") -> None:
    encode_webp(frames, path, EncoderSettings((WIDTH, HEIGHT), fps, compression))


@pytest.mark.full
def test_pictures_and_times_come_back(tmp_path: Path) -> None:
    frames = moving_frames(12)
    encode(tmp_path / "a.webp", frames)
    pictures, durations = read_animation(tmp_path / "a.webp")
    assert len(pictures) == 12
    assert durations == [50] * 12
    for picture, frame in zip(pictures, frames, strict=True):
        assert mean_error(picture, frame) < 4.0
    # The frames are in order: each is nearest to its own.
    for k, picture in enumerate(pictures):
        assert min(range(12), key=lambda n: mean_error(picture, frames[n])) == k


@pytest.mark.full
def test_frames_that_do_not_change_make_one_longer_frame(tmp_path: Path) -> None:
    encode(tmp_path / "a.webp", moving_frames(10, still=True))
    pictures, durations = read_animation(tmp_path / "a.webp")
    assert (len(pictures), sum(durations)) == (1, 500)
    encode(tmp_path / "one.webp", moving_frames(1))
    extra = (tmp_path / "a.webp").stat().st_size - (tmp_path / "one.webp").stat().st_size
    assert abs(extra) <= 2


@pytest.mark.full
def test_only_the_changed_part_is_stored(tmp_path: Path) -> None:
    encode(tmp_path / "moving.webp", moving_frames(4))
    noise = np.random.default_rng(3)
    everything = [noise.integers(0, 255, (HEIGHT, WIDTH, 3), dtype=np.uint8) for _ in range(4)]
    encode(tmp_path / "a.webp", everything)
    assert (tmp_path / "moving.webp").stat().st_size * 4 < (tmp_path / "a.webp").stat().st_size


@pytest.mark.parametrize("fps", [30, 60, 29.97, 12.5])
def test_durations_do_not_drift(fps: float) -> None:
    durations = frame_durations(fps)
    total = 0
    for k in range(1, 3001):
        step = next(durations)
        assert step >= 1
        total += step
        assert abs(total - k * 1000 / fps) <= 0.5 + 1e-6


def test_a_slow_change_is_not_lost() -> None:
    """A pixel that changes by less than the tolerance in each frame is updated once it has changed by more."""
    part = ChangedPart(6)
    image = np.full((8, 8, 3), 100, np.uint8)
    part.update(image)
    updates = 0
    for level in range(101, 131):
        updates += part.update(np.full((8, 8, 3), level, np.uint8)) is not None
    assert updates == 4


def test_an_empty_list_of_frames_still_makes_a_file(tmp_path: Path) -> None:
    encode_webp([], tmp_path / "a.webp", EncoderSettings((16, 16), 10))
    assert (tmp_path / "a.webp").read_bytes()[:4] == b"RIFF"


def test_an_mp4_plays_everywhere(tmp_path: Path) -> None:
    program = ffmpeg()
    target = tmp_path / "a.mp4"
    encode_mp4(moving_frames(30), target, EncoderSettings((WIDTH, HEIGHT), 30), program)
    told = subprocess.run([program, "-hide_banner", "-i", str(target)], capture_output=True, text=True).stderr
    assert "Duration: 00:00:01.00" in told
    assert "h264" in told
    assert "yuv420p" in told
    assert f"{WIDTH}x{HEIGHT}" in told
    data = target.read_bytes()
    assert data.index(b"moov") < data.index(b"mdat"), "the index must come first"
    raw = subprocess.run(
        [program, "-loglevel", "error", "-i", str(target), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"],
        capture_output=True,
    ).stdout
    decoded = np.frombuffer(raw, np.uint8).reshape(-1, HEIGHT, WIDTH, 3)
    assert len(decoded) == 30
    for picture, frame in zip(decoded, moving_frames(30), strict=True):
        assert mean_error(picture, frame) < 12.0


def test_an_mp4_of_an_odd_size_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MovieError, match="even width and height"):
        encode_mp4([], tmp_path / "a.mp4", EncoderSettings((33, 20), 30), "ffmpeg")


def test_an_ffmpeg_that_fails_is_a_sentence(tmp_path: Path) -> None:
    program = ffmpeg()
    with pytest.raises(MovieError, match=r"ffmpeg failed: .*No such file"):
        encode_mp4(moving_frames(3), tmp_path / "nowhere" / "a.mp4", EncoderSettings((WIDTH, HEIGHT), 30), program)


@needs_proc
def test_an_exception_in_a_frame_ends_ffmpeg(tmp_path: Path) -> None:
    program = ffmpeg()
    children = child_processes()

    def frames():
        yield from moving_frames(2)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        encode_mp4(frames(), tmp_path / "a.mp4", EncoderSettings((WIDTH, HEIGHT), 30), program)
    assert child_processes() == children


@pytest.mark.full
@pytest.mark.parametrize("name", ["a.webp", "a.mp4"])
def test_a_file_that_may_not_grow_is_a_sentence(name: str, tmp_path: Path) -> None:
    """The same path as a full disk: a write fails in the middle."""
    program = ffmpeg() if name.endswith("mp4") else ""
    noise = np.random.default_rng(1)
    frames = [noise.integers(0, 255, (180, 320, 3), dtype=np.uint8) for _ in range(20)]
    settings = EncoderSettings((320, 180), 30, "light")

    def write() -> None:
        with replace_when_done(tmp_path / name) as part:
            if name.endswith("mp4"):
                encode_mp4(frames, part, settings, program)
            else:
                encode_webp(frames, part, settings)

    with full_disk.full_disk(60_000), pytest.raises((OSError, MovieError), match="arge"):
        write()  # "File too large", "larger than a file may be"
    assert list(tmp_path.iterdir()) == []


def test_other_suffixes_are_refused() -> None:
    for name in ("a.gif", "a.avi", "a", "a.mp4.txt", "mp4"):
        with pytest.raises(MovieError, match=r"must be an \.mp4 or \.webp"):
            format_of(Path(name))
    assert format_of(Path("A.MP4")).name == "mp4"
