"""Mistakes of writing: what the author probably meant, in the words of a finding."""
