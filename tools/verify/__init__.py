"""Scripts that verify the physics and the level reader: golden hashes, fuzzing, oracles and mutation testing."""
