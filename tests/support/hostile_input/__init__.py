"""Valid arguments and level files, and how they are damaged."""
