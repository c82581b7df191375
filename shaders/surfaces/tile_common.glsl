// Bakes one tile of a procedural surface texture. A surface file defines surface(p), p in metres, period TILE_SIZE.
#include "include/noise.glsl"

struct Surface {
    vec3 tint;     // factor of the surface's colour, 0..2
    float height;  // metres, for the relief texture
    float gloss;   // 0 matt to 1 mirror
};

Surface surface(vec2 p);

in vec2 uv;
uniform float texel_metres;  // metres per texel
layout(location = 0) out vec4 tint;
layout(location = 1) out vec4 relief;  // rg: slope; b: 0.5 + 10 times the height; a: see surface_textures.py

// Antialiased step: 0 below -width, 1 above width; at least 0.6 texels wide.
float edge(float x, float width) {
    width = max(width, 0.6 * texel_metres);
    return smoothstep(-width, width, x);
}

// Signed distance (m) to the outline of a rounded rectangle, positive inside. p: from the corner of a cell of `size`.
float distance_inside_cell(vec2 p, vec2 size, float corner_radius) {
    vec2 q = abs(p - size * 0.5) - size * 0.5 + corner_radius;
    return corner_radius - length(max(q, 0.0)) - min(max(q.x, q.y), 0.0);
}

void main() {
    vec2 p = uv * TILE_SIZE;
    Surface s = surface(p);
    tint = vec4(sqrt(clamp(s.tint * 0.5, 0.0, 1.0)), s.gloss);
    relief = vec4(0.5, 0.5, clamp(0.5 + s.height * 10.0, 0.0, 1.0), 1.0);
#ifdef RELIEF
    float slope_step = max(texel_metres, 0.004);
    float east = surface(p + vec2(slope_step, 0.0)).height, north = surface(p + vec2(0.0, slope_step)).height;
    vec2 slope = (vec2(east, north) - s.height) / slope_step;
    relief.rg = clamp(slope, -1.0, 1.0) * 0.5 + 0.5;
#endif
}
