"""Movies: frames of a simulation drawn off screen, and the files mp4 and WebP."""

from .encoders import EncoderSettings, find_ffmpeg
from .film import FrameSource, MovieResult, film_movie, frame_times
from .formats import MOVIE_FORMATS, MovieError, MovieFormat, format_of

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
