// Goal marker. in_mesh_part: 0 ring on the ground, 1 column of light, 2 core as a billboard.
#include "include/frame_block.glsl"
in vec3 in_position;  // on the unit shape
in float in_mesh_part;
uniform vec4 goal_position_radius;  // metres
uniform vec3 goal_up;  // unit, against gravity
out vec3 local_position;
out vec3 world_position;
flat out float mesh_part;

void main() {
    local_position = in_position;
    mesh_part = in_mesh_part;
    vec3 vertical = goal_up;
    vec3 horizontal = abs(vertical.y) > 0.99 ? vec3(1.0, 0.0, 0.0) : normalize(cross(vertical, vec3(0.0, 1.0, 0.0)));
    mat3 goal_axes = mat3(horizontal, vertical, cross(horizontal, vertical));
    float column_radius = 0.78 * goal_position_radius.w;
    vec3 position;
    if (in_mesh_part < 0.5)        // ring
        position = goal_position_radius.xyz + goal_axes * (vec3(0.0, 0.015, 0.0) + goal_position_radius.w * in_position);
    else if (in_mesh_part < 1.5)   // column
        position = goal_position_radius.xyz + goal_axes * (vec3(column_radius, 3.4, column_radius) * in_position);
    else {                    // core
        vec3 middle = goal_position_radius.xyz + vertical * (1.25 + 0.07 * sin(eye.w * 1.7));
        vec3 x = normalize(right.xyz), y = normalize(up.xyz);
        position = middle + 0.95 * (x * in_position.x + y * in_position.y);
    }
    world_position = position;
    gl_Position = world_to_clip * vec4(position, 1.0);
}
