"""Scripts that take the pictures of the documentation."""
