// A level square around the middle of the grid.
#include "include/frame_block.glsl"
uniform vec3 grid_centre;
uniform vec4 grid_parameters;  // step, greater step, reach: metres; strength
out vec3 world_position;

void main() {
    vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0 - 1.0;
    world_position = grid_centre + vec3(corner.x, 0.0, corner.y) * grid_parameters.z;
    gl_Position = world_to_clip * vec4(world_position, 1.0);
    gl_Position.z *= 1.0015;  // above the floor that it lies on
}
