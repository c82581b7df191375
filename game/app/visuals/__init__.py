"""What the application adds to a frame: messages, fade, balls, golf, tick diagrams and timelines."""
