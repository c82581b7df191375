"""The game: window, input, menu, settings and the command line. The only room that looks at a clock."""
