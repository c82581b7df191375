"""Picture of the window: the level's renderer, dynamic resolution, door panels, pictures as files."""
