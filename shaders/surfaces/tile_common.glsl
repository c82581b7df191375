// Draws one surface's tile. A surface file gives `surface`; p in metres, repeating after TILE.
#include "include/noise.glsl"

struct Surface {
    vec3 tint;     // times the level's colour; 1 is the colour itself, 2 at most
    float height;  // metres, for the relief
    float gloss;   // 0 chalk .. 1 mirror
};

Surface surface(vec2 p);

in vec2 at;
uniform float step_size;  // metres a texel spans
layout(location = 0) out vec4 tint;
layout(location = 1) out vec4 relief;

// 0 below -width, 1 above it, never sharper than a texel.
float edge(float x, float width) {
    width = max(width, 0.6 * step_size);
    return smoothstep(-width, width, x);
}

// Metres inwards from the rounded outline of a cell of `size`, p from its corner; negative outside.
float to_side(vec2 p, vec2 size, float round_off) {
    vec2 q = abs(p - size * 0.5) - size * 0.5 + round_off;
    return round_off - length(max(q, 0.0)) - min(max(q.x, q.y), 0.0);
}

void main() {
    vec2 p = at * TILE;
    Surface s = surface(p);
    tint = vec4(sqrt(clamp(s.tint * 0.5, 0.0, 1.0)), s.gloss);
    relief = vec4(0.5);
#ifdef RELIEF
    float reach = max(step_size, 0.004);
    float east = surface(p + vec2(reach, 0.0)).height, north = surface(p + vec2(0.0, reach)).height;
    vec2 slope = (vec2(east, north) - s.height) / reach;
    relief = vec4(clamp(slope, -1.0, 1.0) * 0.5 + 0.5, clamp(0.5 + s.height * 10.0, 0.0, 1.0), 1.0);
#endif
}
