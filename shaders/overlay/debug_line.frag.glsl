#include "include/frame_block.glsl"
#include "include/write_depth.glsl"
in vec3 colour;
in vec2 across;
uniform float strength;
uniform float rounded;  // 1 for points
out vec4 picture_colour;

void main() {
    float r = rounded > 0.5 ? length(across) : abs(across.y);
    if (rounded > 0.5 && r > 1.0)
        discard;
    picture_colour = vec4(mix(colour, vec3(0.0), 0.55 * smoothstep(0.55, 0.85, r) * rounded), strength);
    WRITE_DEPTH
}
