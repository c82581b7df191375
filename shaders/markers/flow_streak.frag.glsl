#include "include/frame_block.glsl"
#include "include/write_depth.glsl"
in float along;
in float across;
flat in vec4 colour;
out vec4 picture_colour;

void main() {
    float brightness = colour.a * 0.5 * (1.0 - across * across) * smoothstep(0.0, 0.7, along) * smoothstep(1.0, 0.85, along);
    if (brightness < 0.004)
        discard;
    picture_colour = vec4(colour.rgb * brightness, 0.4 * brightness);
    WRITE_DEPTH
}
