#include "include/frame_block.glsl"
#include "include/write_depth.glsl"
in vec4 colour;
noperspective in vec2 across;
flat in float long_half;
uniform float thick;
uniform float strength;
uniform float rounded;  // 1 for points
out vec4 picture_colour;

void main() {
    float beyond = max(abs(across.x) - long_half, 0.0);
    float r = rounded > 0.5 ? length(across) : length(vec2(beyond, across.y));
    float cover = clamp(thick * 0.5 + 0.5 - r, 0.0, 1.0);
    if (cover <= 0.0)
        discard;
    float rim = rounded * smoothstep(0.52, 0.80, r / (thick * 0.5));
    picture_colour = vec4(mix(colour.rgb, vec3(0.04), 0.75 * rim), colour.a * cover * strength);
    WRITE_DEPTH
}
