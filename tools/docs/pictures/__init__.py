"""Scripts that render the pictures of the documentation."""
