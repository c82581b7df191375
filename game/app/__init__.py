"""The game: window, input, menu, settings and the command line. The only package that reads a clock."""
