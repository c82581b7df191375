"""Scripts that package the game."""
