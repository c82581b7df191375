// Opacity of masked surfaces, for fragment shaders.

// Opacity for the comparison with the cutoff. Mipmaps blur thin parts away, so opacity grows with the level.
float masked_opacity(float opacity, vec2 uv, vec2 texture_size) {
    vec2 dx = dFdx(uv) * texture_size, dy = dFdy(uv) * texture_size;
    float level = max(0.5 * log2(max(max(dot(dx, dx), dot(dy, dy)), 1e-8)), 0.0);
    return opacity * (1.0 + 0.25 * level);
}
