// Tone mapping: linear radiance to sRGB values.

#ifdef FAST_TONE_MAPPING
// Rational approximation of the exact curve below in sqrt(radiance); error below 2/255.
vec3 tone_map(vec3 radiance) {
    vec3 s = sqrt(radiance);
    return s * (-3.8519 + s * (213.8565 + s * (-93.1982 + s * 18.1563))) /
           (1.0 + s * (186.6368 + s * (-51.7661 + s * 28.0412)));
}
#else
const float EXPOSURE = 0.95;

// Exponential film curve per channel, which desaturates highlights, then the sRGB transfer function (IEC 61966-2-1).
vec3 tone_map(vec3 radiance) {
    vec3 x = radiance * EXPOSURE;
    vec3 c = 1.0 - exp2(-x * (1.25 + 0.35 * x));
    vec3 low = c * 12.92;
    vec3 high = 1.055 * pow(max(c, 0.0031308), vec3(1.0 / 2.4)) - 0.055;
    return mix(high, low, vec3(lessThan(c, vec3(0.0031308))));
}
#endif

// Inverse of the exact tone curve 1 - 2^(-x (1.25 + 0.35 x)), x = 0.95 radiance: the radiance that it maps to a linear
// colour.
vec3 radiance_shown_as(vec3 colour) {
    vec3 shown = min(colour, vec3(0.985));
    return (sqrt(1.5625 - 1.4 * log2(1.0 - shown)) - 1.25) / (0.7 * 0.95);
}

// Interleaved gradient noise (Jimenez 2014) of half an 8-bit step, against banding in smooth skies.
float dither(vec2 pixel) {
    return (fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715)))) - 0.5) / 255.0;
}

vec4 tone_map_dithered(vec3 radiance, vec2 pixel) {
    return vec4(tone_map(radiance) + dither(pixel), 1.0);
}
