// What every program of one picture knows. Mirrored by game/render/passes/frame_block.py, field by field.
layout(std140) uniform Frame {
    mat4 world_to_clip;
    mat4 world_to_shadow;  // to 0..1 in the sun's map
    vec4 eye;              // metres; w: seconds
    vec4 right;            // times the tangent of half the field of view; w: cosine from which the sun's disc begins
    vec4 up;               // likewise
    vec4 forward;          // w: strength of the stars
    vec4 to_sun;           // unit; w: metres that a texel of the sun's map spans
    vec4 sunlight;         // radiance of a white surface that faces the sun; w: haze per metre, exponential
    vec4 zenith;           // w: size of a texel in the sun's map, 0..1
    vec4 horizon;          // w: radius of the penumbra in the sun's map, 0..1
    vec4 ground;           // below the horizon; w: cover of clouds
    vec4 halo;             // around the sun; w: strength of its disc
    vec4 body_x;           // rows of world to the player's unit sphere
    vec4 body_y;
    vec4 body_z;
    vec4 body_sun;         // to the sun in that space; w: one over its length squared
    vec4 viewport;          // pixels, and one over them
    vec4 depth_parameters;            // near plane; scale of the logarithmic depth
    vec4 dynamic_shadow_scale;        // from the sun's map to that of what moves: times this; w: 1 where anything is in it
    vec4 dynamic_shadow_offset;      // and plus this; w: radius of the penumbra
};
