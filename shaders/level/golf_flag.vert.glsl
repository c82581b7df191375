// Golf flag: pole (part 0) and cloth (part 1), which waves by two sine waves that travel away from the pole.
#include "include/ambient.glsl"
in vec4 in_position;  // metres from the base; w: mesh_part
in vec3 in_normal;
in vec3 in_foot;      // metres
out vec3 world_position;
out vec3 normal;
out vec3 sky_light;  // ambient light on the side that the eye sees
flat out float mesh_part;

void main() {
    vec3 position = in_position.xyz;
    mesh_part = in_position.w;
    normal = in_normal;
    if (mesh_part > 0.5) {  // amplitude and sag grow with the distance from the pole
        float pole_distance = position.x, time = eye.w + in_foot.x;
        float phase = 5.2 * pole_distance - 4.6 * time, slow_phase = 3.1 * pole_distance - 2.9 * time;
        float amplitude = 0.16 * smoothstep(0.0, 0.5, pole_distance);
        position.z += amplitude * (sin(phase) + 0.35 * sin(1.9 * slow_phase + 4.0 * position.y));
        position.y += -0.13 * pole_distance * pole_distance + 0.02 * sin(slow_phase) * pole_distance;
        float slope = amplitude * 5.2 * cos(phase) + 0.35 * amplitude * 5.9 * cos(1.9 * slow_phase);
        normal = normalize(vec3(-slope, 0.25 * amplitude, 1.0));
        float wind_angle = 0.5 + 0.22 * sin(0.4 * time);
        mat2 wind = mat2(cos(wind_angle), sin(wind_angle), -sin(wind_angle), cos(wind_angle));
        position.xz = wind * position.xz;
        normal.xz = wind * normal.xz;
    }
    world_position = in_foot + position;
    sky_light = ambient(world_position, faceforward(normal, world_position - eye.xyz, normal));
    gl_Position = world_to_clip * vec4(world_position, 1.0);
}
