// Particle: a soft disc in the light of sky and sun.
#include "include/shade.glsl"
#include "include/write_depth.glsl"
in vec3 world_position;
in vec2 disc;
flat in vec4 colour_and_opacity;
flat in vec3 light;
out vec4 picture_colour;

void main() {
    float opacity = colour_and_opacity.a * smoothstep(1.0, 0.35, length(disc));
    picture_colour = vec4(shown_through_haze(colour_and_opacity.rgb * light, world_position - eye.xyz).rgb, opacity);
    WRITE_DEPTH
}
