"""Movies: frames of a simulation drawn off screen, and the files mp4 and WebP."""

from .encoders import MOVIE_FORMATS, EncoderSettings, MovieError, MovieFormat, find_ffmpeg, format_of
from .film import FrameSource, MovieResult, film_movie, frame_times

__all__ = [
    "MOVIE_FORMATS",
    "EncoderSettings",
    "FrameSource",
    "MovieError",
    "MovieFormat",
    "MovieResult",
    "film_movie",
    "find_ffmpeg",
    "format_of",
    "frame_times",
]
