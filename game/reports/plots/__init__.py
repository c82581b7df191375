"""Plots of walks: paths and heat maps on the level's plan, speed and height over time, as PNG, SVG or HTML."""
