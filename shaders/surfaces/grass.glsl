// Mown grass: tufts, blades in two directions, dry patches.
#include "surfaces/tile_common.glsl"

Surface surface(vec2 p) {
    ivec2 t = ivec2(TILE_SIZE);
    vec2 blown = p + 0.05 * (vec2(noise(p * 6.0, t * 6, 41), noise(p * 6.0, t * 6, 42)) - 0.5);
    float tufts = fractal_noise(blown * 5.0, t * 5, 3, 43);
    float blades = max(noise(blown * vec2(120.0, 24.0), t * ivec2(120, 24), 44), noise(blown * vec2(30.0, 110.0), t * ivec2(30, 110), 45));
    float fine = noise(p * 90.0, t * 90, 46);
    float dry = fractal_noise(p * 1.0 + 0.3, t, 4, 47);
    float tone = 0.52 + 0.50 * tufts + 0.46 * (blades - 0.35) * (0.5 + tufts) + 0.16 * (fine - 0.5);
    vec3 hue = mix(vec3(0.90, 0.98, 0.84), vec3(1.20, 1.02, 0.92), smoothstep(0.35, 0.70, dry));
    return Surface(hue * tone, 0.03 * tufts + 0.012 * blades, 0.0);
}
