// A level square around the middle of the grid.
#include "include/frame_block.glsl"
uniform vec3 middle;
uniform vec4 sizes;  // step, greater step, reach: metres; strength
out vec3 place;

void main() {
    vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0 - 1.0;
    place = middle + vec3(corner.x, 0.0, corner.y) * sizes.z;
    gl_Position = world_to_clip * vec4(place, 1.0);
    gl_Position.z *= 1.0015;  // above the floor that it lies on
}
