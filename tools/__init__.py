"""Scripts that make, check and measure; none is needed to play."""
