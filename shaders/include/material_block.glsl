// Uniform block of a material with pictures. Layout: MATERIAL_ROW in game/render/materials/material_features.py.
layout(std140) uniform Material {
    vec4 base_factor;   // linear colour and opacity
    vec4 emission;      // linear radiance; w: scale of the normal map
    vec4 factors;       // metallic, roughness, strength of the occlusion map, alpha cutoff
    vec4 scroll;        // xy: speed of the pictures in texture coordinates per second; z: reflectance of dielectrics
    vec4 uv_rows[10];   // two rows of an affine map for each texture; w: 1 where the texture is mirrored along this axis
};

const int BASE_MAP = 0, EMISSION = 1, NORMAL = 2, ROUGHNESS = 3, OCCLUSION = 4;  // textures in uv_rows

// Texture coordinates of a point of the surface, moved by the scroll speed. The jump every 64 pictures is not seen.
vec2 scrolled_uv(vec2 uv, float seconds) {
    return uv - mod(scroll.xy * seconds, 64.0);
}

// Texture coordinates of one texture of the material.
vec2 texture_uv(vec2 uv, int map) {
    vec4 row_u = uv_rows[2 * map], row_v = uv_rows[2 * map + 1];
    vec2 moved = vec2(dot(row_u.xyz, vec3(uv, 1.0)), dot(row_v.xyz, vec3(uv, 1.0)));
#ifdef SEPARATE_TRANSFORMS
    moved = mix(moved, 1.0 - abs(mod(moved, 2.0) - 1.0), vec2(row_u.w, row_v.w));
#endif
    return moved;
}
