"""Movies: frames of a simulation drawn off screen, and the files mp4 and WebP."""

from .encoders import MOVIE_FORMATS, EncoderSettings, MovieError, MovieFormat, find_ffmpeg, format_of
from .movie_writer import FrameSource, MovieResult, frame_times, write_movie

__all__ = [
    "MOVIE_FORMATS",
    "EncoderSettings",
    "FrameSource",
    "MovieError",
    "MovieFormat",
    "MovieResult",
    "find_ffmpeg",
    "format_of",
    "frame_times",
    "write_movie",
]
