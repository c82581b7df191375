// Tone mapping: linear radiance to sRGB values. Needs frame_block.glsl. shown_colour in tests/render/conftest.py is its copy.

// Transfer function of sRGB (IEC 61966-2-1) of linear light 0..1.
vec3 encode_srgb(vec3 c) {
    vec3 high = 1.055 * pow(max(c, 0.0031308), vec3(1.0 / 2.4)) - 0.055;
    return mix(high, c * 12.92, vec3(lessThan(c, vec3(0.0031308))));
}

// Hill curve x^a / (1 + x^a) per channel: contrast a in the middle, a toe, and a shoulder that never clips. The channels
// are mixed first, so that a bright colour fades to white instead of another hue.
vec3 tone_map(vec3 radiance) {
    vec3 x = radiance * up.w;
    x = mix(x, vec3(dot(x, vec3(1.0 / 3.0))), CHANNEL_MIX);
#ifdef FAST_TONE_MAPPING
    // Rational approximation in sqrt(x); error below 2/255.
    vec3 s = sqrt(x);
    return s * (-0.7460 + s * (17.8654 + s * 48.0440)) / (1.0 + s * (29.5581 + s * (9.6995 + s * 48.5277)));
#else
    vec3 powered = pow(x, vec3(TONE_CONTRAST));
    return encode_srgb(powered / (1.0 + powered));
#endif
}
