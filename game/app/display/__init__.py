"""What the window shows: the level's renderer, dynamic resolution, door panels, pictures as files."""
