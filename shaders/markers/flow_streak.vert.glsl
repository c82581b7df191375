// Flow streak: a thin camera-facing ribbon that drifts through the box of a current or a gravity zone.
#include "include/frame_block.glsl"
#include "include/noise.glsl"
in vec3 in_centre;           // metres
in vec3 in_half_size;
in vec2 in_rotation;         // sine and cosine of the heading of the box
in vec4 in_velocity;         // m/s along the axes of the box; w: length of a streak, metres
in vec4 in_colour_and_seed;  // sRGB; w: index of the streak
out float along;
out float across;
flat out vec4 colour;

void main() {
    vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1));
    int seed = int(in_colour_and_seed.w);
    vec3 start = vec3(random(ivec2(seed, 1), 7), random(ivec2(seed, 2), 7), random(ivec2(seed, 3), 7));
    vec3 size = 2.0 * in_half_size;
    float speed = max(length(in_velocity.xyz), 1e-3);
    vec3 direction = in_velocity.xyz / speed;
    float travel = dot(abs(direction), size) + in_velocity.w;  // metres once through the box
    float progress = fract(random(ivec2(seed, 4), 7) + eye.w * speed * (0.8 + 0.4 * start.x) / travel);
    vec3 position = (start - 0.5) * size;
    position += direction * (progress * travel - 0.5 * travel - dot(position, direction));
    position += direction * ((corner.y - 0.5) * in_velocity.w);
    vec3 clamped = clamp(position, -in_half_size, in_half_size);
    float s = in_rotation.x, c = in_rotation.y;
    vec3 position_in_world = in_centre + vec3(c * clamped.x + s * clamped.z, clamped.y, c * clamped.z - s * clamped.x);
    vec3 world_direction = vec3(c * direction.x + s * direction.z, direction.y, c * direction.z - s * direction.x);
    vec3 from_eye = position_in_world - eye.xyz;
    vec3 side = normalize(cross(from_eye, world_direction) + vec3(1e-5, 0.0, 0.0));
    float half_width = 0.008 + 0.0007 * length(from_eye);
    position_in_world += side * ((corner.x - 0.5) * 2.0 * half_width);
    along = corner.y;
    across = corner.x * 2.0 - 1.0;
    float visibility = sin(3.14159 * progress) * smoothstep(0.3, 1.5, length(from_eye));
    colour = vec4(in_colour_and_seed.rgb, visibility * step(0.02, distance(position, clamped) < 0.5 * in_velocity.w ? 1.0 : 0.0));
    gl_Position = world_to_clip * vec4(position_in_world, 1.0);
}
