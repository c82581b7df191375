"""Kept runs: their index, the import of files, and what a replay needs to be watched."""
