// Shadow map: instanced spheres, seen from the sun.
in vec3 in_position;  // on the unit sphere
in vec4 in_centre;    // metres; w: radius
uniform mat4 world_to_light_clip;

void main() {
    gl_Position = world_to_light_clip * vec4(in_centre.xyz + in_centre.w * in_position, 1.0);
}
