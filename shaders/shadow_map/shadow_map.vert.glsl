in vec3 in_position;
uniform mat4 world_to_map;

void main() {
    gl_Position = world_to_map * vec4(in_position, 1.0);
}
