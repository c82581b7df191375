#include "include/frame_block.glsl"
#include "include/write_depth.glsl"
in vec3 world_position;
flat in vec4 colour;
flat in float stripes;
out vec4 picture_colour;

void main() {
    float range = distance(world_position, eye.xyz);
    float stripe_coordinate = dot(world_position, vec3(1.0, 1.0, 1.0)) * 2.0;
    float filter_width = clamp(range * 0.02, 0.03, 0.5);
    float band = abs(fract(stripe_coordinate) - 0.5) * 2.0;
    float distance_fade = clamp(1.4 - range / 40.0, 0.0, 1.0);
    float darkening = stripes * smoothstep(0.5 - filter_width, 0.5 + filter_width, band) * distance_fade;
    picture_colour = vec4(colour.rgb * (1.0 - 0.30 * darkening), colour.a);
    WRITE_DEPTH
}
