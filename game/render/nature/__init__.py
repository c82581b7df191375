"""Nature, drawn and not solid: leaves on hedges and trees, tufts of grass, birds, and particles of dust and spray."""
