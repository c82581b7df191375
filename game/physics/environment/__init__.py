"""The walker's surroundings: zones, moving platforms and their motion."""
