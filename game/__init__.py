"""A first-person walker: physics, levels, simulation, picture and game, in rooms of their own."""
