"""Materials with pictures: decoding, upload between frames, and the passes that draw pictured triangles."""
