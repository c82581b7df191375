// Ambient light of balls and bodies: a point for each face of a cube at the centre of each instance.
#include "include/ambient.glsl"
in vec4 in_centre;  // metres; w unused
uniform vec2 texture_size;
flat out vec3 light;

void main() {
    vec3 axis = vec3(equal(ivec3(0, 1, 2), ivec3(gl_VertexID / 2))) * (gl_VertexID % 2 == 0 ? 1.0 : -1.0);
    light = ambient(in_centre.xyz, axis);
    vec2 texel = vec2(gl_InstanceID % CUBES_IN_ROW, 6 * (gl_InstanceID / CUBES_IN_ROW) + gl_VertexID) + 0.5;
    gl_Position = vec4(2.0 * texel / texture_size - 1.0, 0.0, 1.0);
}
