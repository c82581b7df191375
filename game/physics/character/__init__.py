"""The walker: settings, state and command of an ellipsoid body, and the kernels of its tick."""
