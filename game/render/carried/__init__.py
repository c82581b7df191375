"""Signs, zones and lamps that movers carry, and the light of lamps on movers."""
