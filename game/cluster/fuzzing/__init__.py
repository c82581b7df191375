"""Random walks whose ticks are checked by code that shares no collision code with the walker."""
