"""Replays: files, history, verifier, tick reports and level migration."""
