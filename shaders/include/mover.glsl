// Poses of movers: `movers` has a row of texels for what stands still, then one for each mover: the three rows of its
// pose, and with LAMPS two texels for each lamp that lights it (game/render/passes/level.py). Without MOVER nothing moves.
#ifdef MOVER
in float in_mover;  // row of the texture
uniform sampler2D movers;

vec4 mover_texel(int column) {
    return texelFetch(movers, ivec2(column, int(in_mover)), 0);
}

vec3 carried_position(vec3 position) {
    vec4 at = vec4(position, 1.0);
    return vec3(dot(mover_texel(0), at), dot(mover_texel(1), at), dot(mover_texel(2), at));
}

vec3 carried_direction(vec3 direction) {
    return vec3(dot(mover_texel(0).xyz, direction), dot(mover_texel(1).xyz, direction), dot(mover_texel(2).xyz, direction));
}
#else
vec3 carried_position(vec3 position) {
    return position;
}

vec3 carried_direction(vec3 direction) {
    return direction;
}
#endif
