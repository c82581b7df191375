// Mown grass: tufts, blades that lie in four directions, dry patches.
#include "surfaces/tile_common.glsl"

// Blades along one direction, a lattice vector of the tile, so that the pattern has its period.
float blades_along(vec2 p, ivec2 direction, int seed) {
    vec2 turned = vec2(dot(p, vec2(direction)), dot(p, vec2(-direction.y, direction.x)));
    ivec2 t = ivec2(TILE_SIZE);
    return noise(turned * vec2(9.0, 46.0), t * ivec2(9, 46), seed);
}

Surface surface(vec2 p) {
    ivec2 t = ivec2(TILE_SIZE);
    vec2 blown = p + 0.05 * (vec2(noise(p * 6.0, t * 6, 41), noise(p * 6.0, t * 6, 42)) - 0.5);
    float tufts = fractal_noise(blown * 7.0, t * 7, 3, 43);
    float blades = max(max(blades_along(blown, ivec2(2, 1), 44), blades_along(blown, ivec2(-1, 2), 45)),
                       max(blades_along(blown, ivec2(1, 1), 48), blades_along(blown, ivec2(2, -1), 49)));
    float fine = noise(p * 90.0, t * 90, 46);
    float dry = fractal_noise(p * 1.0 + 0.3, t, 4, 47);
    float tone = 0.62 + 0.34 * tufts + 0.62 * (blades - 0.62) + 0.16 * (fine - 0.5);
    vec3 hue = mix(vec3(0.90, 0.98, 0.84), vec3(1.20, 1.02, 0.92), smoothstep(0.35, 0.70, dry));
    return Surface(hue * tone, 0.008 * tufts + 0.010 * blades, 0.0);
}
