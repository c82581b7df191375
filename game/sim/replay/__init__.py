"""Replays: chunk files, recorder, verifier, rewind, tick reports and level migration."""
