// From linear light to the screen's numbers.

const float EXPOSURE = 0.95;

// A film's shoulder: highlights bend towards white one channel at a time, which keeps sunlit plaster warm.
vec3 film(vec3 light) {
    vec3 x = light * EXPOSURE;
    return 1.0 - exp2(-x * (1.25 + 0.35 * x));
}

vec3 to_srgb(vec3 c) {
#ifdef QUICK_SRGB
    // roots instead of a power: nowhere more than 2/255 off
    vec3 s = sqrt(c), q = sqrt(s);
    return 1.32104756 * s - 0.02775561 * q - 0.04199502 * sqrt(q) - 0.25887397 * c;
#else
    vec3 low = c * 12.92;
    vec3 high = 1.055 * pow(max(c, 0.0031308), vec3(1.0 / 2.4)) - 0.055;
    return mix(high, low, vec3(lessThan(c, vec3(0.0031308))));
#endif
}

// Half a step of noise, without which a smooth sky shows its 8 bits.
float dither(vec2 pixel) {
    return (fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715)))) - 0.5) / 255.0;
}

vec4 shown(vec3 light, vec2 pixel) {
    return vec4(to_srgb(film(light)) + dither(pixel), 1.0);
}
