// Tileable noise with a period in cells. Integer hashes give the same result on every driver.

uint hash_uint(uint x) {
    x ^= x >> 16;
    x *= 0x7feb352dU;
    x ^= x >> 15;
    x *= 0x846ca68bU;
    return x ^ (x >> 16);
}

float random(ivec2 cell, int seed) {
    return float(hash_uint(uint(cell.x) * 0x9e3779b9U + hash_uint(uint(cell.y) * 0x85ebca6bU + uint(seed))) >> 8) / 16777216.0;
}

ivec2 wrap(ivec2 cell, ivec2 period) {
    return ((cell % period) + period) % period;
}

// Value noise with quintic interpolation: 0..1, mean 0.5.
float noise(vec2 p, ivec2 period, int seed) {
    ivec2 cell = ivec2(floor(p));
    vec2 f = p - vec2(cell);
    vec2 weight = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
    float a = random(wrap(cell, period), seed), b = random(wrap(cell + ivec2(1, 0), period), seed);
    float c = random(wrap(cell + ivec2(0, 1), period), seed), d = random(wrap(cell + ivec2(1, 1), period), seed);
    return mix(mix(a, b, weight.x), mix(c, d, weight.x), weight.y);
}

// Fractal noise: each octave has twice the frequency and half the amplitude; 0..1.
float fractal_noise(vec2 p, ivec2 period, int octaves, int seed) {
    float sum = 0.0, amplitude = 0.5, amplitude_sum = 0.0;
    for (int i = 0; i < octaves; i++) {
        sum += amplitude * noise(p, period, seed + 31 * i);
        amplitude_sum += amplitude;
        p *= 2.0;
        period *= 2;
        amplitude *= 0.5;
    }
    return sum / amplitude_sum;
}

// Worley noise: distances to the nearest (x) and second nearest (y) feature point, in cells; z: random value of the
// nearest.
vec3 worley_noise(vec2 p, ivec2 period, float jitter, int seed) {
    ivec2 base = ivec2(floor(p));
    vec3 best = vec3(9.0, 9.0, 0.0);
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++) {
            ivec2 cell = base + ivec2(i, j), wrapped = wrap(cell, period);
            vec2 feature = vec2(cell) + 0.5 + jitter * (vec2(random(wrapped, seed), random(wrapped, seed + 1)) - 0.5);
            float d = length(p - feature);
            if (d < best.x)
                best = vec3(d, best.x, random(wrapped, seed + 2));
            else if (d < best.y)
                best.y = d;
        }
    return best;
}
