// Leaves of a hedge or crown: three layers of leaf shapes in jittered cells, the upper ones lighter.
#include "surfaces/tile_common.glsl"

// Height of the leaf of a layer at p, 0 between leaves; tone: its brightness.
float leaf_layer(vec2 p, float cells, int seed, out float tone) {
    ivec2 period = ivec2(TILE_SIZE * cells);
    vec2 scaled = p * cells;
    ivec2 base = ivec2(floor(scaled));
    float best = 0.0;
    tone = 0.0;
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++) {
            ivec2 cell = base + ivec2(i, j), wrapped = wrap(cell, period);
            vec2 from = scaled - vec2(cell) - vec2(random(wrapped, seed), random(wrapped, seed + 1));
            float angle = 6.2831853 * random(wrapped, seed + 2), c = cos(angle), s = sin(angle);
            vec2 leaf = vec2(c * from.x + s * from.y, c * from.y - s * from.x) / vec2(0.85, 0.42);
            float inside = 1.0 - dot(leaf, leaf) - 0.5 * leaf.x * leaf.x * leaf.x;
            float height = max(inside, 0.0) * (0.6 + 0.4 * random(wrapped, seed + 3)) * (leaf.y > 0.0 ? 1.0 : 0.85);
            if (height > best) {
                best = height;
                tone = 0.6 + 0.8 * random(wrapped, seed + 4) - 0.12 * smoothstep(0.10, 0.0, abs(leaf.y));
            }
        }
    return best;
}

Surface surface(vec2 p) {
    ivec2 t = ivec2(TILE_SIZE);
    float clump = fractal_noise(p * 4.0, t * 4, 3, 121), tone = 0.25, height = 0.0;
    for (int k = 0; k < 3; k++) {
        float leaf_tone, rise = leaf_layer(p, 11.0 + 2.0 * float(k), 122 + 9 * k, leaf_tone);
        if (rise > 0.08) {
            tone = leaf_tone * (0.55 + 0.25 * float(k));
            height = 0.008 * float(k + 1) + 0.012 * rise;
        }
    }
    tone *= 0.75 + 0.5 * clump;
    return Surface(vec3(0.95, 1.0, 0.85) * tone, height + 0.01 * clump, 0.12);
}
