// Lime plaster: trowel waves and fine sand.
#include "surfaces/tile_common.glsl"

Surface surface(vec2 p) {
    ivec2 t = ivec2(TILE_SIZE);
    float waves = fractal_noise(p * vec2(3.0, 5.0), t * ivec2(3, 5), 4, 21);
    float blotch = fractal_noise(p * 1.0 + 0.4, t, 4, 22);
    float sand = noise(p * 130.0, t * 130, 23);
    float tone = 1.0 + 0.20 * (waves - 0.5) + 0.26 * (blotch - 0.5) + 0.07 * (sand - 0.5);
    vec3 hue = mix(vec3(1.0, 0.985, 0.96), vec3(1.0), blotch);
    return Surface(hue * tone, 0.011 * waves + 0.0006 * sand, 0.06);
}
