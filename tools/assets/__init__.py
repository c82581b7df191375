"""Scripts that make icons, sounds and level thumbnails."""
