// Particle: a disc that faces the eye, on a path of constant acceleration.
#include "include/ambient.glsl"
in vec4 in_origin;    // metres; w: seconds at which it begins
in vec4 in_velocity;  // m/s; w: acceleration downwards, m/s^2
in vec4 in_shape;     // seconds that it lasts, radius in metres, factor of the radius at its end, opacity
in vec3 in_colour;
out vec3 world_position;
out vec2 disc;  // -1..1
flat out vec4 colour_and_opacity;
flat out vec3 light;

void main() {
    float age = eye.w - in_origin.w;
#ifdef LOOPED
    age = mod(age, in_shape.x);
#endif
    float part = age / in_shape.x;
    disc = 2.0 * vec2(gl_VertexID & 1, gl_VertexID >> 1) - 1.0;
    float radius = part < 0.0 || part > 1.0 ? 0.0 : in_shape.y * mix(1.0, in_shape.z, part);
    world_position = in_origin.xyz + age * in_velocity.xyz - vec3(0.0, 0.5 * in_velocity.w * age * age, 0.0);
    light = 0.7 * ambient(world_position, vec3(0.0, 1.0, 0.0)) + 0.35 * sunlight.rgb;
    world_position += radius * (disc.x * normalize(right.xyz) + disc.y * normalize(up.xyz));
    colour_and_opacity = vec4(in_colour, in_shape.w * min(8.0 * part, 1.0) * (1.0 - part * part));
    gl_Position = world_to_clip * vec4(world_position, 1.0);
}
