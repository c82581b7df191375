"""Numerics: the JIT decorators, deterministic trigonometry, closed-form integration, projection onto half-spaces."""
