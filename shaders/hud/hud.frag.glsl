// HUD: rounded boxes with fills, glyphs and images.
in vec2 quad_position;
in float pixel_y;
flat in vec4 colour;
flat in vec3 half_size_and_radius;
flat in vec2 image_origin;
flat in uvec3 kind;
uniform sampler2D glyph_atlas;
uniform sampler2D image_atlas;
uniform vec4 scroll_band;  // pixels: top and bottom of the visible band; fade heights of clipped items at both
out vec4 picture_colour;

// 1 inside an ellipse, with an edge of one pixel.
float inside_ellipse(vec2 position, vec2 centre, vec2 radii) {
    float radius = length((position - centre) / radii);
    return clamp((1.0 - radius) / max(fwidth(radius), 1e-4) + 0.5, 0.0, 1.0);
}

// The player's figure, lit from the upper left, with a blue rim above and warm light from below. Its colours and
// proportions are those of bodies/ellipsoid.frag.glsl. unit_position: -1..1.
vec3 shade_figure(vec2 unit_position, vec3 base) {
    vec2 at = vec2(unit_position.x, -unit_position.y);
    vec3 n = vec3(at, sqrt(max(0.0, 1.0 - dot(at, at))));
    float pixel = fwidth(at.y) + 1e-4, from_seam = at.y + 0.12;
    float visor = inside_ellipse(at, vec2(0.12, 0.56), vec2(0.72, 0.17));
    float eyes = inside_ellipse(vec2(abs(at.x - 0.12), at.y), vec2(0.25, 0.56), vec2(0.10));
    vec3 albedo = mix(base, vec3(0.96, 0.94, 0.89), smoothstep(pixel, -pixel, from_seam));
    albedo *= mix(1.0, 0.4, smoothstep(0.02 + pixel, 0.02 - pixel, abs(from_seam)));
    albedo = mix(albedo, vec3(0.07, 0.08, 0.10), visor);
    float light = max(dot(n, normalize(vec3(-0.55, 0.62, 0.56))), 0.0);
    float rim = pow(1.0 - n.z, 2.5);
    vec3 lit = albedo * (0.30 + 0.85 * light) + albedo * vec3(1.0, 0.62, 0.40) * 0.22 * max(-n.y, 0.0);
    lit += rim * mix(vec3(0.10, 0.05, 0.02), vec3(0.55, 0.62, 0.70), 0.5 + 0.5 * n.y) * 0.8;
    lit += vec3(1.0, 0.97, 0.90) * 0.75 * pow(light, 26.0) * (1.0 - 0.6 * visor);
    return mix(lit, vec3(0.59, 0.94, 0.98), eyes);
}

void main() {
    // Signed distance to a rounded box, in pixels; the edge is one pixel wide.
    vec2 corner_offset = abs(quad_position) - half_size_and_radius.xy + half_size_and_radius.z;
    float rounded_box_coverage = clamp(half_size_and_radius.z - length(max(corner_offset, 0.0)) -
                                       min(max(corner_offset.x, corner_offset.y), 0.0) + 0.5, 0.0, 1.0);
    vec2 unit_position = quad_position / half_size_and_radius.xy;  // -1..1 over the box
    vec2 fraction = clamp(0.5 + 0.5 * unit_position, 0.0, 1.0);
    vec3 rgb = colour.rgb;
    float coverage = rounded_box_coverage;
    if (kind.x == 1u) {
        coverage = texelFetch(glyph_atlas, ivec2(quad_position), 0).r;
    } else if (kind.x == 2u) {
        ivec2 last_texel = ivec2(2.0 * half_size_and_radius.xy) - 1;
        ivec2 texel = clamp(ivec2(floor(quad_position + half_size_and_radius.xy)), ivec2(0), last_texel);
        rgb *= texelFetch(image_atlas, ivec2(image_origin) + texel, 0).rgb;
    } else if (kind.y == 1u) {
        coverage *= 1.0 - smoothstep(0.0, 1.0, fraction.x);
    } else if (kind.y == 2u) {
        coverage *= smoothstep(0.0, 1.0, fraction.y);
    } else if (kind.y == 3u) {
        coverage = inside_ellipse(unit_position, vec2(0.0), vec2(1.0));
        rgb = shade_figure(unit_position, colour.rgb);
    } else if (kind.y == 4u) {
        float glow = max(0.0, 1.0 - length(unit_position));
        coverage = glow * glow * (3.0 - 2.0 * glow);
    } else if (kind.y == 5u || kind.y == 6u) {  // upper left, upper right quarter
        float inward = kind.y == 5u ? -quad_position.x : quad_position.x;
        coverage *= clamp(inward + 0.5, 0.0, 1.0) * clamp(0.5 - quad_position.y, 0.0, 1.0);
    } else if (kind.y >= 7u) {  // triangle that points up, right, down or left
        vec2 towards = kind.y == 7u ? vec2(0.0, -1.0) : kind.y == 8u ? vec2(1.0, 0.0) :
                       kind.y == 9u ? vec2(0.0, 1.0) : vec2(-1.0, 0.0);
        float along = dot(quad_position, towards), across = abs(dot(quad_position, towards.yx));
        float side = half_size_and_radius.x;
        coverage = clamp(min((side - along) * 0.447 - across * 0.894, along + 0.8 * side) + 0.5, 0.0, 1.0);
    }
    if (kind.z != 0u) {
        vec2 band_fade = vec2(pixel_y - scroll_band.x, scroll_band.y - pixel_y) / max(scroll_band.zw, vec2(0.5));
        band_fade = smoothstep(vec2(0.0), vec2(1.0), band_fade);
        coverage *= band_fade.x * band_fade.y;
    }
    picture_colour = vec4(rgb, colour.a * coverage);
}
