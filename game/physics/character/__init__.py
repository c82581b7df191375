"""The walker's tick: broad phase, contacts, slide, ground move, support and state."""
