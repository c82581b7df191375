"""Random walks through levels, and the referee that judges every tick with code that shares nothing with the walker."""
