// Glazed tiles of 25 cm with light grout.
#include "surfaces/tile_common.glsl"

const float SIDE = 0.25, JOINT = 0.003;

Surface surface(vec2 p) {
    ivec2 count = ivec2(round(TILE_SIZE / SIDE));
    ivec2 cell = wrap(ivec2(floor(p / SIDE)), count);
    vec2 inside = p - floor(p / SIDE) * SIDE;
    float side = distance_inside_cell(inside, vec2(SIDE), 0.006);
    float top = edge(side - JOINT, 0.002);
    float pillow = edge(side - JOINT - 0.008, 0.010);
    float glaze = fractal_noise(p * 7.0 + 9.0 * random(cell, 51), ivec2(TILE_SIZE * 7.0), 4, 52);
    float tone = 0.90 + 0.14 * random(cell, 53) + 0.16 * (glaze - 0.5);
    tone *= ((cell.x + cell.y) & 1) == 0 ? 1.05 : 0.93;
    float tilt = dot(inside - SIDE * 0.5, vec2(random(cell, 54), random(cell, 55)) - 0.5) * 0.01;
    vec3 grout = vec3(0.62, 0.60, 0.56) * (0.85 + 0.3 * noise(p * 60.0, ivec2(TILE_SIZE * 60.0), 56));
    return Surface(mix(grout, vec3(tone), top), 0.002 * top + 0.0025 * pillow + tilt + 0.0006 * glaze, 0.10 + 0.48 * top);
}
