"""Scripts that generate pages, figures and pictures of the documentation."""
