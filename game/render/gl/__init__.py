"""OpenGL context, shader programs and quality levels."""
