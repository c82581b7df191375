// A ball in the sun's map of what moves.
in vec3 in_position;
in vec4 in_place;  // metres; w: radius
uniform mat4 world_to_map;

void main() {
    gl_Position = world_to_map * vec4(in_place.xyz + in_place.w * in_position, 1.0);
}
