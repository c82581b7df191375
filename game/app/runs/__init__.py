"""Timed runs: ghosts, progress, recording, results and verification."""
