// Fair-faced concrete: formwork panels of 2 m by 1 m, air bubbles, water stains. No tie holes: edges would cut them.
#include "surfaces/tile_common.glsl"

const vec2 FORM = vec2(2.0, 1.0);

Surface surface(vec2 p) {
    ivec2 t = ivec2(TILE_SIZE);
    ivec2 panel = wrap(ivec2(floor(p / FORM)), ivec2(round(vec2(TILE_SIZE) / FORM)));
    vec2 inside = p - floor(p / FORM) * FORM;
    float side = distance_inside_cell(inside, FORM, 0.0);
    float seam = 1.0 - edge(side - 0.004, 0.003);
    vec3 bubbles = worley_noise(p * 16.0, t * 16, 1.0, 61);
    float bubble = bubbles.z < 0.35 ? 1.0 - edge((bubbles.x - 0.09 * bubbles.z - 0.03) / 16.0, 0.001) : 0.0;
    float cloud = fractal_noise(p * 2.0, t * 2, 5, 62), sand = fractal_noise(p * 50.0, t * 50, 2, 63);
    float streak = fractal_noise(p * vec2(9.0, 1.0), t * ivec2(9, 1), 3, 64);
    float tone = 0.95 + 0.12 * (random(panel, 65) - 0.5) + 0.24 * (cloud - 0.5) + 0.08 * (sand - 0.5) + 0.08 * (streak - 0.5);
    tone *= (1.0 - 0.28 * seam) * (1.0 - 0.30 * bubble);
    return Surface(vec3(tone) * mix(vec3(1.02, 1.0, 0.97), vec3(0.98, 1.0, 1.02), cloud),
                   -0.003 * seam - 0.002 * bubble + 0.0012 * sand, 0.10);
}
