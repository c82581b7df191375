// Brick wall in stretcher bond: bricks of 25 cm by 7.5 cm, every other course shifted by half a brick.
#include "surfaces/tile_common.glsl"

const vec2 BRICK = vec2(0.25, 0.075);
const float JOINT = 0.005;

Surface surface(vec2 p) {
    vec2 warped = p + 0.003 * (vec2(noise(p * 16.0, ivec2(TILE_SIZE * 16.0), 3), noise(p * 16.0, ivec2(TILE_SIZE * 16.0), 4)) - 0.5);
    ivec2 count = ivec2(round(vec2(TILE_SIZE) / BRICK));
    int course = int(floor(warped.y / BRICK.y));
    float x = warped.x + 0.5 * BRICK.x * float(course & 1);
    ivec2 brick = wrap(ivec2(int(floor(x / BRICK.x)), course), count);
    vec2 inside = vec2(x, warped.y) - floor(vec2(x, warped.y) / BRICK) * BRICK;
    float side = distance_inside_cell(inside, BRICK, 0.006);
    float top = edge(side - JOINT, 0.003);
    float worn = edge(side - JOINT - 0.006, 0.007);
    float pits = fractal_noise(p * 24.0, ivec2(TILE_SIZE * 24.0), 4, 9);
    float brick_random = random(brick, 12);
    float sand = noise(p * 160.0, ivec2(TILE_SIZE * 160.0), 17);
    float tone = 0.74 + 0.40 * brick_random + 0.40 * (pits - 0.5) + 0.10 * (sand - 0.5);
    tone *= random(brick, 16) < 0.07 ? 0.66 : 1.0;  // 7 % darker, overburnt bricks
    vec3 hue = mix(vec3(1.08, 0.96, 0.90), vec3(0.94, 1.02, 1.04), random(brick, 13));
    vec3 mortar = vec3(1.30, 1.62, 1.72) * (0.86 + 0.3 * pits);
    vec3 tint = mix(mortar, hue * tone * (0.88 + 0.12 * worn), top);
    return Surface(tint, 0.003 * top + 0.0012 * worn + 0.004 * pits + 0.0006 * sand, 0.10 * top);
}
