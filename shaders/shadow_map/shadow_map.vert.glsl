// Shadow map: triangles of the level or of movers, seen from the sun.
in vec3 in_position;
uniform mat4 world_to_light_clip;

void main() {
    gl_Position = world_to_light_clip * vec4(in_position, 1.0);
}
