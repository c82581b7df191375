// Flagstones in rows of 0.5 m; most are 1 m long, 42 % are cut in two.
#include "surfaces/tile_common.glsl"

const float ROW = 0.5, SLAB_LENGTH = 1.0, JOINT = 0.007;

Surface surface(vec2 p) {
    vec2 warped = p + 0.006 * (vec2(noise(p * 9.0, ivec2(TILE_SIZE * 9.0), 3), noise(p * 9.0, ivec2(TILE_SIZE * 9.0), 4)) - 0.5);
    int row = int(floor(warped.y / ROW)), rows = int(TILE_SIZE / ROW), slabs = int(TILE_SIZE / SLAB_LENGTH);
    row = (row % rows + rows) % rows;
    float shift = floor(random(ivec2(row, 7), 5) * 4.0) * 0.25;
    float x = warped.x + shift;
    int slab = wrap(ivec2(int(floor(x / SLAB_LENGTH)), 0), ivec2(slabs, 1)).x;
    vec2 inside = vec2(x - floor(x / SLAB_LENGTH) * SLAB_LENGTH, warped.y - floor(warped.y / ROW) * ROW);
    vec2 size = vec2(SLAB_LENGTH, ROW);
    int half_index = 0;  // 0: the stone is whole
    if (random(ivec2(slab, row), 6) < 0.42) {
        float cut = mix(0.38, 0.62, random(ivec2(slab, row), 8));
        half_index = inside.x < cut ? 1 : 2;
        size.x = half_index == 1 ? cut : SLAB_LENGTH - cut;
        inside.x -= half_index == 1 ? 0.0 : cut;
    }
    ivec2 stone = ivec2(slab * 3 + half_index, row);
    float side = distance_inside_cell(inside, size, 0.02);
    float top = edge(side - JOINT, 0.004);
    float worn = edge(side - JOINT - 0.012, 0.014);
    float pits = fractal_noise(p * 14.0, ivec2(TILE_SIZE * 14.0), 5, 9);
    float vein = fractal_noise(p * 3.0 + 5.0 * random(stone, 10), ivec2(TILE_SIZE * 3.0), 4, 11);
    float tone = 0.84 + 0.28 * random(stone, 12) + 0.20 * (pits - 0.5) + 0.22 * (vein - 0.5);
    vec3 hue = mix(vec3(1.05, 1.0, 0.93), vec3(0.96, 1.0, 1.05), random(stone, 13));
    float tilt = dot(inside - size * 0.5, vec2(random(stone, 14), random(stone, 15)) - 0.5) * 0.012;
    vec3 tint = mix(vec3(0.42, 0.40, 0.36) * (0.8 + 0.5 * pits), hue * tone * (0.90 + 0.10 * worn), top);
    return Surface(tint, (0.006 * worn + 0.004 * top) + tilt + 0.004 * pits, 0.18 * top);
}
