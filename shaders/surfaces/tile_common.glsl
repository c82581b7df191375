// Draws one surface's tile. A surface file gives `surface`; p in metres, repeating after TILE.
#include "include/noise.glsl"

struct Surface {
    vec3 tint;     // times the level's colour; 1 is the colour itself, 2 at most
    float height;  // metres, for the relief
    float gloss;   // 0 chalk .. 1 mirror
};

Surface surface(vec2 p);

in vec2 uv;
uniform float texel_metres;  // metres a texel spans
layout(location = 0) out vec4 tint;
layout(location = 1) out vec4 relief;

// 0 below -width, 1 above it, never sharper than a texel.
float edge(float x, float width) {
    width = max(width, 0.6 * texel_metres);
    return smoothstep(-width, width, x);
}

// Metres inwards from the rounded outline of a cell of `size`, p from its corner; negative outside.
float distance_inside_cell(vec2 p, vec2 size, float corner_radius) {
    vec2 q = abs(p - size * 0.5) - size * 0.5 + corner_radius;
    return corner_radius - length(max(q, 0.0)) - min(max(q.x, q.y), 0.0);
}

void main() {
    vec2 p = uv * TILE_SIZE;
    Surface s = surface(p);
    tint = vec4(sqrt(clamp(s.tint * 0.5, 0.0, 1.0)), s.gloss);
    relief = vec4(0.5);
#ifdef RELIEF
    float slope_step = max(texel_metres, 0.004);
    float east = surface(p + vec2(slope_step, 0.0)).height, north = surface(p + vec2(0.0, slope_step)).height;
    vec2 slope = (vec2(east, north) - s.height) / slope_step;
    relief = vec4(clamp(slope, -1.0, 1.0) * 0.5 + 0.5, clamp(0.5 + s.height * 10.0, 0.0, 1.0), 1.0);
#endif
}
