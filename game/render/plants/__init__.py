"""Plants: leaf cards on hedges and trees, drawn and not solid."""
