"""Runs of the player: time trial, assists, ghosts, progress, recording, movies and results."""
