// Upscale pass: bilinear copy of the world's picture to the window size. SMOOTH_EDGES: without the stairs of its edges.
in vec2 uv;
uniform sampler2D source;
out vec4 colour;

#ifdef SMOOTH_EDGES
float luma(vec3 c) {
    return dot(c, vec3(0.299, 0.587, 0.114));
}

// Fast approximate anti-aliasing (Lottes 2009): a blur along the edge, whose direction follows from the luma of the four
// corners around the pixel. A blur that reaches beyond the edge's own colours is replaced by a shorter one.
vec3 smooth_edges(vec2 at) {
    vec2 texel = 1.0 / vec2(textureSize(source, 0));
    float corners[4], low = luma(texture(source, at).rgb), high = low;
    for (int k = 0; k < 4; k++) {
        corners[k] = luma(texture(source, at + texel * (vec2(k & 1, k >> 1) - 0.5)).rgb);
        low = min(low, corners[k]);
        high = max(high, corners[k]);
    }
    vec2 along = vec2(corners[2] + corners[3] - corners[0] - corners[1], corners[0] + corners[2] - corners[1] - corners[3]);
    float total = corners[0] + corners[1] + corners[2] + corners[3];
    along /= min(abs(along.x), abs(along.y)) + max(total / 32.0, 1.0 / 128.0);
    along = clamp(along, -8.0, 8.0) * texel;
    vec3 narrow = 0.5 * (texture(source, at - along / 6.0).rgb + texture(source, at + along / 6.0).rgb);
    vec3 wide = 0.5 * narrow + 0.25 * (texture(source, at - along / 2.0).rgb + texture(source, at + along / 2.0).rgb);
    float found = luma(wide);
    return found < low || found > high ? narrow : wide;
}
#endif

void main() {
#ifdef SMOOTH_EDGES
    colour = vec4(smooth_edges(uv), 1.0);
#else
    colour = vec4(texture(source, uv).rgb, 1.0);
#endif
}
