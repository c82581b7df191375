// Bloom, step 3: weighted sum of both blurs, added to the picture by blending.
in vec2 uv;
uniform sampler2D narrow_blur;
uniform sampler2D wide_blur;
uniform float strength;
out vec4 colour;

void main() {
    colour = vec4(strength * (0.5 * texture(narrow_blur, uv).rgb + texture(wide_blur, uv).rgb), 0.0);
}
