// Waves of water, and the light and colour that it has. Needs frame_block.glsl.
const float TURN = 6.2831853;

// Slope of five deep-water waves (dispersion: omega^2 = g k), each smaller and rotated.
vec2 ripples(vec2 position, float time) {
    vec2 slope = vec2(0.0);
    position += 0.5 * vec2(sin(0.43 * position.y + 0.2 * time), sin(0.37 * position.x - 0.17 * time));  // no regular grid
    vec2 direction = vec2(0.83, 0.56);
    float wavelength = 2.3, amplitude = 0.036;
    for (int k = 0; k < 5; k++) {
        float wavenumber = TURN / wavelength;
        float phase = dot(position, direction) * wavenumber + time * sqrt(9.81 * wavenumber) * 0.55;
        slope += direction * (amplitude * wavenumber * cos(phase + 1.7 * float(k)));
        direction = mat2(-0.74, 0.67, -0.67, -0.74) * direction;
        wavelength *= 0.61;
        amplitude *= 0.52;
    }
    return slope;
}

// Slope of the rings that the player's body makes where it stands in the surface.
vec2 wake(vec3 position, float time) {
    vec4 point = vec4(position, 1.0);
    vec3 local = vec3(dot(body_x, point), dot(body_y, point), dot(body_z, point));  // the body is the unit sphere
    float range = length(local.xz), strength = depth_parameters.z * depth_parameters.w * smoothstep(1.15, 0.85, abs(local.y));
    vec2 outwards = (body_x.xz * local.x + body_z.xz * local.z) / max(range * length(body_x.xyz), 1e-4);
    return outwards * (0.5 * strength * sin(4.5 * range - 9.0 * time) * exp(-0.35 * range) * smoothstep(0.6, 1.1, range));
}

// Metres that waves lift the surface at a point of the lens.
float lens_wave(vec3 lens) {
    return 0.004 * sin(21.0 * lens.x + 2.3 * eye.w) + 0.003 * sin(17.0 * lens.z - 1.7 * eye.w);
}

// Caustics: the pattern of focused light below waves; 0..1.
float caustics(vec2 position, float time) {
    position *= 2.7;
    position += 0.6 * vec2(sin(0.9 * position.y + 0.7 * time), sin(0.8 * position.x - 0.6 * time));
    position += 0.4 * vec2(sin(2.1 * position.y - 0.9 * time), sin(2.3 * position.x + 0.8 * time));
    float line = 1.0 - abs(0.5 * (sin(2.2 * position.x) + sin(2.2 * position.y + 0.6)));
    float l2 = line * line, l4 = l2 * l2;
    return l4 * l4;
}

// Radiance of deep water of a colour (linear), which scatters the light of sky and sun.
vec3 deep_water(vec3 colour) {
    return colour * (0.34 * (zenith.rgb + horizon.rgb) + 0.22 * sunlight.rgb * max(to_sun.y, 0.0));
}
