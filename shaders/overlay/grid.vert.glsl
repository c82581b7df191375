// Editor grid: a horizontal square around the centre.
#include "include/frame_block.glsl"
uniform vec3 grid_centre;
uniform vec4 grid_parameters;  // metres: minor step, major step, fade distance; w: opacity
out vec3 world_position;

void main() {
    vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0 - 1.0;
    world_position = grid_centre + vec3(corner.x, 0.0, corner.y) * grid_parameters.z;
    gl_Position = world_to_clip * vec4(world_position, 1.0);
    gl_Position.z *= 1.0015;  // depth bias against z-fighting with the floor
}
