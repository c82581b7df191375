// Earth: clods, pebbles, and wet hollows.
#include "surfaces/tile_common.glsl"

Surface surface(vec2 p) {
    ivec2 t = ivec2(TILE_SIZE);
    vec2 warped = p + 0.12 * (vec2(noise(p * 5.0, t * 5, 101), noise(p * 5.0, t * 5, 102)) - 0.5);
    float relief = fractal_noise(warped * 1.0, t, 4, 103), clods = fractal_noise(warped * 8.0, t * 8, 4, 104);
    vec3 stones = worley_noise(warped * 7.0, t * 7, 1.0, 105);
    float pebble = (1.0 - smoothstep(0.10, 0.22, stones.x)) * step(0.82, stones.z);
    float height = 0.6 * relief + 0.4 * clods;
    float wet = 1.0 - smoothstep(0.40, 0.47, height);
    float tone = 0.72 + 0.75 * (clods - 0.5) + 0.35 * (relief - 0.5) + 0.05 * noise(p * 70.0, t * 70, 106);
    vec3 tint = mix(vec3(tone) * vec3(1.04, 1.0, 0.95), vec3(1.15, 1.12, 1.08) * (0.8 + 0.4 * stones.z), 0.8 * pebble);
    tint *= 1.0 - 0.45 * wet;
    return Surface(tint, mix(0.05 * height, 0.05 * 0.43, wet) + 0.008 * pebble, 0.85 * wet + 0.10 * pebble);
}
