// Bird: dark plumage, paler where the sun shines on it.
#include "include/shade.glsl"
#include "include/ambient.glsl"
#include "include/write_depth.glsl"
in vec3 world_position;
flat in vec3 normal;
out vec4 picture_colour;

void main() {
    vec3 n = dot(normal, world_position - eye.xyz) > 0.0 ? -normal : normal;
    vec3 light = open_sky_light(n) + sunlight.rgb * max(dot(n, to_sun.xyz), 0.0);
    picture_colour = shown_through_haze(vec3(0.07, 0.075, 0.085) * light, world_position - eye.xyz);
    WRITE_DEPTH
}
