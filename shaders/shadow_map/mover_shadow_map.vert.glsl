// Shadow map: triangles of movers, seen from the sun or a lamp.
#include "include/mover.glsl"
in vec3 in_position;
uniform mat4 world_to_light_clip;

void main() {
    gl_Position = world_to_light_clip * vec4(carried_position(in_position), 1.0);
}
