// Sky: atmosphere, clouds, sun or moon disc, stars, distant hills, and a sea of mist below the horizon.
#include "include/shade.glsl"

in vec3 ray;
uniform sampler2D clouds;  // r: tileable noise, mean 0.5, standard deviation 0.2
out vec4 picture_colour;

#if CLOUDS > 0
// Fractal noise, scaled to the same standard deviation for any number of octaves.
float cloud_density(vec2 uv) {
    float sum = 0.0, amplitude = 0.6, variance = 0.0;
    for (int i = 0; i < CLOUDS; i++) {
        sum += amplitude * (texture(clouds, uv).r - 0.5);
        variance += amplitude * amplitude;
        uv = uv * 2.7 + 0.13;
        amplitude *= 0.45;
    }
    return 0.435 + 0.66 * sum * inversesqrt(variance);
}

// Clouds over the sky, brighter towards the sun (forward scattering).
vec3 blend_clouds(vec3 radiance, float elevation, float sun_cosine, float density) {
    float coverage = smoothstep(0.88 - ground.w, 1.26 - ground.w, density) * smoothstep(0.03, 0.30, elevation);
    float forward_scatter = max(sun_cosine, 0.0);
    float scatter4 = forward_scatter * forward_scatter * forward_scatter * forward_scatter;
    vec3 cloud = horizon.rgb * (1.0 - 0.5 * density) + sunlight.rgb * (0.16 + 0.5 * scatter4);
    return mix(radiance, cloud, coverage * 0.72);
}

// Ranges of hills: near ranges are lower and darker; mist fills the valleys. slope: tangent of the elevation.
vec3 blend_hills(vec3 radiance, vec3 direction, float slope, float filter_width, vec2 azimuth) {
    vec3 mist = sky_radiance(vec3(direction.x, 0.03, direction.z));
    vec3 shade = 0.42 * zenith.rgb + 0.16 * horizon.rgb;
    for (int k = 0; k < CLOUDS; k++) {
        float remoteness = 1.0 - float(k) / float(CLOUDS);  // 1: farthest range
        vec2 uv = azimuth * (0.20 + 0.11 * float(k)) + 0.37 * float(k) + 0.21;
        float ridge = 0.02 + 0.028 * remoteness + (0.05 + 0.06 * remoteness) * (textureLod(clouds, uv, 0.0).r - 0.5);
        ridge += 0.014 * (textureLod(clouds, 3.0 * uv, 0.0).r - 0.5);
        float coverage = clamp((ridge - slope) / filter_width + 0.5, 0.0, 1.0) * smoothstep(-0.05, -0.01, slope);
        float contrast = (0.66 - 0.40 * remoteness) * smoothstep(-0.025, 0.06, slope + 0.02 * (1.0 - remoteness));
        radiance = mix(radiance, mix(mist, shade, contrast), coverage);
    }
    return radiance;
}

// Sea of mist below the horizon, lit from above, bluer straight down.
vec3 mist_sea(vec3 direction, float depression, float sun_cosine, float density) {
    vec3 mist = sky_radiance(vec3(direction.x, 0.03, direction.z));
    vec3 crest = 0.92 * horizon.rgb + (0.14 + 0.22 * max(sun_cosine, 0.0)) * sunlight.rgb;
    vec3 trough = 0.60 * horizon.rgb + 0.24 * zenith.rgb;
    vec3 sea = mix(trough, crest, smoothstep(0.25, 0.72, density));
    sea = mix(sea, mix(trough, sea, 0.6), smoothstep(0.2, 0.9, depression));
    return mix(mist, sea, smoothstep(0.0, 0.16, depression));
}
#endif

// Stars: at most one in each cell of a cube map around the eye.
float stars(vec3 direction) {
    vec3 a = abs(direction);
    vec3 face = a.x > a.y && a.x > a.z ? vec3(direction.yz / a.x, sign(direction.x))
              : a.y > a.z              ? vec3(direction.xz / a.y, 3.0 * sign(direction.y))
                                       : vec3(direction.xy / a.z, 5.0 * sign(direction.z));
    vec2 uv = face.xy * 90.0;
    vec3 random3 = fract(vec3(floor(uv), face.z) * vec3(0.1031, 0.1030, 0.0973));
    random3 += dot(random3, random3.yzx + 33.33);
    random3 = fract((random3.xxy + random3.yzz) * random3.zyx);
    vec2 star_offset = fract(uv) - 0.2 - 0.6 * random3.xy;
    float size = 0.05 + 0.09 * random3.z * random3.z;
    float visible = step(0.93, fract(7.3 * (random3.x + random3.y + random3.z)));
    return visible * smoothstep(size + 0.06, 0.0, length(star_offset)) * (0.25 + 0.75 * random3.z);
}

void main() {
    vec3 direction = normalize(ray);
    float sun_cosine = dot(direction, to_sun.xyz);
    vec3 radiance = sky_radiance(direction);
    float sun_glow = max(sun_cosine, 0.0);
    sun_glow *= sun_glow;
    sun_glow *= sun_glow;
    sun_glow *= sun_glow * sun_glow;
    radiance += sunlight.rgb * (halo.w * 0.10 * pow(sun_glow, 20.0)) * smoothstep(-0.02, 0.06, direction.y);
    if (forward.w > 0.0)
        radiance += forward.w * stars(direction) * smoothstep(0.02, 0.25, direction.y);
    float disc = smoothstep(right.w, 0.3 * right.w + 0.7, sun_cosine) * smoothstep(-0.02, 0.02, direction.y);
#if CLOUDS > 0
    float inverse_horizontal = inversesqrt(max(dot(direction.xz, direction.xz), 1e-6));
    float slope = direction.y * inverse_horizontal;
    radiance += sunlight.rgb * (12.0 * disc * halo.w);
    float filter_width = max(fwidth(slope), 1e-4);
    bool below_horizon = direction.y < 0.0;
    vec2 uv = below_horizon ? direction.xz / (0.05 - direction.y) * 0.11 + vec2(0.0007, -0.0005) * eye.w
                  : direction.xz / (direction.y + 0.12) * 0.16 + vec2(0.0011, 0.0004) * eye.w;
    float density = cloud_density(uv);
    radiance = below_horizon ? mist_sea(direction, -direction.y, sun_cosine, density)
                             : blend_clouds(radiance, direction.y, sun_cosine, density);
    if (slope > -0.05 && slope < 0.16)
        radiance = blend_hills(radiance, direction, slope, filter_width, direction.xz * inverse_horizontal);
#else
    radiance += sunlight.rgb * (12.0 * disc * halo.w);
#endif
    picture_colour = shown(radiance);
}
