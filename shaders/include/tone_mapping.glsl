// From linear light to the screen's numbers.

#ifdef FAST_TONE_MAPPING
// What the other way gives, to within 2/255: a root and a quotient instead of powers.
vec3 tone_map(vec3 radiance) {
    vec3 s = sqrt(radiance);
    return s * (-3.8519 + s * (213.8565 + s * (-93.1982 + s * 18.1563))) /
           (1.0 + s * (186.6368 + s * (-51.7661 + s * 28.0412)));
}
#else
const float EXPOSURE = 0.95;

// A film's shoulder, where highlights bend towards white one channel at a time, which keeps sunlit plaster warm; then
// sRGB (IEC 61966-2-1).
vec3 tone_map(vec3 radiance) {
    vec3 x = radiance * EXPOSURE;
    vec3 c = 1.0 - exp2(-x * (1.25 + 0.35 * x));
    vec3 low = c * 12.92;
    vec3 high = 1.055 * pow(max(c, 0.0031308), vec3(1.0 / 2.4)) - 0.055;
    return mix(high, low, vec3(lessThan(c, vec3(0.0031308))));
}
#endif

// Half a step of noise, without which a smooth sky shows its 8 bits.
float dither(vec2 pixel) {
    return (fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715)))) - 0.5) / 255.0;
}

vec4 tone_map_dithered(vec3 radiance, vec2 pixel) {
    return vec4(tone_map(radiance) + dither(pixel), 1.0);
}
