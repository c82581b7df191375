"""Scripts that generate, check and measure. The game does not need them."""
