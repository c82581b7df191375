#include "include/frame_block.glsl"
#include "include/write_depth.glsl"
in vec3 place;
flat in vec4 colour;
flat in float stripes;
out vec4 picture_colour;

void main() {
    float far = distance(place, eye.xyz);
    float along = dot(place, vec3(1.0, 1.0, 1.0)) * 2.0;
    float soft = clamp(far * 0.02, 0.03, 0.5);
    float band = abs(fract(along) - 0.5) * 2.0;
    float dark = stripes * smoothstep(0.5 - soft, 0.5 + soft, band) * clamp(1.4 - far / 40.0, 0.0, 1.0);
    picture_colour = vec4(colour.rgb * (1.0 - 0.30 * dark), colour.a);
    WRITE_DEPTH
}
