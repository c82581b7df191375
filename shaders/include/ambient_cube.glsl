// Ambient light of an instance: faces of a cube at its centre, which bodies/ambient_cube.vert.glsl has written.
uniform sampler2D ambient_cubes;

vec3 cube_face(int instance, int face) {
    ivec2 texel = ivec2(instance % CUBES_IN_ROW, 6 * (instance / CUBES_IN_ROW) + face);
    return texelFetch(ambient_cubes, texel, 0).rgb;
}

// Light on a surface of normal n of an instance.
vec3 instance_light(int instance, vec3 n) {
    vec3 weight = n * n;
    return weight.x * cube_face(instance, n.x < 0.0 ? 1 : 0) + weight.y * cube_face(instance, n.y < 0.0 ? 3 : 2) +
           weight.z * cube_face(instance, n.z < 0.0 ? 5 : 4);
}
