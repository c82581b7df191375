// Uniform block of a frame, shared by all programs. Layout: game/render/passes/frame.py, field by field.
layout(std140) uniform Frame {
    mat4 world_to_clip;
    mat4 world_to_shadow;  // to 0..1 in the shadow map
    vec4 eye;              // metres; w: time, seconds
    vec4 right;            // times tan(half horizontal field of view); w: cosine of the sun's angular radius
    vec4 up;               // times tan(half vertical field of view); w: exposure, factor of radiance
    vec4 forward;          // w: radiance of the stars
    vec4 to_sun;           // unit; w: metres per texel of the shadow map
    vec4 sunlight;         // radiance of a white surface facing the sun; w: haze, exponent of 2 per metre
    vec4 zenith;           // radiance; w: texel size of the shadow map, 0..1
    vec4 horizon;          // radiance; w: penumbra radius in the shadow map, 0..1
    vec4 ground;           // radiance below the horizon; w: cloud cover
    vec4 halo;             // radiance around the sun; w: intensity of its disc
    vec4 body_x;           // rows of world to body space, where the player's ellipsoid is the unit sphere
    vec4 body_y;
    vec4 body_z;
    vec4 body_sun;         // to the sun in body space; w: 1 / length^2
    vec4 water;            // radiance of deep water around the eye; w: height of its surface, metres
    vec4 viewport;         // pixels; zw: 1 / pixels
    vec4 depth_parameters; // near plane, metres; scale of the logarithmic depth; z: 1 where plants move; w: ripples of the body, 0..1
    vec4 dynamic_shadow_scale;   // shadow map to dynamic shadow map: times this; w: 1 unless it is empty
    vec4 dynamic_shadow_offset;  // plus this; w: penumbra radius in the dynamic map
    vec4 probe_origin;     // of the first light probe, metres; w: spacing, metres
    vec4 probe_counts;     // along x, y and z; w: faces of each, 0 until light is baked
    vec4 near_shadow;      // shadow map to near shadow map: times z, plus xy; z: 0 if there is none; w: metres per texel
};
