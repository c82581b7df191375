"""Text without GL: the shipped fonts, the system's fonts, characters as they are drawn, and line breaks."""
